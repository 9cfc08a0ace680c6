# SPDX-License-Identifier: MIT
"""A bank that damps a peak: how much capacitance and ESR, and the largest inductance with which it still does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, pi

from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.ladder_peaks import Peak
from pcbrules.analysis.power.peak_spread import PeakTask, solve_peaks
from pcbrules.results.facts.power import DampingBank

KINDS = ((4.0, 1.0), (4.0, 1.5), (8.0, 1.0), (8.0, 1.5))
"""Capacitance over that which rings, ESR over sqrt(L/C): the first that damps counts; Middlebrook (1978) has 4. [-]"""

ESR_SPREAD = (0.6, 1.0, 1.4)
"""ESR of the bank over its value, as of any other bank [-]."""

MOUNTED = 1.1
"""Inductance of the bank over its value, likewise [-]."""

NEAR = 3.0
"""Peaks within this factor of the frequency count as those that the bank has to damp; practice. [-]"""

PIECE = 100e-6
"""Effective capacitance of a piece in which the bank is written [F]."""

HALVINGS = 6
"""Steps by which the largest inductance is found, to 2 % of the range."""


@dataclass(frozen=True)
class DampingSearch:
    """The search for a peak of a rail without layout: ``place`` in the ladder, what rings there [Hz, ohm]."""

    task: PeakTask
    place: int
    frequency: float
    damping: float

    def __call__(self, limit: float, quality: float) -> DampingBank | None:
        """The bank with which no peak near there is above a limit [ohm] and sharper than a quality; None if none is."""
        rings = 1 / (2 * pi * self.frequency * self.damping)
        most = self.damping / (2 * pi * self.frequency)
        for times, factor in KINDS:
            count = ceil(times * rings / PIECE * (1 - 1e-9))
            bank = Bank(count, PIECE, factor * self.damping * count, 0.0)
            low, high = 0.0, most
            if not self._damps(replace(bank, inductance=1e-3 * most * count), limit, quality):
                continue
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                if self._damps(replace(bank, inductance=middle * count), limit, quality):
                    low = middle
                else:
                    high = middle
            if low > 0:
                return DampingBank(count=count, capacitance=PIECE, esr=bank.esr, inductance=low * count)
        return None

    def _damps(self, bank: Bank, limit: float, quality: float) -> bool:
        """True if the rail with the bank, at the ends of its ESR too, has no such peak."""
        return all(one.magnitude <= limit or one.quality <= quality
                   for share in ESR_SPREAD for one in self._peaks(
                       replace(bank, esr=share * bank.esr, inductance=MOUNTED * bank.inductance)))

    def _peaks(self, bank: Bank) -> Iterator[Peak]:
        task = PeakTask(self._with(self.task.rail, bank), tuple(self._with(one, bank) for one in self.task.variants))
        for found in solve_peaks(task):
            for one in (found.nominal, *found.variants) if found.apparent else found.variants:
                if self.frequency / NEAR <= one.frequency <= self.frequency * NEAR:
                    yield one

    def _with(self, rail: RailTask, bank: Bank) -> RailTask:
        steps: list[Bank | LadderPlane] = list(rail.ladder)
        steps.insert(self.place + 1, bank)
        return replace(rail, ladder=tuple(steps))
