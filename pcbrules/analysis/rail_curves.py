# SPDX-License-Identifier: MIT
"""Curves of a rail, of its variants, and of the rail with one bank taken out, on one grid that holds all peaks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pcbrules.analysis.pdn_solve import RailTask, impedance, solve_rail
from pcbrules.physics.extremes import first_greatest


@dataclass(frozen=True, slots=True)
class CurveTask:
    """A rail, its variants, and the places in its ladder of the banks to take out in turn."""

    rail: RailTask
    variants: tuple[RailTask, ...]
    banks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """|Z| [ohm] at rising frequencies [Hz]: nominal, of each variant, without each bank; its maximum at the die."""

    frequencies: tuple[float, ...]
    nominal: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]
    without: tuple[tuple[float, ...], ...]
    die: tuple[float, float] | None


@lru_cache(maxsize=64)
def solve_curves(task: CurveTask) -> Curves:
    """All curves of a rail."""
    ladder = task.rail.ladder
    less = [replace(task.rail, ladder=ladder[:i] + ladder[i + 1 :]) for i in task.banks]
    rails = [replace(rail, corners=()) for rail in (task.rail, *task.variants, *less)]
    solved = [solve_rail(rail) for rail in rails]
    frequency = np.unique(np.concatenate([result.frequency for result in solved]))
    curves = [tuple(np.abs(impedance(rail, frequency)).tolist()) for rail in rails]
    first, count = solved[0], 1 + len(task.variants)
    die = None
    if first.die is not None:
        place = first_greatest(first.die)
        die = (float(first.frequency[place]), float(first.die[place]))
    return Curves(
        frequencies=tuple(frequency.tolist()),
        nominal=curves[0],
        corners=tuple(curves[1:count]),
        without=tuple(curves[count:]),
        die=die,
    )
