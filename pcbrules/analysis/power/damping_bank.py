# SPDX-License-Identifier: MIT
"""A bank that damps a peak: how much capacitance and ESR, and the largest inductance with which it still does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, pi

from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.peak_spread import PeakTask, rail_peaks
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
            proof = _Proof(self, bank, limit, quality)
            if not proof.holds(1e-3 * most):
                continue
            low = 0.0
            while low == 0.0:
                high = most
                for _ in range(HALVINGS):
                    middle = (low + high) / 2
                    low, high = (middle, high) if proof.may_hold(middle) else (low, middle)
                if low == 0.0 or proof.holds(low):
                    break
                low = 0.0  # another variant decides too: once more
            if low > 0:
                return DampingBank(count=count, capacitance=PIECE, esr=bank.esr, inductance=low * count)
        return None

    def with_bank(self, rail: RailTask, bank: Bank) -> RailTask:
        """A rail of the task with the bank in its place."""
        steps: list[Bank | LadderPlane] = list(rail.ladder)
        steps.insert(self.place + 1, bank)
        return replace(rail, ladder=tuple(steps))


class _Proof:
    """Whether a bank damps the rail and all its variants, at the ends of its ESR too.

    Those that were not damped once are looked at first: few decide where the largest inductance lies.
    """

    def __init__(self, search: DampingSearch, bank: Bank, limit: float, quality: float) -> None:
        self.search, self.bank, self.limit, self.quality = search, bank, limit, quality
        rails = (search.task.rail, *search.task.variants)
        self.all = [(share, rail) for share in ESR_SPREAD for rail in rails]
        self.critical: list[tuple[float, RailTask]] = []

    def may_hold(self, inductance: float) -> bool:
        """True if those that were not damped before are, with an inductance of the whole bank [H]."""
        return all(self._damped(one, inductance) for one in self.critical)

    def holds(self, inductance: float) -> bool:
        """True if all are damped; the first that is not becomes critical."""
        for one in self.all:
            if one not in self.critical and not self._damped(one, inductance):
                self.critical.append(one)
                return False
        return self.may_hold(inductance)

    def _damped(self, one: tuple[float, RailTask], inductance: float) -> bool:
        share, rail = one
        bank = replace(self.bank, esr=share * self.bank.esr, inductance=MOUNTED * inductance * self.bank.count)
        place = self.search.frequency
        return all(peak.magnitude <= self.limit or peak.quality <= self.quality
                   for peak in rail_peaks(self.search.with_bank(rail, bank))
                   if place / NEAR <= peak.frequency <= place * NEAR)
