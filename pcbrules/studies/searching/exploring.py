# SPDX-License-Identifier: MIT
"""The search: what is cheap to know cuts first, what is left is judged once for every combination that can be seen.

1. Cost and thickness of a candidate are sums over its values: they cut before any rule is asked.
2. The groups of rules follow, the cheap ones first. A combination is judged if a candidate is left that has it.
3. Of the last group those combinations come first whose candidates are cheapest. A candidate that is judged by all
   groups and would stand in the front is proven by a full check. Then all those go that a proven one beats whatever
   the last group says of them: the margin of a candidate only falls as more rules look at it.

A candidate that is cut by its part would be cut by a full check, so the front is that of full checks of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf

import numpy as np
from numpy.typing import NDArray

from pcbrules.brief import brief
from pcbrules.studies.searching.pareto import FrontBound, Rated, front
from pcbrules.studies.searching.part_outcome import FLOOR, BlockedBy, CountedMargin, MarginKey, PartOutcome
from pcbrules.studies.searching.rule_groups import RuleGroup
from pcbrules.studies.searching.space import Cell, PartTask, SearchSpace
from pcbrules.ties import ordered

Run = Callable[[Sequence[PartTask]], list[PartOutcome]]
"""Judges some tasks, in their order."""

LEAST_WAVE, WAVES, MOST_WAVE = 64, 20, 20_000
"""Combinations of the last group that are judged before the bound is looked at: so many at least, or this part of all;
and those that are handed out at once at most."""

MOST_RATED = 20_000
"""Pairs of cost and margin that an answer keeps for a picture, evenly thinned."""

COST, THICKNESS, BEATEN = "cost", "thickness", "cannot be better"
"""What cuts candidates beside rules: the bounds of the spec, and one that is proven."""

Flags = NDArray[np.bool_]
Wholes = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpaceBounds:
    """Bounds on sums over the values: cost in thousandths of the index, thickness in metres; None without one."""

    cost: int | None = None
    thinnest: float | None = None
    thickest: float | None = None


@dataclass(frozen=True, slots=True)
class ProvenPoint:
    """A candidate of the front: its number, cell, cost, margin (None without a number) and the least margin.

    ``warnings`` are rule and subject of the warnings that fail on it.
    """

    number: int
    cell: Cell
    cost: int
    margin: float | None
    deciding: CountedMargin | None
    warnings: tuple[MarginKey, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class GroupWork:
    """How often a group was judged, of how many combinations; the candidates that came in, and that went out."""

    group: RuleGroup
    judged: int
    combinations: int
    came: int
    went: int

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search found.

    ``cut`` counts candidates by what cut them, the most first; ``works`` are the groups in order. ``rated`` are
    costs and margins of candidates that pass and were judged by all groups, ``passing`` of them. ``disputed`` counts
    those of which a full check said something else than their parts did.
    """

    points: tuple[ProvenPoint, ...]
    cut: tuple[tuple[BlockedBy, int], ...]
    works: tuple[GroupWork, ...]
    rated: tuple[tuple[int, float], ...]
    passing: int
    proofs: int
    disputed: int

    __repr__ = brief


def explore(
    space: SearchSpace, groups: Sequence[RuleGroup], run: Run, rules: tuple[str, ...], bounds: SpaceBounds
) -> Explored:
    """Search a space.

    Parameters
    ----------
    space : SearchSpace
    groups : sequence of RuleGroup
        In the order in which they are judged; together they have all rules.
    run : function
    rules : tuple of str
        All rules: those of a full check.
    bounds : SpaceBounds

    Returns
    -------
    Explored
    """
    work = _SpaceSearch(space, run, rules)
    work.bound(bounds)
    for group in groups[:-1]:
        work.judge(group)
    if groups:
        work.judge(groups[-1], last=True)
    return work.answer()


