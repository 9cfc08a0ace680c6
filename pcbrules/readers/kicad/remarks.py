# SPDX-License-Identifier: MIT
"""What a board as a whole leaves open or contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout

OLDEST, NEWEST = 20171130, 20260206
"""Formats of KiCad 5 and KiCad 10."""

ROUNDING = 0.5e-6
"""Difference of thicknesses that is rounding. [m]"""


def remarks(layout: Layout, loose: tuple[Point, ...], *, built: bool) -> Iterator[tuple[str, str]]:
    """Message and finding of each remark; `loose` are open ends of the board edge."""
    version = int(layout.version)
    if version > NEWEST:
        yield "the format is newer than this reader knows: what is new in it may be missed", layout.version
    if version < OLDEST:
        yield "the format is older than KiCad 5: what has changed since may be missed", layout.version
    yield from _thickness(layout, built)
    if loose:
        x, y = (f"{value * 1e3:g}" for value in loose[0])
        yield "the board edge is not closed", f"{len(loose)} open ends, the first at ({x} mm, {y} mm)"
    if not layout.outline:
        yield "the board has no closed edge: its outline is unknown", ""
    empty = [one for one in layout.zones if one.kind == "copper" and one.layers and not one.fills]
    if empty:
        names = ", ".join(sorted({one.net or "no net" for one in empty})[:4])
        yield "zones that are not filled: their copper is unknown", f"{len(empty)}, of {names}"


def _thickness(layout: Layout, built: bool) -> Iterator[tuple[str, str]]:
    if not built:
        yield "no build-up is stated: thicknesses, materials and heights are unknown", ""
        return
    open_rows = [one.name for one in layout.layers if one.kind in ("copper", "dielectric") and one.thickness is None]
    if open_rows:
        yield "sheets of the build-up have no thickness: heights are unknown", ", ".join(open_rows[:6])
    total = layout.thickness_sum
    if total is not None and layout.thickness is not None and abs(total - layout.thickness) > ROUNDING:
        yield ("the build-up does not add up to the declared thickness",
               f"{total * 1e3:.7g} mm for {layout.thickness * 1e3:.7g} mm")
