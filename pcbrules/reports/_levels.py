# SPDX-License-Identifier: MIT
"""A raster as areas of equal levels, in runs of cells along its rows: small, sharp, the same bytes everywhere."""

from __future__ import annotations

from collections.abc import Sequence

COLOURS = ("#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725")
"""From low to high: ten of the colour map viridis (CC0), which stays in order without colour too."""

Row = Sequence[float | None]


def span(rows: Sequence[Row]) -> tuple[float, float]:
    """Smallest and largest value; of an even field a little apart."""
    values = [value for row in rows for value in row if value is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low, low + max(abs(low), 1.0) * 1e-6)


def runs(rows: Sequence[Row], low: float, high: float) -> list[list[tuple[int, int, int]]]:
    """Of every level its runs: row, first column, number of columns."""
    count = len(COLOURS)
    found: list[list[tuple[int, int, int]]] = [[] for _ in COLOURS]
    for at, row in enumerate(rows):
        before, first = -1, 0
        for column, value in enumerate([*row, None]):
            level = -1 if value is None else min(max(int((value - low) / (high - low) * count), 0), count - 1)
            if level != before:
                if before >= 0:
                    found[before].append((at, first, column - first))
                before, first = level, column
    return found
