# SPDX-License-Identifier: MIT
"""A KiCad board: bytes → layout; every fault with its line."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pcbrules.document.textfile import read_bytes
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import DesignRule, Layout, NetClass
from pcbrules.layout.parts import LayoutPart
from pcbrules.readers.foreign import EXPORT, refusal
from pcbrules.readers.kicad.copper import Tables, track, via, zone
from pcbrules.readers.kicad.layers import LayerTable, read_layers, read_stackup
from pcbrules.readers.kicad.nets import NetTable
from pcbrules.readers.kicad.parts import WRITTEN, edge, footprint, lose, skip_on_copper
from pcbrules.readers.kicad.project import classes_of, old_class
from pcbrules.readers.kicad.remarks import remarks
from pcbrules.readers.kicad.rules import rules_of
from pcbrules.readers.kicad.shapes import DRAWN, chained
from pcbrules.readers.kicad.tokens import Node, objects
from pcbrules.readers.kicad.values import child, length_of, origins_of, word
from pcbrules.readers.layout_faults import SIZE_LIMIT, Fault, Told
from pcbrules.readers.net_pairs import pairs

BESIDE_LIMIT = 16_000_000
"""Bytes of a project or of custom rules."""

PROJECT, RULES = ".kicad_pro", ".kicad_dru"
"""Endings of the files beside a board."""

NO_COPPER = {
    "generator", "generator_version", "host", "paper", "page", "title_block", "property", "group", "generated",
    "embedded_fonts", "embedded_files", "variants", "target", "point",
}
"""Objects that hold no copper of their own; the tracks of a tuning pattern stand beside it."""

AFTER_LAYERS = {"setup", "footprint", "module", "segment", "arc", "via", "zone"}


def read_kicad(path: str | os.PathLike[str], name: str | None = None) -> Layout:
    """Read a board and the project and custom rules beside it. Raises InputError with every fault.

    Parameters
    ----------
    path : path
    name : str, optional
        What messages call the file.
    """
    file = name or os.fspath(path)
    return parse_kicad(read_bytes(path, file, SIZE_LIMIT), file, beside=read_beside(path, file))


def read_beside(path: str | os.PathLike[str], file: str) -> dict[str, bytes]:
    """The project and the custom rules beside a board, by their endings. Raises InputError."""
    beside = {}
    for ending in (PROJECT, RULES):
        place = Path(path).with_suffix(ending)
        if place.is_file() and place != Path(path):
            beside[ending] = read_bytes(place, str(Path(file).with_suffix(ending)), BESIDE_LIMIT)
    return beside


def parse_kicad(data: bytes, file: str, *, beside: Mapping[str, bytes] | None = None) -> Layout:
    """Read `data`, the bytes of `file`, and those of the files beside it, by their endings.

    Raises InputError with every fault.
    """
    text = _text(data, file)
    with _uncollected():
        return _Reading(text, file).run(beside or {})


def _text(data: bytes, file: str) -> str:
    refused = refusal(data, file)
    if refused is not None:
        raise InputError([refused])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8-sig", "replace"), -1)
        problem = Problem(file, line, column, "", "the file is not UTF-8", f"byte 0x{data[error.start]:02X}", "UTF-8",
                          "save the board in KiCad again")
        raise InputError([problem]) from None
    if "\0" in text:
        line, column = _place(text, text.index("\0"))
        raise InputError([Problem(file, line, column, "", "a NUL byte: this is no text", "0x00", "text", EXPORT)])
    return text


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of garbage, which finds nothing in a tree and takes a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, from 1; -1 is the end."""
    before = text if offset < 0 else text[:offset]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


