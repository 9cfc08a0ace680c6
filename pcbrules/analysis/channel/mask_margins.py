# SPDX-License-Identifier: MIT
"""How far the curves of a channel stay from masks over frequency, with what models and fabrication make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.channel.element_chain import CORNERS, Corner, ElementChain, evenly
from pcbrules.analysis.channel.loss_fit import fitted_curve, fitted_loss
from pcbrules.analysis.channel.mode_conversion import losses as mode_losses
from pcbrules.analysis.channel.mode_conversion import return_losses, through_loss
from pcbrules.analysis.channel.ripple import highest, highest_between
from pcbrules.analysis.channel.task import ChannelTask, LeastMargin, LineSpec, MaskSpec
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.lines.impedance_tolerance import impedance_doubt, impedance_tolerance
from pcbrules.arrays import Real
from pcbrules.constants import LOWEST_FITTED
from pcbrules.physics.common.extremes import first_least
from pcbrules.ties import least_of

DEEPEST = 80.0
"""Largest return loss that is told apart from none [dB]."""

LOT_SPREAD = 0.10
"""Spread of loss from lot to lot [-]: practice."""


@dataclass(frozen=True, eq=False)
class MarginCurves:
    """Margins to one mask over frequency, those of one port where it has ports.

    Where the mask holds: ``frequency`` [Hz] and ``limit`` [dB], shapes (n,), and ``rows`` (m, n) [dB], the nominal
    margin first, then those that models and fabrication may make of it.
    """

    frequency: Real
    limit: Real
    rows: Real
    port: int

    def margin(self) -> LeastMargin:
        """Least of each row: nominal, and the smallest and largest of them."""
        at, least = first_least(self.rows[0]), self.rows.min(axis=1)
        margin = Interval(lo=float(least.min()), value=float(least[0]), hi=float(least.max()))
        return LeastMargin(margin, float(self.frequency[at]), float(self.limit[at]), self.port)


def margins(task: ChannelTask, row: ElementChain, error: float) -> tuple[LeastMargin, ...]:
    """Least margin to every mask of the task.

    Parameters
    ----------
    task : ChannelTask
        With its masks.
    row : ElementChain
        Its networks; every element must be solved, and every least margin a point of the grid (``channel_fine``).
    error : float
        Model error (k = 2) of the insertion loss as a part of it. [-]

    Returns
    -------
    tuple of LeastMargin
        One per mask, in their order; of two ends the worse one.
    """
    return tuple(least_of((curves.margin() for curves in ports), key=lambda least: least.margin.value)
                 for ports in margin_curves(task, row, error, row))


def margin_curves(task: ChannelTask, row: ElementChain, error: float, even: ElementChain) -> list[list[MarginCurves]]:
    """Margins to every mask over frequency, per mask one or, of a return loss, two.

    Parameters
    ----------
    task, row, error
        As of ``margins``.
    even : ElementChain
        The same channel with the points of ``even_grid`` among its own, which a smooth loss is fitted to.
    """
    if not task.masks:
        return []
    losses = {corner: mode_losses(row, corner) for corner in CORNERS}
    found = []
    for mask in task.masks:
        if mask.quantity == "return-loss":
            found.append(_return_loss(task, row, mask, losses))
        elif mask.quantity == "insertion-loss":
            found.append([_insertion_loss(row, mask, losses["value"][0], error)])
        else:
            found.append([_deviation(task, row, mask, [losses[corner][0] for corner in CORNERS], even)])
    return found


def _return_loss(
    task: ChannelTask, row: ElementChain, mask: MaskSpec, losses: dict[Corner, tuple[Real, Real, Real]]
) -> list[MarginCurves]:
    """At both ends; impedances of the lines may be off by their fabrication."""
    inside, limit = mask_limit(mask, row.frequency)
    through = 10 ** (-losses["value"][0][inside] / 10)
    echo = largest_spread(task) / 2 * (1 + through)
    found = []
    for port in (1, 2):
        size = np.array([10 ** (-losses[corner][port][inside] / 20) for corner in CORNERS])
        sizes = (size[0], np.minimum(size.max(axis=0) + echo, 1.0), np.maximum(size.min(axis=0) - echo, 0.0))
        rows = np.array([decibels(one) - limit for one in sizes])
        found.append(MarginCurves(row.frequency[inside], limit, rows, port))
    return found


def least_return(task: ChannelTask, row: ElementChain, corners: Sequence[Corner] = CORNERS) -> LeastMargin:
    """Least return loss from 50 MHz to Nyquist [dB], in place of a margin; of two ends the worse one.

    Nominal between the points of the grid by a parabola through the power, within 0.15 dB for four points in a ripple;
    the interval holds the bounds of the vias, what fabrication makes of the lines, and the highest that a ripple may be
    between two points. The model error is the larger change, for better or worse, when all vias are at one of their
    bounds: each bound has a least return loss of its own, at its own frequency. The change for the better alone would
    depend on where the ripple of a link meets Nyquist. It is no more than it takes for both ends to meet a limit. With
    fewer ``corners``, the nominal one first, it is unknown.
    """
    losses = {corner: return_losses(row, corner) for corner in corners}
    band = (row.frequency >= LOWEST_FITTED) & (row.frequency <= task.nyquist * (1 + 1e-9))
    frequency = row.frequency[band]
    echo = largest_spread(task) / 2 * (1 + 10 ** (-through_loss(row)[band] / 10))
    found = []
    for port in (1, 2):
        size = np.array([10 ** (-losses[corner][port - 1][band] / 20) for corner in corners])
        summits = [highest(frequency, one**2) for one in size]
        at = summits[0][0]
        most = highest_between(frequency, np.minimum(size.max(axis=0) + echo, 1.0) ** 2)
        least = max(float(np.max(size.min(axis=0) - echo)), 0.0)
        nominal, *bounds = (float(decibels(np.sqrt(max(own, 0.0)))) for _, own in summits)
        worst, best = (float(decibels(np.sqrt(one))) for one in (most, least**2))
        error = max((abs(bound - nominal) for bound in bounds), default=0.0)
        interval = Interval(lo=min(worst, nominal - error), value=nominal, hi=max(best, nominal + error))
        found.append(LeastMargin(interval, float(frequency[at]), 0.0, port, error, tuple(bounds)))
    lower = least_of(found, key=lambda one: one.margin.value)
    return replace(lower, error=min(one.margin.value + one.error for one in found) - lower.margin.value)


def decibels(size: Real) -> Real:
    """The return loss of an amplitude, at most ``DEEPEST``. [dB]"""
    return np.asarray(np.minimum(-20 * np.log10(np.maximum(size, 1e-30)), DEEPEST))


def _insertion_loss(row: ElementChain, mask: MaskSpec, loss: Real, error: float) -> MarginCurves:
    inside, limit = mask_limit(mask, row.frequency)
    curve, share = loss[inside], float(np.hypot(error, LOT_SPREAD))
    rows = np.array([limit - curve * (1 + sign * share) for sign in (0, 1, -1)])
    return MarginCurves(row.frequency[inside], limit, rows, 0)


def _deviation(task: ChannelTask, row: ElementChain, mask: MaskSpec, losses: list[Real],
               even: ElementChain) -> MarginCurves:
    """Deviation from the loss fitted up to 1.5 times Nyquist, of either sign."""
    inside, limit = mask_limit(mask, row.frequency)
    points = evenly(even.key, task.nyquist)
    kept = []
    for corner, loss in zip(CORNERS, losses, strict=True):
        fitted = loss if even is row else mode_losses(even, corner)[0]
        fit = fitted_loss(even.frequency[points], fitted[points], f_min=LOWEST_FITTED, f_max=1.5 * task.nyquist)
        kept.append(limit - np.abs(loss[inside] - fitted_curve(fit, row.frequency[inside])))
    return MarginCurves(row.frequency[inside], limit, np.array(kept), 0)


def mask_limit(mask: MaskSpec, frequency: Real) -> tuple[NDArray[np.bool_], Real]:
    """Where the mask holds (n,), and its value there [dB]."""
    limit = np.full(len(frequency), np.nan)
    for start, stop, constant, root, linear, square, cube, decade in mask.pieces:
        inside = (frequency >= start * (1 - 1e-9)) & (frequency <= stop * (1 + 1e-9)) & np.isnan(limit)
        x = frequency[inside] / 1e9
        limit[inside] = constant + root * np.sqrt(x) + linear * x + square * x**2 + cube * x**3 + decade * np.log10(x)
    inside = ~np.isnan(limit)
    return inside, limit[inside]


def largest_spread(task: ChannelTask) -> float:
    """Largest part by which fabrication may move the impedance of a line. [-]"""
    lines = [element for element in task.elements if isinstance(element, LineSpec)]
    return max(map(line_spread, lines), default=0.0)


def line_spread(line: LineSpec) -> float:
    """Part by which the impedance of a line may be off: by fabrication, and by what the file does not say. [-]"""
    fabrication = impedance_tolerance(line.task, line.tolerances, line.ordered)
    return float(np.hypot(fabrication, line_doubt(line)))


def line_doubt(line: LineSpec) -> float:
    """Part by which the impedance of a line may be off by what the file does not say. [-]"""
    u_dk = max(line.u_dk, line.open_dk)
    return impedance_doubt(line.task, u_dk, line.taper, line.thin_mask, foot_open=line.foot_open)


def lower_by(line: LineSpec) -> float:
    """Part by which it may be lower for that [-]: a narrower top and a thinner mask, ``line_doubt``, only raise it."""
    return impedance_doubt(line.task, max(line.u_dk, line.open_dk), 0.0, 0.0, foot_open=line.foot_open)


