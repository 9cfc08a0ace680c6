# SPDX-License-Identifier: MIT
"""Which changes save cost while everything that passed still passes: of each thing the most, then all that go together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from pcbrules.results.finding import Severity, Status
from pcbrules.results.gate import JUDGED
from pcbrules.rules._over_spec import WITNESSES
from pcbrules.studies.fixing.outcome import Chosen, Judge, Key, SeenFinding, SetOutcome
from pcbrules.studies.fixing.search import excluded_by
from pcbrules.studies.moves.move import Remedy
from pcbrules.ties import least_of, ordered

ORDERED = frozenset({"impedance-control", "fabrication-class"})
"""Families that change what is ordered of fabrication, not what is built: one counts where it moves a judged number."""

LOST = 1e-6
"""Loss of a margin below which it is the same, of the size of the limit [-]."""


@dataclass(frozen=True, slots=True)
class Saving:
    """A change with what it saves, in thousandths of the index; ``nearest`` is what loses most margin by it."""

    at: int
    family: str
    text: str
    saved: int
    nearest: tuple[SeenFinding, SeenFinding] | None


@dataclass(frozen=True, slots=True)
class SavingsFound:
    """The savings that hold alone, and those of them that hold together.

    Of ``unproven`` families none is known: no rule that would say no judges anything. Nor of ``unmoved`` ones, changes
    of the order: no number that is judged depends on them.
    """

    alone: tuple[Saving, ...]
    together: tuple[int, ...]
    judged: int
    unproven: frozenset[str] = frozenset()
    unmoved: frozenset[str] = frozenset()


def unproven(moves: Sequence[Remedy], base: SetOutcome) -> frozenset[str]:
    """Return the families of which no rule that would say no judges anything of a board."""
    judged = {one.rule for one in base.seen if one.status in JUDGED}
    return frozenset(one.family for one in moves
                     if one.family in WITNESSES and judged.isdisjoint(WITNESSES[one.family]))


def savings(moves: Sequence[Remedy], judge: Judge, rules: frozenset[str], base: SetOutcome) -> SavingsFound:
    """Return the changes after which nothing is worse: of each slot the one that saves most.

    Parameters
    ----------
    moves : sequence of Remedy
        By what they save, the most first.
    judge : function
    rules : set of str
    base : SetOutcome
        Of the board as it is.
    """
    judged = 0
    alone: list[Saving] = []
    settled: set[str] = set()
    unmoved: set[str] = set()
    open_ = unproven(moves, base)
    for at, move in enumerate(moves):
        if move.slot in settled or move.family in open_:
            continue
        judged += 1
        (after,) = judge([frozenset({at})], rules)
        if move.family in ORDERED and not after.refused and not moves_a_number(base, after):
            unmoved.add(move.family)
        elif still_passes(base, after):
            settled.add(move.slot)
            alone.append(Saving(at, move.family, move.text, move.cost, _nearest(base, after)))
    apart = excluded_by(moves)
    chosen: Chosen = frozenset()
    for one in alone:
        if not apart[one.at].isdisjoint(chosen):
            continue
        judged += 1
        (after,) = judge([chosen | {one.at}], rules)
        if still_passes(base, after):
            chosen |= {one.at}
    return SavingsFound(tuple(alone), tuple(sorted(chosen)), judged, open_,
                        frozenset(unmoved - {one.family for one in alone}))


def still_passes(base: SetOutcome, after: SetOutcome) -> bool:
    """Return True where nothing fails, and no error or warning is marginal or open, that was not so before.

    Nor may one that fails lose margin, or one that is marginal get beyond its limit. Of advice only a fail counts.
    """
    if after.refused:
        return False
    was = {(one.key, one.status) for one in base.seen}
    if any(_is_lost(one) and (one.key, one.status) not in was for one in after.seen):
        return False
    before, now = _depths(base), _depths(after)
    return all(_no_deeper(before.get(key, []), depths) for key, depths in now.items())


def _is_lost(one: SeenFinding) -> bool:
    open_ = (Status.MARGINAL, Status.NOT_EVALUATED, Status.CRASHED)
    return one.status is Status.FAIL or (one.status in open_ and one.severity is not Severity.ADVICE)


def _depths(seen: SetOutcome) -> dict[Key, list[float]]:
    """How far what fails, and errors and warnings that are marginal, is beyond its limit, the farthest first.

    A number that keeps its limit is as deep as the limit; one that is not known is deeper than any.
    """
    found: dict[Key, list[float]] = {}
    for one in seen.seen:
        if _is_lost(one) and one.status in (Status.FAIL, Status.MARGINAL):
            deep = -one.margin if one.margin is not None else inf
            found.setdefault(one.key, []).append(deep if one.status is Status.FAIL or deep > 0 else 0.0)
    return {key: ordered(depths, key=lambda one: -one) for key, depths in found.items()}


def _no_deeper(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return True where no more findings are beyond a limit than before, and none is farther beyond it."""
    if sum(one > 0 for one in after) > sum(one > 0 for one in before):
        return False
    return all(now <= was + LOST or now <= 0 for was, now in zip(before, after, strict=False))


def moves_a_number(base: SetOutcome, after: SetOutcome) -> bool:
    """Return True where a change moves a number or a limit that is judged."""
    return _judged(base) != _judged(after)


def _judged(seen: SetOutcome) -> set[tuple[Key, str, str]]:
    return {(one.key, one.measured, one.limit) for one in seen.seen if one.status in JUDGED and one.measured}


def _nearest(base: SetOutcome, after: SetOutcome) -> tuple[SeenFinding, SeenFinding] | None:
    """The finding that loses most of its margin, before and after."""
    later = {one.key: one for one in after.seen}
    pairs = [(one, later[one.key]) for one in base.seen if one.key in later and one.margin is not None
             and later[one.key].margin is not None and one.measured != later[one.key].measured]
    found = least_of(pairs, key=lambda one: (one[1].margin or 0.0) - (one[0].margin or 0.0), default=None)
    return found if found and (found[1].margin or 0.0) < (found[0].margin or 0.0) else None


@dataclass(frozen=True, slots=True)
class CheaperBoard:
    """What a board has that its profile does not need.

    Of ``unproven`` families of changes no rule that would say no judges anything, so they are not among them.
    ``saved`` is what the changes of ``together`` save, in thousandths of the index; ``text`` is the board file with
    them, ``patch`` the unified diff to it, both empty without any. Of ``unmoved`` families no judged number depends.
    """

    board: str
    profile: str
    alone: tuple[Saving, ...]
    together: tuple[int, ...]
    judged: int
    text: str
    patch: str
    unproven: tuple[str, ...] = ()
    unmoved: tuple[str, ...] = ()

    @property
    def saved(self) -> int:
        """What all that go together save."""
        return sum(one.saved for one in self.alone if one.at in self.together)
