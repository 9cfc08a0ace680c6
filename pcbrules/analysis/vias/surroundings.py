# SPDX-License-Identifier: MIT
"""What stands around the barrel of a via, from the board file."""

from __future__ import annotations

from cmath import rect
from itertools import pairwise
from math import asin, pi

from pcbrules.analysis.vias.solve import outside_computed
from pcbrules.analysis.vias.task import Point, Surroundings
from pcbrules.model.stack import PLANE_ROLES, Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.model.via import ViaType, is_common_oval

FENCE = pi / 6
"""Ground vias of one side of a pair stand within this angle of its axis, seen from their barrel [rad]: an assumption
where the board file gives no places."""

APART = 1.1
"""Least distance of the axes of two ground vias over their diameter [-]."""


def surroundings(stack: Stack, kind: ViaType, *, single_ended: bool) -> Surroundings | None:
    """Planes and ground vias around a barrel; None where the board file or a model leaves them open.

    The file gives number and distance of the ground vias. In a pair each barrel is taken to have half of them, beyond
    it on the axis of the pair; they could stand beside it too. Around a single barrel they are taken to be spread
    evenly; they could stand on one side too.
    """
    if kind.antipad is None or kind.return_vias is None or (kind.pitch is None and not single_ended):
        return None
    drill, width = kind.drill.value, kind.antipad.width.value
    pitch = None if single_ended or kind.pitch is None else float(kind.pitch.value)
    oval = pitch is not None and (kind.antipad.oval or width > pitch)
    length = kind.antipad.length.value if kind.antipad.length is not None else None
    if length is not None and not (length == width if pitch is None else is_common_oval(width, length, pitch)):
        return None
    planes = [copper for copper in _span(stack, kind) if isinstance(copper.spec, Copper)
              and copper.spec.role in PLANE_ROLES]
    count, distance = kind.return_vias.count, kind.return_vias.distance.value
    near = Surroundings(
        cavities=tuple(round((b.top + b.bottom - a.top - a.bottom) / 2, 9) for a, b in pairwise(planes)),
        plane_thickness=round(sum(p.spec.thickness.value for p in planes) / max(len(planes), 1), 9),
        ground_diameter=drill,
        grounds=_ring(count, distance, drill) if pitch is None else _fence(count // 2, distance, drill, pitch, 0.0),
        elsewhere=_side(count, distance, drill) if pitch is None
        else _fence(count // 2, distance, drill, pitch, pi / 2),
        pitch=pitch,
        oval=oval,
    )
    if len(near.elsewhere) != len(near.grounds):
        return None
    return near if outside_computed(drill, width, near) is None else None


def _span(stack: Stack, kind: ViaType) -> tuple[Placed, ...]:
    first, last = sorted(stack.order(name) for name in kind.span)
    return stack.coppers[first : last + 1]


def _arc(count: int, distance: float, drill: float, half: float) -> list[complex]:
    """Ground vias on an arc about the first axis, no closer to each other than drills may be; as many as fit."""
    step = 2 * asin(min(1.0, APART * drill / (2 * distance)))
    fit = min(count, int(pi / step) + 1)
    if fit < 2:
        return [complex(distance, 0.0)] * fit
    half = max(half, (fit - 1) * step / 2)
    return [rect(distance, half * (2 * i / (fit - 1) - 1)) for i in range(fit)]


def _fence(per_side: int, distance: float, drill: float, pitch: float, turn: float) -> tuple[Point, ...]:
    """Ground vias of a pair, turned about their barrels; point symmetry keeps the two barrels alike."""
    fence = [pitch / 2 + rect(1.0, turn) * place for place in _arc(per_side, distance, drill, FENCE)]
    return tuple(_point(place) for place in (*fence, *(-place for place in fence)))


def _ring(count: int, distance: float, drill: float) -> tuple[Point, ...]:
    """Ground vias spread evenly about one barrel, as many as fit."""
    fit = min(count, int(2 * pi / (2 * asin(min(1.0, APART * drill / (2 * distance))))))
    return tuple(_point(rect(distance, 2 * pi * i / fit)) for i in range(fit))


def _side(count: int, distance: float, drill: float) -> tuple[Point, ...]:
    """The same number on one side, at most half a turn apart; evenly where they do not fit there."""
    ring = _ring(count, distance, drill)
    arc = _arc(len(ring), distance, drill, pi / 3)
    return tuple(_point(place) for place in arc) if len(arc) == len(ring) else ring


def _point(place: complex) -> Point:
    return round(place.real, 9), round(place.imag, 9)
