# SPDX-License-Identifier: MIT
"""What is left of each plated hole that a link uses: its barrel, its two ends, and the depth of the drill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.link import Via
from pcbrules.model.stack import Stack
from pcbrules.model.via import USED_LAYER, Backdrill, ViaType


@dataclass(frozen=True, slots=True)
class BarrelEnd:
    """The barrel beyond the layer on which the signal enters or leaves, towards one surface.

    ``undrilled`` is its length without backdrill, ``nominal`` with it, ``worst`` at the worst depth [m]. ``removed``
    tells whether a drill comes from this side; ``gap`` why the drill leaves no known length, with the missing key.
    """

    side: str
    undrilled: float
    nominal: float
    worst: float
    removed: bool
    gap: tuple[str, str] | None
    reads: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Barrel:
    """One via of a link: its type, the length that the signal travels, and its ends (top first)."""

    step: Step
    via: Via
    kind: ViaType
    through: float
    ends: tuple[BarrelEnd, BarrelEnd]


def barrels(board: Board, link: BoardLink) -> Iterator[Barrel]:
    """The vias of a link with their ends."""
    if board.stack is None:
        return
    for step, via in link.vias():
        yield barrel(board, step, via)


def barrel(board: Board, step: Step, via: Via) -> Barrel:
    """One via of a path. The board has been checked: layers and type exist, the span reaches both layers."""
    stack = board.stack
    if stack is None:
        raise ValueError("a via needs a stackup")
    kind = (board.file.via_types or {})[via.type]
    upper, lower = sorted((via.enter, via.leave), key=stack.order)
    top_end = _end(board, stack, step, via, kind, "top", upper)
    bottom_end = _end(board, stack, step, via, kind, "bottom", lower)
    through = stack.copper(lower).top - stack.copper(upper).bottom
    return Barrel(step, via, kind, through, (top_end, bottom_end))


def _end(
    board: Board, stack: Stack, step: Step, via: Via, kind: ViaType, side: str, used: str
) -> BarrelEnd:
    layer = stack.copper(used)
    start, stop = stack.copper(kind.span[0]), stack.copper(kind.span[1])
    reads: list[Path] = [(*step.path, "enter"), (*step.path, "leave"), ("via_types", via.type, "span")]
    full = layer.top - start.top if side == "top" else stop.bottom - layer.bottom
    if layer is (start if side == "top" else stop):
        full = 0.0
    drill = next(((i, d) for i, d in enumerate(kind.backdrills) if d.side == side), None)
    if drill is None or full == 0.0:
        return BarrelEnd(side, full, full, full, drill is not None, None, tuple(reads))
    index, spec = drill
    place: Path = ("via_types", via.type, "backdrill")
    if isinstance(kind.backdrill, tuple):
        place = (*place, index)
    if spec.residual is not None and spec.must_not_cut is None:
        gap = "the layer that the backdrill must not cut is not given", f"{show_path(place)}.must_not_cut"
        return BarrelEnd(side, full, full, full, True, gap, tuple(reads))
    nominal, minus_plus, key = _residual(board, stack, spec, side, used, full)
    reads.insert(0, (*place, key))
    if nominal < 0:
        gap = f"the backdrill would cut {used}, which the link uses", f"{show_path(place)}.{key}"
        return BarrelEnd(side, full, full, full, True, gap, tuple(reads))
    nominal = min(nominal, full)
    worst = min(nominal + minus_plus, full)
    return BarrelEnd(side, full, nominal, worst, True, None, tuple(reads))


def _residual(
    board: Board, stack: Stack, drill: Backdrill, side: str, used: str, full: float
) -> tuple[float, float, str]:
    """Nominal residual beyond the layer in use, its tolerance [m], and the key that sets it."""
    tolerance = depth_tolerance(board, drill)
    layer = stack.copper(used)
    if drill.depth is not None:
        stated = drill.depth.minus
        nominal = full - drill.depth.value
        drilled = drill.depth.value
        key = "depth"
    else:
        residual = drill.residual
        if residual is None:
            raise ValueError("a backdrill has a residual or a depth")
        stated = residual.plus
        named = drill.must_not_cut
        keep = layer if named is None or named == USED_LAYER else stack.copper(named)
        offset = layer.top - keep.top if side == "top" else keep.bottom - layer.bottom
        nominal = offset + residual.value
        drilled = full - nominal
        key = "residual"
    depth = tolerance if stated is None else stated
    if drill.datum == "outer-surface":
        depth += thickness_tolerance(board) * max(drilled, 0.0)
    return nominal, depth, key


def depth_tolerance(board: Board, drill: Backdrill) -> float:
    """Tolerance of the drill's depth [m]: of the drill, of the board, of the fabrication class."""
    if drill.tolerance is not None:
        return float(drill.tolerance.value)
    own = board.file.fabrication.tolerances.backdrill if board.file.fabrication else None
    return float(own.value) if own is not None else board.fabrication.backdrill


def thickness_tolerance(board: Board) -> float:
    """Relative tolerance of the board's thickness [-]."""
    own = board.file.fabrication.tolerances.thickness if board.file.fabrication else None
    return float(own.value) if own is not None else board.fabrication.thickness
