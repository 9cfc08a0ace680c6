# SPDX-License-Identifier: MIT
"""Without a profile nothing is judged: the evidence, and the command to type. And what help and completion say."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_bench import BOARD, ROOT, Bench

from pcbrules import api
from pcbrules.rulesets.proposal import only, propose

BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
Edit = Callable[[str, str], str]


def meant(board: Path) -> str:
    """The profile that an example board says it is for."""
    return board.read_text(encoding="utf-8").split("# profile: ")[1].split()[0]


@pytest.mark.long
def test_check_proposes_a_profile_with_its_evidence_and_the_whole_command(bench: Bench) -> None:
    bench.put("mein board.yaml", BOARD)
    done = bench.run("check", "mein board.yaml", "--fail-on", "warning", "--allow-incomplete", "-o", "out.json")
    assert done.code == 2 and done.out == "" and not (bench.folder / "out.json").exists()
    assert "seems to be for edge (form factor som-carrier is one of its form factors)" in done.err
    line = done.err.splitlines()[-1].strip()
    words = shlex.split(line)
    assert words[:3] == ["pcbrules", "check", "mein board.yaml"] and words[-2:] == ["--profile", "edge"]
    assert bench.run(*words[1:]).code in (0, 1) and (bench.folder / "out.json").exists(), "the command can be typed"


def test_where_the_evidence_leaves_two_both_are_shown(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited("platform: edge-carrier, form_factor: som-carrier",
                                   "platform: sxm-module, form_factor: sxm-module"))
    done = bench.run("check", "board.yaml")
    assert done.code == 2 and "may be for datacenter-inference" in done.err and ", or for training" in done.err
    assert "check board.yaml --profile training" in done.err
    done = bench.run("lines", "board.yaml")
    assert done.code == 2 and "Choose one with --profile" in done.err and done.out == ""


def test_where_form_factor_and_platform_disagree_none_stands_out(bench: Bench, edited: Edit) -> None:
    text = edited("platform: edge-carrier", "platform: hgx-b200-baseboard")
    (bench.folder / "board.yaml").write_text(text, encoding="utf-8")
    proposals = propose(api.load("board.yaml").board)
    assert {one.profile for one in proposals} == {"training", "edge"} and only(proposals) is None
    assert "form factor som-carrier is none of its form factors (MEC002)" in bench.run("check", "board.yaml").err


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_no_example_board_is_proposed_a_wrong_profile(board: Path) -> None:
    proposals = propose(api.load(str(board)).board)
    assert meant(board) in {one.profile for one in proposals}
    best = only(proposals)
    assert best is None or best.profile == meant(board)


def test_several_boards_are_grouped_by_profile(bench: Bench) -> None:
    other = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")
    done = bench.run("check", "board.yaml", other)
    assert done.code == 2
    commands = [line.strip() for line in done.err.splitlines() if line.strip().startswith("pcbrules check")]
    assert commands == ["pcbrules check board.yaml --profile edge", f"pcbrules check {other} --profile training"]
    done = bench.run("check", str(ROOT / "boards" / "hgx-b200-baseboard.yaml"), other)
    assert done.err.splitlines()[-1].endswith("--profile training")


def test_a_faulty_board_shows_its_faults_first(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited("drill: 0.25 mm", "drill: 0.25"))
    done = bench.run("check", "board.yaml")
    assert done.code == 2 and "board.yaml:16:" in done.err and "write the unit" in done.err


def test_standard_input_has_a_proposal_too(bench: Bench) -> None:
    done = bench.run("check", "-", stdin=BOARD.encode())
    assert done.code == 2 and "pcbrules check - --profile edge" in done.err


@pytest.mark.parametrize("words", ["lines board.yaml", "channel board.yaml",
                                   "design --stackup board.yaml --layer L1 --zdiff 92ohm --gap 7mil"])
def test_commands_that_judge_nothing_take_the_only_one_and_say_so(bench: Bench, words: str) -> None:
    done = bench.run(*words.split())
    assert done.err == (
        "taking profile edge (form factor som-carrier is one of its form factors); --profile chooses another\n"
    )
    assert bench.run(*words.split(), "-p", "edge").out == done.out
    assert bench.run(*words.split(), "-p", "edge").err == ""


def test_help_of_check_lists_the_exit_codes(bench: Bench) -> None:
    text = bench.run("check", "--help").out
    assert "Exit codes:" in text and [line.split()[0] for line in text.split("Exit codes:")[1].splitlines()
                                      if line.strip()[:1].isdigit()] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(bench: Bench, shell: str) -> None:
    done = bench.process(env={"_PCBRULES_COMPLETE": f"{shell}_source"})
    assert done.code == 0 and b"_PCBRULES_COMPLETE" in done.out
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "_PCBRULES_COMPLETE=bash_source pcbrules" in page


def test_completion_finishes_commands_and_options(bench: Bench) -> None:
    def words(line: str, index: str) -> list[str]:
        env = {"_PCBRULES_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": index}
        return [text.split(",")[1] for text in bench.process(env=env).out.decode().split()]

    assert words("pcbrules ch", "1") == ["channel", "check"]
    assert "--baseline" in words("pcbrules check --b", "2")


@pytest.mark.parametrize("url", ["x", "https://h/{file}", "https://h/#L{line}", "javascript:{file}{line}",
                                 "https://h/{file}#L{line}>", "https://h/ {file}#L{line}", "https://h/{file}\n{line}"])
def test_an_address_that_makes_no_links_is_2(bench: Bench, url: str) -> None:
    done = bench.check("--source-url", url)
    assert done.code == 2 and "--source-url takes" in done.err


def test_links_to_lines(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited("residual: 4 mil", "residual: 9 mil"))
    done = bench.check("--format", "markdown", "--source-url", "https://h.example/o/r/blob/0f/{file}#L{line}")
    assert done.code == 1 and "(<https://h.example/o/r/blob/0f/board.yaml#L17>)" in done.out
