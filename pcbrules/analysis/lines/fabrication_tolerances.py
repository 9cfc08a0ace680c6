# SPDX-License-Identifier: MIT
"""How far fabrication may be off the section of one trace."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.lines.impedance_tolerance import NAMES
from pcbrules.model.board import Board
from pcbrules.model.link import Trace
from pcbrules.model.stackup import Dielectric
from pcbrules.units import Quantity, UnitError, parse


def tolerances(board: Board, trace: Trace) -> dict[str, float]:
    """Half widths of width and registration [m], and of dielectric height, copper thickness and Dk [-], of one trace.

    A tolerance of the trace or of a layer wins over the board's own, that over the fabrication class. Of a lopsided
    one the larger side counts; of the two sides of the trace the looser one.
    """
    stack = board.stack
    if stack is None:
        raise ValueError("a trace needs a stackup")
    own = board.declared_fabrication.tolerances if board.declared_fabrication else None
    fab = board.fabrication

    def usual(name: str, otherwise: float) -> float:
        given = getattr(own, name) if own is not None else None
        return otherwise if given is None else float(given.value)

    heights: list[float] = []
    dks: list[float] = []
    for up in (True, False):
        reference = stack.reference(trace.layer, up=up, planes=trace.planes)
        plies = [ply.spec for ply in reference.plies if isinstance(ply.spec, Dielectric)] if reference else []
        off = 0.0
        for spec in plies:
            of_height = half_width(spec.thickness)
            off += usual("dielectric", fab.dielectric) * spec.thickness.value if of_height is None else of_height
            of_dk = half_width(spec.dk) if spec.dk is not None else None
            dks.append(usual("dk", fab.dk) if of_dk is None or spec.dk is None else of_dk / spec.dk.value)
        heights += [off / sum(spec.thickness.value for spec in plies)] if plies else []
    copper = stack.copper(trace.layer).spec.thickness
    of_copper = half_width(copper)
    stated = half_width(trace.width)
    width = _width(own.width if own is not None else None, trace, fab.width) if stated is None else stated
    beside = None if trace.coplanar is None else trace.coplanar.gap
    of_gap = max((half_width(gap) or 0.0 for gap in (trace.gap, beside) if gap is not None), default=0.0)
    return {
        "width": max(width, of_gap),
        "dielectric": max(heights, default=usual("dielectric", fab.dielectric)),
        "copper": usual("copper", fab.copper) if of_copper is None else of_copper / copper.value,
        "dk": max(dks, default=usual("dk", fab.dk)),
        "registration": usual("registration", fab.registration),
    }


def class_tolerances(board: Board, trace: Trace) -> tuple[str, ...]:
    """Which of the half widths of one trace an assumed class alone gives; empty where the board file names it."""
    if board.names_class:
        return ()
    fab = board.fabrication
    wider = fab.model_copy(update={name: 2 * getattr(fab, name) for name in NAMES})
    here, there = tolerances(board, trace), tolerances(replace(board, fabrication=wider), trace)
    taken = [name for name in NAMES if here[name] != there[name]]
    if not taken:
        return ()
    return (f"tolerances of {', '.join(taken)} of fabrication class {fab.id}: `fabrication.class` is not declared",)


def _width(given: Quantity | None, trace: Trace, otherwise: float) -> float:
    """Width tolerance [m]: the board's own, a length or a share of the width, else that of the class."""
    if given is None:
        return otherwise
    try:
        return parse(given.text, "ratio").value * float(trace.width.value)
    except UnitError:
        return float(given.value)
