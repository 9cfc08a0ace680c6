# SPDX-License-Identifier: MIT
"""Length of a wave in a laminate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.constants import LIGHT
from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="m",
    valid={"frequency": (1e6, 2e11), "dk": (1.0, 20.0)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 1.4 (plane waves in lossless media)",
    accuracy="exact for a wave between two planes in one dielectric without loss",
)
def quarter_wavelength(*, frequency: ArrayLike, dk: ArrayLike) -> Any:
    r"""Quarter of the wavelength between two planes.

    .. math:: \frac{\lambda}{4} = \frac{c}{4\,f\,\sqrt{D_k}}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity of the dielectric between the planes. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Length. [m]

    Examples
    --------
    >>> f"{quarter_wavelength(frequency=26.5625e9, dk=3.3) * 1e3:.2f} mm"
    '1.55 mm'
    """
    return LIGHT / (4 * np.asarray(frequency) * np.sqrt(dk))
