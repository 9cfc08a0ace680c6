# SPDX-License-Identifier: MIT
"""Can the fabricator keep the copper around these holes apart, and hit it with the drill?"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from pcbrules.analysis.board.capability import class_source, holds, least, only
from pcbrules.analysis.board.drilled_holes import no_via_types
from pcbrules.analysis.board.smallest_figures import HOLES, smallest_figures
from pcbrules.analysis.common.plan import Item
from pcbrules.constants import MIL
from pcbrules.model.board import Board, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.via import ViaType
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.fabrication import HoleCopper, HoleSize
from pcbrules.results.measured import exact
from pcbrules.results.place import Address
from pcbrules.units import Quantity, unit_of

PROVIDES = (HoleCopper,)

MODEL = "as drawn"
KINDS = ("ring", "pads", "clearance")

MILS = 0.1 * MIL
"""Step in which a dimension is written that the file has in mil [m]."""

DRILLS = 25e-6
"""Step of the diameters in which drills are sold up to half a millimetre [m]: practice."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Ring of every via type, space between the pads of a pair and to a ground via, clearance of planes to the drill.

    A microvia ends on the next layer: no plane has a clearance for it.
    """
    yield from smallest_figures(board, HoleCopper, HOLES, KINDS)
    yield from no_via_types(board, HoleCopper)
    for name, via in (board.via_types or {}).items():
        at: Path = ("via_types", name)
        if via.pad is None:
            yield from (_gap(board, name, what, "pad") for what in _of_the_pad(via))
        else:
            yield from _pads(board, name, via, via.pad.value, at)
        if via.antipad is None and via.kind != "microvia":
            yield _gap(board, name, "clearance", "antipad")
        if via.antipad is not None and via.kind != "microvia":
            yield _fact(board, "clearance", f"via_types{under(name)}.clearance",
                        (via.antipad.width.value - via.drill.value) / 2, board.fabrication.hole_to_copper,
                        ((*at, "antipad", "width"), (*at, "drill")), f"laminate from the drill of {name} to a plane",
                        (_antipad(via, at), *_drill(board, via, at)))


def _of_the_pad(via: ViaType) -> Iterator[str]:
    """What is judged of a via type by the width of its pad."""
    yield "ring"
    if via.pitch is not None:
        yield "pitch"
    if via.return_vias is not None and via.return_vias.count:
        yield "return_vias"


def _gap(board: Board, name: str, what: str, key: str) -> Gap:
    """The gap of one figure of a via type for want of a key."""
    subject = f"via_types{under(name)}"
    return Gap(fact=HoleCopper, subject=f"{subject}.{what}", where=("via_types", name), tags=board.tags,
               key=f"{subject}.{key}", reason=f"the {key} of {name} is not declared")


def _pads(board: Board, name: str, via: ViaType, pad: float, at: Path) -> Iterator[HoleCopper]:
    fab, laser, subject = board.fabrication, via.kind == "microvia", f"via_types{under(name)}"
    yield _fact(board, "ring", f"{subject}.ring", (pad - via.drill.value) / 2, fab.laser_ring if laser else fab.ring,
                ((*at, "pad"), (*at, "drill")), f"annular ring of {name}", (_pad(board, via, at, 2.0),
                                                                            *_drill(board, via, at)))
    if via.pitch is not None:
        yield _fact(board, "pads", f"{subject}.pitch", via.pitch.value - pad, fab.outer_space,
                    ((*at, "pitch"), (*at, "pad")), f"space between the pads of {name}",
                    (_pad(board, via, at, -1.0), _size((*at, "pitch"), via.pitch, 1.0)))
    if via.return_vias is not None and via.return_vias.count:
        yield _fact(board, "pads", f"{subject}.return_vias", via.return_vias.distance.value - pad, fab.outer_space,
                    ((*at, "return_vias", "distance"), (*at, "pad")),
                    f"space from a pad of {name} to that of a ground via, taken as large,",
                    (_pad(board, via, at, -1.0),
                     _size((*at, "return_vias", "distance"), via.return_vias.distance, 1.0)))


def _size(path: Path, now: Quantity, slope: float, least: float = 0.0, most: float = inf) -> HoleSize:
    """A dimension in the unit that it has in the file."""
    unit = unit_of(now.text) or "mm"
    return HoleSize(path, now.value, slope, least, most, step=MILS if unit in ("mil", "in") else 10e-6, unit=unit)


def _pad(board: Board, via: ViaType, at: Path, slope: float) -> HoleSize:
    """The pad: its ring is held, and its space to the pads beside it."""
    fab = board.fabrication
    ring = fab.laser_ring if via.kind == "microvia" else fab.ring
    apart = [one.value for one in (via.pitch, via.return_vias.distance if via.return_vias else None) if one is not None]
    now = via.pad or Quantity(0.0, text=via.drill.text)
    return _size((*at, "pad"), now, slope, via.drill.value + 2 * ring, min(apart, default=inf) - fab.outer_space)


def _drill(board: Board, via: ViaType, at: Path) -> Iterator[HoleSize]:
    """The drill, no finer than the class drills through the board; of a laser no finer than it burns."""
    fab, thick = board.fabrication, board.stack.thickness if board.stack is not None else 0.0
    if via.kind == "microvia":
        yield HoleSize((*at, "drill"), via.drill.value, -2.0, fab.laser, step=DRILLS)
    elif via.kind == "through":
        yield HoleSize((*at, "drill"), via.drill.value, -2.0, max(fab.drill, thick / fab.aspect_ratio), step=DRILLS)


def _antipad(via: ViaType, at: Path) -> HoleSize:
    """The width of the antipad: ground vias stand in copper beyond it."""
    assert via.antipad is not None
    room = inf
    if via.return_vias is not None and via.return_vias.count:
        room = 2 * via.return_vias.distance.value - via.drill.value
    return _size((*at, "antipad", "width"), via.antipad.width, 2.0, 0.0, room)


def _fact(
    board: Board, kind: str, subject: str, value: float, held: float, reads: tuple[Address, ...], what: str,
    sizes: tuple[HoleSize, ...],
) -> HoleCopper:
    return HoleCopper(
        subject=subject, where=reads[0], tags=board.tags, kind=kind, offers={kind: least(held, class_source(board))},
        exempt=only(kind, KINDS),
        figure=exact(value, model=MODEL, basis="computed", reads=reads), what=what, held_by=holds(board),
        sizes=sizes,
    )
