# SPDX-License-Identifier: MIT
"""What the solver of cross-sections finds: per mode the capacitance, where the field is, where the current crowds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.lines.task import ModeName
from pcbrules.arrays import Complex, Real
from pcbrules.brief import brief
from pcbrules.constants import EPSILON_0, LIGHT
from pcbrules.model.catalogue.dielectrics import DF_DATA_AT
from pcbrules.physics.lines.dielectric import permittivity

REFERENCE = 5e9
"""Frequency of the permittivity in an impedance [Hz]: about that of a TDR step on a coupon."""


def reference_dk(material: DielectricPoints) -> float:
    """Relative permittivity of a material at the reference. [-]"""
    return float(permittivity(frequency=REFERENCE, points=material.points).real)


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode, per leg.

    ``name``: ``odd``, ``even`` or ``single``. ``air``: capacitance of the empty section over epsilon_0 [-]. ``empty``
    and ``filling``: weights of air and of the dielectrics in the effective permittivity [-]. ``crowding``: resistance
    over surface resistance of lower face, upper face, sides, plane below, plane above [1/m].
    """

    name: ModeName
    air: float
    empty: float
    filling: tuple[tuple[float, DielectricPoints], ...]
    crowding: tuple[float, ...]

    __repr__ = brief

    def permittivity(self, frequency: Real | float, temperature: float = DF_DATA_AT) -> Complex:
        """Effective permittivity at frequencies [Hz] and a temperature [degC]. [-]"""
        parts = [weight * permittivity(frequency=frequency, points=made.at(temperature))
                 for weight, made in self.filling]
        return np.asarray(self.empty + np.sum(parts, axis=0))

    def impedance(self) -> float:
        """Lossless impedance of one leg at the reference. [ohm]"""
        return float(1 / (LIGHT * EPSILON_0 * self.air * math.sqrt(float(self.permittivity(REFERENCE).real))))


@dataclass(frozen=True, slots=True)
class LineModes:
    """Even and odd mode of a pair, or twice the one mode of a trace; name and errors (k = 2) of the model.

    ``u_z`` is that of the impedance, ``u_filling`` that of the dielectric loss for given materials. [-] ``slopes``:
    relative change of the odd impedance by each move of ``MOVES``, by its name; empty where nobody asked. [1/m, -]
    """

    even: Mode
    odd: Mode
    card: str
    u_z: float
    u_filling: float
    slopes: tuple[tuple[str, float], ...]

    __repr__ = brief
