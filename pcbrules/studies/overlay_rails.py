# SPDX-License-Identifier: MIT
"""The rails of an overlay that name their net: what the layout draws of them, in the keys of a board file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pcbrules.document import Document
from pcbrules.errors import Problems, clip, quoted
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.plane_cavity import NoCavity, PlaneCavity
from pcbrules.extraction.rail_copper import (
    DrawnRail,
    NoCopper,
    RailCapacitor,
    RailPad,
    RailSheet,
    rail_capacitors,
    rail_copper,
)
from pcbrules.extraction.rail_pieces import LeadBarrel, Tap
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart
from pcbrules.phrases import under
from pcbrules.physics.power.mounting_inductance import mounted_loop_inductance
from pcbrules.readers.names import Names
from pcbrules.results.place import Address, Location
from pcbrules.spelling import same_name
from pcbrules.studies.capacitor_cases import case_of, library_part
from pcbrules.studies.layout_values import CONNECTORS, PLATING, PLATING_CLASS_3, capacitance, layer_names, mm, word
from pcbrules.studies.overlay_cavity import cavity_lines, cavity_told, rail_cavity
from pcbrules.studies.overlay_links import Unread
from pcbrules.studies.overlay_returns import DrawnReturn, Returns, share_of
from pcbrules.ties import least_of

NAMED = ("net", "source", "loads", "sense", "return_net", "return_source")
"""Keys of a rail in an overlay that name things of the layout."""

SHORT = 50e-6
"""A piece of a trace shorter than this adds nothing to a capacitor. [m]"""

ON_PAD = "20 um"
"""Stands for the plating of a pad without a hole, which no current passes along."""


@dataclass(frozen=True, slots=True)
class OverlayRails:
    """What was drawn of the rails: the section of a board file, places by address, what could not be read, and what
    the receipt says of them.
    """

    text: str = ""
    drawn: Mapping[Address, Location] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    told: tuple[str, ...] = ()


def overlay_rails(overlay: Document, layout: Layout, problems: Problems) -> OverlayRails:
    """What the layout draws of every rail that names a net; faults go to `problems`."""
    lines: list[str] = []
    places: dict[Address, Location] = {}
    unread: list[Unread] = []
    returns = Returns(layout)
    told: list[str] = []
    entries = overlay.get(("rails",), None)
    for name, body in entries.items() if isinstance(entries, dict) else ():
        if not isinstance(body, dict) or "net" not in body:
            continue
        found = _RailAsked(layout, overlay, name, body, problems, returns).found()
        if isinstance(found, NoCopper):
            unread.append(Unread(f"rails{under(name)}.copper", found.reason, ("rails", name)))
        elif found is not None:
            told += [*_told(found), *(() if "layout" in body else cavity_told(
                found.net, found.cavity, returns.facing))]
            lines += [f"  {word(name)}:", *(f"    {line}" for line in _rail(layout, found, plating_of(overlay)))]
            first = found.copper.sources[0]
            places["rails", name] = Location(
                layout.file, item=f"copper of {clip(found.net)}", layer=clip(first.layers[0]) if first.layers else "",
                at=first.at, unit=layout.unit, origins=layout.origins, nets=(clip(found.net),),
                parts=(clip(first.part),))
    return OverlayRails("\n".join(["rails:", *lines]) + "\n" if lines else "", places, tuple(unread), tuple(told))


def plating_of(overlay: Document | None) -> str:
    """Copper in the holes of a board: what IPC-6012 asks of its class at least."""
    declared = overlay.get(("fabrication", "ipc_class"), None) if overlay else None
    return PLATING_CLASS_3 if declared == 3 else PLATING


def without_names(overlay: Document) -> Document:
    """The overlay without the keys that name things of a layout: the rest are those of a board file."""
    entries = overlay.get(("rails",), None)
    for name, body in entries.items() if isinstance(entries, dict) else ():
        for key in NAMED if isinstance(body, dict) and "net" in body else ():
            overlay = overlay.without(("rails", name, key)) if key in body else overlay
    return overlay


@dataclass(frozen=True, slots=True)
class _Found:
    """What was drawn of a rail."""

    net: str
    copper: DrawnRail
    capacitors: tuple[RailCapacitor, ...]
    back: DrawnReturn | None
    cavity: PlaneCavity | NoCavity | None


class _RailAsked:
    """A rail of the overlay."""

    def __init__(
        self, layout: Layout, overlay: Document, name: str, body: dict[str, Any], problems: Problems, returns: Returns
    ) -> None:
        self.layout, self.overlay, self.name, self.body, self.returns = layout, overlay, name, body, returns
        self.names = Names(overlay, problems)
        self.parts = {part.reference: part for part in layout.parts}

    def found(self) -> _Found | NoCopper | None:
        """What the layout draws; None where a fault was told, or nothing was asked for."""
        net = self.body["net"]
        if not isinstance(net, str) or net not in self.layout.nets:
            near = same_name(net, self.layout.nets) if isinstance(net, str) else ""
            self.names.fault(("rails", self.name, "net"), "the layout has no such net", found=quoted(net),
                             expected="a net of the layout", fix=f"did you mean {near}?" if near else "")
            return None
        sources, loads = self._parts("source", net), self._parts("loads", net)
        if sources is None or loads is None:
            return None
        if not sources or not loads:
            lacking = " and ".join(f"`{key}`" for key, given in (("source", sources), ("loads", loads)) if not given)
            self.names.warn(("rails", self.name, "net"),
                            f"the copper of {clip(net)} is left open: name the parts, as {lacking}")
            return None
        sense = self._parts("sense", net)
        if sense is None:
            return None
        if self.returns.fault(net):
            return NoCopper(self.returns.fault(net))
        made = rail_copper(self.layout, net, sources, loads, sense[0] if sense else None,
                           tapped=[one.reference for one in self.layout.parts if one.reference.startswith("C")])
        if isinstance(made, NoCopper):
            return made
        if made.apart:
            self.names.warn(("rails", self.name, "loads"), "no copper joins these pads to the source: "
                            f"{', '.join(map(clip, made.apart))}")
        if sense and made.sense is None:
            self.names.warn(("rails", self.name, "sense"), "no copper joins its pad to the source")
        grounds = [one for one in self.layout.nets if is_ground(one)]
        capacitors = rail_capacitors(self.layout, net, grounds, made.loads)
        standing = [one for one in capacitors if _stands(one, made)]
        return _Found(net, made, capacitors, self._return(made, net, sources, loads),
                      rail_cavity(self.layout, self.returns, net, made, standing, self.body))

    def _return(
        self, supply: DrawnRail, net: str, sources: Sequence[LayoutPart], loads: Sequence[LayoutPart]
    ) -> DrawnReturn | None:
        """The return; None where it is open, and that is told, or a fault was."""
        asked = self.body.get("return_net", "")
        if asked and (not isinstance(asked, str) or asked not in self.layout.nets):
            self.names.fault(("rails", self.name, "return_net"), "the layout has no such net", found=quoted(asked),
                             expected="a net of the layout")
            return None
        back = self._parts("return_source", asked)
        if back is None:
            return None
        found = self.returns.of(supply, net, sources, loads, asked_net=asked, asked_sources=back)
        if isinstance(found, NoCopper):
            self.names.warn(("rails", self.name, "net"), f"the return of {clip(net)} is left open: {found.reason}")
            return None
        return found

    def _parts(self, key: str, net: str) -> list[LayoutPart] | None:
        """The parts that a key names, which have a pad on the net; None where a fault was told."""
        given = self.body.get(key, [])
        names = given if isinstance(given, list) else [given]
        found = []
        for name in names:
            part = self.parts.get(name) if isinstance(name, str) else None
            if part is None or not any(_on(pad.net, net) for pad in part.pads):
                known = [one.reference for one in self.layout.parts if any(_on(pad.net, net) for pad in one.pads)]
                self.names.fault(
                    ("rails", self.name, key), f"no such part has a pad on {clip(net) or 'ground'}", found=quoted(name),
                    expected=", ".join(map(clip, known[:20])) or "a part of the layout")
                return None
            found.append(part)
        return found


def _on(net: str, asked: str) -> bool:
    """True for the net that is asked for, or any of ground where none is."""
    return net == asked if asked else is_ground(net)


def _rail(layout: Layout, found: _Found, plating: str) -> Iterator[str]:
    names = dict(zip((one.name for one in layout.copper), map(word, layer_names(layout.copper)), strict=True))
    made, back = found.copper, found.back
    yield "copper:"
    yield "  sharing: common"
    yield from (f"  {line}" for line in _side(layout, made, names, plating, made.sense))
    if back is not None:
        first = back.copper.sources[0]
        sense = Tap(first.layers[0], first.at) if made.sense else None  # its own ground, unless it senses that as well
        yield "  return:"
        yield from (f"    {line}" for line in _side(layout, back.copper, names, plating, sense, back))
    if not all(CONNECTORS.fullmatch(pad.part) for pad in made.sources):
        least = min(_apart(one, other) for one in made.sources for other in made.loads)
        yield f"vrm: {{distance: {mm(max(0.0, least))}}}"
    stands = [one for one in found.capacitors if _stands(one, made)]
    if stands:
        yield "ladder:"
        yield "- spreading: {drawn: true}"
    for part in stands:
        yield f"- bank: {{{', '.join(_bank(part, made, layout, names, plating))}}}"
        yield "- spreading: {drawn: true}"
    if isinstance(found.cavity, PlaneCavity):
        yield from cavity_lines(found.cavity, made, stands, names, plating)


def _side(
    layout: Layout, made: DrawnRail, names: Mapping[str, str], plating: str, sense: Tap | None,
    back: DrawnReturn | None = None,
) -> Iterator[str]:
    """Supply or return; the balls of a return draw what the loads draw from the supply."""
    yield "sheets:"
    for sheet in made.sheets:
        yield f"- {_of_sheet(sheet, names)}"
    yield "sources:"
    for pad in made.sources:
        own = "" if CONNECTORS.fullmatch(pad.part) else ", resistance: 0 ohm"  # its copper is drawn from the pad on
        yield f"- {{layers: [{_layers(pad.layers, names)}], at: {_at(pad.at)}, diameter: {mm(pad.size)}{own}}}"
    yield "balls:"
    several = len({pad.part for pad in made.loads}) > 1
    for pad in made.loads:
        side = layout.copper[0 if pad.side == "top" else -1].name
        surface = side if pad.drill or side in pad.layers else pad.layers[0]
        share = f", share: {100 * share_of(back, pad.part):.10g} %" if back else ""
        share += f", name: {word(pad.part)}" if several else ""
        yield (f"- {{layers: [{_layers(pad.layers, names)}], surface: {names[surface]}, "
               f"{_field(pad.at, pad.drill or pad.size, plating if pad.drill else ON_PAD)}{share}}}")
    if made.barrels:
        yield "vias:"
    for one in made.barrels:
        yield f"- {{layers: [{_layers(one.layers, names)}], {_field(one.at, one.drill, plating)}}}"
    if sense is not None:
        yield f"sense: {{layer: {names[sense.layer]}, at: {_at(sense.at)}}}"


def _stands(one: RailCapacitor, made: DrawnRail) -> bool:
    """True for a capacitor on the copper that carries current, or on a way from there all of which is modelled."""
    tap = made.taps.get(one.part.reference)
    return tap is not None and not _beyond(one, tap)


def _beyond(one: RailCapacitor, tap: Tap) -> str:
    """What lies on the way to a capacitor and is not modelled; empty where all of it is."""
    return tap.beyond or ("" if all(each.pitch for each in _on_the_way(one, tap)) else "a via with no via of ground "
                          "near it")


def _told(found: _Found) -> Iterator[str]:
    """What is said of the capacitors of a rail: of which the case is known by what, and which hang on a trace."""
    cases: dict[str, list[str]] = {}
    for one in found.capacitors:
        case = case_of(one.part)
        key = f"case {case.name} by {clip(case.told)}" if case else "no case is named, or two"
        cases.setdefault(key, []).append(clip(one.part.reference))
    parts = [f"{', '.join(some)}: {key}" for key, some in cases.items()]
    taps = found.copper.taps
    hang: dict[str, list[str]] = {}
    for one in found.capacitors:
        tap = taps.get(one.part.reference)
        if tap is None:
            hang.setdefault("no copper of the rail joins them to its loads", []).append(clip(one.part.reference))
        elif not _stands(one, found.copper):
            hang.setdefault(f"{_beyond(one, tap)} lies on the way to them", []).append(clip(one.part.reference))
    parts += [f"{', '.join(names)} left out: {why}" for why, names in hang.items()]
    if parts:
        yield f"capacitors of {clip(found.net)}: {'; '.join(parts)}"


def _bank(
    one: RailCapacitor, made: DrawnRail, layout: Layout, names: Mapping[str, str], plating: str
) -> Iterator[str]:
    yield f"name: {word(one.part.reference)}, count: 1"
    value, case = capacitance(one.part.value), case_of(one.part)
    if value:
        yield f"capacitance: {value}"
    if case and value and library_part(case.name, value):
        yield f"part: {library_part(case.name, value)}"
    rated = next((text for name, text in (*one.part.fields, ("voltage", one.part.value.rpartition("/")[2]))
                  if re.search("volt", name, re.IGNORECASE) and re.fullmatch(r"\d+([.]\d+)?\s*V", text.strip())), "")
    if rated:
        yield f"rated_voltage: {rated.strip().rstrip('V').strip()} V"
    yield f"distance: {mm(one.distance)}"
    tap = made.taps[one.part.reference]
    yield f"tap: {{layer: {names[tap.layer]}, at: {_at(tap.at)}}}"
    lead = ", ".join(f"{{layer: {names[each.layer]}, length: {mm(each.length)}, width: {mm(each.width)}}}"
                     for each in tap.lead if each.length >= SHORT and (each.behind is None or each.behind != one.via))
    if lead:
        yield f"lead: [{lead}]"
    vias = ", ".join(f"{{layers: [{_layers(each.layers, names)}], drill: {mm(each.drill)}, plating: {plating}, "
                     f"pitch: {mm(each.pitch)}}}" for each in _on_the_way(one, tap) if each.pitch)
    if vias:
        yield f"lead_vias: [{vias}]"
    depth = _to_plane(one, made, layout)
    if one.pitch and one.drill and depth:
        loop = f"via_length: {mm(depth)}, via_pitch: {mm(one.pitch)}, via_drill: {mm(one.drill)}"
        if case and mounted_loop_inductance.card.outside(
                height=depth, spacing=one.pitch, diameter=one.drill, length=case.length, width=case.width,
                thickness=case.height) is None:
            loop += f", body: {{length: {mm(case.length)}, width: {mm(case.width)}, height: {mm(case.height)}}}"
        yield f"mounting: {{{loop}}}"


def _on_the_way(one: RailCapacitor, tap: Tap) -> list[LeadBarrel]:
    """Barrels to a capacitor that its mounting does not hold: without its own via, or the one that stands in the copper
    that carries current, where none is its own.
    """
    return [each for each in tap.barrels if (each.at != one.via if one.via else not each.first)]


def _to_plane(one: RailCapacitor, made: DrawnRail, layout: Layout) -> float | None:
    """From the layer of a capacitor to the nearest other sheet of the rail; None without one. [m]"""
    depths = heights(layout.layers)
    side = layout.copper[0 if one.part.side == "top" else -1].name
    others = [abs(depths[sheet.layer] - depths[side]) for sheet in made.sheets
              if depths and sheet.layer != side]
    return least_of(others, key=lambda depth: depth, default=None)


def _of_sheet(sheet: RailSheet, names: Mapping[str, str]) -> str:
    text = f"layer: {names[sheet.layer]}, shapes: [{', '.join(map(_region, sheet.shapes))}], perforated: []"
    return f"{{{text}, cutouts: [{', '.join(map(_region, sheet.cutouts))}]}}"


def _region(ring: Sequence[tuple[float, float]]) -> str:
    corners = ", ".join(" ".join(mm(x).removesuffix(" mm") for x in one) for one in ring)
    return f'{{outline: "{corners} mm"}}'


def _field(at: tuple[float, float], size: float, plating: str) -> str:
    return f"first: {_at(at)}, pitch: 1 mm, columns: 1, rows: 1, drill: {mm(size)}, plating: {plating}"


def _layers(layers: Sequence[str], names: Mapping[str, str]) -> str:
    return ", ".join(names[layer] for layer in layers)


def _at(at: tuple[float, float]) -> str:
    return f"[{mm(at[0])}, {mm(at[1])}]"


def _apart(one: RailPad, other: RailPad) -> float:
    """From the edge of one pad to that of the other. [m]"""
    return math.dist(one.at, other.at) - (one.size + other.size) / 2

