# SPDX-License-Identifier: MIT
"""A table as text: lines of cells, each with its place. The separator is the comma, the semicolon or the tab."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.document.textfile import BREAK
from pcbrules.errors import Problem, Problems, clip, quoted
from pcbrules.ties import greatest_of
from pcbrules.units import NUMBER, to_si

ROWS = 5000
"""Lines of a table: more than any board has layers or impedances."""

ABSENT = frozenset({"", "-", "n/a", "not specified"})
"""Cells that say nothing."""

LENGTHS = ("um", "mm", "mil", "in")
FREQUENCIES = ("ghz", "mhz", "hz")
SPELLED = {"ghz": "GHz", "mhz": "MHz", "hz": "Hz", "oz": "oz", "ohm": "ohm"}


@dataclass(frozen=True, slots=True)
class ReturnedCell:
    """A cell's text, and its line and column from 1."""

    text: str
    line: int
    column: int


class ReturnedTable:
    """A header line and the lines below it; a wrong cell is kept as a problem, and the next one is read."""

    def __init__(self, text: str, problems: Problems) -> None:
        self.problems = problems
        lines = [(number, line) for number, line in enumerate(BREAK.split(text), 1) if line.strip(" ,;\t")]
        first = lines[0][1] if lines else ""
        separator = greatest_of(",;\t", key=first.count)
        self.comma = separator != ","  # a decimal comma may stand in numbers then
        rows = [_split(line, number, separator) for number, line in lines[:ROWS]]
        self.head = [column_name(cell.text) for cell in rows[0]] if rows else []
        self.rows = rows[1:]
        if len(lines) > ROWS:
            self.fault(ReturnedCell("", lines[ROWS][0], 1), "the table is too long", expected=f"at most {ROWS} lines")

    def fault(self, cell: ReturnedCell, message: str, *, found: str = "", expected: str = "", fix: str = "") -> None:
        """Keep what is wrong with a cell."""
        self.problems.add(Problem(self.problems.file, cell.line, cell.column, "", message, found, expected, fix))

    def records(self) -> Iterator[dict[str, ReturnedCell]]:
        """The lines as cells by column; a line with more cells than the header is a problem."""
        for row in self.rows:
            if len(row) > len(self.head):
                self.fault(row[len(self.head)], "the line has more cells than the header", found=f"{len(row)}",
                           expected=f"{len(self.head)}", fix="quote cells in which the separator stands")
            yield dict(zip(self.head, row, strict=False))

    def text(self, row: dict[str, ReturnedCell], *names: str) -> str:
        """The text of the first of these columns that says something."""
        for name in names:
            if name in row and row[name].text.strip().lower() not in ABSENT:
                return row[name].text.strip()
        return ""

    def number(self, row: dict[str, ReturnedCell], name: str, units: tuple[str, ...] = ()) -> float | None:
        """A positive number in SI: of a column without unit, or of the first with one of these units after its name."""
        columns = [(f"{name}_{unit}", unit) for unit in units] if units else [(name, "")]
        for column, unit in columns:
            cell = row.get(column)
            if cell is None or cell.text.strip().lower() in ABSENT:
                continue
            text = cell.text.strip()
            if self.comma and text.count(",") == 1 and "." not in text:
                text = text.replace(",", ".")
            if not NUMBER.fullmatch(text) or not 0 < float(text) < 1e15:
                self.fault(cell, f"{column} is no positive number", found=quoted(clip(text, 40)), expected="a number")
                return None
            return to_si(float(text), SPELLED.get(unit, unit)) if unit else float(text)
        return None


def column_name(text: str) -> str:
    """A header cell as a name: ``Thickness (µm)`` is ``thickness_um``."""
    plain = text.strip().lower().replace("µ", "u").replace("μ", "u")
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


_CELL = re.compile(r'\s*"((?:[^"]|"")*)"\s*|([^"]*)')


def _split(line: str, number: int, separator: str) -> list[ReturnedCell]:
    """The cells of a line; a quoted cell may hold the separator, and two quotes for one."""
    cells: list[ReturnedCell] = []
    start = 0
    for end in [*_ends(line, separator), len(line)]:
        text = line[start:end]
        found = _CELL.fullmatch(text)
        inside = text if found is None else found[2] if found[1] is None else found[1].replace('""', '"')
        cells.append(ReturnedCell(inside, number, start + 1))
        start = end + 1
    return cells


def _ends(line: str, separator: str) -> Iterator[int]:
    """Where the separator stands outside of quotes."""
    inside = False
    for place, char in enumerate(line):
        if char == '"':
            inside = not inside
        elif char == separator and not inside:
            yield place
