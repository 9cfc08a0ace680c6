# SPDX-License-Identifier: MIT
"""What fabrication tolerances make of the impedance of a line: slopes, root of squares."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pcbrules.analysis.lines.mode_fields import REFERENCE, LineModes
from pcbrules.analysis.lines.modes import modes, modes_alone
from pcbrules.analysis.lines.task import LineTask, SecondLeg
from pcbrules.missing import Missing
from pcbrules.solver_cache import solved_once

NAMES = ("width", "dielectric", "copper", "dk", "registration")
"""Order of the tolerances of a line."""

TOLERANCES = {"width": "width", "height": "dielectric", "thickness": "copper"}
"""The tolerance of each move of the section."""

LEAST_TOP = 0.05
"""Narrowest top of a trace over its width [-]: next to a triangle."""


def impedance_spread(task: LineTask, tolerances: Mapping[str, float]) -> tuple[float, dict[str, float]] | Missing:
    """Relative spread of the differential impedance (of one trace: of its own) over fabrication tolerances.

    Parameters
    ----------
    task : LineTask
        Nominal cross-section.
    tolerances : mapping of str to float
        Half widths: ``width`` [m] at constant pitch; relative [-] ``dielectric`` (heights on both sides together,
        the cautious choice), ``copper`` (at constant distance from its faces to the planes) and ``dk`` (all plies
        together); ``registration`` of layers [m], of a broadside pair.

    Returns
    -------
    (float, dict of str to float) or Missing
        Root of the sum of squares, and its parts. [-]
    """
    nominal = modes(task)
    if isinstance(nominal, Missing):
        return nominal
    parts = {}
    for name, slope in nominal.slopes:
        parts[name] = abs(slope) * tolerances[TOLERANCES[name]]
    # the impedance goes with the root of the permittivity, of which the air keeps its part
    air = nominal.odd.empty / float(nominal.odd.permittivity(REFERENCE).real)
    parts["dk"] = tolerances["dk"] * (1 - air) / 2
    if task.second is not None:
        parts["registration"] = _registration(task, task.second, nominal, tolerances["registration"])
    return math.hypot(*parts.values()), parts


def _registration(task: LineTask, second: SecondLeg, nominal: LineModes, off: float) -> float:
    """Largest part by which the impedance moves where the legs lie off each other by so much more or less [m]. [-]"""
    found = [modes_alone(replace(task, second=replace(second, offset=second.offset + way))) for way in (off, -off)]
    moved = [one.odd.impedance() / nominal.odd.impedance() for one in found if not isinstance(one, Missing)]
    return max((abs(one - 1) for one in moved), default=0.0)


@solved_once
def impedance_doubt(
    task: LineTask, u_dk: float, taper: float, thin_mask: float, *, foot_open: bool = False
) -> float:
    """Part by which an impedance may be off because Dk, the shape of the trace or the mask over it is not known. [-]"""
    shape = top_doubt(task, taper) + (foot_doubt(task) if foot_open else 0.0)
    return float(np.hypot(u_dk / 2, shape + mask_doubt(task, thin_mask)))


@solved_once
def top_doubt(task: LineTask, taper: float) -> float:
    """Part by which an impedance is higher where the top of the trace is narrower by as much as may be [m]. [-]"""
    if not taper:
        return 0.0
    top = max(task.width_top - taper, LEAST_TOP * task.width_top)
    drawn, narrow = modes(task), modes_alone(replace(task, width_top=top))
    if isinstance(drawn, Missing) or isinstance(narrow, Missing):
        return 0.0
    return max(narrow.odd.impedance() / drawn.odd.impedance() - 1, 0.0)


@solved_once
def foot_doubt(task: LineTask) -> float:
    """Part by which an impedance moves where the wide face of the trace is the other one, in resin of its side. [-]"""
    side = task.below[0] if not task.foot_up else task.above[min(1, len(task.above) - 1)]
    around = (replace(task.above[0], material=side.material), *task.above[1:])
    here, there = modes(task), modes_alone(replace(task, foot_up=not task.foot_up, above=around))
    if isinstance(here, Missing) or isinstance(there, Missing):
        return 0.0
    return abs(there.odd.impedance() / here.odd.impedance() - 1)


def mask_doubt(task: LineTask, thin_mask: float) -> float:
    """Part by which an impedance is higher under the thinnest mask that may be [m], 0 where the file says it. [-]"""
    if not thin_mask:
        return 0.0
    thick, thin = modes(task), modes_alone(replace(task, cover_over_trace=thin_mask))
    if isinstance(thick, Missing) or isinstance(thin, Missing):
        return 0.0
    ratio = thick.odd.permittivity(REFERENCE).real / thin.odd.permittivity(REFERENCE).real
    return math.sqrt(float(ratio)) - 1


@solved_once
def impedance_tolerance(task: LineTask, tolerances: tuple[float, ...], ordered: float | None = None) -> float:
    """Part by which fabrication may move the impedance of a line: tolerances in the order of ``NAMES``, class. [-]"""
    if not tolerances:
        return ordered or 0.0
    found = impedance_spread(task, dict(zip(NAMES, tolerances, strict=True)))
    if isinstance(found, Missing):
        return ordered or 0.0
    return found[0] if ordered is None else min(found[0], ordered)
