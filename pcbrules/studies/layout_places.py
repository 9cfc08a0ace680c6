# SPDX-License-Identifier: MIT
"""Which object of a layout gives which entry of the board file that is made of it."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.errors import clip
from pcbrules.extraction.drawn_path import DrawnChange, DrawnSeries, DrawnStretch, Parts, Step
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.results.place import Address, Location
from pcbrules.studies.layout_board import BoardText


def drawn_places(layout: Layout, made: BoardText) -> dict[Address, Location]:
    """Locations by address; the empty address stands for the layout as a whole."""
    file = layout.file
    found: dict[Address, Location] = {
        (): Location(file, item="layout"),
        ("board", "size"): Location(file, item="outline"),
        ("board", "thickness"): Location(file, item="declared thickness" if layout.thickness else "build-up"),
        ("stackup",): Location(file, item="build-up"),
    }
    found |= {("stackup", place): _sheet(file, one) for place, one in enumerate(made.stackup)}
    found |= {("via_types", name): _change(file, one) for name, one in made.via_types.items()}
    for name, path in made.links.items():
        nets = "; ".join(map(_nets, path.pairs))
        found["links", name] = Location(file, item=f"pair {nets}")
    for name, steps in made.steps.items():
        found |= dict(_steps(file, name, steps))
    return found


def _steps(file: str, link: str, steps: tuple[Step | Parts, ...]) -> Iterator[tuple[Address, Location]]:
    for place, one in enumerate(steps):
        address: Address = ("links", link, "path", place)
        if isinstance(one, DrawnStretch):
            yield address, Location(file, item=f"tracks of {_nets(one.pair)}", layer=one.layer)
        elif isinstance(one, DrawnChange):
            yield address, _change(file, one)
        else:
            parts = one.parts if isinstance(one, DrawnSeries) else one
            names = dict.fromkeys(clip(part.reference or "part without reference") for part in parts)
            yield address, Location(file, item=" and ".join(names), at=parts[0].at)


def _sheet(file: str, one: LayoutLayer) -> Location:
    if one.kind == "copper":
        return Location(file, item="copper", layer=clip(one.name))
    return Location(file, item=f"{one.kind} {clip(one.name or one.material)}".rstrip())


def _change(file: str, one: DrawnChange) -> Location:
    nets = " and ".join(dict.fromkeys(clip(via.net) for via in (one.p, one.n)))
    return Location(file, item=f"vias of {nets}", at=one.p.at)


def _nets(pair: NetPair) -> str:
    return f"{clip(pair.p)}, {clip(pair.n)}"
