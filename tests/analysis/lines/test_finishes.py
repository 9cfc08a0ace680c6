# SPDX-License-Identifier: MIT
"""Surface finishes of a bare microstrip: what they add to its loss, and what they leave alone."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.finishes import LAYERS
from pcbrules.analysis.lines.solve import LineResult, solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.model.stackup import Finish

MATERIAL = DielectricPoints(((10e9, 3.66, 0.0037),))
BARE = LineTask(0.43e-3, 0.43e-3, 35e-6, None, False, (Ply(0.203e-3, MATERIAL),), (), None, None,
                (3e-6, 1.5e-6, 3e-6, 0.0), 1.8e-8, 1.7241e-8, 20.0, closed=False)
"""50 ohm on 8 mil of hydrocarbon with ceramic."""


def line(finish: Finish) -> LineResult:
    made = solve_lossy(replace(BARE, plating=LAYERS[finish]))
    assert isinstance(made, LineResult)
    return made


def loss(finish: Finish, frequency: float = 10e9) -> float:
    """[dB/m]"""
    return float(line(finish).loss_db_per_m(frequency).total)


def test_nickel_doubles_the_loss_of_a_bare_microstrip() -> None:
    """Measured at 10 GHz: 12.4 dB/m of copper, 25.6 dB/m with ENIG."""
    assert loss("none") == pytest.approx(12.4, rel=0.05)
    found = line("enig")
    assert loss("enig") * (1 - found.u_loss) < 25.6 < loss("enig") * (1 + found.u_loss)


def test_every_finish_has_layers_and_none_is_lossier_than_nickel_under_a_thin_skin_of_gold() -> None:
    assert set(LAYERS) == set(get_args(Finish))
    assert max(LAYERS, key=loss) == "enig"
    assert loss("osp") == loss("none")
    assert loss("imag") == pytest.approx(loss("none"), rel=0.01)


def test_a_finish_changes_the_copper_alone() -> None:
    plated, bare = line("enig"), line("none")
    assert plated.z0 == bare.z0
    assert plated.delay == bare.delay
    one, other = (made.loss_parts(10e9) for made in (plated, bare))
    assert one["dielectric"] == pytest.approx(other["dielectric"], rel=0.02)
    assert one["conductor"] > 1.5 * other["conductor"]


def test_at_direct_current_a_thin_finish_carries_nothing() -> None:
    r = [float(np.asarray(line(finish).rlgc(1e3)[0])) for finish in ("none", "enig")]
    assert r[1] == pytest.approx(r[0], rel=1e-3)
