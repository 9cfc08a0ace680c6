# SPDX-License-Identifier: MIT
"""The terminal report as it is without options: at most three lines a cause, the verdict last."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from report_samples import all_samples, everything, finding, report, stub

from pcbrules import api, reports
from pcbrules.reports._text import columns
from pcbrules.results.finding import Change, Plan, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.results.report import Report

SAMPLES = all_samples()
ROOT = Path(__file__).resolve().parents[2]


def short(*items: object, **options: Any) -> str:
    return reports.text("console", items, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("width", [20, 64, 80, 160])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_too_wide(sample: str, width: int, ascii_only: bool) -> None:
    text = reports.text("console", SAMPLES[sample], width=width, ascii_only=ascii_only, passes=True)
    assert max(columns(line) for line in text.split("\n")) <= max(width, 64)
    assert not [line for line in text.split("\n") if line != line.rstrip()]
    assert not ascii_only or text.isascii()


def test_a_cause_has_three_lines() -> None:
    found = [finding(subject=f"links.n{i}.via", measured=stub(13 - i, 9, 20), fix="drill to L15") for i in range(3)]
    lines = short(report(*found, exit_code=1), width=100).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("error"))
    assert lines[start : start + 4] == [
        "error    SIG003  links.n0.via and 2 more: 13.0 mil (9.0 … 20.0), limit < 10 mil",
        "    boards/x.yaml:41:7  Residual via stub after backdrill; also n1, n2",
        "    fix: drill to L15",
        "",
    ]


def test_no_name_is_cut_in_the_line_of_a_cause() -> None:
    found = [finding(subject=f"links.name_{i}.via", title="t") for i in range(30)]
    lines = short(report(*found, exit_code=1)).splitlines()
    also = next(line for line in lines if "; also " in line)
    assert also.endswith("  t; also name_1, name_10 and 27 more"), "the worst after the first, by name"


def test_the_interval_gives_way_to_the_limit() -> None:
    one = report(finding(subject="links." + "n" * 36, measured=stub(11, 9, 14)))
    assert "11.0 mil, limit < 10 mil" in short(one, width=90) and "(9.0 … 14.0)" in short(one, width=120)


@pytest.mark.parametrize(("counts", "value", "limit"), [
    ("quarter wavelengths", "1.1", "≤ 1 quarter wavelength"), ("× Nyquist", "1.1", "≤ 1 × Nyquist"),
])
def test_what_both_numbers_count_is_said_once_where_room_is_short(counts: str, value: str, limit: str) -> None:
    measured = Measured(value=1.1, lo=1.1, hi=1.1, model="solver")
    one = report(finding(subject="links." + "n" * 22, measured=measured, limit=Limit(None, 1.0, "", "<= 1",
                                                                                    counts=counts)))
    assert f": {value} {counts}, limit {limit}" in short(one, width=120)
    assert f": {value}, limit {limit}" in short(one, width=80)


@pytest.mark.parametrize("other", [
    {"rule": "SIG004"}, {"severity": Severity.WARNING}, {"status": Status.MARGINAL},
    {"limit": Limit(None, 20e-6, "mil", "< 0.8 mil")}])
def test_one_cause_is_one_rule_status_severity_and_limit(other: dict[str, Any]) -> None:
    one = finding(subject="links.a")
    text = short(report(one, replace(one, subject="links.b", **other)))
    assert "links.a: " in text and "links.b: " in text and "more" not in text
    assert "and 1 more" in short(report(one, replace(one, subject="links.b")))


def test_order_of_causes() -> None:
    kinds = [(Status.WAIVED, Severity.ERROR), (Status.NOT_EVALUATED, Severity.ERROR), (Status.FAIL, Severity.ADVICE),
             (Status.MARGINAL, Severity.ERROR), (Status.FAIL, Severity.WARNING), (Status.FAIL, Severity.ERROR)]
    text = short(report(*(finding(status, severity=severity) for status, severity in kinds), exit_code=1))
    leads = [line.split("SIG003")[0].strip() for line in text.splitlines() if "SIG003  " in line]
    assert leads == ["error", "warning", "advice", "marginal", "not evaluated", "waived"]


def test_what_is_not_evaluated_says_why() -> None:
    one = finding(Status.NOT_EVALUATED, message="the antipad is not declared", fix="give `antipad`")
    two = "not evaluated SIG003  links.nvl0.path.via2.stub_bottom\n    the antipad is not declared\n"
    assert two in short(report(one))
    wide = "not evaluated SIG003  links.nvl0.path.via2.stub_bottom: the antipad is not declared\n    boards"
    assert wide in short(report(one), width=120)


def test_what_does_not_fit_the_line_stands_below_it_in_full() -> None:
    """A message or a limit that is cut says nothing."""
    message = "the limit of cost_via is <= 0.9 dB in the baseline and <= 1.5 dB now, so 4 findings are judged weaker"
    text = short(report(finding(rule="PCB010", measured=None, limit=None, message=message)))
    assert message.replace("<=", "≤") in " ".join(text.split()) and "…" not in text
    one = finding(subject="links." + "n" * 52, measured=stub(11, 9, 14))
    lines = short(report(one)).splitlines()
    start = lines.index("error    SIG003  links." + "n" * 52)
    assert lines[start + 1] == "    11.0 mil (9.0 … 14.0), limit < 10 mil"


@pytest.mark.parametrize(("statuses", "says"), [
    ((Status.MARGINAL,), "PASS WITH WARNINGS: 1 marginal, 0 pass; marginal checks do not count as fails (exit"),
    ((Status.MARGINAL, Status.NOT_EVALUATED), "pass; checks not evaluated and marginal checks do not count as fails "),
    ((Status.FAIL, Status.MARGINAL), "PASS WITH WARNINGS: 1 warning, 1 marginal, 0 pass (exit code 0)"),
    ((Status.PASS,), "PASS: 1 pass (exit code 0)"),
])
def test_the_counts_explain_the_word(statuses: tuple[Status, ...], says: str) -> None:
    found = [finding(status, severity=Severity.WARNING) for status in statuses]
    assert says in short(report(*found), width=200)


def test_what_the_baseline_knows_is_a_count() -> None:
    old = replace(finding(subject="links.old"), change=Change(True, Status.FAIL, "known: fail in the baseline"))
    text = short(report(old, finding(subject="links.new"), exit_code=1))
    assert "links.old" not in text and "1 known in the baseline does not count: -v prints them" in text


def test_passes_on_request() -> None:
    passed = finding(Status.PASS, subject="links.good", measured=stub(4, 3, 5))
    assert "links.good" not in short(report(passed))
    assert "pass     SIG003  links.good: 4.00 mil (3.00 … 5.00), limit < 10 mil, margin 6.00 mil" in short(
        report(passed), passes=True, width=120)
    long = replace(passed, subject="links." + "n" * 50)
    lines = short(report(long), passes=True).splitlines()
    start = lines.index("pass     SIG003  links." + "n" * 50)
    assert lines[start + 1] == "    4.00 mil (3.00 … 5.00), limit < 10 mil, margin 6.00 mil", "no margin is cut"


def test_colour_goes_with_the_severity() -> None:
    made = report(finding(), finding(severity=Severity.WARNING, subject="b"), finding(severity=Severity.ADVICE))
    coloured = short(made, colour=True)
    for code, word in (("1;31", "error"), ("1;33", "warning"), ("36", "advice")):
        assert f"\x1b[{code}m{word}" in coloured
    assert re.sub(r"\x1b\[[0-9;]+m", "", coloured) == short(made)


def test_the_verdict_is_last() -> None:
    assert short(everything(), width=160).splitlines()[-1].startswith("FAIL: ")
    both = reports.text("console", SAMPLES["two boards"], width=160).splitlines()[-2:]
    assert [line.split(":")[1].strip() for line in both] == ["FAIL", "PASS"]


def test_what_lacks_the_same_input_is_one_cause_whatever_it_says() -> None:
    found = [finding(Status.NOT_EVALUATED, rule=f"SIG00{i}", subject=f"links.l{i}", message=f"{i} lacks it " * 30,
                     fix=fix, measured=None) for i, fix in ((5, "give `a.b`"), (6, "give `a.b`"), (7, "give `a.c`"))]
    text = short(report(*found, exit_code=3))
    assert text.count("not evaluated SIG") == 2 and "links.l5 and 1 more" in text and "also SIG006, l6" in text
    start = text.splitlines().index("not evaluated SIG005  links.l5 and 1 more")
    assert text.splitlines()[start + 1].startswith("    boards/"), "the fix names the input: it says why"
    assert text.splitlines()[start + 2] == "    fix: give `a.b`"


@pytest.mark.parametrize(("section", "said"), [
    ("links", "2 more links lack it too"), ("rails", "2 more rails lack it too"), ("stackup", "")])
def test_the_same_input_of_several_links_is_one_cause(section: str, said: str) -> None:
    """Which of them lack it is in the report in full; another key is another cause."""
    names = ("a", "b", "c")
    found = [finding(Status.NOT_EVALUATED, rule="SIG005", subject=f"{section}.{name}", message=f"{name} has none",
                     fix=f"give `{section}.{name}.path[{at}].connector.loss`", measured=None)
             for at, name in enumerate(names)]
    found.append(replace(found[0], subject=f"{section}.d", message="no bound",
                         fix=f"give `{section}.d.path[0].connector.bound`"))
    text = " ".join(short(report(*found, exit_code=3)).split())
    assert text.count("not evaluated SIG005") == (2 if said else 4) and said in text
    assert f"give `{section}.a.path[0].connector.loss`" in text
    two = " ".join(short(report(*found[:2], exit_code=3)).split())
    assert ("1 more " in two and " lacks it too" in two) is bool(said)


def test_a_cause_of_several_rules_is_counted_as_the_verdict_counts_it() -> None:
    plan = Plan("via_types.fast", (), "", (), (), ())
    kinds = [(Status.FAIL, "CHN007"), (Status.FAIL, "CHN007"), (Status.FAIL, "CHN004"), (Status.MARGINAL, "CHN004")]
    found = [finding(status, rule=rule, subject=f"links.l{i}", severity=Severity.WARNING, plan=plan)
             for i, (status, rule) in enumerate(kinds)]
    text = short(report(*found))
    assert "CHN004  links.l2 and 3 more" in text
    assert "    the 3 more: 2 warnings CHN007, 1 marginal CHN004\n" in text
    assert "3 warnings, 1 marginal" in text.splitlines()[-1]
    assert "the 1 more" not in short(report(*found[:2]))


def test_rules_that_lack_the_same_input_are_one_cause() -> None:
    found = [finding(Status.NOT_EVALUATED, rule=rule, subject="links", message="no `links` are declared",
                     fix="give `links`", limit=None) for rule in ("SIG001", "CHN001", "CHN003")]
    text = short(report(*found, exit_code=3))
    assert text.count("no `links` are declared") == 1 and "links and 2 more: no `links`" in text
    assert "; also " in text and text.count("fix: give `links`") == 1


BOARDS = ("boards/jetson-orin-carrier.yaml", "boards/hgx-h100-baseboard.yaml", "boards/faults/edge-faults.yaml",
          "boards/faults/training-faults.yaml", "boards/sxm-accelerator-module.yaml")


@pytest.mark.parametrize("file", [pytest.param(one, marks=[pytest.mark.long] if place else [])
                                  for place, one in enumerate(BOARDS)])
@pytest.mark.parametrize("width", [80, 160])
def test_a_cause_is_three_lines_and_nothing_is_cut(file: str, width: int) -> None:
    lines = reports.text("console", (checked(file),), width=width).partition("\ncoverage: ")[0].splitlines()[2:]
    blocks: list[list[str]] = []
    counted = False
    for line in lines:
        counted = bool(re.match("    the [0-9]+ more: ", line)) or (counted and line.startswith("      "))
        if counted:
            continue
        if line.startswith("    "):
            blocks[-1].append(line)
        elif line:
            blocks.append([line])
    room = [4 if re.search(r"more \w+ lacks? it too", " ".join(" ".join(one).split())) else 3 for one in blocks]
    assert blocks and all(len(one) <= most for one, most in zip(blocks, room, strict=True))
    assert max(map(columns, lines)) <= width
    text = "\n".join(lines)
    assert "…\n" not in text and "in full: -v" not in text and text.count("`") % 2 == 0
    assert text.count("fix: ") + text.count("no fix found: ") >= len(blocks) - 3


@cache
def checked(file: str) -> Report:
    return api.check(api.load(str(ROOT / file), file), "edge" if "edge" in file or "jetson" in file else "training")


def test_a_place_of_a_drawing_gives_way_to_the_fix() -> None:
    """The file stands in a note, the nets in the subject: layer and point are enough where room is short."""
    where = Location("designs/a-carrier-of-some-name.kicad_pcb", item="vias of CLK_P and CLK_N", layer="B.Cu",
                     at=(0.1, 0.05))
    one = report(finding(where=where, fix="put a via that joins both planes beside the signal via"))
    wide, narrow = short(one, width=160), short(one, width=64)
    assert "a-carrier-of-some-name.kicad_pcb: vias of CLK_P and CLK_N on B.Cu at (100 mm, 50 mm)" in wide
    assert "B.Cu at (100 mm, 50 mm)" in narrow and "of CLK_P" not in narrow
    assert "fix: put a via that joins" in " ".join(narrow.split()) and "in full: -v" not in narrow
