# SPDX-License-Identifier: MIT
"""`fix`: what it proposes passes a full check, is written as text and as a patch that git takes, or is refused."""

from __future__ import annotations

import re
import subprocess

import pytest
from cli_bench import BOARD, LIMITS, Bench, environment, ruleset
from fix_boards import faulty
from json_schemas import valid

from pcbrules import api
from pcbrules.errors import InputError

LIMITED = {**LIMITS, "SIG001": '{limits: {target: from standard, deviation: "<= 10 %"}, severity: error, '
           'source: S}'}
DEEP = BOARD.replace("    backdrill: {side: bottom, residual: 4 mil +- 2 mil",
                     "    # kept\n    backdrill: {side: bottom, residual: 20 mil +- 2 mil")
FIX = ("fix", "board.yaml", "-p", "few.yaml")


@pytest.fixture
def deep(bench: Bench) -> Bench:
    bench.put("board.yaml", DEEP)
    assert bench.check().code == 1
    return bench


def test_the_proposal_passes_a_full_check_and_keeps_comments(deep: Bench) -> None:
    done = deep.run(*FIX, "-o", "new.yaml", "--format", "json")
    tree = valid(done.out, "fix")
    assert done.code == 0 == tree["exit_code"] and tree["cost"] == pytest.approx(sum(
        one["cost"] for one in tree["changes"])) and tree["left"] == []
    new = (deep.folder / "new.yaml").read_text()
    assert "    # kept\n" in new and new != DEEP
    assert deep.check(board="new.yaml").code == 0
    report = api.check(api.load(deep.folder / "new.yaml"), str(deep.folder / "few.yaml"))
    told = {(one["was"]["rule"], one["was"]["subject"]): one["becomes"]["status"] for one in tree["effects"]}
    assert told and {key: status for key, status in (((one.rule, one.subject), one.status.value)
                                                     for one in report.findings) if key in told} == told
    assert [(one["key"], one["was"], one["becomes"]) for one in tree["edits"]] == [
        ("links.a.path[1].via.type", "pth", "up")]


def test_git_takes_the_patch(deep: Bench) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=deep.folder, env=environment(), check=True)
    done = deep.run(*FIX, "--patch", "fix.patch", "-o", "new.yaml")
    assert done.code == 0 and (deep.folder / "fix.patch").read_text() in done.out
    assert valid(deep.run(*FIX, "--format", "json").out, "fix")["patch"] == (deep.folder / "fix.patch").read_text()
    subprocess.run(["git", "apply", "fix.patch"], cwd=deep.folder, env=environment(), check=True)
    assert (deep.folder / "board.yaml").read_bytes() == (deep.folder / "new.yaml").read_bytes()
    assert deep.check().code == 0
    again = deep.run(*FIX)
    assert again.code == 0 and "nothing to fix" in again.out


def test_the_page_says_what_fails_what_it_costs_and_what_becomes_of_it(deep: Bench) -> None:
    done = deep.run(*FIX)
    text = " ".join(done.out.split())
    assert "tiny under profile few: 1 finding fails (errors)" in text
    assert "Cheapest changes after which nothing fails (cost 0.3): 0.3 vias of a of type up" in text
    assert "SIG003 links.a.path.via1.bottom: 22 mil fail -> " in text.replace("→", "->") and "limit" in text
    assert "+++ b/board.yaml" in done.out and done.out.rstrip().endswith("judged: exit code 0")
    page = done.out.partition("--- a/")[0]
    assert all(len(line) <= 80 for line in page.splitlines())


def test_costs_of_the_user_decide(deep: Bench) -> None:
    deep.put("costs.yaml", "via-type: 30\n")
    tree = valid(deep.run(*FIX, "--costs", "costs.yaml", "--format", "json").out, "fix")
    assert (tree["exit_code"], tree["cost"]) == (0, 0.5)
    assert [one["key"] for one in tree["edits"]] == ["via_types.pth.backdrill.residual"]
    deep.put("costs.yaml", "backdrill-depth: lots\n")
    done = deep.run(*FIX, "--costs", "costs.yaml")
    assert done.code == 2 and "costs.yaml:1:18: backdrill-depth: this is no cost; found 'lots'" in done.err


def test_it_says_what_is_in_the_way(bench: Bench) -> None:
    bench.put("board.yaml", DEEP.replace("size: {width: 90 mm", "size: {width: 30 mm"))
    done = bench.run(*FIX, "-o", "new.yaml", "--patch", "p.patch")
    text = " ".join(done.out.split())
    assert done.code == 1 and "These changes cure 1 of 2" in text
    assert "No set of changes passes: 1 finding stands in the way." in text
    assert "MEC001 board.size.short: no change of the catalogue can help it" in text
    assert not (bench.folder / "new.yaml").exists() and not (bench.folder / "p.patch").exists()
    assert bench.run(*FIX, "-o", "new.yaml", "--partial").code == 1
    left = {one.rule for one in api.check(api.load(bench.folder / "new.yaml"), str(bench.folder / "few.yaml")).findings
            if one.status.value == "fail"}
    assert left == {"MEC001"}


