# SPDX-License-Identifier: MIT
"""How heavy are the planes of the core rails?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.foil_weights import sold_weight
from pcbrules.model.rail import Rail
from pcbrules.model.stack import Stack
from pcbrules.phrases import under
from pcbrules.physics.lines.copper import sheet_resistance
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import PlaneWeight
from pcbrules.results.measured import Measured
from pcbrules.units import show

PROVIDES = (PlaneWeight,)

NOMINAL_OUNCE = 34.3e-6
"""Thickness of foil of one ounce a square foot by IPC-4562 [m]; a board file's ounce is the customary 35 um."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Base weight of every plane of every core rail. Without a core rail on this board the rule does not apply."""
    rails = board.rails
    if rails and all(rail.role != "core" for rail in rails.values()):
        yield Gap(fact=PlaneWeight, subject="rails", where=("rails",), applicable=False, tags=board.tags,
                  reason="no rail of this board has the role core")
    yield from per_rail(board, PROVIDES, partial(_rail, board, conditions.plane_temperature))


def _rail(board: Board, temperature: float, name: str, rail: Rail) -> Iterator[Item]:
    stack = board.stack
    if rail.role != "core":
        return
    if not rail.planes or stack is None:
        missing = Missing("the layers of this rail's planes are not declared", f"rails{under(name)}.planes")
        yield rail_gap(board, name, rail, PlaneWeight, [missing])
        return
    planes = list(dict.fromkeys(rail.planes))
    for layer in planes:
        yield _plane(stack, name, layer, planes, rail_tags(board, rail), temperature)


def _plane(
    stack: Stack, rail: str, layer: str, planes: list[str], tags: dict[str, str], temperature: float
) -> Item:
    placed = stack.copper(layer)
    spec = placed.spec
    subject, where = f"rails{under(rail, layer)}", ("stackup", placed.index)
    base = spec.base_weight
    if base is None:
        return Gap(fact=PlaneWeight, subject=subject, where=where, tags=tags,
                   reason=f"the base weight of {layer} is not declared: its finished thickness is another thing",
                   key=f"stackup[{placed.index}].base_weight")
    if spec.thickness.value < 0.99 * least_finished(base.value):
        return Gap(fact=PlaneWeight, subject=subject, where=(*where, "base_weight"), tags=tags,
                   reason=f"{layer} is declared {show(spec.thickness.value, 'um')} thick on a base of "
                   f"{show(base.value, 'oz')}, which by IPC-6012 finishes at {show(least_finished(base.value), 'um')} "
                   "at least",
                   key=f"stackup[{placed.index}].thickness")
    weight = sold_weight(base.value)
    together = sum(stack.copper(plane).spec.thickness.value for plane in planes)
    return PlaneWeight(
        subject=subject,
        where=(*where, "base_weight"),
        tags=tags,
        weight=Measured(
            value=weight,
            lo=weight - (base.minus or 0.0),
            hi=weight + (base.plus or 0.0),
            model="declared in the board file",
            basis="declared",
            reads=((*where, "base_weight"), ("rails", rail, "planes")),
        ),
        layer=layer,
        rail=rail,
        planes=len(planes),
        sheet_resistance=float(sheet_resistance(thickness=together, temperature=temperature)),
        temperature=temperature,
    )


def least_finished(base: float) -> float:
    """Least thickness at which an inner layer of a base weight [m, 35 um an ounce] may finish by IPC-6012. [m]

    A tenth less than the foil's nominal thickness, less 6 um for processing, 4 um below one ounce: 11.4, 24.9, 55.7 and
    86.6 um for half an ounce, one, two and three ounces.
    """
    ounces = base / 35e-6
    return 0.9 * NOMINAL_OUNCE * ounces - (6e-6 if ounces > 1 - 1e-9 else 4e-6)
