# SPDX-License-Identifier: MIT
"""A channel as a picture of its losses over frequency and its impedance over time, and as a Touchstone file."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.channel_margins import mask_limit
from pcbrules.analysis.channel_solve import channel_network
from pcbrules.analysis.channel_task import BlockSpec, LineSpec
from pcbrules.analysis.tdr_solve import Reading, profile, rise_time
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
    """Insertion loss with and without stubs, return loss of both ends, masks and Nyquist; impedance over time."""
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
    panels += _impedance(one)
    return draw(panels, title=f"Channel {one.link}")


def _impedance(one: Channel) -> list[Panel]:
    """What a reflectometer at either end shows, both over the place along the path.

    Nothing where a table of a connector ends too low for its step.
    """
    made = profile(one.seen)
    if made is None:
        return []
    x, whole = [t * 1e9 for t in made.time], made.whole * 1e9
    turned = [whole - t for t in x]
    reference = one.seen.z_ref
    parts = [reading for reading in made.readings if not isinstance(one.seen.elements[reading.element], LineSpec)]
    seen = [*made.from_1, *made.from_2, *(reading.impedance for reading in parts), reference]
    low, high = 5 * math.floor(min(seen) / 5 - 0.2), 5 * math.ceil(max(seen) / 5 + 0.2)

    def x_of(reading: Reading) -> float:
        return reading.time * 1e9 if reading.port == 1 else whole - reading.time * 1e9

    curves = [
        Curve("from the beginning", x, made.from_1, 0),
        Curve("from the end", turned, made.from_2, 3, dashed=True),
        Curve("reference", [x[0], turned[0]], [reference, reference], 5, dashed=True),
    ]
    if parts:
        curves.append(Curve("vias and parts", [x_of(reading) for reading in parts],
                            [reading.impedance for reading in parts], 1, marks=True))
    title = f"{one.link}: impedance, rise {show(rise_time(one.nyquist), 'ps')}"
    return [Panel(title, "from the beginning, there and back [ns]", "ohm", (x[0], turned[0]), (low, high), curves)]


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
