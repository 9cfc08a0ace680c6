# SPDX-License-Identifier: MIT
"""Tasks: the part of an analysis that costs time, as plain numbers that can be solved once, anywhere."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Fact, Gap


@dataclass(frozen=True, slots=True)
class Planned:
    """A task, how to solve it, and how its result becomes facts with names.

    ``task`` is a frozen record of plain numbers; ``solve`` a module-level function of it. Equal tasks are solved once.
    ``bind`` may plan again, with tasks that need the result. ``gives`` is the fact that comes of it, where the analysis
    has others too: it is left out if no rule asks for that.
    """

    task: Hashable
    solve: Callable[[Any], Any]
    bind: Callable[[Any], Iterable[Fact | Gap | Planned]]
    gives: type | None = None


Item = Fact | Gap | Planned


def here_and_now(items: Iterable[Item]) -> Iterator[Fact | Gap]:
    """Solve what is planned, and what that leads to, one after the other."""
    for item in items:
        if isinstance(item, Planned):
            yield from here_and_now(item.bind(item.solve(item.task)))
        else:
            yield item


class Analysis(Protocol):
    """What an analysis module offers: the facts that it provides, and the function that finds them in a board."""

    PROVIDES: tuple[type, ...]

    def facts(self, board: Board, conditions: Conditions) -> Iterator[Item]:
        """Facts, gaps and planned tasks of a board."""
        ...


@cache
def all_analyses() -> tuple[Analysis, ...]:
    """Every module of the rooms that provides facts, in order of room and name."""
    package = import_module(__name__.rpartition(".")[0].rpartition(".")[0])
    names = sorted(m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.") if not m.ispkg)
    modules: list[Any] = [import_module(name) for name in names]
    return tuple(module for module in modules if hasattr(module, "PROVIDES"))
