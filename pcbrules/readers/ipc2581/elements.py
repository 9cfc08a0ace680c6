# SPDX-License-Identifier: MIT
"""XML: bytes → one object after another, so that a large file never stands in memory as a tree.

Elements that only hold others (a step, the features of a layer) are entered and left; the objects in them are handed
out whole. The points of contours, nine tenths of a file with planes, stay plain tuples. A document type or an entity is
refused where it begins. No step is recursive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from pcbrules.errors import clip, quoted
from pcbrules.readers.layout_faults import Fault, Told

ROOT = "IPC-2581"

DEPTH_LIMIT = 60
"""Elements inside each other; files have about fifteen."""

ELEMENT_LIMIT = 2_000_000
"""Elements inside one object: a net's tracks on one layer are one object in some files."""

NAME_LIMIT = 2000
"""Names of elements; the standard has some five hundred."""

Step = tuple[float, float] | tuple[float, float, float, float, bool]
"""End of a straight step of a contour; of a curve its end, its centre, True where it runs clockwise. [file's unit]"""


@dataclass(slots=True)
class XmlElement:
    """An element: its offset in the file, its name without prefix, its attributes and what is in it.

    `lines` holds the steps of each contour that begins in it.
    """

    offset: int
    tag: str
    attrs: dict[str, str]
    children: list[XmlElement] = field(default_factory=list)
    lines: list[list[Step]] = field(default_factory=list)

    def child(self, *tags: str) -> XmlElement | None:
        """The first element of one of those names in it."""
        return next((one for one in self.children if one.tag in tags), None)

    def all(self, *tags: str) -> Iterator[XmlElement]:
        """Every element of those names in it."""
        return (one for one in self.children if one.tag in tags)


class Taker(Protocol):
    """Whoever reads a file."""

    def enter(self, element: XmlElement) -> bool:
        """Begin an element that holds objects; False leaves out all that is in it."""

    def leave(self, tag: str) -> None:
        """End it."""

    def take(self, parent: str, element: XmlElement) -> None:
        """Read an object of an entered element; raises Fault."""

    def miss(self, parent: str, element: XmlElement) -> None:
        """Meet an object that is none of those that are read."""


HOLDERS: dict[str, tuple[str, ...]] = {
    ROOT: ("",), "Content": (ROOT,), "DictionaryLineDesc": ("Content",), "DictionaryStandard": ("Content",),
    "DictionaryUser": ("Content",), "Bom": (ROOT,), "Ecad": (ROOT,), "CadHeader": ("Ecad",), "CadData": ("Ecad",),
    "Step": ("CadData",), "LayerFeature": ("Step",), "Set": ("LayerFeature", "Set"),
}
"""Elements that are entered, and those in which they may stand; one writer puts sets into sets."""

OBJECTS: dict[str, frozenset[str]] = {
    "Content": frozenset({"StepRef"}),
    "DictionaryLineDesc": frozenset({"EntryLineDesc"}),
    "DictionaryStandard": frozenset({"EntryStandard"}),
    "DictionaryUser": frozenset({"EntryUser"}),
    "Bom": frozenset({"BomItem"}),
    "CadHeader": frozenset({"Spec"}),
    "CadData": frozenset({"Layer", "Stackup", "Package"}),
    "Step": frozenset({"PadStack", "PadStackDef", "Profile", "Package", "Component", "LogicalNet", "StepRepeat"}),
    "Set": frozenset({"Pad", "Hole", "SlotCavity", "Features"}),
}
"""Objects that are read, by the element in which they stand."""


def read_elements(data: bytes, taker: Taker, told: Told) -> None:
    """Hand out every object of a file; what is wrong with one is kept, and the next is read.

    Raises Fault where the file is no such XML: not well-formed, another root, a document type.
    """
    parser = expat.ParserCreate(intern=None)
    reading = _Stack(parser, taker, told)
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.StartDoctypeDeclHandler = reading.doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        offset = max(0, parser.ErrorByteIndex)
        reason = expat.ErrorString(error.code) or "an error"
        raise Fault(offset, f"this is no well-formed XML{reading.inside()}", found=clip(reason),
                    fix="the file is cut off or was edited: take it from its source again") from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know or cannot use here
        raise Fault(0, "the encoding of the XML is not known", found=clip(str(error)), expected="UTF-8") from None


