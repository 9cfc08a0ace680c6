# SPDX-License-Identifier: MIT
"""Curves as SVG. Points are whole fifths of a unit, one relative to the other: small, and the script reads them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

from pcbrules.reports._plot import _ticks
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute, number
from pcbrules.results.exhibit import Axis, CurveMark, ExhibitCurve, Series, ShadedSpread
from pcbrules.ties import steady

WIDTH, HEIGHT = 440, 268
LEFT, RIGHT, TOP, BOTTOM = 54, 20, 14, 40
FINER = 5
"""Units of a curve's points over those of the picture."""

CLOSE = 18
"""Height within which two texts would touch."""

GLYPH = 7.5
"""Width of a character of a label."""

Place = Callable[[float], float]


def svg(series: Series, shared: Shared) -> str:
    """The picture of a series; its curves carry their names, its axes their limits, for values under the pointer."""
    at_x = _placed(series.x, LEFT, WIDTH - RIGHT)
    at_y = _placed(series.y, HEIGHT - BOTTOM, TOP)
    return "".join(_parts(series, at_x, at_y, shared))


def legend(series: Series) -> Iterator[tuple[str, str]]:
    """Style and name of every curve, area and mark, in the order of a legend."""
    for curve in series.curves:
        yield curve.style, curve.name
    for spread in series.spreads:
        yield spread.kind, spread.name
    for band in series.bands:
        yield "band", band.name
    for mark in series.marks:
        if mark.kind == "notch":
            yield "notch", mark.name + ("" if series.x.low <= mark.x <= series.x.high else ", beyond this picture")


def _parts(series: Series, at_x: Place, at_y: Place, shared: Shared) -> Iterator[str]:
    yield (f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'data-x="{_axis(series.x)}" data-y="{_axis(series.y)}">')
    for band in series.bands:
        a, b = at_x(band.low), at_x(band.high)
        yield f'<rect class="band" x="{a:.0f}" y="{TOP}" width="{b - a:.0f}" height="{HEIGHT - BOTTOM - TOP}"/>'
    yield shared.used("".join(_grid(series, at_x, at_y)))
    yield '<g transform="scale(.2)">'
    for spread in series.spreads:
        yield f'<path class="{spread.kind}" d="{_area(spread, at_x, at_y)}"/>'
    for curve in series.curves:
        yield f'<path class="c {curve.style}" data-n="{attribute(curve.name)}" d="{_line(curve, at_x, at_y)}"/>'
    yield "</g>"
    for mark in series.marks:
        yield from _mark(mark, series, at_x, at_y)
    yield "</svg>"


def _axis(axis: Axis) -> str:
    return attribute(f"{axis.low:.6g};{axis.high:.6g};{'log' if axis.log else ''};{axis.unit}")


def _placed(axis: Axis, start: float, end: float) -> Place:
    def shown(value: float) -> float:
        return math.log(max(value, 1e-30)) if axis.log else value

    low, high = shown(axis.low), shown(axis.high)

    def place(value: float) -> float:
        return steady(start + (end - start) * min(max((shown(value) - low) / (high - low), 0.0), 1.0))

    return place


def _grid(series: Series, at_x: Place, at_y: Place) -> Iterator[str]:
    low, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    rows = [(at_y(value), label) for value, label in _ticks((series.y.low, series.y.high), series.y.log)]
    columns = [(at_x(value), _short(value, label, series.x)) for value, label in
               _ticks((series.x.low, series.x.high), series.x.log)]
    lines = "".join(f"M{LEFT} {y:.0f}H{right}" for y, _ in rows) + "".join(f"M{x:.0f} {TOP}V{low}" for x, _ in columns)
    yield f'<path class="grid" d="{lines}"/><path class="axes" d="M{LEFT} {TOP}V{low}H{right}"/><g class="r">'
    yield from (f'<text x="{LEFT - 5}" y="{y + 4:.0f}">{label}</text>' for y, label in rows)
    yield '</g><g class="m">'
    yield from (f'<text x="{min(x, WIDTH - len(label) * GLYPH / 2):.0f}" y="{low + 16}">{label}</text>'
                for x, label in columns)
    yield f'<text x="{(LEFT + right) // 2}" y="{HEIGHT - 5}">{_title(series.x, prefixed=series.x.unit == "Hz")}</text>'
    yield (f'<text transform="translate(10 {(TOP + low) // 2})rotate(-90)">{_title(series.y)}</text></g>')


