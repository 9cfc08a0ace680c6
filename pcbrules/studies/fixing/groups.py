# SPDX-License-Identifier: MIT
"""All fails of a board: in groups that share no change, each solved for itself, and proven together.

The sum of the cheapest sets of the groups is the cheapest set of all as long as no change works beyond what it names.
The full check of all together proves it; where it finds something else, the groups are searched anew, with its rules
and in the end as one group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pcbrules.brief import brief
from pcbrules.studies.fixing.outcome import Chosen, Judge, Key, SetOutcome
from pcbrules.studies.fixing.search import Found, MoveTable, cheapest
from pcbrules.ties import ordered

NO_CHANGE = "no change of the catalogue can help it"
NO_SET = "no set of changes cures it without making something else fail"
UNCURED = "no set of changes is enough to cure it"
BOUND = "no set was found before the search ended at its bound (not proven that there is none)"
NAMED = 3
"""Findings that a text names which fail with changes that cure another."""

TOGETHER = "it can be cured alone, but not together with the others"

POWER = ("PDN", "THM", "PLT")
"""Beginnings of rules that look at rails and what they heat."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """A fail that stays, and why."""

    key: Key
    why: str

    @property
    def proven(self) -> bool:
        """False where the search ended at its bound: a set may cure it that was not judged."""
        return self.why != BOUND

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Answer:
    """The cheapest set of changes for all fails that can be cured; ``left`` are the others.

    ``after`` is the outcome of the full check with the changes. ``judged`` counts the sets that were looked at;
    ``bounded`` is True where a group was left at its bound.
    """

    chosen: tuple[int, ...]
    left: tuple[Blocked, ...]
    before: SetOutcome
    after: SetOutcome
    judged: int
    bounded: bool


@dataclass
class _Group:
    """Fails with what is decided of them."""

    keys: tuple[Key, ...]
    rules: frozenset[str]
    chosen: Chosen = frozenset()
    left: list[Blocked] = field(default_factory=list)
    met: frozenset[Key] = frozenset()

    def no_set(self) -> str:
        """Why no set was found: with what else fails where changes that may help were tried."""
        made = [" ".join(key) for key in sorted(self.met - set(self.keys))]
        more = f" and {len(made) - NAMED} more" if len(made) > NAMED else ""
        return f"{NO_SET}: {', '.join(made[:NAMED])}{more}" if made else UNCURED


def answered(
    table: MoveTable, judge: Judge, rules: frozenset[str], base: SetOutcome, *, most: int, ahead: int = 1
) -> Answer:
    """Return the cheapest changes after which nothing fails, or what stays.

    Parameters
    ----------
    table : MoveTable
    judge : function
    rules : set of str
        All rules of the profile.
    base : SetOutcome
        Of the full check of the board as it is.
    most : int
        Sets that are judged at most for one group.
    ahead : int
        Sets that are judged at once.
    """
    work = _Work(table, judge, rules, base, most, ahead)
    failing = base.failing()
    hopeless = [Blocked(key, NO_CHANGE) for key in failing if not table.helpers(key)]
    groups = [_Group(keys, work.scope(keys)) for keys in _apart(table, [k for k in failing if table.helpers(k)])]
    lost = {one.key for one in hopeless}
    open_ = groups
    while True:
        for group in open_:
            work.solve(group, lost)
        left = [*hopeless, *(one for group in groups for one in group.left)]
        chosen = frozenset[int]().union(*(group.chosen for group in groups))
        (after,) = judge([chosen], rules)
        worse = after.worse(base, frozenset(one.key for one in left))
        if not worse and not after.refused:
            chosen = work.cheaper_together(groups, chosen, frozenset(one.key for one in left))
            (after,) = judge([chosen], rules)
            return Answer(tuple(sorted(chosen)), tuple(left), base, after, work.judged, work.bounded)
        beyond = {rule for rule, _ in worse}
        open_ = [group for group in groups if group.chosen and not beyond <= group.rules]
        if open_:
            for group in open_:
                group.rules |= beyond
            continue
        touched = [group for group in groups if group.chosen]
        if len(touched) <= 1:
            for group in touched:
                known = {one.key for one in group.left}
                group.left += [Blocked(key, group.no_set()) for key in group.keys if key not in known]
                group.chosen = frozenset()
            open_ = []
            continue
        merged = _Group(tuple(key for group in touched for key in group.keys), rules)
        groups = [*(group for group in groups if not group.chosen), merged]
        open_ = [merged]


def _apart(table: MoveTable, keys: Sequence[Key]) -> list[tuple[Key, ...]]:
    """Fails in groups: two are in one where a change can help both, or excludes one that helps the other."""
    groups: list[tuple[list[Key], set[int]]] = []
    for key in keys:
        helpers = table.reach(key)
        mine = ([key], set(helpers).union(*(table.excluded[at] for at in helpers)))
        apart = []
        for other in groups:
            if mine[1].isdisjoint(other[1]):
                apart.append(other)
            else:
                mine = (other[0] + mine[0], other[1] | mine[1])
        groups = [*apart, mine]
    order = {key: place for place, key in enumerate(keys)}
    return ordered((tuple(ordered(found, key=order.__getitem__)) for found, _ in groups), key=lambda one: order[one[0]])


@dataclass
class _Work:
    """Solves groups, and counts."""

    table: MoveTable
    judge: Judge
    rules: frozenset[str]
    base: SetOutcome
    most: int
    ahead: int
    judged: int = 0
    bounded: bool = False

    def scope(self, keys: Sequence[Key]) -> frozenset[str]:
        """Return the rules that the changes for some fails reach: those of rails, all others, or all."""
        places = {path[0] for key in keys for at in self.table.reach(key) for path in _paths(self.table, at)}
        power = frozenset(rule for rule in self.rules if rule.startswith(POWER))
        mine = frozenset(rule for rule, _ in keys)
        if places <= {"rails"}:
            return power | mine
        return (self.rules - power) | mine if places.isdisjoint({"rails", "stackup"}) else self.rules

    def solve(self, group: _Group, lost: set[Key]) -> None:
        """Find the cheapest set of a group, without the fails that cannot be cured."""
        group.left = []
        others = {key for key in self.base.failing() if key not in group.keys} | lost
        found = self._search(group.keys, group, others)
        if found.chosen is None:
            alone = {key: self._search((key,), group, others | set(group.keys) - {key})
                     for key in group.keys} if len(group.keys) > 1 else {group.keys[0]: found}
            stuck = [key for key in group.keys if alone[key].chosen is None]
            group.left = [Blocked(key, BOUND if alone[key].bounded else group.no_set()) for key in stuck]
            rest = tuple(key for key in group.keys if key not in stuck)
            if rest:
                found = self._search(rest, group, others | set(stuck))
                if found.chosen is None:
                    group.left += [Blocked(key, BOUND if found.bounded else TOGETHER) for key in rest]
        group.chosen = found.chosen or frozenset()

    def cheaper_together(self, groups: Sequence[_Group], chosen: Chosen, left: frozenset[Key]) -> Chosen:
        """Return a cheaper set for groups of which one may share with another what mends a fail that it makes.

        Where the search ends at its bound the set stays that is known.
        """
        touched = [group for group in groups if group.chosen]
        reach = [frozenset[int]().union(*map(self.table.reach, group.keys)) for group in touched]
        shared: set[int] = set()
        for at, group in enumerate(touched):
            mends = frozenset[int]().union(*map(self.table.reach, group.met - set(group.keys)))
            near = {other for other, theirs in enumerate(reach) if other != at and not theirs.isdisjoint(mends)}
            shared |= near | {at} if near else set()
        if not shared:
            return chosen
        mine = frozenset[int]().union(*(touched[at].chosen for at in shared))
        keys = {key for at in shared for key in touched[at].keys}
        others = frozenset(key for key in self.base.failing() if key not in keys) | left
        made = cheapest(self.table, self.judge, self.rules, self.base, others, self.most, self.ahead,
                        self.table.cost(mine))
        self.judged += made.judged
        self.bounded = self.bounded or made.bounded
        if made.chosen is None:
            return chosen
        together = (chosen - mine) | made.chosen
        (after,) = self.judge([together], self.rules)
        return chosen if after.refused or after.worse(self.base, left) else together

    def _search(self, keys: tuple[Key, ...], group: _Group, others: set[Key]) -> Found:
        made = cheapest(self.table, self.judge, group.rules, self.base, frozenset(others - set(keys)), self.most,
                        self.ahead)
        self.judged += made.judged
        self.bounded = self.bounded or made.bounded
        group.met |= made.met
        return made


def _paths(table: MoveTable, at: int) -> list[tuple[str | int, ...]]:
    move = table.moves[at]
    return [*(path for path, _ in move.edits), *move.removed, *([("links",)] if move.tuned else [])]