@dataclass
class _SpaceSearch:
    """Arrays over all candidates: which are left, what each costs, the most margin that each can have."""

    space: SearchSpace
    run: Run
    rules: tuple[str, ...]
    left: Flags = field(init=False)
    cost: Wholes = field(init=False)
    most: Floats = field(init=False)
    changes: Wholes = field(init=False)
    settled: Flags = field(init=False)
    cut: Counter[BlockedBy] = field(default_factory=Counter)
    works: list[GroupWork] = field(default_factory=list)
    proven: dict[int, PartOutcome] = field(default_factory=dict)
    disputed: int = 0

    def __post_init__(self) -> None:
        shape = self.space.shape
        self.left, self.settled = np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool)
        self.most = np.full(shape, inf)
        self.cost = self._sums(lambda frame: frame.cost, lambda point: point.cost).astype(np.int64)
        self.changes = self._sums(lambda frame: frame.changes, lambda point: point.changes).astype(np.int64)

    def _sums(self, of_frame: Callable[..., float], of_point: Callable[..., float]) -> Floats:
        made = np.zeros(self.space.shape)
        for at, frame in enumerate(self.space.frames):
            made[at] += of_frame(frame)
            for axis, one in enumerate(frame.axes):
                along = [1] * len(frame.axes)
                along[axis] = len(one.points)
                made[at] += np.array([of_point(point) for point in one.points], dtype=float).reshape(along)
        return made

    def bound(self, bounds: SpaceBounds) -> None:
        """Cut what is too dear, too thin or too thick."""
        if bounds.cost is not None:
            self._drop(self.left & (self.cost > bounds.cost), COST)
        if bounds.thinnest is not None or bounds.thickest is not None:
            thick = self._sums(lambda frame: frame.thickness, lambda point: point.thicker)
            low, high = bounds.thinnest, bounds.thickest
            off = np.zeros(self.space.shape, dtype=bool)
            if low is not None:
                off |= thick < low * (1 - 1e-9)
            if high is not None:
                off |= thick > high * (1 + 1e-9)
            self._drop(self.left & off, THICKNESS)

    def _drop(self, gone: Flags, why: str) -> None:
        count = int(np.count_nonzero(gone))
        if count:
            self.cut[BlockedBy(why)] += count
            self.left &= ~gone

    def judge(self, group: RuleGroup, *, last: bool = False) -> None:
        """Judge a group wherever a candidate is left; of the last one by waves."""
        shape = self.space.shape
        seen = (0, *(axis + 1 for axis in group.axes))
        other = tuple(at for at in range(len(shape)) if at not in seen)
        before = int(np.count_nonzero(self.left))
        waiting: Flags = np.asarray(self.left.any(axis=other))
        judged = 0
        wave = min(max(LEAST_WAVE, int(np.count_nonzero(waiting)) // WAVES), MOST_WAVE) if last else MOST_WAVE
        while waiting.any():
            entries = self._next(waiting, other, wave, last=last)
            outcomes = self.run([self._task(entry, group) for entry in entries])
            judged += len(entries)
            for entry, outcome in zip(entries, outcomes, strict=True):
                waiting[entry] = False
                self._settle(entry, seen, outcome, last=last)
            if last:
                self._prove()
                self._drop_beaten()
                waiting &= np.asarray(self.left.any(axis=other))
        combinations = int(np.prod([shape[at] for at in seen]))
        self.works.append(GroupWork(group, judged, combinations, before, int(np.count_nonzero(self.left))))

    def _next(self, waiting: Flags, other: tuple[int, ...], wave: int, *, last: bool) -> list[tuple[int, ...]]:
        """Entries that are judged next: of the last group those of the cheapest candidates, equal ones in order."""
        flat = np.flatnonzero(waiting)
        if len(flat) > wave and not last:
            flat = flat[:wave]
        if len(flat) > wave:
            dearest = np.iinfo(np.int64).max
            cheapest = np.where(self.left, self.cost, dearest).min(axis=other).ravel()[flat]
            flat = np.array([place for _, place in nsmallest(wave, zip(cheapest.tolist(), flat.tolist(), strict=True))])
        return [tuple(map(int, np.unravel_index(place, waiting.shape))) for place in flat.tolist()]

    def _task(self, entry: tuple[int, ...], group: RuleGroup) -> PartTask:
        return self.space.task(entry[0], dict(zip(group.axes, entry[1:], strict=True)), group.rules,
                               tune=group.tunes)

    def _settle(self, entry: tuple[int, ...], seen: tuple[int, ...], outcome: PartOutcome, *, last: bool) -> None:
        """Take what a group says of all candidates that have an entry."""
        place: list[int | slice] = [slice(None)] * len(self.space.shape)
        for axis, value in zip(seen, entry, strict=True):
            place[axis] = value
        at = tuple(place)
        if outcome.blocked is not None:
            self.cut[_told(outcome.blocked)] += int(np.count_nonzero(self.left[at]))
            self.left[at] = False
            return
        least = outcome.least
        if least is not None:
            self.most[at] = np.minimum(self.most[at], least.margin)
        if last:
            self.settled[at] = True

    def _rated(self, numbers: Sequence[int]) -> list[Rated]:
        cost, most, changes = self.cost.ravel(), self.most.ravel(), self.changes.ravel()
        return [(int(cost[at]), float(most[at]), int(changes[at]), at) for at in numbers]

    def _front(self) -> list[Rated]:
        """The front of all that were judged by all groups and are left: of each cost those with most margin."""
        flat = np.flatnonzero(self.left & self.settled)
        costs, margins = self.cost.ravel()[flat], self.most.ravel()[flat]
        levels, of_level = np.unique(costs, return_inverse=True)
        best = np.full(len(levels), -inf)
        np.maximum.at(best, of_level, margins)
        near = flat[margins >= best[of_level] - FLOOR]
        return front(self._rated(near.tolist()))

    def _prove(self) -> None:
        """Prove the front by full checks, until every one of its candidates is."""
        while True:
            new = [one for one in self._front() if one[3] not in self.proven]
            if not new:
                return
            outcomes = self.run([self.space.whole(self.space.cell(one[3]), self.rules) for one in new])
            for one, outcome in zip(new, outcomes, strict=True):
                self.proven[one[3]] = outcome
                cell, least = self.space.cell(one[3]), outcome.least
                margin = least.margin if least else inf
                if outcome.blocked is not None:
                    self.disputed += 1
                    self.left[cell] = False
                    self.cut[_told(outcome.blocked)] += 1
                elif margin != one[1] and abs(margin - one[1]) > FLOOR:
                    self.disputed += 1
                    self.most[cell] = margin

    def _drop_beaten(self) -> None:
        """Let go what a proven candidate beats whatever is still to come."""
        known = [one for one in self._front() if one[3] in self.proven]
        open_ = self.left & ~self.settled
        if not known or not open_.any():
            return
        limit = FrontBound(known)
        flat = np.flatnonzero(open_)
        cost, most = self.cost.ravel()[flat], self.most.ravel()[flat]
        gone = np.zeros(self.space.shape, dtype=bool)
        gone.ravel()[flat[limit.beaten(cost, most)]] = True
        self._drop(gone, BEATEN)

    def answer(self) -> Explored:
        """What was found; all of the front is proven."""
        points = []
        for cost, margin, _, number in self._front():
            outcome = self.proven[number]
            points.append(ProvenPoint(number, self.space.cell(number), cost, None if margin == inf else margin,
                                      outcome.least, outcome.warnings))
        passing = np.flatnonzero(self.left & self.settled)
        pairs = np.stack([self.cost.ravel()[passing].astype(float), self.most.ravel()[passing]], axis=1)
        known = np.unique(pairs[np.isfinite(pairs[:, 1])], axis=0)
        drawn = known[::len(known) // MOST_RATED + 1]
        cut = ordered(self.cut.items(), key=lambda one: (-one[1], one[0].what, one[0].subject))
        return Explored(tuple(points), tuple(cut), tuple(self.works),
                        tuple((int(cost), float(margin)) for cost, margin in drawn.tolist()), len(passing),
                        len(self.proven), self.disputed)


def _told(blocked: BlockedBy) -> BlockedBy:
    """What cuts, without the number of the one candidate, so that many are counted as one."""
    return BlockedBy(blocked.what, blocked.subject)
