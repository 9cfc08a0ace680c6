# SPDX-License-Identifier: MIT
"""Padstacks: the shape of a pad on each layer, and its hole."""

from __future__ import annotations

from pcbrules.readers.drawn.pads import PadStack
from pcbrules.readers.drawn.placing import placed
from pcbrules.readers.ipc2581.elements import XmlElement
from pcbrules.readers.ipc2581.places import placing
from pcbrules.readers.ipc2581.shapes import Shapes
from pcbrules.readers.ipc2581.values import metres, text


def padstack(element: XmlElement, shapes: Shapes, scale: float) -> PadStack:
    """A <PadStackDef>; thermal reliefs and antipads are the concern of planes, which the file draws. Raises Fault."""
    made = PadStack(text(element, "name"))
    hole = element.child("PadstackHoleDef")
    if hole is not None:
        made.hole = metres(hole, "diameter", scale)
        made.plating = hole.attrs.get("platingStatus", "")
    for one in element.all("PadstackPadDef"):
        if one.attrs.get("padUse", "REGULAR") == "REGULAR":
            shape = shapes.within(one, scale)
            if shape is not None:
                made.shapes.setdefault(text(one, "layerRef"), placed(shape, placing(one, scale)))
    return made
