# SPDX-License-Identifier: MIT
"""Temperature rise of a conductor that carries direct current, by two standards that must not be mixed up.

`ipc2221_rise` is the formula printed in IPC-2221, with the constant 0.048 for outer and 0.024 for inner conductors; the
inner one is half of the outer one by decree, and far too warm. IPC-2152 has charts from measurements and no formula;
`ipc2152_outer_rise` is a fit to them. Both are about lone straight traces in still air: neither covers planes, or necks
a fraction of a millimetre long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.constants import MIL
from pcbrules.physics.common.card import FormulaCard

OUTER, INNER = 0.048, 0.024
"""Constants of IPC-2221 for outer and inner conductors, with areas in square mils. [A]"""

_RISE, _AREA = 0.44, 0.725


@FormulaCard(
    gives="K",
    valid={"current": (0.0, 35.0), "area": (2e-10, 1e-6)},
    source="IPC-2221A, section 6.2 and figure 6-4: I = k dT^0.44 A^0.725, solved for the rise",
    accuracy="upper bound with the inner constant: 2 to 5 times the charts of IPC-2152",
)
def ipc2221_rise(*, current: ArrayLike, area: ArrayLike, constant: float) -> Any:
    r"""Temperature rise by the formula of IPC-2221.

    .. math:: \Delta T = \bigl(I / (k\,A^{0.725})\bigr)^{1/0.44}

    Parameters
    ----------
    current : float or ndarray, shape (...)
        Current. [A]
    area : float or ndarray, broadcastable to ``current``
        Cross-section of the copper. [m2]
    constant : float
        `OUTER` or `INNER`. [A]

    Returns
    -------
    float or ndarray, shape (...)
        Temperature rise. [K]

    Examples
    --------
    >>> f"{ipc2221_rise(current=1, area=0.01767e-6, constant=INNER):.1f} K in a barrel of 0.25 mm with 25 um"
    '20.5 K in a barrel of 0.25 mm with 25 um'
    """
    return (np.asarray(current) / (constant * (np.asarray(area) / MIL**2) ** _AREA)) ** (1 / _RISE)


@FormulaCard(
    gives="K",
    valid={"current": (0.0, 35.0), "width": (0.1e-3, 16e-3), "thickness": (12e-6, 110e-6)},
    source="D. Brooks, J. Adam, PCB Design Guide to Via and Trace Currents and Temperatures, 2021, eq. 5.5",
    accuracy="2 % against the two printed points; planes beside the trace lower it to 0.6 (same book)",
    u=0.2,
)
def ipc2152_outer_rise(*, current: ArrayLike, width: ArrayLike, thickness: ArrayLike) -> Any:
    r"""Temperature rise of an outer trace: fit to the charts of IPC-2152, lengths in mils.

    .. math:: \Delta T = 215.3\,I^2 w^{-1.15} t^{-1}

    Parameters
    ----------
    current : float or ndarray, shape (...)
        Current. [A]
    width, thickness : float or ndarray, broadcastable to ``current``
        Of the trace. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Temperature rise. [K]

    Examples
    --------
    >>> f"{ipc2152_outer_rise(current=4, width=40 * MIL, thickness=1.5 * MIL):.1f} K"
    '33.0 K'
    """
    w, t = np.asarray(width) / MIL, np.asarray(thickness) / MIL
    return 215.3 * np.asarray(current) ** 2 * w**-1.15 / t
