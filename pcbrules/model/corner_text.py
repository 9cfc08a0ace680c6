# SPDX-License-Identifier: MIT
"""Corners of a polygon as one text: `0 0, 12.5 0, 12.5 4 mm`. A layout has thousands of them."""

from __future__ import annotations

from pcbrules.units import UnitError, parse_value

MOST = 4000
"""Corners of a polygon."""
LARGEST = 10.0
"""A place on a board is nearer to its origin. [m]"""
EXPECTED = "at least 3 corners as `x y, x y, x y mm`"


def corners_of(text: str) -> tuple[tuple[float, float], ...]:
    """Corners in order [m]; a `UnitError` says what is wrong.

    >>> corners_of("0 0, 12.5 0, 12.5 4 mm")
    ((0.0, 0.0), (0.0125, 0.0), (0.0125, 0.004))
    """
    body, _, unit = text.strip().rpartition(" ")
    scale = parse_value(f"1 {unit}", "length").value
    pairs = [one.split() for one in body.split(",")]
    if {len(one) for one in pairs} != {2} or len(pairs) < 3:
        raise UnitError("these are no corners on a board", text[:60], EXPECTED, "")
    try:
        corners = tuple((float(x) * scale, float(y) * scale) for x, y in pairs)
    except ValueError:
        raise UnitError("a corner is no pair of numbers", text[:60], EXPECTED, "") from None
    if not all(abs(x) < LARGEST and abs(y) < LARGEST for x, y in corners):
        raise UnitError("these are no corners on a board", text[:60], EXPECTED, "")
    if len(pairs) > MOST:
        raise UnitError("the polygon has too many corners", f"{len(pairs)}", f"at most {MOST}", "")
    return corners
