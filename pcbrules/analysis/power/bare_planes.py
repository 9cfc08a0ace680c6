# SPDX-License-Identifier: MIT
r"""The planes of a rail alone: no capacitor, no regulator, seen from the balls, on a grid that resolves their modes.

A mode of a rectangle rings where the real part of the wave number between the planes is that of the mode, and it is as
sharp as the imaginary part is small:

.. math:: \sqrt{-Z_s Y} = \beta - j\alpha, \quad \beta(f_{mn}) = \pi \sqrt{(m/a)^2 + (n/b)^2}, \quad
    Q = \beta / 2\alpha

A grid of equal ratios misses it, or cuts its top: points stand closer around each, and wherever else the curve bends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.power.ladder import POINTS_PER_DECADE
from pcbrules.analysis.power.layout_curves import all_curves, with_tops
from pcbrules.analysis.power.plane_rail import PlaneBoard, PlanePair, PlaneRail, pair_permittivity, pair_series
from pcbrules.arrays import Complex, Real
from pcbrules.constants import EPSILON_0
from pcbrules.networks.pdn import Branch
from pcbrules.solver_cache import solved_once

LOWEST = 1e6
"""First frequency [Hz]: below it bare planes are a capacitor."""

HIGHEST, REACH = 5e9, 6.0
"""Last frequency at most [Hz], and over the first mode [-]: beyond it barrels and balls are no points of the planes."""

BESIDE = np.array([0.0, 0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0])
"""Points on either side of a mode, in half of its width: its resonance curve goes straight between them to 1 %."""

OPEN = 1e9
"""Resistance that stands for no regulator. [ohm]"""

STRAIGHT, ROUNDS = 0.01, 6
"""Part by which |Z| between two points may be off their mean in logarithms [-]; how often an interval is halved."""

DENSE = 400
"""Points a decade on which the wave number is followed."""


@dataclass(frozen=True, slots=True)
class PlaneMode:
    """A mode of one plane pair: half waves along x and y, resonance with its losses [Hz], quality [-]."""

    pair: int
    m: int
    n: int
    frequency: float
    quality: float


@dataclass(frozen=True, slots=True)
class BarePlanes:
    """|Z| at the balls [ohm] at rising frequencies [Hz], its maxima [Hz, ohm], the modes, and the capacitance [F]."""

    frequencies: tuple[float, ...]
    impedance: tuple[float, ...]
    peaks: tuple[tuple[float, float], ...]
    modes: tuple[PlaneMode, ...]
    capacitance: float


@solved_once
def solve_bare_planes(board: PlaneBoard) -> BarePlanes:
    """The planes alone, their pairs joined by the vias of the balls."""
    end = min(HIGHEST, max(REACH * board.first_resonance, 10 * LOWEST))
    found = tuple(mode for k, pair in enumerate(board.pairs) for mode in _modes(board, k, pair, end))
    rail = PlaneRail(board, Branch(OPEN, 0.0), (), f_min=LOWEST, f_max=end)
    even = np.geomspace(LOWEST, end, math.ceil(POINTS_PER_DECADE * math.log10(end / LOWEST)) + 1)
    close = [mode.frequency * (1 + sign * BESIDE / (2 * mode.quality)) for mode in found for sign in (1, -1)]
    grid = np.unique(np.concatenate([even, *close]))
    grid = grid[(grid >= LOWEST) & (grid <= end)]
    rails: list[tuple[PlaneRail, int | None]] = [(rail, None)]
    frequency, values, spots = with_tops(rails, *straight(rails, grid))
    height = np.abs(values[0])
    tops = sorted(float(three[1]) for three in spots.values())
    return BarePlanes(
        frequencies=tuple(frequency.tolist()),
        impedance=tuple(height.tolist()),
        peaks=tuple((top, float(height[np.searchsorted(frequency, top)])) for top in tops),
        modes=found,
        capacitance=sum(_capacitance(board, pair) for pair in board.pairs),
    )


def straight(rails: list[tuple[PlaneRail, int | None]], grid: Real) -> tuple[Real, Complex]:
    """A finer grid [Hz] and the curves there, straight in logarithms between its points."""
    values = all_curves(rails, grid)
    open_ones = np.ones(len(grid) - 1, dtype=bool)
    for _ in range(ROUNDS):
        at = np.flatnonzero(open_ones)
        if not len(at):
            break
        middle = np.sqrt(grid[at] * grid[at + 1])
        new = all_curves(rails, middle)
        height, bent = np.log(np.abs(values[0])), np.log(np.abs(new[0]))
        off = np.abs(bent - (height[at] + height[at + 1]) / 2) > STRAIGHT
        grid, values = np.insert(grid, at + 1, middle), np.insert(values, at + 1, new, axis=1)
        places = at + np.arange(len(at))  # of the lower ends in the new grid
        open_ones = np.zeros(len(grid) - 1, dtype=bool)
        open_ones[places[off]] = open_ones[places[off] + 1] = True
    return grid, values


def _capacitance(board: PlaneBoard, pair: PlanePair) -> float:
    relative = float(pair_permittivity(pair, np.array([LOWEST])).real[0])
    return float(relative * EPSILON_0 * board.length * board.width / pair.separation)


def _modes(board: PlaneBoard, number: int, pair: PlanePair, end: float) -> Iterator[PlaneMode]:
    """The modes of one pair up to a frequency [Hz]."""
    frequency = np.geomspace(LOWEST, end, math.ceil(DENSE * math.log10(end / LOWEST)) + 1)
    beta, alpha = _wave(board, pair, frequency)
    across, along = (math.floor(float(beta[-1]) * side / math.pi) for side in (board.length, board.width))
    for m in range(across + 1):
        for n in range(along + 1):
            wave = math.pi * math.hypot(m / board.length, n / board.width)
            if 0 < wave <= beta[-1]:
                at = float(np.interp(wave, beta, frequency))
                yield PlaneMode(number, m, n, at, float(wave / 2 / np.interp(at, frequency, alpha)))


def _wave(board: PlaneBoard, pair: PlanePair, frequency: Real) -> tuple[Real, Real]:
    """Wave number between the planes and its attenuation at frequencies [Hz]. [1/m]"""
    series = pair_series(pair, frequency, board.resistivity, 1.0)
    shunt = 2j * np.pi * frequency * EPSILON_0 * pair_permittivity(pair, frequency) / pair.separation
    gamma = np.sqrt(series * shunt)
    return gamma.imag, gamma.real
