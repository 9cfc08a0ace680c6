# SPDX-License-Identifier: MIT
"""The smallest figures of the whole board, as the board file gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from pcbrules.analysis.board.capability import class_source, holds, least, only
from pcbrules.model.board import Board, Path
from pcbrules.results.facts.fabrication import Held
from pcbrules.results.measured import exact

MODEL = "as drawn"

AnyHeld = TypeVar("AnyHeld", bound=Held)


class _Figure(NamedTuple):
    """A figure: its key, the limit that it is judged by, the class's figure, what it is, what is said of the class."""

    key: str
    kind: str
    held: str
    what: str
    how: str = ""


WIDTH_AND_SPACE = (
    _Figure("outer_width", "width", "outer_width", "narrowest trace", " on an outer layer"),
    _Figure("inner_width", "width", "inner_width", "narrowest trace", " on an inner layer"),
    _Figure("outer_space", "space", "outer_space", "smallest space between traces", " on an outer layer"),
    _Figure("inner_space", "space", "inner_space", "smallest space between traces", " on an inner layer"),
)
DRILLS = (_Figure("drill", "drill", "drill", "smallest hole of the board", " by a mechanical drill"),)
HOLES = (
    _Figure("ring", "ring", "ring", "smallest annular ring of the board"),
    _Figure("hole_to_copper", "clearance", "hole_to_copper", "smallest distance from a plated hole to other copper"),
)


def smallest_figures(
    board: Board, fact: type[AnyHeld], figures: tuple[_Figure, ...], kinds: tuple[str, ...]
) -> Iterator[AnyHeld]:
    """A fact of each figure that is given; ``kinds`` are the limits of its rule."""
    own = board.declared_fabrication.smallest if board.declared_fabrication else None
    for one in figures:
        given = getattr(own, one.key, None)
        if given is not None:
            at: Path = ("fabrication", "smallest", one.key)
            yield fact(
                subject=".".join(map(str, at)), where=at, tags=board.tags, kind=one.kind,
                offers={one.kind: least(getattr(board.fabrication, one.held), class_source(board))},
                exempt=only(one.kind, kinds), figure=exact(given.value, model=MODEL, basis="computed", reads=(at,)),
                what=one.what + (one.how if one.how.startswith(" on") else ""), held_by=holds(board, one.how),
            )
