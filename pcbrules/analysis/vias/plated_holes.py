# SPDX-License-Identifier: MIT
"""What is left of each plated hole that a link uses: its barrel, its two ends, and the depth of the drill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.layer_heights import height
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.vias.class_figures import class_depth
from pcbrules.brief import brief
from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.link import Via
from pcbrules.model.stack import Placed, PlacedCopper, Stack
from pcbrules.model.via import USED_LAYER, Backdrill, ViaType
from pcbrules.ties import least_of, ordered


@dataclass(frozen=True, slots=True)
class BarrelEnd:
    """The barrel beyond the layer on which the signal enters or leaves, towards one surface.

    ``undrilled`` is its length without backdrill, ``nominal`` with it, ``worst`` and ``least`` at the shallowest and
    the deepest drill [m]; ``least`` below zero means that the drill may cut the layer in use. ``height_tolerance`` is
    what the layer heights may add to ``worst`` [m]. ``tolerance`` is the drill's own half width and ``beyond`` the
    distance from the layer in use to the layer that the drill must not cut [m]. ``removed`` tells whether a drill comes
    from this side; ``gap`` why the drill leaves no known length, with the missing key; ``of_class`` what the drill's
    depth takes from the fabrication class.
    """

    side: str
    undrilled: float
    nominal: float
    worst: float
    removed: bool
    gap: tuple[str, str] | None
    reads: tuple[Path, ...]
    least: float = 0.0
    height_tolerance: float = 0.0
    tolerance: float = 0.0
    beyond: float = 0.0
    of_class: tuple[str, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Barrel:
    """One via of a link: its type, the length that the signal travels, and its ends (top first)."""

    stack: Stack
    step: PathStep
    via: Via
    kind: ViaType
    through: float
    ends: tuple[BarrelEnd, BarrelEnd]

    @property
    def used(self) -> tuple[PlacedCopper, PlacedCopper]:
        """The upper and the lower one of the layers on which the signal enters and leaves."""
        first, last = ordered((self.via.enter, self.via.leave), key=self.stack.order)
        return self.stack.copper(first), self.stack.copper(last)

    @property
    def ports(self) -> tuple[BarrelEnd, BarrelEnd]:
        """The end beyond the layer on which the signal enters (port 1), then that beyond the other one (port 2)."""
        top, bottom = self.ends
        return (top, bottom) if self.stack.order(self.via.enter) < self.stack.order(self.via.leave) else (bottom, top)


@dataclass(frozen=True, slots=True)
class Tip:
    """Where one drill stops: distance beyond the layer in use nominal, shallowest and deepest, and more [m].

    ``keep`` is the layer that the drill must not cut, ``beyond`` how far that lies beyond the layer in use, ``key``
    what in the drill's record gives the depth, ``of_class`` what that takes from the fabrication class.
    """

    nominal: float
    shallow: float
    deep: float
    tolerance: float
    beyond: float
    key: str
    crossed: tuple[Placed, ...]
    keep: Placed
    of_class: tuple[str, ...]


def barrels(board: Board, link: BoardLink) -> Iterator[Barrel]:
    """The vias of a link with their ends."""
    if board.stack is None:
        return
    for step, _ in link.vias():
        yield barrel(board, step)


@once_a_board
def barrel(board: Board, step: PathStep) -> Barrel:
    """One via of a path. The board has been checked: layers and type exist, the span reaches both layers."""
    stack, via = board.stack, step.body
    if stack is None or not isinstance(via, Via):
        raise ValueError("a barrel needs a stackup and a via")
    kind = (board.via_types or {})[via.type]
    upper, lower = ordered((via.enter, via.leave), key=stack.order)
    top_end = _end(board, stack, step, via, kind, "top", upper)
    bottom_end = _end(board, stack, step, via, kind, "bottom", lower)
    through = stack.copper(lower).top - stack.copper(upper).bottom
    return Barrel(stack, step, via, kind, through, (top_end, bottom_end))


def _end(board: Board, stack: Stack, step: PathStep, via: Via, kind: ViaType, side: str, used: str) -> BarrelEnd:
    layer = stack.copper(used)
    last = stack.copper(kind.span[0 if side == "top" else 1])
    reads: tuple[Path, ...] = ((*step.path, "enter"), (*step.path, "leave"), ("via_types", via.type, "span"))
    full = _distance(layer, last, side)
    of_heights = height(board, _between(stack, layer, last)).plus
    drills = drills_from(via.type, kind, side)
    if not drills:
        return BarrelEnd(side, full, full, full, False, None, reads, least=full, height_tolerance=of_heights)

    def lost(reason: str, place: Path, key: str) -> BarrelEnd:
        gap = reason, f"{show_path(place)}.{key}"
        return BarrelEnd(side, full, full, full, True, gap, ((*place, key), *reads), least=full,
                         height_tolerance=of_heights)

    tips: list[tuple[Tip, Path]] = []
    for place, drill in drills:
        if drill.residual is not None and drill.must_not_cut is None:
            return lost("the layer that the backdrill must not cut is not declared", place, "must_not_cut")
        tip = drill_tip(board, stack, drill, side, layer, place=place)
        if tip.nominal < 0:
            return lost(f"the backdrill would cut {used}, which the link uses", place, tip.key)
        tips.append((tip, place))
    tip, place = least_of(tips, key=lambda found: found[0].shallow)
    rest = height(board, tip.crossed).plus
    return BarrelEnd(
        side,
        undrilled=full,
        nominal=min(tip.nominal, full),
        worst=min(tip.shallow, full),
        removed=True,
        gap=None,
        reads=((*place, tip.key), *reads),
        least=min(full, *(found.deep for found, _ in tips)),
        height_tolerance=of_heights if tip.shallow >= full else min(rest, max(full + of_heights - tip.shallow, 0.0)),
        tolerance=tip.tolerance,
        beyond=tip.beyond,
        of_class=tip.of_class,
    )


def drills_from(name: str, kind: ViaType, side: str) -> list[tuple[Path, Backdrill]]:
    """The backdrills of a via type from one surface, each with its place in the board file."""
    return [(place, drill) for place, drill in kind.backdrills_at(("via_types", name)) if drill.side == side]


def _distance(layer: Placed, other: Placed, side: str) -> float:
    """From the far face of a layer to the far face of another, towards one surface. [m]"""
    return layer.top - other.top if side == "top" else other.bottom - layer.bottom


def _between(stack: Stack, layer: Placed, other: Placed) -> tuple[Placed, ...]:
    """The layers from one copper layer (left out) to another (taken in)."""
    a, b = stack.place(layer), stack.place(other)
    return stack.layers[b:a] if b < a else stack.layers[a + 1 : b + 1]


def drill_tip(board: Board, stack: Stack, drill: Backdrill, side: str, layer: Placed, *, place: Path) -> Tip:
    """Where a drill stops, measured from the far face of the layer in use towards the drill's surface."""
    surface = stack.coppers[0 if side == "top" else -1]
    usual = depth_tolerance(board, drill)
    if drill.depth is not None:
        # a depth counts from the outer surface of the board whatever the datum, so its thickness adds to the error
        nominal, stated, key = _distance(layer, surface, side) - drill.depth.value, drill.depth, "depth"
        shallower, deeper, keep = stated.minus, stated.plus, layer
        drilled = drill.depth.value
    else:
        if drill.residual is None:
            raise ValueError("a backdrill has a residual or a depth")
        named = drill.must_not_cut
        keep = layer if named is None or named == USED_LAYER else stack.copper(named)
        nominal, stated, key = _distance(layer, keep, side) + drill.residual.value, drill.residual, "residual"
        shallower, deeper = stated.plus, stated.minus
        drilled = _distance(layer, surface, side) - nominal
    drilled_tolerance = thickness_tolerance(board) * max(drilled, 0.0)
    stack_error = drilled_tolerance if from_surface(drill) else 0.0
    up, down = (usual if part is None else part for part in (shallower, deeper))
    return Tip(
        nominal=nominal,
        shallow=nominal + up + stack_error,
        deep=nominal - down - stack_error,
        tolerance=up,
        beyond=_distance(layer, keep, side),
        key=key,
        crossed=_between(stack, layer, keep) if keep is not layer else (),
        keep=keep,
        of_class=tuple(class_depth(board, drill, place, surface=from_surface(drill))),
    )


def from_surface(drill: Backdrill) -> bool:
    """True if the depth counts from the outer surface, or may: nothing else is said of it."""
    return drill.depth is not None or drill.datum != "target-layer"


def depth_tolerance(board: Board, drill: Backdrill) -> float:
    """Tolerance of the drill's depth [m]: of the drill, of the board, of the fabrication class."""
    if drill.tolerance is not None:
        return float(drill.tolerance.value)
    own = board.declared_fabrication.tolerances.backdrill if board.declared_fabrication else None
    return float(own.value) if own is not None else board.fabrication.backdrill


def thickness_tolerance(board: Board) -> float:
    """Relative tolerance of the board's thickness [-]: of the thickness itself, of the board, of the class."""
    declared = board.thickness
    stated = half_width(declared.value) if declared is not None else None
    if declared is not None and stated is not None:
        return stated / float(declared.value.value)
    own = board.declared_fabrication.tolerances.thickness if board.declared_fabrication else None
    return float(own.value) if own is not None else board.fabrication.thickness
