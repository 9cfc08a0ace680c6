# SPDX-License-Identifier: MIT
"""A uniform pair as a four-port of its legs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pcbrules.networks.two_port import TwoPort


def pair(*, even: TwoPort, odd: TwoPort) -> NDArray[np.complex128]:
    r"""Scattering parameters of a symmetric pair, from the two-ports of one leg in its even and in its odd mode.

    Ports 1 and 2 are the near ends of the two legs, 3 and 4 the far ends: 1 leads to 3 and 2 to 4.

    .. math:: S_\text{own} = \tfrac12 (S_e + S_o), \quad S_\text{other} = \tfrac12 (S_e - S_o)

    Parameters
    ----------
    even, odd : TwoPort
        On one grid, with the reference impedance of one leg.

    Returns
    -------
    ndarray of complex, shape (n, 4, 4)
        Referred to that impedance at every port. [-]
    """
    own, other = (even.s + odd.s) / 2, (even.s - odd.s) / 2
    s = np.empty((len(even.f), 4, 4), dtype=complex)
    for end in (0, 1):
        for start in (0, 1):
            rows, columns = slice(2 * end, 2 * end + 2), slice(2 * start, 2 * start + 2)
            direct, crossed = own[:, end, start], other[:, end, start]
            s[:, rows, columns] = np.moveaxis(np.array([[direct, crossed], [crossed, direct]]), -1, 0)
    return s
