# SPDX-License-Identifier: MIT
"""The smallest figures of a layout, by the keys of a board file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.smallest import Finest, narrowest, smallest
from pcbrules.layout.layout import Layout
from pcbrules.ties import least_of

LAST = 0.005e-6
"""Half of the last digit of a length in a board file; what is less counts as nothing. [m]"""


def smallest_of(layout: Layout, found: LayoutMeasures) -> Mapping[str, Finest]:
    """Figure by key. Microvias have figures of their own and are left out; a hole in its own void counts from zero.

    Where stored fills contradict what stands in them, the distance of holes to copper is not known.
    """
    own = found.smallest
    if any(via.kind == "micro" for via in layout.vias):
        own = smallest(replace(layout, vias=tuple(via for via in layout.vias if via.kind != "micro")))
    outer = {one.name for one in (layout.copper[:1] + layout.copper[-1:])}
    tracks = [one for one in layout.tracks if one.width > LAST]
    made: dict[str, Finest | None] = {}
    for side in ("outer", "inner"):
        made[f"{side}_width"] = narrowest(layout, [one for one in tracks if (one.layer in outer) == (side == "outer")])
    for side in ("outer", "inner"):
        made[f"{side}_space"] = least_of((one for one in own.spaces if (one.layer in outer) == (side == "outer")),
                                         key=lambda one: one.value, default=None)
    made |= {"drill": own.drill, "ring": own.ring, "hole_to_copper": None if found.conflicts else own.beside_plated}
    return {key: replace(one, value=max(one.value, 0.0)) for key, one in made.items()
            if one is not None and (key != "drill" or one.value > LAST)}


def item_of(key: str, one: Finest) -> str:
    """A figure as an object of the drawing."""
    names = " to ".join(filter(None, dict.fromkeys(one.of)))
    if len(one.of) == 4 or (len(one.of) == 2 and not one.layer):  # a hole and its net, then copper and its net
        names = " to ".join(f"{what} of {net or 'no net'}" for what, net in zip(one.of[::2], one.of[1::2], strict=True))
    return f"smallest {key.replace('_', ' ')}{': ' if names else ''}{names}"

