# SPDX-License-Identifier: MIT
"""The coverage of a report by rule: the same in every format."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from report_samples import everything, finding, report

from pcbrules import reports
from pcbrules.results.coverage import RuleCoverage, coverage
from pcbrules.results.finding import Status, Waiver
from pcbrules.results.report import Report

TERMS = Waiver("reviewed on 3 May", "J. Doe", "2027-01-01", "")


def sample() -> Report:
    """A report in which every group has a rule, and one rule stands in two."""
    return replace(everything(), switched_off=(("STK002", "not required at the edge"),), findings=(
        *everything().findings,
        finding(Status.NOT_EVALUATED, subject="links.a", fix="give `antipad`"),
        finding(Status.ACCEPTED, rule="SIG006", waiver=TERMS),
        finding(rule="PCB005"),
        finding(Status.NOT_APPLICABLE, rule="STK002", message="not required at the edge"),
    ))


def test_groups_and_causes() -> None:
    found = coverage(sample())
    assert [one.rule for one in found.judged] == ["CHN001", "MAT001", "MAT002", "SIG003", "THM002"]
    assert found.not_evaluated == (
        RuleCoverage("CHN002", 1, ("analysis crosstalk failed: ZeroDivisionError: x. This is a fault of pcbrules.",)),
        RuleCoverage("PDN003", 1, ("`rails.vdd_core.banks` is not declared",)),
        RuleCoverage("SIG003", 1, ("`antipad` is not declared",)),
        RuleCoverage("SIG006", 1, ("accepted: reviewed on 3 May",)),
    )
    assert found.not_applicable == (RuleCoverage("THM009", 1, ("the board declares no heat source",)),)
    assert found.switched_off == (RuleCoverage("STK002", 0, ("not required at the edge",)),)


def test_a_rule_that_applies_somewhere_is_not_called_inapplicable() -> None:
    assert not coverage(report(finding(Status.PASS), finding(Status.NOT_APPLICABLE))).not_applicable


@pytest.mark.parametrize("name", ["console", "concise", "github"])
def test_the_line_is_in_short_formats(name: str) -> None:
    shown = " ".join(reports.text(name, [sample()], width=400).split())
    assert ("coverage: 5 rules judged (all checks of 1 pass); 4 not fully evaluated: CHN002, PDN003, SIG003, SIG006; "
            "1 not applicable; 1 switched off: STK002") in shown
    assert shown.index("coverage: ") < shown.rindex("FAIL: ")


@pytest.mark.parametrize("name", [name for name in reports.text_formats() if name not in ("concise", "github")])
def test_groups_with_causes_are_in_long_formats(name: str) -> None:
    shown = " ".join(reports.text(name, [sample()], width=400, verbose=True).replace("\\", "").split())
    for text in ("not required at the edge", "the board declares no heat source", "reviewed on 3 May"):
        assert text in shown
    for group in ("judged", "not.evaluated", "not.applicable", "switched.off"):
        assert re.search(rf"\b{group}\b", shown, re.IGNORECASE)


def test_rules_of_one_cause_share_a_text() -> None:
    found = [finding(Status.NOT_APPLICABLE, rule=rule, message="no rails") for rule in ("PDN001", "PDN005")]
    assert "not applicable: PDN001, PDN005: no rails" in reports.text("console", [report(*found)], verbose=True)


def test_json_has_every_cause() -> None:
    many = [finding(Status.NOT_EVALUATED, subject=f"links.a{i}", fix=f"give `links.a{i}.run`") for i in range(9)]
    covered = json.loads(reports.text("json", [report(*many)]))["coverage"]
    assert covered["not_evaluated"] == [
        {"rule": "SIG003", "findings": 9, "causes": [f"`links.a{i}.run` is not declared" for i in range(9)]}]
    assert "5 more causes" in reports.text("markdown", [report(*many)])


def test_pdf_is_printed_from_the_page_that_has_it() -> None:
    from pcbrules.reports.html._page import page

    assert "switched off, 1 rule" in page([sample()], paper=True)


def test_of_a_layout_the_keys_that_decide_most_are_listed() -> None:
    """A board file has its own lines for them; a layout has an overlay, which may lack nearly all."""
    lacks = [finding(Status.NOT_EVALUATED, rule=f"MEC00{place}", fix=f"give `key{place}`") for place in range(1, 10)]
    none = finding(Status.NOT_EVALUATED, rule="PDN001", fix="give `rails`, or `rails: {}` if there are none")
    open_ = [*lacks, replace(lacks[2], subject="other"), none, replace(none, subject="b"), replace(none, subject="c")]
    drawn = replace(report(*open_), receipt=("read of x",))
    text = reports.render("console", [drawn])
    begin = text.index("write these 10 keys into the overlay, the most valuable first:")
    assert text[begin:].splitlines()[1:3] == [
        "1. rails (or rails: {}): decides 3 checks (3 error)", "2. key3: decides 2 checks (2 error)"]
    assert "and 2 keys more: --format json" in text
    assert "keys into the overlay" not in reports.render("console", [report(*open_)])
    one = replace(report(lacks[0]), receipt=("read of x",))
    assert "write this 1 key into the overlay:" in reports.render("console", [one])
