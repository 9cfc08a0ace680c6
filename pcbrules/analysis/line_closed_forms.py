# SPDX-License-Identifier: MIT
"""Modes of a cross-section by closed forms, inside the ranges of their cards; striplines here."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.line_fields import (
    PLY_ERROR,
    Copper,
    Mode,
    Modes,
    contrast,
    copper,
    crowded,
    cut,
    height,
    mixed,
    region,
)
from pcbrules.analysis.line_microstrip import microstrip
from pcbrules.analysis.line_types import LineTask, ModeName, Unsupported
from pcbrules.physics.stripline import stripline_capacitance, stripline_filling, stripline_pair_capacitance

CONTRAST = 1.28
"""Largest ratio of the permittivities below, beside and above a stripline: that of the fitted sections."""


U_FILLING = 0.02
"""Error (k = 2) of the weight of a dielectric beside a stripline, as part of the whole: participations of the same
sections and of the independent finite-element reference [-]."""


def closed_forms(task: LineTask) -> Modes | Unsupported:
    """Modes of a cross-section, or why there is no closed form for it.

    Parameters
    ----------
    task : LineTask
        Cross-section.

    Returns
    -------
    Modes or Unsupported
        Both modes, or the reason.
    """
    if not task.below:
        return Unsupported("no plane below the trace: no closed form")
    plies = (*task.below, *task.above, *((task.cover,) if task.cover else ()))
    lengths = (task.width_foot, task.width_top, task.thickness, *(ply.thickness for ply in plies))
    if not min(lengths) > 0 or (task.gap is not None and not task.gap > 0):
        return Unsupported("a width, a gap or a thickness is not positive")
    made = copper(task)
    if not task.above:
        return microstrip(task, made)
    if not task.closed:
        return Unsupported("embedded microstrip")
    if task.cover:
        return Unsupported("solder mask over a trace between planes")
    if height(task.above) <= task.thickness * (1 + 1e-9):
        return Unsupported("the plane above touches the trace")
    return _stripline(task, made)


def _stripline(task: LineTask, made: Copper) -> Modes | Unsupported:
    beside, over = cut(task.above, made.thickness)
    below, above = height(task.below), height(over)
    spacing = below + made.thickness + above
    width, thickness, position, taper = (
        made.width / spacing,
        made.thickness / spacing,
        below / (below + above),
        made.taper,
    )
    gap = None if made.gap is None else made.gap / spacing
    regions = (region(task.below), region(beside, decay=1.0), region(over))
    card = stripline_capacitance.card if gap is None else stripline_pair_capacitance.card
    reason = (
        card.outside(width=width, thickness=thickness, position=position, taper=taper)
        or (None if gap is None else card.outside(gap=gap))
        or crowded(made, below, above)
        or mixed(regions)
    )
    dks = [part.dk() for part in regions]
    if reason is None and max(dks) > CONTRAST * min(dks):
        reason = f"permittivities {min(dks):.3g} and {max(dks):.3g} around the trace are too far apart"
    if reason:
        kind = "stripline" if gap is None else "edge-coupled stripline"
        return Unsupported(f"{kind}, lengths over plane spacing: {reason}")
    if gap is None:
        air = np.array([stripline_capacitance(width=width, thickness=thickness, position=position, taper=taper)])
    else:
        air = stripline_pair_capacitance(width=width, gap=gap, thickness=thickness, position=position, taper=taper)
    weights = stripline_filling(width=width, gap=gap, thickness=thickness, position=position, taper=taper)
    found = []
    for i, capacitance in enumerate(air.tolist()):
        filling = tuple(zip(weights[:, i].tolist(), regions, strict=True))
        name: ModeName = "single" if gap is None else "odd" if i else "even"
        found.append(Mode(name, capacitance, 0.0, filling, ()))
    error = math.hypot(card.u or 0.0, stripline_filling.card.u or 0.0, PLY_ERROR * (contrast(regions) - 1))
    return Modes(found[0], found[-1], card.name, error, U_FILLING)
