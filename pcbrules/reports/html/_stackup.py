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
    """Width of a picture and of its section, where thickness, role and material stand, and the size of a text [px]."""

    width: int
    section: int
    columns: tuple[int, int, int]
    size: float

    @property
    def room(self) -> tuple[float, float]:
        """Width of a name and of a material in sizes of a text."""
        return ((self.columns[0] - NAME_AT - APART) / self.size,
                (self.width - self.section - LED - self.columns[2]) / self.size)


NAME_AT, APART = 8, 6
"""Where a name begins, and the room between two columns."""

SCREEN = StackSheet(1000, 360, (104, 184, 274), 12.0)
PAPER = StackSheet(800, 218, (104, 182, 270), 12.3)
"""Narrower, so that its texts are as large as those around it."""

GAP = 12
"""Room between two traces of a layer."""

GLYPH = 6.8
"""Width of a character of the texts on a trace."""

BESIDE = 14
"""Width of the piece of ground that is drawn on either side of a trace."""

WIDTHS = {0.36: " .,:;!|'ijltfr()[]-/", 0.98: "mMwW@%…"}
"""Widths of characters in sizes of the text; of other small ones 0.64, of capitals and figures 0.72."""

MORE = 44
"""Room for the number of the traces that have none."""

ROLE = {"ground": "ground plane", "power": "power plane", "signal": "signal", "mixed": "mixed"}


def svg(stackup: Stackup, *, paper: bool = False) -> str:
    """The picture of a stackup."""
    return "".join(_parts(stackup, PAPER if paper else SCREEN))


def legend(stackup: Stackup) -> Iterator[tuple[str, str]]:
    """Style and name of what is drawn."""
    kinds = {layer.kind for layer in stackup.layers}
    forms = {layer.role for layer in stackup.layers if layer.kind == "dielectric"}
    yield "copper", "copper"
    if any(_blank(stackup, at) for at in range(len(stackup.layers))):
        yield "copper blank", "signal layer without a trace of a link"
    if "core" in forms:
        yield "core", "core"
    if "prepreg" in forms:
        yield "prepreg", "prepreg"
    if "" in forms:
        yield "dielectric", "dielectric"
    if "mask" in kinds:
        yield "mask", "solder mask"


def notes(stackup: Stackup, *, paper: bool = False) -> Iterator[str]:
    """The whole names of the materials that are cut in the picture, and what a number on a layer counts."""
    sheet = PAPER if paper else SCREEN
    yield from (f"[{number_}] {name}" for name, number_ in _cut_names(stackup, sheet).items())
    if any(">+" in part for part in _parts(stackup, sheet)):
        yield "+ and a number: so many more traces on the layer, which the table of traces lists"


def _blank(stackup: Stackup, at: int) -> bool:
    """True of a layer for signals on which no trace of a link lies."""
    layer = stackup.layers[at]
    return layer.kind == "copper" and layer.role == "signal" and all(one.layer != at for one in stackup.traces)


def _cut_names(stackup: Stackup, sheet: StackSheet) -> dict[str, int]:
    """Names of materials that have no room, with the numbers of their notes."""
    texts = (_material(layer) for layer in stackup.layers)
    long = dict.fromkeys(_name_and_rest(text)[0] for text in texts if _wide(text) > sheet.room[1])
    return {name: number_ for number_, name in enumerate(long, 1)}


def _material(layer: DrawnLayer) -> str:
    return ", ".join(filter(None, (layer.material, " / ".join(dict.fromkeys(filter(None, layer.foils))))))


def _name_and_rest(material: str) -> tuple[str, str]:
    """A material without its last part, and that part: the glass style of a laminate."""
    name, comma, rest = material.rpartition(", ")
    return (name, f"{comma}{rest}") if comma else (rest, "")


