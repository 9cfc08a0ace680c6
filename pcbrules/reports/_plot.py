# SPDX-License-Identifier: MIT
"""Line plots as SVG: a row of panels, each with its axes. Same input, same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from pcbrules.ties import steady

PAPER, INK, GRID = "#ffffff", "#24292f", "#e3e7eb"
COLOURS = ("#0b6bcb", "#c9510c", "#1a7f37", "#8250df", "#bf3989", "#6e7781")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 300, 62, 20, 34, 46
ROW = 16
"""Height of a row of the legend [px]."""


@dataclass(frozen=True)
class Curve:
    """Points of a curve: drawn as a line, or as ``marks``; ``colour`` is an index; an empty name has no legend."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: int = 0
    marks: bool = False
    dashed: bool = False


@dataclass(frozen=True)
class PlotArea:
    """Boxes of one colour: lowest x, lowest y, highest x, highest y of each."""

    colour: str
    boxes: Sequence[tuple[float, float, float, float]]


@dataclass(frozen=True)
class Panel:
    """One pair of axes: logarithmic where its limits are so marked; ``names`` label places 0, 1, 2 .. along x.

    ``areas`` lie below the curves.
    """

    title: str
    x_title: str
    y_title: str
    x: tuple[float, float]
    y: tuple[float, float]
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    names: Sequence[str] = field(default=())
    areas: Sequence[PlotArea] = field(default=())


def draw(panels: Sequence[Panel], *, title: str, columns: int = 2, width: int = WIDTH) -> str:
    """Panels in rows, with a legend below each."""
    legends = [ROW * math.ceil(sum(1 for curve in panel.curves if curve.name) / 2) for panel in panels]
    rows = [list(range(start, min(start + columns, len(panels)))) for start in range(0, len(panels), columns)]
    body, y = [], 0
    for row in rows:
        for column, i in enumerate(row):
            body.append(f'<g transform="translate({column * width} {y})">\n{_panel(panels[i], width)}</g>')
        y += HEIGHT + max(legends[i] for i in row) + 8
    across = width * min(columns, len(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{y}" viewBox="0 0 {across} {y}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="11" fill="{INK}">\n'
        f'<title>{escape(title)}</title>\n<rect width="100%" height="100%" fill="{PAPER}"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _panel(panel: Panel, width: int) -> str:
    right, low = width - RIGHT, HEIGHT - BOTTOM

    def place(value: float, limits: tuple[float, float], log: bool, start: float, end: float) -> float:
        if log:
            value, limits = math.log(max(value, 1e-300)), (math.log(limits[0]), math.log(limits[1]))
        part = (value - limits[0]) / (limits[1] - limits[0])
        return steady(start + (end - start) * min(max(part, 0.0), 1.0))

    def at_x(value: float) -> float:
        return place(value, panel.x, panel.log_x, LEFT, right)

    def at_y(value: float) -> float:
        return place(value, panel.y, panel.log_y, low, TOP)

    out = [f'<text x="{LEFT}" y="20" font-weight="bold" font-size="12">{escape(panel.title)}</text>']
    for value, label in _ticks(panel.y, panel.log_y):
        y = at_y(value)
        out.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{GRID}"/>')
        if label:
            out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for value, label in () if panel.names else _ticks(panel.x, panel.log_x):
        x = at_x(value)
        out.append(f'<path d="M{x:.1f} {TOP}V{low}" stroke="{GRID}"/>')
        if label:
            out.append(f'<text x="{x:.1f}" y="{low + 15}" text-anchor="middle">{label}</text>')
    for number, name in enumerate(panel.names):
        x = at_x(number)
        out.append(
            f'<text x="{x + 3:.1f}" y="{low + 6}" text-anchor="end" font-size="9" '
            f'transform="rotate(-60 {x + 3:.1f} {low + 6})">{escape(name)}</text>'
        )
    out.append(f'<path d="M{LEFT} {TOP}V{low}H{right}" fill="none" stroke="{INK}"/>')
    if panel.x_title:
        x = (LEFT + right) / 2
        out.append(f'<text x="{x:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(panel.x_title)}</text>')
    middle = (TOP + low) / 2
    out.append(
        f'<text x="14" y="{middle:g}" text-anchor="middle" transform="rotate(-90 14 {middle:g})">'
        f"{escape(panel.y_title)}</text>"
    )
    for area in panel.areas:
        boxes = "".join(
            f"M{at_x(x):.1f} {at_y(y):.1f}H{at_x(u):.1f}V{at_y(v):.1f}H{at_x(x):.1f}z" for x, y, u, v in area.boxes)
        out.append(f'<path d="{boxes}" fill="{area.colour}" shape-rendering="crispEdges"/>')
    named = 0
    for curve in panel.curves:
        out += _curve(curve, [(at_x(x), at_y(y)) for x, y in zip(curve.x, curve.y, strict=True)])
        if curve.name:
            x, y = LEFT + (named % 2) * (right - LEFT) / 2, HEIGHT + 4 + ROW * (named // 2)
            out += _curve(curve, [(x + 9, y)] if curve.marks else [(x, y), (x + 18, y)])
            out.append(f'<text x="{x + 24:g}" y="{y + 4}">{escape(curve.name)}</text>')
            named += 1
    return "\n".join(out) + "\n"


def _curve(curve: Curve, points: Sequence[tuple[float, float]]) -> list[str]:
    colour = COLOURS[curve.colour]
    if curve.marks:
        return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    dash = ' stroke-dasharray="5 3"' if curve.dashed else ""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>']


def _ticks(limits: tuple[float, float], log: bool) -> list[tuple[float, str]]:
    """Places of grid lines, with a label where there is room for one."""
    low, high = limits
    if log:
        decades = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
        return [(10.0**n, f"{10.0**n:g}" if -3 <= n <= 4 else f"1e{n}") for n in decades]
    rough = (high - low) / 6
    size = 10 ** math.floor(math.log10(rough))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(n * step, f"{n * step:.6g}".replace("-", "−")) for n in range(first, last + 1)]
