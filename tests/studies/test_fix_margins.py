# SPDX-License-Identifier: MIT
"""A proposal says which findings pass as before and lose more than half of their margin by it."""

from __future__ import annotations

from pcbrules.results.finding import Severity, Status
from pcbrules.studies.fixing.outcome import SeenFinding, SetOutcome
from pcbrules.studies.fixing.proposal import _costs


def seen(subject: str, margin: float | None, status: Status = Status.PASS) -> SeenFinding:
    return SeenFinding("SIG006", subject, status, Severity.WARNING, status is Status.FAIL, margin=margin)


def test_what_passes_and_loses_more_than_half_of_its_margin() -> None:
    before = SetOutcome((seen("a", 0.61), seen("b", 0.61), seen("c", 0.61), seen("d", None), seen("e", 0.2),
                         seen("f", 0.3, Status.MARGINAL), seen("gone", 0.5)))
    after = SetOutcome((seen("a", 0.085), seen("b", 0.305), seen("c", 0.7), seen("d", 0.1),
                        seen("e", -0.1, Status.FAIL), seen("f", 0.01, Status.MARGINAL)))
    assert [(one.was.subject, one.becomes.margin if one.becomes else None) for one in _costs(before, after)] == [
        ("a", 0.085)]
