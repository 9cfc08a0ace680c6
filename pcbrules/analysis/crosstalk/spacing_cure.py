# SPDX-License-Identifier: MIT
"""The spacing of the loudest neighbour at which the crosstalk of a link meets a limit, solved again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pcbrules.analysis.crosstalk.power_sum import Aggressor, PowerSum, Sources, power_sum
from pcbrules.analysis.crosstalk.solve import solve_coupling
from pcbrules.constants import MIL
from pcbrules.missing import Missing
from pcbrules.model.board import BoardLink
from pcbrules.results.edits import Proposal
from pcbrules.results.facts.signal import SpacingChange
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.ties import greatest_of
from pcbrules.units import as_declared, unit_of

MOST = 10.0
"""Most that a spacing is widened, as a factor [-]."""

FIRST = 1.4
"""The spacing that is tried first, as a factor: its crosstalk and that of today tell how fast it falls [-]."""

WIDER, WIDEST = 1.1, 2.0
"""A further try is at least, and at most, so many times as wide as the last one [-]."""

TRIED = 8
"""Spacings that are solved at most."""

ON_STEP = 1e-6
"""Part of a step by which a spacing on its steps may be off it in the last bits. [-]"""

ENOUGH = 0.5
"""The search ends at a spacing that meets the limit by no more. [dB]"""

STEPS = {"mil": 0.5 * MIL, "mm": 10e-6, "um": 10e-6}
"""Step in which a spacing is written, by its unit. [m]"""


@dataclass(frozen=True, slots=True)
class SpacingCure:
    """The search for a link with all that couples into it, called with a limit; ``measured`` makes what is judged."""

    link: BoardLink
    sources: Sources
    total: PowerSum
    measured: Callable[[Sources, PowerSum], Measured]

    def __call__(self, limit: Limit) -> SpacingChange | None:
        """The change with which the whole interval meets the limit; None where no spacing of one neighbour is enough,
        or it lies on another layer.
        """
        lines = self.sources.lines
        loud = greatest_of(range(len(lines)), key=lambda one: lines[one].peaks[self.total.centre].power, default=None)
        if loud is None or lines[loud].coupled.task.broadside is not None:
            return None
        near = lines[loud].coupled.near
        if near.spacing is None:
            return None
        alone = self._missed(limit, self._with(loud, ()))
        if alone is not None and alone[0] >= 0:
            return None
        unit = next((one for one in STEPS if one == unit_of(near.spacing.text)), "mil")
        found = self._found(loud, near.spacing.value, STEPS[unit], limit)
        if found is None:
            return None
        spacing, level = found
        edit = Proposal(lines[loud].coupled.where, as_declared(spacing, near.spacing, unit))
        return SpacingChange((edit,), lines[loud].coupled.name, near.link or "", near.spacing.text,
                             near.coupled_length.text, level)

    def _found(self, loud: int, today: float, step: float, limit: Limit) -> tuple[float, float] | None:
        """A spacing on its steps that is enough, and the crosstalk then; None where none was found. [m], [dB]

        The level goes nearly straight with the spacing: each try lies on the line through the two that enclose it.
        """
        before = low = today, (self._missed(limit, self.sources) or (0.0, 0.0))[0]
        high: tuple[float, float, float] | None = None
        at = FIRST * today
        for _ in range(TRIED):
            at = math.ceil(min(at, MOST * today) / step - ON_STEP) * step
            made = self._at(loud, at, limit)
            if made is None:
                break
            if made[0] < 0:
                high = at, *made
            else:
                before, low = low, (at, made[0])
            if high is None:
                if at >= MOST * today:
                    break
                at = min(max(_on_line(before, low), WIDER * at), WIDEST * at)
            elif high[1] >= -ENOUGH or high[0] - low[0] <= (1 + ON_STEP) * step:
                break
            else:
                at = min(max(_on_line(low, high[:2]), low[0] + step), high[0] - step)
        return None if high is None else (high[0], high[2])

    def _at(self, loud: int, spacing: float, limit: Limit) -> tuple[float, float] | None:
        """How far the limit is missed with another spacing of a neighbour, and the crosstalk then; None without a
        model. [dB]
        """
        one = self.sources.lines[loud]
        made = solve_coupling(replace(one.coupled.task, spacing=spacing))
        if isinstance(made, Missing):
            return None
        return self._missed(limit, self._with(loud, (replace(one, result=made),)))

    def _missed(self, limit: Limit, sources: Sources) -> tuple[float, float] | None:
        """How far the worse end misses the limit, and the crosstalk; None where nothing couples. [dB]"""
        total = power_sum(self.link, sources)
        if total is None:
            return None
        found = self.measured(sources, total)
        return -min(limit.margin(found.lo), limit.margin(found.hi)), total.total.value

    def _with(self, loud: int, others: Sequence[Aggressor]) -> Sources:
        lines = self.sources.lines
        return replace(self.sources, lines=(*lines[:loud], *others, *lines[loud + 1:]))


def _on_line(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The spacing at which the line through two spacings and what they miss meets the limit by half of enough. [m]"""
    fall = one[1] - other[1]
    return one[0] + (one[1] + ENOUGH / 2) / fall * (other[0] - one[0]) if fall > 0 else math.inf
