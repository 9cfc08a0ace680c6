# SPDX-License-Identifier: MIT
"""Of every rail whose copper is drawn: the drop over each plane, at the current that is judged."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.ir_drop.facts import drawn_current
from pcbrules.analysis.ir_drop.maps import FlowMap, flow_maps
from pcbrules.analysis.ir_drop.undeclared import drawn_sides, side_tasks
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.exhibit import Exhibit, Field
from pcbrules.studies.exhibits import Scene
from pcbrules.units import show

RULES = ("PDN006",)
COLUMNS = 100
"""Cells of a picture along x."""
MILLI = 1e-3


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """One map a plane; why a rail has none stands with its findings."""
    for name, rail in (scene.board.rails or {}).items():
        yield from maps(scene.board, name, rail, scene.conditions)


def maps(board: Board, name: str, rail: Rail, conditions: Conditions) -> Iterator[Field]:
    """The drop over the planes of one rail, supply first; none where its copper or current is not known."""
    current = drawn_current(name, rail, conditions)
    if rail.copper is None or board.stack is None or current is None:
        return
    sides = drawn_sides(rail.copper)
    for side, task, way in zip(sides, side_tasks(sides, rail.copper, board.stack, conditions), ("supply", "return"),
                               strict=False):
        try:
            found = flow_maps(task, current=current, columns=COLUMNS)
        except ValueError:  # its finding says why
            return
        for sheet, one in zip(side.sheets, found, strict=True):
            yield _field(name, rail, way, sheet.layer, one, current)


def _field(name: str, rail: Rail, way: str, layer: str, found: FlowMap, current: float) -> Field:
    start = "the sense point" if rail.copper and rail.copper.sense else "the mean of the sources"
    half = tuple((line[1] - line[0]) / 2 if len(line) > 1 else 0.5 * MILLI for line in (found.x, found.y))
    return Field(
        key=f"rails{under(name)}:dc_{way}_{layer}", subject=f"rails{under(name)}", title=f"Drop over {layer}, {way}",
        rules=RULES,
        quantity=f"drop below {start}", unit="mV", length_unit="mm",
        x=((found.x[0] - half[0]) / MILLI, (found.x[-1] + half[0]) / MILLI),
        y=((found.y[0] - half[1]) / MILLI, (found.y[-1] + half[1]) / MILLI),
        rows=tuple(tuple(None if value is None else value / MILLI for value in row) for row in found.drop),
        note=f"at {show(current, 'A')}; largest current in the plane {found.largest[1] / 1e3:.3g} A/mm",
    )
