# SPDX-License-Identifier: MIT
"""`check --baseline`: what is known does not count, what is new or lost does, what is gone is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from cli_bench import BOARD, LIMITS, STUB, Bench, ruleset
from json_schemas import valid

Edit = Callable[[str, str], str]
RESIDUAL = "residual: 4 mil"
SIZE = ", size: {width: 90 mm, height: 90 mm}"
LINK = BOARD[BOARD.index("  a:\n") :]
NO_LINK = BOARD.replace(f"links:\n{LINK}", "links: {}\n")


@pytest.fixture
def old(bench: Bench) -> Bench:
    """A bench with the baseline of its board, which passes with a stub of 6 mil of 10."""
    assert bench.check("-o", "old.json").code == 0
    return bench


def against(bench: Bench, *more: str, board: str = "board.yaml", file: str = "old.json") -> Any:
    """Check against the baseline; the findings of the engine by rule, and all that came out."""
    done = bench.check("--baseline", file, *more, "--format", "json", board=board)
    done.tree = valid(done.out, "report") if done.out else {}
    done.found = {f["rule"]: f for f in done.tree.get("findings", ()) if f["rule"].startswith("PCB")}
    return done


def test_the_same_board_is_0_and_says_what_was_compared(old: Bench) -> None:
    done = against(old)
    assert done.code == 0 and done.found == {}
    assert done.tree["notes"][0] == (
        "baseline old.json: 0 new, 0 known and not counted, 0 lost margin, 0 gone, 0 cured (a lost margin counts "
        "beyond the model error, where less than 20% of the limit is left)"
    )
    assert [i["file"] for i in done.tree["inputs"] if i["role"] == "baseline"] == ["old.json"]


def test_a_margin_that_is_lost_counts_although_it_passes(old: Bench, edited: Edit) -> None:
    """6 mil of 10 become 8.5: 2.5 mil of the margin are gone, and less than 20 % of the limit is left."""
    old.put("board.yaml", edited(RESIDUAL, "residual: 6.5 mil"))
    assert old.check().code == 0
    done = against(old)
    lost = done.found["PCB005"]
    assert done.code == 1 and lost["severity"] == "error" and lost["subject"] == f"baseline.SIG003.{STUB}"
    assert (lost["measured"], lost["limit_text"], lost["unit"]) == (pytest.approx(2.5), "<= 0 mil", "mil")
    assert lost["message"].startswith(
        f"SIG003 {STUB} 6 mil -> 8.5 mil, limit < 10 mil; margin 4 mil -> 1.5 mil (") and lost["where"]["line"] == 17
    assert "pcbrules explain SIG003 --board board.yaml" in lost["fix"]
    assert "--regression" not in lost["fix"], "one answer is offered: the entry of the waiver file"
    assert against(old, "--regression", "2.6 mil").code == 0
    text = " ".join(old.check("--baseline", "old.json", "-v").out.split())
    assert "✗ error PCB005" in text and "measured 2.5 mil" in text


def test_a_loss_far_from_the_limit_does_not_count(old: Bench, edited: Edit) -> None:
    """8 mil of 10 leave just 20 %; a tenth of a mil more is too near."""
    for residual, code in (("5.9 mil", 0), ("6 mil", 0), ("6.1 mil", 1)):
        old.put("board.yaml", edited(RESIDUAL, f"residual: {residual}"))
        assert against(old).code == code, residual


def test_all_losses_of_a_link_are_one_finding(old: Bench, edited: Edit) -> None:
    """Each keeps a waiver of its own: what is waived stands apart."""
    twice = edited("- via: {type: up, enter: L3, leave: L1}",
                   "- via: {type: up, enter: L3, leave: L1}\n    - via: {type: pth, enter: L1, leave: L3}\n"
                   "    - trace: {layer: L3, width: 5 mil, gap: 6 mil, length: 1 in}\n"
                   "    - via: {type: up, enter: L3, leave: L1}")
    old.put("board.yaml", twice)
    assert old.check("-o", "old.json").code == 0
    old.put("board.yaml", twice.replace(RESIDUAL, "residual: 7 mil"))
    done = against(old)
    (lost,) = [f for f in done.tree["findings"] if f["rule"] == "PCB005"]
    assert done.code == 1 and lost["subject"] == "baseline.links.a"
    assert lost["message"].startswith("SIG003 links.a.path.via1.bottom 6 mil -> 9 mil, limit < 10 mil; margin ")
    assert "links.a lost 2 margins, so also SIG003 links.a.path.via3.bottom 6 mil -> 9 mil" in lost["message"]
    assert f"baseline.SIG003.{STUB}" in lost["fix"]
    entry = f"rule: PCB005, subject: baseline.SIG003.{STUB}, at_most: 5 mil, reason: r, owner: o, expires: 2026-12-31"
    old.put("waivers.yaml", f"waivers: [{{{entry}}}]\n")
    done = against(old, "--waivers", "waivers.yaml", "--today", "2026-06-01")
    assert sorted(f["status"] for f in done.tree["findings"] if f["rule"] == "PCB005") == ["fail", "waived"]


@pytest.mark.parametrize(
    ("bounds", "code"),
    [
        (("1 mil",), 0), (("1mil",), 0), (("0.0254 mm",), 0), (("0.99 mil",), 1), (("10 %",), 0), (("9.9 %",), 1),
        (("0 mil",), 1), (("5 mil", "1 %"), 0), (("0.5 mil", "50 %"), 1), (("0.2dB", "5 %"), 1), (("0.2dB", "10%"), 0),
    ],
)
def test_the_bound_of_a_loss(old: Bench, edited: Edit, bounds: tuple[str, ...], code: int) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 5 mil"))
    words = [word for bound in bounds for word in ("--regression", bound)]
    assert against(old, *words).code == code


def test_a_loss_in_a_unit_without_a_bound_is_told_and_not_counted(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 5 mil"))
    done = against(old, "--regression", "0.2dB")
    assert done.code == 0 and done.found == {}
    assert f"not counted: 1; the largest: SIG003 {STUB}, 6 mil -> " in done.tree["notes"][1]


@pytest.mark.parametrize("bound", ["", "x", "-1 mil", "0.2", "0.2 dBm", "1 mil +- 1 mil", "1e99 dB", "٣ dB", "\x1b[1m"])
def test_a_bound_that_is_none_is_2(old: Bench, bound: str) -> None:
    done = against(old, "--regression", bound)
    if bound == "0.2":
        assert done.code == 0, "a bare number is for findings without a unit"
    else:
        assert done.code == 2 and "--regression: " in done.err and "\x1b" not in done.err and done.out == ""


def test_two_bounds_of_one_kind_are_2(old: Bench) -> None:
    done = against(old, "--regression", "1 mil", "--regression", "1 mm")
    assert done.code == 2 and "two bounds of one kind: '1 mil' and '1 mm'" in done.err
    assert against(old, "--regression", "1 %", "--regression", "2 %").code == 2


def test_a_failure_of_the_baseline_does_not_count_until_it_gets_worse(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    assert bench.check("-o", "old.json").code == 1
    done = against(bench)
    assert done.code == 0 and "1 known and not counted" in done.tree["notes"][0]
    known = next(f for f in done.tree["findings"] if f["status"] == "fail")
    assert known["baseline"] == {"known": True, "was": "fail", "text": "known: fail in the baseline"}
    text = " ".join(bench.check("--baseline", "old.json", "-v").out.split())
    assert "baseline known: fail in the baseline" in text
    assert "1 known in the baseline does not count (exit code 0)" in text
    assert "1 known in the baseline does not count: -v prints them" in bench.check("--baseline", "old.json").out
    junit = bench.check("--baseline", "old.json", "--format", "junit").out
    assert "<failure" not in junit and '<skipped type="fail"' in junit
    bench.put("board.yaml", edited(RESIDUAL, "residual: 10 mil"))
    done = against(bench)
    assert done.code == 1 and "margin −1 mil" in done.found["PCB005"]["message"].replace("-", "−")
    assert against(bench, "--regression", "1 mil").code == 0
    bench.put("board.yaml", edited(RESIDUAL, "residual: 4 mil"))
    done = against(bench)
    assert done.code == 0 and "1 cured" in done.tree["notes"][0]


def test_a_new_failure_counts_at_its_own_severity(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    done = against(old, "--regression", "50 %")
    assert done.code == 1 and done.found == {}
    failed = next(f for f in done.tree["findings"] if f["status"] == "fail")
    assert failed["baseline"] == {"known": False, "was": "pass", "text": "new: pass in the baseline"}


def test_what_is_no_longer_evaluated_is_3_and_what_never_was_is_0(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(SIZE, ""))
    done = against(old)
    assert done.code == 3 and done.found == {}
    gap = next(f for f in done.tree["findings"] if f["status"] == "not-evaluated")
    assert gap["subject"] == "board.size" and gap["baseline"]["was"] == "pass"
    assert gap["baseline"]["text"] == "new: judged in the baseline (board.size.long pass; board.size.short pass)"
    assert old.check("--allow-incomplete").code == 0
    assert against(old, "--allow-incomplete").code == 3, "what was judged may not be left open"
    assert old.check("-o", "gap.json").code == 3
    assert against(old, file="gap.json").code == 0
    old.put("board.yaml", BOARD)
    assert against(old, file="gap.json").code == 0


def test_a_failure_that_is_no_longer_evaluated_is_no_cure(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited("height: 90 mm", "height: 190 mm"))
    assert bench.check("-o", "old.json").code == 1
    bench.put("board.yaml", edited(SIZE, ""))
    assert against(bench).code == 3


def test_a_link_that_only_got_another_name_is_compared_under_it(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", BOARD.replace("  a:\n", "  b:\n"))
    done = against(old, "--hold-checks")
    assert done.code == 0 and "PCB006" not in done.found
    assert "links.a is called links.b now: it is compared under this name" in done.tree["notes"]
    assert all(f["baseline"]["text"] != "new: not in the baseline" for f in done.tree["findings"])
    for residual in ("3.9 mil", "6.5 mil"):  # what is not as it was is no rename
        old.put("board.yaml", edited(RESIDUAL, f"residual: {residual}").replace("  a:\n", "  b:\n"))
        assert "PCB006" in against(old, "--hold-checks").found, residual


def test_a_limit_that_is_eased_under_another_name_is_seen(bench: Bench) -> None:
    """A rename hides no loosening: the values of the board file go by the new name too."""
    budget = BOARD.replace("    standard: pcie3\n", "    standard: pcie3\n    budget: {loss: 4 dB, at: 4 GHz, "
                           "planes: a to b, source: s}\n")
    bench.put("board.yaml", budget)
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", budget.replace("  a:\n", "  b:\n").replace("loss: 4 dB", "loss: 9 dB"))
    found = against(bench, "--hold-checks").found
    assert "links.b.budget.loss 4 dB in the baseline, 9 dB now" in found["PCB010"]["message"]


def test_a_link_that_is_renamed_or_removed_is_told(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 3 mil").replace("  a:\n", "  a2:\n"))
    done = against(old)
    gone = done.found["PCB006"]
    assert done.code == 0 and gone["severity"] == "warning" and gone["status"] == "fail"
    assert gone["message"] == "links.a is gone, new beside it: links.a2; the baseline judged it (4 pass; SIG003)"
    assert gone["subject"] == "baseline.links.a"
    assert BOARD.splitlines()[gone["where"]["line"] - 1].startswith(("links", "  a"))
    assert against(old, "--fail-on", "warning").code == 1
    old.put("board.yaml", NO_LINK)
    assert "links.a is gone; " in against(old).found["PCB006"]["message"]


def test_a_renamed_link_that_fails_is_new(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 9 mil").replace("  a:\n", "  b:\n"))
    assert against(old).code == 1


def test_a_rule_that_is_left_out_is_told_and_nothing_of_it_is_gone(old: Bench) -> None:
    done = against(old, "--ignore", "SIG")
    assert done.code == 0 and done.found == {}
    assert "since the baseline: not checked: SIG003 (4)" in done.tree["notes"]


def change(bench: Bench, **values: object) -> None:
    """Set values of old.json, `profile__name` for nested ones."""
    tree = json.loads((bench.folder / "old.json").read_text(encoding="utf-8"))
    for name, value in values.items():
        *keys, last = name.split("__")
        node = tree
        for key in keys:
            node = node[key]
        node[last] = value
    bench.put("old.json", json.dumps(tree, indent=2))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("profile__version", "9", "another version of ruleset few; found '9'; expected '0'"),
        ("profile__name", "edge", "judged by another profile; found 'edge'; expected 'few'"),
        ("tool__version", "9.9.9", "made by another version of pcbrules; found '9.9.9'"),
        ("schema_version", 2, "another version of the report's format; found 2; expected 1"),
        ("inputs", [], "the text of ruleset few 0 has changed; found nothing"),
    ],
)
def test_what_is_not_comparable_is_refused_unless_forced(old: Bench, name: str, value: object, said: str) -> None:
    change(old, **{name: value})
    done = against(old, "-o", "out.json")
    assert done.code == 2 and said in done.err and "--force-baseline" in done.err
    rows = (old.folder / "old.json").read_text().splitlines()
    line = int(done.err.split("old.json:")[1].split(":")[0])
    assert json.dumps(value) in rows[line - 1], "the place of what differs"
    assert not (old.folder / "out.json").exists()
    done = against(old, "--force-baseline")
    assert done.code == 0
    if name != "schema_version":
        assert any(said.split(";")[0] in note and "compared all the same" in note for note in done.tree["notes"])


def test_a_ruleset_that_was_edited_under_its_version_is_another_one(old: Bench) -> None:
    old.put("few.yaml", ruleset().replace("< 10 mil", "< 20 mil"))
    done = against(old)
    assert done.code == 2 and "the text of ruleset few 0 has changed" in done.err


def test_a_relaxed_limit_hides_no_loss(old: Bench, edited: Edit) -> None:
    """Stub 6 mil of 10 before, 8.5 mil of 20 now: the margin has grown, the stub has too."""
    old.put("few.yaml", ruleset().replace("< 10 mil", "< 20 mil"))
    old.put("board.yaml", edited(RESIDUAL, "residual: 6.5 mil"))
    done = against(old, "--force-baseline")
    assert done.code == 1
    assert "6 mil -> 8.5 mil, limit < 10 mil -> < 20 mil; margin" in (
        done.found["PCB005"]["message"])
    assert "limit < 10 mil in the baseline, < 20 mil now" in done.found["PCB010"]["message"]
    old.put("few.yaml", ruleset().replace("< 10 mil", "< 7 mil"))
    old.put("board.yaml", BOARD)
    tighter = against(old, "--force-baseline")
    assert tighter.code == 0 and "PCB005" not in tighter.found, "a tighter limit takes nothing that the board has"
    assert tighter.tree["notes"][1].startswith("since the baseline: limit moved: SIG003")


def test_what_is_waived_is_held_by_its_waiver(bench: Bench, edited: Edit) -> None:
    on = ("--waivers", "waivers.yaml", "--today", "2026-06-01")
    waiver = f"{{rule: SIG003, subject: {STUB}, at_most: 12 mil, reason: r, owner: o, expires: 2026-12-31}}"
    bench.put("waivers.yaml", f"waivers: [{waiver}]\n")
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    assert bench.check(*on, "-o", "old.json").code == 0
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9.5 mil"))
    assert against(bench, *on).code == 0, "inside the waiver's bound"
    bench.put("board.yaml", edited(RESIDUAL, "residual: 10.5 mil"))
    assert against(bench, *on).code == 1, "beyond it"
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    done = against(bench)
    assert done.code == 1, "the waiver is gone"
    assert next(f for f in done.tree["findings"] if f["status"] == "fail")["baseline"]["was"] == "waived"


def test_an_acceptance_that_is_gone_counts(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(SIZE, ""))
    bench.put("waivers.yaml", "acceptances: [{rule: MEC001, reason: r, owner: o, expires: 2026-12-31}]\n")
    on = ("--waivers", "waivers.yaml", "--today", "2026-06-01")
    assert bench.check(*on, "-o", "old.json").code == 0
    assert against(bench, *on).code == 0
    assert against(bench).code == 3


def test_several_boards_and_one_baseline(old: Bench, edited: Edit) -> None:
    failing = edited(RESIDUAL, "residual: 9 mil").replace("name: tiny", "name: other")
    old.put("other.yaml", failing)
    done = old.run("check", "board.yaml", "other.yaml", "-p", "few.yaml", "-o", "both.json")
    assert done.code == 1
    words = ("check", "board.yaml", "other.yaml", "-p", "few.yaml", "--baseline")
    assert old.run(*words, "both.json").code == 0
    done = old.run(*words, "old.json")
    assert done.code == 1 and "has no report of board other: all its findings count" in " ".join(done.out.split())
    done = old.check("--baseline", "both.json")
    assert done.code == 0 and "note: in the baseline, not checked now: other" in done.err
    old.put("other.yaml", edited(RESIDUAL, "residual: 9 mil"))
    done = old.run(*words, "old.json")
    assert done.code == 2 and "other.yaml:2:" in done.err and "the board has the name of board.yaml" in done.err


def test_a_baseline_with_two_reports_of_one_board(old: Bench) -> None:
    tree = json.loads((old.folder / "old.json").read_text())
    old.put("old.json", json.dumps({"schema_version": 1, "reports": [tree, tree]}))
    done = against(old)
    assert done.code == 2 and "two reports of this board" in done.err
    moved = json.loads(json.dumps(tree).replace("board.yaml", "elsewhere.yaml"))
    old.put("old.json", json.dumps({"schema_version": 1, "reports": [moved, tree]}))
    assert against(old).code == 0, "the one of the same file"


def test_a_baseline_that_was_itself_compared(old: Bench, edited: Edit) -> None:
    """Losses and absences of an earlier comparison are no findings of the board."""
    old.put("board.yaml", edited(RESIDUAL, "residual: 6.5 mil"))
    assert against(old, "-o", "next.json").code == 1
    done = against(old, file="next.json")
    assert done.code == 0 and done.found == {}


def test_options_belong_to_a_baseline_and_no_report_replaces_it(old: Bench) -> None:
    for words in (("--regression", "1 mil"), ("--force-baseline",)):
        done = old.check(*words)
        assert done.code == 2 and "need --baseline" in done.err
    assert "is an input" in old.check("--baseline", "old.json", "-o", "./old.json").err
    assert old.check("--baseline", "").code == 2


NUL = "\0"
HOSTILE = [
    ("", "1:1", "not valid JSON"),
    ("{", "1:2", "not valid JSON"),
    ('{"a": 1,\n "b": }', "2:7", "not valid JSON: expecting value"),
    ("[]", "1:1", "no JSON report of pcbrules"),
    ("7", "1:1", "no JSON report of pcbrules"),
    ('{"version": "2.1.0", "runs": []}', "1:1", "no JSON report of pcbrules"),
    ("schema: 1\n", "1:1", "not valid JSON"),
    ("[" * 100_000, "1:1", "nested too deeply"),
    ('{"schema_version": 1}', "1:1", "must be a mapping"),
    ('{"schema_version": "1"}', "1:20", "another version of the report's format"),
    ('{"schema_version": true}', "1:20", "another version"),
    ('{"schema_version": ' + "9" * 5000 + "}", "1:20", "another version"),
    ('{"schema_version": 1, "reports": {}}', "1:34", "must be a list"),
    ('{"schema_version": 1, "reports": [\n3]}', "2:1", "must be a mapping"),
    ('{"schema_version": 1,\n"x": "\x1b[31m"}', "2:7", "control character"),
    ('{"schema_version": 1, "x": "' + NUL + '"}', "1:29", "NUL"),
]


@pytest.mark.parametrize(("text", "place", "said"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_file_that_is_no_baseline_is_2_with_its_place(old: Bench, text: str, place: str, said: str) -> None:
    old.put("old.json", text)
    done = old.check("--baseline", "old.json")
    assert done.code == 2 and f"old.json:{place}: " in done.err and said in done.err
    assert "\x1b" not in done.err and len(done.err) < 2000 and done.out == ""


BROKEN: list[tuple[str, object, str]] = [
    ("findings", {}, "findings: must be a list"),
    ("findings__0", 7, "findings[0]: must be a mapping"),
    ("findings__0__rule", None, "`rule` must be a text"),
    ("findings__0__subject", ["x"], "`subject` must be a text"),
    ("findings__0__status", "passed", "unknown word; found 'passed'"),
    ("findings__0__basis", "", "unknown word"),
    ("findings__0__unit", "furlong", "unknown unit"),
    ("findings__0__measured", "6", "must be a finite number or null"),
    ("findings__0__measured", True, "must be a finite number or null"),
    ("findings__0__lo", 10**500, "must be a finite number or null"),
    ("findings__0__hi", float("nan"), "must be a finite number or null"),
    ("findings__0__limit_high", float("inf"), "must be a finite number or null"),
    ("findings__0__waiver", 1, "must be a mapping or null"),
    ("board", 7, "`board` must be a text"),
    ("tool__name", "other", "not of pcbrules"),
    ("tool", None, "tool: must be a mapping"),
    ("profile__version", 1, "`version` must be a text"),
    ("inputs__0__sha256", 1, "`sha256` must be a text"),
]


@pytest.mark.parametrize(("name", "value", "said"), BROKEN)
def test_a_report_that_was_tampered_with_is_2_with_its_place(old: Bench, name: str, value: object, said: str) -> None:
    tree = json.loads((old.folder / "old.json").read_text())
    first = next(f for f in tree["findings"] if f["rule"] == "SIG003" and f["status"] == "pass")
    tree["findings"].remove(first)
    tree["findings"].insert(0, first)
    old.put("old.json", json.dumps(tree))
    node: Any = tree
    *keys, last = (int(key) if key.isdigit() else key for key in name.split("__"))
    for key in keys:
        node = node[key]
    node[last] = value
    old.put("old.json", json.dumps(tree, indent=1))
    done = old.check("--baseline", "old.json")
    assert done.code == 2 and said in done.err and done.out == ""
    line = int(done.err.split("old.json:")[1].split(":")[0])
    assert 1 < line <= len((old.folder / "old.json").read_text().splitlines())


@pytest.mark.parametrize("name", ["missing.json", ".", "few.yaml"])
def test_a_baseline_that_cannot_be_read_is_2(old: Bench, name: str) -> None:
    done = old.check("--baseline", name)
    assert done.code == 2 and name in done.err and done.out == ""


@pytest.mark.long
def test_no_baseline_makes_a_traceback(old: Bench, program: tuple[str, ...]) -> None:
    """As a process, where nothing catches what the command does not."""
    for text, _, _ in HOSTILE:
        old.put("old.json", text)
        assert old.process("check", "board.yaml", "-p", "few.yaml", "--baseline", "old.json", program=program).code == 2


def test_texts_of_a_baseline_stay_texts(old: Bench) -> None:
    """A baseline with hostile names: escaped on the console, no markup in Markdown."""
    tree = json.loads((old.folder / "old.json").read_text())
    extra = dict(next(f for f in tree["findings"] if f["rule"] == "SIG003"), subject="links.<b>|\u202e[x](y)\x1b[31m")
    tree["findings"].append(extra)
    old.put("old.json", json.dumps(tree))
    for form in ("console", "markdown", "sarif", "junit", "json"):
        done = old.check("--baseline", "old.json", "--format", form)
        assert done.code == 0 and "\x1b" not in done.out and "\u202e" not in done.out and "PCB006" in done.out
    assert "| `links.<b>" not in old.check("--baseline", "old.json", "--format", "markdown").out.replace("\\|", "")


def test_a_failure_that_weighs_more_than_before_counts(bench: Bench, edited: Edit) -> None:
    """The board's platform decides which entry holds: a warning then, an error now."""
    entry = ('{when: {platform: edge-module}, limits: {stub: "< 10 mil"}, severity: warning, source: S}, '
             '{limits: {stub: "< 10 mil"}, severity: error, source: S}')
    bench.put("few.yaml", ruleset({"SIG003": entry}))
    failing = edited(RESIDUAL, "residual: 9 mil")
    bench.put("board.yaml", failing.replace("edge-carrier", "edge-module"))
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", failing)
    done = against(bench)
    assert done.code == 1
    failed = next(f for f in done.tree["findings"] if f["status"] == "fail")
    assert failed["baseline"]["text"] == "new: fail of severity warning in the baseline"
    assert bench.check("-o", "next.json").code == 1
    bench.put("board.yaml", failing.replace("edge-carrier", "edge-module"))
    milder = against(bench, file="next.json")
    failed = next(f for f in milder.tree["findings"] if f["rule"] == "SIG003" and f["status"] == "fail")
    assert milder.code == 0 and failed["baseline"]["known"] and set(milder.found) == {"PCB010"}


