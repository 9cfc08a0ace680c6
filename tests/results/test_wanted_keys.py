# SPDX-License-Identifier: MIT
"""Keys that would decide checks: the most valuable first, those that only help together after it."""

from __future__ import annotations

from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.results.wanted_keys import WantedKey, wanted_keys

ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE


def lacks(fix: str, severity: Severity = ERROR, status: Status = Status.NOT_EVALUATED) -> Finding:
    """A finding with this fix."""
    return Finding("X", "t", "s", status, severity, "m", Location("f"), fix=fix)


def test_a_key_that_decides_more_severe_checks_goes_first() -> None:
    found = [*[lacks("give `many`", WARNING)] * 3, lacks("give `severe`"), lacks("give `many`", ADVICE)]
    assert wanted_keys(found) == (
        WantedKey("severe", "", ((ERROR, 1),)), WantedKey("many", "", ((WARNING, 3), (ADVICE, 1))))
    assert wanted_keys(found)[1].count == 4


def test_keys_that_decide_together_count_where_the_last_is_written() -> None:
    """`b` lacks in three checks and decides none alone; `a` decides one and one more once `b` is there."""
    found = [lacks("give `a`, `b`"), lacks("give `b`, `c`"), lacks("give `b`, `c`"), lacks("give `d`", WARNING)]
    assert [(one.key, one.decides) for one in wanted_keys(found)] == [
        ("d", ((WARNING, 1),)), ("b", ()), ("c", ((ERROR, 2),)), ("a", ((ERROR, 1),))]


def test_what_is_written_where_there_is_nothing_goes_along() -> None:
    (one,) = wanted_keys([lacks("give `power.supplies`, or `power: {}` if there are none")])
    assert (one.key, one.none, one.count) == ("power.supplies", "power: {}", 1)


def test_other_findings_and_other_fixes_lack_no_key() -> None:
    assert wanted_keys([lacks("give `a`", status=Status.FAIL), lacks("choose a thinner core"), lacks("")]) == ()
