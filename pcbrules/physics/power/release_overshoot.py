# SPDX-License-Identifier: MIT
"""Rise of a regulator's output when its load lets go faster than its inductors can."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="V",
    valid={"voltage": (0.2, 60.0)},
    source="Erickson, Maksimovic, Fundamentals of Power Electronics, 3rd ed., ch. 9; energy of the inductor",
    accuracy="an ideal capacitor and a release at once: up to rise / 2 V high; the drop over ESR adds to it, see "
    "slew_limited_release",
)
def release_overshoot(*, inductance: ArrayLike, step: ArrayLike, capacitance: ArrayLike, voltage: ArrayLike) -> Any:
    r"""Rise above the set voltage after a load step is released at once.

    .. math:: \Delta V = \frac{L\,\Delta I^2}{2\,C\,V}

    The inductor current can fall no faster than V / L, however fast the control is: an overshoot is no mirror of a
    droop. It holds where the load falls faster than that.

    Parameters
    ----------
    inductance : float or ndarray, shape (...)
        The inductors of all phases in parallel, not the output inductance of the closed loop. [H]
    step : float or ndarray, broadcastable to ``inductance``
        Current that is released. [A]
    capacitance : float or ndarray, broadcastable to ``inductance``
        On the output. [F]
    voltage : float or ndarray, broadcastable to ``inductance``
        Of the output. [V]

    Returns
    -------
    float or ndarray, shape (...)
        Rise. [V]

    Examples
    --------
    >>> f"{release_overshoot(inductance=6e-9, step=350.0, capacitance=26e-3, voltage=0.8) * 1e3:.1f} mV"
    '17.7 mV'
    """
    return np.asarray(inductance) * np.asarray(step) ** 2 / (2 * np.asarray(capacitance) * np.asarray(voltage))
