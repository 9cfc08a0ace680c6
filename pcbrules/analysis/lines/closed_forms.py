# SPDX-License-Identifier: MIT
"""Impedance of a cross-section by closed forms, inside the ranges of their cards; striplines here."""

from __future__ import annotations

import math

from pcbrules.analysis.common.dielectrics import cut
from pcbrules.analysis.lines.closed_microstrip import microstrip
from pcbrules.analysis.lines.closed_plies import (
    PLY_ERROR,
    ClosedForm,
    TraceCopper,
    contrast,
    copper,
    crowded,
    height,
    mixed,
    region,
)
from pcbrules.analysis.lines.task import LineTask
from pcbrules.constants import EPSILON_0, LIGHT
from pcbrules.missing import Missing
from pcbrules.physics.lines.stripline import stripline_capacitance, stripline_filling, stripline_pair_capacitance

CONTRAST = 1.28
"""Largest ratio of the permittivities below, beside and above a stripline: that of the fitted sections."""


def closed_forms(task: LineTask) -> ClosedForm | Missing:
    """Impedance of a cross-section, or why there is no closed form for it.

    Parameters
    ----------
    task : LineTask
        Cross-section.

    Returns
    -------
    ClosedForm or Missing
        The impedance, or the reason.
    """
    if not task.below:
        return Missing("no plane below the trace: no closed form")
    if task.ground:
        return Missing("ground beside the trace: no closed form")
    if task.second is not None:
        return Missing("legs on two layers: no closed form")
    plies = (*task.below, *task.above, *((task.cover,) if task.cover else ()))
    lengths = (task.width_foot, task.width_top, task.thickness, *(ply.thickness for ply in plies))
    if not min(lengths) > 0 or (task.gap is not None and not task.gap > 0):
        return Missing("a width, a gap or a thickness is not positive")
    made = copper(task)
    if not task.above:
        return microstrip(task, made)
    if not task.closed:
        return Missing("embedded microstrip")
    if task.cover:
        return Missing("solder mask over a trace between planes")
    if height(task.above) <= task.thickness * (1 + 1e-9):
        return Missing("the plane above touches the trace")
    return _stripline(task, made)


def _stripline(task: LineTask, made: TraceCopper) -> ClosedForm | Missing:
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
        return Missing(f"{kind}, lengths over plane spacing: {reason}")
    if gap is None:
        air = stripline_capacitance(width=width, thickness=thickness, position=position, taper=taper)
    else:
        _, air = stripline_pair_capacitance(width=width, gap=gap, thickness=thickness, position=position, taper=taper)
    weights = stripline_filling(width=width, gap=gap, thickness=thickness, position=position, taper=taper)
    eps_eff = float(weights[:, -1] @ dks)
    error = math.hypot(card.u or 0.0, stripline_filling.card.u or 0.0, PLY_ERROR * (contrast(regions) - 1))
    return ClosedForm(1 / (LIGHT * EPSILON_0 * float(air) * math.sqrt(eps_eff)), card.name, error)