def test_a_crash_counts_although_the_baseline_has_it(old: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(fact: object, limits: object) -> None:
        raise ZeroDivisionError("x")

    monkeypatch.setattr("pcbrules.rules.stk001_layer_count.check", broken)
    assert old.check("-o", "crashed.json").code == 3
    assert against(old).code == 3
    done = against(old, file="crashed.json")
    assert done.code == 3 and next(f for f in done.tree["findings"] if f["status"] == "crashed")["baseline"] == {
        "known": False, "was": "crashed", "text": "new: crashed in the baseline"}


def test_a_loss_that_a_review_accepts_is_waived_up_to_a_bound(old: Bench, edited: Edit) -> None:
    old.put("board.yaml", edited(RESIDUAL, "residual: 6.5 mil"))

    def checked(bound: str, *more: str) -> Any:
        entry = f"rule: PCB005, subject: baseline.SIG003.{STUB}, {bound}, reason: r, owner: o, expires: 2026-12-31"
        old.put("waivers.yaml", f"waivers: [{{{entry}}}]\n")
        return against(old, "--waivers", "waivers.yaml", "--today", "2026-06-01", *more)

    done = checked("at_most: 2.5 mil")
    assert done.code == 0 and done.found["PCB005"]["status"] == "waived"
    done = checked("at_most: 2.4 mil")
    assert done.code == 1 and "beyond the bound" in done.found["PCB002"]["message"]
    assert checked("at_least: 2.4 mil").code == 1
    done = checked("at_most: 2.5 mil", "--regression", "3 mil")
    assert done.code == 0 and "no finding has this rule and subject" in done.found["PCB002"]["message"], "unused"
    done = old.check("--waivers", "waivers.yaml", "--today", "2026-06-01", "--format", "json")
    assert done.code == 0 and "PCB002" not in done.out, "without a baseline there is nothing to waive"
    old.put("waivers.yaml", "acceptances: [{rule: PCB005, reason: r, owner: o, expires: 2026-12-31}]\n")
    assert "`subject` is missing" in old.check("--waivers", "waivers.yaml").err
    entry = f"rule: PCB005, subject: baseline.SIG003.{STUB}, change: x, board: tiny"
    old.put("waivers.yaml", f"acceptances: [{{{entry}, reason: r, owner: o, expires: 2026-12-31}}]\n")
    done = against(old, "--waivers", "waivers.yaml", "--today", "2026-06-01")
    assert done.code == 1 and "a waiver with `at_most` holds it" in done.found["PCB002"]["message"]


def test_what_does_not_apply_any_more_is_told(bench: Bench, edited: Edit) -> None:
    limit = '{limits: {stub: "< 10 mil"}, severity: error, source: S}'
    entry = "{when: {platform: edge-module}, off: no stub there}, " + limit
    bench.put("few.yaml", ruleset({"SIG003": entry, "STK001": '{limits: {layers: "4"}, severity: error, source: S}'}))
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", edited("platform: edge-carrier", "platform: edge-module"))
    done = against(bench)
    gone = [f["message"] for f in done.tree["findings"] if f["rule"] == "PCB006"]
    assert done.code == 0 and gone[0].endswith(
        " is not judged any more: no stub there; the baseline judged it (1 pass; SIG003)")
    assert against(bench, "--fail-on", "warning").code == 1


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 1), ("advice", 0)])
def test_a_loss_is_an_error_but_of_advice(bench: Bench, edited: Edit, severity: str, code: int) -> None:
    """A limit from practice is a warning at most; the bound of a loss is the user's own."""
    bench.put("few.yaml", ruleset({"SIG003": f'{{limits: {{stub: "< 10 mil"}}, severity: {severity}, source: S}}'}))
    bench.check("-o", "old.json")
    bench.put("board.yaml", edited(RESIDUAL, "residual: 5 mil"))
    assert bench.check().code == 0
    done = against(bench, "--regression", "0.5mil")
    assert done.code == code and done.found["PCB005"]["limit_text"] == "<= 0.5 mil"
    assert done.found["PCB005"]["severity"] == ("advice" if severity == "advice" else "error")


