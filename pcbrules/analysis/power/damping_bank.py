# SPDX-License-Identifier: MIT
"""What damps a peak: a bank of pieces that the rail has, with more ESR, or more ESR in the bank that rings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor, log10, pi

from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.peak_spread import PeakTask, rail_peaks
from pcbrules.results.facts.power import DampingBank, MoreResistance
from pcbrules.solver_cache import solved_once
from pcbrules.ties import ordered, steady

KINDS = ((4.0, 1.0), (4.0, 1.5), (8.0, 1.0), (8.0, 1.5), (16.0, 1.0), (16.0, 1.5))
"""Capacitance over that which rings, ESR over sqrt(L/C): the first that damps counts; Middlebrook (1978) has 4. [-]"""

MOST = 200
"""Pieces of a bank that is still proposed: practice."""

ESR_SPREAD = (0.6, 1.0, 1.4)
"""ESR of the bank over its value, as of any other bank [-]."""

MOUNTED = 1.1
"""Inductance of the bank over its value, likewise [-]."""

NEAR = 3.0
"""Peaks within this factor of the frequency count as those that the bank has to damp; practice. [-]"""

WIDEST = 8
"""Most that the largest inductance is looked for, over that of the piece [-]."""

RAISED = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
"""ESR of the bank that rings, over its own, the first that damps counts [-]."""


@dataclass(frozen=True)
class DampingSearch:
    """The search for a peak of a rail without layout: ``place`` in the ladder, what rings there [Hz, ohm].

    ``names`` are those of the elements of the ladder, by their place.
    """

    task: PeakTask
    place: int
    frequency: float
    damping: float
    names: tuple[str, ...]

    def __call__(self, limit: float, quality: float) -> DampingBank | MoreResistance | None:
        """What leaves no peak near there above a limit [ohm] and sharper than a quality; None if nothing does."""
        return _found(self, limit, quality)

    def found(self, limit: float, quality: float) -> DampingBank | MoreResistance | None:
        """The same, solved anew."""
        rails = (self.task.rail, *self.task.variants)
        for like, bank in self._banks():
            trial = [(replace(bank, esr=share * bank.esr), rail) for share in ESR_SPREAD for rail in rails]
            proof = _Proof(self, trial, limit, quality)
            if proof.holds(bank.inductance):
                return DampingBank(count=bank.count, like=like, capacitance=bank.capacitance, esr=bank.esr,
                                   inductance=bank.inductance, most=proof.most(bank.inductance))
        return self._raised(rails, limit, quality)

    def _banks(self) -> Iterator[tuple[str, Bank]]:
        """Banks of the pieces that the rail has, as they are mounted there; those of fewest pieces first of a kind."""
        rings = 1 / (2 * pi * self.frequency * self.damping)
        own = {(bank.capacitance, bank.inductance): (name, bank)
               for name, bank in zip(self.names, self.task.rail.ladder, strict=True) if isinstance(bank, Bank)}
        for times, factor in KINDS:
            for name, piece in ordered(own.values(), key=lambda one: -one[1].capacitance):
                count = ceil(times * rings / piece.capacitance * (1 - 1e-9))
                if count <= MOST:
                    esr = float(f"{steady(factor * self.damping * count):.3g}")
                    yield name, Bank(count, piece.capacitance, esr, piece.inductance)

    def _raised(self, rails: tuple[RailTask, ...], limit: float, quality: float) -> MoreResistance | None:
        """The least ESR of the bank that rings with which the peak is damped."""
        rings = self.task.rail.ladder[self.place] if self.place >= 0 else None
        if not isinstance(rings, Bank):
            return None
        for factor in RAISED:
            changed = [self._with_esr(rail, factor) for rail in rails]
            if all(self.damped(rail, limit, quality) for rail in changed):
                return MoreResistance(esr=factor * rings.esr, before=rings.esr)
        return None

    def _with_esr(self, rail: RailTask, factor: float) -> RailTask:
        steps = list(rail.ladder)
        bank = steps[self.place]
        if isinstance(bank, Bank):
            steps[self.place] = replace(bank, esr=factor * bank.esr, table=None)
        return replace(rail, ladder=tuple(steps))

    def with_bank(self, rail: RailTask, bank: Bank) -> RailTask:
        """A rail of the task with the bank in its place."""
        steps: list[Bank | LadderPlane] = list(rail.ladder)
        steps.insert(self.place + 1, bank)
        return replace(rail, ladder=tuple(steps))

    def damped(self, rail: RailTask, limit: float, quality: float) -> bool:
        """True if a rail has no peak near there that is above the limit and sharper than the quality."""
        return all(peak.magnitude <= limit or peak.quality <= quality
                   for peak in rail_peaks(rail, self.frequency / NEAR, self.frequency * NEAR))


@solved_once
def _found(search: DampingSearch, limit: float, quality: float) -> DampingBank | MoreResistance | None:
    return search.found(limit, quality)


class _Proof:
    """Whether a bank damps the rail and all its variants, at the ends of its ESR too.

    Those that were not damped once are looked at first: few decide where the largest inductance lies.
    """

    def __init__(self, search: DampingSearch, trial: list[tuple[Bank, RailTask]], limit: float, quality: float) -> None:
        self.search, self.all, self.limit, self.quality = search, trial, limit, quality
        self.critical: list[tuple[Bank, RailTask]] = []

    def most(self, inductance: float) -> float:
        """The largest inductance of a piece [H], from one that holds, on steps of its second digit; ``WIDEST`` times it
        at most.
        """
        step = 10.0 ** (floor(log10(inductance)) - 1)
        least = floor(inductance / step + 1e-9)
        end = WIDEST * least
        if self.holds(end * step):
            return end * step
        while True:
            low, high = least, end
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if self.may_hold(middle * step) else (low, middle)
            if low == least or self.holds(low * step):
                return max(low * step, inductance)
            end = low  # another variant decides too: once more

    def may_hold(self, inductance: float) -> bool:
        """True if those that were not damped before are, with an inductance of each piece [H]."""
        return all(self._damped(one, inductance) for one in self.critical)

    def holds(self, inductance: float) -> bool:
        """True if all are damped; the first that is not becomes critical."""
        for one in self.all:
            if one not in self.critical and not self._damped(one, inductance):
                self.critical.append(one)
                return False
        return self.may_hold(inductance)

    def _damped(self, one: tuple[Bank, RailTask], inductance: float) -> bool:
        bank, rail = one
        made = self.search.with_bank(rail, replace(bank, inductance=MOUNTED * inductance))
        return self.search.damped(made, self.limit, self.quality)
