# SPDX-License-Identifier: MIT
"""A board file of what a layout draws: build-up, via types and paths of links, a comment on whatever is assumed.

What nobody can read from a layout stands in it as a choice to make (``#?``), never as a guess.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pcbrules.errors import clip, escape
from pcbrules.extraction.drawn_path import DrawnChange, DrawnLoad, DrawnPath, DrawnSeries, DrawnStretch, Parts, Step
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.plane_changes import PlaneChange
from pcbrules.extraction.side_ground import GroundBeside, side_grounds
from pcbrules.extraction.smallest import Finest
from pcbrules.extraction.stretch_neighbours import StretchSearch
from pcbrules.extraction.thermal_vias import PadVias
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.studies.layout_fabrication import smallest_of
from pcbrules.studies.layout_neighbours import ground_key, neighbours_key
from pcbrules.studies.layout_planes import (
    change_of,
    edge_notes,
    edges_of,
    local_planes,
    named_planes,
    slit_notes,
    slits_of,
)
from pcbrules.studies.layout_stackup import materials_text, role_of, stackup_text
from pcbrules.studies.layout_thermal import thermal_lines, via_arrays
from pcbrules.studies.layout_values import (
    CONNECTORS,
    PLATING,
    board_name,
    capacitance,
    is_jumper,
    layer_names,
    mm,
    um,
    word,
)
from pcbrules.studies.layout_via_types import ViaTypes
from pcbrules.version import VERSION

SHORTEST = 0.1e-6
"""Stretches below this are none: a track that begins and ends in one via. [m]"""


@dataclass(frozen=True, slots=True)
class LinkWish:
    """A link that is wanted: its name in the board file, and its standard."""

    name: str
    standard: str


@dataclass(frozen=True, slots=True)
class BoardText:
    """A board file of a layout, and what was drawn for its entries.

    Attributes
    ----------
    text : str
    stackup : tuple of LayoutLayer
        The sheet of each entry of the stackup.
    via_types : mapping
        The first change of layer of each type.
    links : mapping
        The path of each link.
    smallest : mapping
        The smallest figures of the layout by key.
    steps : mapping
        Of each link, what was drawn for each element of its path: a step, or the parts at an end.
    via_arrays : mapping
        Arrays of thermal vias by name.
    beside : mapping
        What runs beside the stretches.
    """

    text: str
    stackup: tuple[LayoutLayer, ...]
    via_types: Mapping[str, DrawnChange]
    links: Mapping[str, DrawnPath]
    steps: Mapping[str, tuple[Step | Parts, ...]]
    smallest: Mapping[str, Finest]
    via_arrays: Mapping[str, PadVias]
    beside: Mapping[DrawnStretch, StretchSearch]


@dataclass(frozen=True, slots=True)
class _Beside:
    """What runs beside the stretches, the links of the board file by their nets, and ground beside the stretches."""

    found: Mapping[DrawnStretch, StretchSearch] | None
    links: Mapping[str, str]
    ground: Mapping[DrawnStretch, GroundBeside]
    roles: Mapping[str, str]


@dataclass(slots=True)
class _Line:
    """A line, or lines, of a path, and what was drawn for it; None for a comment."""

    text: str
    of: Step | Parts | None = None


def board_text(
    layout: Layout, found: LayoutMeasures, paths: Sequence[tuple[LinkWish, DrawnPath]],
    shares: Mapping[str, tuple[str, float]], rows: Sequence[str] = (),
    beside: Mapping[DrawnStretch, StretchSearch] | None = None, unnamed: Collection[str] = (), plating: str = PLATING,
    fills: Mapping[str, float] | None = None, own_materials: str = "",
) -> BoardText:
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
    rows : sequence of str
        Entries of a stackup that counts in place of the drawn one.
    beside : mapping, optional
        What runs beside each stretch; without it `neighbours` are left out.
    unnamed : collection of str
        Links that no reader would take: as neighbours they have no name.
    plating : str
        Copper in the holes.
    fills : mapping, optional
        Part of the board that is copper, by layer; what is lacking is left open.
    own_materials : str
        Materials of the rows, in place of those of the drawn stackup.
    """
    links_of = {net: wish.name for wish, path in paths if wish.name not in unnamed
                for pair in path.pairs for net in (pair.p, pair.n)}
    names = layer_names(layout.copper)
    vias = ViaTypes(layout, found, names)
    planes = dict(zip(layout.pairs, found.references, strict=True))
    routed = {step.layer for _, path in paths for step in path.steps if isinstance(step, DrawnStretch)}
    local = local_planes(planes)
    roles = {one.name: role_of(shares.get(one.name, ("", 0.0)), outer=one in (layout.copper[0], layout.copper[-1]),
                               routed=one.name in routed, local=one.name in local) for one in layout.copper}
    near = _Beside(beside, links_of, side_grounds(layout, [path for _, path in paths], planes), roles)
    drawn = {wish.name: list(_path(path, found, layout, vias, near)) for wish, path in paths}
    links = [line for wish, path in paths for line in _link(wish, path, drawn[wish.name])]
    stackup: list[tuple[str, LayoutLayer | None]] = [("stackup:", None), *((f"- {row}", None) for row in rows)]
    if not rows:
        stackup = list(stackup_text(
            layout, names, shares, routed, _sure(fills or {}, found), local))
    figures = smallest_of(layout, found)
    arrays = via_arrays(layout)
    lines = [
        *_head(layout), *_board(layout), *_fabrication(figures),
        *([f"materials: {own_materials}"] if own_materials else materials_text(layout)),
        *(text for text, _ in stackup),
        *vias.lines(), *(["", "links:", *links] if links else ["", *_candidates(layout, found)]),
        *thermal_lines(arrays, plating),
    ]
    return BoardText(
        text="\n".join(map(escape, lines)) + "\n",  # whatever a layout holds, a line stays one line
        stackup=tuple(one for _, one in stackup if one is not None),
        via_types=dict(zip(vias.names.values(), vias.changes, strict=True)),
        links={wish.name: path for wish, path in paths},
        smallest=figures,
        steps={name: tuple(one.of for one in path if one.of is not None) for name, path in drawn.items()},
        via_arrays=arrays,
        beside=beside or {},
    )


