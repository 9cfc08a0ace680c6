# SPDX-License-Identifier: MIT
"""What is wrong or odd in a layout file: kept while it is read, each with the offset at which it stands."""

from __future__ import annotations

import re
from bisect import bisect_right

from pcbrules.errors import Problem, Problems


class Fault(Exception):
    """What is wrong at an offset of the file; the parts are phrases for a Problem."""

    def __init__(self, offset: int, message: str, *, found: str = "", expected: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.offset, self.message, self.found, self.expected, self.fix = offset, message, found, expected, fix


class LineStarts:
    """Lines and columns of offsets in a text, or in bytes."""

    def __init__(self, text: str | bytes) -> None:
        self.text = text
        self.starts: list[int] = []

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        if not self.starts:
            text = self.text
            ends = re.finditer("\n", text) if isinstance(text, str) else re.finditer(b"\n", text)
            self.starts = [0, *(one.end() for one in ends)]
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


class Told:
    """Faults and remarks of one file.

    Attributes
    ----------
    file : str
    lines : LineStarts
    problems : Problems
    """

    def __init__(self, file: str, text: str | bytes) -> None:
        self.file = file
        self.lines = LineStarts(text)
        self.problems = Problems(file)
        self._odd: dict[tuple[str, str], list[int]] = {}

    def odd(self, offset: int, message: str, found: str) -> None:
        """Remark on something odd that stands at an offset; the same remark on other objects is only counted."""
        self._odd.setdefault((message, found), []).append(offset)

    def fault(self, fault: Fault) -> None:
        """Keep a fault with its place."""
        if self.problems.full:
            self.problems.count()
            return
        self.problems.add(Problem(self.file, *self.lines.at(fault.offset), "", fault.message, fault.found,
                                  fault.expected, fault.fix))

    def remark(self, message: str, found: str) -> None:
        """Remark on the file as a whole."""
        self.problems.add(Problem(self.file, 0, 0, "", message, found, level="warning"))

    def check(self) -> None:
        """Raise InputError with every fault, in the order of the file, where there is one."""
        self._sort()
        self.problems.check()

    def all(self) -> tuple[Problem, ...]:
        """Every remark, in the order of the file."""
        for (message, found), offsets in self._odd.items():
            more = f"{found}; so are {len(offsets) - 1} others" if found and len(offsets) > 1 else found
            more = more or str(len(offsets))
            self.problems.add(Problem(self.file, *self.lines.at(offsets[0]), "", message, more, level="warning"))
        self._odd.clear()
        self._sort()
        return self.problems.all()

    def _sort(self) -> None:
        self.problems.kept.sort(key=lambda p: (p.line, p.column))
