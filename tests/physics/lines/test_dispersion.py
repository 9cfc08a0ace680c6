# SPDX-License-Identifier: MIT
"""Dispersion of microstrip against scikit-rf's and against a measured line."""

from __future__ import annotations

import numpy as np
import pytest
from skrf.media import MLine

from pcbrules.physics.lines.dispersion import even_dispersion, odd_dispersion, single_dispersion


@pytest.mark.parametrize("dk", [2.2, 3.66, 4.41, 10.2])
@pytest.mark.parametrize("width", [0.2, 1.0, 1.94, 6.0])
def test_one_trace_as_scikit_rf_has_it(width: float, dk: float) -> None:
    height, still = 1e-3, 0.55 * dk + 0.45
    frequency = np.array([0.1e9, 1e9, 5e9, 10e9, 24e9])
    _, wanted = MLine.analyse_dispersion(
        None, 50.0, still, dk, width * height, width * height, height, 0.0, frequency, "kirschningjansen")
    drawn = single_dispersion(width=width, dk=dk, product=frequency * height)
    np.testing.assert_allclose(dk - (dk - still) / (1 + drawn), wanted, rtol=1e-9)


def test_a_pair_far_apart_is_two_traces_and_a_close_one_has_its_odd_field_in_the_substrate_already() -> None:
    given = {"width": 1.5, "dk": 4.0, "product": 5e6}
    one = single_dispersion(**given)
    for formula in (even_dispersion, odd_dispersion):
        assert formula(gap=10.0, **given) == pytest.approx(one, rel=1e-3)
    assert odd_dispersion(gap=0.5, **given) < one < even_dispersion(gap=0.5, **given)
