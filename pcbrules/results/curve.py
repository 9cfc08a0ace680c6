# SPDX-License-Identifier: MIT
"""What a curve over frequency is at its largest inside a band, and whether it differs there from another one.

A curve is judged at its points, never between them: ``with_points`` adds the ends of a band, computed like the others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from math import log10
from operator import itemgetter

from pcbrules.ties import greatest_of

NOTHING = 0.5
"""Curves whose maxima differ by less than this [dB] are the same to an engineer; practice."""

SMALL_CHANGE = f"changes the largest |Z| by less than {NOTHING:g} dB"
"""What is said of such a change."""

Rows = tuple[tuple[float, ...], ...]
Exact = Callable[[Sequence[float]], Rows]
"""The curves at any rising frequencies [Hz]: one row a curve."""


def with_points(
    frequencies: Sequence[float], rows: Rows, exact: Exact, places: Sequence[float]
) -> tuple[tuple[float, ...], Rows]:
    """Return curves that have certain frequencies as points, each computed and not interpolated.

    Parameters
    ----------
    frequencies : sequence of float
        Rising. [Hz]
    rows : tuple of tuple of float
        The curves there, one row a curve.
    exact : function
        Gives the same rows at any frequencies between the first and the last.
    places : sequence of float
        Frequencies to add [Hz]; those that are points already, or lie outside, add nothing.

    Returns
    -------
    (tuple of float, tuple of tuple of float)
        Rising frequencies [Hz], and the rows there.
    """
    new = sorted({place for place in places if frequencies[0] < place < frequencies[-1]}.difference(frequencies))
    if not new:
        return tuple(frequencies), rows
    order = sorted(range(len(frequencies) + len(new)), key=(*frequencies, *new).__getitem__)
    merged = itemgetter(*order)
    return merged((*frequencies, *new)), tuple(
        merged((*row, *added)) for row, added in zip(rows, exact(new), strict=True))


def largest(frequencies: Sequence[float], values: Sequence[float], low: float, high: float) -> tuple[float, float]:
    """Where a curve of positive values is largest between two frequencies, and how large.

    Parameters
    ----------
    frequencies, values : sequence of float, same length
        Rising frequencies [Hz], and the curve there; every peak of the curve is a point.
    low, high : float
        Ends of the band [Hz], both among the frequencies.

    Returns
    -------
    (float, float)
        Frequency [Hz] and value.

    Raises
    ------
    ValueError
        An end of the band is no point of the curve: what it has there is not known.
    """
    first, last = (_place(frequencies, edge) for edge in (low, high))
    place = greatest_of(range(first, last + 1), key=values.__getitem__)
    return frequencies[place], values[place]


def _place(frequencies: Sequence[float], place: float) -> int:
    at = bisect_left(frequencies, place)
    if at == len(frequencies) or frequencies[at] != place:
        raise ValueError(f"the curve has no point at {place:g} Hz")
    return at


def change_of_largest(
    frequencies: Sequence[float], values: Sequence[float], other: Sequence[float], low: float, high: float
) -> float:
    """How far the maximum of ``other`` between two frequencies [Hz] is above that of ``values``; below it < 0 [dB]."""
    whole = largest(frequencies, values, low, high)[1]
    return 20 * log10(largest(frequencies, other, low, high)[1] / whole)


def changes_nothing(change: float) -> bool:
    """True if a change of the maximum [dB] is less than ``NOTHING``, up or down."""
    return abs(change) < NOTHING
