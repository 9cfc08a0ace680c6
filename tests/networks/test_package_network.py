# SPDX-License-Identifier: MIT
"""A package as a line with capacitances: its declared loss, a lossless one by hand, a published package."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import pi

from pcbrules.networks.cascade import cascade, insertion_loss
from pcbrules.networks.line import line
from pcbrules.networks.lumped import shunt
from pcbrules.networks.package import package

GRID = np.linspace(0.0, 85e9, 171)


@given(impedance=st.floats(60, 120), delay=st.floats(5e-12, 500e-12), loss=st.floats(0, 12),
       at=st.sampled_from([4e9, 16e9, 26.5625e9]))
def test_the_line_has_the_loss_that_is_declared(impedance: float, delay: float, loss: float, at: float) -> None:
    """Seen between matched lines, which for a line of loss have a complex impedance: two lengths tell it."""
    f = np.array([at])
    one, two = (package(f, impedance=impedance, delay=n * delay, loss=n * loss, at=at, z_ref=impedance).s
                for n in (1, 2))
    # of a symmetric two-port and its double: e to the gamma l from the traces of their chain matrices
    s11, s21 = one[0, 0, 0], one[0, 1, 0]
    cosh = (1 - s11**2 + s21**2) / (2 * s21)
    decay = cosh - np.sqrt(cosh**2 - 1)
    decay = decay if abs(decay) < 1 else 1 / decay
    assert -20 * np.log10(abs(decay)) == pytest.approx(loss, rel=1e-6, abs=1e-5)
    s11, s21 = two[0, 0, 0], two[0, 1, 0]
    assert (1 - s11**2 + s21**2) / (2 * s21) == pytest.approx(2 * cosh**2 - 1, rel=1e-6)


@given(impedance=st.floats(60, 120), delay=st.floats(5e-12, 500e-12), die=st.floats(0, 200e-15),
       ball=st.floats(0, 200e-15), z_ref=st.floats(70, 110))
def test_without_loss_it_is_a_line_between_capacitors(
    impedance: float, delay: float, die: float, ball: float, z_ref: float
) -> None:
    omega = 2j * pi * GRID
    parts = [
        shunt(GRID, admittance=omega * die / 2, z_ref=z_ref),
        line(GRID, series=omega * delay * impedance, shunt=omega * delay / impedance, length=1.0, z_ref=z_ref),
        shunt(GRID, admittance=omega * ball / 2, z_ref=z_ref),
    ]
    made = package(GRID, impedance=impedance, delay=delay, loss=0.0, at=16e9, first_capacitance=die,
                   last_capacitance=ball, z_ref=z_ref)
    assert np.abs(made.s - cascade(parts).s).max() < 1e-12
    assert insertion_loss(made)[0] == 0


def test_a_published_package() -> None:
    """IEEE 802.3bj, 12 mm and 30 mm: 78.2 ohm, 6.141 ps/mm, C_d 0.25 pF, C_p 0.18 pF, at 12.89 GHz; values by an
    independent program. Its loss is by skin effect and, a quarter of it, by the dielectric, and its impedance real."""
    for length, s21, s11, s22 in (
        (12, 0.6204745 - 0.3360964j, -0.3209288 - 0.5186424j, -0.2761898 - 0.5262147j),
        (30, -0.650667 + 0.07508202j, -0.1865325 - 0.4648153j, -0.08863121 - 0.4484915j),
    ):
        nepers = length * (0.001734 * 12.89**0.5 + 0.0001455 * 12.89)
        made = package(np.array([12.89e9]), impedance=78.2, delay=length * 6.141e-12, loss=8.685889638 * nepers,
                       at=12.89e9, first_capacitance=0.25e-12, last_capacitance=0.18e-12, z_ref=100.0).s[0]
        assert abs(made[1, 0]) == pytest.approx(abs(s21), abs=0.02)
        assert made[1, 0] == pytest.approx(s21, abs=0.1)
        assert abs(made[0, 0]) == pytest.approx(abs(s11), abs=0.04)
        assert abs(made[1, 1]) == pytest.approx(abs(s22), abs=0.05)
        assert made[0, 0] == pytest.approx(s11, abs=0.06)


@pytest.mark.parametrize("wrong", [{"impedance": 0.0}, {"delay": 0.0}, {"loss": -1.0}, {"last_capacitance": -1e-15}])
def test_impossible_packages_are_refused(wrong: dict[str, float]) -> None:
    right = {"impedance": 90.0, "delay": 1e-10, "loss": 2.0, "at": 16e9, "z_ref": 100.0}
    with pytest.raises(ValueError, match="positive impedance and delay"):
        package(GRID, **(right | wrong))
