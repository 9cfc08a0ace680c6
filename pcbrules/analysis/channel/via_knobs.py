# SPDX-License-Identifier: MIT
"""The dimensions of a via that raise or lower its impedance, within what the board's fabricator can make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from pcbrules.analysis.channel.elements import Part
from pcbrules.analysis.vias.drill_order import MARGIN
from pcbrules.analysis.vias.plated_holes import depth_tolerance
from pcbrules.constants import MIL
from pcbrules.model.board import Board
from pcbrules.model.via import Backdrill, ViaType
from pcbrules.physics.vias.stub import GAPS
from pcbrules.results.place import Address
from pcbrules.ties import greatest_of
from pcbrules.units import Quantity, as_declared, unit_of

LEAST_STUB = 5 * MIL
"""Least nominal residual that is asked for, whatever tolerance the file declares [m]: practice, controlled depth."""

WIDER, APART = 1.5, 1.25
"""Most that an antipad may grow beside its pitch, and a pitch, over what they are [-]: practice."""

FARTHEST = 2.5e-3
"""Most that ground vias are moved away [m]: practice, those further away do not carry the return current of a via."""

STEPS = {"mil": 0.5 * MIL, "in": 0.5 * MIL}
"""Steps in which a dimension is written by the unit that it has in the file; 10 um in a metric one [m]."""

FINE = 0.1 * MIL
"""Step in which a stub is written [m]."""


@dataclass(frozen=True)
class Knob:
    """A dimension of a via type: its address, what it ``was``, the furthest value [m], and the type with another.

    ``shorter`` says that it is the stub of the via itself, whatever makes it so; ``was`` is its length then.
    """

    path: Address
    was: Quantity
    end: float
    step: float
    kind: Callable[[ViaType, float], ViaType] = field(compare=False)
    shorter: bool = False

    @property
    def now(self) -> float:
        """The value that it has. [m]"""
        return float(self.was.value)

    def text(self, value: float) -> str:
        """A value as the file would write it."""
        return as_declared(value, self.was)

    def part_way(self, share: float) -> float:
        """The value a share of the way to the end, on the steps of the dimension, rounded towards the end."""
        value = self.now + share * (self.end - self.now)
        if self.end > self.now:
            return _up(value, self.step)
        return math.floor(value / self.step + 1e-9) * self.step


def knobs(board: Board, kind: ViaType, part: Part, name: str, *, low: bool, far: float) -> Iterator[Knob]:
    """The dimensions of a via that raise a low impedance, or lower a high one, in the order of what they cost.

    No end asks for what STK011 and VIA002 refuse under the board's fabrication class, nor for ground vias further away
    than ``far`` [m], from which on VIA001 is no longer met, or than FARTHEST.
    """
    fab, place = board.fabrication, ("via_types", name)
    if low:
        yield from _stub(board, kind, part, place)
    if kind.antipad is not None:
        width, drill, step = kind.antipad.width.value, kind.drill.value, _step(kind.antipad.width)
        room = max(width, WIDER * kind.pitch.value) if kind.pitch is not None else WIDER * width
        if kind.return_vias is not None and kind.return_vias.count:  # they stand in copper of the planes
            beside = kind.return_vias.distance.value - drill / 2 - kind.antipad_reach
            room = min(room, max(width, math.floor((width + 2 * beside) / step + 1e-9) * step))
        pad = kind.pad.value if kind.pad is not None else 0.0
        least = max(drill + 2 * max(GAPS[0], fab.hole_to_copper), pad,
                    *(_backdrill(one) + 2 * fab.registration for one in kind.backdrills))
        end = min(drill + 2 * GAPS[1], room) if low else _up(least, step)
        if (end > width) is low and end != width:
            yield Knob((*place, "antipad", "width"), kind.antipad.width, end, step, _with_antipad)
    apart = (kind.pad.value if kind.pad is not None else kind.drill.value + 2 * fab.ring) + fab.outer_space
    if kind.return_vias is not None:
        now, step = kind.return_vias.distance.value, _step(kind.return_vias.distance)
        near = max(1.5 * kind.drill.value, apart, kind.antipad_reach + kind.drill.value / 2)
        end = math.floor(min(far, FARTHEST) / step * (1 - 1e-9)) * step if low else _up(near, step)
        if (end > now) is low and end != now:
            yield Knob((*place, "return_vias", "distance"), kind.return_vias.distance, end, step, _with_grounds)
    if kind.pitch is not None:
        now, step = kind.pitch.value, _step(kind.pitch)
        end = now * APART if low else max(now / APART, _up(apart, step))
        if (end > now) is low and end != now:
            yield Knob((*place, "pitch"), kind.pitch, end, step, _with_pitch)


def _stub(board: Board, kind: ViaType, part: Part, place: tuple[str, ...]) -> Iterator[Knob]:
    """The residual of its drill, no closer than its tolerance and the class allow; without one the stub itself."""
    longest = greatest_of(part.ends, key=lambda end: end.worst, default=None)
    if longest is None or longest.worst <= 0:
        return
    for path, drill in kind.backdrills_at(place):
        if longest.removed and drill.side == longest.side and drill.residual is not None:
            least = max(longest.tolerance + MARGIN, LEAST_STUB) - longest.beyond
            end = _up(max(least, FINE), FINE)
            if end < drill.residual.value:
                yield Knob((*path, "residual"), drill.residual, end, FINE, partial(_with_residual, drill=drill))
            return
    held = depth_tolerance(board, Backdrill(side="top" if longest.side == "top" else "bottom"))
    worst = max(held + MARGIN, LEAST_STUB) + held
    if not longest.removed and longest.worst > worst:
        now = Quantity(longest.worst, text=kind.drill.text)
        yield Knob((*place, "backdrill"), now, worst, FINE, _unchanged, shorter=True)


def _step(was: Quantity) -> float:
    """The step in which a dimension is written. [m]"""
    return float(STEPS.get(unit_of(was.text), 10e-6))


def _backdrill(drill: Backdrill) -> float:
    return drill.diameter.value if drill.diameter is not None else 0.0


def _up(length: float, step: float) -> float:
    """The next step from a length on. [m]"""
    return math.ceil(length / step - 1e-9) * step


def _unchanged(kind: ViaType, _: float) -> ViaType:
    return kind


def _as(quantity: Quantity, value: float) -> Quantity:
    return replace(quantity, value=value, text="")


def _with_antipad(kind: ViaType, width: float) -> ViaType:
    """Another width; an oval keeps its excess of length."""
    old = kind.antipad
    if old is None:
        return kind
    length = old.length and _as(old.length, old.length.value + width - old.width.value)
    antipad = old.model_copy(update={"width": _as(old.width, width), "length": length})
    return kind.model_copy(update={"antipad": antipad})


def _with_grounds(kind: ViaType, distance: float) -> ViaType:
    old = kind.return_vias
    if old is None:
        return kind
    return kind.model_copy(update={"return_vias": old.model_copy(update={"distance": _as(old.distance, distance)})})


def _with_pitch(kind: ViaType, pitch: float) -> ViaType:
    """Another pitch; an oval antipad is as much longer."""
    if kind.pitch is None:
        return kind
    more = pitch - kind.pitch.value
    antipad = kind.antipad
    if antipad is not None and antipad.length is not None:
        antipad = antipad.model_copy(update={"length": _as(antipad.length, antipad.length.value + more)})
    return kind.model_copy(update={"pitch": _as(kind.pitch, pitch), "antipad": antipad})


def _with_residual(kind: ViaType, residual: float, *, drill: Backdrill) -> ViaType:
    if drill.residual is None:
        return kind
    other = drill.model_copy(update={"residual": _as(drill.residual, residual)})
    drills = tuple(other if one == drill else one for one in kind.backdrills)
    return kind.model_copy(update={"backdrill": drills if isinstance(kind.backdrill, tuple) else drills[0]})
