# SPDX-License-Identifier: MIT
"""Delay per length of a trace."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.analysis.board.laminates import touching
from pcbrules.analysis.common.dielectrics import DK_KNOWN, ply_dk
from pcbrules.analysis.lines.section import section
from pcbrules.analysis.lines.solve import solve_line
from pcbrules.constants import LIGHT
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Trace
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under


@dataclass(frozen=True, slots=True)
class Delay:
    """Delay per length [s/m] with its relative error, and how it was had."""

    value: float
    error: float
    model: str


def delay_of(board: Board, link: BoardLink, step: PathStep, trace: Trace, conditions: Conditions) -> Delay | Missing:
    """Delay per length of a trace: from the line model, else from the permittivities around it."""
    found = section(board, link, step, conditions.cold)
    if not isinstance(found, Missing):
        line = solve_line(found.task)
        if not isinstance(line, Missing):
            return Delay(line.delay, math.hypot(line.u_delay, found.u_dk / 2), f"delay by {line.card}")
    return _delay_from_dk(board, trace, link.standard.nyquist)


def _delay_from_dk(board: Board, trace: Trace, frequency: float) -> Delay | Missing:
    stack = board.stack
    if stack is None:
        return Missing("no `stackup` is declared", "stackup")
    values: list[float] = []
    unsure = DK_KNOWN
    for ply in touching(stack, trace.layer):
        if isinstance(ply.spec, Dielectric):
            if ply.spec.dk is not None:
                values.append(ply.spec.dk.value)
                continue
            reading = ply_dk(board, ply.spec, frequency)
            if isinstance(reading, Missing):
                return Missing(reading.reason, f"materials.laminates{under(ply.spec.material)}.dk")
            values.append(reading.value)
            unsure = max(unsure, reading.relative)
    if not values:
        return Missing(f"{trace.layer} touches no dielectric")
    low = (min(values) + 1) / 2 if stack.outer(trace.layer) else min(values)
    fast, slow = math.sqrt(low) / LIGHT, math.sqrt(max(values)) / LIGHT
    middle = (fast + slow) / 2
    return Delay(middle, (slow - fast) / 2 / middle + unsure, "delay between the extremes of the permittivities")
