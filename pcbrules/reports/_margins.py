# SPDX-License-Identifier: MIT
"""The margin of a finding over its limit, so that findings of different units can be put in one order."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.reports._numbers import is_word
from pcbrules.results.finding import Finding, Status
from pcbrules.results.limit import nearly_equal
from pcbrules.ties import same

JUDGED = frozenset({Status.FAIL, Status.MARGINAL, Status.WAIVED, Status.PASS})

BELOW = -1e-9
"""Place in the order of a fail that no ratio describes: before all that has a margin."""


@dataclass(frozen=True, slots=True)
class Share:
    """Margin over the size of the limit, and that of both ends of the interval. [-]"""

    value: float
    lo: float
    hi: float


def share(finding: Finding) -> Share | None:
    """The margin over the limit; None where nothing was judged, or no ratio describes it.

    Of a limit of 0 dB it is the part of the amplitude that is left, 1 - 10^(-margin / 20). A word of an ordered list
    has no ratio, nor has another limit of zero. A pass whose exact number meets its limit exactly (a count, an ordered
    impedance class) has nothing to lose and is not ranked.
    """
    measured, limit = finding.measured, finding.limit
    if measured is None or limit is None or is_word(limit) or finding.status not in JUDGED:
        return None
    margin, *ends = (limit.margin(value) for value in (measured.value, measured.lo, measured.hi))
    scale = limit.scale()
    if finding.status is Status.PASS and same(measured.lo, measured.hi) and nearly_equal(scale, scale + margin):
        return None
    if scale:
        return Share(margin / scale, min(margin, *ends) / scale, max(margin, *ends) / scale)
    if limit.unit == "dB":
        return Share(*(1 - 10 ** (-value / 20) for value in (margin, min(margin, *ends), max(margin, *ends))))
    return None


def rank(finding: Finding) -> float | None:
    """Place of a finding in the order of margins, smallest first; None where it has none."""
    found = share(finding)
    if found is not None:
        return found.value
    failed = Status.FAIL in (finding.status, finding.waived_from)
    return BELOW if failed else None
