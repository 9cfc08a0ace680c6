# SPDX-License-Identifier: MIT
"""The width with which a trace has an impedance, gap and etch as they are, by the solver that judged it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pcbrules.analysis.lines.solve import solve_still
from pcbrules.analysis.lines.task import LineTask
from pcbrules.constants import MIL
from pcbrules.missing import Missing
from pcbrules.model.link import Trace
from pcbrules.results.edits import Proposal
from pcbrules.results.facts.signal import WidthChange
from pcbrules.results.place import Address
from pcbrules.units import as_declared

MOST = 3.0
"""Most that a width is moved either way, as a factor [-]."""

STEPS = {"mil": 0.05 * MIL, "mm": 1e-6, "um": 1e-6}
"""Step in which a width is written, by its unit [m]."""

NEAR = 1e-4
"""Relative step at which the search ends [-]: far less than a step of the width."""


@dataclass(frozen=True, slots=True)
class WidthCure:
    """The search for one trace at ``at`` with its section: called with the impedance that is wanted.

    ``least`` is the narrowest trace that the fabrication class holds [m].
    """

    at: Address
    trace: Trace
    task: LineTask
    least: float

    def __call__(self, target: float) -> WidthChange | None:
        """The width on its steps, solved again; None where no width that can be made has the impedance."""
        now = self.task.width_foot
        low, high = max(now / MOST, self.least, now - self.task.width_top + self.least), now * MOST
        if self.task.second is not None or low >= high:
            return None
        narrow, wide = self._impedance(low), self._impedance(high)
        if narrow is None or wide is None or not wide < target < narrow:
            return None
        from scipy.optimize import brentq  # here and not above: a tenth of a second of every start

        found = math.exp(brentq(lambda log: math.log((self._impedance(math.exp(log)) or math.inf) / target),
                                math.log(low), math.log(high), xtol=NEAR))
        unit = next((unit for unit in ("mil", "mm", "um") if unit in self.trace.width.text), "mil")
        width = round(found / STEPS[unit]) * STEPS[unit]
        seen = self._impedance(width)
        if seen is None:
            return None
        edits = [Proposal((*self.at, "width"), as_declared(width, self.trace.width, unit))]
        if self.trace.top_width is not None:
            top = width - now + self.task.width_top
            edits.append(Proposal((*self.at, "top_width"), as_declared(top, self.trace.top_width, unit)))
        return WidthChange(tuple(edits), seen)

    def _impedance(self, width: float) -> float | None:
        """Of the trace with another width, etched as before. [ohm]"""
        top = width - self.task.width_foot + self.task.width_top
        line = solve_still(replace(self.task, width_foot=width, width_top=top))
        return None if isinstance(line, Missing) else line.z_diff
