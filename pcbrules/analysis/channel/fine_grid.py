# SPDX-License-Identifier: MIT
"""Frequencies at which the margins of a channel to its masks are least, also between the points of its grid.

A long channel ripples over few points of its grid: with four a ripple, the largest reflection of two equal steps may
lie 0.7 dB above them. So the grid is made fine enough for the delay, every minimum that may be the least is looked at
closely, and its frequency becomes a point.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pcbrules.analysis.channel.element_chain import ElementChain, per_metre
from pcbrules.analysis.channel.mask_margins import LOT_SPREAD, MarginCurves, margin_curves
from pcbrules.analysis.channel.ripple import DEPTH
from pcbrules.analysis.channel.task import ChannelTask, LineSpec
from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_least

PER_RIPPLE = 4.0
"""Points of the grid at least in one ripple of the reflection from the far end."""
PARTS = 8
"""Parts into which the steps beside a minimum are divided; a parabola finds the least between them to 1e-4 dB."""
BEYOND = 1 + 1e-8
"""Just above the edge of a mask the next piece of it holds; as near on either side it has a slope."""


def fine_row(task: ChannelTask, row: ElementChain) -> ElementChain:
    """Return a channel on its grid with every least margin to its masks as a point.

    Parameters
    ----------
    task : ChannelTask
        With its masks.
    row : ElementChain
        Its networks on the grid of ``channel_row.grid``; every element must be solved.

    Returns
    -------
    ElementChain
        The same one where there is no mask.
    """
    if not task.masks:
        return row
    edges = np.array(task.edges) * BEYOND
    edges, inside = edges[edges < row.frequency[-1]], np.array(task.edges) / BEYOND
    coarse = row.on(_added(_dense(row), np.concatenate([edges, inside[inside > row.frequency[0]]])))
    near = _near(margin_curves(task, coarse, LOT_SPREAD, row))
    places = [edges]
    if len(near):
        fine = row.on(near)
        places += [_lowest(curves) for ports in margin_curves(task, fine, LOT_SPREAD, row) for curves in ports]
    places += [_lowest(curves) for ports in margin_curves(task, coarse, LOT_SPREAD, row) for curves in ports]
    more = np.concatenate(places)
    return row.on(_added(row.frequency, more[~np.isin(more, inside)]))


def _added(frequency: Real, more: Real) -> Real:
    """Rising frequencies without those that lie next to each other by rounding alone."""
    more = np.unique(more)
    place = np.clip(np.searchsorted(frequency, more), 1, len(frequency) - 1)
    apart = np.minimum(np.abs(more - frequency[place - 1]), np.abs(more - frequency[place]))
    return np.union1d(frequency, more[apart > 1e-9 * more])


def _dense(row: ElementChain) -> Real:
    """The grid, its steps divided where they are too wide for the delay of all lines there and back."""
    delay = 0.0
    for place, spec in enumerate(row.task.elements):
        if isinstance(spec, LineSpec):
            series, shunt = per_metre(row.key, row.lines[place])
            phase = np.sqrt(series[-1] * shunt[-1]).imag.item()
            delay += spec.length * phase / (2 * np.pi * row.frequency[-1].item())
    most = 1 / (PER_RIPPLE * 2 * delay) if delay else np.inf
    count = np.maximum(np.ceil(np.diff(row.frequency) / most - 1e-9), 1).astype(int)
    steps = [np.linspace(*ends, n, endpoint=False) for ends, n in zip(pairwise(row.frequency), count, strict=True)]
    return np.append(np.concatenate(steps), row.frequency[-1])


def _near(found: list[list[MarginCurves]]) -> Real:
    """Frequencies between the points beside each minimum that may be the least of its row."""
    places = []
    for ports in found:
        for curves in ports:
            for row in curves.rows:
                bend = _bend(curves.frequency, row)
                low = (row[1:-1] <= row[:-2]) & (row[1:-1] <= row[2:]) & (row[1:-1] - bend / DEPTH < row.min())
                for at in np.flatnonzero(low):
                    for low_end, high_end in pairwise(curves.frequency[at : at + 3]):
                        parts = PARTS if high_end > low_end * BEYOND**2 else 1
                        places.append(np.linspace(low_end, high_end, parts + 1))
    return np.unique(np.concatenate(places)) if places else np.zeros(0)


def _bend(frequency: Real, row: Real) -> Real:
    """Second difference at each inner point, of steps as wide as the wider of the two beside it."""
    step = np.diff(frequency)
    slope = np.diff(row) / step
    return np.asarray(2 * np.diff(slope) / (step[:-1] + step[1:]) * np.maximum(step[:-1], step[1:]) ** 2)


def _lowest(curves: MarginCurves) -> Real:
    """Where each row is least: the lowest point, and the vertex of the parabola through it and its neighbours."""
    places = []
    for row in curves.rows:
        at = first_least(row)
        places.append(curves.frequency[at])
        if len(row) > 2:
            at = min(max(at, 1), len(row) - 2)
            x, y = curves.frequency[at - 1 : at + 2] - curves.frequency[at], row[at - 1 : at + 2] - row[at]
            curve = (y[2] / x[2] - y[0] / x[0]) / (x[2] - x[0])
            slope = y[0] / x[0] - curve * x[0]
            if curve > 0:
                places.append(curves.frequency[at] + float(np.clip(-slope / (2 * curve), x[0], x[2])))
    return np.array(places)