def _sure(fills: Mapping[str, float], found: LayoutMeasures) -> dict[str, float]:
    """Copper of the layers whose fills do not contradict what stands in them."""
    return {layer: part for layer, part in fills.items() if all(one.layer != layer for one in found.conflicts)}


def _head(layout: Layout) -> Iterator[str]:
    yield f"# Read from {PurePath(layout.file).name} ({layout.format}, {layout.version}) by pcbrules {VERSION}."
    yield "# Lengths, widths and gaps are as drawn; both lengths of a trace hold its bends. What is assumed says so."
    yield "# Lines with #? are yours to decide. A layout knows no foils, rails, supplies or cooling: add them."
    for problem in layout.told:
        yield f"# Told when it was read: {problem.message}" + (f"; found {problem.found}" if problem.found else "")
    yield "schema: 1"


def _board(layout: Layout) -> Iterator[str]:
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", PurePath(layout.file).stem).strip("-") or "board"
    yield "board:"
    yield f"  name: {word(name[:60])}"
    yield "  # platform: edge-carrier      #? an example: see `pcbrules library platforms`"
    yield "  # form_factor: som-carrier    #? an example: see `pcbrules library form_factors`"
    if layout.outline:
        xs, ys = ([point[axis] for point in layout.outline[0]] for axis in (0, 1))
        yield f"  size: {{width: {mm(max(xs) - min(xs))}, height: {mm(max(ys) - min(ys))}}}"
    thickness = layout.thickness_sum if layout.thickness is None else layout.thickness
    if thickness is not None:
        over = "mask" if any(one.kind == "mask" for one in layout.layers) else "copper"
        yield f"  thickness: {{value: {mm(thickness)}, over: {over}}}"


def _fabrication(figures: Mapping[str, Finest]) -> Iterator[str]:
    if figures:
        yield from ("", "fabrication:", "  smallest:  # of the whole board, as drawn")
    for key, one in figures.items():
        names = " to ".join(clip(name) for name in dict.fromkeys(one.of) if name)
        at = f"at ({one.at[0] * 1e3:.4f}, {one.at[1] * 1e3:.4f}) mm"
        yield f"    {key}: {um(one.value)}  # {'; '.join(filter(None, (names, clip(one.layer), at)))}"


def _candidates(layout: Layout, found: LayoutMeasures) -> Iterator[str]:
    drawn = [pair for pair, legs in zip(layout.pairs, found.pairs, strict=True) if legs.routed]
    if drawn:
        yield "# Pairs that can become links: pcbrules import FILE --link NAME=STANDARD:NET"
    for pair in drawn:
        yield f"#   {clip(pair.p)}, {clip(pair.n)}"


def _link(wish: LinkWish, path: DrawnPath, steps: Sequence[_Line]) -> Iterator[str]:
    nets = "; ".join(f"{clip(one.p)}, {clip(one.n)}" for one in path.pairs)
    yield f"  {word(wish.name)}:  # {nets}"
    yield f"    standard: {word(wish.standard)}"
    yield "    lanes: 1"
    yield "    path:"
    yield from (one.text for one in steps)


def _path(
    path: DrawnPath, found: LayoutMeasures, layout: Layout, vias: ViaTypes, beside: _Beside
) -> Iterator[_Line]:
    yield _end(path.first)
    count = 0
    for step in path.steps:
        if isinstance(step, DrawnChange):
            enter, leave = vias.layer(step.enter), vias.layer(step.leave)
            change = _plane_change(change_of(step, layout, found), vias)
            yield _Line(f"    - via: {{type: {vias.of(step)}, enter: {enter}, leave: {leave}{change}", step)
        elif isinstance(step, DrawnSeries):
            yield _series(step)
        elif max(step.length_p, step.length_n) >= SHORTEST:
            count += 1
            yield _Line(_trace(step, count, found, layout, vias, beside), step)
        for load in path.loads:
            if load.stretch is step:
                yield _load(load)
    yield _end(path.last)


