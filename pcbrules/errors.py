# SPDX-License-Identifier: MIT
"""What is wrong with an input: where it stands, what was found, what was expected, what cures it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pcbrules.phrases import Path, clip, escape, quoted, show_path

__all__ = ["InputError", "Path", "Problem", "Problems", "clip", "escape", "quoted", "show_path"]

PROBLEM_LIMIT = 100  # problems of one file that are listed
PATH_LIMIT = 400  # characters of a path in a message


@dataclass(frozen=True)
class Problem:
    """One fault of an input file.

    `line` and `column` count from 1; line 0 means that the fault has no place. `path` leads to the value,
    written by `show_path`. `found` is a phrase, made by `quoted` where it repeats the user's text. What is
    `unlikely` may be right, and is most often a slip: a check makes a finding of it.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    found: str = ""
    expected: str = ""
    fix: str = ""
    level: Literal["error", "warning", "unlikely"] = "error"

    def text(self) -> str:
        """Return the fault on one line: `file:line:column: path: message; found ..; expected ..; fix: ..`."""
        head = [f"{self.file}:{self.line}:{self.column}" if self.line else self.file]
        if self.level != "error":
            head.append("warning")
        if self.path:
            head.append(clip(self.path, PATH_LIMIT))
        parts = [self.message]
        if self.found:
            parts.append(f"found {self.found}")
        if self.expected:
            parts.append(f"expected {self.expected}")
        if self.fix:
            parts.append(f"fix: {self.fix}")
        return escape(": ".join([*head, "; ".join(parts)]))


class InputError(Exception):
    """The input or the command is wrong; `problems` holds everything that was found."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.text() for problem in self.problems)


class Problems:
    """Gathers the problems of one file; keeps the first hundred and counts the rest."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.kept: list[Problem] = []
        self.more = 0
        self.wrong = False

    @property
    def full(self) -> bool:
        """True when further problems are only counted; a caller in a hurry then adds to `more` itself."""
        return len(self.kept) >= PROBLEM_LIMIT

    def add(self, problem: Problem, *, always: bool = False) -> None:
        """Keep `problem`, or count it when there are enough; `always` keeps it in any case."""
        self.wrong = self.wrong or problem.level == "error"
        if always or not self.full:
            self.kept.append(problem)
        else:
            self.more += 1

    def count(self) -> None:
        """Count an error that is not worded, where enough are kept."""
        self.wrong = True
        self.more += 1

    def all(self) -> tuple[Problem, ...]:
        """Return the kept problems, followed by `and N more problems` when some were only counted."""
        if not self.more:
            return tuple(self.kept)
        noun = "problem" if self.more == 1 else "problems"
        level: Literal["error", "warning"] = "error" if self.wrong else "warning"
        last = Problem(self.file, 0, 0, "", f"and {self.more} more {noun}", level=level)
        return (*self.kept, last)

    def check(self) -> None:
        """Raise InputError when at least one problem is an error."""
        if self.wrong:
            raise InputError(self.all())
