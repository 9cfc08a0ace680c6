# SPDX-License-Identifier: MIT
"""What a curve over frequency is at its largest inside a band, and whether it differs there from another one."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log10

from pcbrules.ties import greatest_of

NOTHING = 0.5
"""Curves whose maxima differ by less than this [dB] are the same to an engineer; practice."""


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
    return greatest_of(points, key=lambda point: point[1])


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


def changes_nothing(
    frequencies: Sequence[float], values: Sequence[float], other: Sequence[float], low: float, high: float
) -> bool:
    """True if the maximum of ``other`` between two frequencies [Hz] is not ``NOTHING`` above that of ``values``."""
    whole = largest(frequencies, values, low, high)[1]
    return 20 * log10(largest(frequencies, other, low, high)[1] / whole) < NOTHING
