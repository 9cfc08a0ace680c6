# SPDX-License-Identifier: MIT
"""What is wrong or odd in a layout file: kept while it is read, each with the offset at which it stands."""

from __future__ import annotations

import re
from bisect import bisect_right

from pcbrules.errors import Problem, Problems

SIZE_LIMIT = 128_000_000
"""Bytes of a layout file."""

MOST_ODD = 1000
"""Different remarks of one file that are told apart."""


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
        """Line and column, from 1; none of a text that is not there."""
        if not self.text:
            return 0, 0
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
        self._odd: dict[tuple[str, str], tuple[int, int]] = {}

    def odd(self, offset: int, message: str, found: str) -> None:
        """Remark on something odd that stands at an offset; the same remark on other objects is only counted."""
        if len(self._odd) >= MOST_ODD and (message, found) not in self._odd:
            found = "several"
        first, count = self._odd.get((message, found), (offset, 0))
        self._odd[message, found] = first, count + 1

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
        for (message, found), (offset, count) in self._odd.items():
            more = f"{found}; so are {count - 1} others" if found and count > 1 else found
            self.problems.add(Problem(self.file, *self.lines.at(offset), "", message, more or str(count),
                                      level="warning"))
        self._odd.clear()
        self._sort()
        return self.problems.all()

    def _sort(self) -> None:
        self.problems.kept.sort(key=lambda p: (p.line, p.column))
