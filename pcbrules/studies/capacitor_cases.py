# SPDX-License-Identifier: MIT
"""The case of a capacitor by what a layout says of it: the name of its footprint, or a field of its size.

Rule: a code such as `1005Metric` is length and width in tenths of a millimetre. Any other of the codes below is in
hundredths of an inch, as makers of capacitors use them. Two different codes, a code that its pads contradict, and a
name that says polarised, tantalum or electrolytic leave the case open.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pcbrules.layout.parts import LayoutPart
from pcbrules.library.load import capacitor, ids
from pcbrules.units import parse

METRIC = {"0603": "0201", "1005": "0402", "1608": "0603", "2012": "0805", "2013": "0805", "3216": "1206",
          "3225": "1210", "4532": "1812"}
"""Metric codes of cases, and what they are called."""

BODIES = {"0201": (0.6e-3, 0.3e-3), "0402": (1.0e-3, 0.5e-3), "0603": (1.6e-3, 0.8e-3), "0805": (2.0e-3, 1.25e-3),
          "1206": (3.2e-3, 1.6e-3), "1210": (3.2e-3, 2.5e-3), "1812": (4.5e-3, 3.2e-3)}
"""Length and width of ceramic capacitors by case, as the codes say [m]. None is taller than it is wide."""

OTHER = re.compile(r"CP_|CP$|polari[sz]ed|tant|elec|radial|axial|TC\d", re.IGNORECASE)
SIZE = re.compile(r"size|case|package|footprint", re.IGNORECASE)
APART = (0.5, 1.6)
"""Distance of the pads' middles over the length of the body. [-]"""


@dataclass(frozen=True, slots=True)
class CapacitorCase:
    """A case, the text that says so, and length, width and height of its body. [m]"""

    name: str
    told: str
    length: float
    width: float
    height: float


def case_of(part: LayoutPart) -> CapacitorCase | None:
    """The case of a ceramic capacitor with two pads; None where nothing says it, or what says it contradicts."""
    texts = [part.package, *(text for name, text in part.fields if SIZE.search(name))]
    if any(OTHER.search(text) for text in texts):
        return None
    found = {name: text for text in texts if (name := _code(text))}
    if len(found) != 1 or len(part.pads) != 2:
        return None
    ((name, text),) = found.items()
    length, width = BODIES[name]
    apart = math.dist(part.pads[0].at, part.pads[1].at)
    return CapacitorCase(name, text, length, width, width) if APART[0] <= apart / length <= APART[1] else None


def _code(text: str) -> str:
    """The case that a text names; empty where it names none, or two.

    >>> [_code(one) for one in ("C_0402_1005Metric", "CAP0603", "C-1608M", "0805", "C_0402_0603Metric", "10uF")]
    ['0402', '0603', '', '0805', '', '']
    """
    metric = {METRIC[one] for one in re.findall(r"(\d{4})_?Metric", text, re.IGNORECASE) if one in METRIC}
    inch = {one for one in re.findall(r"(?<!\d)(\d{4})(?!\d|_?Metric|M)", text, re.IGNORECASE) if one in BODIES}
    both = metric | inch
    return both.pop() if len(both) == 1 else ""


def library_part(case: str, farad: str) -> str:
    """The one ceramic capacitor of the library with a case and a capacitance; empty where there is none, or two."""
    try:
        size = parse(farad, "capacitance").value
    except ValueError:
        return ""
    found = [name for name in ids("capacitors") if (one := capacitor(name)).body == case and name.startswith("mlcc")
             and one.capacitance.min <= size <= one.capacitance.max]
    return found[0] if len(found) == 1 else ""
