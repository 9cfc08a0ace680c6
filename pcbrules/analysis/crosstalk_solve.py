# SPDX-License-Identifier: MIT
"""Crosstalk of two lines that run beside each other over some length: largest coupling around given frequencies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.crosstalk_over import Over, Place
from pcbrules.analysis.crosstalk_over import moves as over_moves
from pcbrules.analysis.crosstalk_section import Beside, solve_beside
from pcbrules.analysis.line_moves import with_heights, with_width
from pcbrules.analysis.line_types import LineTask, Unsupported
from pcbrules.analysis.lines import LineResult, solve_lossy
from pcbrules.networks.coupled import coupled_lines, coupling

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

POINTS = 33
"""Frequencies of an envelope: over one lobe of the coupling they miss its top by 0.01 dB at most."""

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

DECIBEL = 20 / math.log(10)
"""Decibels of a neper."""


@dataclass(frozen=True, slots=True)
class CouplingTask:
    """Two lines beside each other, as plain numbers.

    ``victim`` has the plies of both; of ``other`` widths and gap are its own. On one layer there is ``spacing`` between
    nearest edges [m], on two ``over`` says where the other line is. ``length`` of the common run [m]; ``z_victim`` and
    ``z_other`` are the references of their modes [ohm]: of a pair differential. ``centres`` are the frequencies in
    question, ``highest`` the end of the band [Hz]. Tolerances: ``heights`` of the plies [-], ``width`` of every trace
    [m], ``loose`` of the spacing or the offset beyond it [m], ``slack`` of the length [-].
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
    loose: float = 0.0
    slack: float = 0.0
    over: Over | None = None


@dataclass(frozen=True, slots=True)
class Peak:
    """Largest coupling around one frequency: |S|^2 [-], its model error (k = 2) and fabrication spread [dB]."""

    power: float
    error: float
    spread: float


@dataclass(frozen=True, slots=True)
class CouplingResult:
    """Near-end and far-end coupling, one entry for each of the task's centres, largest up to ``reach`` [Hz] from it."""

    near: tuple[Peak, ...]
    far: tuple[Peak, ...]
    reach: float


@lru_cache(maxsize=4096)
def solve_coupling(task: CouplingTask) -> CouplingResult | Unsupported:
    """Solve the crosstalk between two lines.

    The largest value from v / (4 L) below a centre to as much above it is that of one lobe of the near-end coupling,
    so that no null of the length hides it; the band from zero to ``highest`` bounds it.

    Parameters
    ----------
    task : CouplingTask
        Sections and lengths as plain numbers.

    Returns
    -------
    CouplingResult or Unsupported
        Peaks of the coupling, or why there is no model for it.
    """
    made = _solved(task)
    if isinstance(made, Unsupported):
        return made
    section, lines = made
    reach = 1 / (4 * lines[0].delay * task.length)
    windows = _windows(task, reach)
    flat = windows.ravel()
    nominal = _coupling(task, section, section.series(flat, lines), section.shunt(flat))
    alone = _coupling(task, section, section.series(flat, lines, share=False), section.shunt(flat))
    spreads = _spreads(task, lines, windows, nominal)
    if isinstance(spreads, Unsupported):
        return spreads
    near, far = (
        tuple(_peaks(found, apart, spread, len(windows)))
        for found, apart, spread in zip(nominal, alone, spreads, strict=True)
    )
    return CouplingResult(near, far, reach)


def coupling_over(task: CouplingTask, frequency: Real) -> tuple[Complex, Complex] | Unsupported:
    """Near-end and far-end coupling (f,) [-] at frequencies (f,) [Hz], zero included, of the nominal section."""
    made = _solved(task)
    if isinstance(made, Unsupported):
        return made
    section, lines = made
    return _coupling(task, section, section.series(frequency, lines), section.shunt(frequency))


def _solved(task: CouplingTask) -> tuple[Beside, tuple[LineResult, LineResult]] | Unsupported:
    """The common section, and either line by itself."""
    section = solve_beside(task.victim, task.other, task.spacing, task.over)
    if isinstance(section, Unsupported):
        return section
    one, other = solve_lossy(task.victim), solve_lossy(task.other)
    if isinstance(one, Unsupported):
        return one
    return other if isinstance(other, Unsupported) else (section, (one, other))


def _windows(task: CouplingTask, reach: float) -> Real:
    """Frequencies up to ``reach`` beside every centre, (centres, points) [Hz]."""
    ends = [(max(at - reach, 0.0), max(min(at + reach, task.highest), at)) for at in task.centres]
    return np.array([np.linspace(low, high, POINTS) for low, high in ends])


def _coupling(task: CouplingTask, section: Beside, series: Complex, shunt: Complex) -> tuple[Complex, Complex]:
    legs, n = section.legs, len(section.inductance)
    references = [task.z_victim / legs] * legs + [task.z_other / (n - legs)] * (n - legs)
    s = coupled_lines(series=series, shunt=shunt, length=task.length, z_ref=references)
    victim, aggressor = section.weights
    return coupling(s, victim=victim, aggressor=aggressor)


def _peaks(found: Complex, apart: Complex, spread: Real, count: int) -> Iterator[Peak]:
    """Peak of every window; ``apart`` is the coupling of lines that share no resistance."""
    size = np.abs(found).reshape(count, -1)
    unsure = U_SHARED * np.abs(found - apart).reshape(count, -1)
    for row, doubt, loose in zip(size, unsure, spread, strict=True):
        at = int(row.argmax())
        largest = max(float(row[at]), FAINTEST)
        error = math.hypot(U_FIELD, float(doubt[at]) / largest)
        yield Peak(power=largest**2, error=DECIBEL * math.log1p(error), spread=float(loose))


def _spreads(
    task: CouplingTask, lines: tuple[LineResult, LineResult], windows: Real, nominal: tuple[Complex, Complex]
) -> list[Real] | Unsupported:
    """Spread (centres,) [dB] by fabrication of the near and of the far end: root of squares of what each tolerance
    makes, moved to its end where the coupling grows."""
    flat = windows.ravel()

    def levels(both: tuple[Complex, Complex]) -> list[Real]:
        largest = [np.abs(one).reshape(len(windows), -1).max(axis=1) for one in both]
        return [DECIBEL * np.log(np.maximum(one, FAINTEST)) for one in largest]

    was = levels(nominal)
    moves: dict[str, tuple[float, Place]] = {
        "dielectrics": (task.heights, (with_heights(task.victim, task.heights), task.other, task.spacing, None)),
        "traces": (task.width, (with_width(task.victim, task.width), with_width(task.other, task.width),
                                task.spacing - task.width, None)),
        "spacing": (task.loose, (task.victim, task.other, task.spacing - task.loose, None)),
    }
    if task.over is not None:
        moves = over_moves(task.victim, task.other, task.over, heights=task.heights, width=task.width, loose=task.loose)
    near, far = [np.zeros(len(windows))], [np.full(len(windows), DECIBEL * math.log1p(task.slack))]
    for name, (tolerance, place) in moves.items():
        if tolerance > 0:
            section = solve_beside(*place, order=COARSE)
            if isinstance(section, Unsupported):
                return Unsupported(f"the tolerance of the {name} is larger than the section allows: {section.reason}")
            now = levels(_coupling(task, section, section.series(flat, lines), section.shunt(flat)))
            near.append(now[0] - was[0])
            far.append(now[1] - was[1])
    return [np.sqrt(np.sum(np.square(parts), axis=0)) for parts in (near, far)]
