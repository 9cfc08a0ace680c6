# SPDX-License-Identifier: MIT
"""Dispersion of a bare microstrip or under solder mask, on its effective permittivity.

Striplines have none. Traces under a dielectric or beside ground on their layer have less, and none here.
"""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.lines.task import LineTask, ModeName
from pcbrules.arrays import Complex, Real
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.physics.lines.dispersion import even_dispersion, odd_dispersion, single_dispersion

U_SHIFT = 0.3
"""Error (k = 2) of the shift by dispersion, over the shift [-]: mask, thick copper, several plies; practice."""


def dispersed(task: LineTask, name: ModeName, quasi_static: Complex, frequency: Real) -> Complex:
    """Effective permittivity with dispersion, of a mode of a section at frequencies [Hz]. [-]

    Solder mask counts in the ``quasi_static`` one alone. Beyond the range of the formulas the nearest end holds.
    """
    if task.above or task.ground is not None or task.second is not None:
        return quasi_static
    height = math.fsum(ply.thickness for ply in task.below)
    f = np.asarray(frequency, dtype=float)
    parts = [ply.thickness / permittivity(frequency=f, points=ply.material.at(task.temperature)) for ply in task.below]
    substrate = height / np.sum(parts, axis=0)
    far = substrate - quasi_static
    drawn = _drawn_in(task, name, height, substrate.real, f)
    return np.asarray(np.where(far.real > 0, substrate - far / (1 + drawn), quasi_static))


def _drawn_in(task: LineTask, name: ModeName, height: float, dk: Real, frequency: Real) -> Real:
    """F of the formulas of dispersion, inside their ranges. [-]"""
    card = odd_dispersion.card
    given = {
        "width": _held(card, "width", task.width_foot / height), "dk": _held(card, "dk", dk),
        "product": _held(card, "product", frequency * height),
    }
    if task.gap is None or name == "single":
        return np.asarray(single_dispersion(**given))
    formula = even_dispersion if name == "even" else odd_dispersion
    return np.asarray(formula(gap=_held(card, "gap", task.gap / height), **given))


def _held(card: FormulaCard, name: str, value: Real | float) -> Real:
    return np.asarray(np.clip(value, *card.valid[name]))
