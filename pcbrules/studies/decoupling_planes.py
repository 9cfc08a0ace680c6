# SPDX-License-Identifier: MIT
"""The fewest capacitors of a rail on planes: every set is placed and solved anew.

From the set that is there: while it does not hold, the bank that helps most gets a quarter more; then pieces are taken
from one bank after the other, in ever smaller steps, as long as every variant holds. That is the fewest as far as such
steps find; it is no proof.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import ceil

from pcbrules.ties import least_of, ordered

Counts = tuple[int, ...]

MORE = 1.25
"""Factor by which a bank grows where the limit does not hold."""
FIRST = 10
"""Pieces that a new part begins with."""
SMALLEST = 32
"""Part of a bank that a step takes at least: one in so many of its pieces."""
MOST_TRIES = 150
"""Sets that are solved at most."""
HOLDS = 1 + 1e-9


class Spent(Exception):
    """As many sets as may be were solved."""


def fewest_on_planes(
    present: Counts, most: Counts, free: tuple[bool, ...], ratio: Callable[[Counts], float]
) -> tuple[Counts, float] | None:
    """The smallest set found, and its ratio.

    Parameters
    ----------
    present, most : tuple of int
        Pieces of each bank now, and at most.
    free : tuple of bool
        Which banks may change: those whose pieces do not have each a place of their own.
    ratio : function
        Largest |Z| over limit in any variant; infinite for a set that cannot be placed. [-]

    Returns
    -------
    tuple or None
        None where no set that was tried holds the limit.
    """
    seen: dict[Counts, float] = {}

    def tried(counts: Counts) -> float:
        if counts not in seen:
            if len(seen) >= MOST_TRIES:
                raise Spent
            seen[counts] = ratio(counts)
        return seen[counts]

    movable = [k for k, one in enumerate(free) if one]
    start = tuple(min(now, end) if moves else now for now, end, moves in zip(present, most, free, strict=True))
    with suppress(Spent):
        _shrink(_grow(start, most, movable, tried), movable, tried)
    held = [counts for counts, found in seen.items() if found <= HOLDS]
    if not held:
        return None
    best = least_of(held, key=lambda counts: (sum(counts), seen[counts], counts))
    return best, seen[best]


def _grow(counts: Counts, most: Counts, movable: list[int], tried: Callable[[Counts], float]) -> Counts | None:
    """A set that holds, with more pieces in the banks that help most."""
    while tried(counts) > HOLDS:
        larger = {_with(counts, k, min(most[k], max(ceil(MORE * counts[k]), FIRST))) for k in movable}
        best = least_of((one for one in larger if one != counts), key=lambda one: (tried(one), one), default=None)
        if best is None or tried(best) >= tried(counts):
            return None
        counts = best
    return counts


def _shrink(counts: Counts | None, movable: list[int], tried: Callable[[Counts], float]) -> None:
    """Take from one bank after the other what can go, first halves, then ever smaller parts of what was there."""
    if counts is None:
        return
    whole = counts
    part = 1
    while part <= SMALLEST:
        for k in ordered(movable, key=lambda k: (-whole[k], k)):
            step = max(whole[k] // part, 1)
            while counts[k] and tried(less := _with(counts, k, max(counts[k] - step, 0))) <= HOLDS:
                counts = less
        part *= 2


def _with(counts: Counts, place: int, count: int) -> Counts:
    return (*counts[:place], count, *counts[place + 1 :])
