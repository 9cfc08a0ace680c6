# SPDX-License-Identifier: MIT
"""Loss of a line at frequencies and temperatures, in parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pcbrules.analysis.lines import LineTask, Unsupported, solve_line

INCH = 25.4e-3


@dataclass(frozen=True, slots=True)
class LossAt:
    """Matched loss [dB/m] and its parts, which add up to it, at a frequency [Hz] and a board temperature [degC]."""

    frequency: float
    temperature: float
    conductor: float
    roughness: float
    dielectric: float

    @property
    def total(self) -> float:
        """All of it. [dB/m]"""
        return self.conductor + self.roughness + self.dielectric


def losses(
    task: LineTask, frequencies: Iterable[float], temperatures: Iterable[float]
) -> tuple[tuple[LossAt, ...], str]:
    """Loss of the odd mode of a section at each frequency [Hz] and, within it, each temperature [degC].

    Where there is no model for the copper at a temperature there is none at all, and the text says why.
    """
    solved = []
    for temperature in temperatures:
        line = solve_line(replace(task, temperature=temperature))
        if isinstance(line, Unsupported):
            return (), line.reason
        solved.append(line)
    rows = (LossAt(f, line.task.temperature, **line.loss_parts(f)) for f in frequencies for line in solved)
    return tuple(rows), ""
