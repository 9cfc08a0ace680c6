# SPDX-License-Identifier: MIT
"""How many pieces of one bank, placed on the planes of a rail's layout, bring it within a limit; solved again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, hypot, inf

import numpy as np

from pcbrules.analysis.power.droop import DroopTask, solve_droop
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.layout_curves import LayoutTask, heights, solve_layout
from pcbrules.analysis.power.more_pieces import FACTORS, MOST
from pcbrules.analysis.power.plane_rail import PlaneRail
from pcbrules.analysis.power.rail_task import BoundRail, bank_text, bind_rail
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_layout import PartPlaces, RailLayout, least_distance
from pcbrules.results.facts.power import MorePieces
from pcbrules.results.finding import Status
from pcbrules.ties import least_of
from pcbrules.units import show

Nominal = Callable[[PlaneRail], float]
"""The number of a rail that is held to a limit."""
Worst = Callable[[BoundLayout], float]
"""The largest of it in all variants."""


POINTS = 61
"""Of a curve of |Z| that say that it misses a limit before all of it is solved."""
SURELY = 1.01
"""Factor on a limit from which it is missed whatever a finer curve adds."""


@dataclass(frozen=True)
class PlacedBanks:
    """The banks of a rail with a layout, and the rail with another number of pieces in one of them."""

    board: Board
    name: str
    rail: Rail
    conditions: Conditions
    over_frequency: bool

    def fewest(
        self, limit: float, alone: Nominal, most: Worst, at_least: Nominal = lambda rail: -inf
    ) -> MorePieces | None:
        """The fewest pieces of one bank with which a number meets its limit; as of ``more_pieces.ImpedanceCure``.

        ``at_least`` is a number that ``alone`` is not below, and quicker: it says of most that they miss the limit.
        """
        layout, labels = self.rail.layout, self._labels()
        found = [one for place, step in enumerate(self.rail.ladder or ())
                 if step.bank is not None and layout and place in labels
                 for one in self._bank(place, labels[place], layout, limit, alone, at_least)]
        cures = [one for one in found if one[1].value <= limit]
        if not cures:
            return least_of([one for _, one in found], key=lambda one: one.value, default=None)
        place, best = least_of(cures, key=lambda one: one[1].count - one[1].before)
        made = self._with(place, best.count)
        worst = most(made) if made else inf
        return replace(best, becomes=Status.PASS if worst <= limit else Status.MARGINAL)

    def _bank(
        self, place: int, label: str, layout: RailLayout, limit: float, alone: Nominal, at_least: Nominal
    ) -> Iterator[tuple[int, MorePieces]]:
        """The fewest pieces of a bank that meet the limit; else the most that are proposed and have room."""
        bank = (self.rail.ladder or ())[place].bank
        if bank is None or label not in layout.banks:
            return
        spots, last = layout.banks[label], None
        for factor in FACTORS:
            count = ceil(factor * bank.count)
            if count > MOST or (spots.at and factor != round(factor)):
                continue
            made = self._with(place, count) if _room(spots, count, layout) else None
            if made is None:
                break
            value = None if at_least(made.rail) > SURELY * limit else alone(made.rail)
            last = made.rail, count, value
            if value is not None and value <= limit:
                break
        if last is not None:
            rail, count, value = last
            yield place, MorePieces(bank=bank_text(self.board, label, bank), before=bank.count, count=count,
                                    value=alone(rail) if value is None else value,
                                    where=_where(spots, count, bank.count, layout), room=True)

    def _labels(self) -> dict[int, str]:
        """Names of the banks by their places in the ladder."""
        bound = bind_rail(self.board, self.name, self.rail, self.conditions, planes=False)
        return {one.index: one.name for one in bound.banks} if isinstance(bound, BoundRail) else {}

    def _with(self, place: int, count: int) -> BoundLayout | None:
        """The rail with so many pieces in a bank; None where it cannot be had."""
        steps = list(self.rail.ladder or ())
        bank = steps[place].bank
        if bank is None:
            return None
        steps[place] = steps[place].model_copy(update={"bank": bank.model_copy(update={"count": count})})
        rail = self.rail.model_copy(update={"ladder": tuple(steps)})
        bound = bind_rail(self.board, self.name, rail, self.conditions, planes=False)
        if not isinstance(bound, BoundRail):
            return None
        made = bind_layout(self.board, self.name, rail, self.conditions,
                           bound.over_frequency() if self.over_frequency else bound)
        return made if isinstance(made, BoundLayout) else None


@dataclass(frozen=True)
class PlacedImpedanceCure:
    """The search for a rail with a layout whose |Z| is too large."""

    banks: PlacedBanks

    def __call__(self, start: float, end: float, widest: float, limit: float) -> MorePieces | None:
        """As of ``more_pieces.ImpedanceCure``."""
        return self.banks.fewest(
            limit, lambda made: _highest(LayoutTask(made, ()), start, end),
            lambda made: _highest(LayoutTask(made.rail, made.variants), start, widest),
            lambda made: float(heights(LayoutTask(made, ()), np.geomspace(start, end, POINTS)).max()))


@dataclass(frozen=True)
class PlacedDroopCure:
    """The search for a rail with a layout whose droop or overshoot is too large."""

    banks: PlacedBanks
    task: DroopTask

    def __call__(self, limit: float, *, overshoot: bool) -> MorePieces | None:
        """As of ``more_pieces.DroopCure``."""
        asked = self.task if overshoot else replace(self.task, release_inductance=None)

        def seen(task: DroopTask) -> tuple[float, float]:
            found = solve_droop(task)
            one = None if found is None else (found.overshoot or found.linear) if overshoot else found.droop
            return (inf, inf) if one is None else (one.value, one.hi)

        return self.banks.fewest(
            limit, lambda made: seen(replace(asked, rail=made, variants=(), ends=()))[0],
            lambda made: seen(replace(asked, rail=made.rail, variants=made.variants))[1])


def _highest(task: LayoutTask, start: float, end: float) -> float:
    """Largest |Z| of a rail and its variants between two frequencies [Hz], peaks and ends among the points. [ohm]"""
    curves = solve_layout(task).curves
    inside = [k for k, at in enumerate(curves.frequencies) if start <= at <= end]
    seen = [curve[k] for curve in (curves.nominal, *curves.corners) for k in inside]
    return max(*seen, float(heights(task, np.array([start, end])).max()))


def _room(spots: PartPlaces, count: int, layout: RailLayout) -> bool:
    """True where so many pieces stand at least as far apart as the vias of one."""
    pitch = layout.vias.pitch.value
    return spots.at is not None or least_distance(spots.places(count, layout, pitch)) >= pitch


def _where(spots: PartPlaces, count: int, before: int, layout: RailLayout) -> str:
    """Where they stand, and how far from the balls the nearest is."""
    (x0, y0), (x1, y1) = layout.package.corners
    near = min(hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0))
               for x, y in spots.places(count, layout, layout.vias.pitch.value))
    how = f"{count // before} on the vias of each" if spots.at else "evenly over its region"
    return f"{how}, from {show(near, 'mm')} off the balls on" if near > 0 else f"{how}, under the balls"
