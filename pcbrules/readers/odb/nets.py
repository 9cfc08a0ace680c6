# SPDX-License-Identifier: MIT
"""What belongs to which net and pin: the netlist of the CAD system, by features of layers."""

from __future__ import annotations

from dataclasses import dataclass, field

from pcbrules.errors import clip, quoted
from pcbrules.readers.odb.records import TextFile

NONE = ("$NONE$", "$none$")
"""Names of no net."""


@dataclass(frozen=True, slots=True)
class FeatureOwner:
    """Net of a feature; side, component and toeprint of one that is a pin's, else empty and 0."""

    net: str
    side: str = ""
    part: int = 0
    pin: int = 0


@dataclass
class EdaData:
    """Owners of features by layer and number, and all nets."""

    owners: dict[tuple[str, int], FeatureOwner] = field(default_factory=dict)
    nets: list[str] = field(default_factory=list)


def eda_data(text: TextFile) -> EdaData:
    """Read ``eda/data``. Raises InputError."""
    made = EdaData()
    layers: list[str] = []
    net, owner = "", FeatureOwner("")
    for place, line in enumerate(text.lines):
        words = line.partition(";")[0].split()
        if not words:
            continue
        head = words[0]
        if head == "FID" and len(words) > 3:
            layer, number = _numbers(text, place, words[2:4])
            if layer >= len(layers):
                raise text.fault(place, "a net names a layer that the file does not list", quoted(clip(line, 40)))
            if words[1] in ("C", "H"):
                made.owners.setdefault((layers[layer], number), owner)
        elif head == "SNT":
            owner = FeatureOwner(net)
            if words[1:2] == ["TOP"] and len(words) > 4:
                part, pin = _numbers(text, place, words[3:5])
                owner = FeatureOwner(net, words[2], part, pin)
        elif head == "NET" and len(words) > 1:
            net = "" if words[1] in NONE else words[1]
            made.nets.append(net)
        elif head == "LYR":
            layers = [one.lower() for one in words[1:]]
        elif head == "PKG":
            break
    return made


def _numbers(text: TextFile, place: int, words: list[str]) -> tuple[int, int]:
    try:
        first, second = (int(one) for one in words)
    except ValueError:
        first = second = -1
    if first < 0 or second < 0:
        raise text.fault(place, "a reference is no number", quoted(clip(" ".join(words), 40)))
    return first, second
