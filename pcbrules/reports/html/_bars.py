# SPDX-License-Identifier: MIT
"""Stacked bars as SVG: lying, one a row, each part with its number where there is room for it."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.reports._plot import _ticks
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute, number
from pcbrules.results.exhibit import Bar, Bars
from pcbrules.ties import ordered

LEFT, RIGHT, TOP, BOTTOM = 96, 14, 16, 36
ROW, THICK, THIN = 26, 18, 12
GLYPH = 9
"""Width of a bold character with room at its sides: a part that is wide enough holds its number."""

LIGHT = frozenset({1, 5, 6, 7, 9})
"""Kinds with a light colour: numbers on it are dark."""

LEAST = 0.01
"""Least end of the axis."""

SEEN = 7
"""Least width of a part that a pointer finds."""

LONGEST = 14
"""Characters of a row's name that are shown."""


def svg(bars: Bars, shared: Shared) -> str:
    """The picture of stacked bars; negative parts lie left of zero."""
    return "".join(_parts(bars, shared, shared.canvas.width))


def legend(bars: Bars) -> Iterator[tuple[str, str]]:
    """Style and name of every part that occurs, with its number in the sum."""
    whole = next((dict(bar.parts) for bar in bars.bars if bar.whole), {})
    for place, kind in enumerate(bars.kinds):
        if any(name == kind for bar in bars.bars for name, _ in bar.parts):
            size = f" {number(whole[kind])} {bars.unit}" if kind in whole else ""
            yield f"k{place}", kind + size
    if bars.limit is not None:
        yield "point", f"{bars.limit_name} {number(bars.limit)} {bars.unit}"


def _parts(bars: Bars, shared: Shared, width: int) -> Iterator[str]:
    height = TOP + ROW * len(bars.bars) + BOTTOM
    sums = [sum(size for _, size in bar.parts if size > 0) for bar in bars.bars]
    least = min((sum(size for _, size in bar.parts if size < 0) for bar in bars.bars), default=0.0)
    most = 1.04 * max(*sums, bars.limit or 0.0, LEAST)
    low = min(least * 1.04, 0.0)
    right, end = width - RIGHT, height - BOTTOM

    def at(value: float) -> float:
        return LEFT + (right - LEFT) * (value - low) / (most - low)

    yield f'<svg class="bars" viewBox="0 0 {width} {height}">'
    ticks = [(at(value), label) for value, label in _ticks((low, most), False)]
    yield shared.used("".join(_grid(ticks, end, right, bars.unit)))
    y = TOP
    for bar in bars.bars:
        yield from _bar(bar, bars, y, at)
        y += ROW
    yield f'<path class="axes" d="M{at(0.0):.0f} {TOP}V{end}"/>'
    if bars.limit is not None:
        x = at(bars.limit)
        yield f'<path class="limit" d="M{x:.0f} {TOP - 4}V{end}"/><path class="point" d="M{x:.0f} {TOP + 2}l-5-9h10z"/>'
    yield "</svg>"


def _grid(ticks: list[tuple[float, str]], end: int, right: int, unit: str) -> Iterator[str]:
    yield f'<path class="grid" d="{"".join(f"M{x:.0f} {TOP}V{end}" for x, _ in ticks)}"/><g class="m">'
    yield from (f'<text x="{x:.0f}" y="{end + 15}">{label}</text>' for x, label in ticks)
    yield f'<text x="{(LEFT + right) // 2}" y="{end + 33}">{attribute(unit)}</text></g>'


def _tenths(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _bar(bar: Bar, bars: Bars, y: int, at: object) -> Iterator[str]:
    assert callable(at)
    thick = THICK if bar.whole else THIN
    top = y + (ROW - thick) // 2
    name = bar.name if len(bar.name) <= LONGEST else bar.name[: LONGEST - 1] + "…"
    weight = ' font-weight="700"' if bar.whole else ""
    yield f'<text class="e" x="{LEFT - 6}" y="{y + ROW // 2 + 4}"{weight}>{attribute(name)}</text>'
    up = down = 0.0
    for kind, size in ordered(bar.parts, key=lambda part: bars.kinds.index(part[0])):
        start = up if size > 0 else down + size
        up, down = (up + size, down) if size > 0 else (up, down + size)
        x, across = at(start), at(start + abs(size)) - at(start)
        shape = f"M{_tenths(x)} {top}h{_tenths(across)}v{thick}H{_tenths(x)}z"
        title = "/>" if bar.whole or across < SEEN else f"><title>{attribute(kind)} {number(size)}</title></path>"
        yield f'<path class="k{bars.kinds.index(kind)}" d="{shape}"{title}'
        if bar.whole and across >= GLYPH * len(number(size)):
            style = "in d" if bars.kinds.index(kind) in LIGHT else "in"
            yield f'<text class="{style}" x="{x + across / 2:.0f}" y="{top + 13}">{number(size)}</text>'
    if not bar.whole and up > 0:
        yield f'<text class="s" x="{at(up) + 4:.0f}" y="{y + ROW // 2 + 4}">{number(up + down)}</text>'
