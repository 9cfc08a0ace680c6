# SPDX-License-Identifier: MIT
"""Even and odd mode of legs that are no mirror images of each other: legs at +V/2 and -V/2, or both at V.

Of unequal surroundings one mode turns a little into the other; that is left out, and its size is part of the error.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pcbrules.analysis.lines.task import ModeName
from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section.fields import Fields


def of_legs(fields: Fields, mode: ModeName) -> Fields:
    """The matrices (1, 1) of one leg in a mode, from those of both legs (2, 2)."""
    volts = _volts(mode)

    def half(matrix: Real) -> Real:
        return np.asarray(volts.T @ matrix @ volts / 2)

    charge = fields.charge
    low, high = (np.asarray(volts.T @ plane @ volts) for plane in charge.planes)
    return Fields(
        c=half(fields.c), c0=half(fields.c0), parts=tuple(half(part) for part in fields.parts),
        charge=replace(charge, charge=charge.charge @ volts, planes=(low, high)),
        changes=tuple((half(one), half(empty)) for one, empty in fields.changes),
    )


def share_of_loss(fields: Fields, mode: ModeName) -> float:
    """Half of the loss of both legs, from per square of the current in the first leg to per square of the mean. [-]"""
    volts = _volts(mode)
    charge = fields.c0 @ volts
    return float((charge[0, 0] / (volts.T @ charge / 2).item()) ** 2 / 2)


def unequal_legs(fields: Fields) -> float:
    """By how much the differential impedance at given voltages is off that at given charges; 0 for equal legs. [-]"""
    ratio = 1.0
    for c in (fields.c, fields.c0):
        volts = (c[0, 0] + c[1, 1] - 2 * c[0, 1]) / 2
        charges = 2 * (c[0, 0] * c[1, 1] - c[0, 1] ** 2) / (c[0, 0] + c[1, 1] + 2 * c[0, 1])
        ratio *= float(volts / charges)
    return abs(math.sqrt(ratio) - 1)


def _volts(mode: ModeName) -> Real:
    return np.array([[1.0], [1.0 if mode == "even" else -1.0]])
