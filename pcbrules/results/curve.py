# SPDX-License-Identifier: MIT
"""The largest value of a curve inside a band."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log


def largest(frequencies: Sequence[float], values: Sequence[float], low: float, high: float) -> tuple[float, float]:
    """Where a curve of positive values is largest between two frequencies, and how large.

    Parameters
    ----------
    frequencies, values : sequence of float, same length
        Rising frequencies [Hz], and the curve there; every peak of the curve is a point.
    low, high : float
        Ends of the band [Hz], inside the frequencies; the curve is interpolated there, straight in log-log.

    Returns
    -------
    (float, float)
        Frequency [Hz] and value.
    """
    points = [(f, z) for f, z in zip(frequencies, values, strict=True) if low <= f <= high]
    points += [(edge, at(frequencies, values, edge)) for edge in (low, high)]
    return max(points, key=lambda point: point[1])


def at(frequencies: Sequence[float], values: Sequence[float], place: float) -> float:
    """The curve at one frequency [Hz], straight in log-log between its points, held beyond its ends."""
    if place <= frequencies[0]:
        return values[0]
    for i in range(1, len(frequencies)):
        a, b = frequencies[i - 1], frequencies[i]
        if place <= b:
            share = log(place / a) / log(b / a)
            return exp(log(values[i - 1]) + share * log(values[i] / values[i - 1]))
    return values[-1]
