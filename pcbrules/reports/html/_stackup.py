# SPDX-License-Identifier: MIT
"""A stackup as SVG: layers and traces to one scale, beside them what each layer is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.reports.html._text import attribute, number
from pcbrules.results.exhibit import DrawnLayer, DrawnTrace, Stackup
from pcbrules.units import show

TOP, LABEL = 30, 17

LEAST, LED = 340, 34
"""Least height of the section, and width of the lines that lead from a layer to its text."""



@dataclass(frozen=True, slots=True)
class StackSheet:
    """Width of a picture and of its section, where thickness, role and material stand, and characters of a material."""

    width: int
    section: int
    columns: tuple[int, int, int]
    material: int


SCREEN = StackSheet(1000, 360, (100, 180, 274), 49)
PAPER = StackSheet(800, 220, (96, 166, 250), 44)
"""Narrower, so that its texts are as large as those around it."""

GAP = 12
"""Room between two traces of a layer."""

GLYPH = 6.8
"""Width of a character of the texts on a trace."""

BESIDE = 14
"""Width of the piece of ground that is drawn on either side of a trace."""

NAME = 14
"""Characters of a name that are shown."""

ROLE = {"ground": "ground plane", "power": "power plane", "signal": "signal", "mixed": "mixed"}


def svg(stackup: Stackup, *, paper: bool = False) -> str:
    """The picture of a stackup."""
    return "".join(_parts(stackup, PAPER if paper else SCREEN))


def legend(stackup: Stackup) -> Iterator[tuple[str, str]]:
    """Style and name of what is drawn."""
    kinds = {layer.kind for layer in stackup.layers}
    forms = {layer.role for layer in stackup.layers if layer.kind == "dielectric"}
    yield "copper", "copper"
    if "core" in forms:
        yield "core", "core"
    if "prepreg" in forms:
        yield "prepreg", "prepreg"
    if "" in forms:
        yield "dielectric", "dielectric"
    if "mask" in kinds:
        yield "mask", "solder mask"


def _parts(stackup: Stackup, sheet: StackSheet) -> Iterator[str]:
    layers = stackup.layers
    whole = sum(layer.thickness for layer in layers)
    height = max(LEAST, LABEL * len(layers))
    scale = height / whole
    low = TOP + height
    heads = zip((0, *sheet.columns), ("layer", "thickness", "role", "material, foils"), strict=True)
    yield (f'<svg class="stack" viewBox="0 0 {sheet.width} {low + 34:.0f}">'
           f'<g class="h"><text x="0" y="16">{attribute(show(whole, "mm"))} over all</text>')
    yield from (f'<text x="{sheet.section + LED + (x or 8)}" y="16">{head}</text>' for x, head in heads)
    yield "</g>"
    y, drawn = float(TOP), list[str]()
    texts = _spread([TOP + scale * depth for depth in _middles(layers)], TOP + LABEL / 2, low - LABEL / 2)
    for number_, layer in enumerate(layers):
        thick = layer.thickness * scale
        mine = [trace for trace in stackup.traces if trace.layer == number_]
        yield from _layer(layer, layers, number_, y, thick, sheet.section,
                          full=not mine and layer.role != "signal")
        if layer.kind == "copper" and mine:
            drawn += _traces(mine, y, thick, scale, sheet.section)
        yield from _label(layer, y + thick / 2, texts[number_], sheet)
        y += thick
    yield from drawn
    bar = 0.5e-3 * scale
    yield (f'<path class="axes" d="M0 {low + 14:.0f}h{bar:.0f}m0-4v8M0 {low + 10:.0f}v8"/>'
           f'<text x="{bar + 6:.0f}" y="{low + 18:.0f}">0.5 mm</text></svg>')


def _middles(layers: tuple[DrawnLayer, ...]) -> Iterator[float]:
    depth = 0.0
    for layer in layers:
        yield depth + layer.thickness / 2
        depth += layer.thickness


def _layer(
    layer: DrawnLayer, layers: tuple[DrawnLayer, ...], number_: int, y: float, thick: float, section: int, *, full: bool
) -> Iterator[str]:
    """The layer across the section; copper that is etched away leaves what flows into it."""
    if layer.kind == "copper" and full:
        yield f'<rect class="copper {layer.role}" y="{y:.1f}" width="{section}" height="{max(thick, 1.0):.1f}"/>'
        return
    kind = layer.role or "dielectric" if layer.kind == "dielectric" else layer.kind
    if layer.kind == "copper":
        beside = [one for one in layers[max(number_ - 1, 0) : number_ + 2] if one.kind == "dielectric"]
        soft = [one for one in beside if one.role != "core"] or beside
        outer = number_ in (0, len(layers) - 1) or any(
            one.kind == "mask" for one in layers[max(number_ - 1, 0) : number_ + 2])
        kind = "air" if outer else (soft[0].role or "dielectric") if soft else "dielectric"
    yield f'<rect class="{kind}" y="{y:.1f}" width="{section}" height="{thick:.1f}"/>'


def _traces(traces: list[DrawnTrace], y: float, thick: float, scale: float, section: int) -> Iterator[str]:
    x = float(GAP)
    left = len(traces)
    for trace in traces:
        wide = max(trace.width, trace.top_width) * scale
        gap = None if trace.gap is None else trace.gap * scale
        beside = None if trace.ground is None else trace.ground * scale
        legs = wide if gap is None else 2 * wide + gap
        across = legs if beside is None else legs + 2 * (beside + BESIDE)
        text = f"{trace.impedance:.1f} Ω" + ("" if not trace.target else f" of {trace.target:g}")
        room = len(text) * GLYPH + 8
        if x + across + room > section - (44 if left > 1 else 0):
            yield _onto(min(x, section - 44), y + thick / 2, f"+{left}")
            return
        foot, top = trace.width * scale, trace.top_width * scale
        name = f"{', '.join(trace.links[:8])}{' …' if len(trace.links) > 8 else ''}: {text}"
        first = x if beside is None else x + BESIDE + beside
        path = "".join(_trapezoid(first + wide / 2 + i * (wide + (gap or 0.0)), y, max(thick, 1.0), foot, top,
                                  wide_up=trace.wide_up) for i in range(1 if gap is None else 2))
        if beside is not None:
            for start in (x, first + legs + beside):
                yield f'<rect class="copper ground" x="{start:.1f}" y="{y:.1f}" width="{BESIDE}" height="{thick:.1f}"/>'
        yield f'<path class="copper" d="{path}"><title>{attribute(name)}</title></path>'
        yield _onto(x + across + 4, y + thick / 2, text)
        x += across + room + GAP
        left -= 1


def _onto(x: float, y: float, text: str) -> str:
    """A text on a plate of its own, since copper may lie under it."""
    wide = len(text) * GLYPH + 4
    return (f'<rect class="plate" x="{x - 2:.0f}" y="{y - 7:.0f}" width="{wide:.0f}" height="14"/>'
            f'<text class="onto s" x="{x:.0f}" y="{y + 4:.0f}">{attribute(text)}</text>')


def _trapezoid(centre: float, y: float, thick: float, foot: float, top: float, *, wide_up: bool) -> str:
    upper, lower = (foot, top) if wide_up else (top, foot)
    return (f"M{centre - upper / 2:.1f} {y:.1f}h{upper:.1f}L{centre + lower / 2:.1f} {y + thick:.1f}"
            f"h{-lower:.1f}z")


def _label(layer: DrawnLayer, middle: float, at: float, sheet: StackSheet) -> Iterator[str]:
    x = sheet.section + LED
    foils = " / ".join(dict.fromkeys(filter(None, layer.foils)))
    material = ", ".join(filter(None, (layer.material, foils)))
    name, long = _cut(layer.name, NAME), material if len(material) > sheet.material else ""
    material = _cut(material, sheet.material)
    size = f"{number(layer.thickness * 1e6)} µm"
    role = ROLE.get(layer.role, layer.role) if layer.kind != "mask" else "solder mask"
    whole = f"<title>{attribute(long)}</title>" if long else ""
    yield (f'<path class="lead" d="M{sheet.section + 2} {middle:.1f}l{LED - 6} {at - middle:.1f}h6"/>'
           f'<text x="{x + 8}" y="{at + 4:.1f}"{" class=b" if layer.kind == "copper" else ""}>{attribute(name)}'
           f'</text><text x="{x + sheet.columns[0]}" y="{at + 4:.1f}">{attribute(size)}</text>'
           f'<text x="{x + sheet.columns[1]}" y="{at + 4:.1f}">{attribute(role)}</text>'
           f'<text x="{x + sheet.columns[2]}" y="{at + 4:.1f}">{attribute(material)}{whole}</text>')


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _spread(wanted: list[float], low: float, high: float) -> list[float]:
    """Heights of texts near what they belong to, in order, with room for each."""
    places = [max(place, low + LABEL * i) for i, place in enumerate(wanted)]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + LABEL)
    last = high
    for i in reversed(range(len(places))):
        places[i] = min(places[i], last)
        last = places[i] - LABEL
    return places
