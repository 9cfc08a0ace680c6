# SPDX-License-Identifier: MIT
"""Crosstalk of neighbours over the band of a receiver, as noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.channel.task import Filters
from pcbrules.analysis.crosstalk.solve import CouplingTask, coupling_over, solve_coupling
from pcbrules.analysis.crosstalk.via_field_solve import U_BOUND, ViaFieldTask, solve_via_field, via_field_over
from pcbrules.arrays import Real
from pcbrules.constants import DECIBEL, LOWEST_FITTED
from pcbrules.missing import Missing
from pcbrules.physics.channel.crosstalk_noise import integrated_crosstalk, noise_weight
from pcbrules.solver_cache import solved_once
from pcbrules.ties import greatest_of

BAND = 1.5
"""End of the band over Nyquist [-]."""

U_BAND = 0.01
"""Error (k = 2) of what lies beyond the band [-]: of a coupling that grows with frequency, 0.7 %."""

PER_LOBE = 4
"""Points a lobe of the near-end coupling: its mean square is a constant and one cosine, and 3 points have both."""

POINTS = (100, 2000)
"""Points of the band at least and at most: 5e-4 of the noise of lines of 1 to 30 cm is left."""

SMOOTH = 200
"""Points of the band for what has no lobes."""


@dataclass(frozen=True, slots=True)
class NoiseTask:
    """Couplings with the peak [V] of each aggressor and whether its near end counts, symbol rate [Bd], filters.

    ``vias`` are pairs beside the vias with their peaks. ``amplitude`` [V] is that of what is declared for the rest.
    """

    couplings: tuple[CouplingTask, ...]
    near: tuple[bool, ...]
    peaks: tuple[float, ...]
    vias: tuple[ViaFieldTask, ...]
    via_peaks: tuple[float, ...]
    amplitude: float
    symbol_rate: float
    filters: Filters


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise of one aggressor [V rms], its model error (k = 2) and its spread by fabrication [dB]."""

    voltage: float
    error: float
    spread: float


@dataclass(frozen=True, slots=True)
class NoiseResult:
    """Noise by aggressor, in the order of the task; that of crosstalk of 0 dB at all frequencies [V rms]."""

    parts: tuple[Noise | Missing, ...]
    vias: tuple[Noise | Missing, ...]
    flat: float


def solve_noise(task: NoiseTask) -> NoiseResult:
    """Solve all couplings of a link over the band."""
    return NoiseResult(
        tuple(
            noise_of(one, near=near, peak=peak, symbol_rate=task.symbol_rate, filters=task.filters)
            for one, near, peak in zip(task.couplings, task.near, task.peaks, strict=True)
        ),
        tuple(_of_vias(task, one, peak) for one, peak in zip(task.vias, task.via_peaks, strict=True)),
        _flat(task),
    )


@solved_once
def noise_of(
    one: CouplingTask, *, near: bool, peak: float, symbol_rate: float, filters: Filters
) -> Noise | Missing:
    """Noise of one aggressor of so high a peak [V]: at its near end, or at its far one."""
    around = solve_coupling(one)
    if isinstance(around, Missing):
        return around
    top = BAND * symbol_rate / 2
    over = _over(one, top, around.reach)
    if isinstance(over, Missing):
        return over
    frequency, *ends = over
    voltage = integrated_crosstalk(
        frequency=frequency,
        power=np.abs(ends[0 if near else 1]) ** 2,
        weight=noise_weight(frequency=frequency, symbol_rate=symbol_rate, transmitter=filters.transmitter,
                            receiver=filters.receiver),
        amplitude=peak,
        symbol_rate=symbol_rate,
    )
    at = greatest_of((around.near if near else around.far), key=lambda found: found.power)
    return Noise(voltage, math.hypot(at.error, DECIBEL * U_BAND), at.spread)


@solved_once
def _over(
    one: CouplingTask, top: float, reach: float
) -> tuple[Real, NDArray[np.complex128], NDArray[np.complex128]] | Missing:
    """Frequencies up to the end of the band (f,) [Hz], near-end and far-end coupling there (f,) [-]."""
    lobes = (top - LOWEST_FITTED) / (2 * reach)
    frequency = np.linspace(LOWEST_FITTED, top, int(min(max(PER_LOBE * lobes, POINTS[0]), POINTS[1])))
    over = coupling_over(one, frequency)
    return over if isinstance(over, Missing) else (frequency, *over)


def _of_vias(task: NoiseTask, one: ViaFieldTask, peak: float) -> Noise | Missing:
    """Noise of the bound of a pair beside the vias."""
    frequency = np.linspace(LOWEST_FITTED, BAND * task.symbol_rate / 2, SMOOTH)
    around = solve_via_field(one)
    if isinstance(around, Missing):
        return around
    bound = via_field_over(one, frequency)
    if isinstance(bound, Missing):
        return bound
    voltage = integrated_crosstalk(frequency=frequency, power=bound**2, weight=_weight(task, frequency),
                                   amplitude=peak, symbol_rate=task.symbol_rate)
    return Noise(voltage, math.hypot(DECIBEL * math.log1p(U_BOUND), DECIBEL * U_BAND), around.spread)


def _weight(task: NoiseTask, frequency: Real) -> Real:
    weight: Real = noise_weight(frequency=frequency, symbol_rate=task.symbol_rate,
                                               transmitter=task.filters.transmitter, receiver=task.filters.receiver)
    return weight


def _flat(task: NoiseTask) -> float:
    frequency = np.linspace(LOWEST_FITTED, BAND * task.symbol_rate / 2, SMOOTH)
    return integrated_crosstalk(frequency=frequency, power=np.ones_like(frequency), weight=_weight(task, frequency),
                                amplitude=task.amplitude, symbol_rate=task.symbol_rate)
