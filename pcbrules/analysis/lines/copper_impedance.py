# SPDX-License-Identifier: MIT
"""Series impedance inside smooth copper by the field solver's eddy currents."""

from __future__ import annotations

import math
from dataclasses import replace
from math import pi

import numpy as np

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.common.out_of_range import FACES, in_file_words
from pcbrules.analysis.lines.polygons import draw
from pcbrules.analysis.lines.task import LineTask, ModeName
from pcbrules.arrays import Complex, Real
from pcbrules.physics.lines.conductor import surface_impedance
from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.lines.cross_section.eddy import LineMetal, SeriesImpedance, series, series_mode
from pcbrules.physics.lines.roughness import cannonball_causal
from pcbrules.solver_cache import solved_once

U_COPPER = 0.01
"""Error (k = 2) of the resistance of given smooth copper [-]: nine independent sections from 0 to 50 GHz."""

AIR = DielectricPoints(((1e9, 1.0, 0.0),))

PLANE = 10e-3
"""Width of the planes [m]: it matters to the inductance below some 10 MHz only."""

TALLEST = 4.0
"""Thickness of the copper over its narrower face [-]: above it the filaments are too few."""

MOST = 2000
"""Filaments at most: three times what a pair takes."""

HIGH = 100e9
"""Frequency at which the reactance inside the copper equals its resistance, as that of a thin skin does [Hz]."""


def copper_impedance(task: LineTask, mode: ModeName, frequency: Real) -> Complex:
    """Resistance, and reactance of the inductance inside the copper, per leg.

    Parameters
    ----------
    task : LineTask
        Cross-section with its temperature.
    mode : str
        ``odd``, ``even`` or ``single``.
    frequency : ndarray, shape (...)
        Frequency; zero is allowed. [Hz]

    Returns
    -------
    ndarray of complex, shape (...)
        Impedance. [ohm/m]
    """
    made, outside = _solved(_without_mask(task), mode)
    # all resistivities by one factor: the impedance by it, at the frequency over it
    hot = float(resistivity(temperature=task.temperature, at_20=1.0))
    f = np.asarray(frequency, dtype=float)
    total = hot * _per_leg(made, mode, np.atleast_1d(f).ravel() / hot).reshape(f.shape)
    return np.asarray(total - 2j * pi * f * outside)


def copper_outside(task: LineTask, mode: ModeName) -> str | None:
    """Why there is no model for the currents in the copper of a task; None if there is one."""
    both = (task.resistivity_trace, task.resistivity_plane)
    outside = (
        resistivity.card.outside(temperature=task.temperature)
        or cannonball_causal.card.outside(rz=task.rz)
        or surface_impedance.card.outside(resistivity=resistivity(temperature=task.temperature, at_20=both))
    )
    if outside:
        return in_file_words(outside, FACES)
    narrow = min(task.width_foot, task.width_top)
    if task.thickness > TALLEST * narrow:
        return f"copper {task.thickness / narrow:.3g} times as thick as it is wide, at most {TALLEST:g} times"
    try:
        _, beyond = _solved(_without_mask(task), mode)
    except (ArithmeticError, ValueError) as error:
        return f"no model for the currents in this copper: {error}"
    return None if np.isfinite(beyond) else "no model for the currents in this copper: it is too wide for its planes"


def _without_mask(task: LineTask) -> LineTask:
    """The task without what its currents do not depend on: faces, temperature, dielectrics."""

    def air(plies: tuple[Ply, ...]) -> tuple[Ply, ...]:
        return (Ply(math.fsum(ply.thickness for ply in plies), AIR),) if plies else ()

    return replace(
        task, rz=(0.0,) * 4, temperature=20.0, plating=(), cover=None, cover_over_trace=None, below=air(task.below),
        above=air(task.above) if task.closed else (), closed=True,
    )


def _per_leg(made: SeriesImpedance, mode: ModeName, frequency: Real) -> Complex:
    """Impedance of one leg [ohm/m] at frequencies (f,) [Hz]; of a broadside pair from the matrix of both legs."""
    z = made.impedance(frequency)
    if z.shape[1] == 1:
        return np.asarray(z[:, 0, 0])
    both = z[:, 0, 1] + z[:, 1, 0]
    return np.asarray((z[:, 0, 0] + z[:, 1, 1] + (both if mode == "even" else -both)) / 2)


@solved_once
def _solved(task: LineTask, mode: ModeName) -> tuple[SeriesImpedance, float]:
    """The currents' impedance, and the inductance outside the copper [H/m]."""
    section = draw(task, lambda material: 1.0).section
    span = max(x for polygon in section.signals for x, _ in polygon)
    reach = max(x for polygon in (*section.signals, *section.grounds) for x, _ in polygon)
    copper = LineMetal(
        resistivity_signal=task.resistivity_trace,
        resistivity_plane=task.resistivity_plane,
        plane_thickness=task.plane_thickness,
        plane_width=max(PLANE, 10 * span, 2 * reach),
    )
    made = (
        series_mode(section, copper, mode, most=MOST) if mode != "single" and task.second is None
        else series(section, copper, most=MOST)
    )
    high = complex(_per_leg(made, mode, np.array([HIGH]))[0])
    return made, (high.imag - high.real) / (2 * pi * HIGH)
