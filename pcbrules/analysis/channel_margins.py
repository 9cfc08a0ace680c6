# SPDX-License-Identifier: MIT
"""How far the curves of a channel stay from masks over frequency, with what models and fabrication make of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.channel_modes import losses as mode_losses
from pcbrules.analysis.channel_row import CORNERS, Corner, Row, evenly
from pcbrules.analysis.channel_task import ChannelTask, LineSpec, Margin, MaskSpec
from pcbrules.analysis.line_spread import impedance_spread
from pcbrules.analysis.lines import LineTask, Unsupported
from pcbrules.analysis.loss_fit import fitted_curve, fitted_loss
from pcbrules.physics.extremes import first_least
from pcbrules.ties import least_of

Real = NDArray[np.float64]

LOWEST = 50e6
"""Lowest frequency of a return loss and of a fit [Hz]: IEEE 802.3 annex 93A."""

DEEPEST = 80.0
"""Largest return loss that is told apart from none [dB]."""

LOT_SPREAD = 0.10
"""Spread of loss from lot to lot [-]: practice."""


def margins(task: ChannelTask, row: Row, error: float) -> tuple[Margin, ...]:
    """Least margin to every mask of the task.

    Parameters
    ----------
    task : ChannelTask
        With its masks.
    row : Row
        Its networks; every element must be solved.
    error : float
        Model error (k = 2) of the insertion loss as a part of it. [-]

    Returns
    -------
    tuple of Margin
        One per mask, in their order.
    """
    if not task.masks:
        return ()
    losses = {corner: mode_losses(row, corner) for corner in CORNERS}
    found = []
    for mask in task.masks:
        if mask.quantity == "return-loss":
            found.append(_return_loss(task, row, mask, losses))
        elif mask.quantity == "insertion-loss":
            found.append(_insertion_loss(row, mask, losses["value"][0], error))
        else:
            found.append(_deviation(task, row, mask, [losses[corner][0] for corner in CORNERS]))
    return tuple(found)


def _return_loss(task: ChannelTask, row: Row, mask: MaskSpec, losses: dict[Corner, tuple[Real, Real, Real]]) -> Margin:
    """Of the worse end; impedances of the lines may be off by their fabrication."""
    inside, limit = mask_limit(mask, row.frequency)
    through = 10 ** (-losses["value"][0][inside] / 10)
    echo = _mismatch(task) / 2 * (1 + through)
    found: list[Margin] = []
    for port in (1, 2):
        size = np.array([10 ** (-losses[corner][port][inside] / 20) for corner in CORNERS])
        nominal = _decibels(size[0]) - limit
        at = first_least(nominal)
        least = float((_decibels(np.minimum(size.max(axis=0) + echo, 1.0)) - limit).min())
        most = float((_decibels(np.maximum(size.min(axis=0) - echo, 0.0)) - limit).min())
        value = float(nominal[at])
        found.append(Margin(value, min(least, value), max(most, value), float(row.frequency[inside][at]),
                            float(limit[at]), port))
    return least_of(found, key=lambda margin: margin.value)


def _decibels(size: Real) -> Real:
    return np.asarray(np.minimum(-20 * np.log10(np.maximum(size, 1e-30)), DEEPEST))


def _insertion_loss(row: Row, mask: MaskSpec, loss: Real, error: float) -> Margin:
    inside, limit = mask_limit(mask, row.frequency)
    curve, share = loss[inside], float(np.hypot(error, LOT_SPREAD))
    margin = limit - curve
    at = first_least(margin)
    least, most = (float((limit - curve * (1 + sign * share)).min()) for sign in (1, -1))
    return Margin(float(margin[at]), least, most, float(row.frequency[inside][at]), float(limit[at]), 0)


def _deviation(task: ChannelTask, row: Row, mask: MaskSpec, losses: list[Real]) -> Margin:
    """Deviation from the loss fitted up to 1.5 times Nyquist, of either sign."""
    inside, limit = mask_limit(mask, row.frequency)
    even = evenly(row.key, task.nyquist)
    kept = []
    for loss in losses:
        fit = fitted_loss(row.frequency[even], loss[even], f_min=LOWEST, f_max=1.5 * task.nyquist)
        kept.append(limit - np.abs(loss[inside] - fitted_curve(fit, row.frequency[inside])))
    least = [float(margin.min()) for margin in kept]
    at = first_least(kept[0])
    return Margin(least[0], min(least), max(least), float(row.frequency[inside][at]), float(limit[at]), 0)


def mask_limit(mask: MaskSpec, frequency: Real) -> tuple[NDArray[np.bool_], Real]:
    """Where the mask holds (n,), and its value there [dB]."""
    limit = np.full(len(frequency), np.nan)
    for start, stop, constant, root, linear, square, cube, decade in mask.pieces:
        inside = (frequency >= start * (1 - 1e-9)) & (frequency <= stop * (1 + 1e-9)) & np.isnan(limit)
        x = frequency[inside] / 1e9
        limit[inside] = constant + root * np.sqrt(x) + linear * x + square * x**2 + cube * x**3 + decade * np.log10(x)
    inside = ~np.isnan(limit)
    return inside, limit[inside]


def _mismatch(task: ChannelTask) -> float:
    """Largest part by which fabrication may move the impedance of a line. [-]"""
    lines = [element for element in task.elements if isinstance(element, LineSpec)]
    return max(map(line_spread, lines), default=0.0)


def line_spread(line: LineSpec) -> float:
    """Part by which the impedance of a line may be off: by fabrication, and by what the file does not say. [-]"""
    fabrication = impedance_tolerance(line.task, line.tolerances, line.ordered)
    return float(np.hypot(fabrication, impedance_doubt(line.task, line.u_dk, line.taper)))


@lru_cache(maxsize=4096)
def impedance_doubt(task: LineTask, u_dk: float, taper: float) -> float:
    """Part by which an impedance may be off because Dk [-] or the width of the top [m] is not known. [-]"""
    found = impedance_spread(task, dict(zip(NAMES, (taper / 2, 0.0, 0.0, 0.0), strict=True))) if taper else (0.0, {})
    return float(np.hypot(u_dk / 2, 0.0 if isinstance(found, Unsupported) else found[0]))


@lru_cache(maxsize=4096)
def impedance_tolerance(task: LineTask, tolerances: tuple[float, ...], ordered: float | None = None) -> float:
    """Part by which fabrication may move the impedance of a line: tolerances in the order of ``NAMES``, class. [-]"""
    if not tolerances:
        return ordered or 0.0
    found = impedance_spread(task, dict(zip(NAMES, tolerances, strict=True)))
    if isinstance(found, Unsupported):
        return ordered or 0.0
    return found[0] if ordered is None else min(found[0], ordered)


NAMES = ("width", "dielectric", "copper", "dk")
"""What the tolerances of a line are of."""
