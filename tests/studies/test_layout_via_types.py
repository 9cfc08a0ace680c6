# SPDX-License-Identifier: MIT
"""Via types of a board file by what a layout draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api

DESIGN = Path(__file__).resolve().parent.parent / "data" / "layouts" / "design.kicad_pcb"

N = [
    '  (segment (start 105 60.5) (end 112 61) (width 0.15) (layer "F.Cu") (net 3))',
    '  (via (at 112 61) (size 0.5) (drill 0.2) (layers "F.Cu" "B.Cu") (net 3))',
    '  (segment (start 112 61) (end 122 61) (width 0.14) (layer "In2.Cu") (net 3))',
    '  (via (at 122 61) (size 0.5) (drill 0.2) (layers "F.Cu" "B.Cu") (net 3))',
    '  (segment (start 122 61) (end 130 60.5) (width 0.15) (layer "F.Cu") (net 3))',
]
"""The leg that runs straight in the small design changes the layer where the other one does, 1 mm below it."""

BESIDE_P = [(-0.8, -0.5), (0.8, -0.5), (0.0, -0.95)]
BESIDE_N = [(-0.8, 1.5), (0.8, 1.5), (0.0, 1.95)]


@pytest.mark.parametrize(("places", "sides"), [
    ([BESIDE_P[0], BESIDE_N[0]], 2),
    (BESIDE_P[:2] + BESIDE_N[:2], 2),
    (BESIDE_P[:2] + BESIDE_N[:1], 2),
    (BESIDE_P[:2], 1),
    (BESIDE_N[:1], 1),
    (BESIDE_P + BESIDE_N[:1], None),
    ([(-0.8, 0.5)], None),
    ([BESIDE_P[0], BESIDE_N[0], (-0.8, 0.5)], None),
])
def test_the_sides_on_which_ground_vias_stand_are_read(
    tmp_path: Path, places: list[tuple[float, float]], sides: int | None
) -> None:
    """Two on both sides count as two; three and one, or one between the legs, say nothing by their number alone."""
    text = DESIGN.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "(net 3))" not in line or "pad" in line]
    grounds = [f'  (via (at {x + u} {60 + v}) (size 0.5) (drill 0.2) (layers "F.Cu" "B.Cu") (net 1))'
               for x in (112, 122) for u, v in places]
    lines[-1:-1] = [*N, *grounds]
    (tmp_path / "design.kicad_pcb").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "design.overlay.yaml").write_text(
        "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n", encoding="utf-8")
    board = api.load(str(tmp_path / "design.kicad_pcb"), "design.kicad_pcb").board
    found = [one.return_vias for one in (board.via_types or {}).values()]
    assert found and all(one is not None and (one.count, one.sides) == (len(places), sides) for one in found)
