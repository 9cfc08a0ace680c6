# SPDX-License-Identifier: MIT
"""How the two nets of a pair run beside each other: width of the traces, gap, and where the gap is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcbrules.extraction.planar import least_distance, lines_of, middle_places
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.ties import greatest_of, ordered

STEP = 20e-6
"""Distance of the places along a trace at which the gap is measured. [m]"""

CELL, CELLS = 1e-6, 5
"""Gaps are counted by the micrometre [m]; those in so many neighbouring ones count together."""

FAR = 20e-3
"""Gaps beyond this are never the usual one. [m]"""

APART = 1.5
"""A gap of more than this many times the usual one is none: there the legs run alone; practice. [-]"""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GapOnLayer:
    """Both legs on one copper layer; lengths along centre lines. [m]

    Attributes
    ----------
    layer : str
    width : float
        The width on which the greatest length is routed, both legs together.
    widths : tuple of (width, length)
        All widths, the narrowest first.
    gap, least : float or None
        From edge to edge: the usual one, the middle of the most frequent 5 um; the smallest. None without a partner.
    share : float
        Part of the length that has the usual gap within its 5 um. [-]
    length_p, length_n, alone_p, alone_n : float
        Length of either leg, and the part of it whose gap is more than ``APART`` times the usual one.
    """

    layer: str
    width: float
    widths: tuple[tuple[float, float], ...]
    gap: float | None
    least: float | None
    share: float
    length_p: float
    length_n: float
    alone_p: float
    alone_n: float


def gaps_of_pairs(layout: Layout) -> tuple[tuple[GapOnLayer, ...], ...]:
    """Each pair of a layout on every copper layer that it has tracks on, from top to bottom."""
    tracks: dict[tuple[str, str], list[Track]] = {}
    for one in layout.tracks:
        tracks.setdefault((one.net, one.layer), []).append(one)
    return tuple(tuple(
        gap_on_layer(layer.name, p, n) for layer in layout.copper
        for p, n in [(tracks.get((pair.p, layer.name), []), tracks.get((pair.n, layer.name), []))] if p or n
    ) for pair in layout.pairs)


def gap_on_layer(layer: str, p: Sequence[Track], n: Sequence[Track]) -> GapOnLayer:
    """Measure the tracks of both nets on one layer, at least one in all."""
    return _measured(layer, _Tracks(p), _Tracks(n))


class _Tracks(tuple[Track, ...]):
    """Tracks that are the same ones in any order: all of a layer, and those along a path of one stretch."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tracks) and Counter(self) == Counter(other)


@lru_cache(maxsize=512)
def _measured(layer: str, p: _Tracks, n: _Tracks) -> GapOnLayer:
    (gaps_p, steps_p), (gaps_n, steps_n) = _gaps(p, n), _gaps(n, p)
    gaps, steps = np.concatenate([gaps_p, gaps_n]), np.concatenate([steps_p, steps_n])
    usual, share = usual_gap(gaps, steps)
    limit = np.inf if usual is None else APART * usual
    widths = _widths([*p, *n])
    return GapOnLayer(
        layer=layer,
        width=greatest_of(widths, key=lambda one: one[1])[0],
        widths=widths,
        gap=usual,
        least=None if usual is None else float(gaps.min()),
        share=share,
        length_p=float(steps_p.sum()),
        length_n=float(steps_n.sum()),
        alone_p=float(steps_p[~(gaps_p <= limit) | ~np.isfinite(gaps_p)].sum()),
        alone_n=float(steps_n[~(gaps_n <= limit) | ~np.isfinite(gaps_n)].sum()),
    )


def _widths(tracks: Sequence[Track]) -> tuple[tuple[float, float], ...]:
    found: dict[float, float] = {}
    for one in tracks:
        found[one.width] = found.get(one.width, 0.0) + one.length
    return tuple(ordered(found.items(), key=lambda one: one[0]))


def _gaps(own: Sequence[Track], partner: Sequence[Track]) -> tuple[Floats, Floats]:
    """Gap at places along a leg, infinite without a partner, and the length that each stands for. [m]"""
    if not own:
        return np.empty(0), np.empty(0)
    places, half, steps = samples(own)
    found = np.full(len(steps), np.inf)
    for width in {one.width for one in partner}:
        lines = lines_of([one for one in partner if one.width == width])
        found = np.minimum(found, least_distance(places, lines) - width / 2)
    return found - half, steps


def samples(tracks: Sequence[Track]) -> tuple[Floats, Floats, Floats]:
    """Places in the middle of equal steps along every track, half of its width, and the length of the step."""
    length = np.array([one.length for one in tracks])
    count = np.maximum(1, np.rint(length / STEP).astype(int))
    half = np.array([one.width / 2 for one in tracks])
    return middle_places(lines_of(tracks), count), np.repeat(half, count), np.repeat(length / count, count)


def usual_gap(gaps: Floats, steps: Floats) -> tuple[float | None, float]:
    """The middle of the gaps in the 5 um that hold the greatest length, and the part of the length that they hold."""
    near = gaps <= FAR
    if not near.any():
        return None, 0.0
    cell = np.rint(np.maximum(gaps[near], -FAR) / CELL).astype(int)
    first = cell.min()
    lengths = np.convolve(np.bincount(cell - first, steps[near]), np.ones(CELLS))
    last = first + first_greatest(lengths)
    inside = (cell > last - CELLS) & (cell <= last)
    return float(np.median(gaps[near][inside])), float(steps[near][inside].sum() / steps.sum())
