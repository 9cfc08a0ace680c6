# SPDX-License-Identifier: MIT
"""A hole of 0.1 mm in an antipad of 1.1 mm, as a public board has it: no wave along its barrel at its clean notch."""

from __future__ import annotations

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.vias.solve import solve_via
from pcbrules.analysis.vias.task import Surroundings, ViaResult, ViaSpec


def test_its_stub_has_a_resonance() -> None:
    """Without loading a stub of 0.665 mm at Dk 4.5 resonates at c / (4 length sqrt(4.5)), 53.1 GHz: no later."""
    points = ((1e9 / 6, 4.596665476591838, 0.017329175324577423), (1e9, 4.5, 0.02), (6e9, 4.39, 0.02308246021567412))
    spec = ViaSpec(
        through_length=0.814e-3, port1_stub=0.0, port2_stub=0.665e-3, drill_diameter=0.1e-3, antipad_diameter=1.1e-3,
        dk=4.5, df_points=DielectricPoints(points=points), single_ended=False, hole_fill_known=True,
        open_dk=0.0, surroundings=Surroundings(
            cavities=(0.476e-3, 0.4845e-3), plane_thickness=23.667e-6, ground_diameter=0.1e-3, grounds=(), elsewhere=(),
            pitch=0.6e-3, oval=True))
    result = solve_via(spec)
    assert isinstance(result, ViaResult)
    (stub,) = result.stubs
    assert 0 < stub.loaded.lo <= stub.loaded.value <= stub.loaded.hi
    assert stub.loaded.value < stub.ideal < 53.2e9
