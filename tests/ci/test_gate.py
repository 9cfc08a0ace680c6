# SPDX-License-Identifier: MIT
"""The gate's script on scratch repositories, run as a shell of CI would run it."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from cli_bench import BOARD, LIMITS, ROOT, STUB, environment, ruleset

pytestmark = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("bash") or not shutil.which("git"), reason="needs bash and git"
)
GATE = ROOT / "ci" / "gate.sh"
URL = "https://h.example/o/r/blob/0f/{file}#L{line}"
WORSE = ("residual: 4 mil", "residual: 6.5 mil")
FAILING = ("residual: 4 mil", "residual: 9 mil")
SOON = dt.date.today() + dt.timedelta(days=300)


class Repo:
    """A repository with two boards on its branch `main`, and a branch for the change."""

    def __init__(self, folder: Path, program: Sequence[str]) -> None:
        self.folder = folder / "repo"
        self.bin = folder / "bin"
        self.files = folder / "github"
        for path in (self.folder, self.bin, self.files):
            path.mkdir()
        self.install(program)
        self.git("init", "-q", "-b", "main")
        self.put("few.yaml", ruleset())
        self.put("boards/a.yaml", BOARD)
        self.put("boards/b.yaml", BOARD.replace("name: tiny", "name: other"))
        self.put("README.md", "text\n")
        self.commit()
        self.git("switch", "-q", "-c", "change")

    def install(self, program: Sequence[str]) -> None:
        """Make `pcbrules` this command."""
        shim = self.bin / "pcbrules"
        shim.write_text(f'#!/bin/sh\nexec {shlex.join(program)} "$@"\n', encoding="utf-8")
        shim.chmod(0o755)

    def git(self, *words: str) -> str:
        """Run git."""
        settings = ("-c", "user.name=t", "-c", "user.email=t@e", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *settings, *words], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def put(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a text of a file."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.put(name, text.replace(old, new))

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def gate(self, cwd: Path | None = None, **given: str) -> SimpleNamespace:
        """Commit, and run the script: exit code, log, and what it wrote for GitHub."""
        if self.git("status", "--porcelain"):
            self.commit()
        for name in ("output", "summary"):
            (self.files / name).write_text("")
        env = environment({
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "PCBRULES_PROFILE": "few.yaml",
            "PCBRULES_TARGET": given.get("PCBRULES_TARGET") or self.git("rev-parse", "main"),
            "PCBRULES_SOURCE_URL": URL,
            "PCBRULES_OUT": str(self.files / "out"),
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(self.files / "output"),
            "GITHUB_STEP_SUMMARY": str(self.files / "summary"),
            **given,
        })
        done = subprocess.run(["bash", "--noprofile", "--norc", "-euo", "pipefail", str(GATE)], capture_output=True,
                              text=True, cwd=cwd or self.folder, env=env, timeout=120, check=False)
        assert self.git("worktree", "list").count("\n") == 0, "nothing is left behind"
        assert not self.git("status", "--porcelain"), "the checkout is as it was"
        outputs = dict(line.split("=") for line in (self.files / "output").read_text().split())
        assert outputs.get("exit-code") == str(done.returncode), done.stderr
        report = self.files / "out" / "report.json"
        return SimpleNamespace(
            code=done.returncode, log=done.stdout + done.stderr, outputs=outputs,
            summary=(self.files / "summary").read_text(encoding="utf-8"),
            tree=json.loads(report.read_text(encoding="utf-8")) if report.exists() else None,
        )


@pytest.fixture
def repo(tmp_path: Path, program: tuple[str, ...]) -> Repo:
    """A fresh repository."""
    return Repo(tmp_path, program)


def test_a_lost_margin_fails_and_shows_where(repo: Repo) -> None:
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate()
    assert done.code == 1 and done.outputs["sarif"] == "true"
    assert done.tree["board"] == "tiny", "the other board is not touched"
    assert "PCB005" in done.summary and "## Smallest margins" in done.summary
    assert "(<https://h.example/o/r/blob/0f/boards/a.yaml#L17>)" in done.summary
    assert "PCB005" in done.log
    sarif = json.loads((repo.files / "out" / "report.sarif").read_text(encoding="utf-8"))
    assert sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (
        "boards/a.yaml")


def test_a_bound_lets_it_pass(repo: Repo) -> None:
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate(PCBRULES_REGRESSION="0.2dB\n3 mil\n")
    assert done.code == 0 and done.outputs["sarif"] == "true"


def test_what_the_target_has_already_does_not_count(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", *FAILING)
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", "schema: 1", "schema: 1  # x")
    assert repo.gate().code == 0
    done = repo.gate(PCBRULES_TARGET="", PCBRULES_PROFILE="few.yaml")
    assert done.code == 1 and len(done.tree["reports"]) == 2, "on a push everything counts"


def test_a_change_that_touches_no_board_is_0(repo: Repo) -> None:
    repo.put("README.md", "other\n")
    done = repo.gate()
    assert done.code == 0 and "No board is touched" in done.summary
    assert done.tree is None and "sarif" not in done.outputs
    assert repo.gate(PCBRULES_CHANGED_ONLY="false").code == 0


def test_a_board_in_a_subfolder_is_told(repo: Repo) -> None:
    told = "boards/sub/new.yaml looks like a board file and is not checked: it is in a subfolder; add `boards/sub/`"
    repo.put("boards/sub/new.yaml", BOARD.replace("name: tiny", "name: new").replace(*FAILING))
    repo.put("boards/sub/data.yaml", "links: 3\n")
    repo.put("boards/own/fine.yaml", BOARD.replace("name: tiny", "name: fine"))
    for places in ("boards", "./boards//"):
        done = repo.gate(PCBRULES_BOARDS=f"{places}\nboards/own")
        assert f"warning: this change touches it: {told}" in done.log and told in done.summary
        assert done.code == 3 and "INCOMPLETE" in done.summary and "the gate is incomplete" in done.log
        assert "data.yaml" not in done.log and "fine.yaml looks" not in done.log
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "change")
    repo.git("switch", "-q", "-C", "change")
    repo.put("README.md", "other\n")
    done = repo.gate()
    assert done.code == 0 and f"note: {told}" in done.log and told in done.summary
    assert "INCOMPLETE" not in done.summary, "the change does not touch it"
    assert repo.gate(PCBRULES_TARGET="").code == 3, "all boards are asked"
    assert repo.gate(PCBRULES_BOARDS="boards/sub").code == 0, "it is checked there"
    repo.edit("boards/sub/new.yaml", "schema: 1", "schema: 1  # x")
    assert repo.gate(PCBRULES_BOARDS="boards/sub").tree["board"] == "new"


def test_what_could_be_checked_by_its_name_is_not_passed_over(repo: Repo) -> None:
    """Hidden, JSON, of another ending, a layout of any format, an archive, behind a link, with an odd name."""
    board = BOARD.replace("name: tiny", "name: new").replace(*FAILING)
    left = ["boards/.bad.yaml", "boards/bad.json", "boards/bad.yaml.bak", "boards/lay.kicad_pcb", "boards/lay.xml",
            "boards/lay.gbrjob", "boards/lay.tgz", "boards/odb/matrix/matrix", "boards/.hid/deep/new.yml"]
    texts = {"kicad_pcb": "(kicad_pcb (version 20221018))", "xml": "<?xml version='1.0'?>\n<IPC-2581 revision='C'>",
             "gbrjob": '{"Header": {"GenerationSoftware": {}}}', "json": json.dumps(yaml.safe_load(board))}
    for name in left:
        repo.put(name, texts.get(name.rpartition(".")[2], board))
    (repo.folder / "boards" / "lay.tgz").write_bytes(b"\x1f\x8b\x08\x00")
    repo.put("else/far.yaml", board)
    (repo.folder / "boards" / "link").symlink_to("../else")
    done = repo.gate(PCBRULES_BOARDS=".//boards")
    told = re.findall(r"touches it: (\S+) looks", done.log)
    assert done.code == 3 and sorted(told) == sorted([*left[:7], "boards/odb", left[8], "boards/link"])
    assert done.summary.count("this change touches it") == 10 and "INCOMPLETE" in done.summary
    repo.git("rm", "-q", "-r", *left, "boards/link")
    repo.put("boards/sub/a\nb.yaml", board)
    done = repo.gate()
    assert done.code == 3 and "boards/sub/a?b.yaml looks" in done.log


def test_a_folder_of_odb_is_one_board(repo: Repo) -> None:
    """It is checked where it is named, touched by each of its files, and held where it is gone."""
    repo.git("switch", "-q", "main")
    repo.put("hw/odb/matrix/matrix", "none\n")
    repo.put("hw/odb/steps/pcb/layers/top/features", "x\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("hw/odb/steps/pcb/layers/top/features", "y\n")
    given = {"PCBRULES_BOARDS": "boards\nhw/odb/", "PCBRULES_PROFILE": "edge"}
    done = repo.gate(**given)
    assert done.code == 2 and "hw/odb/matrix/matrix: the matrix has no copper layer" in done.log
    repo.git("rm", "-q", "-r", "hw/odb")
    agreed(repo, repo.gate(**given))


def test_data_of_any_name_below_the_folder_touches_a_board(repo: Repo) -> None:
    """Touchstone 2 has no ending of its own."""
    repo.put("boards/models/x.yaml", "[Version] 2.0\n")
    assert repo.gate(PCBRULES_PROFILE="edge", PCBRULES_OPTIONS="--allow-incomplete").tree is not None
    repo.git("switch", "-q", "-C", "change", "main")
    repo.put("elsewhere/x.yaml", "[Version] 2.0\n")
    assert repo.gate(PCBRULES_PROFILE="edge").tree is None


@pytest.mark.parametrize("name", ["boards/models/x.s4p", "few.yaml", "waivers.yaml", "base.yaml"])
def test_what_a_board_may_rest_on_touches_all(repo: Repo, name: str) -> None:
    text = {"few.yaml": ruleset() + "# x\n", "waivers.yaml": "waivers: []\n"}.get(name, "x: 1\n")
    repo.put(name, text)
    waivers = "waivers.yaml" if name == "waivers.yaml" else ""
    done = repo.gate(PCBRULES_WAIVERS=waivers)
    assert done.code == 0 and len(done.tree["reports"]) == 2


def test_a_condition_of_the_ruleset_that_the_change_eases_fails(repo: Repo) -> None:
    repo.edit("few.yaml", "hot: 85 degC", "hot: 45 degC")
    done = repo.gate()
    assert done.code == 1 and "conditions.hot 85 °C in the baseline, 45 °C now" in done.summary
    repo.edit("few.yaml", "hot: 45 degC", "hot: 95 degC")
    assert repo.gate().code == 0


def test_no_path_of_this_machine_stands_in_a_report(repo: Repo) -> None:
    """Of a ruleset file of the repository, or of a report in it, the name in the repository is told."""
    repo.put(".gitignore", "out\n")
    repo.put("house.yaml", "ruleset: house\nversion: '1'\ntitle: H\nextends: few.yaml\nrules:\n"
             "  STK001: [{off: not asked}]\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "change")
    repo.git("switch", "-q", "change")
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate(PCBRULES_PROFILE="house.yaml", PCBRULES_OUT="out")
    assert done.code == 1 and "house.yaml changes few" in done.summary + done.log
    assert str(repo.folder) not in done.log + done.summary


def test_a_limit_that_the_change_relaxes_hides_no_loss(repo: Repo) -> None:
    """Both sides are judged by the limits of today."""
    repo.edit("few.yaml", "< 10 mil", "< 20 mil")
    repo.edit("boards/a.yaml", *FAILING)
    assert repo.gate().code == 1


def test_a_waiver_that_the_change_removes_counts(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", *FAILING)
    repo.put("waivers.yaml", "waivers: [{rule: SIG003, subject: links.a.path.via1.bottom, at_most: 12 mil, reason: r, "
             f"owner: o, expires: {SOON}}}]\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("README.md", "other\n")
    assert repo.gate(PCBRULES_WAIVERS="waivers.yaml", PCBRULES_CHANGED_ONLY="false").code == 0
    repo.put("waivers.yaml", "waivers: []\n")
    assert repo.gate(PCBRULES_WAIVERS="waivers.yaml").code == 1


WAIVER = "waivers: [{rule: SIG003, subject: links.a.path.via1.bottom, at_most: %s, reason: r, owner: o, expires: %s}]\n"


def test_a_change_brings_no_waiver_of_its_own(repo: Repo) -> None:
    """An entry counts once the target has it, up to the bound that it has there; one of its own change is told."""
    repo.edit("boards/a.yaml", *FAILING)
    repo.put("waivers.yaml", WAIVER % ("12 mil", SOON))
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    assert done.code == 1 and done.tree["reports"][0]["summary"]["waived"] == 0
    assert "by o: the target branch does not have it up to at\\_most 12 mil" in done.summary
    assert repo.gate(PCBRULES_WAIVERS="waivers.yaml", PCBRULES_HOLD_CHECKS="false").code == 0
    repo.git("switch", "-q", "main")
    repo.put("waivers.yaml", WAIVER % ("10.5 mil", SOON))
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", *FAILING)
    repo.put("waivers.yaml", WAIVER % ("12 mil", SOON))
    assert repo.gate(PCBRULES_WAIVERS="waivers.yaml").code == 1, "a wider bound is a new entry"
    repo.git("switch", "-q", "-f", "main")
    repo.put("waivers.yaml", WAIVER % ("12 mil", SOON))
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", *FAILING)
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    assert done.code == 0 and done.tree["summary"]["waived"] == 1
    repo.put("waivers.yaml", WAIVER % ("12 mil", SOON - dt.timedelta(days=1)))
    assert repo.gate(PCBRULES_WAIVERS="waivers.yaml").code == 0, "a nearer date is none that the target lacks"


def test_a_waiver_of_a_board_that_is_not_checked_is_not_judged(repo: Repo) -> None:
    """The entry is of board b, which the change does not touch; one that fits no board is unused."""
    repo.git("switch", "-q", "main")
    repo.put("boards/b.yaml", BOARD.replace("name: tiny", "name: other").replace("  a:\n", "  z:\n")
             .replace(*FAILING))
    repo.put("waivers.yaml", WAIVER.replace("links.a", "links.z") % ("12 mil", SOON))
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", "schema: 1", "schema: 1  # x")
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    assert done.code == 0 and done.tree["board"] == "tiny" and "PCB002" not in done.summary
    repo.edit("boards/b.yaml", "  z:\n", "  y:\n")
    assert "PCB002" in repo.gate(PCBRULES_WAIVERS="waivers.yaml").summary


def test_a_waiver_file_that_is_not_of_the_change_counts(repo: Repo, tmp_path: Path) -> None:
    repo.edit("boards/a.yaml", *FAILING)
    (tmp_path / "w.yaml").write_text(WAIVER % ("12 mil", SOON), encoding="utf-8")
    assert repo.gate(PCBRULES_WAIVERS=str(tmp_path / "w.yaml"), PCBRULES_CHANGED_ONLY="false").code == 0


def test_a_board_that_is_renamed_is_compared_with_what_it_was(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", *FAILING)
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.git("mv", "boards/a.yaml", "boards/neu ß.yaml")
    assert repo.gate().code == 0
    repo.edit("boards/neu ß.yaml", "residual: 9 mil", "residual: 10 mil")
    done = repo.gate()
    assert done.code == 1 and "boards/neu%20%C3%9F.yaml#L17" in done.summary


def agreed(repo: Repo, done: SimpleNamespace) -> None:
    """Verdict, summary, JSON, SARIF, JUnit and exit code say the same of a fail."""
    assert done.code == 1 and "FAIL: 1 error" in done.summary and "(exit code 1)" in done.log
    reports = done.tree.get("reports", [done.tree])
    assert [one["verdict"] for one in reports if one["exit_code"] == 1] == ["FAIL"]
    sarif = json.loads((repo.files / "out" / "report.sarif").read_text(encoding="utf-8"))["runs"][0]
    assert sarif["properties"]["exit_code"] == 1
    assert {"PCB006"} == {one["ruleId"] for one in sarif["results"] if one["level"] == "error"}
    assert 'failures="1"' in (repo.files / "out" / "junit.xml").read_text(encoding="utf-8").splitlines()[1]


def test_a_board_that_is_removed_fails_in_every_report(repo: Repo) -> None:
    repo.git("rm", "-q", "boards/b.yaml")
    done = repo.gate()
    agreed(repo, done)
    assert "board file boards/b.yaml is gone" in " ".join(done.log.split()) and done.summary.count("PCB006") < 4
    repo.edit("boards/a.yaml", "schema: 1", "schema: 1  # x")
    done = repo.gate()
    agreed(repo, done)
    assert done.summary.startswith("# pcbrules: FAIL, 2 boards\n\n- FAIL: `other`\n- PASS: `tiny`\n")
    assert done.summary.index("## Loosened since the baseline") < done.summary.index("## Smallest margins")
    done = repo.gate(PCBRULES_HOLD_CHECKS="false")
    assert done.code == 0 and "PASS WITH WARNINGS: 1 warning" in done.summary


def test_a_board_that_takes_the_name_of_one_that_is_gone_hides_no_other(repo: Repo) -> None:
    """a is deleted and b is called as a was: nobody is compared with what b was."""
    repo.git("rm", "-q", "boards/a.yaml")
    repo.edit("boards/b.yaml", "name: other", "name: tiny")
    done = repo.gate()
    assert done.code == 1 and "board file boards/b.yaml is gone, or is not checked now" in done.summary


def test_a_board_that_cannot_be_read_is_2_and_told(repo: Repo) -> None:
    repo.edit("boards/a.yaml", "drill: 0.25 mm", "drill: 0.25")
    done = repo.gate()
    assert done.code == 2 and "boards/a.yaml:16:" in done.summary and "write the unit" in done.log
    assert done.tree is None and "sarif" not in done.outputs


def test_a_board_that_the_target_cannot_read_counts_in_full(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", "drill: 0.25 mm", "drill: 0.25")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("boards/a.yaml", BOARD.replace(*FAILING))
    repo.edit("boards/b.yaml", *WORSE)
    done = repo.gate(PCBRULES_REGRESSION="3 mil")
    assert done.code == 1
    assert [r["exit_code"] for r in done.tree["reports"]] == [1, 0]
    assert "has no report of board tiny: all its findings count" in " ".join(done.summary.split()).replace("\\", "")
    repo.git("switch", "-q", "main")
    repo.git("rm", "-q", "boards/b.yaml")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("boards/a.yaml", BOARD)
    done = repo.gate()
    assert done.code == 0 and "cannot read the board of the target, so all its findings count" in done.summary


def test_a_new_board_counts_in_full(repo: Repo) -> None:
    repo.put("boards/c.yaml", BOARD.replace("name: tiny", "name: fresh").replace(*FAILING))
    done = repo.gate()
    told = "note: boards/c.yaml is a new board: all its findings count"
    assert done.code == 1 and told in done.log and told in done.summary


def test_the_verdict_begins_the_summary_and_the_comment(repo: Repo) -> None:
    """Above every note: of a policy, of a file that is not checked, of a waiver file, of a new board."""
    repo.put("boards/c.yaml", BOARD.replace("name: tiny", "name: fresh"))
    repo.put("boards/d.json", json.dumps(yaml.safe_load(BOARD)))
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    assert done.code == 3 and done.summary.startswith("**INCOMPLETE** (exit code 3): The change touches a board file")
    repo.git("rm", "-q", "boards/d.json")
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate()
    lines = [line for line in done.summary.splitlines() if line]
    assert lines[0] == "# pcbrules: FAIL, 2 boards" and lines[1] == "- FAIL: `tiny`"
    assert "is a new board" in lines[3] and "no waiver file yet" in lines[4]
    body = runpy.run_path(str(ROOT / "ci" / "comment.py"))["body"](done.summary, "<!-- m -->")
    assert body.splitlines()[1] == "### pcbrules: FAIL, 2 boards" and "is a new board" in body


def test_a_waiver_file_that_is_named_first_may_follow(repo: Repo) -> None:
    """It is no fault that it is not there yet: nothing is waived, and log and summary say so."""
    repo.edit("boards/a.yaml", "schema: 1", "schema: 1  # x")
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    told = "note: the waiver file waivers.yaml does not exist: nothing is waived"
    assert done.code == 0 and told in done.log and told in done.summary
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate(PCBRULES_WAIVERS="waivers.yaml")
    assert done.code == 1 and "add the waiver file waivers.yaml with the entry" in done.log


def test_a_board_that_goes_pulls_no_other_in(repo: Repo) -> None:
    repo.git("rm", "-q", "boards/b.yaml")
    assert repo.gate(PCBRULES_PROFILE="edge").tree["board"] == "other"
    repo.git("reset", "-q", "--hard", "main")
    repo.git("mv", "boards/b.yaml", "boards/c.yaml")
    assert repo.gate().tree["board"] == "other"


def test_below_the_root_of_the_repository(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    (repo.folder / "hw").mkdir()
    repo.git("mv", "boards", "few.yaml", "hw")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("hw/boards/a.yaml", *WORSE)
    done = repo.gate(cwd=repo.folder / "hw")
    assert done.code == 1 and done.tree["board"] == "tiny" and "PCB005" in done.summary


def clone(repo: Repo, folder: Path, *words: str) -> None:
    """Make the checkout a clone of the branch of the change, as CI makes one."""
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    subprocess.run(["git", "clone", "-q", *words, "--branch", "change", f"file://{repo.folder}", str(folder)],
                   check=True, capture_output=True)
    repo.folder = folder


@pytest.mark.parametrize("fetched", [False, True])
def test_a_shallow_checkout_is_refused_with_the_cure(repo: Repo, tmp_path: Path, fetched: bool) -> None:
    """The target has moved on, and the change touches no board: a comparison with the target's tip would fail it."""
    repo.put("README.md", "other\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", "residual: 4 mil", "residual: 3 mil")  # the tip is better than what the change has
    repo.commit()
    target = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "change")
    source = repo.folder
    clone(repo, tmp_path / "shallow", "--depth", "1")
    if fetched:
        repo.git("fetch", "-q", "--depth", "1", "origin", target)
    done = repo.gate(PCBRULES_TARGET=target)
    assert done.code == 2 and done.tree is None and "fetch-depth: 0" in done.summary
    assert "GIT_DEPTH" in done.log
    repo.folder = source
    clone(repo, tmp_path / "full")
    done = repo.gate(PCBRULES_TARGET=target)
    assert done.code == 0 and "No board is touched" in done.summary


