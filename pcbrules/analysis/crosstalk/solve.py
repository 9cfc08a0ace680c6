# SPDX-License-Identifier: MIT
"""Crosstalk of two lines that run beside each other over some length: largest coupling around given frequencies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.common.parabola import top
from pcbrules.analysis.crosstalk.broadside_section import Broadside, Place
from pcbrules.analysis.crosstalk.broadside_section import moves as broadside_moves
from pcbrules.analysis.crosstalk.coplanar_section import MOVES, ORDER, CoupledSection, solve_coupled_section
from pcbrules.analysis.lines.solve import LineResult, solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.arrays import Complex, Real
from pcbrules.constants import DECIBEL
from pcbrules.missing import Missing
from pcbrules.networks.coupled import crosstalk
from pcbrules.physics.common.extremes import first_greatest_of_rows
from pcbrules.solver_cache import solved_once

POINTS = 17
"""Frequencies of an envelope: the parabola through the highest of a lobe and its neighbours is its top to 0.005 dB."""

SMALL = 0.2
"""Largest tolerance, of heights or of the smallest gap, up to which the logarithms of the capacitances go straight [-]:
the spread is that of sections solved anew to 0.25 dB or 8 %, but of a far end below -45 dB, where inductive and
capacitive coupling nearly cancel, to 4 dB only."""

WITH_GROUND = 6
"""Nodes of a panel of a section with ground beside its lines, which has twice the panels."""

COARSE = 5
"""Nodes of a panel of a section that a tolerance has moved: its near end is right to 0.003 dB, its far end to 0.5 dB
where inductive and capacitive coupling nearly cancel."""

U_FIELD = 0.02
"""Error (k = 2) of the coupling of a given section [-]: independent finite elements agree to 3e-5 at -50 dB; the rest
is for sharp corners and straight sides, which etched copper has not."""

U_SHARED = 0.1
"""Error (k = 2) of what the resistance that two lines share makes of their coupling [-]: two independent sections at
5 to 50 GHz, 9 %."""

FAINTEST = 1e-15
"""Coupling that counts as none [-]."""


@dataclass(frozen=True, slots=True)
class CouplingTask:
    """Two lines beside each other, as plain numbers.

    ``victim`` has the plies of both; of ``other`` widths and gap are its own. On one layer there is ``spacing`` between
    nearest edges [m], on two ``broadside`` says where the other line is. ``length`` of the common run [m]; ``z_victim``
    and ``z_other`` are the references of their modes [ohm]: of a pair differential. ``centres`` are the frequencies in
    question, ``highest`` the end of the band [Hz]. Tolerances: ``heights`` of the plies [-], ``width`` of every trace
    [m], ``tolerance`` of the spacing or the offset beyond it [m], ``length_tolerance`` of the length [-].
    """

    victim: LineTask
    other: LineTask
    spacing: float
    length: float
    z_victim: float
    z_other: float
    centres: tuple[float, ...]
    highest: float
    heights: float
    width: float
    tolerance: float = 0.0
    length_tolerance: float = 0.0
    broadside: Broadside | None = None


@dataclass(frozen=True, slots=True)
class CouplingPeak:
    """Largest coupling around one frequency: |S|^2 [-], its model error (k = 2) and fabrication spread [dB]."""

    power: float
    error: float
    spread: float


@dataclass(frozen=True, slots=True)
class CouplingResult:
    """Near-end and far-end coupling, one entry for each of the task's centres, largest up to ``reach`` [Hz] from it."""

    near: tuple[CouplingPeak, ...]
    far: tuple[CouplingPeak, ...]
    reach: float


@solved_once
def solve_coupling(task: CouplingTask) -> CouplingResult | Missing:
    """Solve the crosstalk between two lines.

    The largest value from v / (4 L) below a centre to as much above it is that of one lobe of the near-end coupling,
    so that no null of the length hides it; the band from zero to ``highest`` bounds it.

    Parameters
    ----------
    task : CouplingTask
        Sections and lengths as plain numbers.

    Returns
    -------
    CouplingResult or Missing
        Peaks of the coupling, or why there is no model for it.
    """
    made = _solved(task)
    if isinstance(made, Missing):
        return made
    section, lines = made
    reach = 1 / (4 * lines[0].delay * task.length)
    windows = _windows(task, reach)
    flat = windows.ravel()
    nominal = _coupling(task, section.weights, section.series(flat, lines), section.shunt(flat))
    peaks = np.array([first_greatest_of_rows(np.abs(found).reshape(windows.shape)) for found in nominal])
    moved = _moved(task, section)
    if isinstance(moved, Missing):
        return moved
    near, far = _peaks(task, lines, windows, peaks, nominal, [section, *moved])
    return CouplingResult(near, far, reach)


def coupling_over(task: CouplingTask, frequency: Real) -> tuple[Complex, Complex] | Missing:
    """Near-end and far-end coupling (f,) [-] at frequencies (f,) [Hz], zero included, of the nominal section."""
    made = _solved(task)
    if isinstance(made, Missing):
        return made
    section, lines = made
    return _coupling(task, section.weights, section.series(frequency, lines), section.shunt(frequency))


