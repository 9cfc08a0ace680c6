# SPDX-License-Identifier: MIT
"""What the reader would refuse of a board file that was made of a layout becomes a comment, with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pcbrules.document import parse_yaml
from pcbrules.errors import InputError, Problem, escape
from pcbrules.model.board import Board
from pcbrules.readers.board_yaml import board_of

NEEDED = ("span", "kind", "drill")
"""Keys without which a via type is none."""

WHOLE = ("stackup", "via_types", "links")
"""Sections that say nothing without the build-up."""

UNIT_DEPTH = {"links": 2, "via_types": 2, "materials": 4, "board": 2, "fabrication": 4, "thermal": 4}
"""Columns at which what is left out together begins, by section: a link, a via type, a laminate, a key."""


def readable(text: str, name: str) -> tuple[str, tuple[Problem, ...]]:
    """Return a board file with what cannot be read as comments, and a warning for each of them.

    A link is left out whole, a via type too unless the fault is in a key that it can do without; with a build-up that
    is none everything goes that lies on its layers.
    """
    lines = text.split("\n")
    told: list[Problem] = []
    while problems := _refused(lines, name):
        units: dict[tuple[int, int], Problem] = {}
        build_up = [one for one in problems if one.path.startswith("stackup")]
        for problem in build_up or problems:  # the board's thickness is judged by a build-up that is one
            units.setdefault(_unit(lines, problem), problem)
        last = len(lines)
        for (begin, end), problem in sorted(units.items(), key=lambda one: one[0], reverse=True):
            if end > last:  # part of it is a comment by now; what is left is told in the next round
                continue
            last = begin
            if not _says(lines[begin]):  # no place in the file: the reader will tell
                return "\n".join(lines), tuple(told[::-1])
            lines[begin:end] = _comment(lines[begin:end], problem)
            told.append(_left_out(problem, name))
    return "\n".join(lines), tuple(told[::-1])


@lru_cache(maxsize=1)
def read_text(text: str, name: str) -> Board | tuple[Problem, ...]:
    """The board of a text, or what is wrong with it; of the last text it is known."""
    try:
        board, _ = board_of(parse_yaml(text.encode(), name))
    except InputError as error:
        return tuple(error.problems)
    return board


def _refused(lines: Sequence[str], name: str) -> list[Problem]:
    found = read_text("\n".join(lines), name)
    return [one for one in found if one.level == "error" and one.line] if isinstance(found, tuple) else []


def _unit(lines: Sequence[str], problem: Problem) -> tuple[int, int]:
    """First line and end of what a problem makes a comment of, from 0."""
    at = problem.line - 1
    section = next((line.partition(":")[0] for line in lines[at::-1] if line[:1].isalpha()), "")
    if section == "stackup":
        begin = lines.index("stackup:")
        return begin, _end_of_sections(lines, begin)
    depth = UNIT_DEPTH.get(section, 0)
    if section == "via_types" and _indent(lines[at]) == 4 and lines[at].split(":")[0].strip() not in NEEDED:
        depth = 4
    while at > 0 and (_indent(lines[at]) > depth or not _says(lines[at])):
        at -= 1
    end = at + 1
    while end < len(lines) and lines[end].strip() and _indent(lines[end]) > _indent(lines[at]):
        end += 1
    return at, end


def _end_of_sections(lines: Sequence[str], begin: int) -> int:
    """Behind the last line of the sections that need the build-up, which stand together."""
    end = begin
    for place in range(begin, len(lines)):
        line = lines[place]
        if line and line[0].isalpha() and line.partition(":")[0] not in WHOLE:
            break
        end = place + 1 if line.strip() else end
    return end


def _comment(lines: Sequence[str], problem: Problem) -> Iterator[str]:
    """These lines as comments, after one that gives the reason."""
    indent = " " * _indent(lines[0])
    yield f"{indent}# left out: {escape(_reason(problem))}"
    for line in lines:
        yield f"{indent}# {line[len(indent):]}" if line.strip() and not line.startswith("#") else line


def _reason(problem: Problem) -> str:
    found = f"; found {problem.found}" if problem.found else ""
    return f"{problem.path}: {problem.message}{found}" + (f"; expected {problem.expected}" if problem.expected else "")


def _left_out(problem: Problem, name: str) -> Problem:
    return Problem(name, 0, 0, problem.path, f"left out as a comment: {problem.message}", problem.found,
                   problem.expected, "", "warning")


def _says(line: str) -> bool:
    """True for a line that is neither empty nor a comment."""
    return not line.lstrip(" ").startswith("#") and bool(line.strip())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
