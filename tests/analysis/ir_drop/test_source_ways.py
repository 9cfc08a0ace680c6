# SPDX-License-Identifier: MIT
"""The resistance of a source that is not declared: a range that holds what boards declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.analysis.ir_drop.source_ways import PIN, PIN_MOST, undrawn_ways
from pcbrules.analysis.ir_drop.undeclared import drawn_sides

BOARDS = Path(__file__).parents[3] / "boards"


@pytest.mark.parametrize("name", ["jetson-orin-carrier", "oam-universal-baseboard"])
def test_what_boards_declare_lies_within_what_is_assumed(name: str) -> None:
    board = api.load(str(BOARDS / f"{name}.yaml"), name).board
    for rail in (board.rails or {}).values():
        if rail.copper is None or board.stack is None or rail.current.sustained is None:
            continue
        for side in drawn_sides(rail.copper):
            bare = side.model_copy(update={
                "sources": tuple(one.model_copy(update={"resistance": None}) for one in side.sources)})
            current = rail.current.sustained.value
            most, _ = undrawn_ways([bare], board.stack, "copper", sensed=False, temperature=70.0).most(current)
            declared = [one.resistance.value for one in side.sources if one.resistance]
            assert declared and max(declared) * current / len(side.sources) < most


def test_a_source_on_a_face_has_pins_and_one_inside_has_vias_too() -> None:
    board = api.load(str(BOARDS / "jetson-orin-carrier.yaml"), "jetson").board
    assert board.stack is not None and board.rails is not None and board.rails["vdd_in"].copper is not None
    side = board.rails["vdd_in"].copper
    drops = []
    for layer in ("L1", "L5"):
        source = side.sources[0].model_copy(update={"resistance": None, "layers": (layer,)})
        ways = undrawn_ways([side.model_copy(update={"sources": (source,)})], board.stack, "copper", sensed=False,
                            temperature=70.0)
        assert ways.key == "copper.sources[0].resistance"
        drops.append([ways.most(current)[0] for current in (1.0, 20.0)])
    assert drops[0] == [pytest.approx(PIN), pytest.approx(PIN * PIN_MOST)]
    assert drops[1][0] > drops[0][0] and drops[1][1] > drops[0][1]
