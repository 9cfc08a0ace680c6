# SPDX-License-Identifier: MIT
"""Least finished copper by IPC-6012, as fabricators print its table of inner layers."""

from __future__ import annotations

import pytest

from pcbrules.analysis.board.plane_weight import least_finished


@pytest.mark.parametrize(("ounces", "micrometres"), [(0.5, 11.4), (1, 24.9), (2, 55.7), (3, 86.6), (4, 117.5)])
def test_least_finished(ounces: float, micrometres: float) -> None:
    assert least_finished(ounces * 35e-6) == pytest.approx(micrometres * 1e-6, abs=0.1e-6)