class _Reading:
    """One pass over the objects of a board."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.told = Told(file, text)
        self.version = 0
        self.declared: float | None = None
        self.stack: tuple[LayoutLayer, ...] = ()
        self.tables = Tables(LayerTable(), NetTable(0), Counter(), self.told.odd)
        self.tracks: list[Track] = []
        self.vias: list[LayoutVia] = []
        self.zones: list[Zone] = []
        self.parts: list[LayoutPart] = []
        self.edges: list[tuple[Point, ...]] = []
        self.origins: tuple[tuple[str, Point], ...] = ()
        self.classes: list[NetClass] = []
        self.rules: tuple[DesignRule, ...] = ()

    def run(self, beside: Mapping[str, bytes]) -> Layout:
        """Read all objects, and what stands beside the board. Raises InputError."""
        try:
            for node in objects(self.text, "kicad_pcb"):
                try:
                    self.take(node)
                except Fault as fault:
                    self.told.fault(fault)
        except Fault as fault:
            self.told.fault(fault)
        else:
            if not self.version and not self.told.problems.wrong:
                self.told.fault(Fault(0, "the board has no (version", expected="(version 20241229)"))
            if not self.tables.layers.names and not self.told.problems.wrong:
                self.told.fault(Fault(0, "the board has no layer table", expected="(layers"))
        self.told.check()
        told: tuple[Problem, ...] = ()
        if PROJECT in beside:
            classes, told = classes_of(beside[PROJECT], str(Path(self.file).with_suffix(PROJECT)))
            self.classes = list(classes) or self.classes
        if RULES in beside:
            self.rules, more = rules_of(beside[RULES], str(Path(self.file).with_suffix(RULES)))
            told += more
        for problem in told:
            self.told.problems.add(problem)
        return self.layout()

    def take(self, node: Node) -> None:
        """Read one object of the board."""
        head, tables = node[1], self.tables
        if head in AFTER_LAYERS and not tables.layers.names:
            raise Fault(node[0], f"({head} stands before the layer table", expected="(layers first")
        if head == "segment" or head == "arc":
            self.tracks.append(track(node, tables))
        elif head == "via":
            self.vias.append(via(node, tables))
        elif head == "footprint" or head == "module":
            found = footprint(node, tables)
            self.parts.append(found.part)
            self.zones += found.zones
            self.edges += found.edges
        elif head == "zone":
            self.zones.append(zone(node, tables))
        elif head == "net":
            tables.nets.declare(node)
        elif head.startswith("gr_") and head[3:] in DRAWN:
            self.edges += edge(node, tables)
        elif head.removeprefix("gr_") in WRITTEN:
            skip_on_copper(node, tables)
        elif head not in NO_COPPER:
            self.take_head(node)

    def take_head(self, node: Node) -> None:
        """Read an object that stands once."""
        head = node[1]
        if head == "version":
            given = word(node)
            if not given.isdecimal() or len(given) > 8:
                raise Fault(node[0], "the version of the format is no number", found=quoted(given),
                            expected="(version 20241229)")
            self.version = self.tables.nets.version = int(given)
        elif head == "general":
            self.declared = length_of(node, "thickness")
        elif head == "layers":
            self.tables.layers = read_layers(node, self.version)
        elif head == "setup":
            self.origins = tuple(origins_of(node))
            stackup = child(node, "stackup")
            if stackup is not None:
                self.stack = read_stackup(stackup, self.tables.layers)
                self.check_stack(stackup[0])
        elif head == "net_class":
            self.classes.append(old_class(node))
        else:
            self.tables.skipped[clip(head, 40)] += 1
            lose(node, self.tables)

    def check_stack(self, offset: int) -> None:
        """A build-up with other copper than the layer table is told and not used."""
        drawn = tuple(one.name for one in self.stack if one.kind == "copper")
        if drawn != self.tables.layers.names:
            self.told.odd(offset, "the build-up has other copper layers than the layer table: it is not used",
                      f"{', '.join(drawn) or 'none'} for {', '.join(self.tables.layers.names)}")
            self.stack = ()

    def layout(self) -> Layout:
        """What was read."""
        rings, loose = chained(self.edges)
        nets = self.tables.nets.names()
        layout = Layout(
            self.file, "kicad", str(self.version), self.stack or self.tables.layers.rows(), self.declared, rings, nets,
            tuple(self.parts), tuple(self.tracks), tuple(self.vias), tuple(self.zones), tuple(self.classes),
            pairs(nets), self.rules, tuple(sorted(self.tables.skipped.items())),
            tuple(sorted(self.tables.lost - {""})), y_down=True, origins=self.origins,
        )
        for message, found in remarks(layout, loose, built=bool(self.stack)):
            self.told.remark(message, found)
        for name, offset in self.tables.layers.absent.items():
            self.told.odd(offset, "an object names a copper layer that the board does not have: it is left out there",
                          name)
        return replace(layout, told=self.told.all())
