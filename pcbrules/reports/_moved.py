# SPDX-License-Identifier: MIT
"""What a change moved: numbers that are not what they were in the baseline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pcbrules.reports._numbers import texts
from pcbrules.results.finding import Finding
from pcbrules.results.limit import Limit
from pcbrules.results.margin_share import share
from pcbrules.ties import TOLERANCE, ordered

LEAST = 0.002
"""Share of the limit below which nobody asks what moved a number. [-]"""

MOST = 1.0
"""Share of the limit beyond which a margin is as good as any: what moves there does not matter. [-]"""


@dataclass(frozen=True, slots=True)
class MovedNumber:
    """A finding whose nominal number moved.

    Attributes
    ----------
    finding : Finding
        As it is now.
    was, now, limit : str
        The numbers and the limit for a reader; of a limit that moved both.
    left, left_now : float
        Margin over the limit, then and now. [-]
    """

    finding: Finding
    was: str
    now: str
    limit: str
    left: float
    left_now: float


def moves(findings: Iterable[Finding]) -> list[MovedNumber]:
    """Return what moved by a share of its limit worth a look, or to another status; what lost most stands first."""
    found = [move for move in map(_move, findings) if move is not None]
    return ordered(found, key=lambda one: (one.left_now - one.left, one.finding.rule, one.finding.subject),
                   floor=TOLERANCE)


def _move(finding: Finding) -> MovedNumber | None:
    change, measured, limit = finding.change, finding.measured, finding.limit
    if change is None or change.number is None or change.limit is None or measured is None or limit is None:
        return None
    then, now = _nominal(finding, change.number, change.limit), _nominal(finding, measured.value, limit)
    left, left_now = share(then), share(now)
    if left is None or left_now is None:
        return None
    other = change.was is not finding.status
    if abs(min(left_now.value, MOST) - min(left.value, MOST)) < (TOLERANCE if other else LEAST):
        return None
    old, new = texts(then), texts(now)
    bound = new.limit if old.limit == new.limit else f"{old.limit} → {new.limit}"
    return MovedNumber(finding, old.measured, new.measured, bound, left.value, left_now.value)


def _nominal(finding: Finding, number: float, limit: Limit) -> Finding:
    """The finding of a number without its interval, under a limit."""
    assert finding.measured is not None
    return replace(finding, measured=replace(finding.measured, value=number, lo=number, hi=number), limit=limit)
