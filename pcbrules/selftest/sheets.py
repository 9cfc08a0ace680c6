# SPDX-License-Identifier: MIT
"""Reads the sheets of golden entries: outlines with fillets and slots, contacts on edges and discs. Lengths in mm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pcbrules.physics.power.sheet import Disc, Sheet, solve_sheet
from pcbrules.physics.power.sheet_panels import Side
from pcbrules.selftest.values import Unreadable, number, numbers, positive, text
from pcbrules.ties import ordered

NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = rf"{NUMBER}\s*\.\.\s*{NUMBER}"
_CLOSE = 1e-9
_FILLET = re.compile(rf"fillet_radius_at_{NUMBER}_{NUMBER}_mm")


@dataclass
class Drawing:
    """A sheet as it is read: outline, cut-outs, discs, and the contacts in order of their numbers."""

    outline: list[Side]
    holes: list[list[Side]] = field(default_factory=list)
    discs: list[Disc] = field(default_factory=list)
    contacts: int = 0

    def solved(self) -> Sheet:
        """The sheet of one ohm per square; lengths stay in mm."""
        try:
            return solve_sheet(loops=[self.outline, *self.holes], discs=self.discs, contacts=self.contacts)
        except ValueError as error:
            raise Unreadable(str(error)) from None

    def disc(self, x: float, y: float, diameter: float) -> int:
        """Add a round contact; its number."""
        self.discs.append(Disc(complex(x, y), diameter, self.contacts))
        self.contacts += 1
        return self.contacts - 1

    def edge(self, start: complex, end: complex) -> int:
        """Make a part of a straight side of the outline a contact; its number."""
        for at, side in enumerate(self.outline):
            if side.centre is not None:
                continue
            along = (side.end - side.start) / side.length
            places = ordered(((point - side.start) / along for point in (start, end)), key=lambda p: p.real)
            if all(abs(p.imag) < _CLOSE and -_CLOSE < p.real < side.length + _CLOSE for p in places):
                low, high = (float(np.clip(p.real, 0, side.length)) for p in places)
                marks = [side.start, side.start + along * low, side.start + along * high, side.end]
                owners = (side.contact, self.contacts, side.contact)
                self.outline[at : at + 1] = [
                    Side(one, two, contact=owner)
                    for one, two, owner in zip(marks, marks[1:], owners, strict=False) if abs(two - one) > _CLOSE
                ]
                self.contacts += 1
                return self.contacts - 1
        raise Unreadable(f"no side of the outline runs from {start:g} to {end:g}")

    def edge_of(self, axis: str, value: float, span: tuple[float, float] | None = None) -> int:
        """The contact on the edge where a coordinate has a value; over its whole length without a span."""
        points = [(side.start, side.end) for side in self.outline if side.centre is None]
        if axis == "y":
            points = [(complex(a.imag, a.real), complex(b.imag, b.real)) for a, b in points]
        on = [p.imag for a, b in points if max(abs(a.real - value), abs(b.real - value)) < _CLOSE for p in (a, b)]
        if not on:
            raise Unreadable(f"no side of the outline is at {axis}={value:g}")
        low, high = span or (min(on), max(on))
        ends = complex(value, low), complex(value, high)
        return self.edge(*((complex(p.imag, p.real) for p in ends) if axis == "y" else ends))

    def square(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """Add a rectangular contact inside the sheet; its number."""
        corners = [complex(x0, y0), complex(x0, y1), complex(x1, y1), complex(x1, y0)]
        self.holes.append([Side(a, b, contact=self.contacts) for a, b in _round(corners)])
        self.contacts += 1
        return self.contacts - 1


def _round(corners: list[complex]) -> list[tuple[complex, complex]]:
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def rectangle(words: Any) -> Drawing:
    """A rectangular sheet from ``x 0..100, y 0..60`` or [x0, y0, x1, y1]."""
    if isinstance(words, str):
        spans = [re.search(rf"\b{axis}\s*{_RANGE}", words) for axis in "xy"]
        if None in spans:
            raise Unreadable(f"a plane is '{words[:60]}', expected x 0..1, y 0..1")
        (x0, x1), (y0, y1) = ((float(one[1]), float(one[2])) for one in spans if one)
    else:
        x0, y0, x1, y1 = numbers({"plane_mm": words}, "plane_mm", (4,)).tolist()
    if not (x0 < x1 and y0 < y1):
        raise Unreadable("a plane is empty")
    corners = [complex(x0, y0), complex(x1, y0), complex(x1, y1), complex(x0, y1)]
    return Drawing([Side(a, b) for a, b in _round(corners)])


def drawing(inputs: Mapping[str, Any]) -> Drawing:
    """The sheet of an entry: plane or outline, fillets, slots that are open to an edge."""
    if "outline_mm" in inputs:
        corners = [complex(x, y) for x, y in numbers(inputs, "outline_mm", (-1, 2)).tolist()]
        if sum((a.conjugate() * b).imag for a, b in _round(corners)) < 0:
            corners.reverse()
        found = Drawing([Side(a, b) for a, b in _round(corners)])
    elif "L_mm" in inputs:
        found = rectangle([0, 0, positive(inputs, "L_mm"), positive(inputs, "W_mm")])
    else:
        found = rectangle(inputs.get("plane_mm"))
    for key in inputs:
        if match := _FILLET.fullmatch(key):
            _fillet(found, complex(float(match[1]), float(match[2])), positive(inputs, key))
        elif key.startswith("slot"):
            several = isinstance(inputs[key], list) and all(isinstance(one, dict | list) for one in inputs[key])
            for slot in inputs[key] if several else [inputs[key]]:
                _slot(found, slot)
    return found


def _fillet(sheet: Drawing, corner: complex, radius: float) -> None:
    """Replace a corner by an arc that touches both of its sides."""
    for at, side in enumerate(sheet.outline):
        if abs(side.end - corner) < _CLOSE:
            after = sheet.outline[(at + 1) % len(sheet.outline)]
            into, out = (one.end - one.start for one in (side, after))
            into, out = into / abs(into), out / abs(out)
            turn = float(np.angle(out / into))
            cut = radius * abs(np.tan(turn / 2))
            if cut >= min(side.length, after.length) or cut == 0:
                raise Unreadable(f"a fillet of {radius:g} mm does not fit at {corner:g}")
            first, last = corner - cut * into, corner + cut * out
            centre = first + radius * into * 1j * np.sign(turn)
            sheet.outline[at] = Side(side.start, first)
            sheet.outline[(at + 1) % len(sheet.outline)] = Side(last, after.end)
            sheet.outline.insert(at + 1, Side(first, last, complex(centre)))
            return
    raise Unreadable(f"no corner of the outline is at {corner:g}")


def _slot(sheet: Drawing, slot: Any) -> None:
    """Cut a slot with a round end into the side that it is open to, or a rectangle x0, y0, x1, y1 that is closed."""
    if isinstance(slot, list) and len(slot) == 4:
        x0, y0, x1, y1 = numbers({"slot": slot}, "slot", (4,)).tolist()
        if not (x0 < x1 and y0 < y1):
            raise Unreadable("a slot is empty, expected x0 < x1 and y0 < y1")
        corners = [complex(x0, y0), complex(x0, y1), complex(x1, y1), complex(x1, y0)]
        sheet.holes.append([Side(a, b) for a, b in _round(corners)])
        return
    if not isinstance(slot, dict) or set(slot) != {"width_mm", "end_circle_centre_mm", "open_through"}:
        raise Unreadable("a slot, expected width_mm, end_circle_centre_mm, open_through")
    half = positive(slot, "width_mm") / 2
    end = complex(*numbers(slot, "end_circle_centre_mm", (2,)).tolist())
    match = re.search(rf"\b([xy])\s*=\s*{NUMBER}", text(slot, "open_through"))
    if not match:
        raise Unreadable("open_through, expected an edge such as y=80")
    value = float(match[2])
    mouth = complex(value, end.imag) if match[1] == "x" else complex(end.real, value)
    for at, side in enumerate(sheet.outline):
        along = (side.end - side.start) / side.length
        place = (mouth - side.start) / along
        if side.centre is None and abs(place.imag) < _CLOSE and half < place.real < side.length - half:
            inwards = (end - mouth) / abs(end - mouth)
            tip = end + inwards * half
            near, far = mouth - half * along, mouth + half * along
            left, right = end - half * along, end + half * along
            sheet.outline[at : at + 1] = [
                Side(side.start, near), Side(near, left), Side(left, tip, end), Side(tip, right, end),
                Side(right, far), Side(far, side.end),
            ]
            return
    raise Unreadable("a slot is open to no side")


def contact(sheet: Drawing, words: Any) -> int:
    """Add the contact that a text, a mapping or a list describes; its number."""
    if isinstance(words, dict):
        return sheet.disc(number(words, "x_mm"), number(words, "y_mm"), positive(words, "d_mm"))
    if isinstance(words, list) and words and words[0] == "edge":
        x0, y0, x1, y1 = numbers({"edge": words[1:]}, "edge", (4,)).tolist()
        return sheet.edge(complex(x0, y0), complex(x1, y1))
    if isinstance(words, list) and words and words[0] == "round":
        x, y, d = numbers({"round": words[1:]}, "round", (3,)).tolist()
        return sheet.disc(x, y, d)
    if isinstance(words, list):
        return sheet.square(*numbers({"contact": words}, "contact", (4,)).tolist())
    words = str(words)
    if match := re.search(rf"\bd\s*=\s*{NUMBER}\s*mm at\s*\(\s*{NUMBER}\s*,\s*{NUMBER}\s*\)", words):
        return sheet.disc(float(match[2]), float(match[3]), float(match[1]))
    if match := re.search(rf"\b([xy])\s*=\s*{NUMBER}", words):
        span = re.search(rf"\b{'y' if match[1] == 'x' else 'x'}\s*{_RANGE}", words)
        return sheet.edge_of(match[1], float(match[2]), (float(span[1]), float(span[2])) if span else None)
    raise Unreadable(f"a contact is '{words[:60]}'")


def known(inputs: Mapping[str, Any], *patterns: str) -> None:
    """Refuse an entry with inputs that nothing here reads."""
    for key in inputs:
        if not any(re.fullmatch(pattern, key) for pattern in patterns):
            raise Unreadable(f"the input {key[:60]} is none that is known here")
