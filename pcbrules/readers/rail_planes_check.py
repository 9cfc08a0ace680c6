# SPDX-License-Identifier: MIT
"""Can the layers that a rail names carry it?"""

from __future__ import annotations

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.rail import Rail
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper
from pcbrules.readers.names import Names


def check_planes(rail: Rail, stack: Stack | None, at: Path, names: Names) -> None:
    """Keep a problem for every layer that is unknown, for planes on ground, and for a spreading between two grounds.

    A rail whose plane is the ground plane is shorted. A shape that the rail draws on a ground layer is an island in it.
    """
    drawn = {sheet.layer for sheet in rail.copper.sheets} if rail.copper else set()
    for i, layer in enumerate(rail.planes or ()):
        place = (*at, "planes", i)
        if names.layer(layer, place) and layer not in drawn and not names.document.measured(place) and _ground(
                stack, layer):
            names.fault(place, f"the stackup says that {layer} is ground: it carries no rail", found=quoted(layer),
                        expected="a layer with role power or mixed",
                        fix=f"name the layer of the supply, or write `role: mixed` for {layer} if it is split")
    for i, step in enumerate(rail.ladder or ()):
        pair = (step.spreading.between or ()) if step.spreading else ()
        place = (*at, "ladder", i, "spreading", "between")
        known = [names.layer(layer, (*place, k)) for k, layer in enumerate(pair)]
        if pair and all(known) and all(_ground(stack, layer) and layer not in drawn for layer in pair):
            names.fault(place, "the rail has no plane here: both layers are ground", found=" and ".join(pair),
                        expected="a plane of the rail and one of its return")


def _ground(stack: Stack | None, layer: str) -> bool:
    spec = stack.copper(layer).spec if stack is not None else None
    return isinstance(spec, Copper) and spec.role == "ground"
