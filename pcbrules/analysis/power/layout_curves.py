# SPDX-License-Identifier: MIT
"""Curves of a rail on planes, of its variants, and of the rail with one bank taken out, with its peaks named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pcbrules.analysis.power.curves import RailCurves
from pcbrules.analysis.power.ladder import NOMINAL, POINTS_PER_DECADE
from pcbrules.analysis.power.ladder_peaks import STEP_SIDES, Peak
from pcbrules.analysis.power.peak_spread import SpreadPeak, follow
from pcbrules.analysis.power.plane_rail import (
    Energies,
    PlaneRail,
    energies,
    impedance_of,
    plane_impedance,
    plane_network,
)
from pcbrules.arrays import Complex, Real
from pcbrules.networks.pdn import Branch, LimitedLoop
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.results.curve import Rows
from pcbrules.ties import greatest_of, least_of

PLANES = -2
"""Place of planes and vias in a peak; -1 is the regulator, others count the banks."""
FLAT = 1 + 1e-6
"""A maximum stands out from its neighbours by this factor: rounding makes none."""
_ROUNDS = 4
"""Parabolas through three points about a maximum, each eight times nearer, at the most."""
_ROUND = 1e-3
"""How much lower than the top a point beside it may lie for a parabola to find the top. [-]

Nearer points differ by little more than their rounding, which would then say where the top is.
"""


@dataclass(frozen=True, slots=True)
class LayoutTask:
    """A rail on planes and its variants, all on the same planes."""

    rail: PlaneRail
    variants: tuple[PlaneRail, ...]


@dataclass(frozen=True, slots=True)
class LayoutCurves:
    """Curves as of a ladder, parallel resonances with those of the variants, first resonance of a bare cavity [Hz].

    Variants whose regulator is its inductors alone have curves, and no peaks. Peaks name places: banks in order, -1 the
    regulator, -2 planes and vias.
    """

    curves: RailCurves
    spread: tuple[SpreadPeak, ...]
    resonance: float

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """Those of the nominal rail, rising in frequency."""
        return tuple(peak.nominal for peak in self.spread if peak.apparent)


def solve_layout(task: LayoutTask) -> LayoutCurves:
    """All curves of a rail on planes, on one grid with every peak of every curve."""
    rail = task.rail
    rails = _rails(task)
    count = int(np.ceil(POINTS_PER_DECADE * np.log10(rail.f_max / rail.f_min))) + 1
    grid = np.geomspace(rail.f_min, rail.f_max, count)
    curves = all_curves(rails, grid)
    frequency, values, spots = with_tops(rails, grid, curves)
    steps = [one.regulator.crossover * share for one, _ in rails if isinstance(one.regulator, LimitedLoop)
             for share in STEP_SIDES]
    inside = [f for f in sorted({*steps}) if grid[0] < f < grid[-1]]
    frequency, values = _merged(rails, frequency, values, np.array(inside))
    magnitude = np.abs(values)
    variants = 1 + len(task.variants)
    nominal, *others = [
        _described(one, sorted({float(three[1]) for (place, _), three in spots.items() if place == row}))
        for row, one in enumerate((rail, *task.variants))
        if not isinstance(one.regulator, LimitedLoop)
    ]
    die = _at_die(rail, frequency, values[0])
    return LayoutCurves(
        RailCurves(
            frequencies=tuple(frequency.tolist()),
            nominal=tuple(magnitude[0].tolist()),
            corners=tuple(tuple(row.tolist()) for row in magnitude[1:variants]),
            without=tuple(tuple(row.tolist()) for row in magnitude[variants:]),
            die=die,
            exact=partial(_exact, task),
        ),
        follow(nominal, others, lambda at: _described(rail, [at])[0]),
        rail.board.first_resonance,
    )


def with_tops(
    rails: list[tuple[PlaneRail, int | None]], grid: Real, curves: Complex
) -> tuple[Real, Complex, dict[tuple[int, int], Real]]:
    """A finer grid (n,) [Hz] with the values of all curves (c, n) [ohm], and each top: curve, place → three points."""
    tops = [_maxima(grid, row) for row in np.abs(curves)]
    frequency, values = grid, curves
    near = {(row, at): grid[[at - 1, at, at + 1]] for row, some in enumerate(tops) for at in some}
    spots: dict[tuple[int, int], Real] = {}
    for last in [False] * _ROUNDS + [True] if near else []:
        seen = {key: _on(frequency, values[key[0]], three) for key, three in near.items()}
        spots = {key: _closer(three, seen[key]) for key, three in near.items()}
        steep = {key for key, heights in seen.items() if heights.min() < (1 - _ROUND) * heights.max()}
        if not last and not steep:
            continue
        closer = [spot[1:2] for spot in spots.values()] if last else [spots[key] for key in spots if key in steep]
        frequency, values = _merged(rails, frequency, values, np.concatenate(closer))
        if not last:
            near |= {key: _about(frequency, np.abs(values[key[0]]), near[key]) for key in near if key in steep}
    return frequency, values, spots


def _merged(
    rails: list[tuple[PlaneRail, int | None]], frequency: Real, values: Complex, more: Real
) -> tuple[Real, Complex]:
    """A grid (n,) [Hz] and the values of all curves there (c, n) [ohm], with what ``more`` adds to it."""
    extra = np.unique(more)
    extra = extra[~np.isin(extra, frequency)]
    if not len(extra):
        return frequency, values
    frequency, order = np.unique(np.concatenate([frequency, extra]), return_index=True)
    return frequency, np.concatenate([values, all_curves(rails, extra)], axis=1)[:, order]


def heights(task: LayoutTask, frequency: Real) -> Real:
    """|Z| of a rail on planes (first) and of its variants, (v + 1, n) [ohm], at frequencies (n,) [Hz]."""
    return np.abs(all_curves([(one, None) for one in (task.rail, *task.variants)], frequency))


def _rails(task: LayoutTask) -> list[tuple[PlaneRail, int | None]]:
    """The rail, its variants, and the rail without each bank."""
    rail = task.rail
    return [(rail, None), *((one, None) for one in task.variants), *((rail, k) for k in range(len(rail.banks)))]


def _exact(task: LayoutTask, frequencies: Sequence[float]) -> Rows:
    return tuple(map(tuple, np.abs(all_curves(_rails(task), np.array(frequencies))).tolist()))


def all_curves(rails: list[tuple[PlaneRail, int | None]], frequency: Real) -> Complex:
    """|Z| of every rail, rows; the planes once for each stretch."""
    networks = {rail.stretch: plane_network(rail.board, frequency, rail.stretch)
                for rail in {one.stretch: one for one, _ in rails}.values()}
    return np.stack([impedance_of(rail, networks[rail.stretch], frequency, NOMINAL, without)
                     for rail, without in rails])


def _maxima(grid: Real, height: Real) -> list[int]:
    inner = height[1:-1]
    return (1 + np.flatnonzero((inner > height[:-2] * FLAT) & (inner >= height[2:] * FLAT))).tolist()


def _on(frequency: Real, values: Complex, three: Real) -> Real:
    return np.abs(values[np.searchsorted(frequency, three)])


def _closer(three: Real, height: Real) -> Real:
    """The top of the parabola through three points in logarithms, and a point on either side of it."""
    x, y = np.log(three / three[1]), np.log(height / height[1])
    curve = (y[2] / x[2] - y[0] / x[0]) / (x[2] - x[0])
    slope = y[0] / x[0] - curve * x[0]
    top = -slope / (2 * curve) if curve < 0 else 0.0
    reach = (x[2] - x[0]) / 16
    spots = np.clip(top + np.array([-reach, 0.0, reach]), x[0] * 0.999, x[2] * 0.999)
    return np.asarray(three[1] * np.exp(spots))


def _about(frequency: Real, height: Real, three: Real) -> Real:
    """The highest point between the outer two of three, and its neighbours."""
    low, high = np.searchsorted(frequency, three[[0, 2]])
    best = int(np.clip(low + first_greatest(height[low : high + 1]), 1, len(frequency) - 2))
    return frequency[[best - 1, best, best + 1]]


def _described(rail: PlaneRail, frequencies: Sequence[float]) -> list[Peak]:
    """Between which two elements a rail on planes rings: the greatest surplus of magnetic and of electric energy."""
    if not frequencies:
        return []
    at = np.array(frequencies)
    heights = np.abs(plane_impedance(rail, at)).tolist()
    return [_peak(*one) for one in zip(frequencies, heights, energies(rail, at), strict=True)]


def _peak(frequency: float, magnitude: float, found: Energies) -> Peak:
    surplus = {key: found.magnetic[key] - found.electric[key] for key in found.magnetic} | {PLANES: found.planes}
    inductive, capacitive = greatest_of(surplus, key=surplus.__getitem__), least_of(surplus, key=surplus.__getitem__)
    coils = sum(found.magnetic.values()) + max(found.planes, 0.0)
    plates = sum(found.electric.values()) + max(-found.planes, 0.0)
    swing = (coils * plates) ** 0.5
    current = found.current.get(capacitive)
    if current is None:  # of planes against an inductance: the current of that one
        current = found.current[inductive]
    return Peak(
        frequency=frequency,
        magnitude=magnitude,
        quality=swing / found.loss,
        damping=swing / current**2,
        inductive=inductive,
        capacitive=capacitive,
    )


def _at_die(rail: PlaneRail, frequency: Real, board: Complex) -> tuple[float, float] | None:
    if rail.package_inductance is None or rail.die_capacitance is None:
        return None
    package = Branch(rail.package_resistance, rail.package_inductance).impedance(frequency)
    die = Branch(rail.die_resistance, 0.0, rail.die_capacitance).impedance(frequency)
    seen = np.abs((board + package) * die / (board + package + die))
    place = first_greatest(seen)
    return float(frequency[place]), float(seen[place])
