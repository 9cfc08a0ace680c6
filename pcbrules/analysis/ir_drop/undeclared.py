# SPDX-License-Identifier: MIT
"""The copper of a rail as drawn, and with the most that it may lack where the board file is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pcbrules.analysis.ir_drop.solve import Flow, FlowTask, solve_flow
from pcbrules.analysis.ir_drop.task import flow_task
from pcbrules.analysis.ir_drop.undrawn_antipads import FRACTION, undeclared_sheets
from pcbrules.analysis.ir_drop.undrawn_return import mirrored, no_better
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail_copper import CopperSide, RailCopper
from pcbrules.model.stack import Stack
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.solver_cache import solved_once
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class WaysTask:
    """Supply, and return where it is drawn, as ``drawn``; ``most`` with assumed antipads and an assumed return.

    ``most`` is empty where the board file says all. ``assumed`` where its last side is the assumed return.
    """

    drawn: tuple[FlowTask, ...]
    most: tuple[FlowTask, ...] = ()
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class WaysSolved:
    """The flows of both; they are one where the board file says all."""

    drawn: tuple[Flow, ...]
    most: tuple[Flow, ...]


def drawn_sides(copper: RailCopper) -> tuple[CopperSide, ...]:
    """Supply, and return where it is drawn."""
    return (copper, copper.return_side) if copper.return_side else (copper,)


def whole_sides(copper: RailCopper, stack: Stack) -> tuple[CopperSide, ...]:
    """Supply and return, which is the supply's drawing on ground planes where it is not drawn."""
    return copper, copper.return_side or mirrored(copper, stack)


def side_tasks(
    sides: tuple[CopperSide, ...], copper: RailCopper, stack: Stack, conditions: Conditions, *, assumed: bool = False
) -> tuple[FlowTask, ...]:
    """A task of each side."""
    balanced = copper.sharing == "balanced"
    return tuple(flow_task(side, stack, temperature=conditions.plane_temperature, balanced=balanced, assumed=assumed)
                 for side in sides)


@solved_once
def rail_tasks(copper: RailCopper, stack: Stack, conditions: Conditions) -> WaysTask:
    """What is to be solved of a rail."""
    drawn = side_tasks(drawn_sides(copper), copper, stack, conditions)
    if not undeclared_copper(copper, ""):
        return WaysTask(drawn)
    most = side_tasks(whole_sides(copper, stack), copper, stack, conditions, assumed=True)
    return WaysTask(drawn, most, copper.return_side is None)


@solved_once
def solve_ways(task: WaysTask) -> WaysSolved:
    """The flow of each side, as drawn and at the most."""
    flows = {one: solve_flow(one) for one in dict.fromkeys((*task.drawn, *task.most))}
    drawn, most = tuple(flows[one] for one in task.drawn), tuple(flows[one] for one in task.most)
    if task.assumed:
        most = most[0], no_better(most[1], most[0])
    return WaysSolved(drawn, most or drawn)


def undeclared_copper(copper: RailCopper, at: str) -> Mapping[str, str]:
    """What is assumed of the copper ``at`` a key, by the key that would declare it."""
    found = {}
    if copper.return_side is None:
        key = f"{at}.return"
        found[key] = f"{key} not declared: assumed from nothing to the supply's shapes on the ground planes beside " \
                     "it, at least as much as the supply takes"
    for side, name in ((copper, at), (copper.return_side, f"{at}.return")):
        for i in undeclared_sheets(side) if side else ():
            key = f"{name}.sheets[{i}].perforated"
            found[key] = f"{key} not declared: assumed from none to antipads over {show(FRACTION, '%')} of the area " \
                         "under the balls"
    return found


def between(least: Measured, most: Measured, key: str) -> Measured:
    """One number of the copper as drawn and of the most that it may lack; they are one where no ``key`` lacks."""
    if not key:
        return most
    ends = [end for one in (least, most) for end in ((one.undeclared.lo, one.undeclared.hi) if one.undeclared
                                                     else (one.value, one.value))]
    return replace(
        most, lo=min(least.lo, most.lo), hi=max(least.hi, most.hi), basis="assumed",
        undeclared=Undeclared(key=key, lo=min(ends), hi=max(ends)))
