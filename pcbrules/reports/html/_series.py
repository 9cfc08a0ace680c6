# SPDX-License-Identifier: MIT
"""Curves as SVG. Points are whole fifths of a unit, one relative to the other: small, and the script reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pcbrules.reports.html._frame import GLYPH, SQUEEZED, Canvas, Scale, scale
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute, number
from pcbrules.results.exhibit import Axis, CurveMark, ExhibitCurve, Series, ShadedSpread

TITLE, RIGHT, TOP, BOTTOM = 24, 20, 14, 40
"""Room for the title of the upright axis, and beside, above and below the plot."""
FINER = 5
"""Units of a curve's points over those of the picture."""

NEAR = 22
"""Height of a note of what lies beyond the plot, over its foot: a loss that rises leaves room there."""

LINE = 13
"""From one line of it to the next."""

@dataclass(frozen=True, slots=True)
class Frame:
    """The size of the picture, the edges of the plot in it, and its axes."""

    canvas: Canvas
    left: int
    x: Scale
    y: Scale

    @property
    def right(self) -> int:
        return self.canvas.width - RIGHT

    @property
    def low(self) -> int:
        return self.canvas.height - BOTTOM


def _frame(series: Series, canvas: Canvas) -> Frame:
    """The labels of the upright axis decide where the plot begins."""
    low, right = canvas.height - BOTTOM, canvas.width - RIGHT
    y = scale(series.y, low, TOP)
    left = TITLE + round(GLYPH * max((len(label) for _, label in y.ticks()), default=0))
    return Frame(canvas, left, scale(series.x, left, right), y)


def svg(series: Series, shared: Shared) -> str:
    """The picture of a series; its curves carry their names, its axes their limits, for values under the pointer."""
    return "".join(_parts(series, _frame(series, shared.canvas), shared))


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


def _parts(series: Series, frame: Frame, shared: Shared) -> Iterator[str]:
    yield (f'<svg class="plot" viewBox="0 0 {frame.canvas.width} {frame.canvas.height}" '
           f'data-x="{attribute(frame.x.told)}" data-y="{attribute(frame.y.told)}">')
    for band in series.bands:
        a, b = frame.x.at(band.low), frame.x.at(band.high)
        yield f'<rect class="band" x="{a:.0f}" y="{TOP}" width="{b - a:.0f}" height="{frame.low - TOP}"/>'
    yield shared.used("".join(_grid(series, frame)))
    yield '<g transform="scale(.2)">'
    for spread in series.spreads:
        yield f'<path class="{spread.kind}" d="{_area(spread, frame)}"/>'
    for curve in series.curves:
        beyond = not any(series.y.low <= y <= series.y.high for y in curve.y)
        name = "" if beyond else f' data-n="{attribute(curve.name)}"'
        yield f'<path class="c {curve.style}"{name} d="{_line(curve, frame)}"/>'
    yield "</g>"
    for mark in series.marks:
        yield from _mark(mark, series, frame)
    yield from _breaks(series.x, frame)
    yield "</svg>"


def _breaks(axis: Axis, frame: Frame) -> Iterator[str]:
    """Two strokes over the axis where a part is squeezed."""
    for low, _ in axis.squeezed:
        x = frame.x.at(low)
        yield (f'<path class="gap" d="M{x + 3:.0f} {TOP - 2}h{SQUEEZED - 6}V{frame.low + 2}h-{SQUEEZED - 6}z"/>'
               f'<path class="axes" d="M{x:.0f} {frame.low + 2}l6-8m{SQUEEZED - 12} 8l6-8"/>')


