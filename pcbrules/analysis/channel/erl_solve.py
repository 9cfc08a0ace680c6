# SPDX-License-Identifier: MIT
"""Effective return loss of a channel at its worse end, on the grid of the reflectometer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import CORNERS, ChannelLine, Corner
from pcbrules.analysis.channel.mask_margins import largest_spread
from pcbrules.analysis.channel.solve import Solver, solve_elements
from pcbrules.analysis.channel.task import ChannelTask, LineSpec
from pcbrules.analysis.channel.tdr_chain import line_legs, propagation, short_element
from pcbrules.analysis.channel.tdr_solve import MATERIALS, TimeGrid, time_grid
from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.analysis.vias.task import ViaResult
from pcbrules.arrays import Complex
from pcbrules.networks.cascade import reflection
from pcbrules.networks.effective_return_loss import ErlSettings, effective_return_loss
from pcbrules.networks.line import matched_wave
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class ErlTask:
    """A channel without packages, and the settings of its ERL; ``bounds`` asks for its interval."""

    channel: ChannelTask
    settings: ErlSettings
    bounds: bool = True


@dataclass(frozen=True, slots=True)
class ErlResult:
    """ERL at the worse end [dB], that of either end, the port, and the unit intervals of the record.

    ``unsupported`` says which elements have no model, and why; ``light`` that it is with the lightest vias.
    """

    erl: Interval
    ends: tuple[float, float]
    port: int
    symbols: int
    assumptions: tuple[str, ...] = ()
    unsupported: tuple[tuple[int, str], ...] = ()
    light: bool = False


def solve_erl(task: ErlTask, *, solver: Solver = solve_lossy) -> ErlResult:
    """ERL of a channel, the other end matched.

    The interval holds the bounds of the vias, and all lines at either end of what fabrication makes of their impedance;
    root of squares. With the heaviest or the lightest vias, whichever is worse.

    Parameters
    ----------
    task : ErlTask
        Elements as plain numbers.
    solver : callable
        What solves a cross-section.
    """
    if task.channel.lightest is not task.channel:
        return _worse(*(solve_erl(replace(task, channel=one), solver=solver)
                        for one in (task.channel.heaviest, task.channel.lightest)))
    lines, vias, unsupported = solve_elements(task.channel, solver)
    grid = time_grid(task.channel, lines)
    if unsupported or not isinstance(grid, TimeGrid):
        missing = () if isinstance(grid, TimeGrid) else grid
        return ErlResult(fixed(0.0), (0.0, 0.0), 1, 0, unsupported=(*unsupported, *missing))
    channel = _Channel(task.channel, lines, vias, grid)
    nominal = channel.row()
    ends = _erl([reflection(nominal), reflection(_turned(nominal))], task.settings, grid)
    port = 1 if ends[0] <= ends[1] * (1 + 1e-9) else 2
    others = [channel.row(corner=corner) for corner in CORNERS[1:]] if vias and task.bounds else []
    spread = largest_spread(task.channel) if task.bounds else 0.0
    others += [channel.row(off=off) for off in (-spread, spread)] if spread else []
    value = ends[port - 1]
    moved = [one - value for one in _erl([reflection(made if port == 1 else _turned(made)) for made in others],
                                         task.settings, grid)]
    pairs = [moved[i : i + 2] for i in range(0, len(moved), 2)]
    down, up = (math.hypot(*(max([0.0, *(sign * one for one in pair)]) for pair in pairs)) for sign in (-1, 1))
    return ErlResult(Interval(lo=value - down, value=value, hi=value + up), (ends[0], ends[1]), port, grid.symbols,
                     tuple(_assumptions(task, grid)))


def _worse(heavy: ErlResult, light: ErlResult) -> ErlResult:
    """The lower one; its interval reaches down as far as either."""
    if heavy.unsupported or light.unsupported:
        return heavy
    lo = min(heavy.erl.lo, light.erl.lo)
    worse = replace(light, light=True) if light.erl.value < heavy.erl.value - 1e-9 else heavy
    return replace(worse, erl=replace(worse.erl, lo=lo))


@dataclass(frozen=True)
class _Channel:
    """A solved channel on a grid of which the band of the pulse is needed."""

    task: ChannelTask
    lines: Mapping[int, ChannelLine]
    vias: Mapping[int, ViaResult]
    grid: TimeGrid

    def row(self, *, corner: Corner = "value", off: float = 0.0) -> list[Complex]:
        """Scattering parameters of the elements up to the symbol rate, all lines ``off`` their impedance [-]."""
        points = self.grid.symbols + 1
        frequency = np.frombuffer(self.grid.key)[:points]
        found: list[Complex] = []
        for place, spec in enumerate(self.task.elements):
            if isinstance(spec, LineSpec):
                wave = self.grid.waves[place]
                along = propagation(self.grid.key, self.lines[place], self.task.nyquist, float(wave.frequency[-1]),
                                    line_legs(self.task, place))
                seen = wave.seen(frequency) * (1 + off)
                reflected = (seen - self.task.z_ref) / (seen + self.task.z_ref)
                found.append(matched_wave(turned=along[:points] * spec.length, reflected=reflected))
            else:
                found.append(short_element(self.task, self.grid.key, place, self.vias, corner)[:points])
        return found


def _turned(matrices: Sequence[Complex]) -> list[Complex]:
    return [s[:, ::-1, ::-1] for s in reversed(matrices)]


def _erl(reflections: Sequence[Complex], settings: ErlSettings, grid: TimeGrid) -> list[float]:
    if not reflections:
        return []
    found = effective_return_loss(reflection=np.array(reflections), symbols=grid.symbols, settings=settings)
    return [float(one) for one in found]


def _assumptions(task: ErlTask, grid: TimeGrid) -> list[str]:
    rate = task.settings.symbol_rate
    if grid.top < rate * (1 - 1e-9):
        return [f"ERL: no reflection above {show(grid.top, 'GHz')}, where the data end"]
    if rate > MATERIALS:
        return [f"ERL: Dk and Df above {show(MATERIALS, 'GHz')} are extrapolated with the causal model"]
    return []
