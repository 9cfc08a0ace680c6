# SPDX-License-Identifier: MIT
"""A computed subject that is gone is told in a note where its rule still judges what it belongs to."""

from __future__ import annotations

import pytest

from pcbrules.baseline.compare import Comparison
from pcbrules.baseline.json_text import JsonText
from pcbrules.baseline.reader import Baseline, BaselineFinding, BaselineReport
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.results.profile import Ruleset
from pcbrules.rulesets import load

PLACE = Location("b.yaml", 1, 1)


def told(rule: str, was: str, now: str, status: Status = Status.PASS) -> tuple[list[str], str]:
    """What is gone where one subject of a rule is left and another one is there, and the notes."""
    old = BaselineFinding(rule, was, Status.PASS, Severity.ERROR, "none", "", None, 0, 0, 0)
    report = BaselineReport((), "tiny", "b.yaml", "", ("", ""), (), None, {}, (old,))
    source = JsonText("old.json", "", {}, "{}")
    found = Finding(rule=rule, title="t", subject=now, status=status, message="m", severity=Severity.ERROR,
                    where=PLACE)
    ruleset: Ruleset = load("edge")
    made, notes = Comparison(Baseline(source, 1, (report,)), hold=True).compare(
        [found], "tiny", "b.yaml", [rule], lambda address: PLACE, ruleset=ruleset)
    return [one.subject for one in made if one.rule == "PCB006"], "; ".join(notes)


@pytest.mark.parametrize(("rule", "was", "now"), [
    ("PDN007", "rails.core.peaks.bulk_mid", "rails.core.peaks"),
    ("PDN007", "rails.core.peaks.bulk_mid.damping", "rails.core.peaks.mid_hf"),
    ("MAT001", "links.up.fr4", "links.up.s1000-2m"),
    ("MAT002", "links.up.L1.planes", "links.up.L3.planes"),
    ("MAT003", "stackup.fr4.advised", "stackup.s1000-2m.advised"),
    ("SIG001", "links.up.path.run.declared", "links.up.path.run"),
    ("SIG003", "links.up.path.via1.bottom.cut", "links.up.path.via1.bottom"),
])
def test_a_computed_subject_that_is_gone_is_a_note(rule: str, was: str, now: str) -> None:
    gone, notes = told(rule, was, now)
    assert not gone and f"no longer there: {rule} {was} (pass)" in notes


@pytest.mark.parametrize(("rule", "was", "now", "status"), [
    ("PDN007", "rails.core.peaks.bulk_mid", "rails.aux.peaks", Status.PASS),
    ("PDN007", "rails.core.peaks.bulk_mid", "rails.core2.peaks", Status.PASS),
    ("SIG001", "links.up.path.run", "links.up.path.other", Status.PASS),
    ("STK009", "links.up.path.run.left.spacing", "links.up.path.run.width", Status.PASS),
])
def test_any_other_subject_that_is_gone_is_an_error(rule: str, was: str, now: str, status: Status) -> None:
    gone, notes = told(rule, was, now, status)
    assert gone and "no longer there" not in notes


def test_what_is_not_evaluated_now_is_no_cure() -> None:
    gone, notes = told("PDN007", "rails.core.peaks.bulk_mid", "rails.core.vrm", Status.NOT_EVALUATED)
    assert gone and "no longer there" not in notes


def test_what_is_no_longer_there_is_counted_by_rule_and_rail() -> None:
    """A bank that is renamed renames every peak beside it: one entry of a note."""
    olds = tuple(BaselineFinding("PDN007", f"rails.core.peaks.{name}", Status.PASS, Severity.ERROR, "none", "", None, 0,
                                 0, 0) for name in ("vrm_bulk", "bulk_mid", "mid_hf"))
    report = BaselineReport((), "tiny", "b.yaml", "", ("", ""), (), None, {}, olds)
    found = Finding(rule="PDN007", title="t", subject="rails.core.peaks.big_mid", status=Status.PASS, message="m",
                    severity=Severity.ERROR, where=PLACE)
    ruleset: Ruleset = load("edge")
    _, notes = Comparison(Baseline(JsonText("old.json", "", {}, "{}"), 1, (report,)), hold=True).compare(
        [found], "tiny", "b.yaml", ["PDN007"], lambda address: PLACE, ruleset=ruleset)
    assert "since the baseline: no longer there: PDN007 3 subjects of rails.core (3 pass)" in notes
