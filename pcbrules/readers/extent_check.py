# SPDX-License-Identifier: MIT
"""Is the board large enough for what lies on it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot

from pcbrules.document import Path
from pcbrules.model.board import BoardLink
from pcbrules.model.board_file import BoardFile
from pcbrules.model.outline import Outline
from pcbrules.model.rail import Rail
from pcbrules.model.stack import Stack
from pcbrules.readers.names import Names
from pcbrules.readers.written import like
from pcbrules.units import Quantity, show

TO_AND_FRO = 5.0
"""Longest trace over width and height of the board together [-]; practice: cards that imitate long channels reach 4."""
EDGE = 1.001
"""By how much what lies on a board may be larger than its outline, for rounding. [-]"""
THICKER = 1.25
"""By how much a via may be longer than the layers add up to [-]: pads, solder, and boards at their upper tolerance."""

Spot = tuple[float, float]


def check_extents(file: BoardFile, stack: Stack | None, links: tuple[BoardLink, ...], names: Names) -> None:
    """Keep a problem for what is longer or wider than the board, and a warning for what hardly fits."""
    size = file.board.size
    lengths = {link.name: [trace.length.value for _, trace in link.traces()] for link in links}
    for link in links:
        for step, trace in link.traces():
            _check_trace(trace.length, size, (*step.path, "length"), names)
        _check_neighbours(link, lengths, names)
    for name, rail in (file.rails or {}).items():
        at: Path = ("rails", name)
        for path, mounting in _mountings(rail, at):
            if stack is not None and mounting.value > stack.thickness * THICKER:
                names.fault(path, "the vias of a part are longer than the board is thick", found=mounting.text,
                            expected=f"at most the layers, {like(mounting, stack.thickness)}", fix="check the unit")
        _check_rings(rail, at, names)
        if size is not None:
            _check_rail(rail, size, at, names)
    arrays = file.thermal.via_arrays if file.thermal else None
    for name, array in (arrays or {}).items():
        room = array.count * array.pitch.value**2
        if size is not None and room > size.width.value * size.height.value * EDGE:
            names.fault(("thermal", "via_arrays", name, "count"), "the board has no room for so many vias",
                        found=f"{array.count} at a pitch of {array.pitch.text}",
                        expected=f"a field within {size.width.text} x {size.height.text}", fix="check count and pitch")


def _check_trace(length: Quantity, size: Outline | None, path: Path, names: Names) -> None:
    across = size.width.value + size.height.value if size is not None else 0.0
    if size is not None and length.value > TO_AND_FRO * across:
        names.fault(path, "this board holds no trace of this length", found=length.text,
                    expected=f"at most {like(length, TO_AND_FRO * across)}: {TO_AND_FRO:g} times {size.width.text} and "
                    f"{size.height.text}, its `size`", fix="check the unit")
    elif size is not None and length.value > across * EDGE:
        names.doubt(path, f"the trace is longer than the board's width and height together ({length.text}, "
                    f"{like(length, across)})", "check the unit; if the trace meanders, accept the finding")


def _check_neighbours(link: BoardLink, lengths: Mapping[str, list[float]], names: Names) -> None:
    """No other link runs longer beside a trace than its own traces are long; ``lengths`` are those of all links. [m]"""
    for step, trace in link.traces():
        for i, near in enumerate(trace.neighbours or ()):
            own = lengths.get(near.link or "", [])
            whole, run = sum(own), near.coupled_length
            if own and whole * EDGE < run.value <= trace.length.value * EDGE:
                names.fault((*step.path, "neighbours", i, "coupled_length"),
                            f"the traces of {near.link} are shorter than this", found=run.text,
                            expected=f"at most {like(run, whole)}, all of them together",
                            fix="give the length over which both run side by side")


def _mountings(rail: Rail, at: Path) -> Iterator[tuple[Path, Quantity]]:
    for i, step in enumerate(rail.ladder or ()):
        if step.bank is not None and step.bank.mounting is not None:
            yield (*at, "ladder", i, "bank", "mounting", "via_length"), step.bank.mounting.via_length


def _check_rings(rail: Rail, at: Path, names: Names) -> None:
    """The outer radius of a ring of plane is the larger one."""
    for i, step in enumerate(rail.ladder or ()):
        ring = step.spreading
        if ring is None or ring.inner_radius is None or ring.outer_radius is None:
            continue
        if ring.outer_radius.value <= ring.inner_radius.value:
            names.fault((*at, "ladder", i, "spreading", "outer_radius"),
                        "the outer radius is not larger than the inner one", found=ring.outer_radius.text,
                        expected=f"more than {ring.inner_radius.text}", fix="exchange both, or check the units")


def _check_rail(rail: Rail, size: Outline, at: Path, names: Names) -> None:
    """Distances are no longer than the board's diagonal, and drawn planes no larger than the board."""
    diagonal = hypot(size.width.value, size.height.value)
    for path, length in _lengths(rail, at):
        if length.value > diagonal * EDGE:
            names.fault(path, "this is longer than the diagonal of the board", found=length.text,
                        expected=f"at most {like(length, diagonal)}", fix="check the unit, or `board.size`")
    for path, places in _drawn(rail, at):
        sides = [max(axis) - min(axis) for axis in zip(*places, strict=True)]
        board = sorted((size.width.value, size.height.value))
        if any(side > most * EDGE for side, most in zip(sorted(sides), board, strict=True)):
            names.fault(path, "the planes are larger than the board", found=_by(*sides),
                        expected=f"within {size.width.text} x {size.height.text}, the `size` of the board",
                        fix="check the units of the places, or `board.size`")


def _lengths(rail: Rail, at: Path) -> Iterator[tuple[Path, Quantity]]:
    """Lengths in the plane of the board."""
    vrm = rail.vrm
    given: dict[Path, Quantity | None] = {(*at, "vrm", "distance"): vrm.distance if vrm else None}
    for i, phase in enumerate((vrm.phase_positions if vrm else None) or ()):
        given[(*at, "vrm", "phase_positions", i, "distance")] = phase.distance
    for i, step in enumerate(rail.ladder or ()):
        if step.bank is not None:
            given[(*at, "ladder", i, "bank", "distance")] = step.bank.distance
        for key in ("length", "width", "inner_radius", "outer_radius") if step.spreading is not None else ():
            given[(*at, "ladder", i, "spreading", key)] = getattr(step.spreading, key)
    yield from ((path, length) for path, length in given.items() if length is not None)


def _drawn(rail: Rail, at: Path) -> Iterator[tuple[Path, list[Spot]]]:
    """Corners of what is drawn in one frame: the copper of a rail with its return, and its layout."""
    if rail.copper is not None:
        sides = [rail.copper, *([rail.copper.return_side] if rail.copper.return_side else [])]
        yield (*at, "copper"), [corner for side in sides for sheet in side.sheets for shape in sheet.shapes
                                for corner in shape.polygon]
    if rail.layout is not None:
        yield (*at, "layout"), list(rail.layout.corners)


def _by(width: float, height: float) -> str:
    return f"{show(width, 'mm', 4)} x {show(height, 'mm', 4)}"
