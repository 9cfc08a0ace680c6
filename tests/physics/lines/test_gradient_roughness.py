# SPDX-License-Identifier: MIT
"""The gradient model of roughness: published figures, an independent solution, laws."""

from __future__ import annotations

import numpy as np
import pytest
from hilbert import imaginary_part
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.constants import mu_0, pi
from scipy.integrate import solve_ivp
from scipy.special import ndtr

from pcbrules.physics.lines.conductor import skin_depth
from pcbrules.physics.lines.gradient_roughness import gradient

depths = st.floats(0.1e-6, 100e-6)
heights = st.floats(0, 4e-6)


# D. N. Grujic's approximation (IEEE Trans. MTT 70(4), 2022, p. 2053), 58 MS/m, Rq 0.5 um, reactance from 5 Rq above
# the mean plane: figures in the tests of github.com/simonp0420/MetalSurfaceImpedance.jl. That file compares to 1e-3
# ohm, so its figures for 10 MHz test nothing there and are left out here.
@pytest.mark.parametrize(
    ("frequency", "published"),
    [
        (1e8, 2.6364e-3 + 4.5506e-3j),
        (1e9, 9.0208e-3 + 2.7039e-2j),
        (1e10, 4.1647e-2 + 1.9682e-1j),
        (1e11, 2.7427e-1 + 1.5143j),
        (1e12, 2.1159 + 11.739j),
    ],
)
def test_published_figures(frequency: float, published: complex) -> None:
    depth, rms = float(skin_depth(frequency=frequency, resistivity=1 / 58e6)), 0.5e-6
    smooth = (1 + 1j) / (58e6 * depth)
    surface = complex(gradient(skin_depth=depth, rms=rms)) * smooth + 2j * pi * frequency * mu_0 * 5 * rms
    assert surface.real == pytest.approx(published.real, rel=2e-3)
    assert surface.imag == pytest.approx(published.imag, rel=1e-3)


def adaptive(height: float) -> complex:
    """The same equation by an adaptive Runge-Kutta method; ``height`` in skin depths, depth in heights."""

    def slope(x: float, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        return height * (2j - ndtr(7 - x) * z**2)

    end = complex(solve_ivp(slope, (0, 14), [1 + 1j], method="DOP853", rtol=1e-11, atol=1e-11).y[0, -1])
    return end / (1 + 1j) - (1 + 1j) * 7 * height


@pytest.mark.parametrize("height", [0.05, 0.2, 1.0, 5.0, 18.0])
def test_layers_against_an_adaptive_solution(height: float) -> None:
    layers = complex(gradient(skin_depth=1.0, rms=height))
    assert ((1 + 1j) * layers).real == pytest.approx(((1 + 1j) * adaptive(height)).real, rel=7e-5)
    assert layers == pytest.approx(adaptive(height), rel=1e-4)


@given(depth=depths, rms=heights, more=heights, thinner=st.floats(0.2, 1))
def test_resistance_is_at_least_that_of_smooth_copper_and_grows(
    depth: float, rms: float, more: float, thinner: float
) -> None:
    def resistance(delta: float, height: float) -> float:
        return float(((1 + 1j) * gradient(skin_depth=delta, rms=height)).real)

    here = resistance(depth, rms)
    assert here >= 1 - 1e-12
    assert resistance(depth, rms + more) >= here - 1e-12
    assert resistance(depth * thinner, rms) >= here - 1e-12
    assert resistance(depth, 0.0) == pytest.approx(1, rel=1e-14)


def test_smooth_at_low_frequency() -> None:
    assert gradient(skin_depth=1.0, rms=1e-4) == pytest.approx(1, rel=1e-4)


def test_frequencies_and_heights_broadcast() -> None:
    many = gradient(skin_depth=np.array([[0.3e-6], [2e-6]]), rms=np.array([0.4e-6, 1e-6, 3e-6]))
    assert many.shape == (2, 3)
    assert many[1, 2] == pytest.approx(complex(gradient(skin_depth=2e-6, rms=3e-6)), rel=1e-14)


@pytest.mark.parametrize("frequency", [1e8, 2e9, 16e9, 60e9])
def test_real_and_imaginary_part_belong_together(frequency: float) -> None:
    """The factor grows without bound, so it is taken behind a causal filter."""

    def filtered(f: NDArray[np.float64] | float) -> NDArray[np.complex128]:
        bounded = np.minimum(np.maximum(np.asarray(f), 1e-3), 1e17)
        depth = np.sqrt(1.724e-8 / (pi * mu_0 * bounded))
        return np.asarray(gradient(skin_depth=depth, rms=0.6e-6) / (1 + 1j * np.asarray(f) / 20e9))

    whole = complex(filtered(frequency))
    assert imaginary_part(lambda f: filtered(f).real, frequency) == pytest.approx(whole.imag, abs=1e-3 * abs(whole))