def test_a_shallow_history_that_hides_where_the_change_left_is_refused(repo: Repo, tmp_path: Path) -> None:
    """A common ancestor is in sight, but not the nearest one: it lies beyond the depth of the clone."""
    old = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "main")
    repo.edit("boards/a.yaml", *WORSE)
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("README.md", "other\n")
    repo.commit()
    repo.git("switch", "-q", "-c", "side", old)
    repo.put("side.md", "x\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    for i in range(4):
        repo.put("README.md", f"{i}\n")
        repo.commit()
    repo.git("merge", "-q", "-m", "m", "side")
    target = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "change")
    clone(repo, tmp_path / "shallow", "--depth", "3", "--no-single-branch")
    assert repo.git("merge-base", target, "HEAD") == old, "an older commit than the one that the change left"
    assert repo.gate(PCBRULES_TARGET=target).code == 2


def test_a_shallow_checkout_that_shows_the_target_in_the_change_is_compared(repo: Repo, tmp_path: Path) -> None:
    repo.git("switch", "-q", "main")
    repo.put("more.md", "x\n")
    repo.commit()
    target = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", *WORSE)
    repo.commit()
    clone(repo, tmp_path / "shallow", "--depth", "2")
    assert repo.git("rev-parse", "--is-shallow-repository") == "true"
    assert repo.gate(PCBRULES_TARGET=target).code == 1


