# SPDX-License-Identifier: MIT
"""The exit code: 2 wrong input, 1 failed, 3 not evaluated, 0 else; and nothing passes that was not checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from cli_bench import BOARD, STUB, Bench, ruleset

Edit = Callable[[str, str], str]
LONG_STUB = ("residual: 4 mil", "residual: 9 mil")
NO_DRILL = ("    backdrill: {side: bottom, residual: 4 mil +- 2 mil, must_not_cut: L3, datum: target-layer}\n", "")
THIRD = (", size: {width: 90 mm, height: 90 mm}", "")


def statuses(text: str) -> dict[tuple[str, str], str]:
    """Status by rule and subject of a JSON report, without what does not apply."""
    return {
        (f["rule"], f["subject"]): f["status"]
        for f in json.loads(text)["findings"]
        if f["status"] != "not-applicable"
    }


def test_all_pass_is_0(bench: Bench) -> None:
    done = bench.check()
    assert (done.code, done.err) == (0, "")
    assert "3 rules judged (all checks of 3 pass)" in done.out and "SIG003 (4), STK001" in bench.check("-v").out
    assert done.out.endswith("\nPASS: 7 pass (exit code 0)\n")


def test_a_failure_is_1_and_names_line_value_limit_and_cure(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*LONG_STUB))
    done = bench.check("-v")
    assert done.code == 1
    for words in (f"SIG003  {STUB}", "board.yaml:17:", "11 mil", "< 10 mil", "re-checked: passes"):
        assert words in done.out
    line = int(re.findall(r"board\.yaml:(\d+):", done.out)[0])
    assert "backdrill" in BOARD.splitlines()[line - 1]


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("advice", 1)])
def test_fail_on_sets_the_severity_that_counts(bench: Bench, level: str, code: int) -> None:
    bench.put("few.yaml", ruleset({"STK001": '{limits: {layers: "6 .. 8"}, severity: warning, source: S}'}))
    assert bench.check("--fail-on", level).code == code


def test_what_was_not_evaluated_is_3_until_it_is_allowed(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*THIRD))
    assert bench.check().code == 3
    done = bench.check("--allow-incomplete")
    assert done.code == 0 and "--allow-incomplete" in done.out


def test_a_gap_below_the_severity_that_counts_is_0(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*THIRD))
    mild = '{limits: {short: "50 mm .. 150 mm", long: "50 mm .. 150 mm"}, severity: advice, source: S}'
    bench.put("few.yaml", ruleset({"STK001": '{limits: {layers: "4"}, severity: error, source: S}', "MEC001": mild}))
    assert bench.check().code == 0
    assert bench.check("--fail-on", "advice").code == 3


def test_a_failure_outweighs_a_gap(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*LONG_STUB).replace(*THIRD))
    assert bench.check().code == 1
    assert bench.check("--allow-incomplete").code == 1


def test_where_nothing_at_all_was_judged_nothing_can_be_allowed(bench: Bench) -> None:
    bench.put("board.yaml", "\n".join(BOARD.splitlines()[:2]).replace(*THIRD) + "\n")
    acceptances = "\n".join(
        f"- {{rule: {rule}, reason: r, owner: o, expires: 2026-12-31}}" for rule in ("STK001", "SIG003", "MEC001")
    )
    bench.put("waivers.yaml", f"acceptances:\n{acceptances}\n")
    assert bench.check("--allow-incomplete").code == 3
    assert bench.check("--waivers", "waivers.yaml", "--today", "2026-06-01").code == 3


def test_a_profile_without_an_applicable_rule_is_2(bench: Bench) -> None:
    bench.put("few.yaml", ruleset({}))
    done = bench.check()
    assert done.code == 2 and "no rule of profile few applies" in done.err


def test_a_limit_that_judges_nothing_of_a_fact_is_no_pass(bench: Bench) -> None:
    bench.put("few.yaml", ruleset({"MEC001": '{limits: {short: "50 mm .. 150 mm"}, severity: error, source: S}'}))
    done = bench.check("--format", "json")
    assert done.code == 3
    found = statuses(done.out)
    assert found == {("MEC001", "board.size.short"): "pass", ("MEC001", "board.size.long"): "not-evaluated"}


@pytest.mark.parametrize(
    ("boards", "code"),
    [
        (("good", "gap"), 3), (("gap", "long"), 1), (("long", "good"), 1), (("good", "good"), 0),
        (("bad", "long"), 2), (("gap", "bad"), 2), (("long", "absent"), 2),
    ],
)
def test_with_several_boards_the_worst_counts(bench: Bench, edited: Edit, boards: tuple[str, ...], code: int) -> None:
    bench.put("good.yaml", BOARD)
    bench.put("gap.yaml", edited(*THIRD))
    bench.put("long.yaml", edited(*LONG_STUB))
    bench.put("bad.yaml", edited("drill: 0.25 mm", "drill: 0.25"))
    names = [f"{name}.yaml" for name in boards]
    done = bench.run("check", *names, "-p", "few.yaml", "-o", "out.json")
    assert done.code == code
    assert (bench.folder / "out.json").exists() == (code != 2)
    if code == 2:
        assert done.out == "" and "1 of 2 boards could not be judged" in done.err
        assert "no report was written" in done.err


def test_select_and_ignore(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*LONG_STUB))
    assert bench.check("--ignore", "SIG").code == 0
    done = bench.check("--select", "stk", "--select", "MEC001", "--format", "json")
    assert done.code == 0
    assert {rule for rule, _ in statuses(done.out)} == {"STK001", "MEC001"}
    tree = json.loads(done.out)
    assert {"rule": "SIG003", "findings": 0, "causes": ["left out by --select or --ignore"]} in (
        tree["coverage"]["switched_off"]), "a report says what it leaves out"


@pytest.mark.parametrize("args", [("--select", "SGI"), ("--ignore", ""), ("--select", ""), ("--ignore", "\x1b[31m")])
def test_a_selection_that_names_no_rule_is_2(bench: Bench, args: tuple[str, str]) -> None:
    done = bench.check(*args)
    assert done.code == 2 and "no rule begins so" in done.err and "\x1b" not in done.err


def test_a_selection_that_leaves_no_rule_is_2(bench: Bench) -> None:
    assert "no rule is left" in bench.check("--select", "SIG", "--ignore", "S").err


def test_require_computed_turns_declared_passes_into_gaps(bench: Bench) -> None:
    assert statuses(bench.check("--format", "json").out)["MEC001", "board.size.short"] == "pass"
    done = bench.check("--require-computed", "--format", "json")
    assert done.code == 3
    found = statuses(done.out)
    assert found["MEC001", "board.size.short"] == "not-evaluated" and found["SIG003", STUB] == "pass"


def test_public_provenance_leaves_out_the_rest_and_says_so(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*LONG_STUB))
    standard = "{provenance: standard, text: a standard}"
    some: dict[str, str] = {
        "SIG003": '{limits: {stub: "< 10 mil"}, severity: error, source: S}',
        "STK001": f'{{limits: {{layers: "4"}}, severity: error, source: {standard}}}',
    }
    bench.put("few.yaml", ruleset(some))
    assert bench.check().code == 1
    done = bench.check("--require-provenance", "public", "--format", "json")
    assert done.code == 0 and statuses(done.out) == {("STK001", "stackup"): "pass"}
    assert "left out, no public source: SIG003 stub (guide)" in json.loads(done.out)["notes"]
    bench.put("few.yaml", ruleset({"SIG003": some["SIG003"]}))
    assert bench.check("--require-provenance", "public").code == 2, "what judges nothing is no gate"


def test_limits_of_a_class_of_source_may_be_lowered_and_the_verdict_says_so(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(*LONG_STUB))
    assert bench.check("--select", "SIG003").code == 1
    done = bench.check("--select", "SIG003", "--limit-source", "guide=warning")
    said = " ".join(done.out.split())
    assert done.code == 0 and "limits of class guide count as warning at most (exit code 0)" in said
    assert bench.check("--select", "SIG003", "--limit-source", "guide=warning", "--fail-on", "warning").code == 1
    assert bench.check("--select", "SIG003", "--limit-source", "derived=advice").code == 1, "another class stays"
    found = json.loads(bench.check("--limit-source", "guide=error", "--format", "json").out)
    assert {f["severity"] for f in found["findings"] if f["rule"] == "STK001"} == {"warning"}, "nothing is raised"
    assert "limits of class guide count as error at most (--limit-source)" in found["notes"]


@pytest.mark.parametrize("text", ["guide", "guides=warning", "guide=harmless", "=warning", ""])
def test_a_wrong_class_or_severity_is_2(bench: Bench, text: str) -> None:
    done = bench.check("--limit-source", text)
    assert done.code == 2 and "CLASS=SEVERITY (guide=warning)" in done.err and "vendor-guide" in done.err


def test_a_public_limit_after_one_without_public_source_is_still_judged(bench: Bench) -> None:
    text = (
        '{limits: {short: "50 mm .. 150 mm"}, severity: error, source: S}, '
        '{limits: {long: "10 mm .. 20 mm"}, severity: error, source: {provenance: datasheet, text: d}}'
    )
    bench.put("few.yaml", ruleset({"MEC001": text}))
    done = bench.check("--require-provenance", "public", "--format", "json")
    assert done.code == 1 and statuses(done.out)["MEC001", "board.size.long"] == "fail"


def test_profiles(bench: Bench) -> None:
    done = bench.run("check", "board.yaml", "-p", "trainning")
    assert done.code == 2 and "write 'training'" in done.err
    done = bench.run("check", "board.yaml")
    assert done.code == 2 and "edge" in done.err
    assert bench.run("check", "board.yaml", "-p", "").code == 2
    assert "abstract" in bench.run("check", "board.yaml", "-p", "common").err
    assert "no such file" in bench.run("check", "board.yaml", "-p", "none.yaml").err


def test_a_ruleset_path_is_relative_to_here_and_extends_to_its_own_folder(bench: Bench) -> None:
    bench.put("rules/base.yaml", ruleset())
    own = "ruleset: own\ntitle: t\nextends: base.yaml\nsources: {T: {provenance: guide, text: t}}\n"
    bench.put("rules/own.yaml", own + 'rules: {STK001: [{limits: {layers: "9"}, severity: error, source: T}]}\n')
    done = bench.run("check", "board.yaml", "-p", "rules/own.yaml", "--format", "json")
    assert done.code == 1 and statuses(done.out)["STK001", "stackup"] == "fail"
    inputs: list[dict[str, Any]] = json.loads(done.out)["inputs"]
    assert [i["file"] for i in inputs] == ["board.yaml", "rules/own.yaml", "rules/base.yaml"]


@pytest.mark.parametrize("text", ["own.yaml", "./own.yaml", "../rules/own.yaml", "link.yaml"])
def test_a_ruleset_may_not_extend_itself(bench: Bench, text: str) -> None:
    bench.put("rules/own.yaml", f"ruleset: own\ntitle: t\nextends: {text}\n")
    (bench.folder / "rules" / "link.yaml").symlink_to("own.yaml")
    done = bench.run("check", "board.yaml", "-p", "rules/own.yaml")
    assert done.code == 2 and "extends itself" in done.err and "own.yaml:3:10" in done.err


def test_a_long_chain_of_rulesets_ends(bench: Bench) -> None:
    for i in range(20):
        bench.put(f"r{i}.yaml", f"ruleset: r\ntitle: t\nextends: r{i + 1}.yaml\n")
    assert "more than 10 rulesets" in bench.run("check", "board.yaml", "-p", "r0.yaml").err


def test_the_profile_gives_the_fabrication_class_where_the_board_names_none(bench: Bench, edited: Edit) -> None:
    """The depth tolerance of the backdrill is the class's where the board gives none."""

    def stub() -> float:
        found = json.loads(bench.check("--format", "json").out)["findings"]
        return float(next(f["measured"] for f in found if f["subject"] == STUB))

    text = edited("residual: 4 mil +- 2 mil", "residual: 4 mil")
    bench.put("board.yaml", text)
    standard = stub()
    bench.put("few.yaml", ruleset().replace("load_step: 50 %", "load_step: 50 %, fabrication_class: advanced"))
    assert stub() == standard, "the board's own class comes first"
    bench.put("board.yaml", text.replace("fabrication: {class: standard}\n", ""))
    assert stub() < standard
    bench.put("few.yaml", ruleset())
    assert stub() == standard


