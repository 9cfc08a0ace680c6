# SPDX-License-Identifier: MIT
"""The answer of a search: the candidates that give most margin for their cost, and what cut the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pcbrules.brief import brief
from pcbrules.document import Document
from pcbrules.results.tables import frame
from pcbrules.studies.moves.costs import PARTS
from pcbrules.studies.searching.exploring import Explored, ProvenPoint
from pcbrules.studies.searching.part_outcome import CountedMargin, MarginKey, new_warnings
from pcbrules.studies.searching.space import SearchSpace

LAYERS = "layers count"
"""What the axis of the number of layers is called."""


@dataclass(frozen=True, slots=True)
class SearchPoint:
    """A stackup of the answer.

    ``cost`` is in thousandths of the index over the starting board; ``margin`` the least that counts, a share of the
    limit or in its unit, None without a number; ``deciding`` the finding that has it. ``changes`` are the values that
    differ from the starting board by axis; ``document`` is the board file with them. ``warnings`` are rules with the
    number of their warnings that fail here and do not on the starting board.
    """

    number: int
    cost: int
    margin: float | None
    deciding: CountedMargin | None
    changes: tuple[tuple[str, str], ...]
    document: Document
    warnings: tuple[tuple[str, int], ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class StackupSearch:
    """The answer of a search.

    ``points`` are the front from the cheapest; ``explored`` says how it was found. ``document`` is the starting board,
    ``start`` its margin, ``start_blocked`` what of it fails (empty where it passes). ``shown`` says that the spec
    names the rules whose margin counts, ``pinned`` that no axis moves a margin.
    """

    file: str
    board: str
    profile: str
    document: Document
    space: SearchSpace
    explored: Explored
    points: tuple[SearchPoint, ...]
    start: CountedMargin | None
    start_blocked: str
    unit: str
    shown: bool
    pinned: bool
    parts_judged: int

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 where a candidate passes, 1 where none does; 3 where the rules of the objectives judge none that passes."""
        silent = self.shown and all(one.deciding is None for one in self.points)
        return 1 if not self.points else 3 if silent else 0

    def to_rows(self) -> list[dict[str, str | float | int | None]]:
        """Plain rows, one a point: cost, margin, the finding that decides, and the value of every axis."""
        return [_row(self, one) for one in self.points]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a point.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows())


def axis_values(found: StackupSearch, point: SearchPoint) -> tuple[tuple[str, str], ...]:
    """Return the value of every axis at a point, that of the number of layers first."""
    frame_at, *places = found.space.cell(point.number)
    frame_of = found.space.frames[frame_at]
    own = tuple((axis.label, axis.points[place].text) for axis, place in zip(frame_of.axes, places, strict=True))
    return ((LAYERS, frame_of.text), *own) if frame_of.text else own


def search_point(
    space: SearchSpace, one: ProvenPoint, document: Document, had: Iterable[MarginKey] = ()
) -> SearchPoint:
    """Return a point of the front with its board file; ``had`` are the warnings of the starting board."""
    labels = [axis.label for axis in space.axes]
    changes = tuple((labels[at] if at >= 0 else LAYERS, text) for at, text in space.changed(one.cell))
    return SearchPoint(one.number, one.cost, one.margin, one.deciding, changes, document,
                       new_warnings(had, one.warnings))


def warnings_text(point: SearchPoint) -> str:
    """Return the new warnings as text: ``STK006 x4, STK010``."""
    return ", ".join(f"{rule} x{count}" if count > 1 else rule for rule, count in point.warnings)


def _row(found: StackupSearch, point: SearchPoint) -> dict[str, str | float | int | None]:
    deciding = point.deciding
    return {
        "candidate": point.number, "cost": point.cost / PARTS, "margin": point.margin,
        "rule": deciding.rule if deciding else "", "subject": deciding.subject if deciding else "",
        "measured": deciding.measured if deciding else "", "limit": deciding.limit if deciding else "",
        "changes": len(point.changes), "new warnings": warnings_text(point), **dict(axis_values(found, point)),
    }