def _title(axis: Axis, *, prefixed: bool = False) -> str:
    return attribute(axis.title if prefixed or not axis.unit else f"{axis.title} [{axis.unit}]")


def _short(value: float, label: str, axis: Axis) -> str:
    """Decades of a frequency with a prefix: 1 kHz, 10 MHz."""
    if axis.unit != "Hz" or not label:
        return label
    for size, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} Hz"


def _line(curve: ExhibitCurve, at_x: Place, at_y: Place) -> str:
    return _relative([(at_x(x), at_y(y)) for x, y in zip(curve.x, curve.y, strict=True)])


def _area(spread: ShadedSpread, at_x: Place, at_y: Place) -> str:
    up = [(at_x(x), at_y(y)) for x, y in zip(spread.x, spread.high, strict=True)]
    down = [(at_x(x), at_y(y)) for x, y in zip(spread.x, spread.low, strict=True)]
    return _relative([*up, *reversed(down)]) + "z"


def _relative(points: list[tuple[float, float]]) -> str:
    whole = [(round(x * FINER), round(y * FINER)) for x, y in points]
    parts = [f"M{whole[0][0]} {whole[0][1]}l"]
    for (a, b), (x, y) in pairwise(whole):
        if (x, y) != (a, b):
            parts.append(f"{x - a} {y - b} ".replace(" -", "-"))
    return "".join(parts).rstrip().replace(" -", "-").removesuffix("l")


def _mark(mark: CurveMark, series: Series, at_x: Place, at_y: Place) -> Iterator[str]:
    x, low = at_x(mark.x), HEIGHT - BOTTOM
    name = attribute(mark.name)
    inside = series.x.low <= mark.x <= series.x.high
    if mark.y is not None:
        y = at_y(mark.y)
        if mark.kind == "limit":
            yield f'<path class="point" d="M{LEFT} {y:.0f}H{x + 7:.0f}M{x:.0f} {y:.0f}l-4-8h8z"/>'
            left = x > WIDTH * 0.6
            yield (f'<text class="{"e" if left else "s"}" x="{x - 9 if left else x + 9:.0f}" y="{y - 4:.0f}">'
                   f"{name}</text>")
        else:
            yield f'<circle class="dot" cx="{x:.0f}" cy="{y:.0f}" r="3.5"><title>{name}</title></circle>'
        return
    if not inside:
        y = TOP + 10
        if any(other.y is not None and abs(at_y(other.y) - y) < CLOSE for other in series.marks):
            y += 2 * CLOSE
        yield (f'<path class="notch" d="M{WIDTH - RIGHT - 12} {y}h10m-4-4l4 4-4 4"><title>{name}</title></path>'
               f'<text class="e" x="{WIDTH - RIGHT - 16}" y="{y + 4}">notch at {number(mark.x)} '
               f"{attribute(series.x.unit)}</text>")
        return
    kind = "notch" if mark.kind == "notch" else "place"
    title = f"><title>{name}</title></path>" if kind == "notch" else "/>"
    yield f'<path class="{kind}" d="M{x:.0f} {TOP}V{low}"{title}'
    label = "notch" if kind == "notch" else name
    left = x > WIDTH * 0.7
    down = TOP + 14 if kind == "notch" else low - 6
    yield f'<text class="{"e" if left else "s"}" x="{x - 4 if left else x + 4:.0f}" y="{down}">{label}</text>'
