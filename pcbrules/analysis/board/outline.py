# SPDX-License-Identifier: MIT
"""How large is the board, and what form factor does it have?"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import BoardFormFactor, BoardSide
from pcbrules.results.measured import Measured
from pcbrules.ties import ordered

PROVIDES = (BoardSide, BoardFormFactor)
UNDECLARED = "the form factor of the board is not declared"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """The long and the short side, whichever of width and height they are; the form factor."""
    size = board.size
    if size is None:
        yield Gap(fact=BoardSide, subject="board.size", where=("board",), tags=board.tags,
                  reason="the size of the board is not declared", key="board.size")
    elif board.form_factor is None:
        yield Gap(fact=BoardSide, subject="board.size", where=("board", "size"), tags=board.tags, reason=UNDECLARED,
                  key="board.form_factor")
    else:
        sides = ordered((("width", size.width), ("height", size.height)), key=lambda side: float(side[1].value))
        for name, (key, length) in zip(("short", "long"), sides, strict=True):
            place = ("board", "size", key)
            yield BoardSide(
                subject=f"board.size.{name}",
                where=place,
                tags=board.tags,
                length=Measured(
                    value=length.value,
                    lo=length.value - (length.minus or 0.0),
                    hi=length.value + (length.plus or 0.0),
                    model="declared in the board file",
                    basis="declared",
                    reads=(place, ("board", "form_factor")),
                ),
                side=name,
            )
    if board.form_factor is None:
        yield Gap(fact=BoardFormFactor, subject="board.form_factor", where=("board",), tags=board.tags,
                  reason=UNDECLARED, key="board.form_factor")
        return
    yield BoardFormFactor(
        subject="board.form_factor",
        where=("board", "form_factor"),
        tags=board.tags,
        form_factor=board.form_factor.id,
        name=board.form_factor.name,
    )
