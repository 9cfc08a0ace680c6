# SPDX-License-Identifier: MIT
"""A returned table: the layers of the stackup, or the controlled impedances, by the columns that it has."""

from __future__ import annotations

import re

from pcbrules.document.textfile import decode
from pcbrules.errors import Problem, Problems, quoted
from pcbrules.readers.returned.cells import FREQUENCIES, LENGTHS, ReturnedCell, ReturnedTable, column_name
from pcbrules.readers.returned.records import ReturnedFile, ReturnedLine, ReturnedSheet, SheetKind

KINDS: dict[str, SheetKind] = {
    **dict.fromkeys(("copper", "signal", "plane", "ground", "power", "mixed", "conductor"), "copper"),
    **dict.fromkeys(("dielectric", "core", "prepreg", "pp", "bondply", "laminate"), "dielectric"),
    **dict.fromkeys(("mask", "soldermask", "solder_mask"), "mask"),
}
"""Words of the column ``kind``."""

BESIDE = frozenset({"silkscreen", "legend", "paste", "solder_paste", "finish", "surface_finish"})
"""Kinds of layers that are no part of the stackup."""


def read_table(data: bytes, file: str) -> ReturnedFile:
    """Read a table. Raises InputError with every fault."""
    problems = Problems(file)
    text = decode(data, problems)
    problems.check()
    table = ReturnedTable(text, problems)
    sheets: tuple[ReturnedSheet, ...] = ()
    lines: tuple[ReturnedLine, ...] = ()
    if "layer" in table.head and any(name.startswith("width") for name in table.head):
        lines = _lines(table)
    elif "kind" in table.head and any(name.startswith("thickness") for name in table.head):
        sheets = _sheets(table)
    else:
        problems.add(Problem(file, 1, 1, "", "this is no stackup and no table of impedances",
                             quoted(", ".join(table.head[:8])),
                             "columns kind and thickness_um, or layer and width_um (or _mm, _mil)"))
    problems.check()
    if not sheets and not lines:
        problems.add(Problem(file, 1, 1, "", "the table has no lines below its header"))
    problems.check()
    return ReturnedFile(file, sheets, lines)


def _sheets(table: ReturnedTable) -> tuple[ReturnedSheet, ...]:
    found = []
    for row in table.records():
        cell = row.get("kind", next(iter(row.values())))
        word = column_name(cell.text)
        if word in BESIDE:
            continue
        if word not in KINDS:
            table.fault(cell, "the kind of the layer is not known", found=quoted(cell.text), expected=", ".join(KINDS))
            continue
        thickness = table.number(row, "thickness", LENGTHS)
        if thickness is None:
            table.fault(cell, "the layer has no thickness", expected="a number in thickness_um, _mm, _mil or _in")
            continue
        found.append(ReturnedSheet(
            table.text(row, "name", "layer"), KINDS[word], thickness, (cell.line, cell.column),
            table.text(row, "material"), table.number(row, "dk"), table.number(row, "df"),
            table.number(row, "at", FREQUENCIES), table.number(row, "base_weight", ("oz",)), table.text(row, "foil"),
            table.number(row, "rz_upper", LENGTHS), table.number(row, "rz_lower", LENGTHS),
            tuple(re.findall(r"[^\s+/,]+", table.text(row, "glass")))))
    return tuple(found)


def _lines(table: ReturnedTable) -> tuple[ReturnedLine, ...]:
    found = []
    for row in table.records():
        first: ReturnedCell = next(iter(row.values()))
        layer = table.text(row, "layer")
        if not layer:
            table.fault(first, "the impedance has no layer", expected="a name in the column layer")
            continue
        found.append(ReturnedLine(
            table.text(row, "id"), layer, (first.line, first.column), table.number(row, "target", ("ohm",)),
            table.number(row, "width", LENGTHS), table.number(row, "top_width", LENGTHS),
            table.number(row, "gap", LENGTHS), table.number(row, "side_ground", LENGTHS)))
    return tuple(found)
