# SPDX-License-Identifier: MIT
"""Foils by the weight they are sold by: one foil is written as a weight or as one of several rounded thicknesses."""

from __future__ import annotations

from typing import Final

OUNCE: Final = 35e-6
"""Thickness that stands for one ounce a square foot in a board file [m]."""

SOLD: Final = tuple(OUNCE * weight for weight in (1 / 8, 1 / 4, 1 / 3, 3 / 8, 1 / 2, 3 / 4, 1, 1.5, 2, 2.5, 3, 4, 5, 6))
"""Foils that are sold, lightest first [m]."""

PLANES: Final = tuple(OUNCE * weight for weight in (1, 2, 3, 4))
"""Foils that planes are ordered in, lightest first [m]."""

ROUNDED: Final = 0.03
"""How far the usual spellings of a foil lie from its thickness [-].

17 um and 18 um are half an ounce (17.5 um); 34.3 um (IPC-4562) and 1.4 mil are one ounce.
"""


def sold_weight(thickness: float) -> float:
    """Return the foil that a base weight means, else the base weight itself.

    Parameters
    ----------
    thickness : float
        Base weight as the board file has it, 35 um an ounce. [m]

    Returns
    -------
    float
        The same [m].
    """
    return next((foil for foil in SOLD if abs(thickness - foil) <= ROUNDED * foil), thickness)