def test_a_target_that_a_full_checkout_lacks_is_fetched(repo: Repo, tmp_path: Path) -> None:
    repo.edit("boards/a.yaml", *WORSE)
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.put("more.md", "x\n")
    repo.commit()
    target = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "change")
    clone(repo, tmp_path / "one", "--single-branch")
    assert subprocess.run(["git", "cat-file", "-e", target], cwd=repo.folder, capture_output=True,
                          check=False).returncode
    assert repo.gate(PCBRULES_TARGET=target).code == 1
    done = repo.gate(PCBRULES_TARGET="0" * 40)
    assert done.code == 2 and "Check out with full history" in done.summary


MARK = "pwned"
EVIL = [f"$(touch {MARK})", f"`touch {MARK}`", f"\n ; touch {MARK};\n", f"\"' ; touch {MARK} ; '\"",
        f"a[$(touch {MARK})]"]
NAMES = ("PROFILE", "BOARDS", "TARGET", "CHANGED_ONLY", "REGRESSION", "FAIL_ON", "WAIVERS", "OPTIONS", "SOURCE_URL")


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.long] if place % 3 else []) for place, name in enumerate(NAMES)])
def test_no_input_is_run(repo: Repo, name: str) -> None:
    repo.edit("boards/a.yaml", *WORSE)
    real = (repo.bin / "pcbrules").read_text(encoding="utf-8")
    for i, text in enumerate(EVIL):
        (repo.bin / "pcbrules").write_text(real if i == 0 else "#!/bin/sh\nexit 1\n", encoding="utf-8")
        done = repo.gate(**{f"PCBRULES_{name}": text})
        assert done.code in (1, 2), (text, done.log)
        assert not list(repo.folder.parent.rglob(MARK)), text
        assert "Traceback" not in done.log