def test_a_section_that_is_gone_is_a_loss_of_sight(old: Bench) -> None:
    """Without links nothing of them is evaluated: one open finding of the rule, whatever subject it has."""
    old.put("board.yaml", BOARD[: BOARD.index("links:")])
    done = against(old, "--allow-incomplete")
    assert done.code == 3 and done.found == {}
    gap = next(f for f in done.tree["findings"] if f["rule"] == "SIG003")
    assert gap["status"] == "not-evaluated" and "links.a.path.via1.bottom pass" in gap["baseline"]["text"]


def test_what_is_accepted_is_counted_apart_and_told_once(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(SIZE, ""))
    assert "INCOMPLETE: 1 not evaluated" in bench.check().out
    entry = "rule: MEC001, reason: the case is not drawn yet, owner: o, expires: 2026-12-31"
    bench.put("waivers.yaml", f"acceptances: [{{{entry}}}]\n")
    on = ("--waivers", "waivers.yaml", "--today", "2026-06-01")
    done = bench.check(*on)
    assert done.code == 0 and "1 accepted" in done.out and "1 not evaluated" not in done.out
    assert done.out.count("the case is not drawn yet") == 1
    assert bench.check(*on, "-o", "old.json").code == 0
    assert against(bench).code == 3, "without the entry it counts again"


