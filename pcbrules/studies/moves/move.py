# SPDX-License-Identifier: MIT
"""A change of a board: its edits, its cost, and which findings it can help."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.stack import Placed
from pcbrules.phrases import under, within
from pcbrules.results.finding import Finding
from pcbrules.studies.moves.costs import Costs
from pcbrules.studies.variants.along import with_what_moves

LOSS = ("CHN001", "CHN002")
STEPS = ("CHN004", "CHN005", "CHN007")
STUBS = ("SIG003", "STK005", "CHN003")
CROSSTALK = ("SIG005", "SIG006")
MATERIALS = ("MAT001", "MAT002")
POWER = ("PDN001", "PDN005", "PDN007")


@dataclass(frozen=True, slots=True)
class Helped:
    """Rules of some parts of a board that a change can help; without parts all findings of the rules.

    With ``layers`` also links that another change brings to one of them.
    """

    rules: tuple[str, ...]
    parts: tuple[str, ...] | None = None
    layers: tuple[str, ...] = ()

    def covers(self, rule: str, subject: str) -> bool:
        """Return True for a finding that is one of these."""
        return rule in self.rules and (self.parts is None or any(within(subject, part) for part in self.parts))


@dataclass(frozen=True, slots=True)
class Tuned:
    """A trace whose width is solved for the impedance of its link once all edits are made.

    ``trace`` counts the traces of the link's path. With ``wider`` the trace is so many times as wide as it is, and its
    gap is solved. ``share`` is how far its width is moved towards the solved one: within the limit, and within what is
    etched, where that is narrower.
    """

    link: str
    trace: int
    wider: float = 0.0
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change: of two with one ``slot`` only one can be made. ``cost`` is in thousandths of the index.

    ``brings`` is a link, by its subject, and the layer that it is brought to. ``subject`` is the part of the board that
    is changed; without it the first place.
    """

    family: str
    text: str
    cost: int
    slot: str
    helps: tuple[Helped, ...]
    edits: tuple[tuple[Path, Any], ...] = ()
    removed: tuple[Path, ...] = ()
    tuned: tuple[Tuned, ...] = ()
    brings: tuple[str, str] | None = None
    subject: str = ""

    def can_help(self, rule: str, subject: str) -> bool:
        """Return True where a finding may be cured by this, alone or with others."""
        return any(one.covers(rule, subject) for one in self.helps)

    def can_help_there(self, rule: str, layer: str) -> bool:
        """Return True where a finding of a link may be cured by this once the link is brought to a layer."""
        return any(rule in one.rules and layer in one.layers for one in self.helps)

    @property
    def places(self) -> tuple[Path, ...]:
        """The keys that are edited or removed."""
        return (*(path for path, _ in self.edits), *self.removed)


@dataclass(frozen=True)
class MoveScene:
    """What changes are made of: the board file, the board as it is judged, its findings, and costs."""

    document: Document
    board: Board
    findings: tuple[Finding, ...]
    costs: Costs

    def links(self) -> tuple[BoardLink, ...]:
        """The links of the board."""
        return self.board.links or ()

    def links_on(self, layers: Iterable[str]) -> tuple[BoardLink, ...]:
        """The links with a trace on one of some layers."""
        wanted = set(layers)
        return tuple(one for one in self.links() if any(trace.layer in wanted for _, trace in one.traces()))

    def links_through(self, via_type: str) -> tuple[BoardLink, ...]:
        """The links with a via of a type."""
        return tuple(one for one in self.links() if any(via.type == via_type for _, via in one.vias()))

    def tuned_on(self, layers: Iterable[str]) -> tuple[Tuned, ...]:
        """The traces on some layers, to be solved for their impedance; necks stay as they are."""
        wanted = set(layers)
        return tuple(Tuned(link.name, at) for link in self.links() for at, (_, trace) in enumerate(link.traces())
                     if trace.layer in wanted and not trace.breakout and not trace.broadside)


def subjects(links: Iterable[BoardLink]) -> tuple[str, ...]:
    """Return the subjects of links."""
    return tuple(one.subject for one in links)


def mirrored_cavities(scene: MoveScene, plies: Iterable[Placed]) -> tuple[str, ...]:
    """Return the subjects of the pairs of mirrored cavities that hold some plies, as STK006 names them."""
    stack = scene.board.stack
    names = [one.name for one in stack.coppers] if stack is not None else []
    changed = {one.index for one in plies}
    cavities = [(f"{upper}-{lower}", stack.between(upper, lower)) for upper, lower in pairwise(names)] if stack else []
    return tuple(f"stackup{under(one[0], other[0])}"
                 for one, other in zip(cavities[:len(cavities) // 2], reversed(cavities), strict=False)
                 if any(ply.index in changed for ply in (*one[1], *other[1])))


@cache
def families() -> tuple[Any, ...]:
    """Return every module of this folder that makes moves, in order of name."""
    package = import_module(__name__.rpartition(".")[0])
    names = sorted(one.name for one in pkgutil.iter_modules(package.__path__))
    modules: list[Any] = [import_module(f"{package.__name__}.{name}") for name in names]
    return tuple(one for one in modules if hasattr(one, "moves"))


def all_moves(scene: MoveScene) -> tuple[Remedy, ...]:
    """Return every change of a board that is known, in the order of families, then of the file.

    What several families know is one change, of the lowest cost, that helps all that either names.
    """
    found: dict[str, Remedy] = {}
    for one in (move for family in families() for move in family.moves(scene)):
        key = repr((one.edits, one.removed, one.tuned))
        first = found.get(key, one)
        best = one if one.cost < first.cost else first
        found[key] = replace(best, helps=tuple(dict.fromkeys((*first.helps, *one.helps))))
    return tuple(found.values())


def edited(document: Document, moves: Iterable[Remedy]) -> Document:
    """Return the board file with some changes and what moves along with them, traces not yet tuned.

    Raises
    ------
    InputError
        The board file takes no such edit.
    """
    moves = tuple(moves)
    for move in moves:
        for path, value in with_what_moves(document, move.edits)[0]:
            document = document.edited(path, value)
    for path in sorted({path for move in moves for path in move.removed}, reverse=True):  # later items first
        if document.get(path, None) is not None:
            document = document.without(path)
    return document


def tuned(moves: Iterable[Remedy]) -> Iterator[Tuned]:
    """Return the traces that are solved anew, each once; one that gets wider is not solved for the gap that it had."""
    every: dict[tuple[str, int], Tuned] = {}
    for one in (trace for move in moves for trace in move.tuned):
        key = (one.link, one.trace)
        if key not in every or one.wider:
            every[key] = one
    yield from every.values()
