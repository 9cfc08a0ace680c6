# SPDX-License-Identifier: MIT
"""A channel as a picture of its losses over frequency and its impedance over time, and as a Touchstone file."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pcbrules.analysis.channel.mask_margins import mask_limit
from pcbrules.analysis.channel.solve import channel_pair
from pcbrules.analysis.channel.task import LineSpec
from pcbrules.analysis.channel.tdr_solve import TdrReading, profile, rise_time
from pcbrules.errors import InputError, Problem
from pcbrules.networks.mode_chain import to_legs
from pcbrules.networks.touchstone import touchstone
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.studies.channel_network import differential
from pcbrules.studies.channels import Channel
from pcbrules.studies.channels_grid import wide_curves, wide_grid
from pcbrules.units import show
from pcbrules.version import VERSION

DEEPEST = 40.0
"""Largest return loss that is drawn [dB]."""

DRAWN = 5
"""Every how many points of the grid are drawn."""


def svg(one: Channel) -> str:
    """Insertion loss with and without stubs, return loss of both ends, masks and Nyquist; impedance over time."""
    curves = wide_curves(one.task)
    x = [f / 1e9 for f in curves.frequency[::DRAWN]]
    end = x[-1]
    nyquist = one.nyquist / 1e9
    top = _round_up(max(min(loss, 100.0) for loss in curves.loss[1:]))
    losses = [
        Curve("with stubs", x, _up_to(curves.loss, top), 0),
        Curve("without stubs", x, _up_to(curves.loss_without_stubs, top), 2, dashed=True),
        Curve("Nyquist", [nyquist, nyquist], [0.0, top], 5, dashed=True),
        *_mask(one, "insertion-loss", curves.frequency),
    ]
    if one.limit is not None:
        losses.append(Curve("budget", [nyquist], [one.limit], 1, marks=True))
    echoes = [
        Curve("at the beginning", x, _up_to(curves.return_loss_1, DEEPEST), 0),
        Curve("at the end", x, _up_to(curves.return_loss_2, DEEPEST), 3),
        Curve("Nyquist", [nyquist, nyquist], [0.0, DEEPEST], 5, dashed=True),
        *_mask(one, "return-loss", curves.frequency),
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

    def x_of(reading: TdrReading) -> float:
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
    return [Panel(title, "round-trip time from the beginning [ns]", "ohm", (x[0], turned[0]), (low, high), curves)]


def _up_to(losses: Sequence[float], top: float) -> list[float]:
    return [min(loss, top) for loss in losses[::DRAWN]]


def _mask(one: Channel, quantity: str, points: Sequence[float]) -> list[Curve]:
    frequency = np.array(points)
    for mask in one.masks:
        if mask.quantity == quantity:
            inside, limit = mask_limit(mask, frequency)
            return [Curve("mask", (frequency[inside] / 1e9).tolist(), limit.tolist(), 1)]
    return []


def _round_up(value: float) -> float:
    step = float(10.0 ** math.floor(math.log10(max(value, 1e-3))))
    return step * math.ceil(value / step + 1e-9)


def touchstone_text(one: Channel, board: str, temperature: float, *, legs: bool) -> str:
    """Touchstone file of a channel, hot, on ``wide_grid``: the four-port of its legs or the differential two-port.

    Raises InputError if an element has no model there.
    """
    comments = [f"pcbrules {VERSION}, board {board}, link {one.link}"]
    if legs and not one.pair:
        message = "a single-ended link is a two-port"
        raise InputError([Problem(board, 0, 0, "", message, found="FILE.s4p", expected="FILE.s2p")])
    try:
        if legs:
            s, z_ref = to_legs(channel_pair(one.task, wide_grid(one.task))), one.task.z_ref / 2
        else:
            s, z_ref = differential(one.task, wide_grid(one.task)), one.task.z_ref
    except ValueError as error:
        message = f"no Touchstone file of {one.link} can be written"
        raise InputError([Problem(board, 0, 0, "", message, found=str(error))]) from None
    at = show(temperature, "degC")
    if legs:
        comments += [
            f"the board's part of the channel at {at}",
            "ports 1, 2: positive and negative leg at the beginning of the path; 3, 4: at its end",
            f"1 leads to 3, 2 to 4; every port referred to {z_ref:g} ohm",
        ]
    else:
        comments += [
            f"the board's part of the channel, {'differential mode' if one.pair else 'single-ended'}, at {at}",
            f"port 1: beginning of the path, port 2: its end; both referred to {z_ref:g} ohm"
            + (" differential" if one.pair else ""),
        ]
    if one.conversion is not None and not legs:
        comments.append("the legs differ: what turns into the common mode is lost here; a file .s4p holds it")
    return touchstone(wide_grid(one.task), s, z_ref=z_ref, comments=comments)