def _load(one: DrawnLoad) -> _Line:
    """A part that hangs on the trace before it; on one that is too short to be written it stands where that is."""
    length = max(one.stretch.length_p, one.stretch.length_n)
    back = length * (1 - one.share) if length >= SHORTEST else 0.0
    at = f", back: {mm(back)}" if back > 0 else ""
    both = (one.part, one.part)
    name = word(board_name(one.part.reference) or "load")
    return _Line(f"    - load: {{name: {name}{at}}}  # {_names(both)}", both)


def _plane_change(change: PlaneChange | None, vias: ViaTypes) -> str:
    """The end of the entry of a via, with the planes that it leaves and reaches where these are two."""
    if change is None:
        return "}"
    planes = ", ".join(map(vias.layer, change.planes))
    if change.stitch is None:
        return f", plane_change: {{planes: [{planes}]}}}}  # nothing joins them"
    return (f", plane_change: {{planes: [{planes}], stitch: {mm(change.stitch.distance)}}}}}"
            f"  # joined by {clip(change.stitch.what)}")


def _end(parts: Parts) -> _Line:
    one = parts[0]
    if CONNECTORS.fullmatch(one.reference):
        return _Line(f"    - connector: {{name: {word(one.reference)}, part: {word(one.value or one.reference)}}}"
                     "  # taken for a connector by its reference", parts)
    return _Line(f"    # this end is at {_names(parts)}: if the link goes on behind it, go on here")


def in_model(step: DrawnSeries) -> bool:
    """True for coupling capacitors of one value, which can be read."""
    values = _capacitances(step)
    return all(values) and values[0] == values[1]


def is_through(step: DrawnSeries) -> bool:
    """True for two fitted resistors of no ohm: each is a piece of the trace."""
    return step.kind == "R" and all(part.fitted and is_jumper(part.value) for part in step.parts)


def _capacitances(step: DrawnSeries) -> list[str]:
    return [capacitance(part.value) if step.kind == "C" and part.fitted else "" for part in step.parts]


def _series(step: DrawnSeries) -> _Line:
    values = _capacitances(step)
    if is_through(step):
        return _Line(f"    # here it goes through {_names(step.parts)}: jumpers, taken for a piece of the trace")
    if not all(values):
        why = "" if all(part.fitted for part in step.parts) else ", not fitted"
        return _Line(f"    # here it goes through {_names(step.parts)}{why}, which is no part of the model")
    if values[0] != values[1]:
        return _Line(f"    # here it goes through {_names(step.parts)}: two values, so neither is taken")
    return _Line(f"    - capacitor: {{name: {word(board_name(step.parts[0].reference))}, capacitance: {values[0]}}}"
                 f"  # {_names(step.parts)}", step)


def _names(parts: Parts) -> str:
    """References of the parts of both legs, and their values."""
    references, values = (" and ".join(dict.fromkeys(texts)) for texts in (
        (clip(part.reference or "a part without reference") for part in parts),
        (clip(part.value or "no value") for part in parts)))
    return f"{references} ({values})"


def _trace(
    step: DrawnStretch, count: int, found: LayoutMeasures, layout: Layout, vias: ViaTypes, beside: _Beside
) -> str:
    gap = step.gap
    keys = [f"name: run_{count}", f"layer: {vias.layer(step.layer)}", f"width: {um(gap.width)}"]
    if gap.gap is not None:
        keys.append(f"gap: {um(gap.gap)}")
    keys += [f"length: {mm(max(step.length_p, step.length_n))}", f"length_p: {mm(step.length_p)}",
             f"length_n: {mm(step.length_n)}", "bends: 0"]
    ground, notes = ground_key(beside.ground.get(step), (beside.found or {}).get(step))
    keys += ground
    named = named_planes(step, layout, found, beside.roles)
    if named is not None:
        keys.append(f"planes: [{', '.join(map(vias.layer, named))}]")
    crossed = slits_of(step, layout, found)
    if crossed is not None:
        edges = edges_of(step, layout, found)
        listed = [f"{{layer: {vias.layer(one.plane)}, width: {mm(one.width)}}}" for one in crossed]
        listed += [f"{{layer: {vias.layer(one.plane)}, width: {mm(one.length)}, edge: "
                   f"{mm(max(one.nearest.distance, 0.0))}}}" for one in edges]
        keys.append(f"reference_gaps: [{', '.join(listed)}], reference_gaps_from: layout")
        notes += [*slit_notes(crossed), *edge_notes(edges)]
    else:
        notes.append("planes unknown: zones are not filled, or contradict what stands in them")
    if beside.found is not None:
        near, note = neighbours_key(beside.found.get(step), max(step.length_p, step.length_n), beside.links,
                                    vias.layer)
        keys += [near] if near else []
        notes.append(note)
    alone = max(gap.alone_p, gap.alone_n)
    if alone > 0:
        notes.append(f"up to {alone * 1e3:.2f} mm of a leg on this layer run alone")
    return f"    - trace: {{{', '.join(keys)}}}" + (f"  # {'; '.join(notes)}" if notes else "")
