# SPDX-License-Identifier: MIT
"""Direct-current resistance of a plated barrel, alone and with its end pads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

_CELLS = 24  # between two marks of the grid; 1e-4 from the limit of many
_SMALLEST = 2e-3  # of the pad's thickness: the cell at the inner corner of barrel and pad


@FormulaCard(
    gives="ohm",
    valid={"drill": (50e-6, 2e-3), "plating": (5e-6, 100e-6), "length": (10e-6, 10e-3)},
    source="definition: resistivity, length and area of a tube",
    accuracy="exact for the tube; with pads the resistance from rim to rim is 0.4 to 16 % higher (VIA01-VIA03)",
    u=0.0,
)
def tube_resistance(*, resistivity: ArrayLike, length: ArrayLike, drill: ArrayLike, plating: ArrayLike) -> Any:
    r"""Resistance of a barrel whose plating grows inwards from the drilled wall.

    .. math:: R = \rho\,l / \pi\,(r_o^2 - r_i^2)

    Parameters
    ----------
    resistivity : float or ndarray, shape (...)
        Resistivity of copper. [ohm m]
    length : float or ndarray, broadcastable to ``resistivity``
        Length of the barrel. [m]
    drill : float or ndarray, broadcastable to ``resistivity``
        Drilled diameter: the outer diameter of the barrel. [m]
    plating : float or ndarray, broadcastable to ``resistivity``
        Plating thickness; half the drill or more is a via of solid copper. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Resistance. [ohm]

    Examples
    --------
    >>> r = tube_resistance(resistivity=1.7241e-8, length=1.6e-3, drill=0.3e-3, plating=25e-6)
    >>> f"{r * 1e3:.4f} mohm"
    '1.2772 mohm'
    """
    outer = np.asarray(drill) / 2
    inner = np.maximum(outer - np.asarray(plating), 0)
    return np.asarray(resistivity) * np.asarray(length) / (np.pi * (outer**2 - inner**2))


def padded_barrel_resistance(
    *, resistivity: float, length: float, drill: float, plating: float, pad: float, pad_thickness: float
) -> float:
    """Resistance of a barrel from the rim of its top pad to the rim of its bottom pad.

    Parameters
    ----------
    resistivity : float
        Resistivity of copper. [ohm m]
    length : float
        From the outer face of the top pad to the outer face of the bottom pad. [m]
    drill, plating : float
        As for `tube_resistance`. [m]
    pad, pad_thickness : float
        Diameter and thickness of both pads. [m]

    Returns
    -------
    float
        Resistance. [ohm]

    Raises
    ------
    ValueError
        The pad is no wider than the drill, or the pads meet.

    Notes
    -----
    Source: finite volumes in radius and height on one half of the via, whose middle is at half the voltage. Cells
    shrink towards the inner corner of barrel and pad. 0.015 % against independent finite elements (VIA01 to VIA03).
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import spsolve

    if pad <= drill or 2 * pad_thickness >= length:
        raise ValueError("the pad is no wider than the drill, or the pads meet")
    outer, rim = drill / 2, pad / 2
    inner = max(outer - plating, 0.0)
    least = _SMALLEST * pad_thickness
    reach = min(length / 2 - pad_thickness, 4 * outer)  # beyond, the current in the barrel is even
    r = np.concatenate([inner + (outer - inner) * (1 - _grow(outer - inner, least)[::-1]),
                        outer + (rim - outer) * _grow(rim - outer, least)[1:]])
    z = np.concatenate([reach * (1 - _grow(reach, least)[::-1]),
                        reach + pad_thickness * _grow(pad_thickness, least)[1:]])
    barrel = int(np.sum(r[1:] <= outer * (1 + 1e-12)))
    below = int(np.sum(z[1:] <= reach * (1 + 1e-12)))
    column, row = np.meshgrid(np.arange(len(r) - 1), np.arange(len(z) - 1), indexing="ij")
    copper = (column < barrel) | (row >= below)
    number = np.where(copper, np.cumsum(copper.ravel()).reshape(copper.shape) - 1, -1)
    middle = np.sqrt((r[1:] ** 2 + r[:-1] ** 2) / 2)
    height = np.diff(z)
    area = np.pi * np.diff(r**2)
    across = 2 * np.pi * height[None, :] / np.log(middle[1:] / middle[:-1])[:, None]
    along = area[:, None] / ((height[1:] + height[:-1]) / 2)[None, :]
    pairs = [(number[:-1], number[1:], across), (number[:, :-1], number[:, 1:], along)]
    a, b, g = (
        np.concatenate([part.ravel() for part in parts]) for parts in
        zip(*((one[(one >= 0) & (two >= 0)], two[(one >= 0) & (two >= 0)], g[(one >= 0) & (two >= 0)])
              for one, two, g in pairs), strict=True)
    )
    count = int(copper.sum())
    ground = np.zeros(count)
    ground[number[:barrel, 0]] += area[:barrel] / (height[0] / 2)
    feed = np.zeros(count)
    feed[number[-1, below:]] += 2 * np.pi * height[below:] / np.log(r[-1] / middle[-1])
    here = np.arange(count)
    matrix = coo_matrix((
        np.concatenate([g, g, -g, -g, ground + feed]),
        (np.concatenate([a, b, a, b, here]), np.concatenate([a, b, b, a, here])),
    ), shape=(count, count)).tocsc()
    potential = spsolve(matrix, feed)
    half = 1 / float(ground @ potential)
    rest = length / 2 - pad_thickness - reach
    even = float(tube_resistance(resistivity=1.0, length=rest, drill=drill, plating=plating))
    return 2 * resistivity * (half + even)


def _grow(span: float, least: float) -> Real:
    """Marks from 0 to 1 whose first step is ``least`` over ``span`` and the others grow evenly."""
    first = least / span
    if first * _CELLS >= 1:
        return np.linspace(0, 1, _CELLS + 1)
    low, high = 1.0, 4.0
    for _ in range(60):
        ratio = (low + high) / 2
        total = first * (ratio**_CELLS - 1) / (ratio - 1)
        low, high = (ratio, high) if total < 1 else (low, ratio)
    marks = np.concatenate([[0], np.cumsum(first * low ** np.arange(_CELLS))])
    return np.asarray(marks / marks[-1])
