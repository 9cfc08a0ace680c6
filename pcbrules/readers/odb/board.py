# SPDX-License-Identifier: MIT
"""An ODB++ product model: files → layout."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import dataclass, replace

from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, Track, Zone
from pcbrules.layout.keyholes import keyholed
from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, is_left_out
from pcbrules.layout.rings import area
from pcbrules.readers.drawn.holes import SortedHoles, sort_holes
from pcbrules.readers.drawn.pads import DrawnTables, Opening, PadFlash
from pcbrules.readers.drawn.placing import Placing, placed
from pcbrules.readers.layout_faults import Told
from pcbrules.readers.layout_remarks import build_up_remarks
from pcbrules.readers.net_pairs import pairs
from pcbrules.readers.odb.archive import archive_files, folder_files
from pcbrules.readers.odb.nets import EdaData, FeatureOwner, eda_data
from pcbrules.readers.odb.parts import OdbPart, components
from pcbrules.readers.odb.records import OdbFeature, attributes, blocks, features, text_file
from pcbrules.readers.odb.symbols import symbol

KINDS: dict[str, LayerKind] = {
    "SIGNAL": "copper", "POWER_GROUND": "copper", "MIXED": "copper", "DIELECTRIC": "dielectric", "SOLDER_MASK": "mask",
    "SILK_SCREEN": "silkscreen", "SOLDER_PASTE": "paste",
}
ROLES = {"SIGNAL": "signal", "POWER_GROUND": "power", "MIXED": "mixed"}
DRILLED = ("DRILL", "ROUT")

PLATING = {"0": "PLATED", "plated": "PLATED", "1": "NONPLATED", "non_plated": "NONPLATED", "2": "VIA", "via": "VIA"}
"""What the attribute ``.drill`` says of a hole."""

SIDES = {"T": "comp_+_top", "B": "comp_+_bot"}


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A layer of the matrix; `first` and `last` are the span of one that holds holes."""

    name: str
    type: str
    first: str
    last: str
    negative: bool
    role: str
    material: str
    backdrill: bool


def parse_odb(data: bytes, file: str) -> Layout:
    """Read the bytes of an archive. Raises InputError."""
    return _ModelReading(archive_files(data, file), file).layout()


def read_odb_folder(path: str | os.PathLike[str], file: str) -> Layout:
    """Read a folder. Raises InputError."""
    return _ModelReading(folder_files(path, file), file).layout()


