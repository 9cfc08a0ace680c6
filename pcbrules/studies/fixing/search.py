# SPDX-License-Identifier: MIT
"""The cheapest set of changes that cures some findings: best first, with a bound from below.

A set that cures a board holds, for each finding that fails with a part of the set, a further change that can help it.
So a set is extended by the changes that can help one of its fails, the one with the fewest of them, and no cheapest set
is missed as long as each change names all that it can help. The bound from below takes one change for each fail of
which no helper was counted yet (the lower bound of a hitting set).

Losses and drops add up. Of their rules a set is not judged whose changes, each as it worked alone, would together not
move the number four fifths of the way to its limit; and the bound from below is what would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from math import inf

from pcbrules.studies.fixing.outcome import Chosen, Judge, Key, Outcome
from pcbrules.studies.moves.move import Move
from pcbrules.ties import ordered

ADDING = ("CHN001", "CHN002", "PDN006")
"""Rules of numbers that add up."""

MORE = 1.25
"""How many times more changes may work together than each alone adds up to [-]."""

Rank = tuple[int, int, tuple[int, ...]]
"""Cost with the bound, number of changes, and the changes: what is looked at first."""


@dataclass(frozen=True, slots=True)
class Found:
    """The cheapest set, None without one; ``judged`` sets were looked at, and ``bounded`` is True where that ended it.
    """

    chosen: Chosen | None
    judged: int
    bounded: bool = False


class MoveTable:
    """All changes, with what each can help and which exclude each other, looked up once."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = tuple(moves)
        self._helpers: dict[Key, tuple[int, ...]] = {}
        self._excluded: dict[tuple[int, int], bool] = {}

    def helpers(self, key: Key) -> tuple[int, ...]:
        """Return the changes that can help a finding."""
        if key not in self._helpers:
            self._helpers[key] = tuple(at for at, one in enumerate(self.moves) if one.can_help(*key))
        return self._helpers[key]

    def open(self, key: Key, chosen: Iterable[int]) -> tuple[int, ...]:
        """Return the changes that can help a finding and can be made beside those that are chosen."""
        taken = tuple(chosen)
        return tuple(at for at in self.helpers(key) if not any(self._excludes(at, other) for other in taken))

    def cost(self, chosen: Iterable[int]) -> int:
        """Return the cost of some changes, in thousandths of the index."""
        return sum(self.moves[at].cost for at in chosen)

    def _excludes(self, one: int, other: int) -> bool:
        pair = (min(one, other), max(one, other))
        if pair not in self._excluded:
            self._excluded[pair] = one == other or self.moves[one].excludes(self.moves[other])
        return self._excluded[pair]


def cheapest(
    table: MoveTable, judge: Judge, rules: frozenset[str], base: Outcome, allowed: frozenset[Key], most: int,
    ahead: int = 1,
) -> Found:
    """Return the cheapest set of changes after which nothing is worse than allowed.

    Of equal costs the fewest changes, then those that stand first, are taken.

    Parameters
    ----------
    table : MoveTable
    judge : function
    rules : set of str
        Rules by which sets are judged.
    base : Outcome
        Of the board as it is.
    allowed : set of Key
        Fails that may stay.
    most : int
        Sets that are judged at most.
    ahead : int
        Sets that are judged at once; the answer does not depend on it.
    """
    gains = Gains(table, base, [key for key in base.failing() if key not in allowed and key[0] in ADDING])
    waiting: list[tuple[Rank, Chosen]] = []
    known: dict[Chosen, Outcome] = {}
    pushed: set[Chosen] = set()
    best: Rank | None = None
    found: Chosen | None = None
    judged = 0

    def push(chosen: Chosen, bound: int) -> None:
        heappush(waiting, ((bound, len(chosen), tuple(sorted(chosen))), chosen))

    push(frozenset(), 0)
    pushed.add(frozenset())
    while waiting:
        rank, chosen = heappop(waiting)
        if best is not None and rank[0] > best[0]:
            break
        if chosen not in known and len(chosen) > 1:
            alone = [one for at in sorted(chosen) if gains.wanted(at) and (one := frozenset({at})) not in known]
            if judged + len(alone) > most:
                return Found(found, judged, bounded=True)
            judged += len(alone)
            for one, outcome in zip(alone, judge(alone, rules) if alone else (), strict=True):
                known[one] = outcome
                gains.learn(*one, outcome)
            short = gains.short(chosen)
            if short is not None:
                key, more = short
                for at in table.open(key, chosen) if more is not None else ():
                    child = chosen | {at}
                    if child not in pushed:
                        pushed.add(child)
                        push(child, max(rank[0], table.cost(chosen) + max(more or 0, table.moves[at].cost)))
                continue
        if chosen not in known:
            if judged >= most:
                return Found(found, judged, bounded=True)
            judged += 1
            batch = [chosen, *(one for _, one in nsmallest(ahead - 1, waiting)
                               if one not in known and (len(one) == 1 or gains.short(one) is None))]
            known |= dict(zip(batch, judge(batch, rules), strict=True))
        outcome = known[chosen]
        if len(chosen) == 1:
            gains.learn(*chosen, outcome)
        if outcome.refused:
            continue
        bad = outcome.worse(base, allowed)
        if not bad:
            mine = (table.cost(chosen), rank[1], rank[2])
            if best is None or mine < best:
                best, found = mine, chosen
            continue
        choices = {key: table.open(key, chosen) for key in bad}
        if not all(choices.values()):
            continue
        more = gains.more(chosen)
        if more is None:
            continue
        bound = table.cost(chosen) + max(_at_least(table, choices), more)
        if bound > rank[0]:  # it comes again when its turn has come
            push(chosen, bound)
            continue
        key = min(bad, key=lambda one: (len(choices[one]), one))
        for at in choices[key]:
            child = chosen | {at}
            if child not in pushed:
                pushed.add(child)
                push(child, max(bound, table.cost(child)))
    return Found(found, judged)


