# SPDX-License-Identifier: MIT
"""The inductance that a part in series with a line can have at most, by its insertion loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="H",
    valid={"loss": (0.0, 20.0), "frequency": (1e8, 1.2e11), "z_ref": (10.0, 200.0)},
    source="a passive part loses at least what it reflects: 1 / |S21|^2 = 1 + (omega L / Z_ref)^2 for a pair with L in "
    "each leg, D. M. Pozar, Microwave Engineering, table 4.2",
    accuracy="exact for a part that takes nothing up; one that does has less inductance",
)
def most_series_inductance(*, loss: ArrayLike, frequency: ArrayLike, z_ref: ArrayLike) -> Any:
    r"""Inductance in each leg of a pair that alone would make the whole insertion loss.

    .. math:: L = \frac{Z_{ref}}{\omega} \sqrt{10^{A / 10} - 1}

    Parameters
    ----------
    loss : float or ndarray, shape (...)
        Insertion loss A between matched lines. [dB]
    frequency : float or ndarray, broadcastable to ``loss``
        Frequency of that loss. [Hz]
    z_ref : float or ndarray, broadcastable to ``loss``
        Differential reference impedance. [ohm]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance of one leg. [H]

    Examples
    --------
    >>> f"{most_series_inductance(loss=0.15, frequency=16e9, z_ref=100.0) * 1e9:.3f} nH"
    '0.186 nH'
    """
    reactance = np.asarray(z_ref) * np.sqrt(np.expm1(np.asarray(loss) * np.log(10) / 10))
    return reactance / (2 * np.pi * np.asarray(frequency))
