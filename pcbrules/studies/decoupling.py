# SPDX-License-Identifier: MIT
"""The fewest capacitors of a rail's banks that hold its limit in every variant, and which banks do nothing.

|Z| does not fall with every capacitor that is added: two tiers ring. So the search is discrete: from several starts it
takes away what can go, and exchanges pieces of one bank for fewer of another, until no step of one or two banks saves
a piece. That is the fewest as far as such steps find; it is no proof. The variants and frequencies that decide are
found on the way: a set counts only when every variant holds at every frequency and at every peak.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.power.ladder import Bank, RailTask, impedance, ladder, regulator
from pcbrules.analysis.power.ladder_peaks import peak_frequencies
from pcbrules.arrays import Complex, Real, distinct
from pcbrules.physics.common.extremes import first_greatest, first_least
from pcbrules.ties import greatest_of, least_of, ordered

Counts = tuple[int, ...]

DENSITY = 40
"""Frequencies a decade of the search."""
ROUNDS = 40
"""Most times that a variant or a peak is added to those which decide."""
HOLDS = 1 + 1e-9
ALONG = -1
"""In place of a bank: an element along the rail."""


@dataclass(frozen=True, slots=True)
class DecouplingTask:
    """A rail, its variants, the places of its banks in the ladder, and how many pieces each may have at most.

    ``limits`` are corners of the limit over frequency [Hz, ohm], rising: each holds up to its frequency.
    """

    rails: tuple[RailTask, ...]
    banks: tuple[int, ...]
    most: Counts
    limits: tuple[tuple[float, float], ...]

    @property
    def present(self) -> Counts:
        """Pieces that the banks have now."""
        return tuple(bank.count for at in self.banks if isinstance(bank := self.rails[0].ladder[at], Bank))


@dataclass(frozen=True, slots=True)
class Optimum:
    """The set found: pieces of each bank, and the largest |Z| over limit that it has in any variant."""

    counts: Counts
    ratio: float


def fewest(task: DecouplingTask) -> Optimum | None:
    """The fewest capacitors; None where no set that was tried holds the limit.

    Parameters
    ----------
    task : DecouplingTask
        Rail, banks and limit.

    Returns
    -------
    Optimum or None
        Equal sets of equal size are told apart by |Z| over limit, then by order.
    """
    search = _BankSearch(task)
    for _ in range(ROUNDS):
        best = search.best()
        if best is None:
            return None
        ratio, variant, place = _true_ratio(task, best)
        if ratio <= HOLDS:
            return Optimum(best, ratio)
        search.add_point(variant, place)
    return None


class _BankSearch:
    """The variants and frequencies that decide so far; ratios of whole batches of sets at once.

    A point is a variant at a frequency. The few points at which sets failed are looked at first.
    """

    def __init__(self, task: DecouplingTask) -> None:
        self.task = task
        low, high = task.rails[0].f_min, task.limits[-1][0]
        count = max(int(np.ceil(DENSITY * np.log10(high / low))), 2) + 1
        self.frequency: Real = np.geomspace(low, high, count)
        _, variant, _ = _true_ratio(task, task.most)
        self.variants = sorted({0, variant})
        self._prepare()

    def add_point(self, variant: int, place: float) -> None:
        """Let a variant and a frequency [Hz] decide too."""
        self.variants = sorted({*self.variants, variant})
        self.frequency = np.unique(np.append(self.frequency, place))
        self._prepare()

    def _prepare(self) -> None:
        rails = [self.task.rails[at] for at in self.variants]
        ladders = [ladder(rail) for rail in rails]
        self.steps: list[tuple[int, Complex]] = []
        for at, branch in enumerate(ladders[0]):
            own = np.concatenate([replace(some[at], count=1).impedance(self.frequency) for some in ladders])
            if branch.shunt and at not in self.task.banks:
                raise ValueError("a bank of the ladder is no candidate")
            self.steps.append((self.task.banks.index(at) if branch.shunt else ALONG, own))
        self.start = np.concatenate([regulator(rail).impedance(self.frequency) for rail in rails])
        self.limit = np.tile(_limit(self.task, self.frequency), len(rails))
        self.lowered: dict[tuple[Counts, int], Counts] = {}
        self.critical: NDArray[np.int64] = np.arange(0, len(self.limit), max(len(self.limit) // 8, 1))

    def ratios(self, sets: Sequence[Counts], points: NDArray[np.int64] | slice = slice(None)) -> Real:
        """|Z| over limit of every set of counts at points, shape (n, points). [-]"""
        counts = np.array(sets, dtype=float)
        seen: Complex = np.broadcast_to(self.start[points], (len(counts), len(self.start[points])))
        for which, own in self.steps:
            seen = seen + own[points] if which == ALONG else seen / (1 + seen * counts[:, which, None] / own[points])
        return np.asarray(np.abs(seen) / self.limit[points])

    def worst(self, sets: Sequence[Counts]) -> Real:
        """Largest |Z| over limit of every set, shape (n,). [-]"""
        return np.asarray(self.ratios(sets).max(axis=1))

    def first(self, sets: Sequence[Counts]) -> Counts | None:
        """The first set that holds the limit, None if there is none."""
        left = list(sets)
        while left:
            good = np.flatnonzero(self.ratios(left, self.critical).max(axis=1) <= HOLDS)
            if not len(good):
                return None
            left = left[int(good[0]):]
            ratio = self.ratios(left[:1])[0]
            if ratio.max() <= HOLDS:
                return left[0]
            self.critical = np.unique(np.append(self.critical, first_greatest(ratio)))
        return None

    def best(self) -> Counts | None:
        """The smallest set from all starts."""
        found = []
        for start in _starts(self.task):
            grown = self._grown(start)
            if grown is not None:
                found.append(self._exchanged(self._reduced(grown)))
        if not found:
            return None
        ratio = self.worst(found)
        return least_of(zip(found, ratio.tolist(), strict=True), key=lambda one: (sum(one[0]), one[1], one[0]))[0]

    def _grown(self, counts: Counts) -> Counts | None:
        """Pieces added where they help most, until the limit holds."""
        while self.worst([counts])[0] > HOLDS:
            tries = [_with(counts, at, min(n + max(1, n // 8), most))
                     for at, (n, most) in enumerate(zip(counts, self.task.most, strict=True)) if n < most]
            if not tries:
                return None
            counts = tries[first_least(self.worst(tries))]
        return counts

    def _reduced(self, counts: Counts) -> Counts:
        """The best of taking from one bank after the other, in every order (or in some, for many banks)."""
        orders = list(permutations(range(len(counts)))) if len(counts) <= 4 else [
            tuple(np.roll(range(len(counts)), shift)) for shift in range(len(counts))
        ]
        results = []
        for order in orders:
            left = counts
            for at in order:
                left = self._lowered(left, int(at))
            results.append(left)
        return least_of(results, key=lambda one: (sum(one), one))

    def _lowered(self, counts: Counts, at: int) -> Counts:
        """The fewest pieces of one bank that hold the limit beside the others; orders of taking away share them."""
        if (counts, at) not in self.lowered:
            found = self.first([_with(counts, at, n) for n in range(counts[at] + 1)])
            self.lowered[counts, at] = counts if found is None else found
        return self.lowered[counts, at]

    def _exchanged(self, counts: Counts) -> Counts:
        """Steps of one or two banks that save pieces, as long as there are any."""
        while True:
            tries = ordered(set(_exchanges(counts, self.task.most)), key=lambda one: (sum(one), one))
            better = self.first(tries)
            if better is None:
                return counts
            counts = self._reduced(better)


def _starts(task: DecouplingTask) -> Iterator[Counts]:
    """What is there, everything, nothing, and twice each bank in turn."""
    present = tuple(min(n, most) for n, most in zip(task.present, task.most, strict=True))
    yield present
    yield task.most
    yield (0,) * len(present)
    for at, (n, most) in enumerate(zip(present, task.most, strict=True)):
        yield _with(present, at, min(max(2 * n, 4), most))


def _exchanges(counts: Counts, most: Counts) -> Iterator[Counts]:
    """All sets with fewer pieces that differ in one or two banks, by steps of 1, 2, 3, 4, 6, 8, ..."""
    sizes = sorted({round(2 ** (k / 2)) for k in range(27)})
    for at, n in enumerate(counts):
        for less in (size for size in sizes if size <= n):
            yield _with(counts, at, n - less)
            for other, m in enumerate(counts):
                for more in (size for size in sizes if size < less and m + size <= most[other] and other != at):
                    yield _with(_with(counts, at, n - less), other, m + more)


def _with(counts: Counts, at: int, number: int) -> Counts:
    return (*counts[:at], number, *counts[at + 1 :])


def with_counts(rail: RailTask, banks: Sequence[int], counts: Sequence[int]) -> RailTask:
    """The rail with other numbers of pieces; a bank of none is taken out."""
    number = dict(zip(banks, counts, strict=True))
    steps = []
    for at, step in enumerate(rail.ladder):
        if not isinstance(step, Bank) or at not in number:
            steps.append(step)
        elif number[at]:
            steps.append(replace(step, count=number[at]))
    return replace(rail, ladder=tuple(steps))


def _true_ratio(task: DecouplingTask, counts: Counts) -> tuple[float, int, float]:
    """Largest |Z| over limit of all variants with their peaks [-], which variant, and where [Hz]."""
    low, high = task.rails[0].f_min, task.limits[-1][0]
    count = max(int(np.ceil(60 * np.log10(high / low))), 2) + 1
    grid = np.geomspace(low, high, count)
    worst = (0.0, 0, low)
    for at, rail in enumerate(task.rails):
        changed = with_counts(rail, task.banks, counts)
        peaks = peak_frequencies(regulator=regulator(changed), ladder=ladder(changed), grid=grid)
        frequency = distinct(np.concatenate([grid, peaks]))
        ratio = np.abs(impedance(changed, frequency)) / _limit(task, frequency)
        place = first_greatest(ratio)
        worst = greatest_of([worst, (float(ratio[place]), at, float(frequency[place]))], key=lambda one: one[0])
    return worst


def _limit(task: DecouplingTask, frequency: Real) -> Real:
    ends, values = np.array(task.limits).T
    return np.asarray(values[np.minimum(np.searchsorted(ends, frequency * (1 - 1e-12)), len(ends) - 1)])
