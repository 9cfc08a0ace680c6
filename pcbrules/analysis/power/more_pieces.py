# SPDX-License-Identifier: MIT
"""How many pieces of one bank bring a rail within a limit, solved again with all its variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, inf

import numpy as np

from pcbrules.analysis.power.droop import DroopTask, solve_droop
from pcbrules.analysis.power.ladder import Bank, RailTask, curve_frequencies, impedance
from pcbrules.results.curve import largest
from pcbrules.results.facts.power import MorePieces
from pcbrules.results.finding import Status
from pcbrules.ties import least_of

FACTORS = (1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
"""Pieces of a bank over those that it has, the first that meets the limit counts [-]."""

MOST = 200
"""Pieces of a bank that are still proposed: practice."""

Largest = Callable[[RailTask], float]
"""The number of a rail that is held to a limit: less is better."""


@dataclass(frozen=True)
class ImpedanceCure:
    """The search for a rail without layout whose |Z| is too large; ``names`` are the place in the ladder of each of its
    banks, its name, and its distance from the balls in words, which may be empty.
    """

    rail: RailTask
    variants: tuple[RailTask, ...]
    names: tuple[tuple[int, str, str], ...]

    def __call__(self, start: float, end: float, widest: float, limit: float) -> MorePieces | None:
        """The fewest pieces with which |Z| [ohm] meets a limit from ``start`` to ``end``, of variants to ``widest``.

        The last of what was tried where no bank alone is enough; None where there is no bank.
        """
        return _fewest(self.names, self.rail, limit, lambda rail: _highest(rail, start, end),
                       lambda change: max(_highest(change(one), start, widest) for one in (self.rail, *self.variants)))


@dataclass(frozen=True)
class DroopCure:
    """The search for a rail without layout whose droop or overshoot is too large."""

    task: DroopTask
    names: tuple[tuple[int, str, str], ...]

    def __call__(self, limit: float, *, overshoot: bool) -> MorePieces | None:
        """The fewest pieces with which the droop, or the overshoot, meets a limit [V]; as of ``ImpedanceCure``."""
        asked = self.task if overshoot else replace(self.task, release_inductance=None)  # a droop has no release
        rail = asked.rail
        if not isinstance(rail, RailTask):
            return None

        def seen(task: DroopTask) -> tuple[float, float]:
            found = solve_droop(task)
            one = None if found is None else (found.overshoot or found.linear) if overshoot else found.droop
            return (inf, inf) if one is None else (one.value, one.hi)

        def alone(changed: RailTask) -> float:
            return seen(replace(asked, rail=changed, variants=(), ends=()))[0]

        def most(change: Callable[[RailTask], RailTask]) -> float:
            others = tuple(change(one) for one in asked.variants if isinstance(one, RailTask))
            return seen(replace(asked, rail=change(rail), variants=others))[1]

        return _fewest(self.names, rail, limit, alone, most)


def _highest(rail: RailTask, start: float, end: float) -> float:
    """Largest |Z| between two frequencies [Hz], peaks and ends among the points. [ohm]"""
    points = np.union1d(curve_frequencies(rail), [start, end])
    return largest(points.tolist(), np.abs(impedance(rail, points)).tolist(), start, end)[1]


def _fewest(
    names: tuple[tuple[int, str, str], ...], rail: RailTask, limit: float, alone: Largest,
    most: Callable[[Callable[[RailTask], RailTask]], float],
) -> MorePieces | None:
    found = [replace(one, where=where) for place, name, where in names
             for one in _bank(place, name, rail, limit, alone)]
    cures = [one for one in found if one.value <= limit]
    if not cures:
        return least_of(found, key=lambda one: one.value, default=None)
    best = least_of(cures, key=lambda one: one.count - one.before)
    place = next(place for place, name, _ in names if name == best.bank)
    worst = most(lambda one: _with_count(one, place, best.count / best.before))
    return replace(best, becomes=Status.PASS if worst <= limit else Status.MARGINAL)


def _bank(place: int, name: str, rail: RailTask, limit: float, alone: Largest) -> Iterator[MorePieces]:
    """The fewest pieces of a bank that meet the limit; else the most that are proposed."""
    bank = rail.ladder[place]
    if not isinstance(bank, Bank):
        return
    tried = None
    for factor in FACTORS:
        if ceil(factor * bank.count) > MOST:
            break
        tried = MorePieces(bank=name, before=bank.count, count=ceil(factor * bank.count),
                           value=alone(_with_count(rail, place, ceil(factor * bank.count) / bank.count)))
        if tried.value <= limit:
            break
    if tried is not None:
        yield tried


def _with_count(rail: RailTask, place: int, times: float) -> RailTask:
    steps = list(rail.ladder)
    bank = steps[place]
    if isinstance(bank, Bank):
        steps[place] = replace(bank, count=round(bank.count * times))
    return replace(rail, ladder=tuple(steps), corners=())
