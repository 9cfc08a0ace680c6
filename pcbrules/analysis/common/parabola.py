# SPDX-License-Identifier: MIT
"""The top of a curve between its points, by the parabola through three of them."""

from __future__ import annotations

from pcbrules.arrays import Real


def vertex(curve: Real, at: int) -> float:
    """Where the parabola through an extreme point and its neighbours has its vertex, in points from it."""
    if not 0 < at < len(curve) - 1:
        return 0.0
    before, here, after = (float(value) for value in curve[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.0 if bend == 0 else min(max((before - after) / (2 * bend), -0.5), 0.5)


def between(curve: Real, at: int, shift: float) -> float:
    """The same parabola of a curve, ``shift`` points from a point of it."""
    if shift == 0:
        return float(curve[at])
    before, here, after = (float(value) for value in curve[at - 1 : at + 2])
    return here + shift * (after - before) / 2 + shift**2 * (before - 2 * here + after) / 2


def top(curve: Real, at: int) -> float:
    """Height of a curve's top, whose highest point is ``at``, the top at an end of the curve too."""
    middle = min(max(at, 1), len(curve) - 2)
    before, here, after = (float(value) for value in curve[middle - 1 : middle + 2])
    bend = before - 2 * here + after
    shift = min(max((before - after) / (2 * bend), -1.0), 1.0) if bend < 0 else float(at - middle)
    return max(between(curve, middle, shift), float(curve[at]))
