# SPDX-License-Identifier: MIT
"""Impedance of a microstrip by closed forms, bare or under solder mask."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.lines.closed_plies import (
    PLY_ERROR,
    ClosedForm,
    PlyRegion,
    TraceCopper,
    contrast,
    crowded,
    height,
    mixed,
    region,
)
from pcbrules.analysis.lines.task import LineTask
from pcbrules.arrays import Real
from pcbrules.constants import EPSILON_0, LIGHT
from pcbrules.missing import Missing
from pcbrules.physics.lines.microstrip import (
    microstrip_capacitance,
    microstrip_pair_capacitance,
    microstrip_pair_permittivity,
    microstrip_permittivity,
)
from pcbrules.physics.lines.solder_mask import THICKNESSES, mask_pair_permittivity, mask_permittivity

MASK_OVER_GAP = 0.4
"""Largest mask on a trace, and so beside it, over the narrowest gap: that of the fitted sections."""

@dataclass(frozen=True, slots=True)
class _Shape:
    """Lengths over the height [-], and taper [-]; mask on the laminate and on the trace, zero if there is none."""

    width: float
    gap: float | None
    thickness: float
    taper: float
    on_laminate: float
    over_trace: float


def microstrip(task: LineTask, made: TraceCopper) -> ClosedForm | Missing:
    """Impedance of a task without a plane above."""
    tall = height(task.below)
    shape = _Shape(
        width=made.width / tall,
        gap=None if made.gap is None else made.gap / tall,
        thickness=made.thickness / tall,
        taper=made.taper,
        on_laminate=task.cover.thickness / tall if task.cover else 0.0,
        over_trace=(task.cover_over_trace or 0.0) / tall if task.cover else 0.0,
    )
    regions = [region(task.below), *([PlyRegion(((1.0, task.cover.material),))] if task.cover else [])]
    dks = [part.dk() for part in regions]
    single = shape.gap is None
    bare = microstrip_permittivity.card if single else microstrip_pair_permittivity.card
    mask = mask_permittivity.card if single else mask_pair_permittivity.card
    reason = _outside(shape, dks) or crowded(made, tall) or mixed(regions)
    if reason:
        kind = "microstrip" if single else "edge-coupled microstrip"
        return Missing(f"{kind}, lengths over its height: {reason}")
    impedance = 1 / (LIGHT * EPSILON_0 * float(_air(shape)[-1]) * math.sqrt(float(_permittivity(shape, dks)[-1])))
    covered = mask.u or 0.0 if task.cover else 0.0
    error = math.hypot(bare.u or 0.0, covered, PLY_ERROR * (contrast(regions) - 1))
    return ClosedForm(impedance, mask.name if task.cover else bare.name, error)


def _outside(shape: _Shape, dks: list[float]) -> str | None:
    single = shape.gap is None
    bare = microstrip_permittivity.card if single else microstrip_pair_permittivity.card
    reason: str | None = bare.outside(width=shape.width, thickness=shape.thickness, taper=shape.taper, dk=dks[0])
    if reason is None and shape.gap is not None:
        reason = bare.outside(gap=shape.gap)
    if reason or len(dks) == 1:
        return reason
    if shape.over_trace <= 0:
        return "thickness of the solder mask over the trace is not declared"
    mask = mask_permittivity.card if single else mask_pair_permittivity.card
    reason = mask.outside(
        width=shape.width, dk=dks[0], mask_dk=dks[1], on_laminate=shape.on_laminate, over_trace=shape.over_trace
    )
    if reason is None and not THICKNESSES[0] <= shape.thickness <= THICKNESSES[1]:
        reason = f"copper thickness {shape.thickness:.4g} is outside {THICKNESSES[0]:g} to {THICKNESSES[1]:g}"
    if reason is None and shape.gap is not None:
        reason = mask.outside(gap=shape.gap)
        if reason is None and shape.over_trace > MASK_OVER_GAP * (shape.gap - shape.taper * shape.thickness / 2):
            reason = "the mask fills most of the gap"
    if reason is None and shape.on_laminate > shape.thickness + shape.over_trace:
        reason = "the mask on the laminate is higher than that on the trace"
    return f"solder mask over the trace: {reason}" if reason else None


def _air(shape: _Shape) -> Real:
    if shape.gap is None:
        one = microstrip_capacitance(width=shape.width, thickness=shape.thickness, taper=shape.taper)
        return np.array([one])
    return microstrip_pair_capacitance(width=shape.width, gap=shape.gap, thickness=shape.thickness, taper=shape.taper)


def _permittivity(shape: _Shape, dks: list[float]) -> Real:
    """Effective permittivity of one trace, or even and odd."""
    width, thickness, taper, dk = shape.width, shape.thickness, shape.taper, dks[0]
    if shape.gap is None:
        value = np.array([microstrip_permittivity(width=width, thickness=thickness, taper=taper, dk=dk)])
    else:
        value = microstrip_pair_permittivity(width=width, gap=shape.gap, thickness=thickness, taper=taper, dk=dk)
    if len(dks) == 1:
        return value
    on, over = shape.on_laminate, shape.over_trace
    if shape.gap is None:
        one = mask_permittivity(width=width, dk=dk, mask_dk=dks[1], on_laminate=on, over_trace=over)
        return np.asarray(value + one)
    both = mask_pair_permittivity(
        width=width, gap=shape.gap, thickness=thickness, dk=dk, mask_dk=dks[1], on_laminate=on, over_trace=over
    )
    return np.asarray(value + both)
