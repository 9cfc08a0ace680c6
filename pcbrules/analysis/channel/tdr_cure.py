# SPDX-License-Identifier: MIT
"""What brings a via within the limit of its impedance step: stub, antipad, ground vias, pitch, each solved again.

One dimension is changed at a time, for all vias of the type in the link, within what can be made. The path is solved
anew by the solver of the reflectometer; where no dimension alone meets the limit, all are changed together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from scipy.constants import mil

from pcbrules.analysis.channel.elements import Part, via_part
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.analysis.channel.tdr_solve import TdrReading, solve_tdr
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Via
from pcbrules.model.via import Backdrill, ViaType
from pcbrules.physics.lines.wavelength import quarter_wavelength
from pcbrules.physics.vias.stub import GAPS
from pcbrules.results.facts.tdr import STUB, TOGETHER, ViaChange
from pcbrules.ties import greatest_of
from pcbrules.units import Quantity, show

LEAST_STUB = 5 * mil
"""Shortest stub that is tried where the file has no drill with a residual [m]: practice, controlled depth."""

MARGIN = 25e-6
"""What a residual keeps beyond the depth tolerance, so that the drill cannot cut the layer in use [m]."""

WIDER, APART = 1.5, 1.25
"""Most that an antipad may grow beside its pitch, and a pitch, over what they are [-]: practice."""

WITHIN = 0.98
"""Part of a quarter wave at Nyquist within which a ground via stays, so that VIA001 has it near enough [-]."""

STEP, FINE = 10e-6, 0.1 * mil
"""Steps in which a dimension is written, and a residual [m]."""

SHARES = (1.0, 0.5, 0.25)
"""Parts of the way to their ends that all dimensions are moved together [-]."""

TRIES = 3
"""Times that a value is moved on towards the end of its range."""


@dataclass(frozen=True)
class _Knob:
    """A dimension of a via type: its key, its value and the furthest one [m], and the type with another.

    ``shorter`` says that it is the stub of the via itself, whatever makes it so.
    """

    key: str
    now: float
    end: float
    step: float
    unit: str
    kind: Callable[[ViaType, float], ViaType]
    shorter: bool = False

    def text(self, value: float) -> str:
        return show(value, self.unit)


@dataclass(frozen=True)
class ViaCures:
    """The search for one via of a link: called with the limit of its distance from the reference [-]."""

    board: Board
    link: BoardLink
    kept: tuple[Part, ...]
    task: ChannelTask
    worst: TdrReading

    def __call__(self, limit: float) -> tuple[ViaChange, ...]:
        """The first dimension that meets the limit; else each at its end, and last all of them together."""
        part = self.kept[self.worst.element]
        body = part.step.body
        found: list[ViaChange] = []
        ends: dict[_Knob, float] = {}
        kind = (self.board.via_types or {}).get(body.type) if isinstance(body, Via) else None
        if not isinstance(body, Via) or kind is None or not isinstance(part.element, ViaSpec):
            return ()
        for knob in _knobs(kind, part, body.type, low=self.worst.impedance < self.task.z_ref,
                           nyquist=self.task.nyquist):
            change = self._search(body.type, knob, limit)
            if change is None:
                continue
            if change.meets:
                return (change,)
            found.append(change)
            ends[knob] = knob.end
        return (*found, *self._together(body.type, tuple(ends), limit)) if len(ends) > 1 else tuple(found)

    def _together(self, name: str, knobs: tuple[_Knob, ...], limit: float) -> Iterator[ViaChange]:
        """All dimensions at their ends or, where that is too much, part of the way there."""
        for share in SHARES:
            values = {knob: _rounded(knob.now + share * (knob.end - knob.now), knob) for knob in knobs}
            seen = self._seen(name, values)
            if seen is None:
                return
            meets = seen.distance.value <= limit
            beyond = (seen.impedance - self.task.z_ref) * (self.worst.impedance - self.task.z_ref) < 0
            if meets or not beyond or share == SHARES[-1]:
                text = ", ".join(f"{knob.key} {knob.text(value)}" for knob, value in values.items())
                yield ViaChange(TOGETHER, text + self._length(name, values), seen.impedance, seen.distance.value, meets,
                                self._shared(name))
                return

    def _search(self, name: str, knob: _Knob, limit: float) -> ViaChange | None:
        """The least change of a dimension that meets the limit, or its end."""
        seen = self._seen(name, {knob: knob.end})
        if seen is None or seen.distance.value >= self.worst.distance.value * (1 - 1e-6):
            return None
        value = knob.end
        if seen.distance.value <= limit:
            share = (self.worst.distance.value - limit) / (self.worst.distance.value - seen.distance.value)
            for attempt in range(TRIES):
                near = knob.now + (knob.end - knob.now) * min(share * (1 + 0.05 * (2**attempt - 1)), 1.0)
                near = _rounded(near, knob)
                nearer = self._seen(name, {knob: near})
                if nearer is not None and nearer.distance.value <= limit:
                    value, seen = near, nearer
                    break
        return ViaChange(knob.key, knob.text(value) + self._length(name, {knob: value}), seen.impedance,
                         seen.distance.value, seen.distance.value <= limit, self._shared(name))

    def _changed(self, name: str, values: Mapping[_Knob, float]) -> ViaType:
        """The via type with its dimensions at other values."""
        kind = (self.board.via_types or {})[name]
        for knob, value in values.items():
            kind = knob.kind(kind, value)
        return kind

    def _length(self, name: str, values: Mapping[_Knob, float]) -> str:
        """The length of an oval antipad, where it moves along."""
        old, new = (self.board.via_types or {})[name].antipad, self._changed(name, values).antipad
        before, after = (pad.length.value if pad and pad.length else 0.0 for pad in (old, new))
        return "" if after == before else f" with {_key('via_types', name, 'antipad', 'length')} {show(after, 'mm')}"

    def _shared(self, name: str) -> bool:
        """True where another link has vias of the type."""
        others = [link for link in self.board.links or () if link is not self.link]
        return any(via.type == name for link in others for _, via in link.vias())

    def _seen(self, name: str, values: Mapping[_Knob, float]) -> TdrReading | None:
        """The worst reading of the vias of a type in the changed path; None where a via has no model."""
        old, kind = (self.board.via_types or {})[name], self._changed(name, values)
        board = replace(self.board, via_types={**(self.board.via_types or {}), name: kind})
        stubs = [value for knob, value in values.items() if knob.shorter]
        elements, mine = list(self.task.elements), []
        for place, part in enumerate(self.kept):
            body = part.step.body
            if not isinstance(body, Via) or body.type != name:
                continue
            made = via_part(board, self.link, part.step, body) if kind is not old else part
            if not isinstance(made, Part) or not isinstance(made.element, ViaSpec):
                return None
            spec = made.element
            for most in stubs:
                spec = replace(spec, port1_stub=min(spec.port1_stub, most), port2_stub=min(spec.port2_stub, most))
            elements[place] = spec
            mine.append(place)
        result = solve_tdr(replace(self.task, elements=tuple(elements)), bounds=False)
        readings = [one for one in result.readings if one.element in mine]
        if not readings:
            return None
        return greatest_of(readings, key=lambda one: one.distance.value)


def _rounded(value: float, knob: _Knob) -> float:
    """On the steps of a dimension, towards its end."""
    if knob.end > knob.now:
        return _up(value, knob.step)
    return math.floor(value / knob.step + 1e-9) * knob.step


def _up(length: float, step: float) -> float:
    """The next step from a length on. [m]"""
    return math.ceil(length / step - 1e-9) * step


def _knobs(kind: ViaType, part: Part, name: str, *, low: bool, nyquist: float) -> Iterator[_Knob]:
    """The dimensions of a via that raise a low impedance, or lower a high one, in the order of what they cost."""
    place = ("via_types", name)
    spec = part.element
    if not isinstance(spec, ViaSpec):
        return
    if low:
        yield from _stub(kind, part, place)
    if kind.antipad is not None:
        width, drill = kind.antipad.width.value, kind.drill.value
        room = max(width, WIDER * kind.pitch.value) if kind.pitch is not None else WIDER * width
        end = min(drill + 2 * GAPS[1], room) if low else drill + 2 * GAPS[0]
        yield _Knob(_key(*place, "antipad", "width"), width, end, STEP, "mm", _with_antipad)
    if kind.return_vias is not None:
        now = kind.return_vias.distance.value
        far = float(quarter_wavelength(frequency=nyquist, dk=spec.dk))
        end = math.floor(WITHIN * far / STEP) * STEP if low else 1.5 * kind.drill.value
        if (end > now) is low:
            yield _Knob(_key(*place, "return_vias", "distance"), now, end, STEP, "mm", _with_grounds)
    if kind.pitch is not None:
        now = kind.pitch.value
        yield _Knob(_key(*place, "pitch"), now, now * APART if low else now / APART, STEP, "mm", _with_pitch)


def _stub(kind: ViaType, part: Part, place: tuple[str, ...]) -> Iterator[_Knob]:
    """The residual of its drill, no closer than its tolerance allows; without one the stub itself."""
    longest = greatest_of(part.ends, key=lambda end: end.worst, default=None)
    if longest is None or longest.worst <= 0:
        return
    for path, drill in kind.backdrills_at(place):
        if longest.removed and drill.side == longest.side and drill.residual is not None:
            now = drill.residual.value
            end = _up(max(longest.tolerance + MARGIN - longest.beyond, FINE), FINE)
            if end < now:
                yield _Knob(_key(*path, "residual"), now, end, FINE, "mil",
                            partial(_with_residual, drill=drill))
            return
    if not longest.removed and longest.worst > LEAST_STUB:
        yield _Knob(STUB, longest.worst, LEAST_STUB, FINE, "mil", _unchanged, shorter=True)


def _key(*place: str | int) -> str:
    return f"`{show_path(place)}`"


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
