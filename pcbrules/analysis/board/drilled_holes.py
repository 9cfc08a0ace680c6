# SPDX-License-Identifier: MIT
"""Can the fabricator drill these holes, and does he plate them as thick as the board says?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pcbrules.analysis.board.capability import class_source, holds, least, only
from pcbrules.analysis.board.smallest_figures import DRILLS, smallest_figures
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import BarrelGrid
from pcbrules.model.via import ViaType
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.fabrication import DrilledHole
from pcbrules.results.finding import Source
from pcbrules.results.measured import Measured, Undeclared, exact
from pcbrules.units import show

PROVIDES = (DrilledHole,)

MODEL = "as drawn"
KINDS = ("drill", "plating")
PLATED = {1: 20e-6, 2: 20e-6, 3: 25e-6}
"""Average copper in the hole by class of IPC-6012 [m], as fabricators quote it (standardpcb.com, process page)."""
IPC = Source("average copper in the hole by class of IPC-6012, as fabricators quote it", "secondary")


@dataclass(frozen=True, slots=True)
class _Hole:
    """A kind of hole: its place, diameter and plating [m], and what is said of it.

    The plating is a range where it is not declared; None where the hole has none that is ordered by itself.
    """

    subject: str
    at: Path
    drill: float
    plating: tuple[float, float] | float | None
    what: str
    laser: bool = False
    key: str = "drill"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Diameter and plating of via types, of the holes of rails and of thermal vias; the smallest hole of the board."""
    yield from smallest_figures(board, DrilledHole, DRILLS, KINDS)
    yield from no_via_types(board, DrilledHole)
    holes = [*_of_types(board), *_of_rails(board.rails or {}), *_of_arrays(board)]
    for hole in holes:
        yield _drill(board, hole)
        if not hole.laser:
            yield from _plating(board, hole)


def no_via_types(board: Board, fact: type) -> Iterator[Gap]:
    """The gap of a board without via types (not applicable), or of one whose file does not give any."""
    if not board.via_types:
        absent = board.via_types is None
        yield Gap(fact=fact, subject="via_types", where=() if absent else ("via_types",), key="via_types",
                  reason="no `via_types` are declared" if absent else "the board has no via types",
                  applicable=absent, tags=board.tags)


def _of_types(board: Board) -> Iterator[_Hole]:
    for name, via in (board.via_types or {}).items():
        yield _Hole(f"via_types{under(name)}", ("via_types", name), via.drill.value,
                    via.plating.value if via.plating else _usual_plating(board, via),
                    f"{via.kind} via {name}", via.kind == "microvia")


def _usual_plating(board: Board, via: ViaType) -> tuple[float, float]:
    """Least and greatest plating of a hole that does not say it [m]: the average that class 2 asks for, which every
    fabricator quotes, and the most of class 3; no more than the finished hole leaves.

    The finished hole alone is no plating: the surface finish is in it too.
    """
    defaults = board.catalogue.defaults
    least, most = defaults["hole-plating-class-2"].typical, defaults["hole-plating-class-3"].max
    if via.finished is not None:
        most = (via.drill.value - via.finished.value) / 2
    return min(least, most), most


def _of_rails(rails: Mapping[str, Rail]) -> Iterator[_Hole]:
    for name, rail in rails.items():
        for side, at in () if rail.copper is None else (
                (rail.copper, ("rails", name, "copper")),
                (rail.copper.return_side, ("rails", name, "copper", "return"))):
            if side is not None:
                yield from _fields(name, "balls", side.balls, at)
                yield from _fields(name, "vias", side.vias, at)
        if rail.layout is not None and rail.layout.vias is not None:
            vias = rail.layout.vias
            yield _Hole(f"rails{under(name)}.layout.vias", ("rails", name, "layout", "vias"), vias.drill.value,
                        vias.plating.value, f"vias of rail {name}")
        for i, step in enumerate(rail.ladder or ()):
            bank = step.bank
            if bank is not None and bank.mounting is not None:
                yield _Hole(f"rails{under(name)}.ladder[{i}].bank.mounting",
                            ("rails", name, "ladder", i, "bank", "mounting"), bank.mounting.via_drill.value, None,
                            f"vias of bank {bank.name or i} of rail {name}", key="via_drill")


def _fields(name: str, kind: str, fields: Iterable[BarrelGrid], at: Path) -> Iterator[_Hole]:
    """One hole for each size and plating of a side: a rail draws many equal fields."""
    seen = set()
    for i, field in enumerate(fields):
        size = field.drill.value, field.plating.value
        if field.is_drilled and size not in seen:
            seen.add(size)
            place = (*at, kind, i)
            side = "return " if at[-1] == "return" else ""
            yield _Hole("".join(f"[{step}]" if isinstance(step, int) else under(step) for step in place).lstrip("."),
                        place, *size, f"{side}{kind} of rail {name}")


def _of_arrays(board: Board) -> Iterator[_Hole]:
    for name, array in (board.thermal.via_arrays if board.thermal and board.thermal.via_arrays else {}).items():
        yield _Hole(f"thermal.via_arrays{under(name)}", ("thermal", "via_arrays", name), array.drill.value,
                    array.plating.value if array.fill != "copper" else None, f"thermal via {name}")


def _drill(board: Board, hole: _Hole) -> DrilledHole:
    fab, at = board.fabrication, (*hole.at, hole.key)
    return DrilledHole(
        subject=f"{hole.subject}.{hole.key}", where=at, tags=board.tags, kind="drill",
        offers={"drill": least(fab.laser if hole.laser else fab.drill, class_source(board))},
        exempt=only("drill", KINDS),
        figure=exact(hole.drill, model=MODEL, basis="computed", reads=(at,)), what=f"drill of {hole.what}",
        held_by=holds(board, " by laser" if hole.laser else " by a mechanical drill"),
    )


def _plating(board: Board, hole: _Hole) -> Iterator[Item]:
    own = board.declared_fabrication
    ipc = own.ipc_class if own else None
    if hole.plating is None:
        return
    at, subject = (*hole.at, "plating"), f"{hole.subject}.plating"
    if ipc is None and not isinstance(hole.plating, tuple) and PLATED[2] <= hole.plating < PLATED[3]:
        yield Gap(fact=DrilledHole, subject=subject, where=at, key="fabrication.ipc_class", tags=board.tags,
                  reason=f"{show(hole.plating, 'um')} is enough for class 2 of IPC-6012, too little for class 3, and "
                         "the class is not declared")
        return
    asked = ipc or 2
    yield DrilledHole(
        subject=subject, where=at, tags=board.tags, kind="plating", offers={"plating": least(PLATED[asked], IPC)},
        exempt=only("plating", KINDS), figure=_copper(hole.plating, subject, at), what=f"plating of {hole.what}",
        held_by=f"class {asked} of IPC-6012 asks for",
    )


def _copper(plating: tuple[float, float] | float, key: str, at: Path) -> Measured:
    """The plating as declared, or the least of the range in which it is. [m]"""
    if not isinstance(plating, tuple):
        return exact(plating, model=MODEL, basis="declared", reads=(at,))
    lo, hi = plating
    return Measured(
        value=lo, lo=lo, hi=hi, model="usual plating, no more than drill and finished hole leave", basis="assumed",
        reads=(at,), assumptions=(f"{key} not declared: assumed from {show(lo, 'um')} to {show(hi, 'um')}",),
        undeclared=Undeclared(key=key, lo=lo, hi=hi))
