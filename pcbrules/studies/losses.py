# SPDX-License-Identifier: MIT
"""Loss of a line at frequencies and temperatures, in parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pcbrules.analysis.common.df_drift import DfDrift
from pcbrules.analysis.lines.solve import LineResult, solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.brief import brief
from pcbrules.missing import Missing


@dataclass(frozen=True, slots=True)
class LossAt:
    """Matched loss [dB/m] and its parts, which add up to it, at a frequency [Hz] and a board temperature [degC].

    ``error`` is the relative error (k = 2) of model and materials, ``more`` what temperature and water may add. [-]
    """

    frequency: float
    temperature: float
    conductor: float
    roughness: float
    dielectric: float
    error: float
    more: float

    __repr__ = brief

    @property
    def total(self) -> float:
        """All of it. [dB/m]"""
        return self.conductor + self.roughness + self.dielectric


def losses(
    task: LineTask, frequencies: Iterable[float], temperatures: Iterable[float], *, u_df: float, drift: DfDrift
) -> tuple[tuple[LossAt, ...], str]:
    """Loss of the odd mode of a section at each frequency [Hz] and, within it, each temperature [degC].

    ``u_df`` is the relative uncertainty of the loss tangent beyond that of the laminates' data [-], ``drift`` what
    temperature and water may add to it. Where there is no
    model for the copper at a temperature there is no loss at all, and the text says why.
    """
    solved = []
    for temperature in temperatures:
        line = solve_lossy(replace(task, temperature=temperature))
        if isinstance(line, Missing):
            return (), line.reason
        solved.append(line)
    return tuple(_row(line, frequency, u_df, drift) for frequency in frequencies for line in solved), ""


def _row(line: LineResult, frequency: float, u_df: float, drift: DfDrift) -> LossAt:
    parts = line.loss_parts(frequency)
    share = parts["dielectric"] / sum(parts.values())
    more = drift.more(line.task.temperature) * share
    return LossAt(frequency, line.task.temperature, **parts, error=line.u_loss + u_df * share, more=more)
