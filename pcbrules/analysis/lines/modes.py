# SPDX-License-Identifier: MIT
"""Modes of a cross-section by the field solver."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pcbrules.analysis.lines.broadside_legs import of_legs, share_of_loss, unequal_legs
from pcbrules.analysis.lines.mode_fields import LineModes, Mode, reference_dk
from pcbrules.analysis.lines.polygons import DrawnSection, draw
from pcbrules.analysis.lines.process_variation import MOVES
from pcbrules.analysis.lines.task import LineTask, ModeName
from pcbrules.constants import EPSILON_0
from pcbrules.missing import Missing
from pcbrules.physics.lines.cross_section.crowding import crowding
from pcbrules.physics.lines.cross_section.electrostatic import solve, solve_modes
from pcbrules.physics.lines.cross_section.fields import Fields
from pcbrules.physics.lines.cross_section.section import Section
from pcbrules.solver_cache import solved_once

CARD = "field solver"

U_Z, U_MASK = 5e-4, 5e-3
"""Error (k = 2) of the impedance of a given section [-]: 31 independent sections agree to 1e-5; the rest is for sharp
corners and straight sides, which etched copper has not, and for those of solder mask, which flows."""

U_FILLING, U_FILLING_MASK = 1e-3, 1e-2
"""Error (k = 2) of the dielectric loss for given materials [-]. Weights are 3e-5 right at the reference; far from it
they are those of the reference still, which makes up to 1 % between air and a mask whose Dk falls by 5 % a decade."""

MOST = 160
"""Panels at most: four times what a pair under solder mask takes; twice as many with ground
beside it, or legs on two layers."""


STEP = 1e-5
"""Part of the thickness, of the heights, and of the width or the gap by which a section is moved for a slope [-]."""


def modes(task: LineTask) -> LineModes | Missing:
    """Modes of a cross-section with their slopes, or why there are none."""
    return _solved(replace(task, **COPPER), True)


def modes_alone(task: LineTask) -> LineModes | Missing:
    """As ``modes`` without the slopes, in half the time: for a section whose fabrication nobody asks for."""
    return _solved(replace(task, **COPPER), False)


COPPER: dict[str, Any] = {"rz": (0.0,) * 4, "resistivity_trace": 1.0, "resistivity_plane": 1.0, "temperature": 20.0,
                           "plating": ()}
"""What the fields outside the copper do not depend on."""


@solved_once
def _solved(task: LineTask, sloped: bool) -> LineModes | Missing:
    reason = _impossible(task)
    if reason:
        return Missing(reason)
    drawn = draw(task, reference_dk)
    section = drawn.section
    most = MOST if task.ground is None and task.second is None else 2 * MOST
    moved = [_moved(task, section, name) for name in MOVES] if sloped else []
    moves = [one for one, _ in moved]
    legs: tuple[ModeName, ...] = ("even", "odd")
    names: tuple[ModeName, ...] = legs if task.pair else ("single",)
    u_z, u_filling = (U_MASK, U_FILLING_MASK) if task.cover else (U_Z, U_FILLING)
    shares = [1.0 / len(names)] * len(names)
    try:
        if task.second is not None:
            whole = solve(section, most=most, moves=moves)
            solved, shares = [of_legs(whole, name) for name in names], [share_of_loss(whole, name) for name in names]
            u_z = math.hypot(u_z, unequal_legs(whole))
        elif task.gap is None:
            solved = [solve(section, most=most, moves=moves)]
        else:
            solved = [*solve_modes(section, most=most, moves=moves)]
    except ValueError as error:
        return Missing(str(error))
    found = [_mode(name, fields, drawn, share) for name, fields, share in zip(names, solved, shares, strict=True)]
    slopes = tuple((name, _slope(solved[-1], k) / step) for k, (name, (_, step)) in
                   enumerate(zip(MOVES, moved, strict=False)))
    return LineModes(found[0], found[-1], CARD, u_z, u_filling, slopes)


def _moved(task: LineTask, section: Section, name: str) -> tuple[Section, float]:
    """The section after a small move, and the move: backwards where it would join or part the mask over two traces."""
    ground = task.ground.gap if task.ground else math.inf
    size = min(task.width_foot, task.width_top, task.gap or math.inf, ground) if name == "width" else 1.0
    forward, back = (draw(MOVES[name](task, step), reference_dk).section for step in (STEP * size, -STEP * size))
    alike = [len(polygon) for polygon, _ in forward.dielectrics] == [len(made) for made, _ in section.dielectrics]
    return (forward, STEP * size) if alike else (back, -STEP * size)


def _slope(fields: Fields, move: int) -> float:
    """Relative change of the impedance by a move: it goes with the root of C and of C0. [-]"""
    return -sum(float(change[0, 0] / whole[0, 0]) for change, whole in
                zip(fields.changes[move], (fields.c, fields.c0), strict=True)) / 2


def _mode(name: ModeName, fields: Fields, drawn: DrawnSection, share: float) -> Mode:
    """One mode per leg; weights are derivatives of its capacitance by the permittivities, over that without them.

    ``share`` is the part of the loss that belongs to one leg [-].
    """
    air = float(fields.c0[0, 0])
    lost = crowding(section=drawn.section, charge=fields.charge, weights=[1.0])
    filling = tuple(
        (float(part[0, 0]) / dk / air, material)
        for part, (_, dk), material in zip(fields.parts, drawn.section.dielectrics, drawn.materials, strict=False)
    )
    empty = float(fields.parts[-1][0, 0]) / air
    return Mode(name, air / EPSILON_0, empty, filling, tuple((share * lost).tolist()))


def _impossible(task: LineTask) -> str | None:
    if not task.below:
        return "no plane below the trace"
    plies = (*task.below, *task.above, *((task.cover,) if task.cover else ()))
    lengths = (task.width_foot, task.width_top, task.thickness, *(ply.thickness for ply in plies))
    sides = (task.ground.gap, task.ground.width) if task.ground else ()
    if not min(*lengths, *sides) > 0 or (task.gap is not None and not task.gap > 0):
        return "a width, a gap or a thickness is not positive"
    if task.above and task.closed and sum(ply.thickness for ply in task.above) <= task.thickness * (1 + 1e-9):
        return "the plane above touches the trace"
    if task.cover and task.above and task.closed:
        return "solder mask over a trace between planes"
    return None