def test_where_the_tries_run_out_it_does_not_say_that_no_set_passes(bench: Bench) -> None:
    bench.put("board.yaml", DEEP)
    done = bench.run(*FIX, "--tries", "1")
    text = " ".join(done.out.split())
    assert done.code == 1 and "No set of changes passes" not in text
    assert re.search(r"No answer found in \d+ sets? of changes \(not proven that there is none\): 1 finding", text)


def test_warnings_count_where_asked(bench: Bench) -> None:
    bench.put("few.yaml", ruleset({**LIMITS, "SIG003": LIMITS["SIG003"].replace("error", "warning")}))
    bench.put("board.yaml", DEEP)
    assert "nothing to fix" in bench.run(*FIX).out
    done = bench.run(*FIX, "--warnings")
    assert done.code == 0 and "1 finding fails (errors and warnings)" in done.out and "+++ b/board.yaml" in done.out


@pytest.mark.long
def test_the_same_in_processes_and_again(deep: Bench) -> None:
    deep.put("few.yaml", ruleset(LIMITED))
    words = (*FIX, "--format", "json", "--tries", "12")
    alone = deep.run(*words)
    assert deep.run(*words, "-j", "2").out == alone.out == deep.run(*words).out
    assert valid(alone.out, "fix")["failing"][0]["rule"] in ("SIG001", "SIG003")


def test_files_that_exist_are_kept_and_inputs_never_replaced(deep: Bench) -> None:
    deep.put("new.yaml", "mine\n")
    done = deep.run(*FIX, "-o", "new.yaml")
    assert done.code == 2 and "'new.yaml' exists: choose another name, or add --force" in " ".join(done.err.split())
    assert (deep.folder / "new.yaml").read_text() == "mine\n"
    assert deep.run(*FIX, "-o", "new.yaml", "--force").code == 0 and (deep.folder / "new.yaml").read_text() != "mine\n"
    done = deep.run(*FIX, "-o", "board.yaml", "--force")
    assert done.code == 2 and "is an input" in done.err


def test_standard_input_has_a_patch_too(deep: Bench) -> None:
    done = deep.run("fix", "-", "-p", "few.yaml", stdin=DEEP.encode())
    assert done.code == 0 and "+++ b/" in done.out


def test_what_is_dearer_than_needed_is_advice(bench: Bench) -> None:
    done = bench.run(*FIX, "--cheaper", "--format", "json", "--patch", "p.patch", "-o", "new.yaml")
    tree = valid(done.out, "cheaper")
    assert done.code == 0 and tree["saved"] > 0 and (bench.folder / "p.patch").read_text() == tree["patch"]
    assert bench.check(board="new.yaml").code == 0
    page = bench.run(*FIX, "--cheaper")
    said = " ".join(page.out.split())
    assert page.code == 0 and "through vias pth in place of the" in said
    assert "laminate: not known, CHN001 and CHN002 judge nothing of this board" in said
    assert "laminate" in tree["not_known"]
    assert page.out.rstrip().endswith("judged: exit code 0")


def test_a_layout_has_no_board_file_to_change(bench: Bench) -> None:
    loaded = api.load(bench.folder / "board.yaml")
    bare = api.Loaded(loaded.document.unplaced("0"), loaded.board)
    for call in (api.fix, api.cheaper):
        with pytest.raises(InputError, match="a fix edits a board file, and this is none"):
            call(bare, str(bench.folder / "few.yaml"))


def test_over_spec_is_asked_and_never_decides(bench: Bench) -> None:
    plain, asked = bench.check(), bench.check("--over-spec")
    assert plain.code == asked.code == 0
    assert "over-specification not asked (--over-spec)" in " ".join(plain.out.split())
    assert "advice   OVR006  via_types.up: saves 20 % of the bare board's price" in asked.out
    assert "not asked" not in asked.out
    done = bench.run("report", "board.yaml", "-p", "few.yaml", "--over-spec", "-o", "page.html")
    assert done.code == 0 and "OVR006" in (bench.folder / "page.html").read_text(encoding="utf-8")


def test_a_width_that_cannot_be_etched_is_moved_as_far_as_it_can(bench: Bench) -> None:
    """For 100 ohm the trace is 127 um wide; where 128 um are etched it gets four fifths of the way."""
    limits = {"SIG001": '{limits: {target: "100 ohm", deviation: "<= 5 %"}, severity: error, source: S}',
              "STK009": '{limits: {width: ">= 128 um", space: ">= 50 um"}, severity: error, source: S}'}
    bench.put("board.yaml", faulty("width"))
    for least, width in (("128", "5.19 mil,"), ("50", "5 mil,")):
        bench.put("few.yaml", ruleset(limits | {"STK009": limits["STK009"].replace("128", least)}))
        tree = valid(bench.run(*FIX, "--format", "json").out, "fix")
        assert f"+    - trace: {{name: run, layer: L3, width: {width}" in tree["patch"], tree["patch"]
