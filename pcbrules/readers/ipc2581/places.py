# SPDX-License-Identifier: MIT
"""Where an object stands in the drawing: its location, and how it is turned and mirrored."""

from __future__ import annotations

from pcbrules.readers.drawn.placing import AS_IS, Placing
from pcbrules.readers.ipc2581.elements import XmlElement, is_true
from pcbrules.readers.ipc2581.values import number, point
from pcbrules.readers.layout_faults import Fault


def placing(element: XmlElement, scale: float) -> Placing:
    """What <Location> and <Xform> in an element say. Raises Fault."""
    location, xform = element.child("Location"), element.child("Xform")
    at = point(location, scale) if location else (0.0, 0.0)
    if xform is None:
        return Placing(at) if location else AS_IS
    attrs = xform.attrs
    size = number(xform, "scale", least=0, most=1e6) if "scale" in attrs else 1.0
    if not size:
        raise Fault(xform.offset, "the scale of <Xform> is zero", found="0", expected="a positive number")
    offset = (point(xform, scale, "xOffset", "yOffset") if "xOffset" in attrs and "yOffset" in attrs else (0.0, 0.0))
    return Placing(at, number(xform, "rotation", least=-3600, most=3600) if "rotation" in attrs else 0.0,
                   is_true(attrs.get("mirror", "")), offset, size)
