# SPDX-License-Identifier: MIT
"""What was read of a layout, for readers (80 columns) and for programs (JSON, ``schemas/layout.schema.json``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_args

from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.power_figures import NONE, PowerFigures
from pcbrules.layout.copper import ViaKind
from pcbrules.layout.drawn_pairs import DrawnLeg, DrawnPair
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetClass, NetPair
from pcbrules.layout.routes import NoRoute
from pcbrules.phrases import clip
from pcbrules.results.program_text import dump
from pcbrules.studies.columns import ColumnTable
from pcbrules.studies.default_build_up import default_build_up
from pcbrules.studies.layout_figures import conflict_rows, conflict_tree, figure_rows, figure_tree, gap_tree
from pcbrules.studies.layout_pairs_text import longest_stub, pair_rows
from pcbrules.studies.layout_power import power_rows, power_tree
from pcbrules.studies.layout_references import (
    change_tree,
    neighbour_tree,
    reference_tree,
    via_tree,
)
from pcbrules.studies.pages import SCHEMA_VERSION, WIDTH, page, section, wrapped
from pcbrules.studies.pair_delays import PairDelays, delay_tree
from pcbrules.version import VERSION

FORMATS = {"kicad": "KiCad board, format", "ipc2581": "IPC-2581, revision", "gbrjob": "Gerber job file, by",
           "odb": "ODB++, version"}
"""What people call a format, before its version."""

SHEETS = ColumnTable(26, ((8, 4), (6, 2), (8, 4)), indent=2)
NM = 6
"""Decimals of a length in millimetres that are printed for programs."""


def console(
    layout: Layout, found: LayoutMeasures, power: PowerFigures = NONE, details: Collection[str] = ()
) -> str:
    """The receipt, the layers, the smallest figures, planes and arrays of vias, and the pairs that have tracks.

    ``details`` are patterns of nets whose pairs are shown in full; the others are rows of a table.
    """
    return page(_console(layout, found, power, details))


def _console(
    layout: Layout, found: LayoutMeasures, power: PowerFigures, details: Collection[str]
) -> Iterator[str]:
    yield from wrapped(f"{layout.file}: {FORMATS[layout.format]} {layout.version}", 0)
    yield from ("", "Read:")
    for line in _receipt(layout):
        yield from wrapped(line)
    yield from section("Not read:", ((name, str(count)) for name, count in layout.skipped))
    yield from ("", SHEETS.row("layers from the top", "mm", "Dk", "Df"))
    for one in layout.layers:
        yield _sheet(one)
    yield from _default(layout)
    rows = list(figure_rows(found.smallest))
    if rows:
        yield from ("", "Smallest figures, in mm:", *rows)
    if found.conflicts:
        yield from ("", "Contradictions:")
        for text in conflict_rows(found.conflicts):
            yield from wrapped(text)
    rows = list(power_rows(power))
    if rows:
        yield from ("", "Supplies and heat, in mm:")
    for text in rows:
        yield from wrapped(text)
    yield from pair_rows(found, details)


def _default(layout: Layout) -> Iterator[str]:
    """What is said of a build-up that nobody entered."""
    found = default_build_up(layout.layers)
    if found is not None:
        yield ""
        yield from wrapped(f"The layout has KiCad's default build-up, {found.text}: enter your fabricator's before "
                           "you believe an impedance.", 0, 0)


def _sheet(one: LayoutLayer) -> str:
    name = f"{one.name} ({one.label})" if one.label else one.name
    thickness = None if one.thickness is None else one.thickness * 1e3
    kind = " ".join(filter(None, (one.kind, one.role, clip(one.material, 20))))
    cells = ["" if value is None else f"{value:.{places}f}" for value, places in
             ((thickness, 4), (one.dk, 2), (one.df, 4))]
    return f"{SHEETS.row(name, *cells):48}  {kind}"[:WIDTH].rstrip()


def receipt(layout: Layout) -> tuple[str, ...]:
    """What was read and what was not, as a report has it."""
    read = f"read of {layout.file} ({FORMATS[layout.format]} {layout.version}): {'; '.join(_receipt(layout))}"
    skipped = ", ".join(f"{count} {clip(name, 60)}" for name, count in layout.skipped)
    return (read, f"not read of {layout.file}: {skipped or 'nothing'}")


def _receipt(layout: Layout) -> Iterator[str]:
    arcs = sum(one.mid is not None for one in layout.tracks)
    pads = [pad for part in layout.parts for pad in part.pads]
    yield f"{len(layout.copper)} copper layers, {_thickness(layout)}"
    box = _box(layout)
    if box:
        yield (f"outline {(box[2] - box[0]) * 1e3:.6g} mm by {(box[3] - box[1]) * 1e3:.6g} mm, "
               f"{len(layout.outline) - 1} cut-outs")
    yield (f"{len(layout.nets)} nets, {len(layout.pairs)} pairs by their names, {len(layout.classes)} net classes, "
           f"{len(layout.rules)} custom rules")
    yield f"{len(layout.parts)} parts with {len(pads)} pads, {sum(bool(pad.drill) for pad in pads)} of them with a hole"
    if layout.loose:
        yield f"{len(layout.loose)} pads and holes that belong to no part"
    yield f"{len(layout.tracks) - arcs} straight tracks, {arcs} arcs"
    drilled = sum(bool(one.drilled_away) for one in layout.vias)
    kinds = [f"{count} {kind}" for kind, count in (*_vias(layout).items(), ("backdrilled", drilled)) if count]
    yield f"{len(layout.vias)} vias{': ' if kinds else ''}{', '.join(kinds)}"
    zones = _zones(layout)
    yield (f"{len(layout.zones)} areas: {zones['copper']} zones, {zones['filled']} of them filled, "
           f"{zones['teardrops']} teardrops, {zones['keep_outs']} that keep out; {zones['in_parts']} belong to parts")


def _thickness(layout: Layout) -> str:
    total = layout.thickness_sum
    sheets = "no sum of thicknesses" if total is None else f"sheets of {total * 1e3:.7g} mm"
    declared = "none declared" if layout.thickness is None else f"{layout.thickness * 1e3:.7g} mm declared"
    return f"{sheets}, {declared}"


def _layers(pair: DrawnPair) -> list[str]:
    return [*pair.p.layers, *(one for one in pair.n.layers if one not in pair.p.layers)]


def _vias(layout: Layout) -> dict[str, int]:
    counted = Counter(one.kind for one in layout.vias)
    return {kind: counted[kind] for kind in get_args(ViaKind)}


def _zones(layout: Layout) -> dict[str, int]:
    copper = [one for one in layout.zones if one.kind == "copper"]
    return {
        "copper": len(copper), "filled": sum(bool(one.fills) for one in copper),
        "teardrops": sum(one.kind == "teardrop" for one in layout.zones),
        "keep_outs": sum(one.kind == "keep-out" for one in layout.zones),
        "in_parts": sum(bool(one.part) for one in layout.zones),
    }


def _box(layout: Layout) -> tuple[float, float, float, float] | None:
    """Least and greatest coordinates of the outline. [m]"""
    if not layout.outline:
        return None
    xs, ys = zip(*layout.outline[0], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def json_text(
    layout: Layout, found: LayoutMeasures, delays: Mapping[NetPair, PairDelays] = MappingProxyType({}),
    power: PowerFigures = NONE,
) -> str:
    """The same as JSON, lengths in millimetres; with the delays of pairs that have any."""
    arcs = sum(one.mid is not None for one in layout.tracks)
    box = _box(layout)
    return dump({
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "pcbrules", "version": VERSION},
        "file": layout.file,
        "format": layout.format,
        "version": layout.version,
        "y_axis": "down" if layout.y_down else "up",
        "copper_layers": len(layout.copper),
        "thickness_declared_mm": _mm(layout.thickness),
        "stackup_total_mm": _mm(layout.thickness_sum),
        "layers": [
            {"name": one.name, "label": one.label, "kind": one.kind, "role": one.role,
             "thickness_mm": _mm(one.thickness), "material": one.material, "dk": one.dk, "df": one.df}
            for one in layout.layers
        ],
        "outline": {"contours": len(layout.outline), "box_mm": None if box is None else [_mm(one) for one in box]},
        "segments": len(layout.tracks) - arcs,
        "arcs": arcs,
        "vias": _vias(layout),
        "zones": sum(not one.part for one in layout.zones),
        "areas": _zones(layout),
        "nets": len(layout.nets),
        "parts": len(layout.parts),
        "pads": sum(len(one.pads) for one in layout.parts),
        "loose_pads": len(layout.loose),
        "smallest": figure_tree(found.smallest),
        "fill_conflicts": conflict_tree(found.conflicts),
        "pairs": [
            {**_pair_tree(pair), **delay_tree(delays.get(NetPair(pair.p.net, pair.n.net))),
             "by_layer": [{**gap_tree(one), "references": reference_tree(one.layer, references),
                           "neighbours": neighbour_tree(one.layer, neighbours)} for one in gaps],
             "drawn_vias": [via_tree(via) for via in vias],
             "plane_changes": [change_tree(change) for change in changes]}
            for pair, gaps, references, vias, changes, neighbours in zip(
                found.pairs, found.gaps, found.references, found.vias, found.changes, found.neighbours, strict=True)
        ],
        **power_tree(power),
        "net_classes": [_class_tree(one) for one in layout.classes],
        "rules": [
            {"name": one.name, "condition": one.condition, "layer": one.layer, "bounds": [
                {"of": bound.of, "min_mm": _mm(bound.least), "wanted_mm": _mm(bound.wanted), "max_mm": _mm(bound.most)}
                for bound in one.bounds]}
            for one in layout.rules
        ],
        "not_read": [{"object": name, "count": count} for name, count in layout.skipped],
        "told": [{"line": one.line, "column": one.column, "message": one.message, "found": one.found}
                 for one in layout.told],
    }, ascii_only=False)


def _pair_tree(pair: DrawnPair) -> dict[str, Any]:
    return {
        "p": pair.p.net,
        "n": pair.n.net,
        "routed_p_mm": _mm(pair.p.routed),
        "routed_n_mm": _mm(pair.n.routed),
        "length_p_mm": _length_mm(pair.p),
        "length_n_mm": _length_mm(pair.n),
        "no_length_p": _reason(pair.p),
        "no_length_n": _reason(pair.n),
        "vias": pair.p.vias + pair.n.vias,
        "vias_p": pair.p.vias,
        "vias_n": pair.n.vias,
        "layers": _layers(pair),
        "max_stub_mm": _mm(longest_stub(pair)),
    }


def _class_tree(one: NetClass) -> dict[str, Any]:
    return {
        "name": one.name, "width_mm": _mm(one.width), "clearance_mm": _mm(one.clearance),
        "pair_width_mm": _mm(one.pair_width), "pair_gap_mm": _mm(one.pair_gap), "via_pad_mm": _mm(one.via_pad),
        "via_drill_mm": _mm(one.via_drill), "nets": list(one.nets), "patterns": list(one.patterns),
    }


def _length_mm(leg: DrawnLeg) -> float | None:
    return None if isinstance(leg.length, NoRoute) else _mm(leg.length)


def _reason(leg: DrawnLeg) -> str:
    return leg.length.reason if isinstance(leg.length, NoRoute) else ""


def _mm(metres: float | None) -> float | None:
    return None if metres is None else round(metres * 1e3, NM)