def _wide(text: str) -> float:
    """Width of a text in its size, rather too much."""
    sizes = (next((size for size, signs in WIDTHS.items() if char in signs), 0.0) for char in text)
    return sum(size or (0.72 if char.isupper() or char.isdigit() else 0.64)
               for size, char in zip(sizes, text, strict=True))


def _parts(stackup: Stackup, sheet: StackSheet) -> Iterator[str]:
    layers = stackup.layers
    whole = sum(layer.thickness for layer in layers)
    height = max(LEAST, LABEL * len(layers))
    scale = height / whole
    low = TOP + height
    heads = zip((0, *sheet.columns), ("layer", "thickness", "role", "material, foils"), strict=True)
    yield (f'<svg class="stack" viewBox="0 0 {sheet.width} {low + 34:.0f}">'
           f'<g class="h"><text x="0" y="16">{attribute(show(whole, "mm"))} over all</text>')
    yield from (f'<text x="{sheet.section + LED + (x or NAME_AT)}" y="16">{head}</text>' for x, head in heads)
    yield "</g>"
    y, drawn, cut = float(TOP), list[str](), _cut_names(stackup, sheet)
    texts = _spread([TOP + scale * depth for depth in _middles(layers)], TOP + LABEL / 2, low - LABEL / 2)
    for number_, layer in enumerate(layers):
        thick = layer.thickness * scale
        mine = [trace for trace in stackup.traces if trace.layer == number_]
        yield from _layer(layer, layers, number_, y, thick, sheet.section,
                          full=not mine and layer.role != "signal")
        if _blank(stackup, number_):
            yield f'<rect class="copper blank" y="{y:.1f}" width="{sheet.section}" height="{max(thick, 1.0):.1f}"/>'
        if layer.kind == "copper" and mine:
            drawn += _traces(mine, y, thick, scale, sheet.section)
        yield from _label(layer, y + thick / 2, texts[number_], sheet, cut)
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
        told = x + across + room <= section - (MORE if left > 1 else 0)
        if not told and (x > GAP or x + across > section - (MORE if left > 1 else 0)):
            yield _onto(min(x, section - MORE), y + thick / 2, f"+{left}")
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
        if told:
            yield _onto(x + across + 4, y + thick / 2, text)
        x += across + (room if told else 0) + GAP
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


def _label(layer: DrawnLayer, middle: float, at: float, sheet: StackSheet, cut: dict[str, int]) -> Iterator[str]:
    x = sheet.section + LED
    names, most = sheet.room
    name, material = _cut(layer.name, names), _material(layer)
    first, rest = _name_and_rest(material)
    long = material if first in cut else ""
    if long:
        rest = f" [{cut[first]}]{rest}"
        material = _cut(first, most - _wide(rest)) + rest
    size = f"{number(layer.thickness * 1e6)} µm"
    role = ROLE.get(layer.role, layer.role) if layer.kind != "mask" else "solder mask"
    whole = f"<title>{attribute(long)}</title>" if long else ""
    yield (f'<path class="lead" d="M{sheet.section + 2} {middle:.1f}l{LED - 6} {at - middle:.1f}h6"/>'
           f'<text x="{x + NAME_AT}" y="{at + 4:.1f}"{" class=b" if layer.kind == "copper" else ""}>{attribute(name)}'
           f'</text><text x="{x + sheet.columns[0]}" y="{at + 4:.1f}">{attribute(size)}</text>'
           f'<text x="{x + sheet.columns[1]}" y="{at + 4:.1f}">{attribute(role)}</text>'
           f'<text x="{x + sheet.columns[2]}" y="{at + 4:.1f}">{attribute(material)}{whole}</text>')


def _cut(text: str, most: float) -> str:
    """A text with an ellipsis where it is wider than so many sizes; between two words where that leaves the half."""
    if _wide(text) <= most:
        return text
    end = next(end for end in range(len(text), -1, -1) if not end or _wide(f"{text[:end]}…") <= most)
    word = text.rfind(" ", 0, end + 1)
    return text[: word if 2 * word > end else end].rstrip() + "…"


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
