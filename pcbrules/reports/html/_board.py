# SPDX-License-Identifier: MIT
"""The board in SVG: outline, layers that can be switched, links by status, pins that lead to the findings.

A unit of the picture is 10 um. What is shown lightly has whole units, a link a decimal more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from pcbrules.reports._text import SHAPE, WORD
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute
from pcbrules.results.exhibit import BoardDrawing, DrawnLink, DrawnPolyline, DrawnSheet, FindingPin

SCALE = 100
"""Units of the picture in a millimetre."""

COLOURS = 10
"""Colours of layers, one after the other."""

MARGIN = 0.03
"""Room round the board, of its longer side. [-]"""

ACROSS = 1000
"""Pixels for which marks are sized before the picture is zoomed."""

TOLD = 6
"""Findings of a pin that its text lists."""


def picture(drawing: BoardDrawing, shared: Shared) -> str:
    """The switches and the picture."""
    x, y, wide, high = _box(drawing)
    size = max(wide, high) / ACROSS
    return "".join((
        '<div class="tools boardtools">', *_switches(drawing), "</div>",
        f'<svg class="board" viewBox="{x} {y} {wide} {high}" data-size="{size:.2f}">',
        f'<path class="edge" d="{_path(drawing.outline, 0, closed=True)}"/>' if drawing.outline else "",
        *(part for number, sheet in enumerate(drawing.sheets) for part in _sheet(sheet, number, drawing.links)),
        *(f'<circle class="hole {link.status.value}" cx="{_one(at[0])}" cy="{_one(at[1])}" r="{_one(width / 2)}"/>'
          for link in drawing.links for at, width in link.holes),
        *_names(drawing.links, size), *(part for pin in drawing.pins for part in _pin(pin, size, shared)), "</svg>"))


def legend(drawing: BoardDrawing) -> Iterable[tuple[str, str]]:
    """Colours of links, and of the layers."""
    for status in dict.fromkeys(link.status for link in drawing.links):
        yield f"link {status.value}", f"{SHAPE[status]} link: {WORD[status]}"
    for number, sheet in enumerate(drawing.sheets):
        yield f"k{number % COLOURS}", sheet.name


def _switches(drawing: BoardDrawing) -> Iterator[str]:
    for number, sheet in enumerate(drawing.sheets):
        yield (f'<label><input type="checkbox" data-layer="l{number}" checked> <i class="sw k{number % COLOURS}"></i>'
               f"{attribute(sheet.name)}</label> ")
    yield ('<span class="zoom"><button type="button" data-zoom="in" aria-label="zoom in">+</button> '
           '<button type="button" data-zoom="out" aria-label="zoom out">−</button> '
           '<button type="button" data-zoom="all">whole board</button></span>')


def _sheet(sheet: DrawnSheet, number: int, links: Sequence[DrawnLink]) -> Iterator[str]:
    """One layer: areas and other tracks lightly, links over them; their tracks are seen at any scale."""
    yield f'<g class="layer l{number} k{number % COLOURS}"><title>{attribute(sheet.name)}</title>'
    if sheet.areas:
        yield f'<path class="area" d="{_path(sheet.areas, 0, closed=True)}"/>'
    if sheet.tracks:
        yield f'<path class="track" d="{_path(sheet.tracks, 0)}"/>'
    for link in links:
        for layer, width, lines in link.tracks:
            if layer == sheet.name:
                path = _path(lines, 1)
                title = f"<title>{attribute(f'{link.name} on {layer}')}</title>"
                yield (f'<path class="link {link.status.value}" stroke-width="{_one(width)}" d="{path}"/>'
                       f'<path class="line {link.status.value}" d="{path}">{title}</path>')
    yield "</g>"


def _names(links: Sequence[DrawnLink], size: float) -> Iterator[str]:
    """References of the parts at the ends of links, each once."""
    parts = dict.fromkeys(part for link in links for part in link.parts)
    for at, name in parts:
        text = f'<text class="onto" x="0" y="4">{attribute(name)}</text>'
        yield f'<g class="mark" transform="{_moved(at, size)}">{text}</g>'


def _pin(pin: FindingPin, size: float, shared: Shared) -> Iterator[str]:
    lines = [f"{rule} {subject}: {message}" for rule, subject, message in pin.findings[:TOLD]]
    more = len(pin.findings) - TOLD
    told = "\n".join((*lines, *((f"and {more} more",) if more > 0 else ())))
    count = str(len(pin.findings)) if len(pin.findings) > 1 else SHAPE[pin.status]
    mark = (f'<g class="mark pin {pin.status.value}" transform="{_moved(pin.at, size)}">'
            f'<title>{attribute(told)}</title><path d="M0 0L-7 -13A9 9 0 1 1 7 -13z"/>'
            f'<text x="0" y="-14">{count}</text></g>')
    subjects = [subject for _, subject, _ in pin.findings]
    alike = takewhile(lambda signs: len(set(signs)) == 1, zip(*subjects, strict=False))
    find = "".join(signs[0] for signs in alike).rstrip(".[") or subjects[0]
    yield f'<a href="{shared.findings}" data-find="{attribute(find)}">{mark}</a>' if shared.findings else mark


def _moved(at: tuple[float, float], size: float) -> str:
    return f"translate({_one(at[0])} {_one(at[1])}) scale({size:.2f})"


def _one(value: float) -> str:
    """A length in units of the picture, to a micrometre."""
    return f"{value * SCALE:.1f}".removesuffix(".0")


def _path(lines: Iterable[DrawnPolyline], digits: int, *, closed: bool = False) -> str:
    """Lines as one path: absolute beginnings, relative steps; points that round to the one before are left out."""
    made = []
    factor = 10**digits
    for line in lines:
        points = [(round(x * SCALE * factor), round(y * SCALE * factor)) for x, y in line]
        (x, y), text = points[0], []
        for u, v in points[1:]:
            if (u, v) != (x, y):
                text.append(f"{_text(u - x, factor)}{_next(v - y, factor)}")
                x, y = u, v
        steps = "".join(one if one.startswith("-") or not place else f" {one}" for place, one in enumerate(text))
        begin = f"M{_text(points[0][0], factor)}{_next(points[0][1], factor)}"
        made.append(f"{begin}l{steps or '0 0'}{'z' if closed else ''}")
    return "".join(made)


def _text(value: int, factor: int) -> str:
    return str(value) if factor == 1 else f"{value / factor:.1f}".removesuffix(".0").replace("-0", "-0")


def _next(value: int, factor: int) -> str:
    text = _text(value, factor)
    return text if text.startswith("-") else f" {text}"


def _box(drawing: BoardDrawing) -> tuple[int, int, int, int]:
    """Least x and y, width and height of what has to be seen, with room round it."""
    points = [at for ring in drawing.outline for at in ring]
    points += [at for link in drawing.links for _, _, lines in link.tracks for line in lines for at in line]
    points = points or [at for sheet in drawing.sheets for line in (*sheet.areas, *sheet.tracks) for at in line]
    xs, ys = ([one[axis] * SCALE for one in points] for axis in (0, 1))
    room = max(max(xs) - min(xs), max(ys) - min(ys), 1.0) * MARGIN
    low = round(min(xs) - room), round(min(ys) - room)
    return (*low, round(max(xs) + room) - low[0], round(max(ys) + room) - low[1])

