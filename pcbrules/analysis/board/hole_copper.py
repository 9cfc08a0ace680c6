# SPDX-License-Identifier: MIT
"""Can the fabricator keep the copper around these holes apart, and hit it with the drill?"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.board.capability import class_source, holds, least, only
from pcbrules.analysis.board.drilled_holes import no_via_types
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.via import ViaType
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.fabrication import HoleCopper
from pcbrules.results.measured import exact
from pcbrules.results.place import Address

PROVIDES = (HoleCopper,)

MODEL = "as drawn"
KINDS = ("ring", "pads", "clearance")


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Ring of every via type, space between the pads of a pair and to a ground via, clearance of planes to the drill.

    A microvia ends on the next layer: no plane has a clearance for it.
    """
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
                        ((*at, "antipad", "width"), (*at, "drill")), f"laminate from the drill of {name} to a plane")


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
                ((*at, "pad"), (*at, "drill")), f"annular ring of {name}")
    if via.pitch is not None:
        yield _fact(board, "pads", f"{subject}.pitch", via.pitch.value - pad, fab.outer_space,
                    ((*at, "pitch"), (*at, "pad")), f"space between the pads of {name}")
    if via.return_vias is not None and via.return_vias.count:
        yield _fact(board, "pads", f"{subject}.return_vias", via.return_vias.distance.value - pad, fab.outer_space,
                    ((*at, "return_vias", "distance"), (*at, "pad")),
                    f"space from a pad of {name} to that of a ground via, taken as large,")


def _fact(
    board: Board, kind: str, subject: str, value: float, held: float, reads: tuple[Address, ...], what: str
) -> HoleCopper:
    return HoleCopper(
        subject=subject, where=reads[0], tags=board.tags, kind=kind, offers={kind: least(held, class_source(board))},
        exempt=only(kind, KINDS),
        figure=exact(value, model=MODEL, basis="computed", reads=reads), what=what, held_by=holds(board),
    )
