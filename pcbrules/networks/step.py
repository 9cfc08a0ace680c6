# SPDX-License-Identifier: MIT
"""What comes of a step: from scattering parameters on an even grid to curves over time."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.physics.channel.tdr import gaussian_edge
from pcbrules.solver_cache import solved_once

FINER = 2
"""Points of the curves over those that the grid needs [-]: a parabola through three of them meets a peak."""

LEAD = 3.0
"""Where the curves begin, before the middle of the step, in rise times: the step has risen by 2e-7 there."""


def step_times(*, spacing: float, points: int, rise_time: float, finer: int = FINER) -> Real:
    """Times of the curves of ``step_response``, from ``LEAD`` rise times before the middle of the step on. [s]

    Parameters
    ----------
    spacing : float
        Step of the grid of frequencies. [Hz]
    points : int
        Points of the grid, zero frequency included.
    rise_time : float
        Of the step, from 20 to 80 %. [s]
    finer : int
        Points of the curves over those that the grid needs. [-]
    """
    count = 2 * finer * (points - 1)
    return np.arange(count) / (count * spacing) - LEAD * rise_time


def step_response(spectrum: Complex, *, spacing: float, rise_time: float, finer: int = FINER) -> Real:
    r"""Answer to a step with a Gaussian edge, over the times of ``step_times``.

    .. math:: y(t) = S_0 \frac{t}{T} + \frac{2}{T}\,\mathrm{Re} \sum_{k \ge 1} \frac{S_k H_k}{j \omega_k}
              e^{j \omega_k t} - y(t_0),\qquad T = 1 / \Delta f

    The sum is exact for an answer that has settled within the time T of the record. What has not comes again at its
    beginning: choose the spacing so that T holds all that comes back.

    Parameters
    ----------
    spectrum : ndarray of complex, shape (..., n)
        Scattering parameter from zero frequency on, in equal steps. [-]
    spacing : float
        Step of the grid. [Hz]
    rise_time : float
        Of the step, from 20 to 80 %. [s]
    finer : int
        Points of the curves over those that the grid needs. [-]

    Returns
    -------
    ndarray, shape (..., m)
        Part of the step. [-]
    """
    points = spectrum.shape[-1]
    count = 2 * finer * (points - 1)
    waves = np.fft.irfft(spectrum * _integrated(points, spacing, rise_time, finer), count, axis=-1)
    ramp = spectrum[..., :1].real * (np.arange(count) / count)
    return np.asarray(waves - waves[..., :1] + ramp)


@solved_once
def _integrated(points: int, spacing: float, rise_time: float, finer: int) -> Complex:
    """Spectrum of the step over that of an impulse, as the inverse transform takes it."""
    frequency = np.arange(1, points) * spacing
    turn = 2j * np.pi * frequency
    edge = gaussian_edge(frequency=frequency, rise_time=rise_time) * np.exp(-turn * LEAD * rise_time)
    return np.concatenate([[0.0], 2 * finer * (points - 1) * spacing * edge / turn])
