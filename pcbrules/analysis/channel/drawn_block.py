# SPDX-License-Identifier: MIT
"""Is a Touchstone file one of the trace as it is drawn? Its delay and its loss must fit the cross-section."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.channel.task import BlockSpec
from pcbrules.analysis.common.interval import interval
from pcbrules.analysis.lines.section import section
from pcbrules.analysis.lines.solve import LineResult, solve_line
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

SLIGHT = 0.1
"""Loss that is not compared [dB]."""


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
    frequency = np.frombuffer(spec.frequency)
    through = np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)
    length = interval(trace.length)
    drawn = f"{show(trace.length.value, 'mm')} on {trace.layer} as drawn"
    error = SHARE + math.hypot(line.u_delay, found.u_dk / 2)
    delay = through_delay(frequency, through)
    if not length.lo * line.delay * (1 - error) <= delay <= length.hi * line.delay * (1 + error) + LAUNCH:
        return f"its delay is {show(delay, 'ps')}, and {drawn} have {show(trace.length.value * line.delay, 'ps')}"
    if found.no_loss is None:
        least, loss = _loss(line, link) * length.lo, interpolated_loss(frequency, through, link.standard.nyquist)[0]
        if loss < LEAST_LOSS * least - SLIGHT:
            at = show(link.standard.nyquist, "GHz")
            return f"its loss at {at} is {show(loss, 'dB')}, and {drawn} have {show(least, 'dB')}"
    return ""


def _loss(line: LineResult, link: BoardLink) -> float:
    """Computed loss at Nyquist. [dB/m]"""
    return float(line.loss_db_per_m(link.standard.nyquist).total)