def test_no_file_name_is_run_or_taken_for_an_option(repo: Repo) -> None:
    for name in (f"$(touch {MARK}).yaml", f"; touch {MARK} #.yaml", "--profile=edge.yaml", "-h.yaml", "* ?.yaml"):
        repo.put(name, BOARD.replace("name: tiny", f"name: n{abs(hash(name))}"))
    done = repo.gate(PCBRULES_BOARDS=".\n", PCBRULES_PROFILE="edge", PCBRULES_OPTIONS="--allow-incomplete")
    assert done.tree is not None and not list(repo.folder.parent.rglob(MARK))
    files = {i["file"] for r in done.tree["reports"] for i in r["inputs"] if i["role"] == "board"}
    assert {"--profile=edge.yaml", "-h.yaml"} <= files


def test_no_text_of_a_board_is_a_command_of_the_runner(repo: Repo) -> None:
    repo.put("boards/a.yaml", BOARD.replace("name: tiny", "name: '::set-env name=X::y'"))
    done = repo.gate()
    log = done.log.splitlines()
    start = next(i for i, line in enumerate(log) if line.startswith("::stop-commands::"))
    token = log[start].split("::")[2]
    assert len(token) == 32 and log[-1] == f"::{token}::"
    assert not [line for line in log[:start] if line.startswith("::")]