def _grid(series: Series, frame: Frame) -> Iterator[str]:
    low, left, right = frame.low, frame.left, frame.right
    rows = [(frame.y.at(value), label) for value, label in frame.y.ticks()]
    columns = [(frame.x.at(value), _short(value, label, series.x)) for value, label in frame.x.ticks()]
    broken = [frame.x.at(start) + SQUEEZED / 2 for start, _ in series.x.squeezed]
    labels = [(x, label) for x, label in columns
              if all(abs(x - at) > (SQUEEZED + len(label) * GLYPH) / 2 for at in broken)]
    lines = "".join(f"M{left} {y:.0f}H{right}" for y, _ in rows) + "".join(f"M{x:.0f} {TOP}V{low}" for x, _ in columns)
    yield f'<path class="grid" d="{lines}"/><path class="axes" d="M{left} {TOP}V{low}H{right}"/><g class="r">'
    yield from (f'<text x="{left - 5}" y="{y + 4:.0f}">{label}</text>' for y, label in rows)
    yield '</g><g class="m">'
    yield from (f'<text x="{x:.0f}" y="{low + 16}">{label}</text>' for x, label in _apart(labels, frame.canvas.width))
    title = _title(series.x, prefixed=series.x.unit == "Hz")
    yield f'<text x="{(left + right) // 2}" y="{frame.canvas.height - 5}">{title}</text>'
    yield (f'<text transform="translate(11 {(TOP + low) // 2})rotate(-90)">{_title(series.y)}</text></g>')


def _apart(labels: list[tuple[float, str]], width: int) -> Iterator[tuple[float, str]]:
    """Labels within the picture; one that would touch the one before it is left out."""
    end = float("-inf")
    for place, label in labels:
        half = len(label) * GLYPH / 2
        x = min(place, width - half)
        if label and x - half >= end:
            end = x + half + GLYPH / 2
            yield x, label


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


def _line(curve: ExhibitCurve, frame: Frame) -> str:
    return _relative([(frame.x.at(x), frame.y.at(y)) for x, y in zip(curve.x, curve.y, strict=True)])


def _area(spread: ShadedSpread, frame: Frame) -> str:
    up = [(frame.x.at(x), frame.y.at(y)) for x, y in zip(spread.x, spread.high, strict=True)]
    down = [(frame.x.at(x), frame.y.at(y)) for x, y in zip(spread.x, spread.low, strict=True)]
    return _relative([*up, *reversed(down)]) + "z"


def _relative(points: list[tuple[float, float]]) -> str:
    whole = [(round(x * FINER), round(y * FINER)) for x, y in points]
    parts = [f"M{whole[0][0]} {whole[0][1]}l"]
    for (a, b), (x, y) in pairwise(whole):
        if (x, y) != (a, b):
            parts.append(f"{x - a} {y - b} ".replace(" -", "-"))
    return "".join(parts).rstrip().replace(" -", "-").removesuffix("l")


def _mark(mark: CurveMark, series: Series, frame: Frame) -> Iterator[str]:
    x, low, width = frame.x.at(mark.x), frame.low, frame.canvas.width
    name = attribute(mark.name)
    inside = series.x.low <= mark.x <= series.x.high
    if mark.y is not None:
        y = frame.y.at(mark.y)
        if mark.kind == "limit":
            yield f'<path class="point" d="M{frame.left} {y:.0f}H{x + 7:.0f}M{x:.0f} {y:.0f}l-4-8h8z"/>'
            left = x > width * 0.6
            yield (f'<text class="{"e" if left else "s"}" x="{x - 9 if left else x + 9:.0f}" y="{y - 4:.0f}">'
                   f"{name}</text>")
        else:
            yield f'<circle class="dot" cx="{x:.0f}" cy="{y:.0f}" r="3.5"><title>{name}</title></circle>'
        return
    if not inside:
        y = low - NEAR
        yield (f'<path class="notch" d="M{frame.right - 12} {y}h10m-4-4l4 4-4 4"><title>{name}</title></path>'
               f'<text class="e" x="{frame.right - 16}" y="{y - 1}">notch at</text>'
               f'<text class="e" x="{frame.right - 16}" y="{y - 1 + LINE}">{number(mark.x)} '
               f"{attribute(series.x.unit)}</text>")
        return
    kind = "notch" if mark.kind == "notch" else "place"
    title = f"><title>{name}</title></path>" if kind == "notch" else "/>"
    yield f'<path class="{kind}" d="M{x:.0f} {TOP}V{low}"{title}'
    label = "notch" if kind == "notch" else name
    beyond = any(one.kind == "notch" and one.x > series.x.high for one in series.marks)
    left = x > width * (0.35 if beyond and kind == "place" else 0.7)
    down = TOP + 14 if kind == "notch" else low - 6
    yield f'<text class="{"e" if left else "s"}" x="{x - 4 if left else x + 4:.0f}" y="{down}">{label}</text>'
