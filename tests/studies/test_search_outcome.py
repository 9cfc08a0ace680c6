# SPDX-License-Identifier: MIT
"""What findings of a candidate come to: what cuts it, and the margins that count."""

from __future__ import annotations

import json
from typing import Any

from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.studies.searching.part_outcome import (
    BEYOND,
    OPEN,
    UNJUDGED,
    PartOutcome,
    WhatHolds,
    failing_warnings,
    new_warnings,
    part_outcome,
)
from pcbrules.studies.variants.judged import ShownRule

TEN = Limit(None, 0.1, "%", "<= 10 %")


def finding(rule: str, subject: str, status: Status = Status.PASS, value: float | None = 0.04, **more: Any) -> Finding:
    measured = None if value is None else Measured(
        value=value, lo=value, hi=value, model="test", basis="computed")
    return Finding(**{"rule": rule, "title": "", "subject": subject, "status": status, "severity": Severity.ERROR,
                      "message": "said", "where": Location("b", 1, 1), "measured": measured, "limit": TEN, **more})


def test_the_worst_that_counts_cuts() -> None:
    found = [finding("CHN001", "links.up", Status.NOT_EVALUATED, None),
             finding("SIG003", "links.down", Status.FAIL, 0.2),
             finding("STK001", "board", Status.FAIL, 0.2, severity=Severity.WARNING)]
    asked = WhatHolds()
    outcome = part_outcome(found, ("CHN001", "SIG003", "STK001"), asked)
    assert outcome.blocked is not None and (outcome.blocked.what, outcome.blocked.subject) == ("SIG003", "links.down")
    up = WhatHolds(links=("up",))
    blocked = part_outcome(found, ("CHN001",), up).blocked
    assert blocked is not None and blocked.what == f"{OPEN}: CHN001"
    loose = WhatHolds(links=("up",), allow_incomplete=True)
    assert part_outcome(found, ("CHN001",), loose).blocked is None
    strict = WhatHolds(level=Severity.WARNING, links=("up",), allow_incomplete=True)
    assert part_outcome(found, ("STK001",), strict).blocked is not None


def test_a_bound_of_the_impedance_is_of_the_target_not_of_the_spread() -> None:
    found = [finding("SIG001", "links.up.path.run.spread", value=0.09),
             finding("SIG001", "links.up.path.run", value=0.04, offset=-0.04)]
    assert part_outcome(found, ("SIG001",), WhatHolds(impedance=0.05)).blocked is None
    blocked = part_outcome(found, ("SIG001",), WhatHolds(impedance=0.03)).blocked
    assert blocked is not None and (blocked.what, blocked.subject) == (BEYOND, "links.up.path.run")


def test_a_rule_that_must_judge_and_does_not_cuts() -> None:
    asked = WhatHolds(judged=("CHN001",), allow_incomplete=True)
    open_ = [finding("CHN001", "links.up", Status.NOT_EVALUATED, None)]
    blocked = part_outcome(open_, ("CHN001",), asked).blocked
    assert blocked is not None and blocked.what == f"{UNJUDGED}: CHN001"
    assert part_outcome([finding("CHN001", "links.up")], ("CHN001",), asked).blocked is None
    assert part_outcome([], ("SIG001",), asked).blocked is None, "it is not asked of this part"


def test_margins_are_shares_of_the_limit_or_in_its_unit() -> None:
    found = [finding("CHN001", "links.up", value=0.04), finding("CHN001", "links.down", value=0.07),
             finding("SIG001", "links.up", value=0.09), finding("MAT002", "L3", limit=Limit(2, None, "", ">= vlp")),
             finding("STK001", "board", severity=Severity.WARNING, value=0.0999)]
    every = part_outcome(found, (), WhatHolds())
    assert {one.key: one.margin for one in every.margins} == {
        ("CHN001", "links.up"): 0.6, ("CHN001", "links.down"): 0.3, ("SIG001", "links.up"): 0.1}
    assert every.least is not None and every.least.key == ("SIG001", "links.up")
    moved = part_outcome(found, (), WhatHolds(moved=frozenset({("CHN001", "links.up")})))
    assert [one.margin for one in moved.margins] == [0.6]
    shown = part_outcome(found, (), WhatHolds(shown=(ShownRule("CHN001"),), in_unit=True))
    assert [(one.subject, one.margin, one.unit) for one in shown.margins] == [("links.down", 3.0, "%")]
    part = part_outcome(found, (), WhatHolds(shown=(ShownRule("CHN001", "links.up"),)))
    assert [one.margin for one in part.margins] == [0.6]
    assert PartOutcome.of_row(every.row()) == every and PartOutcome.of_row(PartOutcome().row()) == PartOutcome()


def test_new_warnings_are_those_that_the_starting_board_has_not() -> None:
    def one(rule: str, subject: str, status: Status = Status.FAIL, severity: Severity = Severity.WARNING) -> Finding:
        return finding(rule, subject, status, severity=severity)

    before = failing_warnings([one("STK006", "a"), one("STK010", "a")])
    after = failing_warnings([one("STK006", "a"), one("STK006", "b"), one("STK006", "c"), one("SIG001", "a"),
                              one("SIG002", "a", Status.PASS), one("SIG003", "a", Status.FAIL, Severity.ERROR),
                              one("SIG004", "a", Status.FAIL, Severity.ADVICE)])
    assert new_warnings(before, after) == (("SIG001", 1), ("STK006", 2))
    assert new_warnings(after, after) == ()
    kept = PartOutcome(warnings=after)
    assert PartOutcome.of_row(json.loads(json.dumps(kept.row()))) == kept
