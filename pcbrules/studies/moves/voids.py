# SPDX-License-Identifier: MIT
"""Antipads of a via type, and the ground vias beside it."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import Path
from pcbrules.model.via import ViaType
from pcbrules.studies.moves.move import STEPS, Helped, Move, Scene, subjects
from pcbrules.units import show

ANTIPADS = (0.85, 1.15, 1.3, 1.5)
"""Width of an antipad over that of today [-]."""

DISTANCES = (0.8, 1.25)
"""Distance of the ground vias over that of today [-]."""

FIRST = {"count": 2, "distance": "0.8 mm", "sides": 2}
"""Ground vias of a type that has none; practice."""


def moves(scene: Scene) -> Iterator[Move]:
    """Yield other antipads and ground vias of every via type that a link has."""
    for name, via in (scene.board.via_types or {}).items():
        links = scene.links_through(name)
        if links:
            yield from _antipads(scene, name, via, (Helped(STEPS, subjects(links)),))
            yield from _ground(scene, name, via, (Helped((*STEPS, "VIA001"), subjects(links)), Helped(("VIA001",))))


def _antipads(scene: Scene, name: str, via: ViaType, helps: tuple[Helped, ...]) -> Iterator[Move]:
    for share in ANTIPADS if via.antipad is not None else ():
        assert via.antipad is not None
        width = show(share * via.antipad.width.value, "mm", 4)
        yield Move("antipad", f"{name}: antipad {width} wide", scene.costs.of("antipad"), f"antipad {name}", helps,
                   ((("via_types", name, "antipad", "width"), width),))


def _ground(scene: Scene, name: str, via: ViaType, helps: tuple[Helped, ...]) -> Iterator[Move]:
    place: Path = ("via_types", name, "return_vias")
    beside = via.return_vias
    if beside is None or not beside.count:
        yield Move("ground-vias", f"{name}: two ground vias", scene.costs.of("ground-vias", 2), f"ground {name}", helps,
                   ((place, dict(FIRST)),))
        return
    for count in (2 * beside.count,) if beside.count <= 4 else ():
        yield Move("ground-vias", f"{name}: {count} ground vias", scene.costs.of("ground-vias", count - beside.count),
                   f"ground {name}", helps, (((*place, "count"), count),))
    for share in DISTANCES:
        distance = show(share * beside.distance.value, "mm", 4)
        yield Move("ground-vias", f"{name}: ground vias at {distance}", scene.costs.of("ground-vias", beside.count),
                   f"ground {name}", helps, (((*place, "distance"), distance),))
