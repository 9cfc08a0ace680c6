# SPDX-License-Identifier: MIT
"""How the crosstalk of neighbours, and what is declared for via field and connector, add up at one end of a link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.analysis.crosstalk_neighbours import Coupled
from pcbrules.analysis.crosstalk_solve import CouplingResult, Peak
from pcbrules.model.board import BoardLink


@dataclass(frozen=True, slots=True)
class Aggressor:
    """A neighbour and its coupling."""

    coupled: Coupled
    result: CouplingResult

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """At the end where it counts, by centre."""
        return self.result.near if self.coupled.near_end else self.result.far


@dataclass(frozen=True, slots=True)
class PowerSum:
    """A power sum [dB] with its interval and model error, those of the lines alone, and the centre of the largest."""

    value: float
    lo: float
    hi: float
    error: float
    lines: float | None
    centre: int


def centres(link: BoardLink, aggressors: Sequence[Aggressor]) -> tuple[float, ...]:
    """Frequencies around which the coupling is sought. [Hz]"""
    return aggressors[0].coupled.task.centres if aggressors else (link.standard.nyquist,)


def of_lines(total: PowerSum | None) -> float:
    """Crosstalk of the lines alone; none is infinitely low. [dB]"""
    return -math.inf if total is None or total.lines is None else total.lines


def power_sum(link: BoardLink, aggressors: Sequence[Aggressor]) -> PowerSum | None:
    """Sum of aggressors and of the declared bound, at the centre where it is largest; None where there is neither.

    Every aggressor counts with the largest value of its own window: where the nulls of two fall depends on lengths
    that nobody knows to a millimetre.
    """
    declared = link.spec.crosstalk_elsewhere
    least = power(-declared.bound.value) if declared else 0.0
    most = power(-declared.bound.value + (declared.bound.minus or 0.0)) if declared else 0.0
    if not aggressors and not declared:
        return None

    def at(centre: int) -> tuple[float, float, float, float, float]:
        value, low, high, doubtful = 0.0, 0.0, 0.0, 0.0
        for one in aggressors:
            peak = one.peaks[centre]
            off = math.hypot(peak.error, peak.spread)
            value += peak.power
            low += peak.power * power(-off)
            high += peak.power * power(off)
            doubtful += peak.power * power(peak.error)
        return value, value + least, low + least, high + most, doubtful + least

    sums = [at(centre) for centre in range(len(centres(link, aggressors)))]
    centre = max(range(len(sums)), key=lambda k: sums[k][0])
    lines, value, low, high, doubtful = sums[centre]
    return PowerSum(
        value=level(value),
        lo=level(low),
        hi=level(high),
        error=level(doubtful) - level(value),
        lines=level(lines) if aggressors else None,
        centre=centre,
    )


def power(level: float) -> float:
    """Power ratio of a level [dB]."""
    return float(10 ** (level / 10))


def level(power: float) -> float:
    """Level of a power ratio [dB]; what is too small for a number is -3000 dB."""
    return 10 * math.log10(max(power, 1e-300))
