# SPDX-License-Identifier: MIT
"""A channel seen by a reflectometer at either end: how far the impedance at every element is from the reference.

The lines travel with their loss and dispersion but have a real impedance, the one without losses at Nyquist: what their
resistance adds along the way is no mismatch, and a uniform line shows flat. A coupling capacitor is through, a declared
loss has the phase that belongs to it: nothing comes back before its cause.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import CORNERS, ChannelLine
from pcbrules.analysis.channel.mask_margins import line_doubt, line_spread, lower_by
from pcbrules.analysis.channel.solve import Solver, solve_elements
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, LineSpec
from pcbrules.analysis.channel.tdr_chain import LineWave, line_legs, matrices, wave, with_vias
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.parabola import between, vertex
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.analysis.vias.task import ViaResult
from pcbrules.arrays import Complex, Real
from pcbrules.brief import brief
from pcbrules.networks.cascade import reflection
from pcbrules.networks.extrapolation import reach
from pcbrules.networks.step import FINER, step_response, step_times
from pcbrules.physics.channel.tdr import apparent_impedance, beyond_band
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.solver_cache import solved_once
from pcbrules.ties import TOLERANCE, greatest_of
from pcbrules.units import show

RISE = 0.4
"""Rise time of the step, 20 to 80 %, over the unit interval [-]."""

BAND = 0.8
"""End of the grid times the rise time [-]: what lies beyond counts for less than 0.04 % of the step."""

HIGHEST = 150e9
"""End of the range of the models of lines and barrels [Hz]."""

MATERIALS = 85e9
"""End of the range of the models of dielectrics [Hz]; their poles go on, and make the impedance hardly differ."""

MOST_BEYOND = 0.01
"""Largest part of the step that may lie beyond the grid [-]; at the most it moves an impedance by twice that."""

DRAWN = 8
"""Points of a drawn curve over those that the grid needs [-]."""

TWIN = 0.8
"""Part of the largest echo of a via from which another of its peaks is as good as it [-]."""

ROUND_TRIPS = 2.0
"""Times that a wave can travel there and back within the record [-]: a third echo meets two more steps."""


@dataclass(frozen=True, slots=True)
class TdrReading:
    """The TDR reading at one element.

    ``distance`` is that of its impedance from the reference, over the reference, ``error`` the half width (k = 2) of
    the model error; all [-]. ``impedance`` [ohm] is seen at ``port`` after ``time`` [s]. ``light`` says that it is
    further off with the lightest vias.
    """

    element: int
    distance: Interval
    error: float
    impedance: float
    port: int
    time: float
    light: bool = False

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class TdrResult:
    """Readings at every line and at all else that sends something back; or which elements have no model."""

    readings: tuple[TdrReading, ...]
    unsupported: tuple[tuple[int, str], ...] = ()
    assumptions: tuple[str, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class TdrProfile:
    """Impedance [ohm] over time [s] from either port; the time is there and back, from the middle of the step.

    ``whole`` is the time to the far end and back [s].
    """

    time: tuple[float, ...]
    from_1: tuple[float, ...]
    from_2: tuple[float, ...]
    whole: float
    readings: tuple[TdrReading, ...]

    __repr__ = brief

    def to_rows(self) -> list[dict[str, float]]:
        """Plain rows, one a point: ``time_s`` [s], ``from_1_ohm`` and ``from_2_ohm`` [ohm]."""
        return [{"time_s": t, "from_1_ohm": near, "from_2_ohm": far}
                for t, near, far in zip(self.time, self.from_1, self.from_2, strict=True)]


def rise_time(nyquist: float) -> float:
    """Rise time of the step for a Nyquist frequency [Hz], from 20 to 80 %. [s]"""
    return RISE / (2 * nyquist)


@solved_once
def solve_tdr(task: ChannelTask, *, solver: Solver = solve_lossy) -> TdrResult:
    """Return the TDR reading at every element of a channel, with its heaviest or its lightest vias.

    A via that is too low is furthest off with its longest stub and largest Dk, one that is too high with the least.

    Parameters
    ----------
    task : ChannelTask
        Elements as plain numbers.
    solver : callable
        What solves a cross-section.

    Returns
    -------
    TdrResult
        Without readings, and with the reasons, where an element is out of the range of its model.
    """
    if task.lightest is task:
        seen = _reflections(task, solver, FINER)
        return seen if isinstance(seen, TdrResult) else TdrResult(_readings(seen), assumptions=seen.assumptions)
    heavy, light = (solve_tdr(one, solver=solver) for one in (task.heaviest, task.lightest))
    return replace(heavy, readings=tuple(_further(heavy.readings, light.readings)))


def _further(heavy: Sequence[TdrReading], light: Sequence[TdrReading]) -> Iterator[TdrReading]:
    """Of each element the reading that is further off; its interval reaches as far as either."""
    others = {one.element: one for one in light}
    for one in heavy:
        other = others.get(one.element, one)
        further = other.distance.value > one.distance.value + TOLERANCE
        worse = replace(other, light=True) if further else one
        yield replace(worse, distance=replace(worse.distance, hi=max(one.distance.hi, other.distance.hi)))


def profile(task: ChannelTask, *, solver: Solver = solve_lossy) -> TdrProfile | None:
    """The curves behind ``solve_tdr``, up to the far end of the path; None if an element has no model."""
    seen = _reflections(task, solver, DRAWN)
    if isinstance(seen, TdrResult):
        return None
    whole = 2 * sum(seen.delays)
    end = int(np.searchsorted(seen.time, whole + 3 * seen.rise)) + 1
    front, back = (apparent_impedance(reflected=curves[0][:end], reference=task.z_ref) for curves in seen.ports)
    return TdrProfile(tuple(seen.time[:end].tolist()), tuple(front.tolist()), tuple(back.tolist()), whole,
                      _readings(seen))


@dataclass(frozen=True, slots=True)
class _Reflections:
    """A channel over time [s]: per port what comes back, of the whole and of each of ``short`` alone; per corner and
    port that of the whole.

    ``delays`` are those of the elements [s], ``impedances`` those of the lines [ohm], ``rise`` the rise time [s],
    ``lost`` the part beyond the grid [-], ``assumptions`` what the models take for granted.
    """

    task: ChannelTask
    lines: Mapping[int, ChannelLine]
    short: tuple[int, ...]
    delays: tuple[float, ...]
    impedances: Mapping[int, float]
    rise: float
    lost: float
    time: Real
    ports: tuple[Real, Real]
    corners: tuple[tuple[Real, Real], ...]
    assumptions: tuple[str, ...]


def _reflections(task: ChannelTask, solver: Solver, finer: int) -> _Reflections | TdrResult:
    lines, vias, unsupported = solve_elements(task, solver)
    rise = rise_time(task.nyquist)
    grid = time_grid(task, lines)
    if unsupported or not isinstance(grid, TimeGrid):
        return TdrResult((), (*unsupported, *(() if isinstance(grid, TimeGrid) else grid)))
    key, top, steps, waves = grid.key, grid.top, grid.steps, grid.waves
    nominal = matrices(task, key, waves, lines, vias)
    others = [with_vias(nominal, task, key, vias, corner) for corner in CORNERS[1:]] if vias else []
    short = tuple(i for i, s in enumerate(nominal) if i not in lines and s[:, 0, 0].any())
    delays = tuple(
        waves[i].delay * spec.length if isinstance(spec, LineSpec) else _delay(nominal[i], top / steps)
        for i, spec in enumerate(task.elements)
    )
    spectra = [_echoes(nominal, short), _echoes(_turned(nominal), _turned_places(short, nominal))]
    spectra += [reflection(turn(made))[np.newaxis] for made in others for turn in (list, _turned)]
    curves = step_response(np.concatenate(spectra), spacing=top / steps, rise_time=rise, finer=finer)
    count = 1 + len(short)
    corners = tuple((curves[i], curves[i + 1]) for i in range(2 * count, len(curves), 2))
    time = step_times(spacing=top / steps, points=steps + 1, rise_time=rise, finer=finer)
    lost = float(beyond_band(highest=top * rise))
    # the rows of the second port in the order of the first
    back = np.concatenate([curves[count : count + 1], curves[count + 1 : 2 * count][::-1]])
    assumptions = tuple(_assumptions(vias, top))
    impedances = {i: made.impedance for i, made in waves.items()}
    return _Reflections(task, lines, short, delays, impedances, rise, lost, time, (curves[:count], back), corners,
                        assumptions)


@dataclass(frozen=True, slots=True)
class TimeGrid:
    """Frequencies at which a channel is computed for its response over time.

    ``steps`` equal ones from zero to ``top`` [Hz], as ``key``; a record of them lasts ``symbols`` unit intervals.
    ``waves`` are those on the lines.
    """

    top: float
    steps: int
    symbols: int
    key: bytes
    waves: Mapping[int, LineWave]


def time_grid(task: ChannelTask, lines: Mapping[int, ChannelLine]) -> TimeGrid | tuple[tuple[int, str], ...]:
    """The grid of a channel of which the lines are solved, or the tables that do not serve.

    The record holds ``ROUND_TRIPS`` and lasts a whole number of unit intervals.
    """
    rise = rise_time(task.nyquist)
    top, missing = _top(task, rise)
    if missing:
        return tuple(missing)
    waves = {i: wave(made, task.nyquist, top, line_legs(task, i)) for i, made in lines.items()}
    whole = sum(waves[i].delay * spec.length
                for i, spec in enumerate(task.elements) if isinstance(spec, LineSpec) and i in waves)
    steps = 2 ** math.ceil(math.log2((2 * ROUND_TRIPS * whole + 30 * rise) * top))
    record = 2 * task.nyquist * steps / top
    symbols = math.ceil(record * (1 - 1e-12))
    if abs(record - symbols) > 1e-9 * record:
        top *= record / symbols
    return TimeGrid(top, steps, symbols, _grid(top, steps), waves)


def _top(task: ChannelTask, rise: float) -> tuple[float, list[tuple[int, str]]]:
    """End of the grid [Hz], and the tables that end too low for the step or do not lead to zero frequency."""
    top = min(BAND / rise, HIGHEST)
    missing = []
    for place, spec in enumerate(task.elements):
        if not isinstance(spec, BlockSpec):
            continue
        frequency, table = np.frombuffer(spec.frequency), np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)
        end = min(top, float(frequency[-1]))
        found = reach(frequency, table, f_max=end)
        if beyond_band(highest=end * rise) > MOST_BEYOND:
            missing.append((place, f"its table ends at {show(end, 'GHz')}, too low for a step of {show(rise, 'ps')}"))
        elif found.reason:
            missing.append((place, found.reason))
        top = end
    return top, missing


def _assumptions(vias: Mapping[int, ViaResult], top: float) -> Iterator[str]:
    yield from dict.fromkeys(via.model for via in vias.values())
    if top > MATERIALS:
        yield f"Dk and Df from {show(MATERIALS, 'GHz')} to {show(top, 'GHz')}: extrapolated with the causal model"


@solved_once
def _grid(top: float, steps: int) -> bytes:
    """The frequencies from zero on, as the key of what is made on them."""
    return (np.arange(steps + 1) * (top / steps)).tobytes()


def _turned(matrices: Sequence[Complex]) -> list[Complex]:
    return [s[:, ::-1, ::-1] for s in reversed(matrices)]


def _turned_places(places: Sequence[int], matrices: Sequence[Complex]) -> tuple[int, ...]:
    return tuple(len(matrices) - 1 - place for place in reversed(places))


def _echoes(matrices: Sequence[Complex], short: Sequence[int]) -> Complex:
    """What the row sends back, and what each element of ``short`` alone does, through what lies before it."""
    alone = []
    there_and_back: Complex = np.ones(len(matrices[0]), dtype=complex)
    for place, s in enumerate(matrices):
        if place in short:
            alone.append(there_and_back * s[:, 0, 0])
        there_and_back = there_and_back * s[:, 1, 0] ** 2
    return np.array([reflection(matrices), *alone])


def _delay(s: Complex, spacing: float) -> float:
    """Delay of a short element, at the first frequency above zero. [s]"""
    return max(float(-np.angle(s[1, 1, 0])) / (2 * math.pi * spacing), 0.0)


def _readings(seen: _Reflections) -> tuple[TdrReading, ...]:
    """For every line and every element of ``short`` the larger one of its readings from the two ports."""
    specs = {place: spec for place, spec in enumerate(seen.task.elements) if isinstance(spec, LineSpec)}
    most = max(map(line_spread, specs.values()), default=0.0)
    found = []
    for place in sorted((*seen.lines, *seen.short)):
        both = [_line(seen, place, port, specs[place]) if place in specs
                else _lumped(seen, place, port, most) for port in (1, 2)]
        # hidden from one port, a line counts as the other one sees it; hidden from both, by its impedance
        open_to = [reading for hidden, reading in both if not hidden] or [reading for _, reading in both]
        found.append(greatest_of(open_to, key=lambda reading: reading.distance.value, floor=TOLERANCE))
    return tuple(found)


def _line(seen: _Reflections, place: int, port: int, line: LineSpec) -> tuple[bool, TdrReading]:
    """Of a line: the largest between its ends, less the reflections of all that is short.

    It counts as far as the line's own impedance makes it: the rest, and all of the other sign, is what neighbours send
    back. True with its own impedance where they hide it altogether. The interval holds the model and what the file does
    not say, either way, not what fabrication makes of the line: SIG001 judges that, with the class that is ordered.
    """
    before = seen.delays[:place] if port == 1 else seen.delays[place + 1 :]
    start, length = 2 * sum(before), 2 * seen.delays[place]
    edge = min(seen.rise, length / 4)
    middle = int(np.searchsorted(seen.time, start + length / 2))
    first = min(int(np.searchsorted(seen.time, start + edge)), middle)
    last = max(int(np.searchsorted(seen.time, start + length - edge)), middle + 1)
    whole, *alone = seen.ports[port - 1][:, first:last]
    shown = apparent_impedance(reflected=whole - np.sum(alone, axis=0), reference=1.0) - 1
    own = seen.impedances[place] / seen.task.z_ref - 1
    least, most = min(own, 0.0), max(own, 0.0)
    away = np.abs(np.clip(shown, least, most))
    at, hidden = first_greatest(away, floor=TOLERANCE), own != 0 and not away.any()
    ratio = 1 + (own if hidden else min(max(between(shown, at, vertex(away, at)), least), most))
    error = math.hypot(seen.lines[place].u_z * ratio, 2 * seen.lost * ratio)
    low, high = ratio - math.hypot(error, lower_by(line) * ratio), ratio + math.hypot(error, line_doubt(line) * ratio)
    off = Interval(lo=max(low - 1, 1 - high, 0.0), value=abs(ratio - 1), hi=max(high - 1, 1 - low))
    return hidden, TdrReading(place, off, error, ratio * seen.task.z_ref, port,
                              float(seen.time[first + at]))


def _lumped(seen: _Reflections, place: int, port: int, spread: float) -> tuple[bool, TdrReading]:
    """Of an element that is short beside the rise: where its own echo is largest.

    Its own echo counts, and that of the whole where its own is the larger part of it: what lines do is no fault of a
    via between them. Never hidden. Where a via has a peak at its entrance and one at its exit, each bound of the model
    counts at the larger of its own, so that the error does not depend on which of two equal peaks is read.
    """
    z_ref, curves = seen.task.z_ref, seen.ports[port - 1]
    row = curves[1 + seen.short.index(place)]
    at = first_greatest(np.abs(row), floor=TOLERANCE)
    shift = vertex(row, at)
    whole, own = between(curves[0], at, shift), between(row, at, shift)
    dominant = abs(own) >= abs(whole - own) and abs(whole) > abs(own)
    impedance = float(apparent_impedance(reflected=whole if dominant else own, reference=z_ref))
    value, ratio = abs(impedance / z_ref - 1), impedance / z_ref
    side, peaks = math.copysign(1.0, own), _peaks(row, at)

    def largest(curve: Real) -> float:
        """How far a curve goes to this side at any of the peaks, over the reference. [-]"""
        shown = (apparent_impedance(reflected=between(curve, peak, vertex(row, peak)), reference=1.0) for peak in peaks)
        return max(side * (float(one) - 1) for one in shown)

    nominal = largest(curves[0])
    model = max((abs(largest(corner[port - 1]) - nominal) for corner in seen.corners), default=0.0)
    error = math.hypot(model, 2 * seen.lost * ratio)
    half = math.hypot(error, spread * ratio)
    return False, TdrReading(place, _off(value, half), error, impedance, port, float(seen.time[at]))


def least_error(readings: Sequence[TdrReading], worst: TdrReading) -> float:
    """Model error of the largest of some readings [-]: no more than it takes for all to come as near as any may."""
    return max(worst.distance.value - max(one.distance.value - one.error for one in readings), 0.0)


def _peaks(row: Real, at: int) -> list[int]:
    """The points at which an echo has a peak of the same sign that is at least ``TWIN`` of its largest, ``at``."""
    size = row * math.copysign(1.0, row[at])
    inner = size[1:-1]
    tops = np.nonzero((inner >= size[:-2]) & (inner > size[2:]) & (inner >= TWIN * size[at]))[0] + 1
    return sorted({at, *tops.tolist()})


def _off(value: float, half: float) -> Interval:
    """A distance from the reference, which is never negative, with its half width."""
    return Interval(lo=max(value - half, 0.0), value=value, hi=value + half)
