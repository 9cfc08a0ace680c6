# SPDX-License-Identifier: MIT
"""Is a Touchstone file one of the trace or via as drawn? Delay and loss must fit cross-section and length of barrel."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.channel.task import BlockSpec
from pcbrules.analysis.common.interval import interval
from pcbrules.analysis.lines.section import section
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.arrays import Complex, Real
from pcbrules.constants import LIGHT
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Trace
from pcbrules.networks.extrapolation import interpolated_loss, through_delay
from pcbrules.units import show

SHARE = 0.1
"""Part of its delay by which a file may differ beyond the errors of model and data [-]; practice."""

LAUNCH = 50e-12
"""Delay that pads and launches in a file may add [s]; practice."""

LEAST_LOSS = 0.5
"""Part of the computed loss that a file must have [-]; practice: measured and computed loss agree within 30 %."""

DE_EMBEDDED = 2e-12
"""Delay that de-embedding may take away from a via [s]; practice."""

SLIGHT = 0.1
"""Loss that is not compared [dB]."""


def barrel_contradiction(via: ViaSpec, spec: BlockSpec) -> str:
    """Why a file cannot be that of a via, in words: nothing runs through a barrel faster; else empty."""
    drawn, delay = via.through_length * math.sqrt(via.dk) / LIGHT, _delay(spec)
    if delay >= drawn * (1 - SHARE) - DE_EMBEDDED:
        return ""
    return (f"its delay is {show(delay, 'ps')}, and {show(via.through_length, 'mm')} of barrel have "
            f"{show(drawn, 'ps')}")


def contradiction(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, spec: BlockSpec, temperature: float
) -> str:
    """Why a file cannot be that of a trace, in words; empty where it can, or where there is no model to compare with.

    ``temperature`` is that of the file [degC].
    """
    found = section(board, link, step, temperature)
    if isinstance(found, Missing):
        return ""
    line = solve_line(found.task)
    if isinstance(line, Missing):
        return ""
    length = interval(trace.length)
    drawn = f"{show(trace.length.value, 'mm')} on {trace.layer} as drawn"
    error = SHARE + math.hypot(line.u_delay, found.u_dk / 2)
    delay = _delay(spec)
    if not length.lo * line.delay * (1 - error) <= delay <= length.hi * line.delay * (1 + error) + LAUNCH:
        return f"its delay is {show(delay, 'ps')}, and {drawn} have {show(trace.length.value * line.delay, 'ps')}"
    if found.no_loss is None:
        least, loss = _loss(line, link) * length.lo, interpolated_loss(*_through(spec), link.standard.nyquist)[0]
        if loss < LEAST_LOSS * least - SLIGHT:
            at = show(link.standard.nyquist, "GHz")
            return f"its loss at {at} is {show(loss, 'dB')}, and {drawn} have {show(least, 'dB')}"
    return ""


def _through(spec: BlockSpec) -> tuple[Real, Complex]:
    """Frequencies [Hz] and two-port (n, 2, 2) of a file."""
    return np.frombuffer(spec.frequency), np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)


def _delay(spec: BlockSpec) -> float:
    return through_delay(*_through(spec))


def _loss(line: LineResult, link: BoardLink) -> float:
    """Computed loss at Nyquist. [dB/m]"""
    return float(line.loss_db_per_m(link.standard.nyquist).total)
