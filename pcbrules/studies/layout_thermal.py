# SPDX-License-Identifier: MIT
"""Arrays of vias in the large pads of chips, as the thermal vias of a board file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pcbrules.extraction.thermal_vias import PadVias, thermal_vias
from pcbrules.layout.layout import Layout
from pcbrules.studies.layout_values import board_name, mm, word

HEATED = re.compile(r"(U|IC|VR|PS|Q|D|MODULE)\d+[A-Z]?", re.IGNORECASE | re.ASCII)
"""References of parts whose heat goes through vias in their pads: not those of connectors, shields and holes."""


def via_arrays(layout: Layout) -> dict[str, PadVias]:
    """Arrays through the whole board under parts that may be hot, by a name of the board file."""
    if len(layout.copper) < 2:
        return {}
    through = (layout.copper[0].name, layout.copper[-1].name)
    found: dict[str, PadVias] = {}
    for one in thermal_vias(layout):
        if one.layers == through and HEATED.fullmatch(one.part) and one.pitch > one.drill:
            name, number = board_name(f"{one.part}_{one.pin}".rstrip("_")), 1
            while name in found:
                number += 1
                name = f"{board_name(one.part)}_{one.pin}_{number}"
            found[name] = one
    return found


def thermal_lines(arrays: Mapping[str, PadVias], plating: str) -> Iterator[str]:
    """The section `thermal`, with this copper in the holes; nothing without arrays."""
    if arrays:
        yield from ("", "thermal:", "  via_arrays:")
    for name, one in arrays.items():
        x, y = (place * 1e3 for place in one.at)
        keys = (f"under: {word(one.part)}, pitch: {mm(one.pitch)}, drill: {mm(one.drill)}, plating: {plating}, "
                f"count: {one.count}")
        yield f"    {word(name)}: {{{keys}}}  # at ({x:.4f}, {y:.4f}) mm; plating is assumed, holes hold air"
