# SPDX-License-Identifier: MIT
"""What of a compared report counts for the exit code."""

from __future__ import annotations

import pytest

from pcbrules import api
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
