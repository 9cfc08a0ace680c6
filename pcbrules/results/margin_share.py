# SPDX-License-Identifier: MIT
"""The margin of a finding over its limit, by which findings of different units are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pcbrules.results.finding import Finding, Status
from pcbrules.results.limit import Limit, nearly_equal

JUDGED = frozenset({Status.FAIL, Status.MARGINAL, Status.WAIVED, Status.PASS})

_WORD = re.compile(r"[<>=≤≥\s]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Share:
    """Margin over the size of the limit, and that of both ends of the interval. [-]"""

    value: float
    lo: float
    hi: float


def share(finding: Finding) -> Share | None:
    """The margin over the limit; None where nothing was judged, or no ratio describes it.

    Of a limit of 0 dB it is the part of the amplitude that is left, 1 - 10^(-margin / 20). A word of an ordered list
    has no ratio, nor has another limit of zero. A number on its limit has a margin of zero, the least of what passes.
    """
    measured, limit = finding.measured, finding.limit
    if measured is None or limit is None or is_word(limit) or finding.status not in JUDGED:
        return None
    found = [_share(limit, value) for value in (measured.value, measured.lo, measured.hi)]
    shares = [one for one in found if one is not None]
    return Share(shares[0], min(shares), max(shares)) if shares else None


def _share(limit: Limit, value: float) -> float | None:
    """The share of one number; 0 where it is the limit up to the last bits."""
    part = limit.share(value)
    if part is None and limit.unit == "dB":
        part = 1 - 10 ** (-limit.margin(value) / 20)
    return 0.0 if part is not None and nearly_equal(1, 1 + part) else part


def is_word(limit: Limit) -> bool:
    """True where the limit is a word of an ordered list (``>= vlp``)."""
    return not limit.unit and bool(_WORD.match(limit.text))
