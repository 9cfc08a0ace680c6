# SPDX-License-Identifier: MIT
"""The backdrill that leaves a stub of a length at most, as the edits of the board file that order it.

The length is that of the worst case: the drill's tolerance is taken off it, and the depth is referred to the layer in
use (``datum: target-layer``), since a depth that counts from the outer surface adds the thickness of the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pcbrules.analysis.vias.plated_holes import BarrelEnd, depth_tolerance, drills_from
from pcbrules.constants import MIL
from pcbrules.model.board import Board
from pcbrules.model.via import USED_LAYER, Backdrill, ViaType
from pcbrules.results.edits import Edits, Proposal
from pcbrules.units import as_declared, show, unit_of

MARGIN = 25e-6
"""What a residual keeps beyond the depth tolerance, so that the drill cannot cut the layer in use [m]."""

OVERSIZE = (0.2e-3, 0.16e-3)
"""How much wider than the hole a backdrill is, the usual one first [m]: Cadence's guide asks for 6 to 10 mil."""

WEB = 0.2e-3
"""Least laminate between the two backdrills of a pair [m], as VIA002 has it."""

DATUM = "target-layer"
"""The layer in use, from which the depth is counted."""


def drill_order(board: Board, name: str, found: Iterable[BarrelEnd], most: float) -> Edits:
    """Return the edits of a via type that leave stubs of a length at most [m] at some ends of its barrels.

    None where no drill is held so close, or where the record of the drill is of another kind.
    """
    kind = (board.via_types or {})[name]
    ends = [end for end in found if end.worst > most * (1 + 1e-9)]
    sides = [side for side in ("top", "bottom") if any(end.side == side for end in ends)]
    new = [side for side in sides if not drills_from(name, kind, side)]
    if not sides or (kind.backdrills and new):  # a second drill beside the first: the record becomes a list
        return ()
    edits: list[Proposal] = []
    for number, side in enumerate(sides):
        beyond = max(end.beyond for end in ends if end.side == side)
        made = (_ordered(board, name, kind, side, most, number if len(new) > 1 else None) if new
                else _closer(board, name, kind, side, most - beyond))
        if not made:
            return ()
        edits += made
    return tuple(edits)


def _residual(most: float, tolerance: float, unit: str) -> float:
    """The nominal residual of a stub, on the steps in which it is written; 0 where the drill may cut the layer. [m]"""
    step = 0.1 * MIL if unit in ("mil", "in") else 1e-6
    residual = math.floor((most - tolerance) / step + 1e-6) * step
    return residual if residual >= (tolerance + MARGIN) * (1 - 1e-9) else 0.0


def _closer(board: Board, name: str, kind: ViaType, side: str, most: float) -> Edits:
    """A drill that is ordered already, with another residual; none where its record gives a depth, or is one of two."""
    drills = drills_from(name, kind, side)
    place, drill = drills[0]
    stated = drill.residual
    if len(drills) > 1 or stated is None:
        return ()
    tolerance = stated.plus if stated.plus is not None else depth_tolerance(board, drill)
    residual = _residual(most, tolerance, unit_of(stated.text))
    if not residual:
        return ()
    edits = (Proposal((*place, "residual"), as_declared(residual, stated)),)
    return edits if drill.datum == DATUM else (*edits, Proposal((*place, "datum"), DATUM))


def _ordered(board: Board, name: str, kind: ViaType, side: str, most: float, number: int | None) -> Edits:
    """A drill that nobody has ordered yet, in the unit of the hole."""
    unit = unit_of(kind.drill.text) or "mil"
    tolerance = depth_tolerance(board, Backdrill(side="top" if side == "top" else "bottom"))
    residual = _residual(most, tolerance, unit)
    if not residual:
        return ()
    keys = {"side": side, "must_not_cut": USED_LAYER, "residual": show(residual, unit, 4),
            "tolerance": show(tolerance, unit, 4), "datum": DATUM, "diameter": show(_diameter(board, kind), unit, 4)}
    place = ("via_types", name, "backdrill", *(() if number is None else (number,)))
    return tuple(Proposal((*place, key), value) for key, value in keys.items())


def _diameter(board: Board, kind: ViaType) -> float:
    """A diameter that keeps off the planes and off the other leg's drill where one does. [m]"""
    own = board.declared_fabrication
    stated = own.tolerances.registration if own else None
    apart = float(stated.value) if stated is not None else board.fabrication.registration
    for more in OVERSIZE:
        wide = kind.drill.value + more
        clear = kind.antipad is None or (kind.antipad.width.value - wide) / 2 >= apart * (1 - 1e-9)
        if clear and (kind.pitch is None or kind.pitch.value - wide >= WEB * (1 - 1e-9)):
            return float(wide)
    return float(kind.drill.value) + OVERSIZE[-1]