@pytest.mark.parametrize(("own", "printed"), [
    ("fabrication: {class: standard}\n", "standard (the board's; the profile's is advanced)"), ("", "advanced"),
])
def test_the_head_prints_the_fabrication_class_that_is_judged(
    bench: Bench, edited: Edit, own: str, printed: str
) -> None:
    bench.put("board.yaml", edited("fabrication: {class: standard}\n", own))
    bench.put("few.yaml", ruleset().replace("load_step: 50 %", "load_step: 50 %, fabrication_class: advanced"))
    assert json.loads(bench.check("--format", "json").out)["conditions"]["fabrication_class"] == printed


def test_where_no_report_was_asked_for_none_is_missed(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited("drill: 0.25 mm", "drill: 0.25"))
    assert "written" not in bench.check().err and "could not be judged" not in bench.check().err
    assert bench.check("-o", "r.json").err.endswith("no report was written\n")


def test_what_is_left_out_is_told_once(bench: Bench) -> None:
    """The coverage counts it and names some; a list of fifty names is not read."""
    said = " ".join(bench.check("--select", "STK001").out.split())
    (line,) = re.findall(r"[0-9]+ left out by --select or --ignore: CHN001, .*? and [0-9]+ more", said)
    assert said.count("left out") == 1 and line.count(",") == 11 and "0 switched off" in said
    assert "left out" not in str(json.loads(bench.check("--select", "STK001", "--format", "json").out)["notes"])
    assert "1 left out by --select or --ignore: STK001" in " ".join(bench.check("--ignore", "STK001").out.split())
    full = " ".join(bench.check("--ignore", "STK001", "-v").out.split())
    assert full.count("left out by --select or --ignore: STK001") == 1
