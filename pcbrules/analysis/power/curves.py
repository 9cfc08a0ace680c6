# SPDX-License-Identifier: MIT
"""Curves of a rail, of its variants, and of the rail with one bank taken out, on one grid that holds all peaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from pcbrules.analysis.power.ladder import RailTask, at_die, curve_frequencies, impedance
from pcbrules.arrays import distinct
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.results.curve import Exact, Rows, with_points
from pcbrules.solver_cache import solved_once


@dataclass(frozen=True, slots=True)
class CurveTask:
    """A rail, its variants, and the places in its ladder of the banks to take out in turn."""

    rail: RailTask
    variants: tuple[RailTask, ...]
    banks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RailCurves:
    """|Z| [ohm] at rising frequencies [Hz]: nominal, of each variant, without each bank; its maximum at the die.

    ``exact`` gives the same rows, in this order, at any frequency between the first and the last.
    """

    frequencies: tuple[float, ...]
    nominal: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]
    without: tuple[tuple[float, ...], ...]
    die: tuple[float, float] | None
    exact: Exact = field(compare=False)

    def through(self, *places: float) -> RailCurves:
        """The curves with the exact |Z| at further frequencies [Hz]: the ends of a band are among the points."""
        rows = (self.nominal, *self.corners, *self.without)
        frequencies, rows = with_points(self.frequencies, rows, self.exact, places)
        count = 1 + len(self.corners)
        return replace(self, frequencies=frequencies, nominal=rows[0], corners=rows[1:count], without=rows[count:])


@solved_once
def solve_curves(task: CurveTask) -> RailCurves:
    """All curves of a rail."""
    rails = _rails(task)
    grids = [curve_frequencies(rail) for rail in rails]
    frequency = distinct(np.concatenate(grids))
    curves = _heights(task, frequency.tolist())
    count, die = 1 + len(task.variants), None
    seen = at_die(rails[0], grids[0], impedance(rails[0], grids[0]))
    if seen is not None:
        place = first_greatest(seen)
        die = (float(grids[0][place]), float(seen[place]))
    return RailCurves(
        frequencies=tuple(frequency.tolist()),
        nominal=curves[0],
        corners=curves[1:count],
        without=curves[count:],
        die=die,
        exact=partial(_heights, task),
    )


def _rails(task: CurveTask) -> list[RailTask]:
    """The rail, its variants, and the rail without each bank."""
    ladder = task.rail.ladder
    less = [replace(task.rail, ladder=ladder[:i] + ladder[i + 1 :]) for i in task.banks]
    return [replace(rail, corners=()) for rail in (task.rail, *task.variants, *less)]


def _heights(task: CurveTask, frequencies: Sequence[float]) -> Rows:
    at = np.array(frequencies)
    return tuple(tuple(np.abs(impedance(rail, at)).tolist()) for rail in _rails(task))
