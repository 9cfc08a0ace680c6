# SPDX-License-Identifier: MIT
"""Effective return loss (ERL) of a port, from its reflection over frequency.

One symbol is sent into the port. What comes back over time is weighted by what it counts for, sampled once a symbol at
the worst phase, and taken as interference of random data: the ERL is the amplitude that it exceeds with the error ratio
of the detector.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.physics.channel.erl import closing_window, exceeded_amplitude, receiver_filter, reflection_weight
from pcbrules.physics.channel.tdr import gaussian_edge
from pcbrules.physics.common.extremes import first_greatest_of_rows
from pcbrules.solver_cache import solved_once

PHASES = 32
"""Phases of a symbol at which the reflection is sampled."""

GUARD = 10
"""Unit intervals at the end of a record that are not read: what the window spreads to before time zero stands there."""

DEEPEST = 80.0
"""Largest ERL that is told apart from none [dB]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErlSettings:
    """Settings of an ERL, by their names in IEEE 802.3.

    ``symbol_rate`` f_b [Bd]; ``transition`` T_r, 20 to 80 % [s]; ``receiver`` f_r over f_b [-]; ``reach`` N_bx [UI];
    ``permitted`` rho_x [-]; ``loss_slope`` beta_x, dB per second of delay [Hz]; ``count`` N, samples [UI]; ``fixture``
    T_fx, there and back [s]; ``levels`` L; ``error_ratio`` DER_0 [-]; ``window`` whether H_tw closes the band from f_r
    to f_b.
    """

    symbol_rate: float
    transition: float
    receiver: float
    reach: int
    permitted: float
    loss_slope: float
    count: int
    fixture: float
    levels: int
    error_ratio: float
    window: bool = True


def effective_return_loss(*, reflection: Complex, symbols: int, settings: ErlSettings) -> Real:
    """ERL of some reflections. [dB]

    Parameters
    ----------
    reflection : ndarray, shape (m, n)
        Reflections over frequency at multiples of the symbol rate over ``symbols``, from zero on; nothing is sent back
        above the last one. The other port is matched, the reference is that of the standard.
    symbols : int
        Unit intervals of the record, more than ``GUARD`` and the fixture: what comes back later comes round again.
    settings : ErlSettings
        Of the standard.

    Returns
    -------
    ndarray, shape (m,)
        [dB]
    """
    found = [exceeded_amplitude(samples=row, levels=settings.levels, probability=settings.error_ratio)
             for row in worst_samples(reflection=reflection, symbols=symbols, settings=settings)]
    return np.array([min(-20 * math.log10(max(one, 1e-30)), DEEPEST) for one in found])


def worst_samples(*, reflection: Complex, symbols: int, settings: ErlSettings) -> Real:
    """Weighted reflections once a symbol, at the phase of the largest sum of squares; shape (m, N). [-]"""
    weighted = weighted_reflection(reflection=reflection, symbols=symbols, settings=settings)
    worst = first_greatest_of_rows(np.sum(weighted**2, axis=-2))
    return np.asarray(np.take_along_axis(weighted, worst[:, np.newaxis, np.newaxis], axis=-1)[..., 0])


def weighted_reflection(*, reflection: Complex, symbols: int, settings: ErlSettings) -> Real:
    """The pulse reflection times its weight, by symbol and phase; shape (m, N, PHASES). [-]

    N is cut to what the record holds after the fixture.
    """
    count = min(settings.count, math.floor(symbols - GUARD - settings.fixture * settings.symbol_rate + 1e-9))
    pulse = pulse_reflection(reflection=reflection, symbols=symbols, settings=settings)
    weighted = pulse[..., : count * PHASES] * _weight(settings, count)
    return weighted.reshape(*weighted.shape[:-1], count, PHASES)


def pulse_reflection(*, reflection: Complex, symbols: int, settings: ErlSettings) -> Real:
    """What comes back of a unit pulse of one symbol, from the end of the fixture on; shape (m, symbols * PHASES). [-]

    The pulse lasts from zero to one unit interval: it is not centred on zero.
    """
    spectrum = np.asarray(reflection) * _sent(settings, symbols, np.shape(reflection)[-1])
    spectrum[..., 0] = spectrum[..., 0].real
    return np.asarray(np.fft.irfft(spectrum, n=symbols * PHASES) * PHASES)


@solved_once
def _sent(settings: ErlSettings, symbols: int, points: int) -> Complex:
    """Spectrum of the pulse behind all filters, over its length, seen from the end of the fixture. [-]"""
    rate = settings.symbol_rate
    turns = np.arange(points) / symbols
    frequency, receiver = turns * rate, settings.receiver * rate
    shape = gaussian_edge(frequency=frequency, rise_time=settings.transition)
    shape = shape * receiver_filter(frequency=frequency, half_power=receiver)
    if settings.window:
        shape = shape * closing_window(frequency=frequency, start=receiver, end=rate)
    return np.asarray(shape * np.sinc(turns) * np.exp(1j * np.pi * turns * (2 * settings.fixture * rate - 1)))


@solved_once
def _weight(settings: ErlSettings, count: int) -> Real:
    after = np.arange(count * PHASES) / PHASES
    return np.asarray(reflection_weight(after=after, reach=settings.reach, permitted=settings.permitted,
                                        slope=settings.loss_slope / settings.symbol_rate))
