# SPDX-License-Identifier: MIT
"""Modes of a cross-section by the field solver."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from scipy.constants import epsilon_0

from pcbrules.analysis.line_fields import Mode, Modes, reference_dk
from pcbrules.analysis.line_section import Drawn, draw
from pcbrules.analysis.line_types import LineTask, ModeName, Unsupported
from pcbrules.physics.cross_section.crowding import crowding
from pcbrules.physics.cross_section.electrostatic import Fields, solve, solve_modes

CARD = "field solver"

U_Z, U_MASK = 5e-4, 5e-3
"""Error (k = 2) of the impedance of a given section [-]: 31 independent sections agree to 1e-5; the rest is for sharp
corners and straight sides, which etched copper has not, and for those of solder mask, which flows."""

U_FILLING, U_FILLING_MASK = 1e-3, 1e-2
"""Error (k = 2) of the dielectric loss for given materials [-]. Weights are 3e-5 right at the reference; far from it
they are those of the reference still, which makes up to 1 % between air and a mask whose Dk falls by 5 % a decade."""

MOST = 160
"""Panels at most: four times what a pair under solder mask takes."""


def modes(task: LineTask, *, odd_only: bool = False) -> Modes | Unsupported:
    """Modes of a cross-section, or why there are none.

    Parameters
    ----------
    task : LineTask
        Cross-section.
    odd_only : bool
        For a slope of the impedance: of a pair the odd mode for both, and no crowding.

    Returns
    -------
    Modes or Unsupported
        Both modes, or the reason.
    """
    return _solved(replace(task, **_COPPER), odd_only)


_COPPER: dict[str, Any] = {"rz": (0.0,) * 4, "resistivity_trace": 1.0, "resistivity_plane": 1.0, "temperature": 20.0}
"""What the fields outside the copper do not depend on."""


@lru_cache(maxsize=4096)
def _solved(task: LineTask, odd_only: bool) -> Modes | Unsupported:
    reason = _impossible(task)
    if reason:
        return Unsupported(reason)
    drawn = draw(task, reference_dk)
    section = drawn.section
    try:
        if task.gap is None:
            solved = [solve(section, most=MOST)]
        else:
            solved = solve_modes(section, most=MOST, odd_only=odd_only)
    except ValueError as error:
        return Unsupported(str(error))
    pair: tuple[ModeName, ...] = ("even", "odd")
    names = ("single",) if task.gap is None else pair[-len(solved) :]
    found = [_mode(name, fields, drawn, not odd_only) for name, fields in zip(names, solved, strict=True)]
    return Modes(found[0], found[-1], CARD, *((U_MASK, U_FILLING_MASK) if task.cover else (U_Z, U_FILLING)))


def _mode(name: ModeName, fields: Fields, drawn: Drawn, crowd: bool) -> Mode:
    """One mode per leg; weights are derivatives of its capacitance by the permittivities, over that without them."""
    air = float(fields.c0[0, 0])
    legs = 1 if name == "single" else 2
    crowded = (0.0,) * 5
    if crowd:
        lost = crowding(section=drawn.section, charge=fields.charge, weights=[1.0])
        crowded = tuple((lost / legs).tolist())
    filling = tuple(
        (float(part[0, 0]) / dk / air, material)
        for part, (_, dk), material in zip(fields.parts, drawn.section.dielectrics, drawn.materials, strict=False)
    )
    return Mode(name, air / epsilon_0, float(fields.parts[-1][0, 0]) / air, filling, crowded)


def _impossible(task: LineTask) -> str | None:
    if not task.below:
        return "no plane below the trace"
    plies = (*task.below, *task.above, *((task.cover,) if task.cover else ()))
    lengths = (task.width_foot, task.width_top, task.thickness, *(ply.thickness for ply in plies))
    if not min(lengths) > 0 or (task.gap is not None and not task.gap > 0):
        return "a width, a gap or a thickness is not positive"
    if task.above and task.closed and sum(ply.thickness for ply in task.above) <= task.thickness * (1 + 1e-9):
        return "the plane above touches the trace"
    if task.cover and task.above and task.closed:
        return "solder mask over a trace between planes"
    return None
