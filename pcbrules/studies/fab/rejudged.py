# SPDX-License-Identifier: MIT
"""The board as returned, judged as the board that was ordered: every verdict that is another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pcbrules.document import Document, show_path
from pcbrules.errors import InputError, Problem
from pcbrules.library import load as library
from pcbrules.model.board import Board
from pcbrules.readers.returned.records import ReturnedFile
from pcbrules.results.finding import STATUS_ORDER, Finding, Severity, Status
from pcbrules.results.gate import weight
from pcbrules.results.report import Report
from pcbrules.studies.fab.difference import REMOVED, Difference
from pcbrules.studies.fab.differences import differences
from pcbrules.studies.fab.laminates_returned import MADE_OF
from pcbrules.studies.fab.order import FabOrder
from pcbrules.studies.fab.place_order import place_order

QUIET = frozenset({Status.PASS, Status.NOT_APPLICABLE, Status.WAIVED, Status.ACCEPTED})
"""Verdicts that nobody asks after."""


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A finding whose verdict is another one; None where one of the two boards has no such finding."""

    ordered: Finding | None
    returned: Finding | None

    @property
    def one(self) -> Finding:
        """The finding of either board."""
        found = self.returned or self.ordered
        assert found is not None
        return found

    @property
    def tells(self) -> bool:
        """False for what one board alone has, and passes."""
        return (self.ordered is not None and self.returned is not None) or self.one.status not in QUIET

    @property
    def worse(self) -> bool:
        """True where the returned board has the worse verdict."""
        return STATUS_ORDER[_status(self.returned)] < STATUS_ORDER[_status(self.ordered)]

    def newly_fails(self, fail_on: Severity) -> bool:
        """True where the returned board fails and the ordered one did not, at this severity or above."""
        before = weight(self.ordered, fail_on) if self.ordered else 0
        return self.returned is not None and weight(self.returned, fail_on) == 1 and before != 1


@dataclass(frozen=True, slots=True)
class FabComparison:
    """What came back: differences, both orders with their impedances, both reports, and the changes of verdicts.

    ``still`` are findings that fail on both boards with another figure.
    """

    differences: tuple[Difference, ...]
    told: tuple[Problem, ...]
    ordered: FabOrder
    returned: FabOrder
    before: Report
    after: Report
    changes: tuple[VerdictChange, ...]
    still: tuple[VerdictChange, ...]
    fail_on: Severity

    @property
    def exit_code(self) -> int:
        """1 where a verdict got worse to fail, else 0."""
        return 1 if any(one.newly_fails(self.fail_on) for one in self.changes) else 0


def rejudged(
    document: Document, board: Board, files: Sequence[ReturnedFile], resolved: Callable[[Document], Board],
    judged: Callable[[Document], Report], fail_on: Severity,
) -> FabComparison:
    """Compare what the files return with what was ordered, and judge the board on it.

    Parameters
    ----------
    document, board
        The board that was ordered.
    files : sequence of ReturnedFile
    resolved, judged : function
        Make a board and a report of a document.
    fail_on : Severity
        Least severity at which a fail counts.

    Raises
    ------
    InputError
        Layers that do not pair, or returned figures that make no board: with the place in the returned file.
    """
    order = place_order(board, document)
    found: list[Difference] = []
    told: list[Problem] = []
    for one in files:
        more, remarks = differences(order, board, document, one)
        found += more
        told += remarks
    edited = _edited(document, found)
    try:
        changed = resolved(edited)
    except InputError as error:
        raise InputError([_placed(problem, found, files[0].file) for problem in error.problems]) from None
    before, after = judged(document), judged(edited)
    pairs = _pairs(before.findings, after.findings, _first_names(found, board))
    changes = tuple(one for one in pairs if _status(one.ordered) is not _status(one.returned) and one.tells)
    still = tuple(one for one in pairs if _status(one.ordered) is _status(one.returned) is Status.FAIL
                  and one.ordered and one.returned and one.ordered.message != one.returned.message)
    return FabComparison(tuple(found), tuple(told), order, place_order(changed, edited), before, after, changes, still,
                         fail_on)


def _edited(document: Document, found: Sequence[Difference]) -> Document:
    for edit in (edit for one in found for edit in one.edits):
        if edit.value is not REMOVED:
            document = document.edited(edit.path, edit.value)
        elif document.get(edit.path, REMOVED) is not REMOVED:
            document = document.without(edit.path)
    return document


def _placed(problem: Problem, found: Sequence[Difference], file: str) -> Problem:
    """A fault of the edited board at the line of the returned file from which the figure came."""
    for one in found:
        if any(problem.path and problem.path.startswith(show_path(edit.path)) for edit in one.edits):
            return Problem(one.file, *one.place, problem.path, f"as returned, {problem.message}", problem.found,
                           problem.expected, problem.fix)
    return Problem(file, 1, 1, problem.path, f"as returned, the board is faulty: {problem.message}", problem.found,
                   problem.expected, problem.fix)


def _first_names(found: Sequence[Difference], board: Board) -> dict[str, str]:
    """Laminates made of returned figures, and the one that each was made of, as subjects of findings name them."""
    names = {}
    for edit in (edit for one in found for edit in one.edits):
        if edit.path[:2] == ("materials", "laminates"):
            name = str(edit.path[2])
            base = name.rpartition(MADE_OF)[0]
            record = board.catalogue.laminates.get(base)
            names[name] = record.id if record else library.find("laminates", base) or base
    return names


def _pairs(
    before: Sequence[Finding], after: Sequence[Finding], first_names: dict[str, str]
) -> list[VerdictChange]:
    """Findings of one rule and subject beside each other, in the order of the returned board, the lost ones last."""
    left: dict[tuple[str, str], list[Finding]] = {}
    for one in before:
        left.setdefault((one.rule, one.subject), []).append(one)
    pairs = []
    for one in after:
        subject = one.subject
        for name, first in reversed(first_names.items()):  # a name with a longer number first
            subject = subject.replace(name, first)
        same = left.get((one.rule, subject))
        pairs.append(VerdictChange(same.pop(0) if same else None, one))
    return [*pairs, *(VerdictChange(one, None) for rest in left.values() for one in rest)]


def _status(finding: Finding | None) -> Status:
    return finding.status if finding else Status.NOT_APPLICABLE
