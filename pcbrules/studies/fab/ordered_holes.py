# SPDX-License-Identifier: MIT
"""The plated holes of a board as they are ordered, and the drills that shorten them."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.vias.plated_holes import depth_tolerance, drill_tip, drills_from
from pcbrules.model.board import Board
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.via import USED_LAYER, Antipad, Backdrill, ViaType
from pcbrules.studies.fab.order import OrderedBackdrill, OrderedHole, PowerVias, Tolerance
from pcbrules.studies.fab.ordered_sheets import class_source
from pcbrules.ties import ordered
from pcbrules.units import Quantity, show


def ordered_holes(board: Board) -> tuple[OrderedHole, ...]:
    """Via types and thermal vias."""
    stack = board.stack
    if stack is None or not stack.coppers:
        return ()
    return (*(_type(board, stack, name, kind) for name, kind in (board.via_types or {}).items()),
            *_thermal(board, stack))


def _type(board: Board, stack: Stack, name: str, kind: ViaType) -> OrderedHole:
    uses = [link.name for link in board.links or () if any(via.type == name for _, via in link.vias())]
    first, last = kind.span
    return OrderedHole(
        name, kind.kind, first, last, stack.copper(last).bottom - stack.copper(first).top, kind.drill.value,
        _value(kind.finished), _value(kind.plating), _value(kind.pad), _antipad(kind.antipad), kind.fill, None,
        tuple(uses))


def _thermal(board: Board, stack: Stack) -> Iterator[OrderedHole]:
    first, last = stack.coppers[0].name, stack.coppers[-1].name
    arrays = (board.thermal.via_arrays if board.thermal else None) or {}
    for name, one in arrays.items():
        yield OrderedHole(
            f"thermal.{name}", "through", first, last, stack.thickness, one.drill.value, None, one.plating.value, None,
            "", one.fill, one.count, (f"thermal vias under {one.under}",))


def power_vias(board: Board) -> tuple[PowerVias, ...]:
    """Drills and platings of the holes that rails were checked with, each once a rail."""
    found: dict[PowerVias, None] = {}
    for rail, spec in (board.rails or {}).items():
        supply = spec.copper
        for side in (supply, supply.return_side) if supply is not None else ():
            for field in (*side.balls, *side.vias) if side is not None else ():
                if field.is_drilled:
                    found[PowerVias(rail, field.drill.value, field.plating.value)] = None
    return tuple(found)


def ordered_backdrills(board: Board) -> tuple[OrderedBackdrill, ...]:
    """One entry a via type, side and depth: ``used-layer`` is one depth for each layer on which links leave."""
    stack = board.stack
    if stack is None:
        return ()
    return tuple(one for name, kind in (board.via_types or {}).items() for side in ("top", "bottom")
                 for place, drill in drills_from(name, kind, side)
                 for one in _depths(board, stack, name, kind, side, drill, place))


def _depths(
    board: Board, stack: Stack, name: str, kind: ViaType, side: str, drill: Backdrill, place: tuple[str | int, ...]
) -> Iterator[OrderedBackdrill]:
    used: dict[str, list[str]] = {}
    for link in board.links or ():
        for step, via in link.vias():
            if via.type == name:
                ends = ordered((via.enter, via.leave), key=stack.order)
                used.setdefault(ends[0 if side == "top" else -1], []).append(f"{link.name}.{step.name}")
    outer = stack.coppers[0 if side == "top" else -1]
    surfaced = {layer: uses for layer, uses in used.items() if layer != outer.name}
    for layer in ordered(surfaced, key=stack.order):
        yield _depth(board, stack, name, kind, drill, stack.copper(layer), outer, tuple(surfaced[layer]), place)
    if not surfaced:
        named = drill.must_not_cut
        keep = "" if named in (None, USED_LAYER) else str(named)
        yield OrderedBackdrill(
            name, side, outer.name, "", keep, kind.drill.value, _value(drill.diameter), _value(drill.depth),
            _depth_tolerance(board, drill), drill.datum or "", _value(drill.residual), None, None, ())


def _depth(
    board: Board, stack: Stack, name: str, kind: ViaType, drill: Backdrill, layer: Placed, outer: Placed,
    uses: tuple[str, ...], place: tuple[str | int, ...],
) -> OrderedBackdrill:
    side = drill.side
    tip = drill_tip(board, stack, drill, side, layer, place=place)
    whole = layer.top - outer.top if side == "top" else outer.bottom - layer.bottom
    named = drill.must_not_cut is not None or drill.depth is None
    return OrderedBackdrill(
        name, side, outer.name, layer.name, tip.keep.name if named else "", kind.drill.value, _value(drill.diameter),
        whole - tip.nominal, _depth_tolerance(board, drill), drill.datum or "", _value(drill.residual),
        min(tip.shallow, whole), tip.deep - tip.beyond, uses)


def _depth_tolerance(board: Board, drill: Backdrill) -> Tolerance:
    stated = drill.depth if drill.depth is not None else drill.residual
    half = half_width(stated) if stated is not None else None
    own = board.declared_fabrication.tolerances.backdrill if board.declared_fabrication else None
    if half is not None or drill.tolerance is not None or own is not None:
        return Tolerance(depth_tolerance(board, drill) if half is None else half, "board file")
    return Tolerance(depth_tolerance(board, drill), *class_source(board))


def _antipad(antipad: Antipad | None) -> str:
    if antipad is None:
        return ""
    width = show(antipad.width.value, "mm", 4)
    return f"oval {width} x {show(antipad.length.value, 'mm', 4)}" if antipad.length else f"round {width}"


def _value(quantity: Quantity | None) -> float | None:
    return None if quantity is None else float(quantity.value)
