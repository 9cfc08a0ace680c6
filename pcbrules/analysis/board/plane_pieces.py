# SPDX-License-Identifier: MIT
"""Supply planes that several rails share: a board file draws their copper in pieces, so such a plane is not whole."""

from __future__ import annotations

from math import hypot

from pcbrules.model.board import Board
from pcbrules.model.link import Trace
from pcbrules.model.stack import Reference
from pcbrules.units import show

FAR = 3.0
"""A second plane counts up to so many times the distance of the nearer one, as in STK007 [-]."""


def left_plane(board: Board, trace: Trace) -> str:
    """Return why a trace without a gap is not believable: no piece of its supply plane is as long as it is.

    Empty where its planes are not drawn in pieces of several rails, or where one piece may hold all of the trace.
    """
    for reference in _references(board, trace):
        pieces = _pieces(board, reference.plane.name)
        longest = max(pieces, default=0.0)
        if len(pieces) > 1 and trace.length.value > longest:
            name = reference.plane.name
            return (f"`reference_gaps` is [], but {name} is drawn as copper of {len(pieces)} rails, the longest piece "
                    f"{show(longest, 'mm')}; a trace of {show(trace.length.value, 'mm')} leaves it: list the gaps of "
                    f"{name} that it crosses")
    return ""


def _references(board: Board, trace: Trace) -> list[Reference]:
    """The planes next to a trace that carry part of its return current."""
    if board.stack is None:
        return []
    found = [one for up in (True, False)
             if (one := board.stack.reference(trace.layer, up=up, planes=trace.planes)) is not None]
    heights = [sum(ply.bottom - ply.top for ply in one.between) for one in found]
    return [one for one, height in zip(found, heights, strict=True) if height <= FAR * min(heights)]


def _pieces(board: Board, layer: str) -> list[float]:
    """The extent of what each rail draws of its supply on a layer, corner to corner. [m]"""
    found = []
    for rail in (board.rails or {}).values():
        places = [place for sheet in (rail.copper.sheets if rail.copper else ()) if sheet.layer == layer
                  for shape in sheet.shapes for place in shape.polygon]
        if places:
            xs, ys = zip(*places, strict=True)
            found.append(hypot(max(xs) - min(xs), max(ys) - min(ys)))
    return found
