# SPDX-License-Identifier: MIT
"""Which object of a layout gives which entry of the board file that is made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from pcbrules.errors import clip
from pcbrules.extraction.drawn_path import DrawnChange, DrawnPath, DrawnSeries, DrawnStretch, Parts, Step
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.stretch_neighbours import BesideStretch
from pcbrules.layout.arcs import Point
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import PartPad
from pcbrules.results.place import Address, Location
from pcbrules.studies.layout_board import BoardText
from pcbrules.studies.layout_fabrication import item_of
from pcbrules.studies.layout_neighbours import listed_beside
from pcbrules.studies.layout_planes import edges_of, slits_of


def drawn_places(layout: Layout, made: BoardText, found: LayoutMeasures) -> dict[Address, Location]:
    """Locations by address; the empty address stands for the layout as a whole.

    ``found`` are the measures of which the board file was made.
    """
    return dict(_Places(layout, found).all(made))


class _Places:
    """Locations in one layout."""

    def __init__(self, layout: Layout, found: LayoutMeasures) -> None:
        self.layout, self.found = layout, found
        self.nowhere = Location(layout.file, unit=layout.unit, origins=layout.origins)

    def all(self, made: BoardText) -> Iterator[tuple[Address, Location]]:
        """Every address that has a place."""
        yield (), self.item("layout")
        yield ("board", "size"), self.item("outline")
        yield ("board", "thickness"), self.item("declared thickness" if self.layout.thickness else "build-up")
        for key, figure in made.smallest.items():
            yield ("fabrication", "smallest", key), replace(
                self.item(clip(item_of(key, figure))), layer=clip(figure.layer), at=figure.at,
                nets=_named(net for net in figure.of if net in self.layout.nets))
        yield ("stackup",), self.item("build-up")
        for place, one in enumerate(made.stackup):
            yield ("stackup", place), self.sheet(one)
        for name, change in made.via_types.items():
            yield ("via_types", name), self.change(change)
        for name, array in made.via_arrays.items():
            yield ("thermal", "via_arrays", name), replace(
                self.item(f"vias under {clip(array.part)}"), at=array.at, nets=_named([array.net]),
                parts=_named([array.part]))
        for name, path in made.links.items():
            yield ("links", name), self.link(path)
        for name, steps in made.steps.items():
            yield from self.steps(name, steps, made)

    def item(self, text: str) -> Location:
        """An object without a point."""
        return replace(self.nowhere, item=text)

    def steps(
        self, link: str, steps: tuple[Step | Parts, ...], made: BoardText
    ) -> Iterator[tuple[Address, Location]]:
        """The elements of the path of a link."""
        for place, one in enumerate(steps):
            address: Address = ("links", link, "path", place)
            if isinstance(one, DrawnStretch):
                yield address, self.stretch(one)
                for number, gap in enumerate(self.gaps(one)):
                    yield (*address, "trace", "reference_gaps", number), gap
                for number, near in enumerate(listed_beside(made.beside.get(one))):
                    yield (*address, "trace", "neighbours", number), self.beside(one, near)
            elif isinstance(one, DrawnChange):
                yield address, self.change(one)
            elif isinstance(one, DrawnSeries):
                yield address, self.parts(one.parts, _nets(made.links[link]))
            else:
                nets = _nets(made.links[link])
                yield address, replace(self.parts(one, nets), at=_middle(one, nets))

    def gaps(self, one: DrawnStretch) -> Iterator[Location]:
        """Gaps under a stretch, then edges beside it, in the order of the board file."""
        for slit in slits_of(one, self.layout, self.found) or ():
            nets = _named(gap.net for gap in slit.gaps)
            yield replace(self.nowhere, item=f"gap under {' and '.join(nets)}", layer=clip(slit.plane), at=slit.at,
                          nets=nets)
        for edge in edges_of(one, self.layout, self.found):
            nets = _named([edge.nearest.net])
            yield replace(self.nowhere, item=f"edge beside {nets[0]}", layer=clip(edge.plane), at=edge.nearest.middle,
                          nets=nets)

    def link(self, path: DrawnPath) -> Location:
        """The pairs of a link, from part to part; point and layer are those of its pads at its beginning."""
        nets = _nets(path)
        return replace(self.nowhere, item=f"pair {'; '.join(map(_pair, path.pairs))}",
                       layer=_layer(_pads(path.first, nets)), at=_middle(path.first, nets),
                       nets=_named(nets), parts=_named(part.reference for part in (*path.first, *path.last)))

    def stretch(self, one: DrawnStretch) -> Location:
        """A stretch of a pair on one layer, by the middle of its P leg."""
        return replace(self.nowhere, item=f"tracks of {_pair(one.pair)}", layer=clip(one.layer), at=one.at,
                       nets=_named((one.pair.p, one.pair.n)))

    def beside(self, one: DrawnStretch, near: BesideStretch) -> Location:
        """Where a neighbour is nearest to a stretch."""
        others = _named(near.nets)
        return replace(self.stretch(one), item=f"tracks of {_pair(one.pair)} beside {', '.join(others)}", at=near.at,
                       nets=(*_named((one.pair.p, one.pair.n)), *others))

    def parts(self, parts: Parts, nets: Collection[str]) -> Location:
        """Parts of both legs, by the place of the first, on some nets, and the layer where all pads lie on one."""
        names = _named(part.reference or "part without reference" for part in parts)
        pads = _pads(parts, nets)
        return replace(self.nowhere, item=" and ".join(names), layer=_layer(pads), at=parts[0].at,
                       nets=_named(net for net in nets if any(pad.net == net for pad in pads)), parts=names)

    def change(self, one: DrawnChange) -> Location:
        """The vias of both legs, by that of P, on the layer from which the link comes."""
        nets = _named(via.net for via in (one.p, one.n))
        return replace(self.nowhere, item=f"vias of {' and '.join(nets)}", layer=clip(one.enter), at=one.p.at,
                       nets=nets)

    def sheet(self, one: LayoutLayer) -> Location:
        """A sheet of the build-up."""
        if one.kind == "copper":
            return replace(self.nowhere, item="copper", layer=clip(one.name))
        return self.item(f"{one.kind} {clip(one.name or one.material)}".rstrip())


def _nets(path: DrawnPath) -> list[str]:
    return [net for pair in path.pairs for net in (pair.p, pair.n)]


def _pads(parts: Parts, nets: Collection[str]) -> list[PartPad]:
    """The pads that some parts have on some nets."""
    return [pad for part in dict.fromkeys(parts) for pad in part.pads if pad.net in nets]


def _middle(parts: Parts, nets: Collection[str]) -> Point:
    """The middle of the pads of some parts: the origin of a connector may lie off the board."""
    pads = [pad.at for pad in _pads(parts, nets)]
    return (sum(x for x, _ in pads) / len(pads), sum(y for _, y in pads) / len(pads)) if pads else parts[0].at


def _layer(pads: list[PartPad]) -> str:
    """The layer on which all pads lie; empty where they lie on several."""
    layers = {layer for pad in pads for layer in pad.layers}
    return clip(layers.pop()) if len(layers) == 1 else ""


def _named(names: Iterable[str]) -> tuple[str, ...]:
    """Names as they are shown, each once."""
    return tuple(dict.fromkeys(clip(name) for name in names))


def _pair(pair: NetPair) -> str:
    return f"{clip(pair.p)}, {clip(pair.n)}"
