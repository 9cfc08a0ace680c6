# SPDX-License-Identifier: MIT
"""What a change takes away on purpose: the entry of a waiver file that lets it through, and words that are shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pcbrules.results.finding import Status, WaiverEntry


def acceptance(rule: str, subject: str, change: str = "", *, every_board: bool = False) -> WaiverEntry:
    """Return the entry that accepts what is gone or, with the ``change`` in words, what is relaxed."""
    told = (("change", change),) if change else ()
    return WaiverEntry("acceptances", (("rule", rule), ("subject", subject), *told), every_board)


def meant(why: str) -> str:
    """Return what to do where a change is meant, as the second part of a fix."""
    return f"if {why}, merge an acceptance of it first, in a change of its own"


def counted(statuses: Iterable[Status]) -> str:
    """Return how many findings had which status: ``22 pass, 1 marginal``."""
    counts = Counter(statuses)
    return ", ".join(f"{counts[status]} {status.value}" for status in reversed(Status) if counts[status])
