# SPDX-License-Identifier: MIT
"""Revision and date of a design: declared, or asked for with `--revision`; on the first page of each report."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from cli_bench import BOARD, Bench

DATED = BOARD.replace("name: tiny,", "name: tiny, revision: B2, date: 2026-11-29,")


def shown(bench: Bench, *words: str) -> tuple[str, str]:
    done = bench.check(*words, "--format", "json")
    assert done.code == 0, done.err
    tree = json.loads(done.out)
    return tree["revision"], tree["date"]


def test_what_the_board_file_declares_stands_in_the_reports(bench: Bench) -> None:
    assert shown(bench) == ("", "")
    bench.put("board.yaml", DATED)
    assert shown(bench) == ("B2", "2026-11-29")
    bench.check("-o", "page.html", "-o", "page.md")
    page = (bench.folder / "page.html").read_text(encoding="utf-8")
    assert "Revision <b>B2</b>. Board dated <b>2026-11-29</b>" in page
    assert "Revision B2, 2026-11-29" in (bench.folder / "page.md").read_text(encoding="utf-8")
    assert shown(bench, "--revision", "C") == ("C", "2026-11-29")


@pytest.mark.parametrize("day", ["2026-99-99", "29.11.2026", "1826-11-29"])
def test_a_day_that_is_none_is_2_with_its_place(bench: Bench, day: str) -> None:
    bench.put("board.yaml", DATED.replace("2026-11-29", day))
    done = bench.check()
    assert done.code == 2 and "board.yaml:2:" in done.err and day in done.err


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_git_adds_the_commit_and_whether_the_file_differs(bench: Bench) -> None:
    done = bench.check("--revision", "git")
    assert done.code == 2 and "no git checkout" in done.err and "Traceback" not in done.err
    bench.put("board.yaml", DATED)
    for words in (("init", "-q"), ("add", "board.yaml"),
                  ("-c", "user.name=t", "-c", "user.email=t@e", "commit", "-q", "--no-gpg-sign", "-m", "x")):
        subprocess.run(["git", *words], cwd=bench.folder, check=True)
    asked = ["git", "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(asked, cwd=bench.folder, capture_output=True, text=True, check=True).stdout.strip()
    assert shown(bench, "--revision", "git")[0] == f"B2, commit {commit}"
    bench.put("board.yaml", DATED + "# a word\n")
    assert shown(bench, "--revision", "git")[0] == f"B2, commit {commit}, file changed since"


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_repository_among_the_files_of_a_folder_has_no_say(bench: Bench) -> None:
    """Its settings could name a program that git starts."""
    for words in (("init", "-q"), ("config", "user.name", "t"), ("config", "user.email", "t@e"),
                  ("config", "core.worktree", str(bench.folder)),
                  ("commit", "-q", "--no-gpg-sign", "--allow-empty", "-m", "x")):
        subprocess.run(["git", *words], cwd=bench.folder, check=True)
    for path in (bench.folder / ".git").iterdir():
        path.rename(bench.folder / path.name)
    (bench.folder / ".git").rmdir()
    assert subprocess.run(["git", "-c", "safe.bareRepository=all", "rev-parse", "HEAD"], cwd=bench.folder,
                          capture_output=True, check=True).stdout, "git takes the folder for a repository"
    done = bench.check("--revision", "git")
    assert done.code == 2 and "no git checkout" in done.err


@pytest.mark.parametrize("text", ["", "  ", "x" * 501])
def test_no_revision_at_all_is_refused(bench: Bench, text: str) -> None:
    assert bench.check("--revision", text).code == 2
