# SPDX-License-Identifier: MIT
"""The planes between the capacitors of a ladder, as the drawn copper of the rail has them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.ir_drop.drawn_spreading import DrawnSpreading, drawn_spreading
from pcbrules.analysis.ir_drop.solve import grid_flow, on_triangles, solve_flow, triangle_flow
from pcbrules.analysis.ir_drop.undeclared import rail_tasks
from pcbrules.arrays import Real
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import RailCopper
from pcbrules.model.stack import Stack
from pcbrules.ties import greatest_of, least_of

FORK = 0.1
"""Part of the drop by which those of several loads may differ: up to there one line of planes serves them; practice.
[-]"""

LOW, HIGH = 0.8, 1.25
"""What the inductance of drawn copper may be over its value: lines of a local width over whole ground, no barrels;
against the inductance of plates between two places it is within that (tests). [-]"""


def drawn_ladder(
    rail: Rail, stack: Stack | None, conditions: Conditions, at: str
) -> tuple[tuple[Interval, Interval], ...] | Missing:
    """Loop resistance [ohm] and inductance [H] of every step of the ladder, zero of what is not drawn.

    Direct current from the regulator to the balls leaves a voltage at each capacitor. The part of it that lies between
    two capacitors is the part of resistance and inductance between them. One that has less than a capacitor nearer to
    the balls counts as standing at that one's place: no capacitor is nearer than it is.
    """
    if rail.copper is None:
        return Missing("the copper of the rail is not drawn", f"{at}.copper")
    found = drawn_spreading(rail, stack, conditions)
    if found is None or stack is None:
        return Missing("the copper of the rail could not be solved", f"{at}.copper")
    if not found.inductance:
        return Missing("no ground lies beside the copper of the rail", f"{at}.copper.return")
    places = _places(rail, stack, conditions, at)
    return places if isinstance(places, Missing) else tuple(_steps(rail, found, places))


def _steps(rail: Rail, found: DrawnSpreading, places: list[float]) -> list[tuple[Interval, Interval]]:
    """Steps between places, from 1 at the regulator to 0 at the balls."""
    none = Interval(lo=0.0, value=0.0, hi=0.0)
    parts = iter([a - b for a, b in pairwise([1.0, *places, 0.0])])
    steps, due = [], next(parts)
    for step in rail.ladder or ():
        if step.bank is not None:
            due += next(parts)
            steps.append((none, none))
        elif step.spreading is not None and step.spreading.drawn:
            own = found.inductance * due
            steps.append((found.resistance.times(due), Interval(lo=own * LOW, value=own, hi=own * HIGH)))
            due = 0.0
        else:
            steps.append((none, none))
    return steps


def _places(rail: Rail, stack: Stack, conditions: Conditions, at: str) -> list[float] | Missing:
    """Of every bank the part of the supply's drop that lies between it and the balls. [-]"""
    copper = rail.copper
    if copper is None:
        return Missing("the copper of the rail is not drawn", f"{at}.copper")
    task = rail_tasks(copper, stack, conditions).drawn[0]
    flow = triangle_flow(task, 2) if on_triangles(task) else grid_flow(task, solve_flow(task).step)
    sources, draws = list(task.sources), np.array(task.draws or [1.0] * len(task.balls))
    start = float(flow.terminals[sources] @ flow.entering[sources] / flow.entering[sources].sum())
    if task.sense is not None:
        start = float(flow.terminals[task.sense])
    end = float(flow.terminals[list(task.balls)] @ draws / draws.sum())
    fork = _fork(copper, flow.terminals[list(task.balls)], draws, start, at)
    if fork is not None:
        return fork
    order = [sheet.layer for sheet in copper.sheets]
    found = []
    for i, step in enumerate(rail.ladder or ()):
        if step.bank is None:
            continue
        tap = step.bank.tap
        if tap is None or tap.layer not in order:
            return Missing("the place of a capacitor on the drawn copper is not declared", f"{at}.ladder[{i}].bank.tap")
        x, y = (np.array([one.value]) for one in tap.at)
        volts = float(flow.at(order.index(tap.layer), x, y)[0])
        if not np.isfinite(volts) or start == end:
            return Missing("a capacitor does not stand on the drawn copper", f"{at}.ladder[{i}].bank.tap")
        found.append(min(max((volts - end) / (start - end), 0.0), 1.0))
    for k in range(len(found) - 2, -1, -1):
        found[k] = max(found[k], found[k + 1])
    return found


def _fork(copper: RailCopper, volts: Real, draws: Real, start: float, at: str) -> Missing | None:
    """Why loads that stand on different branches of the copper have no line of planes and capacitors in common.

    ``volts`` and ``draws`` are those of the balls, one after the other.
    """
    names = [field.name for field in copper.balls for _ in range(field.columns * field.rows)]
    if len(names) != len(volts) or None in names:
        return None
    parts = list(dict.fromkeys(names))
    drops = [start - float(np.average(volts[own], weights=draws[own]))
             for own in (np.array([one == name for one in names]) for name in parts)]
    most, least = greatest_of(drops, key=abs), least_of(drops, key=abs)
    if most - least <= FORK * abs(most):
        return None
    each = ", ".join(f"{name} {drop / most:.0%}" for name, drop in zip(parts, drops, strict=True))
    return Missing(f"its loads stand on different places of the copper, at these parts of the longest way: {each}; "
                   "write a rail of the same net for each load", f"{at}.copper.balls")
