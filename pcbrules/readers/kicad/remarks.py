# SPDX-License-Identifier: MIT
"""What a board as a whole leaves open or contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.readers.layout_remarks import build_up_remarks

OLDEST, NEWEST = 20171130, 20260206
"""Formats of KiCad 5 and KiCad 10."""


def remarks(layout: Layout, loose: tuple[Point, ...], *, built: bool) -> Iterator[tuple[str, str]]:
    """Message and finding of each remark; `loose` are open ends of the board edge."""
    version = int(layout.version)
    if version > NEWEST:
        yield "the format is newer than this reader knows: what is new in it may be missed", layout.version
    if version < OLDEST:
        yield "the format is older than KiCad 5: what has changed since may be missed", layout.version
    yield from build_up_remarks(layout, built=built)
    if loose:
        x, y = (f"{value * 1e3:g}" for value in loose[0])
        yield "the board edge is not closed", f"{len(loose)} open ends, the first at ({x} mm, {y} mm)"
    if not layout.outline:
        yield "the board has no closed edge: its outline is unknown", ""
    empty = [one for one in layout.zones if one.kind == "copper" and one.layers and not one.fills]
    if empty:
        names = ", ".join(sorted({one.net or "no net" for one in empty})[:4])
        yield "zones that are not filled: their copper is unknown", f"{len(empty)}, of {names}"
