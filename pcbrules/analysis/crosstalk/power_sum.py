# SPDX-License-Identifier: MIT
"""How the crosstalk of neighbours, of the via field, and what is declared for the rest, add up at one end of a link."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.crosstalk.neighbours import Coupled, centres_of
from pcbrules.analysis.crosstalk.other_sources import Declared, ViaAggressor
from pcbrules.analysis.crosstalk.solve import CouplingPeak, CouplingResult
from pcbrules.analysis.crosstalk.via_field_solve import U_BOUND
from pcbrules.constants import DECIBEL
from pcbrules.model.board import BoardLink
from pcbrules.ties import greatest_of

SHIELDED = 35.0
"""By how much the coupling of vias may lie below its bound [dB]: 95 % of random places of ground vias."""


GROUNDED = 40.0
"""By how much two traces may couple less with ground beside one of them that is left out [dB]; practice."""


@dataclass(frozen=True, slots=True)
class Aggressor:
    """A neighbour and its coupling."""

    coupled: Coupled
    result: CouplingResult

    @property
    def peaks(self) -> tuple[CouplingPeak, ...]:
        """At the end where it counts, by centre."""
        return self.result.near if self.coupled.near_end else self.result.far


@dataclass(frozen=True, slots=True)
class Sources:
    """All that couples into a link at one end or both: its traces, its vias, and what is declared for the rest."""

    lines: tuple[Aggressor, ...]
    vias: tuple[ViaAggressor, ...]
    bounds: tuple[Declared, ...]

    def at(self, *, near: bool) -> Sources:
        """Those that count at one end; what is declared counts at both."""
        return Sources(
            tuple(one for one in self.lines if one.coupled.near_end == near),
            tuple(one for one in self.vias if one.coupled.near_end == near),
            self.bounds,
        )


@dataclass(frozen=True, slots=True)
class PowerSum:
    """A power sum [dB] and its model error; those of lines, of vias and of what is declared alone.

    ``centre`` is the place of the largest among the ``centres``.
    """

    total: Interval
    error: float
    lines: float | None
    vias: float | None
    declared: float | None
    centre: int

    @property
    def loudest(self) -> str:
        """The largest of the three: ``lines``, ``vias`` or ``declared``."""
        parts = {"lines": self.lines, "vias": self.vias, "declared": self.declared}
        return greatest_of(parts, key=lambda name: _or_none(parts[name]))


def centres(link: BoardLink, sources: Sources) -> tuple[float, ...]:
    """Frequencies around which the coupling is sought. [Hz]"""
    return centres_of(link) if sources.lines or sources.vias else (link.standard.nyquist,)


def coupled(total: PowerSum | None) -> float:
    """Crosstalk of lines and vias; none is infinitely low. [dB]"""
    parts = [] if total is None else [power(one) for one in (total.lines, total.vias) if one is not None]
    return level(sum(parts)) if parts else -math.inf


def _or_none(level: float | None) -> float:
    """A level, infinitely low where there is none. [dB]"""
    return -math.inf if level is None else level


def power_sum(link: BoardLink, sources: Sources) -> PowerSum | None:
    """Sum of all sources, at the centre where it is largest; None where there is none.

    Every neighbour counts with the largest value of its own window: where the nulls of two fall depends on lengths
    that nobody knows to a millimetre. Vias count with their bound; they may couple less.
    """
    if not (sources.lines or sources.vias or sources.bounds):
        return None
    least = sum(power(one.level) for one in sources.bounds)
    most = sum(power(one.most) for one in sources.bounds)
    off_vias = DECIBEL * math.log1p(U_BOUND)

    def at(centre: int) -> tuple[float, float, float, float, float, float]:
        lines, vias, low, high, doubtful = 0.0, 0.0, 0.0, 0.0, 0.0
        for one in sources.lines:
            peak = one.peaks[centre]
            off = math.hypot(peak.error, peak.spread)
            lines += peak.power
            low += peak.power * power(-(GROUNDED if one.coupled.at_most else off))
            high += peak.power * power(off)
            doubtful += peak.power * power(peak.error)
        for beside in sources.vias:
            bound = beside.result.power[centre]
            vias += bound
            low += bound * power(-SHIELDED)
            high += bound * power(math.hypot(off_vias, beside.result.spread))
            doubtful += bound * power(off_vias)
        return lines + vias + least, low + least, high + most, doubtful + least, lines, vias

    sums = [at(centre) for centre in range(len(centres(link, sources)))]
    centre = greatest_of(range(len(sums)), key=lambda k: sums[k][0])
    value, low, high, doubtful, lines, vias = sums[centre]
    return PowerSum(
        total=Interval(lo=level(low), value=level(value), hi=level(high)),
        error=level(doubtful) - level(value),
        lines=level(lines) if sources.lines else None,
        vias=level(vias) if sources.vias else None,
        declared=level(least) if sources.bounds else None,
        centre=centre,
    )


def power(level: float) -> float:
    """Power ratio of a level [dB]."""
    return float(10 ** (level / 10))


def level(power: float) -> float:
    """Level of a power ratio [dB]; what is too small for a number is -3000 dB."""
    return 10 * math.log10(max(power, 1e-300))
