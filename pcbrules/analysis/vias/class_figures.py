# SPDX-License-Identifier: MIT
"""What a backdrill takes from a fabrication class that is assumed, because the board file names none."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.common.tolerance import half_width
from pcbrules.document import show_path
from pcbrules.model.board import Board, Path
from pcbrules.model.via import Backdrill
from pcbrules.units import show


def class_depth(board: Board, drill: Backdrill, place: Path, *, surface: bool) -> Iterator[str]:
    """Tolerances of the class on which the depth of a drill rests; ``surface`` tells that it counts from there."""
    if board.names_class:
        return
    own, fab = board.declared_fabrication, board.fabrication
    stated = drill.depth if drill.depth is not None else drill.residual
    whole = stated is not None and stated.minus is not None and stated.plus is not None
    if not whole and drill.tolerance is None and not (own and own.tolerances.backdrill):
        yield (f"backdrill depth +- {show(fab.backdrill, 'mil')} of fabrication class {fab.id}: "
               f"`{show_path(place)}.tolerance` is not declared")
    held = board.thickness is not None and half_width(board.thickness.value) is not None
    if surface and not held and not (own and own.tolerances.thickness):
        yield (f"thickness +- {show(fab.thickness, '%')} of fabrication class {fab.id}: "
               "`fabrication.tolerances.thickness` is not declared")


def class_registration(board: Board) -> tuple[str, ...]:
    """The registration of the class, where the board file declares neither."""
    own, fab = board.declared_fabrication, board.fabrication
    if board.names_class or (own and own.tolerances.registration):
        return ()
    return (f"registration {show(fab.registration, 'mil')} of fabrication class {fab.id}: "
            "`fabrication.tolerances.registration` is not declared",)
