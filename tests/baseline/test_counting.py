# SPDX-License-Identifier: MIT
"""What of a compared report counts for the exit code."""

from __future__ import annotations

import re

import pytest

from pcbrules import api, reports
from pcbrules.baseline.compare import _change, new_count, recounted
from pcbrules.baseline.reader import BaselineFinding
from pcbrules.results.finding import Change, Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.results.report import Profile, Report

PLACE = Location("b.yaml", 1, 1)


def code(status: Status, change: Change | None, *, allow: bool = False) -> int:
    """Exit code of a report with one pass and one finding with this change."""
    passed = Finding("STK001", "t", "stackup", Status.PASS, Severity.ERROR, "m", PLACE)
    finding = Finding("SIG003", "t", "links.b", status, Severity.ERROR, "m", PLACE, change=change)
    report = Report("b", Profile("p", "1", "t"), (), (), (passed, finding))
    return api.exit_code(report, api.Options(allow_incomplete=allow))


@pytest.mark.parametrize(("status", "change", "plain", "allowed"), [
    (Status.FAIL, None, 1, 1),
    (Status.FAIL, Change(True, Status.FAIL, ""), 0, 0),
    (Status.FAIL, Change(False, Status.PASS, ""), 1, 1),
    (Status.FAIL, Change(False, None, ""), 1, 1),
    (Status.NOT_EVALUATED, None, 3, 0),
    (Status.NOT_EVALUATED, Change(True, Status.NOT_EVALUATED, ""), 0, 0),
    (Status.NOT_EVALUATED, Change(False, None, ""), 3, 0),
    (Status.NOT_EVALUATED, Change(False, Status.NOT_APPLICABLE, ""), 3, 0),
    (Status.NOT_EVALUATED, Change(False, Status.PASS, ""), 3, 3),
    (Status.NOT_EVALUATED, Change(False, Status.FAIL, ""), 3, 3),
    (Status.CRASHED, Change(False, Status.CRASHED, ""), 3, 3),
    (Status.WAIVED, Change(True, Status.FAIL, ""), 0, 0),
])
def test_what_counts(status: Status, change: Change | None, plain: int, allowed: int) -> None:
    assert code(status, change) == plain
    assert code(status, change, allow=True) == allowed, "what was judged may not be left open"

@pytest.mark.parametrize(("was", "now", "waived_from", "known"), [
    ("pass", Status.WAIVED, Status.FAIL, False),
    ("not-applicable", Status.WAIVED, Status.FAIL, False),
    ("marginal", Status.WAIVED, Status.FAIL, False),
    ("marginal", Status.WAIVED, Status.MARGINAL, True),
    ("fail", Status.WAIVED, Status.FAIL, True),
    ("waived", Status.WAIVED, Status.FAIL, True),
    ("pass", Status.ACCEPTED, Status.NOT_EVALUATED, False),
    ("not-evaluated", Status.ACCEPTED, Status.NOT_EVALUATED, True),
    ("fail", Status.PASS, None, True),
])
def test_what_is_waived_is_known_where_the_fault_was_there(
    was: str, now: Status, waived_from: Status | None, known: bool
) -> None:
    old = BaselineFinding("SIG003", "links.b", Status(was), Severity.ERROR, "none", "", None, 0, 0, 0)
    finding = Finding("SIG003", "t", "links.b", now, Severity.ERROR, "m", PLACE, waived_from=waived_from)
    change = _change(finding, old)
    assert change.known is known and change.text.startswith("known: " if known else "new: ")


def test_the_list_and_the_verdict_count_the_same_findings() -> None:
    """What is waived is counted as waived, not as known."""
    seen = Change(True, Status.FAIL, "known: fail in the baseline")
    statuses = (Status.FAIL, Status.MARGINAL, Status.WAIVED, Status.PASS)
    found = tuple(Finding("SIG003", "t", f"links.{number}", status, Severity.ERROR, "m", PLACE, change=seen)
                  for number, status in enumerate(statuses))
    report = Report("b", Profile("p", "1", "t"), (), (), found)
    for style in ("console", "markdown"):
        assert set(re.findall(r"(\d+) known in the baseline", reports.text(style, [report]))) == {"2"}


def test_the_note_counts_what_came_out() -> None:
    """Entries of the waiver file that serve another board are dropped after the comparison; relaxed limits count."""
    new, seen = Change(False, None, "new"), Change(True, Status.FAIL, "known")
    rules = (("SIG003", new), ("SIG001", seen), ("PCB010", new), ("PCB005", new), ("PCB006", new), ("PCB002", None),
             ("PCB009", None))
    found = [Finding(rule, "t", rule, Status.FAIL, Severity.ERROR, "m", PLACE, change=change) for rule, change in rules]
    assert new_count(found) == 3
    note = "baseline a: 1 new, b.json: 7 new, 2 known and not counted, 0 lost margin, 0 gone"
    assert recounted((note, "other: 7 new"), found) == (note.replace("7 new", "3 new"), "other: 7 new")