class Gains:
    """How far each change alone moves the numbers that add up, as far as it was judged."""

    def __init__(self, table: MoveTable, base: Outcome, keys: Sequence[Key]) -> None:
        self.table = table
        self.missing = {key: -margin for key in keys if (margin := base.margin(key)) is not None and margin < 0}
        self.known: dict[tuple[int, Key], float] = {}

    def learn(self, at: int, outcome: Outcome) -> None:
        """Take what a change alone makes of the numbers."""
        for key, missing in self.missing.items():
            margin = None if outcome.refused else outcome.margin(key)
            self.known[at, key] = inf if margin is None and not outcome.refused else max(
                (margin if margin is not None else -missing) + missing, 0.0)

    def wanted(self, at: int) -> bool:
        """Return True for a change that may help one of the numbers, and was not judged alone."""
        return any((at, key) not in self.known and self.table.moves[at].can_help(*key) for key in self.missing)

    def short(self, chosen: Chosen) -> tuple[Key, int | None] | None:
        """Return a fail that a set does not cure for sure, and what at least must be added; None if all may be cured.
        """
        for key, missing in self.missing.items():
            if MORE * self._sum(chosen, key) < missing:
                return key, self._cover(chosen, key)
        return None

    def more(self, chosen: Chosen) -> int | None:
        """Return what at least must be added to a set; None where nothing is enough."""
        found = [self._cover(chosen, key) for key in self.missing]
        return None if None in found else max((one for one in found if one is not None), default=0)

    def _sum(self, chosen: Chosen, key: Key) -> float:
        return sum(self.known.get((at, key), inf if self.table.moves[at].can_help(*key) else 0.0)
                   for at in sorted(chosen))

    def _cover(self, chosen: Chosen, key: Key) -> int | None:
        """The least cost of changes that may make up for what a set leaves: one of a slot, in parts, the best first.

        One that was not judged alone may be enough.
        """
        left = self.missing[key] - MORE * self._sum(chosen, key)
        if left <= 0:
            return 0
        slots: dict[str, tuple[float, float]] = {}  # of a slot: the largest gain, and the least cost of a gain of one
        unknown: int | None = None
        for at in self.table.open(key, chosen):
            cost, gain = self.table.moves[at].cost, MORE * self.known.get((at, key), inf)
            if gain == inf:
                unknown = cost if unknown is None else min(unknown, cost)
            elif gain > 0:
                most, rate = slots.get(self.table.moves[at].slot, (0.0, inf))
                slots[self.table.moves[at].slot] = (max(most, gain), min(rate, cost / gain))
        total = 0.0
        for most, rate in ordered(slots.values(), key=lambda one: one[1]):
            part = min(most, left)
            total, left = total + rate * part, left - part
            if left <= 0:
                return int(total) if unknown is None else min(int(total), unknown)
        return unknown


def _at_least(table: MoveTable, choices: dict[Key, tuple[int, ...]]) -> int:
    """Cost of at least one change for each of some fails, of which no two share a change that can help."""
    total, counted = 0, set[int]()
    for key in sorted(choices, key=lambda one: (-min(table.moves[at].cost for at in choices[one]), one)):
        if counted.isdisjoint(choices[key]):
            counted.update(choices[key])
            total += min(table.moves[at].cost for at in choices[key])
    return total
