# SPDX-License-Identifier: MIT
"""All fails of a board: in groups that share no change, each solved for itself, and proven together.

The sum of the cheapest sets of the groups is the cheapest set of all as long as no change works beyond what it names.
The full check of all together proves it; where it finds something else, the groups are searched anew, with its rules
and in the end as one group.

Of the fails of a group each is cured alone first. Where no change that cures one, or what that makes fail, helps with
another, the cures together are the cheapest. Else they are joined one by one, the cheapest first, and what they cost
bounds the search for all at once. Where that finds nothing, as many as could be joined are an answer in part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pcbrules.brief import brief
from pcbrules.studies.fixing.outcome import Chosen, Judge, Key, SetOutcome
from pcbrules.studies.fixing.search import Found, MoveTable, Tries, TriesSpent, cheapest
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
    alone: dict[Key, Found] = field(default_factory=dict)

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
    open_ = groups
    while True:
        for group in open_:
            work.solve(group)
        left = [*hopeless, *(one for group in groups for one in group.left)]
        chosen = frozenset[int]().union(*(group.chosen for group in groups))
        (after,) = judge([chosen], rules)
        worse = after.worse(base, frozenset(one.key for one in left))
        if not worse and not after.refused:
            chosen = work.cheaper_together(groups, chosen, frozenset(one.key for one in left))
            (after,) = judge([chosen], rules)
            open_fails = after.worse(base)  # a change for one fail may cure one for which no set was found
            return Answer(tuple(sorted(chosen)), tuple(one for one in left if one.key in open_fails), base, after,
                          work.judged, work.bounded)
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

    def solve(self, group: _Group) -> None:
        """Find the cheapest set of a group, without the fails that cannot be cured; else one that cures a part of it.
        """
        tries = Tries(self.most)
        keys = ordered(group.keys, key=lambda one: (len(self.table.helpers(one)), one))
        kept = self.most // (8 if self._apart(keys, group) else 2) if len(keys) > 1 else 0  # to join the cures
        for place, key in enumerate(keys):
            share = max(tries.left - kept, 1) // (len(keys) - place)
            group.alone[key] = self._search((key,), group, tries.part(share))
        joined, cured = self._joined(keys, group, tries)
        found = self._together(group.keys, group, tries, joined if len(cured) == len(keys) else None)
        if found.chosen is None:
            self._search_on([key for key in keys if group.alone[key].chosen is None], group, tries)
            stuck = [key for key in group.keys if group.alone[key].chosen is None]
            group.left = [Blocked(key, BOUND if group.alone[key].bounded else group.no_set()) for key in stuck]
            rest = tuple(key for key in group.keys if key not in stuck)
            again, more = self._joined(rest, group, tries)
            joined, cured = (again, more) if len(more) > len(cured) else (joined, cured)
            if rest and (stuck or len(cured) == len(rest)):
                found = self._together(rest, group, tries, joined if len(cured) == len(rest) else None)
            if rest and found.chosen is None:
                group.left += [Blocked(key, BOUND if found.bounded else TOGETHER) for key in rest if key not in cured]
                found = Found(joined, found.bounded)
        self.judged += len(tries.judged)
        self.bounded = self.bounded or found.bounded or any(not one.proven for one in group.left)
        group.chosen = found.chosen or frozenset()

    def _together(self, keys: Sequence[Key], group: _Group, tries: Tries, known: Chosen | None) -> Found:
        """The cheapest set that cures some fails of a group at once; ``known`` is one that does."""
        if len(keys) == 1:
            self._search_on(keys, group, tries)
            return group.alone[keys[0]]
        if known is not None and self._apart(keys, group):
            self._search_on(keys, group, tries.part(tries.left - 1))
            union = frozenset[int]().union(*(group.alone[key].chosen or known for key in keys))
            if self._apart(keys, group) and self._cures(union, keys, group, tries):
                return Found(union, any(group.alone[key].bounded for key in keys))
        return self._search(keys, group, tries, known=known)

    def _search_on(self, keys: Sequence[Key], group: _Group, tries: Tries) -> None:
        """Search on for the cures of single fails that were left for lack of tries."""
        open_ = [key for key in keys if group.alone[key].bounded]
        for place, key in enumerate(open_):
            if tries.left:
                group.alone[key] = self._search((key,), group, tries.part(tries.left // (len(open_) - place)))

    def _apart(self, keys: Sequence[Key], group: _Group) -> bool:
        """True where no change helps with two of some fails, or with what the cure of one may make fail."""
        met = {key: one.met for key, one in group.alone.items()}
        reach = [frozenset[int]().union(*map(self.table.reach, (key, *met.get(key, ())))) for key in keys]
        return sum(map(len, reach)) == len(frozenset[int]().union(*reach))

    def _joined(self, keys: Sequence[Key], group: _Group, tries: Tries) -> tuple[Chosen, tuple[Key, ...]]:
        """Join the cures of single fails, the cheapest first, or where these do not go together the dearest first.

        Returns the changes and what they cure together.
        """
        cures = {key: one for key in keys if (one := group.alone[key].chosen) is not None}
        order = ordered(cures, key=lambda one: (self.table.cost(cures[one]), one))
        found = self._joined_so(order, cures, group, tries)
        if len(found[1]) == len(cures):
            return found
        other = self._joined_so(order[::-1], cures, group, tries)
        return other if len(other[1]) > len(found[1]) else found

    def _joined_so(
        self, order: Sequence[Key], cures: dict[Key, Chosen], group: _Group, tries: Tries
    ) -> tuple[Chosen, tuple[Key, ...]]:
        """Join cures one by one. Where one cannot be joined as it is, another is looked for beside what is chosen."""
        chosen: Chosen = frozenset()
        cured: tuple[Key, ...] = ()
        for key in order:
            wanted = (*cured, key)
            made = next((one for one in (chosen, chosen | cures[key]) if self._cures(one, wanted, group, tries)), None)
            if made is None and chosen and tries.left:
                part = tries.part((tries.left + 3) // 4)
                made = self._search(wanted, group, part, root=chosen).chosen
            if made is not None:
                chosen, cured = made, wanted
        return chosen, cured

    def _cures(self, chosen: Chosen, keys: Sequence[Key], group: _Group, tries: Tries) -> bool:
        """True where changes can be made together, and with them some fails are cured and nothing else is worse."""
        if not chosen or any(not self.table.excluded[at].isdisjoint(chosen) for at in chosen):
            return False
        try:
            tries.count([chosen])
        except TriesSpent:
            return False
        (after,) = self.judge([chosen], group.rules)
        return not after.refused and not after.worse(self.base, self._others(keys))

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
        tries = Tries(self.most)
        made = cheapest(self.table, self.judge, self.rules, self.base, self._others(keys) | left, tries, self.ahead,
                        self.table.cost(mine))
        self.judged += len(tries.judged)
        self.bounded = self.bounded or made.bounded
        if made.chosen is None:
            return chosen
        together = (chosen - mine) | made.chosen
        (after,) = self.judge([together], self.rules)
        return chosen if after.refused or after.worse(self.base, left) else together

    def _others(self, keys: Iterable[Key]) -> frozenset[Key]:
        """What fails beside some fails: it may stay."""
        return frozenset(self.base.failing()).difference(keys)

    def _search(self, keys: Sequence[Key], group: _Group, tries: Tries, *, root: Chosen = frozenset(),
                known: Chosen | None = None) -> Found:
        made = cheapest(self.table, self.judge, group.rules, self.base, self._others(keys), tries, self.ahead,
                        root=root, known=known)
        group.met |= made.met
        return made


def _paths(table: MoveTable, at: int) -> list[tuple[str | int, ...]]:
    move = table.moves[at]
    return [*(path for path, _ in move.edits), *move.removed, *([("links",)] if move.tuned else [])]