def _solved(task: CouplingTask) -> tuple[CoupledSection, tuple[LineResult, LineResult]] | Missing:
    """The common section, and either line by itself."""
    order = ORDER if task.victim.ground is None else WITH_GROUND
    section = solve_coupled_section(task.victim, task.other, task.spacing, task.broadside, order=order,
                                    moves=_sloped(task))
    if isinstance(section, Missing):
        return section
    one, other = solve_lossy(task.victim), solve_lossy(task.other)
    if isinstance(one, Missing):
        return one
    return other if isinstance(other, Missing) else (section, (one, other))


def _windows(task: CouplingTask, reach: float) -> Real:
    """Frequencies up to ``reach`` beside every centre, (centres, points) [Hz]."""
    ends = [(max(at - reach, 0.0), max(min(at + reach, task.highest), at)) for at in task.centres]
    return np.array([np.linspace(low, high, POINTS) for low, high in ends])


def _coupling(
    task: CouplingTask, weights: tuple[Real, Real], series: Complex, shunt: Complex
) -> tuple[Complex, Complex]:
    """Near-end and far-end coupling, (f,) each."""
    victim, aggressor = weights
    references = np.where(victim != 0, task.z_victim, task.z_other) / np.where(
        victim != 0, np.count_nonzero(victim), np.count_nonzero(aggressor))
    return crosstalk(series=series, shunt=shunt, length=task.length, z_ref=references, victim=victim,
                     aggressor=aggressor)


def _sloped(task: CouplingTask) -> tuple[str, ...]:
    """Tolerances of two lines on one layer after which the slopes of the nominal section tell the coupling.

    They are small, and no solder mask follows the copper: where an interface moves, a slope costs a solution too.
    """
    if task.broadside is not None:
        return ()
    lines = (task.victim, task.other)
    gaps = [task.spacing, *(gap for line in lines for gap in (line.gap, line.ground and line.ground.gap) if gap)]
    bare = task.victim.cover is None
    every = {
        "dielectrics": (task.heights, SMALL),
        "traces": (task.width, SMALL * min(gaps) if bare else 0.0),
        "spacing": (task.tolerance, SMALL * min(gaps) if bare else 0.0),
    }
    return tuple(name for name, (tolerance, most) in every.items() if 0 < tolerance <= most)


def _moved(task: CouplingTask, section: CoupledSection) -> list[CoupledSection] | Missing:
    """The section after each fabrication tolerance, moved to its end where the coupling grows."""
    one_layer = {"dielectrics": task.heights, "traces": task.width, "spacing": task.tolerance}
    moves: dict[str, tuple[float, Place]] = {
        name: (tolerance, (*MOVES[name](task.victim, task.other, task.spacing, tolerance), None))
        for name, tolerance in one_layer.items()
    }
    if task.broadside is not None:
        moves = broadside_moves(task.victim, task.other, task.broadside, heights=task.heights, width=task.width,
                                tolerance=task.tolerance)
    sloped = _sloped(task)
    found = []
    for name, (tolerance, place) in moves.items():
        if tolerance > 0:
            made: CoupledSection | Missing
            if name in sloped:
                amount = math.log1p(tolerance) if name == "dielectrics" else tolerance
                made = section.after(sloped.index(name), amount)
            else:
                made = solve_coupled_section(*place, order=COARSE)
            if isinstance(made, Missing):
                return Missing(f"the tolerance of the {name} is larger than the section allows: {made.reason}")
            found.append(made)
    return found


def _peaks(
    task: CouplingTask, lines: tuple[LineResult, LineResult], windows: Real, places: NDArray[np.intp],
    nominal: tuple[Complex, Complex], sections: list[CoupledSection],
) -> Iterator[tuple[CouplingPeak, ...]]:
    """Peaks of the near end and of the far end, one for each window.

    At the frequencies of the nominal peaks, ``places`` (2, windows), the first of ``sections`` is solved with no
    resistance in common, the others are those after each tolerance; what they make adds up as root of squares.
    """
    frequency = np.take_along_axis(windows[None], places[:, :, None], axis=2).ravel()
    series = [one.series(frequency, lines, share=k > 0) for k, one in enumerate(sections)]
    shunt = [one.shunt(frequency) for one in sections]
    both = _coupling(task, sections[0].weights, np.concatenate(series), np.concatenate(shunt))
    for end, (found, others) in enumerate(zip(nominal, both, strict=True)):
        apart, *moved = others.reshape(len(sections), 2, -1)[:, end]
        rows = found.reshape(windows.shape)
        at = rows[np.arange(len(windows)), places[end]]
        size = np.maximum(np.abs(at), FAINTEST)
        tops = [top(row, int(place)) for row, place in zip(np.abs(rows), places[end], strict=True)]
        error = np.hypot(U_FIELD, U_SHARED * np.abs(at - apart) / size)
        grown = [DECIBEL * np.log(np.maximum(np.abs(one), FAINTEST) / size) for one in moved]
        of_length = DECIBEL * math.log1p(task.length_tolerance) if end else 0.0
        spread = np.sqrt(of_length**2 + np.sum(np.square(grown), axis=0) + np.zeros(len(size)))
        yield tuple(
            CouplingPeak(power=max(t, FAINTEST) ** 2, error=DECIBEL * math.log1p(e), spread=float(w))
            for t, e, w in zip(tops, error, spread, strict=True)
        )
