# SPDX-License-Identifier: MIT
"""The step of a reflectometer: its rise, what lies beyond a band, and reflections turned into impedances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import erf

from pcbrules.physics.channel.tdr import apparent_impedance, beyond_band, gaussian_edge


@given(rise=st.floats(2e-12, 1e-9))
def test_the_step_takes_its_rise_time_from_20_to_80_percent(rise: float) -> None:
    """The step back from its spectrum: 1/2 + 1/pi times the integral of H sin(wt) / f over frequency."""

    def step(t: float) -> float:
        top = 3 / rise
        made, _ = quad(lambda f: float(gaussian_edge(frequency=f, rise_time=rise)) * math.sin(2 * math.pi * f * t) / f,
                       1e-9 / rise, top, limit=400, epsabs=1e-9)
        return 0.5 + made / math.pi

    assert step(-rise / 2) == pytest.approx(0.2, abs=1e-5)
    assert step(rise / 2) == pytest.approx(0.8, abs=1e-5)


@given(highest=st.floats(0.5, 3.0))
def test_what_lies_beyond_a_band_is_bounded_closely(highest: float) -> None:
    whole, _ = quad(lambda f: float(gaussian_edge(frequency=f, rise_time=1.0)) / (math.pi * f), highest, 20,
                    epsabs=0, epsrel=1e-9, limit=400)
    assert whole <= float(beyond_band(highest=highest)) <= 1.21 * whole


def test_a_band_of_four_nyquist_is_enough_for_a_rise_of_0_4_unit_intervals() -> None:
    assert float(beyond_band(highest=4 * 0.2)) < 4e-4


@given(z=st.floats(1, 1000), reference=st.floats(10, 200))
def test_an_impedance_comes_back_from_its_reflection(z: float, reference: float) -> None:
    back = (z - reference) / (z + reference)
    assert apparent_impedance(reflected=back, reference=reference) == pytest.approx(z, rel=1e-9)


def test_80_percent_is_where_the_normal_says() -> None:
    assert 0.5 * (1 + erf(0.8416212335729143 / math.sqrt(2))) == pytest.approx(0.8, abs=1e-15)
    assert np.all(np.diff(gaussian_edge(frequency=np.linspace(0, 1e11, 50), rise_time=10e-12)) < 0)
