# SPDX-License-Identifier: MIT
"""A board file of what a layout draws: build-up, via types and paths of links, a comment on whatever is assumed.

What nobody can read from a layout stands in it as a choice to make (``#?``), never as a guess.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import yaml

from pcbrules.extraction.drawn_path import DrawnChange, DrawnPath, DrawnSeries, DrawnStretch, Parts
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.pair_vias import DrawnVia, is_ground
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.version import VERSION

CONNECTORS = re.compile(r"(J|P|X|CN|CON|SL|MODULE)\d*[A-Z]?", re.IGNORECASE)
"""References that are taken for connectors, and told so."""

FR4 = re.compile(r"fr-?4", re.IGNORECASE)
"""A material that is no product: epoxy, of no known class."""

CAPACITANCE = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<prefix>[pnu\u00b5\u03bc])F?\b")
"""The value of a capacitor, as designers write it: 100nF, 0.1 uF, 220n."""

PLAIN = re.compile(r"[A-Za-z0-9_.+-]+")
"""Text that YAML takes as it is, if it is no number and no word of its own."""

NEAR = 1.25
"""Ground vias within this many times the distance of the nearest one stand beside a via too; practice [-]."""

PLANE_SHARE = 0.5
"""Part of the outline that filled zones have to cover for a layer to be a plane; practice [-]."""


@dataclass(frozen=True, slots=True)
class LinkWish:
    """A link that is wanted: its name in the board file, and its standard."""

    name: str
    standard: str


def board_text(
    layout: Layout, found: LayoutMeasures, paths: Sequence[tuple[LinkWish, DrawnPath]],
    shares: Mapping[str, tuple[str, float]],
) -> str:
    """The board file.

    Parameters
    ----------
    layout : Layout
    found : LayoutMeasures
        Of the layout, with the pairs of the paths among its pairs.
    paths : sequence of (LinkWish, DrawnPath)
        The links to write.
    shares : mapping
        By copper layer the net with the most filled copper, and the part of the outline that all fills cover.
    """
    vias = _ViaTypes(layout, found)
    links = [line for wish, path in paths for line in _link(wish, path, found, layout, vias)]
    lines = [
        *_head(layout), *_board(layout), *_materials(layout), *_stackup(layout, shares),
        *vias.lines(), *(["", "links:", *links] if links else ["", *_candidates(layout, found)]),
    ]
    return "\n".join(lines) + "\n"


def _head(layout: Layout) -> Iterator[str]:
    yield f"# Read from {PurePath(layout.file).name} ({layout.format}, {layout.version}) by pcbrules {VERSION}."
    yield "# Lengths, widths and gaps are as drawn; both lengths of a trace hold its bends. What is assumed says so."
    yield "# Values before #? are yours to decide. A layout knows no foils, rails, supplies or cooling: add them."
    for problem in layout.told:
        yield f"# Told when it was read: {problem.message}; found {problem.found}".replace("\n", " ")
    yield "schema: 1"


def _board(layout: Layout) -> Iterator[str]:
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", PurePath(layout.file).stem).strip("-") or "board"
    yield "board:"
    yield f"  name: {_word(name[:60])}"
    yield "  platform: edge-carrier      #? see `pcbrules library platforms`"
    yield "  form_factor: som-carrier    #? see `pcbrules library form_factors`"
    if layout.outline:
        xs, ys = ([point[axis] for point in layout.outline[0]] for axis in (0, 1))
        yield f"  size: {{width: {_mm(max(xs) - min(xs))}, height: {_mm(max(ys) - min(ys))}}}"
    thickness = layout.thickness_sum if layout.thickness is None else layout.thickness
    if thickness is not None:
        over = "mask" if any(one.kind == "mask" for one in layout.layers) else "copper"
        yield f"  thickness: {{value: {_mm(thickness)}, over: {over}}}"


def _materials(layout: Layout) -> Iterator[str]:
    own = {_material(one): one for one in layout.layers if one.kind == "dielectric" and one.dk and one.df}
    if own:
        yield from ("", "materials:", "  laminates:")
    for name, one in own.items():
        fr4 = "family: epoxy, " if FR4.fullmatch(one.material) else ""
        yield (f"    {name}: {{name: {_word(f'{one.material or name} as entered in the layout')}, {fr4}dk: {one.dk:g}, "
               f"df: {one.df:g}, at: 1 GHz, source: the layout}}  # 1 GHz is assumed: the layout gives no frequency")


def _material(one: LayoutLayer) -> str:
    """Name of the laminate of a sheet: of its own data, or generic FR4."""
    if not (one.dk and one.df):
        return "generic-fr4"
    stem = re.sub(r"[^a-z0-9]+", "-", one.material.lower()).strip("-")[:30] or "laminate"
    return f"layout-{stem}-{one.dk:g}-{one.df:g}".replace(".", "p")


def _stackup(layout: Layout, shares: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    yield from ("", "stackup:")
    outer = {layout.copper[0].name, layout.copper[-1].name} if layout.copper else set()
    for one in layout.layers:
        if one.kind == "copper":
            yield _copper(one, shares.get(one.name, ("", 0.0)), outer=one.name in outer)
        elif one.kind == "mask" and one.thickness:
            yield f"- {{kind: mask, thickness: {_um(one.thickness)}}}"
        elif one.kind == "dielectric" and one.thickness:
            form = f", form: {one.role}" if one.role in ("core", "prepreg") else ""
            note = "" if one.dk and one.df else "  # assumed: the layout gives no Dk and Df"
            yield f"- {{kind: dielectric, thickness: {_um(one.thickness)}, material: {_material(one)}{form}}}{note}"


def _copper(one: LayoutLayer, share: tuple[str, float], *, outer: bool) -> str:
    net, part = share
    role = "signal" if part < PLANE_SHARE or outer else "ground" if is_ground(net) else "power"
    why = f"filled zones cover {part:.0%}" + (f", most of {net}" if net else "")
    thickness = f"{_um(one.thickness)}" if one.thickness else "35 um"
    note = "" if one.thickness else "; 35 um is assumed"
    return f"- {{kind: copper, name: {_word(one.name)}, thickness: {thickness}, role: {role}}}  # {why}{note}"


def _candidates(layout: Layout, found: LayoutMeasures) -> Iterator[str]:
    drawn = [pair for pair, legs in zip(layout.pairs, found.pairs, strict=True) if legs.routed]
    if drawn:
        yield "# Pairs that can become links: pcbrules import FILE --link NAME=STANDARD:NET"
    for pair in drawn:
        yield f"#   {pair.p}, {pair.n}"


class _ViaTypes:
    """Via types of the changes of layer, by all that is known of them."""

    def __init__(self, layout: Layout, found: LayoutMeasures) -> None:
        self.order = tuple(one.name for one in layout.copper)
        self.drawn = {(one.net, one.at): one for vias in found.vias for one in vias}
        self.names: dict[str, str] = {}

    def of(self, change: DrawnChange) -> str:
        """Name of the type of a change; of two vias the unfavourable figure counts."""
        text = ", ".join(self._keys(change))
        return self.names.setdefault(text, f"via_{len(self.names) + 1}")

    def lines(self) -> Iterator[str]:
        if self.names:
            yield from ("", "via_types:")
        for text, name in self.names.items():
            yield f"  {name}: {{{text}}}"

    def _keys(self, change: DrawnChange) -> Iterator[str]:
        via, pitch = change.p, math.dist(change.p.at, change.n.at)
        yield f"span: [{_word(via.first)}, {_word(via.last)}]"
        yield f"kind: {'microvia' if via.kind == 'micro' else via.kind}"
        if via.drill:
            yield f"drill: {_mm(via.drill)}"
        yield f"pad: {_mm(via.pad)}"
        drawn = [one for leg in (change.p, change.n) if (one := self.drawn.get((leg.net, leg.at))) is not None]
        clear = [opening for one in drawn for opening in one.openings if opening.area is not None
                 and opening.layer not in (change.enter, change.leave)]
        if clear:
            width = 2 * min(one.clear for one in clear)
            shared = all(one.vias == 2 for one in clear)
            oval = f"shape: oval, width: {_mm(width)}, length: {_mm(width + pitch)}"
            yield f"antipad: {{{oval if shared else f'shape: round, width: {_mm(width)}'}}}"
        yield f"pitch: {_mm(pitch)}"
        yield from _grounds(drawn)


def _grounds(drawn: Sequence[DrawnVia]) -> Iterator[str]:
    """Ground vias beside either via of a pair; the leg whose nearest one is further away gives the distance."""
    near = [one.grounds[0].distance for one in drawn if one.grounds]
    if near:
        reach = max(near)
        places = {ground.at for one in drawn for ground in one.grounds if ground.distance <= NEAR * reach}
        yield f"return_vias: {{count: {len(places)}, distance: {_mm(reach)}}}"


def _link(wish: LinkWish, path: DrawnPath, found: LayoutMeasures, layout: Layout, vias: _ViaTypes) -> Iterator[str]:
    nets = "; ".join(f"{one.p}, {one.n}" for one in path.pairs)
    yield f"  {_word(wish.name)}:  # {nets}"
    yield f"    standard: {_word(wish.standard)}"
    yield "    lanes: 1"
    yield "    path:"
    yield from _end(path.first)
    count = 0
    for step in path.steps:
        if isinstance(step, DrawnChange):
            yield f"    - via: {{type: {vias.of(step)}, enter: {_word(step.enter)}, leave: {_word(step.leave)}}}"
        elif isinstance(step, DrawnSeries):
            yield _series(step)
        else:
            count += 1
            yield _trace(step, count, found, layout.pairs.index(step.pair))
    yield from _end(path.last)


def _end(parts: Parts) -> Iterator[str]:
    one = parts[0]
    if CONNECTORS.fullmatch(one.reference):
        yield (f"    - connector: {{name: {_word(one.reference)}, part: {_word(one.value or one.reference)}}}"
               "  # taken for a connector by its reference")
    else:
        yield f"    # this end is at {_names(parts)}: if the link goes on behind it, go on here"


def _series(step: DrawnSeries) -> str:
    value = CAPACITANCE.match(step.parts[0].value) if step.kind == "C" else None
    if value is None:
        return f"    # here it goes through {_names(step.parts)}, which is no part of the model"
    prefix = "u" if value["prefix"] in "u\u00b5\u03bc" else value["prefix"]
    return (f"    - capacitor: {{name: {_word(step.parts[0].reference)}, "
            f"capacitance: {value['number']} {prefix}F}}  # {_names(step.parts)}")


def _names(parts: Parts) -> str:
    """References of the parts of both legs, and their value."""
    references = " and ".join(dict.fromkeys(part.reference for part in parts))
    return f"{references} ({parts[0].value or 'no value'})"


def _trace(step: DrawnStretch, count: int, found: LayoutMeasures, place: int) -> str:
    gap = step.gap
    keys = [f"name: run_{count}", f"layer: {_word(step.layer)}", f"width: {_um(gap.width)}"]
    if gap.gap is not None:
        keys.append(f"gap: {_um(gap.gap)}")
    keys += [f"length: {_mm(max(step.length_p, step.length_n))}", f"length_p: {_mm(step.length_p)}",
             f"length_n: {_mm(step.length_n)}", "bends: 0"]
    own = [one for one in found.references[place] if one.layer == step.layer]
    notes = []
    if any(one.is_plane for one in own) and not any(one.unknown for one in own) and not found.conflicts:
        gaps = [(one.plane, gap_) for one in own for gap_ in one.gaps]
        listed = ", ".join(f"{{layer: {_word(layer)}, width: {_mm(one.length)}}}" for layer, one in gaps)
        keys.append(f"reference_gaps: [{listed}], reference_gaps_from: layout")
        notes += [f"{one.net} at ({one.middle[0] * 1e3:.4f}, {one.middle[1] * 1e3:.4f}) mm" for _, one in gaps]
    else:
        notes.append("planes unknown: zones are not filled, or contradict what stands in them")
    alone = max(gap.alone_p, gap.alone_n)
    if alone > 0:
        notes.append(f"up to {alone * 1e3:.2f} mm of a leg on this layer run alone")
    return f"    - trace: {{{', '.join(keys)}}}" + (f"  # {'; '.join(notes)}" if notes else "")


def _word(text: str) -> str:
    """A text as YAML has it in one line, quoted where it needs to be."""
    if PLAIN.fullmatch(text) and yaml.safe_load(text) == text:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _mm(metres: float) -> str:
    return f"{metres * 1e3:.4f}".rstrip("0").rstrip(".") + " mm"


def _um(metres: float) -> str:
    return f"{metres * 1e6:.2f}".rstrip("0").rstrip(".") + " um"
