# SPDX-License-Identifier: MIT
"""A channel as a picture of its losses over frequency, and as a Touchstone file."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.channel_margins import mask_limit
from pcbrules.analysis.channel_solve import channel_network
from pcbrules.analysis.channel_task import BlockSpec
from pcbrules.errors import InputError, Problem
from pcbrules.networks.touchstone import touchstone
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.studies.channels import Channel
from pcbrules.units import show
from pcbrules.version import VERSION

STEP = 10e6
"""Step of the grid of a file, which begins there: the models have no direct current. [Hz]"""

BEYOND = 1.5
"""End of the grid over Nyquist [-]."""

DEEPEST = 40.0
"""Largest return loss that is drawn [dB]."""


def svg(one: Channel) -> str:
    """Insertion loss with and without stubs, return loss of both ends, masks and Nyquist, side by side."""
    x = [f / 1e9 for f in one.curves.frequency]
    end = x[-1]
    nyquist = one.nyquist / 1e9
    top = _round_up(max(min(loss, 100.0) for loss in one.curves.loss))
    losses = [
        Curve("with stubs", x, one.curves.loss, 0),
        Curve("without stubs", x, one.curves.loss_without_stubs, 2, dashed=True),
        Curve("Nyquist", [nyquist, nyquist], [0.0, top], 5, dashed=True),
        *_mask(one, "insertion-loss"),
    ]
    if one.limit is not None:
        losses.append(Curve("budget", [nyquist], [one.limit], 1, marks=True))
    echoes = [
        Curve("at the beginning", x, [min(loss, DEEPEST) for loss in one.curves.return_loss_1], 0),
        Curve("at the end", x, [min(loss, DEEPEST) for loss in one.curves.return_loss_2], 3),
        Curve("Nyquist", [nyquist, nyquist], [0.0, DEEPEST], 5, dashed=True),
        *_mask(one, "return-loss"),
    ]
    panels = [
        Panel(f"{one.link}: insertion loss", "frequency [GHz]", "dB", (0.0, end), (0.0, top), losses),
        Panel(f"{one.link}: return loss", "frequency [GHz]", "dB", (0.0, end), (0.0, DEEPEST), echoes),
    ]
    return draw(panels, title=f"Channel {one.link}")


def _mask(one: Channel, quantity: str) -> list[Curve]:
    frequency = np.array(one.curves.frequency)
    for mask in one.masks:
        if mask.quantity == quantity:
            inside, limit = mask_limit(mask, frequency)
            return [Curve("mask", (frequency[inside] / 1e9).tolist(), limit.tolist(), 1)]
    return []


def _round_up(value: float) -> float:
    step = float(10.0 ** math.floor(math.log10(max(value, 1e-3))))
    return step * math.ceil(value / step + 1e-9)


def s2p(one: Channel, board: str, temperature: float) -> str:
    """Touchstone two-port of the differential mode (of a single trace: of the trace), hot.

    Up to the first step beyond ``BEYOND`` times Nyquist, or to the last one that the tables of its connectors hold.
    Raises InputError if a table cannot be followed down to the first step.
    """
    ends = [float(np.frombuffer(e.frequency)[-1]) for e in one.task.elements if isinstance(e, BlockSpec)]
    steps = min([math.ceil(BEYOND * one.nyquist / STEP), *(math.floor(end / STEP * (1 + 1e-12)) for end in ends)])
    frequency = np.arange(1, steps + 1, dtype=np.float64) * STEP
    try:
        network = channel_network(one.task, frequency)
    except ValueError as error:
        message = f"no two-port of {one.link} can be written"
        raise InputError([Problem(board, 0, 0, "", message, found=str(error))]) from None
    comments = (
        f"pcbrules {VERSION}, board {board}, link {one.link}",
        f"the board's part of the channel, differential mode, at {show(temperature, 'degC')}",
        f"port 1: beginning of the path, port 2: its end; both referred to {one.task.z_ref:g} ohm differential",
    )
    return touchstone(frequency, network.s, z_ref=one.task.z_ref, comments=comments)
