# SPDX-License-Identifier: MIT
"""The exhibits of a board: what its reports show beside the findings.

One file a kind. A module that does not begin with ``_`` offers ``exhibits(scene)``, which yields what it can show;
discovery is by folder. Nothing is solved that the check has solved already: the solvers keep what they found.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Protocol

from pcbrules.layout.layout import Layout
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.exhibit import Exhibit, NotShown
from pcbrules.results.finding import Finding
from pcbrules.results.limit import Limit
from pcbrules.results.place import Address, Location


@dataclass(frozen=True, slots=True)
class Scene:
    """What exhibits are made from.

    Attributes
    ----------
    board : Board
        With an end of the range of what is sold where its file leaves an input open, as it was judged.
    conditions : Conditions
        Of the profile.
    limits : mapping
        Limits by rule and subject.
    findings : tuple of Finding
    layout : Layout or None
        What the board was read from, if that was a layout.
    drawn : mapping
        Objects of the layout by the address of what they give the board.
    declared : Board or None
        The board as its file declares it, where that is another one.
    fine : float
        Distance by which the curve of a link may be off, over the height of its picture; 0: as a report has room. [-]
    """

    board: Board
    conditions: Conditions
    limits: Mapping[tuple[str, str], Limit]
    findings: tuple[Finding, ...] = ()
    layout: Layout | None = None
    drawn: Mapping[Address, Location] = field(default_factory=dict)
    declared: Board | None = None
    fine: float = 0.0

    def limit(self, rule: str, subject: str) -> Limit | None:
        """The limit by which a rule judged a subject, if it has one."""
        return self.limits.get((rule, subject))


class Maker(Protocol):
    """What a module of this folder offers."""

    def exhibits(self, scene: Scene) -> Iterator[Exhibit]:
        """Exhibits of a scene, in the order of the board file."""
        ...


@cache
def _makers() -> tuple[tuple[str, Maker], ...]:
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    made: list[tuple[str, Maker]] = [(name, import_module(f"{__name__}.{name}")) for name in names]
    return tuple(made)


def scene_limits(findings: Iterable[Finding]) -> dict[tuple[str, str], Limit]:
    """Limits by rule and subject, of the worst finding where there are several."""
    return {(f.rule, f.subject): f.limit for f in reversed(tuple(findings)) if f.limit is not None}


def exhibits(scene: Scene) -> tuple[Exhibit, ...]:
    """Every exhibit of a board. One that fails says so in its place, and the others are still shown."""
    found: list[Exhibit] = []
    for name, maker in _makers():
        try:
            found += maker.exhibits(scene)
        except Exception as error:  # a picture that fails takes no finding with it
            reason = f"{type(error).__name__}: {error}. This is a fault of pcbrules, not of the board."
            found.append(NotShown(key=f"board:{name}", subject="board", title=f"Pictures: {name}", reason=reason))
    return tuple(found)