def test_a_summary_of_any_size_fits(repo: Repo, tmp_path: Path) -> None:
    shim = repo.bin / "pcbrules"
    shim.write_text('#!/bin/bash\nfor w in "$@"; do case $w in markdown:*) yes "| a row of a table |" | head -n 90000 '
                    '>"${w#markdown:}";; esac; done\nexit 0\n', encoding="utf-8")
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate()
    assert done.code == 0 and 900_000 < len(done.summary.encode()) < 1_048_576
    assert done.summary.rstrip().endswith("the reports of the job hold all of it.**")


@pytest.mark.parametrize("given", [{"PCBRULES_PROFILE": ""}, {"PCBRULES_PROFILE": "none.yaml"},
                                   {"PCBRULES_BOARDS": "README.md/.."}, {"PCBRULES_TARGET": "-x"},
                                   {"PCBRULES_CHANGED_ONLY": "yes"}, {"PCBRULES_TARGET": "no-such"}])
def test_what_is_wrong_is_2_and_told(repo: Repo, given: dict[str, str]) -> None:
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate(**given)
    assert done.code == 2 and "# pcbrules\n\nNothing was checked." in done.summary and len(done.summary) > 60


def test_the_policy_of_the_target_holds_for_the_change(repo: Repo) -> None:
    """A change that empties the policy is judged by the old one; where the target has none, it is read as it is."""
    repo.git("switch", "-q", "main")
    repo.put("policy", "CHN001  # loss\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("policy", "")
    repo.edit("boards/a.yaml", "length: 1 in", "length: 1.1 in")
    done = repo.gate(PCBRULES_POLICY="policy")
    assert done.code == 3 and "CHN001 is required and judged nothing" in done.summary
    assert repo.gate(PCBRULES_POLICY="policy", PCBRULES_TARGET="change").code == 0, "its own policy is empty"
    assert repo.gate(PCBRULES_REQUIRE="SIG003\n").code == 0
    assert repo.gate(PCBRULES_POLICY="none").code == 2


def test_a_change_of_the_policy_is_told_and_has_the_boards_checked(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.put("policy", "SIG003\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.put("policy", "")
    done = repo.gate(PCBRULES_POLICY="policy")
    assert done.code == 0 and "nothing was checked" not in done.log
    assert "note: the change alters the policy policy: that of the target counts here too" in done.log
    assert done.summary.index("PASS") < done.summary.index("alters the policy policy") < done.summary.index("\n## ")
    repo.put("policy", "SIG003\n")
    assert "alters the policy" not in repo.gate(PCBRULES_POLICY="policy").summary


def test_a_profile_that_is_none_is_refused_whether_or_not_a_board_is_touched(repo: Repo) -> None:
    repo.put("README.md", "other text\n")
    done = repo.gate(PCBRULES_PROFILE="egde")
    assert done.code == 2 and "egde" in done.summary and "edge" in done.summary


def test_a_board_behind_a_link_is_touched_by_a_change_of_its_file(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.put("designs/a.yaml", BOARD)
    (repo.folder / "boards" / "a.yaml").unlink()
    (repo.folder / "boards" / "a.yaml").symlink_to("../designs/a.yaml")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("designs/a.yaml", *FAILING)
    assert repo.gate().code == 1


def test_where_the_last_board_is_deleted_it_is_listed(repo: Repo) -> None:
    for name in ("a", "b"):
        (repo.folder / "boards" / f"{name}.yaml").unlink()
    for boards in ("boards", ".//boards/", "boards/a.yaml\nboards/b.yaml"):
        done = repo.gate(PCBRULES_BOARDS=boards)
        assert done.code == 1 and [one["verdict"] for one in done.tree["reports"]] == ["FAIL", "FAIL"], boards
    agreed(repo, repo.gate(PCBRULES_BOARDS="boards/a.yaml"))
    done = repo.gate(PCBRULES_BOARDS="none")
    assert done.code == 2 and "There is no board file or folder: none" in done.summary


def test_the_policy_of_the_target_holds_checks(repo: Repo) -> None:
    """A limit that is relaxed, and a link that is deleted, pass with a warning; where checks are held they fail."""
    repo.edit("few.yaml", "< 10 mil", "< 20 mil")
    done = repo.gate(PCBRULES_HOLD_CHECKS="false")
    assert done.code == 0 and "PCB010" in done.summary and "baseline out/baseline.json" not in done.summary
    assert repo.gate().code == 1, "checks are held where nothing else is said"
    assert repo.gate(PCBRULES_HOLD_CHECKS="yes").code == 2
    repo.git("switch", "-q", "main")
    repo.put("policy", "hold-checks\nSIG003:links.a\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("few.yaml", "< 10 mil", "< 20 mil")
    repo.put("policy", "")
    assert repo.gate(PCBRULES_POLICY="policy", PCBRULES_HOLD_CHECKS="false").code == 1


@pytest.mark.parametrize("how", [pytest.param("deleted", marks=pytest.mark.long), "moved",
                                 pytest.param("a folder", marks=pytest.mark.long), "a device"])
def test_a_board_that_is_gone_is_no_way_around_what_is_held(repo: Repo, how: str) -> None:
    """Gone, or something else in its place: 1 where checks are held; else told, and 3 where rules are required."""
    (repo.folder / "hidden").mkdir()
    repo.git(*(("mv", "boards/a.yaml", "hidden/a.yaml") if how == "moved" else ("rm", "-q", "boards/a.yaml")))
    (repo.folder / "boards").mkdir(exist_ok=True)
    if how == "a folder":
        repo.put("boards/a.yaml/r", "nothing\n")
    elif how == "a device":
        (repo.folder / "boards" / "a.yaml").symlink_to("/dev/null")
    repo.git("add", "-A")
    agreed(repo, repo.gate())
    done = repo.gate(PCBRULES_HOLD_CHECKS="false")
    assert done.code == 0 and "boards/a.yaml is gone" in " ".join(done.log.split())
    done = repo.gate(PCBRULES_HOLD_CHECKS="false", PCBRULES_REQUIRE="SIG003:links.a")
    first = done.tree["reports"][0] if "reports" in done.tree else done.tree
    assert done.code == 3 and first["verdict"] == "INCOMPLETE"


def test_another_name_of_a_board_hides_nothing(repo: Repo) -> None:
    repo.edit("boards/a.yaml", "name: tiny", "name: fresh")
    repo.edit("few.yaml", "< 10 mil", "< 20 mil")
    done = repo.gate()
    assert done.code == 1 and "the board is called fresh now and was tiny in the baseline" in done.summary
    repo.edit("few.yaml", "< 20 mil", "< 10 mil")
    repo.edit("boards/a.yaml", *WORSE)
    assert "PCB005" in repo.gate().summary


def test_a_board_that_is_moved_and_renamed_is_compared_with_what_it_was(repo: Repo) -> None:
    repo.git("mv", "boards/a.yaml", "boards/fresh.yaml")
    repo.edit("boards/fresh.yaml", "name: tiny", "name: fresh")
    done = repo.gate()
    assert done.code == 0 and "the board is called fresh now and was tiny in the baseline" in done.summary
    assert "not checked now" not in done.log and "PCB006" not in done.summary
    repo.edit("boards/fresh.yaml", *WORSE)
    done = repo.gate()
    assert done.code == 1 and "PCB005" in done.summary


@pytest.mark.parametrize("touched", [False, True])
def test_two_boards_of_one_name_are_refused_when_the_second_comes_in(repo: Repo, touched: bool) -> None:
    repo.put("boards/c.yaml", BOARD + "# a copy\n")
    if touched:
        repo.edit("boards/a.yaml", "schema: 1", "schema: 1  # x")
    done = repo.gate()
    assert done.code == 2 and "boards/c.yaml:2:" in done.log and "found 'tiny'" in done.log
    assert "the board has the name of boards/a.yaml" in done.log and "fix: write 'tiny-2'" in done.log
    repo.edit("boards/c.yaml", "name: tiny", "name: third")
    assert repo.gate().code == 0


@pytest.mark.long
def test_what_a_change_writes_into_the_policy_is_read(repo: Repo) -> None:
    repo.git("switch", "-q", "main")
    repo.put("policy", "SIG003\n")
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    for line, code in (("hold_checks", 2), ("SIG003:links.q", 2), ("SIG003:links.a", 0)):
        repo.put("policy", f"SIG003\n{line}\n")
        assert repo.gate(PCBRULES_POLICY="policy").code == code, line


def test_a_fix_that_was_asked_for_is_a_patch_that_passes(repo: Repo) -> None:
    repo.edit("boards/a.yaml", *FAILING)
    out = repo.files / "out" / "fix.patch"
    assert repo.gate().code == 1 and not out.exists()
    assert repo.gate(PCBRULES_FIX="yes").code == 2
    assert repo.gate(PCBRULES_FIX="true").code == 1
    assert out.read_text(encoding="utf-8").startswith("--- a/boards/a.yaml\n+++ b/boards/a.yaml\n")
    repo.git("apply", str(out))
    assert repo.gate(PCBRULES_FIX="true", PCBRULES_REGRESSION="9 mil").code == 0 and not out.exists()


def test_a_fix_is_looked_for_as_the_gate_judges(repo: Repo) -> None:
    """With its level, rules and waivers; and what fails for its loss alone has no patch."""
    repo.edit("boards/a.yaml", *WORSE)
    done = repo.gate(PCBRULES_FIX="true")
    assert done.code == 1 and "boards/a.yaml: no finding fails by itself: lost margins" in done.log
    assert "nothing to fix" not in done.log and "exit code 0" not in done.log.split("FAIL:")[1]
    repo.edit("boards/a.yaml", WORSE[1], FAILING[1])
    done = repo.gate(PCBRULES_FIX="true", PCBRULES_REGRESSION="9 mil")
    assert "the gate passes with fix.patch" in done.log and "the gate passes with fix.patch" in done.summary


def test_a_fix_that_the_gate_would_hold_says_what_needs_an_acceptance(repo: Repo) -> None:
    repo.edit("boards/a.yaml", *FAILING)
    repo.edit("boards/a.yaml", "height: 90 mm", "height: 149 mm")
    done = repo.gate(PCBRULES_FIX="true")
    told = done.log.split("with fix.patch the gate ends with 1")[1]
    assert "an acceptance, or another change, is needed for:" in told and "PCB005 baseline.MEC001" in told


def test_a_fix_knows_the_level_and_the_waivers_of_the_gate(repo: Repo, tmp_path: Path) -> None:
    limits = {**LIMITS, "SIG003": LIMITS["SIG003"].replace("error", "warning")}
    repo.git("switch", "-q", "main")
    repo.put("few.yaml", ruleset(limits))
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("boards/a.yaml", *FAILING)
    done = repo.gate(PCBRULES_FIX="true", PCBRULES_FAIL_ON="warning", PCBRULES_REGRESSION="9 mil")
    assert "(errors and warnings)" in done.log and "the gate passes with fix.patch" in done.log
    entry = {"rule": "SIG003", "reason": "r", "owner": "o", "expires": str(SOON), "subject": STUB, "at_most": "30 mil"}
    away = tmp_path / "away.yaml"
    away.write_text(json.dumps({"waivers": [entry]}), encoding="utf-8")
    repo.edit("boards/a.yaml", "height: 90 mm", "height: 190 mm")
    done = repo.gate(PCBRULES_FIX="true", PCBRULES_FAIL_ON="warning", PCBRULES_REGRESSION="9 mil",
                     PCBRULES_WAIVERS=str(away))
    assert "1 finding fails (errors and warnings)" in done.log and "MEC001 board.size.long" in done.log
    done = repo.gate(PCBRULES_FIX="true", PCBRULES_FAIL_ON="warning", PCBRULES_OPTIONS="--ignore\nMEC001")
    assert "1 finding fails (errors and warnings)" in done.log and "SIG003 links.a.path.via1.bottom" in done.log


def test_a_layout_is_touched_by_its_overlay_and_missed_where_it_is_gone(repo: Repo) -> None:
    """A layout is a board where it is named; a change of its overlay alone is a change of the board."""
    overlay = "schema: 1\nlayout: design.kicad_pcb\nfabrication: {class: standard, tolerances: {width: 20 um}}\n"
    given = {"PCBRULES_BOARDS": "hw/design.kicad_pcb", "PCBRULES_PROFILE": "edge"}
    repo.git("switch", "-q", "main")
    repo.put("hw/design.kicad_pcb", (ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb").read_text("utf-8"))
    repo.put("hw/design.overlay.yaml", overlay)
    repo.commit()
    repo.git("switch", "-q", "-C", "change")
    repo.edit("hw/design.overlay.yaml", "20 um", "2 um")
    done = repo.gate(**given)
    assert done.code == 1 and "fabrication.tolerances.width 20 µm in the baseline, 2 µm now" in done.summary
    repo.git("rm", "-q", "hw/design.kicad_pcb")
    done = repo.gate(**given)
    assert done.code == 1 and "board file hw/design.kicad\\_pcb is gone" in done.summary


def test_the_policy_is_that_of_the_tip_of_the_target(repo: Repo, tmp_path: Path) -> None:
    """A change that begins before the policy does not escape it; the branch is fetched from the origin."""
    repo.edit("boards/a.yaml", "length: 1 in", "length: 1.1 in")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.put("policy", "CHN001\n")
    repo.commit()
    repo.git("switch", "-q", "change")
    clone(repo, tmp_path / "one", "--single-branch")
    repo.put("policy", "SIG003\n")
    for target in ("refs/heads/main", "main"):
        done = repo.gate(PCBRULES_TARGET=target, PCBRULES_POLICY="policy")
        assert done.code == (3 if target.startswith("refs/") else 2), target
    assert "alters the policy" in repo.gate(PCBRULES_TARGET="refs/heads/main", PCBRULES_POLICY="policy").summary
    done = repo.gate(PCBRULES_TARGET="refs/heads/none")
    assert done.code == 2 and "cannot be fetched from the origin" in done.summary


def test_a_change_that_is_meant_goes_through_as_the_gate_says(repo: Repo) -> None:
    """The entry of the log is merged first, then the change: nothing else passes with it."""
    removal = BOARD.replace(BOARD[BOARD.index("links:\n"):], "links: {}\n")
    repo.put("boards/a.yaml", removal)
    repo.git("rm", "-q", "boards/b.yaml")
    held = {"PCBRULES_WAIVERS": "waivers.yaml"}
    done = repo.gate()
    assert done.code == 1 and "If the change is meant: add this to the waiver file" in " ".join(done.log.split())
    assert "name one by PCBRULES_WAIVERS" in done.log and "name one by PCBRULES_WAIVERS" in done.summary
    blocks = (block.split("```")[0] for block in done.summary.split("```yaml\n")[1:])
    entries = "".join(block.removeprefix("acceptances:\n") for block in blocks)
    for key, value in (("reason", "reviewed"), ("owner", "jd"), ("expires", f"'{SOON}'")):
        entries = re.sub(rf"{key}: .*", f"{key}: {value}", entries)
    assert entries.count("rule: PCB006") == 2 and f"    {entries.splitlines()[1]}" in done.log

    repo.put("waivers.yaml", f"acceptances:\n{entries}")
    done = repo.gate(**held)
    assert "name one by PCBRULES_WAIVERS" not in done.log
    assert done.code == 1 and "the target branch does not have it" in done.summary, "no change accepts itself"

    repo.git("switch", "-q", "main")
    repo.git("switch", "-q", "-c", "first")
    repo.put("waivers.yaml", f"acceptances:\n{entries}")
    done = repo.gate(**held)
    assert done.code == 0 and "not needed yet" in done.summary
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "first")

    repo.git("switch", "-q", "-c", "again")
    repo.put("boards/a.yaml", removal)
    repo.git("rm", "-q", "boards/b.yaml")
    done = repo.gate(**held)
    assert done.code == 0 and "2 accepted" not in done.log and done.log.count("1 accepted") >= 2
    repo.edit("boards/a.yaml", "height: 90 mm", "height: 190 mm")
    assert repo.gate(**held).code == 1, "all else counts"
