# SPDX-License-Identifier: MIT
"""The cheapest set of changes that cures some findings: best first, with a bound from below.

A set that cures a board holds, for each finding that fails with a part of the set, a further change that can help it.
So a set is extended by the changes that can help one of its fails, the one with the fewest of them, and no cheapest set
is missed as long as each change names all that it can help. The bound from below takes one change for each fail of
which no helper was counted yet (the lower bound of a hitting set).

Before the tries run out, each change is judged that may cure the board alone, whatever it costs, at most half of the
tries: one that does is an answer where the search does not come to its end.

A set of two or more is judged by the rules of the fails and the cheap ones first, by the others where it passes these:
of the fails that are known one must be cured anyhow.

Losses and drops add up. Of their rules a set is not judged whose changes, each as it worked alone, would together not
move the number four fifths of the way to its limit; and the bound from below is what would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from math import inf

from pcbrules.document import Path
from pcbrules.phrases import within
from pcbrules.studies.fixing.outcome import Chosen, Judge, Key, SetOutcome
from pcbrules.studies.moves.move import Remedy
from pcbrules.studies.searching.rule_groups import CHEAP
from pcbrules.ties import least_of, ordered

ADDING = ("CHN001", "CHN002", "PDN006")
"""Rules of numbers that add up."""

MORE = 1.25
"""How many times more changes may work together than each alone adds up to [-]."""

Rank = tuple[int, int, tuple[int, ...]]
"""Cost with the bound, number of changes, and the changes: what is looked at first."""


@dataclass(frozen=True, slots=True)
class Found:
    """The cheapest set, None without one; ``bounded`` is True where the tries ended the search.

    ``met`` are findings that some of the sets that were judged made fail.
    """

    chosen: Chosen | None
    bounded: bool = False
    met: frozenset[Key] = frozenset()


class TriesSpent(Exception):
    """As many sets are judged as may be."""


@dataclass(slots=True)
class Tries:
    """At most so many sets are judged, one that several searches ask for counted once."""

    most: int
    judged: set[Chosen] = field(default_factory=set)

    @property
    def left(self) -> int:
        """Sets that may still be judged."""
        return max(self.most - len(self.judged), 0)

    def part(self, count: int) -> Tries:
        """Return a part of what is left; what is judged by it is judged for all."""
        return Tries(min(self.most, len(self.judged) + count), self.judged)

    def count(self, sets: Iterable[Chosen]) -> None:
        """Count some sets that are about to be judged. Raises TriesSpent where they are too many."""
        new = set(sets) - self.judged
        if len(new) > self.left:
            raise TriesSpent
        self.judged |= new


class MoveTable:
    """All changes, with what each can help and which exclude each other, looked up once."""

    def __init__(self, moves: Sequence[Remedy]) -> None:
        self.moves = tuple(moves)
        self.excluded = excluded_by(self.moves)
        self._helpers: dict[Key, tuple[int, ...]] = {}
        self._there: dict[tuple[str, str], tuple[int, ...]] = {}

    def helpers(self, key: Key) -> tuple[int, ...]:
        """Return the changes that can help a finding on the board as it is."""
        if key not in self._helpers:
            self._helpers[key] = tuple(at for at, one in enumerate(self.moves) if one.can_help(*key))
        return self._helpers[key]

    def open(self, key: Key, chosen: Iterable[int]) -> tuple[int, ...]:
        """Return the changes that can help a finding and can be made beside those that are chosen."""
        taken = tuple(chosen)
        found = dict.fromkeys(self.helpers(key))
        for at in taken:
            found |= dict.fromkeys(self._brought(key, at))
        return tuple(at for at in sorted(found) if at not in taken and self.excluded[at].isdisjoint(taken))

    def reach(self, key: Key) -> frozenset[int]:
        """Return the changes that can help a finding on the board as it is or where it may be brought to."""
        mine = self.helpers(key)
        return frozenset(mine).union(*(self._brought(key, at) for at in mine))

    def cost(self, chosen: Iterable[int]) -> int:
        """Return the cost of some changes, in thousandths of the index."""
        return sum(self.moves[at].cost for at in chosen)

    def _brought(self, key: Key, at: int) -> tuple[int, ...]:
        """The changes that can help a finding once a change has brought its link to another layer."""
        brings = self.moves[at].brings
        if brings is None or not within(key[1], brings[0]):
            return ()
        there = (key[0], brings[1])
        if there not in self._there:
            self._there[there] = tuple(n for n, one in enumerate(self.moves) if one.can_help_there(*there))
        return self._there[there]


def excluded_by(moves: Sequence[Remedy]) -> list[set[int]]:
    """For each change those that cannot be made beside it: they decide the same thing, or edit one place."""
    slots: dict[str, set[int]] = {}
    at_path: dict[Path, set[int]] = {}
    below: dict[Path, set[int]] = {}
    for at, move in enumerate(moves):
        slots.setdefault(move.slot, set()).add(at)
        for path in move.places:
            at_path.setdefault(path, set()).add(at)
            for length in range(1, len(path)):
                below.setdefault(path[:length], set()).add(at)
    found: list[set[int]] = []
    for at, move in enumerate(moves):
        others = set(slots[move.slot])
        for path in move.places:
            others |= at_path[path] | below.get(path, set())
            for length in range(1, len(path)):
                others |= at_path.get(path[:length], set())
        found.append(others - {at})
    return found


def cheapest(
    table: MoveTable, judge: Judge, rules: frozenset[str], base: SetOutcome, allowed: frozenset[Key], tries: Tries,
    ahead: int = 1, below: int | None = None, *, root: Chosen = frozenset(), known: Chosen | None = None,
) -> Found:
    """Return the cheapest set of changes after which nothing is worse than allowed.

    Of equal costs the fewest changes, then those that stand first, are taken.

    Parameters
    ----------
    table : MoveTable
    judge : function
    rules : set of str
        Rules by which sets are judged.
    base : SetOutcome
        Of the board as it is.
    allowed : set of Key
        Fails that may stay.
    tries : Tries
        Sets that may be judged.
    ahead : int
        Sets that are judged at once; the answer does not depend on it.
    below : int, optional
        Cost of a set that is known: only a cheaper one is looked for.
    root : set of int
        Changes that every set holds.
    known : set of int, optional
        A set that cures all: the answer, unless a cheaper one is found.
    """
    own = [key for key in base.failing() if key not in allowed]
    gains = Gains(table, base, [key for key in own if key[0] in ADDING])
    search = _Search(table, judge, rules, base, allowed, tries, ahead, below, gains, root,
                     frozenset(one for one in rules if one.startswith((*CHEAP, *(rule for rule, _ in own)))))
    if known is not None:
        search.take(known)
    return search.run()


@dataclass
class _Search:
    """A search for the cheapest set; ``waiting`` are sets with what is known of their cost from below.

    ``first`` are the rules by which sets of two changes and more are judged before all others.
    """

    table: MoveTable
    judge: Judge
    rules: frozenset[str]
    base: SetOutcome
    allowed: frozenset[Key]
    tries: Tries
    ahead: int
    below: int | None
    gains: Gains
    root: Chosen
    first: frozenset[str]
    waiting: list[tuple[Rank, Chosen]] = field(default_factory=list)
    known: dict[Chosen, SetOutcome] = field(default_factory=dict)
    pushed: set[Chosen] = field(default_factory=set)
    met: set[Key] = field(default_factory=set)
    best: Rank | None = None
    half: int = 0
    singles: list[Chosen] | None = field(default_factory=list)

    def run(self) -> Found:
        """Look at sets, the cheapest first."""
        self.half = (self.tries.left + 1) // 2
        self._push(self.root, self.table.cost(self.root))
        while self.waiting:
            rank, chosen = heappop(self.waiting)
            if (self.best is not None and rank[0] > self.best[0]) or (self.below is not None and rank[0] >= self.below):
                break
            try:
                if self._many(chosen):
                    self._judge_singles(spare=True)
                outcome = self._outcome(rank, chosen)
            except TriesSpent:
                self._judge_singles(spare=False)
                return self._found(bounded=True)
            if outcome is None or outcome.refused:
                continue
            bad = outcome.worse(self.base, self.allowed)
            if bad:
                self._extend(rank, chosen, bad)
            else:
                self.take(chosen)
        return self._found(bounded=False)

    def _found(self, *, bounded: bool) -> Found:
        return Found(frozenset(self.best[2]) if self.best else None, bounded, frozenset(self.met))

    def take(self, chosen: Chosen) -> None:
        """Keep a set that cures the board where it is the cheapest up to now."""
        mine = (self.table.cost(chosen), len(chosen), tuple(sorted(chosen)))
        if self.below is None or mine[0] < self.below:
            self.best = mine if self.best is None or mine < self.best else self.best

    def _singles(self) -> list[Chosen]:
        """The changes that may cure the board alone and were not judged: of each family the dearest first."""
        bad = self.known[self.root].worse(self.base, self.allowed)
        alone = set(self.table.open(bad[0], self.root)).intersection(
            *(self.table.open(key, self.root) for key in bad[1:]))
        families: dict[str, list[int]] = {}
        for at in ordered(alone, key=lambda at: (-self.table.moves[at].cost, at)):
            families.setdefault(self.table.moves[at].family, []).append(at)
        turns = sorted((place, at) for one in families.values() for place, at in enumerate(one))
        return [one for _, at in turns if (one := self.root | {at}) not in self.known]

    def _judge_singles(self, *, spare: bool) -> None:
        """Judge the changes that may cure the board alone, once; with ``spare`` only where no more tries are left."""
        if self.singles is None or self.root not in self.known:
            return
        self.singles = [one for one in self.singles or self._singles() if one not in self.known]
        new = [one for one in self.singles if one not in self.tries.judged]
        if spare and self.tries.left > min(len(new), self.half):
            return
        sets = [one for one in self.singles if one not in new] + new[:self.tries.left]
        self.singles = None
        self.tries.count(sets)
        for one, outcome in zip(sets, self.judge(sets, self.rules) if sets else (), strict=True):
            self._learn(one, outcome)
            if not outcome.refused and not outcome.worse(self.base, self.allowed):
                self.take(one)

    def _push(self, chosen: Chosen, bound: int) -> None:
        heappush(self.waiting, ((bound, len(chosen), tuple(sorted(chosen))), chosen))

    def _push_once(self, chosen: Chosen, bound: int) -> None:
        if chosen not in self.pushed:
            self.pushed.add(chosen)
            self._push(chosen, bound)

    def _outcome(self, rank: Rank, chosen: Chosen) -> SetOutcome | None:
        """The outcome of a set; None of one that is not judged because its changes do not add up to enough."""
        if chosen in self.known:
            return self.known[chosen]
        if len(chosen) > 1:
            alone = [one for at in sorted(chosen) if self.gains.wanted(at)
                     and (one := frozenset({at})) not in self.known]
            self.tries.count(alone)
            for one, outcome in zip(alone, self.judge(alone, self.rules) if alone else (), strict=True):
                self._learn(one, outcome)
            short = self.gains.short(chosen)
            if short is not None:
                self._extend_unseen(rank, chosen, *short)
                return None
        self.tries.count([chosen])
        ahead = [one for _, one in nsmallest(self.ahead - 1, self.waiting)  # in the cache of the judge for their turn
                 if one not in self.known and (len(one) == 1 or self.gains.short(one) is None)
                 and self._many(one) is self._many(chosen)]
        if self._many(chosen) and self.first < self.rules:
            outcome = self.judge([chosen, *ahead], self.first)[0]
            if outcome.refused or outcome.worse(self.base, self.allowed):
                self._learn(chosen, outcome)
                return outcome
            ahead = []
        self._learn(chosen, self.judge([chosen, *ahead], self.rules)[0])
        return self.known[chosen]

    def _many(self, chosen: Chosen) -> bool:
        """True for a set that adds two changes at least to those that every set holds."""
        return len(chosen) > len(self.root) + 1

    def _learn(self, chosen: Chosen, outcome: SetOutcome) -> None:
        self.known[chosen] = outcome
        if len(chosen) == 1:
            self.gains.learn(next(iter(chosen)), outcome)

    def _extend(self, rank: Rank, chosen: Chosen, bad: Sequence[Key]) -> None:
        """Put off a set until its bound has its turn, then extend it by what can help one of its fails."""
        self.met.update(bad)
        choices = {key: self.table.open(key, chosen) for key in bad}
        more = self.gains.more(chosen)
        if more is None or not all(choices.values()):
            return
        bound = self.table.cost(chosen) + max(_at_least(self.table, choices), more)
        if bound > rank[0]:
            self._push(chosen, bound)
            return
        key = least_of(bad, key=lambda one: (len(choices[one]), one))
        for at in choices[key]:
            child = chosen | {at}
            self._push_once(child, max(bound, self.table.cost(child)))

    def _extend_unseen(self, rank: Rank, chosen: Chosen, key: Key, more: int | None) -> None:
        """Extend a set that leaves a fail for sure, unless nothing is enough."""
        if more is None:
            return
        cost = self.table.cost(chosen)
        for at in self.table.open(key, chosen):
            self._push_once(chosen | {at}, max(rank[0], cost + max(more, self.table.moves[at].cost)))


class Gains:
    """How far each change alone moves the numbers that add up, as far as it was judged."""

    def __init__(self, table: MoveTable, base: SetOutcome, keys: Sequence[Key]) -> None:
        self.table = table
        self.missing = {key: -margin for key in keys if (margin := base.margin(key)) is not None and margin < 0}
        self.known: dict[tuple[int, Key], float] = {}

    def learn(self, at: int, outcome: SetOutcome) -> None:
        """Take what a change alone makes of the numbers."""
        for key, missing in self.missing.items():
            margin = None if outcome.refused else outcome.margin(key)
            self.known[at, key] = inf if margin is None and not outcome.refused else max(
                (margin if margin is not None else -missing) + missing, 0.0)

    def wanted(self, at: int) -> bool:
        """Return True for a change that may help one of the numbers, and was not judged alone."""
        return any((at, key) not in self.known and at in self.table.helpers(key) for key in self.missing)

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
        return sum(self.known.get((at, key), inf if at in self.table.reach(key) else 0.0)
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
    for key in ordered(choices, key=lambda one: (-min(table.moves[at].cost for at in choices[one]), one)):
        if counted.isdisjoint(choices[key]):
            counted.update(choices[key])
            total += min(table.moves[at].cost for at in choices[key])
    return total
