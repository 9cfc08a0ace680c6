# SPDX-License-Identifier: MIT
"""Components of a side with the names of their pins."""

from __future__ import annotations

from dataclasses import dataclass, field

from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.readers.odb.records import TextFile


@dataclass
class OdbPart:
    """A component; `pins` are the names of its toeprints. [m], [deg] clockwise as the file states it."""

    reference: str
    part: str
    at: Point
    angle: float
    pins: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def value(self) -> str:
        """The property of that name, in any case."""
        return next((one for name, one in self.fields.items() if name.lower() == "value"), "")


def components(text: TextFile) -> list[OdbPart]:
    """Every component of a file, in the order by which nets refer to them. Raises InputError."""
    scale = text.scale
    found: list[OdbPart] = []
    for place, line in enumerate(text.lines):
        head = line[:4]
        if head == "CMP ":
            words = line.partition(";")[0].split()
            if len(words) < 8:
                raise text.fault(place, "a component lacks words", quoted(clip(line, 40)))
            x, y = text.numbers(place, words[2:4], scale)
            try:
                angle = float(words[4]) % 360
            except ValueError:
                raise text.fault(place, "a component has no angle", quoted(clip(words[4], 20))) from None
            found.append(OdbPart(words[6], words[7], (x, y), angle))
        elif head == "TOP " and found:
            words = line.partition(";")[0].split()
            found[-1].pins.append(words[8] if len(words) > 8 else words[1] if len(words) > 1 else "")
        elif head == "PRP " and found:
            name, _, value = line[4:].strip().partition(" ")
            found[-1].fields.setdefault(name, value.strip().strip("'"))
    return found