def test_what_was_weakened_since_the_baseline_stands_behind_the_counts(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil").replace(SIZE, ""))
    assert bench.check("-o", "old.json").code == 1
    entry = "reason: r, owner: o, expires: 2026-12-31"
    bench.put("waivers.yaml", f"waivers: [{{rule: SIG003, subject: {STUB}, at_most: 12 mil, {entry}}}]\n"
                              f"acceptances: [{{rule: MEC001, {entry}}}]\n")
    done = against(bench, "--waivers", "waivers.yaml", "--today", "2026-06-01", "--ignore", "STK")
    note = done.tree["notes"][1]
    assert done.code == 0 and note.startswith("since the baseline: ") and "not checked: STK001 (1)" in note
    assert f"waived: SIG003 {STUB}" in note and "accepted: MEC001 board.size" in note
    page = bench.check("--baseline", "old.json", "--waivers", "waivers.yaml", "--today", "2026-06-01", "--format",
                       "markdown").out
    assert page.index("**PASS") < page.index("since the baseline") < page.index("| Status |")


@pytest.mark.parametrize(("limit", "severity", "said"), [
    ("< 12 mil", "error", "limit < 10 mil in the baseline, < 12 mil now (links.a.path.via1.bottom and "),
    ("< 10 mil", "warning", "error in the baseline, warning now (links.a.path.via1.bottom and "),
    ("< 8 mil", "error", ""),
])
def test_a_check_that_is_relaxed_is_told_and_may_be_held(old: Bench, limit: str, severity: str, said: str) -> None:
    entry = '{{limits: {{stub: "{}"}}, severity: {}'
    old.put("few.yaml", ruleset().replace(entry.format("< 10 mil", "error"), entry.format(limit, severity)))
    done = against(old, "--force-baseline")
    assert done.code == 0 and ("PCB010" in done.found) is bool(said), "a tightened limit is none"
    held = against(old, "--force-baseline", "--hold-checks")
    assert held.code == (1 if said else 0)
    if said:
        assert said in done.found["PCB010"]["message"] and done.found["PCB010"]["severity"] == "warning"
        assert held.found["PCB010"]["subject"] == "baseline.SIG003"


def test_what_is_gone_may_be_held(old: Bench) -> None:
    old.put("board.yaml", NO_LINK)
    assert against(old).code == 0
    held = against(old, "--hold-checks")
    assert held.code == 1 and held.found["PCB006"]["severity"] == "error"


@pytest.mark.parametrize(("was", "now", "key"), [
    ("min_dielectric: 60 um", "min_dielectric: 40 um", "fabrication.min_dielectric"),
    ("tolerances: {dk: 4 %}", "tolerances: {dk: 2 %}", "fabrication.tolerances.dk"),
    ("ipc_class: 3", "ipc_class: 2", "fabrication.ipc_class"),
])
def test_what_the_board_file_loosens_is_told_and_may_be_held(bench: Bench, was: str, now: str, key: str) -> None:
    board = BOARD.replace("{class: standard}", f"{{class: standard, {was}}}")
    bench.put("board.yaml", board)
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", board.replace(was, now))
    assert against(bench).found["PCB010"]["severity"] == "warning"
    held = against(bench, "--hold-checks")
    assert held.code == 1 and held.found["PCB010"]["subject"] == f"baseline.{key}"
    assert held.found["PCB010"]["where"]["line"] == 3 and held.found["PCB010"]["message"].startswith(f"{key} ")
    bench.put("old.json", (bench.folder / "old.json").read_text().replace('"stated"', '"other"'))
    assert against(bench).found == {}, "an older report does not tell them"


def test_a_limit_that_the_board_file_moves_is_told_once(bench: Bench) -> None:
    """The skew that lanes may have is of the link: its value and the limit of the finding are one change."""
    bench.put("few.yaml", ruleset({"SIG007": "{limits: {skew: from standard}, severity: error, source: S}"}))
    lanes = BOARD.replace("  a:\n", "  a:\n    lanes: 4\n    lane_skew: 9 ps\n").replace(
        "length: 1 in", "length: 1 in, lane_lengths: {min: 0.99 in, max: 1 in}")
    bench.put("board.yaml", lanes)
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", lanes.replace("9 ps", "12 ps"))
    held = against(bench, "--hold-checks")
    assert held.code == 1
    assert [f["message"] for f in held.tree["findings"] if f["rule"] == "PCB010"] == [
        "links.a.lane_skew 9 ps in the baseline, 12 ps now (SIG007 limit <= 9 ps in the baseline, <= 12 ps now "
        "(links.a))"]


def test_a_waiver_that_the_baseline_lacks_covers_nothing_where_checks_are_held(bench: Bench, edited: Edit) -> None:
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    entry = f"waivers: [{{rule: SIG003, subject: {STUB}, at_most: 12 mil, reason: r, owner: o, expires: 2026-12-31}}]\n"
    bench.put("waivers.yaml", entry)
    on = ("--waivers", "waivers.yaml", "--today", "2026-06-01")
    assert against(bench, *on).code == 0
    held = against(bench, *on, "--hold-checks")
    assert held.code == 1 and held.tree["summary"]["waived"] == 0
    assert "the baseline does not have the waiver of o (r)" in next(
        f["note"] for f in held.tree["findings"] if f["subject"] == STUB)
    assert bench.check(*on, "-o", "old.json").code == 0
    assert against(bench, *on, "--hold-checks").code == 0
    bench.put("waivers.yaml", entry.replace("12 mil", "13 mil"))
    assert against(bench, *on, "--hold-checks").code == 1, "another bound is another entry"
    bench.put("held.yaml", entry.replace("12 mil", "14 mil"))
    assert against(bench, *on, "--hold-checks", "--held-waivers", "held.yaml").code == 0
    assert "--held-waivers needs --waivers" in bench.check("--held-waivers", "held.yaml").err


def test_a_board_that_is_gone_has_a_report_of_its_own(old: Bench) -> None:
    done = old.run("check", "-p", "few.yaml", "--gone", "other.yaml", "--format", "json")
    tree = valid(done.out, "report")
    assert done.code == 0 and tree["verdict"] == "PASS WITH WARNINGS" and tree["board"] == "other.yaml"
    done = old.run("check", "-p", "few.yaml", "--gone", "board.yaml", "--baseline", "old.json", "--hold-checks")
    assert done.code == 1 and "FAIL: 1 error" in done.out
    assert "board file board.yaml is gone" in " ".join(done.out.split())
    assert against(old, "--gone", "board.yaml").code == 0, "the board is checked under its name"
    done = old.run("check", "-p", "few.yaml", "--gone", "other.yaml", "--require", "SIG003")
    assert done.code == 3 and "INCOMPLETE" in done.out
    assert "Missing argument" in old.run("check", "-p", "few.yaml").err


def test_a_new_error_is_told_once_with_what_it_was(old: Bench, edited: Edit) -> None:
    """It counts by itself: no lost margin stands beside it. A new warning does not, so that one does."""
    old.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    done = against(old)
    stub = next(f for f in done.tree["findings"] if f["subject"] == STUB)
    assert done.code == 1 and "PCB005" not in done.found
    assert stub["baseline"]["text"].startswith("new: pass in the baseline; 6 mil -> 11 mil, limit < 10 mil; margin")
    old.put("few.yaml", ruleset({"SIG003": '{limits: {stub: "< 10 mil"}, severity: warning, source: S}'}))
    done = against(old, "--force-baseline")
    assert done.code == 1 and done.found["PCB005"]["severity"] == "error"


def test_what_a_ruleset_relaxes_names_the_rule_and_its_line(old: Bench) -> None:
    """Three limits of three kinds, each where the file sets it; nothing of it lies in the board file."""
    text = ruleset().replace("stub: \"< 10 mil\"", "stub: \"< 12 mil\"").replace("hot: 85 degC", "hot: 80 degC")
    old.put("few.yaml", text.replace(f"  MEC001: [{LIMITS['MEC001']}]", "  MEC001: [{off: not asked}]"))
    held = against(old, "--force-baseline", "--hold-checks")
    told = {f["subject"]: f for f in held.tree["findings"] if f["rule"].startswith("PCB")}
    lines = (old.folder / "few.yaml").read_text().splitlines()
    for subject, key, start in (
        ("baseline.SIG003", "SIG003", "SIG003: limit < 10 mil in the baseline, < 12 mil now ("),
        ("baseline.MEC001", "MEC001", "MEC001 is off: 2 subjects were judged in the baseline (2 pass), not any more: "),
        ("baseline.conditions.hot", "{cold", "conditions.hot 85 degC in the baseline, 80 degC now"),
    ):
        one = told.pop(subject)
        assert one["message"].startswith(start) and one["fix"].startswith("undo it in the ruleset; ")
        assert one["where"]["file"] == "few.yaml" and lines[one["where"]["line"] - 1].strip().startswith(key)
    assert not told and held.code == 1


def test_no_fix_speaks_of_a_baseline_that_has_to_be_made(old: Bench) -> None:
    """The gate makes its own; nobody has the file."""
    old.put("board.yaml", NO_LINK)
    fix = against(old).found["PCB006"]["fix"]
    assert fix == "put it back; if it is meant, merge an acceptance of it first, in a change of its own"


def pasted(text: str) -> str:
    """The entry that a report in Markdown offers, with what a person adds."""
    block = text.split("```yaml\n")[1].split("```")[0]
    for key, value in (("reason", "reviewed"), ("owner", "jd"), ("expires", "2026-12-31")):
        block = re.sub(rf"{key}: .*", f"{key}: {value}", block)
    return block


@pytest.mark.parametrize(("change", "rule", "other"), [
    ((f"links:\n{LINK}", "links: {}\n"), "PCB006", ("width: 90 mm", "width: 91 mm")),
    (("min_dielectric: 60 um", "min_dielectric: 40 um"), "PCB010", ("min_dielectric: 40 um", "min_dielectric: 30 um")),
    (("residual: 4 mil", "residual: 6.5 mil"), "PCB005", ("residual: 6.5 mil", "residual: 7.5 mil")),
])
def test_what_is_offered_lets_exactly_this_change_through(
    bench: Bench, change: tuple[str, str], rule: str, other: tuple[str, str]
) -> None:
    """The entry of the report, once the target has it, and nothing that goes further."""
    board = BOARD.replace("class: standard", "class: standard, min_dielectric: 60 um") if rule == "PCB010" else BOARD
    bench.put("board.yaml", board)
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", board.replace(*change))
    held = ("--baseline", "old.json", "--hold-checks")
    report = bench.check(*held, "--format", "markdown")
    assert report.code == 1 and rule in report.out
    bench.put("waivers.yaml", pasted(report.out))
    bench.put("none.yaml", "waivers: []\n")
    on = (*held, "--waivers", "waivers.yaml", "--today", "2026-06-01", "--held-waivers")
    assert bench.check(*on, "none.yaml").code == 1, "no change accepts itself"
    done = bench.check(*on, "waivers.yaml")
    assert done.code == 0 and "reviewed" in done.out
    bench.put("board.yaml", board.replace(*change).replace(*other))
    assert bench.check(*on, "waivers.yaml").code == (0 if rule == "PCB006" else 1)
    bench.put("board.yaml", board)
    early = bench.check(*on, "waivers.yaml", "--format", "json")
    (told,) = [f for f in json.loads(early.out)["findings"] if f["rule"] == "PCB002"]
    assert early.code == 0 and told["severity"] == ("warning" if rule == "PCB005" else "advice")
    if rule != "PCB005":
        bench.put("board.yaml", board.replace(*change))
        own = bench.check(*held, "--waivers", "waivers.yaml", "--today", "2026-06-01")
        assert own.code == 1, "without the entries of the target none is known to be merged"


ORDER = "class: standard, impedance_control: {tolerance: 10 %, coupon: true}"


def test_an_ordered_tolerance_is_the_one_cause_of_what_it_decides(bench: Bench) -> None:
    """Spreads that were computed become the tolerance of the order: one finding, one entry, nothing else with it."""
    board = BOARD.replace("class: standard", ORDER)
    spread = '{limits: {target: 90 ohm, spread: "<= 10 %"}, severity: warning, source: S}'
    bench.put("few.yaml", ruleset({"SIG001": spread}))
    bench.put("board.yaml", board)
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", board.replace("10 %", "3 %"))
    held = ("--baseline", "old.json", "--hold-checks")
    report = bench.check(*held, "--format", "markdown")
    assert report.code == 1 and "1 error" in report.out and "PCB005" not in report.out.split("## Coverage")[0]
    assert "(SIG001 computed in the baseline, declared now: links.a.path" in report.out
    bench.put("waivers.yaml", pasted(report.out))
    on = (*held, "--waivers", "waivers.yaml", "--today", "2026-06-01", "--held-waivers", "waivers.yaml")
    assert bench.check(*on).code == 0
    bench.put("board.yaml", board.replace("10 %", "4 %"))
    assert bench.check(*on).code == 1


def test_a_loss_without_a_number_is_accepted_as_the_report_says(bench: Bench) -> None:
    """Computed then and declared now, by itself: an acceptance of exactly that, which no waiver could bound."""
    assert bench.check("-o", "old.json").code == 0
    tree = json.loads((bench.folder / "old.json").read_text(encoding="utf-8"))
    for one in tree["findings"]:
        if (one["rule"], one["subject"]) == ("MEC001", "board.size.long"):
            one["basis"] = "computed"
    bench.put("old.json", json.dumps(tree))
    held = ("--baseline", "old.json", "--hold-checks")
    report = bench.check(*held, "--format", "markdown")
    assert report.code == 1 and "rule: PCB005" in report.out
    bench.put("waivers.yaml", "waivers: [{rule: PCB005, subject: baseline.MEC001.board.size.long, at_most: 5 %, "
                              "reason: r, owner: o, expires: 2026-12-31}]\n")
    told = bench.check(*held, "--waivers", "waivers.yaml", "--today", "2026-06-01", "-v").out
    assert "no number that a bound could hold; move the entry to `acceptances`" in " ".join(told.split())
    assert "change: its number was computed in the baseline and is declared now" in report.out.replace("'", "")
    bench.put("waivers.yaml", pasted(report.out))
    bench.put("none.yaml", "waivers: []\n")
    on = (*held, "--waivers", "waivers.yaml", "--today", "2026-06-01", "--held-waivers")
    assert bench.check(*on, "none.yaml").code == 1, "no change accepts itself"
    assert bench.check(*held, "--waivers", "waivers.yaml", "--today", "2026-06-01").code == 1
    assert bench.check(*on, "waivers.yaml").code == 0
    bench.put("waivers.yaml", pasted(report.out).replace("declared now", "not there now"))
    assert bench.check(*on, "waivers.yaml").code == 1


def test_an_entry_is_offered_for_a_warning_that_counts(bench: Bench) -> None:
    assert bench.check("-o", "old.json").code == 0
    bench.put("few.yaml", ruleset({**LIMITS, "SIG003": LIMITS["SIG003"].replace("< 10", "< 12")}))
    words = ("--baseline", "old.json", "--force-baseline")
    done = bench.check(*words, "--fail-on", "warning")
    assert done.code == 1 and "If the change is meant" in done.out and "rule: PCB010" in done.out
    assert "If the change is meant" not in bench.check(*words).out


@pytest.mark.parametrize(("limits", "hot"), [
    ({**LIMITS, "SIG003": LIMITS["SIG003"].replace("< 10", "< 12")}, "85 degC"),
    ({**LIMITS, "SIG003": LIMITS["SIG003"].replace("error", "warning")}, "85 degC"),
    ({key: text for key, text in LIMITS.items() if key != "SIG003"}, "85 degC"),
    (LIMITS, "60 degC"),
])
def test_what_a_ruleset_relaxes_is_accepted_once_for_every_board(
    bench: Bench, limits: dict[str, str], hot: str
) -> None:
    """A limit, a severity, a rule, a condition: one entry without a board, and nothing that goes further."""
    bench.put("two.yaml", BOARD.replace("name: tiny", "name: two").replace("\n  a:\n", "\n  b:\n"))
    assert bench.check("two.yaml", "-o", "old.json").code == 0
    bench.put("few.yaml", ruleset(limits).replace("hot: 85 degC", f"hot: {hot}"))
    held = ("two.yaml", "--baseline", "old.json", "--hold-checks", "--force-baseline")
    report = bench.check(*held, "--format", "markdown")
    entries = [block.split("```")[0] for block in report.out.split("```yaml\n")[1:]]
    assert report.code == 1 and len(entries) == 2 and len(set(entries)) == 1 and "board:" not in entries[0]
    bench.put("waivers.yaml", pasted(report.out))
    on = (*held, "--waivers", "waivers.yaml", "--today", "2026-06-01", "--held-waivers", "waivers.yaml")
    assert bench.check(*on).code == 0
    bench.put("few.yaml", ruleset({**limits, "MEC001": LIMITS["MEC001"].replace("150", "160")}))
    assert bench.check(*on).code == 1


@pytest.mark.parametrize(("entry", "said"), [
    ("rule: PCB006, subject: baseline.links.a", "`board` is missing"),
    ("rule: PCB010, subject: baseline.links.a.budget.loss, change: y", "`board` is missing"),
    ("rule: PCB006, board: tiny", "`subject` is missing"),
    ("rule: PCB010, subject: baseline.x, board: tiny", "`change` is missing"),
    ("rule: PCB005, subject: baseline.x, board: tiny", "`change` is missing"),
    ("rule: PCB006, subject: baseline.x, board: tiny, change: y", "only an acceptance of PCB010 or PCB005 has"),
    ("rule: MEC001, change: y", "only an acceptance of PCB010 or PCB005 has"),
])
def test_an_acceptance_of_a_change_names_exactly_that(old: Bench, entry: str, said: str) -> None:
    old.put("waivers.yaml", f"acceptances: [{{{entry}, reason: r, owner: o, expires: 2026-12-31}}]\n")
    done = old.check("--waivers", "waivers.yaml")
    assert done.code == 2 and said in done.err
    old.put("waivers.yaml", "waivers: [{rule: PCB006, subject: baseline.x, at_most: 1, reason: r, owner: o, "
                            "expires: 2026-12-31}]\n")
    assert "move the entry to `acceptances`" in old.check("--waivers", "waivers.yaml").err


def test_a_board_that_was_meant_to_go_is_accepted(old: Bench) -> None:
    words = ("check", "-p", "few.yaml", "--gone", "board.yaml", "--baseline", "old.json", "--hold-checks")
    report = old.run(*words, "--format", "markdown")
    old.put("waivers.yaml", pasted(report.out))
    old.put("none.yaml", "waivers: []\n")
    on = (*words, "--waivers", "waivers.yaml", "--today", "2026-06-01")
    assert old.run(*on, "--held-waivers", "waivers.yaml").code == 0
    assert old.run(*on, "--held-waivers", "none.yaml").code == 1 and old.run(*on).code == 1
    old.put("waivers.yaml", pasted(report.out).replace("board: tiny", "board: other"))
    assert old.run(*on, "--held-waivers", "waivers.yaml").code == 1


def test_a_new_warning_and_the_margin_that_it_lost_are_one_cause(bench: Bench, edited: Edit) -> None:
    bench.put("few.yaml", ruleset({"SIG003": '{limits: {stub: "< 10 mil"}, severity: warning, source: S}'}))
    assert bench.check("-o", "old.json").code == 0
    bench.put("board.yaml", edited(RESIDUAL, "residual: 9 mil"))
    done = bench.check("--baseline", "old.json")
    assert done.code == 1 and "warning  SIG003" not in done.out and "the 1 more: 1 warning SIG003" in done.out
    assert "; also " not in done.out.split("coverage:")[0], "the loss and the warning are of one link"
    cause = done.out.split("error    PCB005")[1].split("In full")[0]
    assert "6 mil → 11 mil" in cause and "fix: undo what costs it" in " ".join(cause.split())
    fix = against(bench).found["PCB005"]["fix"]
    assert "SIG003 alone is met again if you set `via_types.pth.backdrill.residual:" in fix, "and the loss stays"
