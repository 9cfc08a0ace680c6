# SPDX-License-Identifier: MIT
"""Which planes does each signal layer of the links have as neighbours?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from pcbrules.analysis.common.every_link import per_link
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.layer_heights import height
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import FAST_SYMBOL_RATE, Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import PLANE_ROLES, Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.phrases import under
from pcbrules.results.facts.stackup import References
from pcbrules.results.measured import Measured, exact
from pcbrules.results.place import Address
from pcbrules.ties import ordered
from pcbrules.units import show

PROVIDES = (References,)

FAR_RATIO = 3.0
"""Distance of the farther plane over that of the nearer one [-] up to which both carry the return current: practice."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per layer on which a link has traces. A layer is fast if its fastest link is."""
    yield from per_link(board, PROVIDES, lambda _: (), traced=True)
    links = board.links or ()
    used = {layer for link in links for _, trace in link.traces() for layer in trace.layers}
    fast = {layer for link in links if _is_fast(link) for _, trace in link.traces() for layer in trace.layers}
    stack = board.stack
    for placed in stack.coppers if stack else ():
        if stack and placed.name in used:
            yield _layer(board, stack, placed, placed.name in fast)


def _is_fast(link: BoardLink) -> bool:
    return link.standard.symbol_rate >= FAST_SYMBOL_RATE * (1 - 1e-9)


@dataclass(frozen=True, slots=True)
class AdjacentCopper:
    """The copper layer next to a signal layer, and its distance [m]."""

    placed: Placed
    role: str
    side: str
    distance: Interval

    @property
    def plane(self) -> bool:
        """True if it is a plane. A mixed layer is none: nobody knows what lies beneath a trace."""
        return self.role in PLANE_ROLES

    def text(self) -> str:
        """``L4 (ground) 127 um below``."""
        return f"{self.placed.name} ({self.role}) {show(self.distance.value, 'um')} {self.side}"


def _layer(board: Board, stack: Stack, placed: Placed, fast: bool) -> References:
    neighbours = []
    for up in (True, False):
        other, plies = stack.adjacent(placed.name, up=up)
        if other is not None and isinstance(other.spec, Copper):
            side = "above" if up else "below"
            neighbours.append(AdjacentCopper(other, other.spec.role, side, height(board, plies)))
    planes = ordered((n for n in neighbours if n.plane), key=lambda n: n.distance.value)
    sides = _sides(placed, planes)
    counted = planes[: int(sides.value)]
    ground = sum(n.role == "ground" for n in counted) / len(counted) if counted else None
    reads = tuple(("stackup", n.placed.index, "role") for n in neighbours)
    return References(
        subject=f"stackup{under(placed.name)}",
        where=("stackup", placed.index),
        tags={**board.tags, "speed": "fast" if fast else "slow"},
        sides=sides,
        ground=None if ground is None else exact(ground, model="roles of the planes", basis="computed", reads=reads),
        stripline=not stack.outer(placed.name),
        layer=placed.name,
        detail=_detail(neighbours, planes, counted),
    )


def _sides(placed: Placed, planes: list[AdjacentCopper]) -> Measured:
    """How many planes count: the farther of two only up to three times the distance of the nearer."""
    reads: list[Address] = [("stackup", placed.index, "role")]
    reads += [("stackup", n.placed.index, "role") for n in planes]
    value = lo = hi = len(planes)
    if len(planes) == 2:
        near, far = (plane.distance for plane in planes)
        ratio = far.value / near.value
        up = ratio * hypot(far.plus / far.value, near.minus / near.value)
        down = ratio * hypot(far.minus / far.value, near.plus / near.value)
        value, lo, hi = (2 if x <= FAR_RATIO * (1 + 1e-9) else 1 for x in (ratio, ratio + up, ratio - down))
    return Measured(value=value, lo=lo, hi=hi, model="neighbouring planes within three times the nearest distance",
                    reads=tuple(reads))


def _detail(neighbours: list[AdjacentCopper], planes: list[AdjacentCopper], counted: list[AdjacentCopper]) -> str:
    parts = [n.text() for n in neighbours] or ["no copper above or below"]
    if len(counted) < len(planes):
        far = planes[-1]
        ratio = far.distance.value / planes[0].distance.value
        parts.append(f"{far.placed.name} is {ratio:.2g} times as far and does not count")
    if any(n.role == "signal" for n in neighbours):
        parts.append("a neighbouring signal layer is no reference (dual stripline)")
    if any(n.role == "mixed" for n in neighbours):
        parts.append("a mixed layer is no reference")
    return ", ".join(parts)
