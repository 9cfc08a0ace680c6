# SPDX-License-Identifier: MIT
"""Standard symbols by their names: ``r500``, ``rect600x300xr50``, ``oval900x400``. Sizes are in micrometres or mils."""

from __future__ import annotations

import math
import re

from pcbrules.layout.keyholes import keyholed
from pcbrules.layout.parts import PadShape
from pcbrules.readers.drawn.outlines import outline

NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
PATTERNS = {kind: re.compile(pattern.replace("#", NUMBER)) for kind, pattern in {
    "r": "r#", "s": "s#", "rect": "rect#x#", "rounded": "rect#x#xr#", "chamfered": "rect#x#xc#", "oval": "oval#x#",
    "di": "di#x#", "oct": "oct#x#x#", "donut_r": "donut_r#x#", "donut_s": "donut_s#x#", "el": "el#x#", "tri": "tri#x#",
    "hex_l": "hex_l#x#x#", "hex_s": "hex_s#x#x#",
}.items()}


def symbol(name: str, scale: float) -> PadShape | None:
    """The shape of a standard symbol in its own axes; None for another name. [m]"""
    for kind, pattern in PATTERNS.items():
        found = pattern.fullmatch(name)
        if found:
            return _shape(kind, [float(one) * scale for one in found.groups()])
    return None


def _shape(kind: str, size: list[float]) -> PadShape:
    at = (0.0, 0.0)
    a, b = size[0], size[1] if len(size) > 1 else size[0]
    if kind == "r":
        return PadShape(at, a, a, a / 2)
    if kind in ("s", "rect"):
        return PadShape(at, a, b)
    if kind == "rounded":
        return PadShape(at, a, b, min(size[2], a / 2, b / 2))
    if kind == "oval":
        return PadShape(at, a, b, min(a, b) / 2)
    x, y = a / 2, b / 2
    if kind in ("donut_r", "donut_s"):
        radius = (x, y) if kind == "donut_r" else (0.0, 0.0)
        outer, inner = outline(PadShape(at, a, a, radius[0])), outline(PadShape(at, b, b, radius[1]))
        return PadShape(at, 0.0, 0.0, rings=(keyholed(outer[0], inner)[0],)) if inner else PadShape(at, a, a, radius[0])
    if kind == "el":
        angles = [math.pi * i / 36 for i in range(72)]
        corners = [(x * math.cos(one), y * math.sin(one)) for one in angles]
    elif kind == "di":
        corners = [(x, 0.0), (0.0, y), (-x, 0.0), (0.0, -y)]
    elif kind == "tri":
        corners = [(-x, -y), (x, -y), (0.0, y)]
    elif kind == "hex_l":
        corners = [(x, 0.0), (x - size[2], y), (size[2] - x, y), (-x, 0.0), (size[2] - x, -y), (x - size[2], -y)]
    elif kind == "hex_s":
        corners = [(x, size[2] - y), (x, y - size[2]), (0.0, y), (-x, y - size[2]), (-x, size[2] - y), (0.0, -y)]
    else:  # corners that are cut off, of a rectangle or of an octagon
        c = min(size[2], x, y)
        corners = [(x, c - y), (x, y - c), (x - c, y), (c - x, y), (-x, y - c), (-x, c - y), (c - x, -y), (x - c, -y)]
    return PadShape(at, 0.0, 0.0, rings=(tuple(corners),))