class _ModelReading:
    """One product model."""

    def __init__(self, files: dict[str, bytes], file: str) -> None:
        self.files, self.file = files, file
        self.told = Told(file, b"")
        self.given = DrawnTables(self.told)
        self.skipped: Counter[str] = self.given.skipped
        self.symbols: dict[tuple[str, float], PadShape | None] = {}
        self.tracks: list[Track] = []
        self.fills: dict[tuple[str, str], list[Fill]] = {}
        self.flashes: list[PadFlash] = []
        self.openings: list[Opening] = []

    def layout(self) -> Layout:
        """What was read. Raises InputError."""
        rows, step = self.matrix()
        base = f"steps/{step}"
        eda = eda_data(text_file(self.files, f"{base}/eda/data", self.file))
        if not eda.nets:
            self.told.remark("the product model has no netlist of its CAD system: nets and pins are unknown", "")
        sides = {side: components(text_file(self.files, f"{base}/layers/{name}/components", self.file))
                 for side, name in SIDES.items()}
        for row in rows:
            copper = KINDS.get(row.type) == "copper"
            if copper or row.type in DRILLED:
                found = features(text_file(self.files, f"{base}/layers/{row.name}/features", self.file))
                scale = text_file(self.files, f"{base}/layers/{row.name}/features", self.file).scale * 1e-3
                for number, one in enumerate(found):
                    owner = eda.owners.get((row.name.lower(), number), FeatureOwner(""))
                    if copper:
                        self.copper(one, row, owner, sides, scale)
                    else:
                        self.hole(one, row, owner, scale)
        sheets = tuple(self.sheet(row, base) for row in rows if row.type in KINDS)
        order = tuple(one.name for one in sheets if one.kind == "copper")
        found_holes = sort_holes(self.flashes, self.openings, order, self.given)
        return self.made(base, sheets, found_holes, sides, eda)

    def made(self, base: str, sheets: tuple[LayoutLayer, ...], holes: SortedHoles, sides: dict[str, list[OdbPart]],
             eda: EdaData) -> Layout:
        """The layout of what was gathered."""
        parts = []
        for side, found in sides.items():
            for number, one in enumerate(found):
                pads = tuple(holes.pads.pop(_key(side, number), ()))
                fields = tuple((name, value) for name, value in one.fields.items() if name.lower() != "value" and value)
                parts.append(LayoutPart(one.reference, one.value, one.part, one.at, one.angle,
                                        "top" if side == "T" else "bottom", pads, not is_left_out(fields), fields))
        zones = tuple(Zone(net, "", "copper", (layer,), (), tuple(fills)) for (net, layer), fills in self.fills.items())
        nets = tuple(sorted({*eda.nets} - {""}))
        info = dict(line.partition("=")[::2] for line in text_file(self.files, "misc/info", self.file).lines)
        version = ".".join(filter(None, (info.get("ODB_VERSION_MAJOR", "").strip(),
                                         info.get("ODB_VERSION_MINOR", "").strip())))
        step = text_file(self.files, f"{base}/attrlist", self.file)
        thickness = self.length(attributes(step).get(".board_thickness", ""), step.scale)
        layout = Layout(self.file, "odb", clip(version, 20), sheets, thickness, self.outline(base), nets, tuple(parts),
                        tuple(self.tracks), tuple(holes.vias), zones, (), pairs(nets), loose=tuple(holes.loose),
                        skipped=tuple(sorted(self.skipped.items())), lost=tuple(sorted(self.given.lost - {""})),
                        unit="mm" if step.scale == 1e-3 else "in")
        for message, said in build_up_remarks(layout, built=any(one.thickness for one in sheets)):
            self.told.remark(message, said)
        if not layout.outline:
            self.told.remark("the step has no profile: the outline of the board is unknown", "")
        return replace(layout, told=self.told.all())

    def matrix(self) -> tuple[list[MatrixRow], str]:
        """Layers of the board from top to bottom, and the step that is read. Raises InputError."""
        rows: list[tuple[float, MatrixRow]] = []
        steps = []
        for name, keys in blocks(text_file(self.files, "matrix/matrix", self.file)):
            if name == "STEP":
                steps.append(keys.get("NAME", ""))
            elif name == "LAYER" and keys.get("CONTEXT") == "BOARD":
                place = keys.get("ROW", "")
                rows.append((float(place) if place.isdecimal() else len(rows), MatrixRow(
                    keys.get("NAME", ""), keys.get("TYPE", ""), keys.get("START_NAME", ""), keys.get("END_NAME", ""),
                    keys.get("POLARITY") == "NEGATIVE", keys.get("DIELECTRIC_TYPE", "").lower(),
                    keys.get("DIELECTRIC_NAME", ""), keys.get("ADD_TYPE") == "BACKDRILL")))
        rows.sort(key=lambda one: one[0])
        layers = [row for _, row in rows]
        if not any(KINDS.get(row.type) == "copper" for row in layers):
            raise InputError([Problem(f"{self.file}/matrix/matrix", 0, 0, "", "the matrix has no copper layer",
                                      expected="TYPE=SIGNAL")])
        whole = [one for one in steps if f"steps/{one.lower()}/eda/data" in self.files] or steps
        if not whole:
            raise InputError([Problem(f"{self.file}/matrix/matrix", 0, 0, "", "the matrix has no step")])
        if len(whole) > 1:
            self.told.remark("the product model has several steps with a netlist: the first is read",
                             quoted(clip(", ".join(whole), 80)))
        return layers, whole[0]

    def sheet(self, row: MatrixRow, base: str) -> LayoutLayer:
        """A sheet of the build-up, by the attributes of its layer."""
        text = text_file(self.files, f"{base}/layers/{row.name}/attrlist", self.file)
        found = attributes(text)
        kind = KINDS[row.type]
        if kind == "copper":
            weight = found.get(".copper_weight", "")
            thickness = None
            if weight and text.scale != 1e-3:
                self.told.odd(0, "a copper weight in ounces gives no thickness", quoted(clip(weight, 20)))
            else:
                thickness = self.length(weight, 1e-6)
            return LayoutLayer(row.name, kind, "", ROLES.get(row.type, ""), thickness or None)
        thickness = self.length(found.get(".layer_dielectric", ""), text.scale)
        if kind not in ("dielectric", "mask"):
            return LayoutLayer(row.name, kind)  # exporters give every layer a nominal thickness
        material = row.material or (found.get(".comment", "") if found.get(".layer_dielectric") else "")
        return LayoutLayer(row.name, kind, "", row.role, thickness, material,
                           self.value(found.get(".dielectric_constant", ""), 1000),
                           self.value(found.get(".loss_tangent", ""), 10))

    def value(self, text: str, most: float) -> float | None:
        """A number of an attribute; None where there is none, with a remark where it is no number."""
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if 0 <= value <= most:
            return value
        self.told.odd(0, "an attribute of a layer is no number: it is left out", quoted(clip(text, 20)))
        return None

    def length(self, text: str, scale: float) -> float | None:
        """A length of an attribute. [m]"""
        value = self.value(text, 1e5)
        return None if value is None else value * scale

    def outline(self, base: str) -> tuple[tuple[Point, ...], ...]:
        """The profile of the step, the largest contour first."""
        found = [ring for one in features(text_file(self.files, f"{base}/profile", self.file)) for outer, holes in
                 one.areas for ring in (outer, *holes)]
        return tuple(sorted(found, key=lambda one: -abs(area(one))))

    def shape(self, name: str, scale: float) -> PadShape | None:
        """A symbol in its own axes: a standard one, or the surfaces of one of the model. [m]"""
        size = {"I": 25.4e-6, "M": 1e-6}.get(name[-1:], scale)
        key = name.rstrip("IM").strip(), size
        if key not in self.symbols:
            made = symbol(key[0], size)
            path = f"symbols/{key[0].lower()}/features"
            if made is None and path in self.files:
                drawn = features(text_file(self.files, path, self.file))
                rings = tuple(keyholed(outer, tuple(holes))[0] for one in drawn if not one.negative
                              for outer, holes in one.areas)
                made = PadShape((0.0, 0.0), 0.0, 0.0, rings=rings) if rings else None
            self.symbols[key] = made
        return self.symbols[key]

    def copper(self, one: OdbFeature, row: MatrixRow, owner: FeatureOwner, sides: dict[str, list[OdbPart]],
               scale: float) -> None:
        """A feature of a copper layer."""
        if one.negative or row.negative:
            self.skipped["negative features of copper"] += 1
            self.given.lost.add(owner.net)
        elif one.kind == "S":
            for outer, holes in one.areas:
                ring, lost = keyholed(outer, tuple(holes))
                if lost:
                    self.told.odd(0, "holes lie outside their island: they are left out", quoted(row.name))
                self.fills.setdefault((owner.net, row.name), []).append(Fill(row.name, ring))
        elif one.kind in ("L", "A"):
            shape = self.shape(one.symbol, scale)
            if shape is None or not shape.width or shape.width != shape.height:
                self.skipped[f"{one.kind} drawn with {clip(one.symbol, 20) or 'nothing'}"] += 1
                self.given.lost.add(owner.net)
                return
            mid = one.points[1] if len(one.points) == 3 else None
            self.tracks.append(Track(owner.net, row.name, shape.width, one.points[0], one.points[-1], mid))
        elif one.kind == "P":
            shape = self.shape(one.symbol, scale)
            if shape is None:
                self.skipped[f"P of symbol {clip(one.symbol, 40) or 'nothing'}"] += 1
                self.given.lost.add(owner.net)
                return
            if not self.given.affords(shape):
                raise InputError([Problem(self.file, 0, 0, "", "pads of free shapes have too many corners")])
            part, pin = self.pin(owner, sides)
            self.flashes.append(PadFlash(
                row.name, one.points[0], placed(shape, Placing(one.points[0], -one.degrees, one.mirrored)), owner.net,
                "", part, pin))
        else:
            self.skipped[f"{one.kind} on copper"] += 1
            self.given.lost.add(owner.net)

    def pin(self, owner: FeatureOwner, sides: dict[str, list[OdbPart]]) -> tuple[str, str]:
        """Part and pin that own a feature; empty for none."""
        found = sides.get(owner.side, [])
        if not owner.side or owner.part >= len(found) or owner.pin >= len(found[owner.part].pins):
            return "", ""
        return _key(owner.side, owner.part), found[owner.part].pins[owner.pin] or str(owner.pin + 1)

    def hole(self, one: OdbFeature, row: MatrixRow, owner: FeatureOwner, scale: float) -> None:
        """A hole or a slot of a drill layer."""
        shape = self.shape(one.symbol, scale) if one.kind in ("P", "L") else None
        if shape is None or not shape.width:
            self.skipped[f"{one.kind} of a drill layer"] += 1
            return
        sides, angle = (shape.width, shape.height), -math.radians(one.degrees)
        at = one.points[0]
        if one.kind == "L":
            (x, y), (u, v) = one.points[0], one.points[-1]
            at = (x + u) / 2, (y + v) / 2
            sides, angle = (math.dist((x, y), (u, v)) + shape.width, shape.width), math.atan2(v - y, u - x)
        plating = "NONPLATED" if row.backdrill else PLATING.get(one.attributes.get(".drill", ""), "")
        self.openings.append(Opening(at, sides, plating, owner.net, "", row.first, row.last, (), 0,
                                     angle))


def _key(side: str, number: int) -> str:
    """What a part is called while its pads are gathered: references may stand twice."""
    return f"{side}{number}"