class _Stack:
    """Elements that are open: those that are entered, then those of the object that is read."""

    def __init__(self, parser: expat.XMLParserType, taker: Taker, told: Told) -> None:
        self.parser, self.taker, self.told = parser, taker, told
        self.path: list[str] = []
        self.open: list[XmlElement] = []
        self.skipping = 0
        self.count = 0
        self.broken = False
        self.names: dict[str, str] = {}

    def inside(self) -> str:
        """Where the reading stands, for a message."""
        if self.open:
            return f", inside <{clip(self.open[0].tag, 40)}>"
        return f", inside <{self.path[-1]}>" if self.path else ""

    def doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        """Refuse a document type."""
        raise Fault(self.parser.CurrentByteIndex, "a document type is not accepted: it could define entities",
                    found=f"<!DOCTYPE {clip(name, 40)}", fix="delete it")

    def start(self, raw: str, attrs: dict[str, str]) -> None:
        """Begin an element."""
        tag = self.names.get(raw)
        if tag is None:
            tag = raw.rpartition(":")[2]
            self.names[raw] = tag
            if len(self.names) > NAME_LIMIT:
                raise Fault(self.parser.CurrentByteIndex, "the file has too many kinds of elements",
                            expected=f"at most {NAME_LIMIT}")
        if self.skipping:
            self.skipping += 1
            self.check_depth()
        elif self.open:
            if tag in STEPS:
                self.step(tag, attrs)
                return
            made = XmlElement(self.parser.CurrentByteIndex, tag, attrs)
            self.open[-1].children.append(made)
            self.open.append(made)
            self.count += 1
            self.check_depth()
            if self.count > ELEMENT_LIMIT:
                raise Fault(self.open[0].offset, f"<{self.open[0].tag}> is too large",
                            expected=f"at most {ELEMENT_LIMIT} elements")
        else:
            self.begin(tag, XmlElement(self.parser.CurrentByteIndex, tag, attrs))

    def begin(self, tag: str, element: XmlElement) -> None:
        """Begin an element that stands in no object."""
        parent = self.path[-1] if self.path else ""
        if not parent and tag != ROOT:
            raise Fault(element.offset, "this is no IPC-2581 file", found=quoted(f"<{clip(tag, 40)}>"),
                        expected=f"<{ROOT}>")
        if parent in HOLDERS.get(tag, ()):
            self.check_depth()
            try:
                entered = self.taker.enter(element)
            except Fault as fault:
                self.told.fault(fault)
                entered = False
            if entered:
                self.path.append(tag)
            else:
                self.skipping = 1
        elif tag in OBJECTS.get(parent, ()):
            self.open.append(element)
            self.count = 1
        else:
            self.taker.miss(parent, element)
            self.skipping = 1

    def step(self, tag: str, attrs: dict[str, str]) -> None:
        """Take a point of a contour."""
        lines = self.open[-1].lines
        try:
            x, y = float(attrs["x"]), float(attrs["y"])
            if not (-FAR < x < FAR and -FAR < y < FAR):
                raise ValueError(clip(f"{x:g}, {y:g}"))
            if tag == "PolyBegin":
                lines.append([(x, y)])
            elif not lines:
                raise ValueError(f"<{tag}> before <PolyBegin>")
            elif tag == "PolyStepSegment":
                lines[-1].append((x, y))
            else:
                u, v = float(attrs["centerX"]), float(attrs["centerY"])
                if not (-FAR < u < FAR and -FAR < v < FAR):
                    raise ValueError(clip(f"{u:g}, {v:g}"))
                lines[-1].append((x, y, u, v, is_true(attrs.get("clockwise", ""))))
        except (KeyError, ValueError) as error:
            self.told.fault(Fault(self.parser.CurrentByteIndex, "a point of a contour cannot be read",
                                  found=clip(str(error)), expected="x and y, of a curve centerX and centerY as well"))
            self.broken = True

    def end(self, raw: str) -> None:
        """End an element; one that completes an object hands it out."""
        if self.skipping:
            self.skipping -= 1
        elif self.open:
            if self.names.get(raw, raw) in STEPS:
                return
            element = self.open.pop()
            if not self.open and self.broken:
                self.broken = False
            elif not self.open:
                try:
                    self.taker.take(self.path[-1], element)
                except Fault as fault:
                    self.told.fault(fault)
        else:
            self.taker.leave(self.path.pop())

    def check_depth(self) -> None:
        """Raise Fault where elements are nested too deeply."""
        if len(self.path) + len(self.open) + self.skipping > DEPTH_LIMIT:
            raise Fault(self.parser.CurrentByteIndex, "elements are nested too deeply",
                        expected=f"at most {DEPTH_LIMIT} levels")


STEPS = frozenset({"PolyBegin", "PolyStepSegment", "PolyStepCurve"})

FAR = 1e10
"""Coordinates beyond are no numbers of a board in any unit."""


def is_true(text: str) -> bool:
    """What the attribute says: ``true`` or ``1``, in any case."""
    return text.lower() in ("true", "1")
