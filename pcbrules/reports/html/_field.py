# SPDX-License-Identifier: MIT
"""A field over an area as SVG: levels in order of brightness, with a bar of their values."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.reports._levels import COLOURS, runs, span
from pcbrules.reports.html._frame import Canvas
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute, number
from pcbrules.results.exhibit import Field

SIDE, TOP, FOOT = 8, 8, 60
"""Room beside, above and below the field."""


def svg(field: Field, shared: Shared) -> str:
    """The picture of a field, to scale, x to the right and y up."""
    return "".join(_parts(field, shared.canvas))


def _parts(field: Field, canvas: Canvas) -> Iterator[str]:
    across, along = field.x[1] - field.x[0], field.y[1] - field.y[0]
    width = canvas.width
    scale = min((width - 2 * SIDE) / across, canvas.height * 0.9 / along)
    wide, tall = across * scale, along * scale
    left, low = (width - wide) / 2, TOP + tall
    least, most = span(field.rows)
    columns = len(field.rows[0])
    text = f"{field.title}: {number(least)} to {number(most)} {field.unit}"
    yield f'<svg class="field" viewBox="0 0 {width} {low + FOOT:.0f}" role="img" aria-label="{attribute(text)}">'
    # one unit is a cell; the first row of the raster is the lowest
    yield (f'<g transform="translate({left:.1f} {low:.1f})scale({wide / columns:.4f} {-tall / len(field.rows):.4f})" '
           'shape-rendering="crispEdges">')
    for colour, level in zip(COLOURS, runs(field.rows, least, most), strict=True):
        if level:
            cells = "".join(f"M{first} {row}h{count}v1h-{count}z" for row, first, count in level)
            yield f'<path fill="{colour}" d="{cells}"/>'
    yield "</g>"
    yield f'<rect class="frame" x="{left:.1f}" y="{TOP}" width="{wide:.1f}" height="{tall:.1f}"/>'
    for mark in field.marks:
        if mark.y is not None:
            x, y = left + (mark.x - field.x[0]) * scale, low - (mark.y - field.y[0]) * scale
            end = x > width / 2
            yield (f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{attribute(mark.name)}</title></circle>'
                   f'<text class="{"e" if end else "s"} onto" x="{x - 8 if end else x + 8:.0f}" y="{y + 4:.0f}">'
                   f"{attribute(mark.name)}</text>")
    bar = width / 2
    for at, colour in enumerate(COLOURS):
        yield f'<rect fill="{colour}" x="{bar / 2 + at * bar / len(COLOURS):.1f}" y="{low + 8:.1f}" ' \
              f'width="{bar / len(COLOURS):.1f}" height="10"/>'
    yield f'<text class="e" x="{bar / 2 - 6:.0f}" y="{low + 17:.0f}">{number(least)}</text>'
    most_text = f"{number(most)} {attribute(field.unit)}"
    yield f'<text class="s" x="{bar * 1.5 + 6:.0f}" y="{low + 17:.0f}">{most_text}</text>'
    size = f"{number(across)} × {number(along)} {field.length_unit}"
    yield (f'<g class="m"><text x="{bar:.0f}" y="{low + 36:.0f}">{attribute(field.quantity)}</text>'
           f'<text x="{bar:.0f}" y="{low + 53:.0f}">{attribute(size)}</text></g></svg>')
