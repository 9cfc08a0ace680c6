# SPDX-License-Identifier: MIT
"""Planes of supplies and arrays of vias under parts, for readers and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.extraction.power_figures import PowerFigures
from pcbrules.phrases import clip

NM = 6
"""Decimals of a length in millimetres that are printed for programs."""

MOST = 12
"""Rows of each kind that are printed."""


def power_rows(found: PowerFigures) -> Iterator[str]:
    """One line an array or a pair of planes, the first of each. [mm]"""
    for array in found.arrays[:MOST]:
        x, y = (place * 1e3 for place in array.at)
        yield (f"{clip(array.part)}.{clip(array.pin)} ({clip(array.net)}): {array.count} vias of "
               f"{array.drill * 1e3:.4g} in its pad at ({x:.4f}, {y:.4f}), pitch {array.pitch * 1e3:.4g}")
    yield from _more(len(found.arrays), "arrays of vias")
    for pair in found.planes[:MOST]:
        height = "an unknown distance" if pair.height is None else f"{pair.height * 1e3:.4f}"
        yield (f"{clip(pair.net)} on {clip(pair.layer)} faces {clip(pair.ground)} on {clip(pair.ground_layer)} at "
               f"{height} over {pair.area * 1e6:.1f} mm^2")
    yield from _more(len(found.planes), "pairs of planes")


def _more(count: int, what: str) -> Iterator[str]:
    if count > MOST:
        yield f"and {count - MOST} more {what}"


def power_tree(found: PowerFigures) -> dict[str, Any]:
    """The same for programs, all of them."""
    return {
        "thermal_vias": [{
            "part": one.part, "pin": one.pin, "net": one.net, "at_mm": _point(one.at), "count": one.count,
            "drill_mm": _mm(one.drill), "pitch_mm": _mm(one.pitch), "layers": list(one.layers),
        } for one in found.arrays],
        "plane_pairs": [{
            "net": one.net, "layer": one.layer, "ground": one.ground, "ground_layer": one.ground_layer,
            "height_mm": None if one.height is None else _mm(one.height), "area_mm2": round(one.area * 1e6, 4),
            "box_mm": [*_point(one.low), *_point(one.high)],
        } for one in found.planes],
    }


def _point(at: tuple[float, float]) -> list[float]:
    return [_mm(place) for place in at]


def _mm(metres: float) -> float:
    return round(metres * 1e3, NM) + 0.0
