# SPDX-License-Identifier: MIT
"""What the keys of `via_types` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "ViaType": {
        "span": "first and last copper layer of the barrel",
        "kind": "what kind of hole",
        "drill": "drill, not the finished hole",
        "finished": "finished hole",
        "plating": "thickness of the copper in the hole",
        "pad": "diameter of the pads; not declared, from the least ring of the class to one of 0.2 mm",
        "pitch": "between the two holes of a pair, axis to axis",
        "fill": "what is in the hole",
    },
    "Antipad": {
        "shape": "round for each hole, or one oval for the pair; may be left out",
        "width": "diameter, or the narrow side of an oval",
        "length": "long side of an oval",
    },
    "Backdrill": {
        "side": "from which the drill comes",
        "residual": "barrel left beyond the layer in use, nominal",
        "depth": "below the outer surface, instead of `residual`",
        "tolerance": "of the depth, both ways",
        "datum": "what the depth is counted from; without it both are judged",
        "diameter": "of the backdrill",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Backdrill": {"depth": "1.8 mm"},
}
