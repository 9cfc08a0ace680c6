# SPDX-License-Identifier: MIT
"""What stands in attributes: texts, numbers, lengths, points. Every wrong one is a Fault at its element."""

from __future__ import annotations

from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.readers.ipc2581.elements import XmlElement
from pcbrules.readers.layout_faults import Fault

UNITS = {"MILLIMETER": 1e-3, "MICRON": 1e-6, "INCH": 0.0254}
"""Metres of each unit of the standard."""

LARGEST = 10.0
"""Coordinates and lengths beyond are no board. [m]"""


def unit(element: XmlElement) -> float:
    """Metres of the unit that an element states. Raises Fault for another one."""
    given = element.attrs.get("units", "")
    if given not in UNITS:
        raise Fault(element.offset, f"the unit of <{element.tag}> is not known", found=quoted(given),
                    expected=", ".join(UNITS))
    return UNITS[given]


def text(element: XmlElement, name: str) -> str:
    """An attribute. Raises Fault where it is absent."""
    given = element.attrs.get(name)
    if given is None:
        raise Fault(element.offset, f"<{element.tag}> has no {name}", expected=f'{name}="…"')
    return given


def number(element: XmlElement, name: str, *, least: float, most: float) -> float:
    """An attribute as a number. Raises Fault for anything else, and outside the range."""
    given = text(element, name)
    try:
        value = float(given)
    except ValueError:
        raise Fault(element.offset, f"{name} of <{element.tag}> is no number", found=quoted(clip(given, 40)),
                    expected="a number") from None
    if not least <= value <= most:
        raise Fault(element.offset, f"{name} of <{element.tag}> is out of range", found=clip(given, 40),
                    expected=f"{least:g} to {most:g}")
    return value


def metres(element: XmlElement, name: str, scale: float, *, least: float = 0.0) -> float:
    """An attribute as a length, not negative. [m]"""
    return number(element, name, least=least / scale, most=LARGEST / scale) * scale


def metres_of(element: XmlElement, name: str, scale: float) -> float | None:
    """An attribute as a length; None where it is absent. [m]"""
    return metres(element, name, scale) if name in element.attrs else None


def point(element: XmlElement, scale: float, x: str = "x", y: str = "y") -> Point:
    """Two attributes as a point. [m]"""
    return metres(element, x, scale, least=-LARGEST), metres(element, y, scale, least=-LARGEST)
