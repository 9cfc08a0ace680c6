# SPDX-License-Identifier: MIT
"""Findings of different units in one order, by their margins over their limits."""

from __future__ import annotations

from pcbrules.results.finding import Finding, Status
from pcbrules.results.margin_share import share

BELOW = -1e-9
"""Place in the order of a fail that no ratio describes: before all that has a margin."""


def rank(finding: Finding) -> float | None:
    """Place of a finding in the order of margins, smallest first; None where it has none."""
    found = share(finding)
    if found is not None:
        return found.value
    failed = Status.FAIL in (finding.status, finding.waived_from)
    return BELOW if failed else None
