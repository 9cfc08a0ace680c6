# SPDX-License-Identifier: MIT
"""What is proposed: the changes with their costs, what becomes of the findings, the board file and its patch."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pcbrules.brief import brief
from pcbrules.document import Document, Path, show_path
from pcbrules.document.rewrite import RewriteRefused, rewritten
from pcbrules.errors import InputError, Problem, clip
from pcbrules.results.finding import Severity, Status
from pcbrules.results.tables import frame
from pcbrules.studies.fixing.groups import Answer, Blocked
from pcbrules.studies.fixing.outcome import Key, SeenFinding, SetOutcome
from pcbrules.studies.moves.costs import PARTS, Costs
from pcbrules.studies.moves.move import Remedy
from pcbrules.ties import same

HALF = 0.5
"""Share of a margin that is worth a word when it is lost [-]."""
FURTHER = 0.05
"""Share of a limit that is worth a word when what fails moves further from it [-]."""


@dataclass(frozen=True, slots=True)
class PricedChange:
    """A change: its cost in thousandths of the index, and the source of that cost."""

    family: str
    text: str
    cost: int
    source: str

    def __repr__(self) -> str:
        return f"<PricedChange: {clip(self.text, 120)}, cost_index={self.cost_index:g}>"

    @property
    def cost_index(self) -> float:
        """The cost as pages and JSON show it: 1 is one percent of the price of the bare board. [%]"""
        return self.cost / PARTS


@dataclass(frozen=True, slots=True)
class KeyEdit:
    """A key of the board file with its value before and after; None where it is not there."""

    key: str
    was: Any
    becomes: Any

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class FixEffect:
    """A finding before and after; ``becomes`` is None where its subject is gone."""

    was: SeenFinding
    becomes: SeenFinding | None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class FixProposal:
    """The cheapest changes after which nothing fails at a severity, or what stays in their way.

    Attributes
    ----------
    failing : tuple of SeenFinding
        What fails today.
    changes : tuple of PricedChange
        In the order of the catalogue; ``cost`` [thousandths] and ``cost_index`` [%] are the sums.
    edits : tuple of KeyEdit
        All keys of the board file that change.
    effects : tuple of FixEffect
        Of every finding that failed, and of each whose status changes.
    costs_margin : tuple of FixEffect
        Findings that pass before and after and lose more than half of their margin, or fail before and after and miss
        their limit by more (0.05 of it).
    left : tuple of Blocked
        What still fails: then the changes cure the others alone.
    judged : int
        Sets of changes that were judged.
    bounded : bool
        True where the search ended at its bound.
    text, patch : str
        The board file with the changes, and the unified diff to it; both empty without changes.
    """

    board: str
    profile: str
    level: Severity
    failing: tuple[SeenFinding, ...]
    changes: tuple[PricedChange, ...]
    edits: tuple[KeyEdit, ...]
    effects: tuple[FixEffect, ...]
    costs_margin: tuple[FixEffect, ...]
    left: tuple[Blocked, ...]
    judged: int
    bounded: bool
    text: str
    patch: str

    def __repr__(self) -> str:
        return (f"<FixProposal: board={clip(repr(self.board), 40)}, profile={clip(repr(self.profile), 40)}, "
                f"changes[{len(self.changes)}], cost_index={self.cost_index:g}, left[{len(self.left)}]>")

    @property
    def cost(self) -> int:
        """Sum of the costs in thousandths of the index: 500 is a ``cost_index`` of 0.5."""
        return sum(one.cost for one in self.changes)

    @property
    def cost_index(self) -> float:
        """Sum of the costs as pages and JSON show it: 1 is one percent of the price of the bare board. [%]"""
        return self.cost / PARTS

    def to_rows(self) -> list[dict[str, Any]]:
        """Plain rows, one a change: its family, text, cost as an index [%], and the source of that cost."""
        return [{"family": one.family, "text": one.text, "cost_index": one.cost_index, "source": one.source}
                for one in self.changes]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a change.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows(), ("family", "text", "cost_index", "source"))

    @property
    def exit_code(self) -> int:
        """0 where nothing fails with the changes, 1 where something does."""
        return 1 if self.left else 0


def proposal(
    document: Document, board: str, profile: str, moves: Sequence[Remedy], found: Answer | None, base: SetOutcome,
    level: Severity, edited: Document, costs: Costs,
) -> FixProposal:
    """Put together what is said of an answer; without one nothing failed.

    Raises
    ------
    InputError
        The changes cannot be written into the text of the board file.
    """
    text = patch = ""
    if moves:
        try:
            text = rewritten(document, edited)
        except RewriteRefused as refused:
            raise InputError([Problem(document.file, 0, 0, "", str(refused))]) from None
        patch = patch_of(document.file, document.text, text)
    failing = set(base.failing())
    return FixProposal(
        board, profile, level, tuple(one for one in base.seen if one.key in failing and one.fails),
        tuple(_change(one, costs) for one in moves), tuple(_edits((), document.tree, edited.tree)),
        tuple(_effects(base, found.after)) if found else (),
        tuple(_costs(base, found.after)) if found else (), found.left if found else (),
        found.judged if found else 0, found.bounded if found else False, text, patch,
    )


def patch_of(file: str, old: str, new: str) -> str:
    """Return the unified diff of a file, as ``git apply`` takes it in the folder that its name is relative to."""
    path = PurePath(file)
    name = path.name if path.is_absolute() or ".." in path.parts else path.as_posix()
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends, which line feeds alone make: the others belong to the text, as git has it."""
    parts = text.split("\n")
    return [f"{one}\n" for one in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _change(move: Remedy, costs: Costs) -> PricedChange:
    entry = costs.entries.get(move.family)
    return PricedChange(move.family, move.text, move.cost, entry.source if entry else "")


def _edits(path: Path, old: Any, new: Any) -> Iterator[KeyEdit]:
    """The keys whose values differ; of lists of other lengths the whole list."""
    if type(old) is type(new) and old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _edits((*path, key), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _edits((*path, at), one, other)
    else:
        yield KeyEdit(show_path(path), old, new)


def _effects(base: SetOutcome, after: SetOutcome) -> Iterator[FixEffect]:
    """What failed, then what has another status, in the order of the findings before."""
    later: dict[Key, SeenFinding] = {}
    for one in after.seen:
        later.setdefault(one.key, one)
    seen: set[Key] = set()
    rest: list[FixEffect] = []
    for one in base.seen:
        if one.key in seen:
            continue
        seen.add(one.key)
        now = later.get(one.key)
        if one.fails:
            yield FixEffect(one, now)
        elif now is not None and now.status is not one.status and Status.NOT_APPLICABLE not in (now.status, one.status):
            rest.append(FixEffect(one, now))
    yield from rest


def _costs(base: SetOutcome, after: SetOutcome) -> Iterator[FixEffect]:
    """What passes before and after and loses more than half of its margin; what fails before and after, further so."""
    later: dict[Key, SeenFinding] = {}
    for one in after.seen:
        later.setdefault(one.key, one)
    seen: set[Key] = set()
    for one in base.seen:
        if one.key in seen:
            continue
        seen.add(one.key)
        now = later.get(one.key)
        if now is None or one.margin is None or now.margin is None or one.status is not now.status:
            continue
        bound = HALF * one.margin if one.status is Status.PASS else one.margin - FURTHER
        told = now.margin >= 0 if one.status is Status.PASS else one.status is Status.FAIL
        if told and now.margin < bound and not same(now.margin, bound):
            yield FixEffect(one, now)
