# SPDX-License-Identifier: MIT
"""Text files of a product model: blocks of keys, attributes, features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.layout.arcs import Point, between, flattened

UNITS = {"MM": 1e-3, "INCH": 0.0254}
"""Metres of the unit of coordinates; symbols have a thousandth of it."""

LARGEST = 10.0
"""Coordinates beyond are no board. [m]"""


@dataclass
class TextFile:
    """One file: what messages call it, and its lines."""

    name: str
    lines: list[str]

    def fault(self, line: int, message: str, found: str = "") -> InputError:
        """What is wrong in a line, counted from 0."""
        return InputError([Problem(self.name, line + 1, 1, "", message, found)])

    def numbers(self, line: int, words: list[str], scale: float) -> list[float]:
        """Words as lengths. Raises InputError. [m]"""
        try:
            values = [float(one) * scale for one in words]
        except ValueError:
            values = []
        if len(values) != len(words) or not all(-LARGEST <= one <= LARGEST for one in values):
            raise self.fault(line, "a coordinate is no number of a board", quoted(clip(" ".join(words), 60)))
        return values

    @property
    def scale(self) -> float:
        """Metres of its unit; inches where it states none."""
        for one in self.lines[:50]:
            head, _, unit = one.replace(" ", "").partition("=")
            if head == "UNITS":
                return UNITS.get(unit.upper(), UNITS["INCH"])
            if one.startswith("U "):
                return UNITS.get(one[2:].strip().upper(), UNITS["INCH"])
        return UNITS["INCH"]


def text_file(files: dict[str, bytes], path: str, archive: str) -> TextFile:
    """A file by its path; without lines where it is absent."""
    data = files.get(path.lower(), b"")
    return TextFile(f"{archive}/{path.lower()}", data.decode("utf-8", "replace").splitlines())


def blocks(text: TextFile) -> Iterator[tuple[str, dict[str, str]]]:
    """Name and keys of each ``NAME { KEY=VALUE }``."""
    name, keys = "", dict[str, str]()
    for line in text.lines:
        line = line.strip()
        if line.endswith("{"):
            name, keys = line[:-1].strip(), {}
        elif line == "}":
            if name:
                yield name, keys
            name = ""
        elif name:
            key, _, value = line.partition("=")
            keys[key.strip()] = value.strip()


def attributes(text: TextFile) -> dict[str, str]:
    """Attributes of a layer or a step; the last of a name counts."""
    found = {}
    for line in text.lines:
        key, sign, value = line.partition("=")
        if sign and key.startswith("."):
            found[key.strip()] = value.strip()
    return found


@dataclass(slots=True)
class OdbFeature:
    """A feature of a layer.

    Attributes
    ----------
    kind : str
        ``P`` pad, ``L`` line, ``A`` arc, ``S`` surface, ``T`` text, ``B`` barcode.
    symbol : str
    points : tuple of points
        Place of a pad; start and end, of an arc with a point between in the middle. [m]
    degrees : float
        Of a pad, clockwise.
    mirrored, negative : bool
    areas : list of (ring, holes)
        Of a surface. [m]
    attributes : dict
    """

    kind: str
    symbol: str = ""
    points: tuple[Point, ...] = ()
    degrees: float = 0.0
    mirrored: bool = False
    negative: bool = False
    areas: list[tuple[tuple[Point, ...], list[tuple[Point, ...]]]] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)


WORDS = {"P": 7, "L": 7, "A": 10, "S": 3, "T": 0, "B": 0}
"""Words of each kind at least."""


def features(text: TextFile) -> list[OdbFeature]:
    """Every feature of a file, in the order by which nets refer to them. Raises InputError."""
    scale = text.scale
    symbols: dict[str, str] = {}
    names: dict[str, str] = {}
    found: list[OdbFeature] = []
    contour: list[Point] = []
    island = True
    for place, line in enumerate(text.lines):
        kind, words = line[:1], line.partition(";")[0].split()
        if not words:
            continue
        head = words[0]
        if head in ("OS", "OC", "OB", "OE"):
            if not found or found[-1].kind != "S":
                raise text.fault(place, "a contour outside a surface", quoted(clip(line, 40)))
            if head == "OB":
                contour, island = [_point(text, place, words, scale)], len(words) < 4 or words[3] == "I"
            elif head == "OS":
                contour.append(_point(text, place, words, scale))
            elif head == "OC":
                _curve(text, place, words, scale, contour)
            else:
                _close(contour, island, found[-1])
        elif kind == "$":
            symbols[head[1:]] = words[1] if len(words) > 1 else ""
        elif kind == "@":
            names[head[1:]] = words[1] if len(words) > 1 else ""
        elif head in WORDS:
            if len(words) < WORDS[head]:
                raise text.fault(place, "a feature lacks words", quoted(clip(line, 40)))
            found.append(_feature(text, place, words, scale, symbols))
            if ";" in line:
                found[-1].attributes = _stated(line, names)
    return found


def _feature(text: TextFile, place: int, words: list[str], scale: float, symbols: dict[str, str]) -> OdbFeature:
    head = words[0]
    if head == "P":
        at = _point(text, place, words, scale)
        if words[3] == "-1" and len(words) > 9:
            words = [*words[:3], *words[4:5], *words[6:]]
        angle, mirrored = _orientation(text, place, words[6:])
        return OdbFeature("P", symbols.get(words[3], ""), (at,), angle, mirrored, words[4] == "N")
    if head == "L":
        a, b, c, d = text.numbers(place, words[1:5], scale)
        return OdbFeature("L", symbols.get(words[5], ""), ((a, b), (c, d)), negative=words[6] == "N")
    if head == "A":
        a, b, c, d, u, v = text.numbers(place, words[1:7], scale)
        mid = between((a, b), (c, d), (u, v), clockwise=words[10:11] == ["Y"])
        points = ((a, b), mid, (c, d)) if mid else ((a, b), (c, d))
        return OdbFeature("A", symbols.get(words[7], ""), points, negative=words[8] == "N")
    return OdbFeature(head, negative=words[1:2] == ["N"])


def _orientation(text: TextFile, place: int, words: list[str]) -> tuple[float, bool]:
    """Clockwise angle in degrees and mirror of a pad: one digit, or 8 or 9 and an angle."""
    digit = words[0] if words else "0"
    if digit in ("8", "9"):
        try:
            return float(words[1]) % 360, digit == "9"
        except (IndexError, ValueError):
            raise text.fault(place, "a pad has no angle", quoted(clip(" ".join(words), 20))) from None
    if digit not in "01234567":
        raise text.fault(place, "a pad has an unknown orientation", quoted(clip(digit, 20)))
    return 90.0 * (int(digit) % 4), int(digit) > 3


def _point(text: TextFile, place: int, words: list[str], scale: float) -> Point:
    values = text.numbers(place, words[1:3], scale)
    if len(values) < 2:
        raise text.fault(place, "a point lacks a coordinate", quoted(clip(" ".join(words), 40)))
    return values[0], values[1]


def _curve(text: TextFile, place: int, words: list[str], scale: float, contour: list[Point]) -> None:
    if len(words) < 6 or not contour:
        raise text.fault(place, "a curve lacks words", quoted(clip(" ".join(words), 40)))
    x, y, u, v = text.numbers(place, words[1:5], scale)
    mid = between(contour[-1], (x, y), (u, v), clockwise=words[5] == "Y")
    contour += flattened(contour[-1], mid, (x, y))[1:] if mid else ((x, y),)


def _close(contour: list[Point], island: bool, surface: OdbFeature) -> None:
    """End a contour: an island, or a hole of the last island; one of fewer than three corners has no area."""
    while len(contour) > 1 and contour[-1] == contour[0]:
        contour.pop()
    if len(contour) < 3:
        return
    if island:
        surface.areas.append((tuple(contour), []))
    elif surface.areas:
        surface.areas[-1][1].append(tuple(contour))


def _stated(line: str, names: dict[str, str]) -> dict[str, str]:
    """Attributes of a feature: ``;0=2,1`` names them by number; one without a value is set."""
    found = {}
    for one in line.split(";")[1].split(","):
        key, _, value = one.strip().partition("=")
        if key in names:
            found[names[key]] = value.strip()
    return found
