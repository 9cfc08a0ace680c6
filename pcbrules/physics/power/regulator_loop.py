# SPDX-License-Identifier: MIT
"""Output inductance of a regulator whose loop has a bandwidth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="H",
    valid={"crossover": (100.0, 1e8)},
    source="Yao, Xu, Meng, Lee, Design considerations for VRM transient response based on the output impedance, IEEE "
    "Trans. Power Electronics 18 (2003) 1270: constant output impedance; recalled",
    accuracy="a loop of one pole; real ones have more, within a factor of 2 of it (practice)",
)
def loop_inductance(*, resistance: ArrayLike, beside: ArrayLike, crossover: ArrayLike) -> Any:
    r"""Output inductance of a closed loop that crosses over at a frequency.

    .. math:: L = \frac{\max\left(R, \sqrt{\lvert Z_C \rvert^2 - R^2}\right)}{2 \pi f_c}

    A current loop of one pole behind a load line R has the output impedance R (1 + j f / f_c). At the crossover of the
    voltage loop, regulator and capacitors have the same impedance: the gain of the loop is Z_C / Z. With capacitors of
    Z_C = R (1 - j) there, as adaptive voltage positioning wants them, both say R / (2 pi f_c).

    Parameters
    ----------
    resistance : float or ndarray, shape (...)
        Output resistance of the closed loop, load line included. [ohm]
    beside : float or ndarray, broadcastable to ``resistance``
        Magnitude of the impedance of the capacitors at the crossover, seen from the regulator. [ohm]
    crossover : float or ndarray, broadcastable to ``resistance``
        Frequency from which the capacitors hold the rail. [Hz]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance in series with the resistance. [H]

    Examples
    --------
    >>> f"{loop_inductance(resistance=0.4e-3, beside=0.5e-3, crossover=100e3) * 1e9:.3f} nH"
    '0.637 nH'
    """
    own, other = np.asarray(resistance), np.asarray(beside)
    reactance = np.sqrt(np.maximum(other**2 - own**2, 0.0))
    return np.maximum(own, reactance) / (2 * np.pi * np.asarray(crossover))
