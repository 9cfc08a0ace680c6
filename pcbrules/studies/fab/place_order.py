# SPDX-License-Identifier: MIT
"""From a board that was checked to the order of its fabrication."""

from __future__ import annotations

from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.vias.plated_holes import thickness_tolerance
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.studies.fab.order import FabOrder, OrderedSheet, Tolerance
from pcbrules.studies.fab.ordered_holes import ordered_backdrills, ordered_holes, power_vias
from pcbrules.studies.fab.ordered_lines import COUPON_TEMPERATURE, ordered_lines
from pcbrules.studies.fab.ordered_sheets import class_source, ordered_sheets


def place_order(board: Board, document: Document) -> FabOrder:
    """All that the board file holds for its fabricator. Raises InputError for a board without a stackup."""
    if board.stack is None or not board.stack.coppers:
        raise InputError([document.problem((), "the board file has no `stackup`: there is nothing to order",
                                           fix="add the stackup")])
    sheets = ordered_sheets(board)
    masked = any(one.kind == "mask" for one in sheets)
    over = board.thickness.over if board.thickness else "mask" if masked else "copper"
    fab = board.declared_fabrication
    control = fab.impedance_control if fab else None
    total = thickness_over(sheets, over)
    return FabOrder(
        board=board.name,
        file=document.file,
        sha256=document.sha256,
        size=board.size,
        thickness=board.thickness,
        over=over,
        total=total,
        thickness_tolerance=_thickness(board, board.thickness.value.value if board.thickness else total),
        fab_class=(fab.fab_class if fab else None) or "",
        ipc_class=fab.ipc_class if fab else None,
        impedance_class=float(control.tolerance.value) if control else None,
        coupon=control.coupon if control else None,
        aspect_ratio=fab.aspect_ratio if fab else None,
        note=(fab.note if fab else None) or "",
        temperature=COUPON_TEMPERATURE,
        sheets=sheets,
        lines=ordered_lines(board),
        holes=ordered_holes(board),
        backdrills=ordered_backdrills(board),
        power=power_vias(board),
        links=tuple(link.name for link in board.links or ()),
    )


def thickness_over(sheets: tuple[OrderedSheet, ...], over: str) -> float:
    """Sum of the layers over solder mask, over copper, or of the laminate between the outer copper layers. [m]"""
    inside = [one.thickness for one in sheets if one.kind != "mask"]
    if over == "laminate":
        return sum(inside[1:-1])
    masks = [one.thickness if one.over_trace is None else one.over_trace for one in sheets if one.kind == "mask"]
    return sum(inside) + (sum(masks) if over == "mask" else 0.0)


def _thickness(board: Board, value: float) -> Tolerance:
    half = thickness_tolerance(board) * value
    fab = board.declared_fabrication
    stated = board.thickness is not None and half_width(board.thickness.value) is not None
    if stated or (fab is not None and fab.tolerances.thickness is not None):
        return Tolerance(half, "board file")
    return Tolerance(half, *class_source(board))
