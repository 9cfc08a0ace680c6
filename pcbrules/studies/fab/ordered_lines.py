# SPDX-License-Identifier: MIT
"""The controlled impedances of a board: one entry a cross-section, layer and target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.impedance import is_neck
from pcbrules.analysis.lines.task import LineTask
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Trace
from pcbrules.model.stack import Stack
from pcbrules.studies.fab.order import OrderedLine, OrderedPlane, Tolerance
from pcbrules.studies.fab.ordered_sheets import class_source
from pcbrules.studies.lines import Geometry, lines
from pcbrules.studies.names import reason
from pcbrules.ties import ordered

COUPON_FREQUENCIES = (4e9, 8e9, 12.890625e9, 16e9)
"""Where the loss of a coupon is read [Hz]: practice; Nyquist of 8, 16, 25.78125 and 32 GBd."""

COUPON_TEMPERATURE = 23.0
"""At which a coupon is measured, after baking [degC]: IPC-TM-650 2.5.5.14 (February 2021), 3.8."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A trace with its cross-section, or why it has none."""

    link: BoardLink
    step: PathStep
    trace: Trace
    target: float | None
    geometry: Geometry | None
    why: str

    @property
    def neck(self) -> bool:
        return self.geometry is not None and is_neck(self.link, self.step, self.geometry.line.delay)

    @property
    def key(self) -> tuple[object, ...]:
        """What traces of one entry have in common."""
        trace = self.trace
        sizes = [None if one is None else one.value for one in (trace.width, trace.top_width, trace.gap)]
        beside = trace.coplanar.gap.value if trace.coplanar else None
        second = (trace.broadside.layer, trace.broadside.offset.value) if trace.broadside else None
        return trace.layer, *sizes, beside, second, self.target, trace.breakout, self.neck


def ordered_lines(board: Board) -> tuple[OrderedLine, ...]:
    """Every impedance that a link needs, layers from the top; empty without a stackup or links."""
    if board.stack is None:
        return ()
    found: dict[tuple[object, ...], list[_Use]] = {}
    for use in _uses(board):
        found.setdefault(use.key, []).append(use)
    stack = board.stack
    groups = ordered(found.values(), key=lambda uses: stack.order(uses[0].trace.layer))
    return tuple(_line(board, stack, number, uses) for number, uses in enumerate(groups, 1))


def _uses(board: Board) -> Iterator[_Use]:
    solved = lines(board, cold=COUPON_TEMPERATURE, hot=COUPON_TEMPERATURE, frequencies=COUPON_FREQUENCIES)
    known = {(use.link, use.step): (use.target, one, "") for one in solved.geometries for use in one.uses}
    lost = {(use.link, use.step): (use.target, None, reason(why)) for use, why in solved.missing}
    every: dict[tuple[str, str], tuple[float | None, Geometry | None, str]] = {**known, **lost}
    for link in board.links or ():
        for step, trace in link.traces():
            yield _Use(link, step, trace, *every[link.name, step.name])


def _line(board: Board, stack: Stack, number: int, uses: list[_Use]) -> OrderedLine:
    first = next((use for use in uses if use.geometry is not None), uses[0])
    trace, one = first.trace, first.geometry
    control = board.declared_fabrication.impedance_control if board.declared_fabrication else None
    return OrderedLine(
        number=number,
        layer=trace.layer,
        kind="broadside pair" if trace.broadside else "edge-coupled pair" if trace.gap else "single trace",
        structure=_structure(stack, trace),
        width=trace.width.value,
        top_width=trace.top_width.value if trace.top_width else None,
        gap=trace.gap.value if trace.gap else None,
        side_ground=trace.coplanar.gap.value if trace.coplanar else None,
        second_layer=trace.broadside.layer if trace.broadside else "",
        offset=trace.broadside.offset.value if trace.broadside else None,
        target=first.target,
        tolerance=float(control.tolerance.value) if control else None,
        width_tolerance=_width_tolerance(board, trace),
        planes=_planes(stack, trace),
        computed=one.line.z_diff if one else None,
        error=one.error if one else None,
        spread=one.spread if one else None,
        why=first.why,
        resistance=_resistance(one.line.task) if one else None,
        losses=one.losses if one else (),
        no_loss=one.no_loss if one else first.why,
        uses=tuple(f"{use.link.name}.{use.step.name}" for use in uses),
        addresses=tuple(use.step.path for use in uses),
        breakout=trace.breakout,
        neck=first.neck,
        assumptions=one.assumptions if one else (),
    )


def _resistance(task: LineTask) -> float:
    """At direct current, both legs of a pair in series. [ohm/m]"""
    area = (task.width_foot + task.width_top) / 2 * task.thickness
    return (2 if task.pair else 1) * task.resistivity_trace / area


def _planes(stack: Stack, trace: Trace) -> tuple[OrderedPlane, ...]:
    """Reference planes above and below, each with what lies between it and the line."""
    here = stack.copper(trace.layer)
    above, below = (stack.reference(trace.layer, up=up, planes=trace.planes) for up in (True, False))
    found = [OrderedPlane(above.plane.name, here.top - above.plane.bottom)] if above else []
    return (*found, *((OrderedPlane(below.plane.name, below.plane.top - here.bottom),) if below else ()))


def _structure(stack: Stack, trace: Trace) -> str:
    if len(_planes(stack, trace)) == 2:
        return "stripline"
    if not stack.outer(trace.layer):
        return "embedded microstrip"
    mask = stack.top_mask if stack.order(trace.layer) == 0 else stack.bottom_mask
    return "microstrip under solder mask" if mask else "bare microstrip"


def _width_tolerance(board: Board, trace: Trace) -> Tolerance:
    half = tolerances(board, trace)["width"]
    own = board.declared_fabrication.tolerances.width if board.declared_fabrication else None
    if own is not None or half_width(trace.width) is not None:
        return Tolerance(half, "board file")
    return Tolerance(half, *class_source(board))
