# SPDX-License-Identifier: MIT
"""Do two holes of the drawn copper stand on one place?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot

from pcbrules.document import Path, show_path
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import BallField, BarrelGrid, CopperSide
from pcbrules.model.stack import Stack
from pcbrules.readers.copper_overlap import RETURN
from pcbrules.readers.holes import overlap
from pcbrules.readers.names import Names
from pcbrules.units import show

LOOKS = 2_000_000
"""Pairs of holes that are looked at: more than any board needs whose holes stand further apart than they are wide."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of holes, the side of the rail that draws it, its net, and the copper layers that it goes through."""

    spec: BarrelGrid
    path: Path
    side: Path
    net: str
    run: tuple[int, int] | None


def check_barrels(rails: Mapping[str, Rail], stack: Stack | None, names: Names) -> None:
    """Keep a problem for the first two holes of every two sides, or of one side, that overlap.

    Of one side no place may have two holes: one of them would be counted twice. Holes of two nets may stand above each
    other where no barrel runs beside the other. Return barrels are shared by rails, which may each draw them.
    """
    fields = [one for name, rail in rails.items() for one in _fields(name, rail, stack)]
    holes = sorted((x, y, k) for k, field in enumerate(fields) for x, y in field.spec.places)
    widest = max((field.spec.drill.value for field in fields), default=0.0)
    reported: set[tuple[Path, Path]] = set()
    looks = 0
    for i, (x, y, k) in enumerate(holes):
        for j in range(i + 1, len(holes)):
            other_x, other_y, other = holes[j]
            looks += 1
            if looks > LOOKS:
                return
            if other_x - x > widest:
                break
            first, second = fields[min(k, other)], fields[max(k, other)]
            drills = first.spec.drill.value, second.spec.drill.value
            if k == other or (first.side, second.side) in reported or not _meet(first, second) or not overlap(
                    hypot(other_x - x, other_y - y), *drills):
                continue
            reported.add((first.side, second.side))
            whose = "another field" if first.side == second.side else "another net"
            names.fault(second.path, f"a hole overlaps one of {whose}",
                        found=f"({show(x, 'mm', 5)}, {show(y, 'mm', 5)}), also in {show_path(first.path)}",
                        expected="every hole once" if first.side == second.side else "holes with a wall between them",
                        fix="check `first`, `pitch`, `columns` and `rows` of both fields")


def _meet(one: _Field, other: _Field) -> bool:
    """True if two fields may not stand on one place."""
    if one.side == other.side:
        return True
    if one.net == other.net or one.run is None or other.run is None:
        return False
    return one.run[0] < other.run[1] and other.run[0] < one.run[1]


def _fields(name: str, rail: Rail, stack: Stack | None) -> Iterator[_Field]:
    if rail.copper is None:
        return
    at: Path = ("rails", name, "copper")
    yield from _of_side(rail.copper, at, name, stack)
    if rail.copper.return_side is not None:
        yield from _of_side(rail.copper.return_side, (*at, "return"), RETURN, stack)


def _of_side(side: CopperSide, at: Path, net: str, stack: Stack | None) -> Iterator[_Field]:
    for i, balls in enumerate(side.balls):
        if not balls.is_drilled:
            continue  # a pad: vias may stand in it
        yield _Field(balls, (*at, "balls", i), at, net, _run(balls, stack))
    for i, barrels in enumerate(side.vias):
        yield _Field(barrels, (*at, "vias", i), at, net, _run(barrels, stack))


def _run(field: BarrelGrid, stack: Stack | None) -> tuple[int, int] | None:
    """The first and the last copper layer of a field, None where one is not known."""
    layers = [*field.layers, *([field.surface] if isinstance(field, BallField) else [])]
    if stack is None or not all(stack.has(layer) for layer in layers):
        return None
    orders = [stack.order(layer) for layer in layers]
    return min(orders), max(orders)
