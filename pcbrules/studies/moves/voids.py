# SPDX-License-Identifier: MIT
"""Antipads of a via type, and the ground vias beside it, which stand clear of the antipads."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import Path
from pcbrules.model.via import ViaType
from pcbrules.studies.moves.move import STEPS, Helped, MoveScene, Remedy, subjects
from pcbrules.units import show

ANTIPADS = (0.85, 1.15, 1.3, 1.5)
"""Width of an antipad over that of today [-]."""

DISTANCES = (0.8, 1.25)
"""Distance of the ground vias over that of today [-]."""

SPARE = 0.02e-3
"""What is left between a ground via and the antipad [m]."""

FIRST = {"count": 2, "distance": "0.8 mm", "sides": 2}
"""Ground vias of a type that has none; practice."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield other antipads and ground vias of every via type that a link has."""
    for name, via in (scene.board.via_types or {}).items():
        links = scene.links_through(name)
        if links:
            yield from _antipads(scene, name, via, (Helped(STEPS, subjects(links)),))
            yield from _ground(scene, name, via, (Helped((*STEPS, "VIA001"), subjects(links)), Helped(("VIA001",))))


def _antipads(scene: MoveScene, name: str, via: ViaType, helps: tuple[Helped, ...]) -> Iterator[Remedy]:
    for share in ANTIPADS if via.antipad is not None else ():
        assert via.antipad is not None
        wider = (share - 1) * via.antipad.width.value
        width, text = show(via.antipad.width.value + wider, "mm", 4), ""
        edits: list[tuple[Path, object]] = [(("via_types", name, "antipad", "width"), width)]
        beside, clear = via.return_vias, _clear(via, wider)
        if beside is not None and beside.count and beside.distance.value < clear:
            distance = show(clear, "mm", 4)
            edits.append((("via_types", name, "return_vias", "distance"), distance))
            text = f", ground vias at {distance}"
        yield Remedy("antipad", f"{name}: antipad {width} wide{text}", scene.costs.of("antipad"),
                   f"antipad {name}", helps, tuple(edits))


def _clear(via: ViaType, wider: float = 0.0) -> float:
    """Distance at which ground vias are clear of the antipad of a via, or of one so much wider, 0.02 mm spare. [m]"""
    if via.antipad is None:
        return 0.0
    reach = float(via.antipad.width.value + wider) / 2
    if via.antipad.length is not None and via.pitch is not None:
        reach = min(reach, float(via.antipad.length.value + wider - via.pitch.value) / 2)
    return reach + float(via.drill.value) / 2 + SPARE


def _ground(scene: MoveScene, name: str, via: ViaType, helps: tuple[Helped, ...]) -> Iterator[Remedy]:
    place: Path = ("via_types", name, "return_vias")
    beside = via.return_vias
    if beside is None or not beside.count:
        yield Remedy("ground-vias", f"{name}: two ground vias", scene.costs.of("ground-vias", 2),
                     f"ground {name}", helps, ((place, dict(FIRST)),))
        return
    for count in (2 * beside.count,) if beside.count <= 4 else ():
        yield Remedy("ground-vias", f"{name}: {count} ground vias", scene.costs.of("ground-vias", count - beside.count),
                   f"ground {name}", helps, (((*place, "count"), count),))
    for share in DISTANCES:
        if share * beside.distance.value < _clear(via):
            continue
        distance = show(share * beside.distance.value, "mm", 4)
        yield Remedy("ground-vias", f"{name}: ground vias at {distance}", scene.costs.of("ground-vias", beside.count),
                   f"ground {name}", helps, (((*place, "distance"), distance),))
