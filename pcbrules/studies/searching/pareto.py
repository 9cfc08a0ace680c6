# SPDX-License-Identifier: MIT
"""Which candidates no other one beats: none is cheaper with as much margin, none has more margin at its cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from pcbrules.studies.searching.part_outcome import FLOOR
from pcbrules.ties import greatest_of, least_of

Rated = tuple[int, float, int, int]
"""A candidate: cost, margin, how much it changes, its number."""


def front(rated: Sequence[Rated]) -> list[Rated]:
    """Return the candidates that no other beats, from the cheapest.

    Of several at one cost the one with most margin counts, of equal ones that with fewest changes, then the first. A
    dearer one counts where it has more margin than all cheaper ones by more than ``FLOOR``.
    """
    by_cost: dict[int, list[Rated]] = {}
    for one in rated:
        by_cost.setdefault(one[0], []).append(one)
    found: list[Rated] = []
    for cost in sorted(by_cost):
        best = greatest_of(by_cost[cost], key=lambda one: one[1], floor=FLOOR)
        if not found or best[1] > found[-1][1] + FLOOR:
            equal = [one for one in by_cost[cost] if one[1] >= best[1] - FLOOR]
            found.append(least_of(equal, key=lambda one: (one[2], one[3])))
    return found


class FrontBound:
    """What proven candidates leave no room for, however the rest of a candidate is judged."""

    def __init__(self, proven: Sequence[Rated]) -> None:
        rising = front(proven)
        self.costs = np.array([one[0] for one in rising], dtype=np.int64)
        self.margins = np.array([-inf, *(one[1] for one in rising)])

    def beaten(self, cost: NDArray[np.int64], most: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return True for each candidate that cannot be one of the front.

        Parameters
        ----------
        cost : array, shape (n,)
            In thousandths of the index.
        most : array, shape (n,)
            Margin that it has at most.
        """
        cheaper = self.margins[np.searchsorted(self.costs, cost, "left")]
        as_dear = self.margins[np.searchsorted(self.costs, cost, "right")]
        found: NDArray[np.bool_] = (cheaper - FLOOR >= most) | (as_dear - FLOOR > most)
        return found
