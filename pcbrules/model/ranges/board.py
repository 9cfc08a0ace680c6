# SPDX-License-Identifier: MIT
"""Ranges of the sections board, fabrication, stackup and via_types."""

from __future__ import annotations

from pcbrules.model.ranges import kinds as of
from pcbrules.model.ranges.band import Band
from pcbrules.model.ranges.kinds import count

FINEST = Band("0.1 um", "10 um", "0.3 m", "1 m", "um")
"""A smallest figure of a board: a coarse board has no fine one."""

RANGES: dict[str, dict[str, Band | tuple[Band, ...]]] = {
    "Outline": {"width": of.SIDE, "height": of.SIDE},
    "BoardThickness": {"value": of.BOARD},
    "ThicknessBounds": {"at_least": of.BOARD, "at_most": of.BOARD},
    "Fabrication": {
        "aspect_ratio": Band("0.2", "2", "30", "40"),
        "min_dielectric": of.DIELECTRIC._replace(high="0.3 mm"),
    },
    "SmallestFigures": {
        "outer_width": FINEST, "inner_width": FINEST, "drill": FINEST,
        "outer_space": FINEST._replace(zero=True), "inner_space": FINEST._replace(zero=True),
        "ring": FINEST._replace(zero=True), "hole_to_copper": FINEST._replace(zero=True),
    },
    "Tolerances": {
        "width": (Band("0.2 um", "1 um", "0.1 mm", "1 mm", "um"), of.HELD),
        "dielectric": of.HELD,
        "copper": of.HELD,
        "dk": of.HELD_DK,
        "df": of.HELD,
        "backdrill": of.SHALLOW,
        "thickness": of.HELD,
        "registration": of.SHALLOW,
    },
    "ImpedanceControl": {"tolerance": Band("0.1 %", "2 %", "20 %", "50 %", "%")},
    "Copper": {
        "thickness": of.COPPER, "base_weight": of.WEIGHT, "fill": of.SHARE, "rz_top": of.ROUGHNESS,
        "rz_bottom": of.ROUGHNESS,
    },
    "Dielectric": {
        "thickness": of.DIELECTRIC, "plies": count(20, 8), "resin": Band("1 %", "20 %", "100 %", "100 %", "%"),
        "resin_height": Band("0.2 um", "2 um", "0.6 mm", "5 mm", "um"), "dk": of.DK,
    },
    "Mask": {"thickness": of.MASK, "over_trace": of.MASK},
    "ViaType": {
        "drill": of.DRILL, "finished": of.DRILL, "plating": of.PLATING, "pad": of.PAD, "pitch": of.PITCH,
    },
    "Antipad": {"width": of.CLEARANCE, "length": of.CLEARANCE},
    "ReturnVias": {"count": count(64, 32, 0), "distance": Band("50 um", "0.1 mm", "15 mm", "0.3 m", "mm")},
    "Backdrill": {
        "residual": of.HEIGHT._replace(least="1 um", low="20 um", high="3 mm", zero=True), "depth": of.HEIGHT,
        "tolerance": of.SHALLOW, "diameter": of.DRILL,
    },
}
