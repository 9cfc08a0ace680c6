# SPDX-License-Identifier: MIT
"""What the keys of `rails.*.layout` and `rails.*.copper`: where the parts of a rail stand, and its copper mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Area": {"from": "corner of a rectangle", "to": "the opposite corner"},
    "RailLayout": {
        "from": "corner of the planes",
        "to": "the opposite corner",
        "pairs": "facing layers, in order of depth from the package, of each pair the layer nearer to it first",
    },
    "LayoutVias": {"drill": "diameter of the vias", "plating": "copper on the wall of the hole"},
    "BallArea": {
        "from": "corner of the ball field, a ball at it",
        "to": "the opposite corner",
        "drill": "diameter of the vias of the balls, instead of that of `vias`",
    },
    "PartPlaces": {
        "at": "place of every part",
        "side": "face of the board: that of the package, or the opposite one",
    },
    "RailCopper": {"sharing": "whether all sources give equal currents, or have one potential"},
    "CopperSheet": {"layer": "copper layer that carries it"},
    "Region": {
        "from": "corner of a rectangle",
        "to": "corner across from it",
        "corners": "of a polygon, in order, instead of a rectangle",
        "outline": "corners of a polygon as one text: `0 0, 12.5 0, 12.5 4 mm`",
    },
    "Perforation": {
        "from": "corner of a rectangle",
        "to": "corner across from it",
        "corners": "of a polygon, in order, instead of a rectangle",
        "outline": "corners of a polygon as one text: `0 0, 12.5 0, 12.5 4 mm`",
        "pitch": "of the square lattice",
    },
    "CopperSource": {
        "layers": "that it feeds",
        "at": "middle of a round place",
        "diameter": "of the round place",
        "from": "corner of a rectangle, instead of a round place",
        "to": "corner across from it",
    },
    "BarrelGrid": {
        "layers": "that the holes join",
        "first": "middle of the first hole",
        "pitch": "from hole to hole, both ways",
        "columns": "holes along x",
        "rows": "holes along y",
        "drill": "diameter of the drill",
        "plating": "thickness of the copper in the holes",
    },
    "BallField": {
        "layers": "that the balls reach",
        "first": "middle of the first ball",
        "pitch": "from ball to ball, both ways",
        "columns": "balls along x",
        "rows": "balls along y",
        "drill": "diameter of their holes",
        "plating": "thickness of the copper in the holes",
        "surface": "layer on which the package stands",
    },
    "SensePoint": {"layer": "on which it lies", "at": "its place"},
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "BallArea": {"drill": "0.25 mm"},
    "Perforation": {"pitch": "1 mm", "antipad": "0.7 mm", "share": "60 %"},
    "CopperSource": {"diameter": "3 mm", "share": "25 %"},
    "BarrelGrid": {"pitch": "1 mm", "drill": "0.3 mm", "plating": "25 um"},
}
