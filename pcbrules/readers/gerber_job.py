# SPDX-License-Identifier: MIT
"""A Gerber job file (.gbrjob): bytes → layout that has its build-up alone. Lengths of the format are in millimetres."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pcbrules.errors import InputError, Problem, Problems, clip, quoted, show_path
from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.readers.layout_remarks import build_up_remarks

MM = 1e-3

MOST = 10_000
"""Sheets of a build-up."""

KINDS: dict[str, LayerKind] = {"Copper": "copper", "Dielectric": "dielectric", "SolderMask": "mask",
                               "Legend": "silkscreen", "SolderPaste": "paste"}

KNOWN = {"Header", "GeneralSpecs", "DesignRules", "FilesAttributes", "MaterialStackup"}
"""Parts of a job file; of those, the files and the design rules are not needed."""

KNOWN_IN_SHEET = {"Type", "Name", "Thickness", "Material", "DielectricConstant", "LossTangent", "Notes", "Color",
                  "Comment"}


def is_gerber_job(data: bytes) -> bool:
    """True for JSON with the header of a job file."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") and b'"GenerationSoftware"' in start


def parse_gerber_job(data: bytes, file: str) -> Layout:
    """Read `data`, the bytes of `file`. Raises InputError with every fault."""
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError([Problem(file, error.lineno, error.colno, "", "the job file is no JSON", clip(error.msg),
                                  fix="export it again")]) from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError([Problem(file, 0, 0, "", "the job file cannot be read", clip(str(error)))]) from None
    return _JobReading(tree if isinstance(tree, dict) else {}, file).layout()


class _JobReading:
    """One job file."""

    def __init__(self, tree: dict[str, Any], file: str) -> None:
        self.tree, self.file = tree, file
        self.problems = Problems(file)
        self.skipped: Counter[str] = Counter()

    def layout(self) -> Layout:
        """What was read. Raises InputError."""
        specs = self.part(self.tree, "GeneralSpecs")
        software = self.part(self.part(self.tree, "Header"), "GenerationSoftware")
        declared = self.number(specs, ("GeneralSpecs",), "BoardThickness", most=50)
        count = self.number(specs, ("GeneralSpecs",), "LayerNumber", most=MOST)
        sheets = tuple(self.sheets())
        copper = sum(one.kind == "copper" for one in sheets)
        if copper and count is not None and copper != count:
            self.remark("the build-up has another number of copper layers than the job", f"{copper} for {count:g}")
        built = bool(copper)
        if not built and count:
            sheets = tuple(LayoutLayer(f"L{place}", "copper") for place in range(1, round(count) + 1))
        if not sheets:
            self.fault(("GeneralSpecs", "LayerNumber"), "the job has neither a build-up nor a number of layers")
        self.problems.check()
        self.skipped.update(f"{clip(name, 40)} of the job" for name in self.tree if name not in KNOWN)
        version = " ".join(str(software[key]) for key in ("Application", "Version") if key in software)
        thickness = None if declared is None else declared * MM
        made = Layout(self.file, "gbrjob", clip(version, 60), sheets, thickness, (), (), (), (), (), (), (), (),
                      skipped=tuple(sorted(self.skipped.items())))
        self.remark("a job file has the build-up alone: outline, nets, tracks and parts stand in the layout", "")
        for message, found in build_up_remarks(made, built=built):
            self.remark(message, found)
        return replace(made, told=self.problems.all())

    def sheets(self) -> Iterator[LayoutLayer]:
        """Sheets from top to bottom; those without a name are numbered."""
        rows = self.tree.get("MaterialStackup", [])
        if not isinstance(rows, list) or len(rows) > MOST:
            self.fault(("MaterialStackup",), "the build-up is no list of sheets")
            return
        nameless, counted = 0, Counter[str]()
        for place, row in enumerate(rows):
            path = ("MaterialStackup", place)
            if not isinstance(row, dict):
                self.fault(path, "a sheet of the build-up is no object")
                continue
            kind = KINDS.get(str(row.get("Type")), "other")
            counted[kind] += 1
            name = row.get("Name")
            if not isinstance(name, str) or not name:
                nameless += 1
                name = f"{kind} {counted[kind]}"
            thickness = self.number(row, path, "Thickness", most=50)
            self.skipped.update(f"{clip(key, 40)} of a sheet" for key in row if key not in KNOWN_IN_SHEET)
            if kind == "copper":
                yield LayoutLayer(name, kind, thickness=thickness * MM if thickness else None)
                continue
            yield LayoutLayer(name, kind, "", "", None if thickness is None else thickness * MM,
                              str(row.get("Material", "")), self.number(row, path, "DielectricConstant", most=1000),
                              self.number(row, path, "LossTangent", most=10))
        if nameless:
            self.remark("sheets of the build-up have no name: they are numbered", str(nameless))

    def number(self, row: dict[str, Any], path: tuple[str | int, ...], key: str, *, most: float) -> float | None:
        """A number, which some writers put in quotes; None where it is absent, a fault where it is none."""
        given = row.get(key)
        if given is None:
            return None
        try:
            value = float(given) if isinstance(given, int | float | str) and not isinstance(given, bool) else math.nan
        except (ValueError, OverflowError):
            value = math.nan
        if not 0 <= value <= most:
            self.fault((*path, key), f"{key} is no number from 0 to {most:g}", quoted(clip(str(given), 40)))
            return None
        return value

    def part(self, tree: dict[str, Any], key: str) -> dict[str, Any]:
        """An object of the tree; empty where there is none."""
        found = tree.get(key)
        return found if isinstance(found, dict) else {}

    def fault(self, path: tuple[str | int, ...], message: str, found: str = "") -> None:
        """Keep a fault."""
        self.problems.add(Problem(self.file, 0, 0, show_path(path), message, found, fix="export the job again"))

    def remark(self, message: str, found: str) -> None:
        """Keep a remark."""
        self.problems.add(Problem(self.file, 0, 0, "", message, found, level="warning"))
