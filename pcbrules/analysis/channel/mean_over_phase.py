# SPDX-License-Identifier: MIT
"""The loss of a channel whatever the phase of its reflections: lanes of one link differ in length."""

from __future__ import annotations

import numpy as np

from pcbrules.analysis.channel.element_chain import ElementChain
from pcbrules.analysis.channel.task import ChannelTask, LineSpec
from pcbrules.analysis.common.interval import Interval
from pcbrules.arrays import Complex
from pcbrules.ties import ordered

STEPS = 24
"""Phases tried for each line, evenly over half a turn: reflections that pass a line twice then turn once."""

TURNED_LINES = 2
"""Lines whose phase is turned: the longest ones."""


def turned_lines(task: ChannelTask) -> tuple[int, ...]:
    """Places of the lines whose phase is turned: the longest ones, the first of equal ones first."""
    lengths = {i: spec.length for i, spec in enumerate(task.elements) if isinstance(spec, LineSpec)}
    return tuple(ordered(lengths, key=lengths.__getitem__, reverse=True)[:TURNED_LINES])


def wave_impedance(chain: tuple[complex, complex, complex, complex]) -> complex:
    """Wave impedance of a line over the reference [-], from its chain parameters."""
    _, b, c, _ = chain
    return complex(np.sqrt(b / c))


def loss_over_phase(task: ChannelTask, row: ElementChain, at: int) -> Interval:
    """Insertion loss at one frequency over the electrical lengths of the longest lines: least, mean, largest.

    The lanes of a link have the same steps and stubs at other phases. The mean over phase is what the parts cost
    without the luck of their interference: unlike the loss at one phase, or a fit over a rippled curve, it does not
    fall when a route grows by a fraction of a wavelength. The largest bounds every lane up to this length.

    Parameters
    ----------
    task, row : ChannelTask, ElementChain
        The channel and its networks; every element must be solved.
    at : int
        Point of the row's grid.

    Returns
    -------
    Interval
        Insertion loss [dB]; the value is the mean over phase.
    """
    turned = turned_lines(task)
    phases = np.arange(STEPS) * np.pi / STEPS
    grids = np.meshgrid(*[phases] * len(turned), indexing="ij") if turned else []
    extra = {place: grid.ravel() for place, grid in zip(turned, grids, strict=True)}
    chain: Complex = np.eye(2, dtype=complex)[np.newaxis]
    for place in range(len(task.elements)):
        a, b, c, d = row.chain(place, at)
        step = np.array([[a, b], [c, d]])[np.newaxis]
        if place in extra:
            # ABCD of the line in normalised form; turning it multiplies its exponentials
            turn = extra[place]
            cosh, sinh = (a + d) / 2, np.sqrt(b * c)
            sinh = -sinh if abs(cosh + sinh) < abs(cosh - sinh) else sinh
            impedance = b / sinh
            cos, sin = np.cos(turn), 1j * np.sin(turn)
            both, odd = cosh * cos + sinh * sin, sinh * cos + cosh * sin
            step = np.array([[both, odd * impedance], [odd / impedance, both]]).transpose(2, 0, 1)
        chain = chain @ step
    through = 2 / (chain[:, 0, 0] + chain[:, 0, 1] + chain[:, 1, 0] + chain[:, 1, 1])
    loss = -20 * np.log10(np.abs(through))
    return Interval(lo=float(loss.min()), value=float(loss.mean()), hi=float(loss.max()))
