# SPDX-License-Identifier: MIT
"""Heat of a part on a rectangular board of layers: exact double cosine series, and the one-temperature fin.

Layers are uniform and conduct differently along the board and through it, edges pass no heat, both faces give heat to
the air, the upper one under the part too. A place is a rectangle ``(x, y, width, height)`` about its centre; width and
height zero make it a point. Both models are symmetric: A heats B as B heats A.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

MODES_PER_SOURCE = 24
"""Waves along a side, for each time that the source goes into it: 3e-5 of the rise at its centre."""
MODES = (96, 2400)
"""Fewest and most waves along a side."""
_ROWS = 64  # waves across the board that are summed at once

_RANGES = {
    "board": (5e-3, 1.0),
    "thickness": (5e-6, 10e-3),
    "in_plane": (0.05, 500.0),
    "film_top": (0.0, 2e4),
    "film_bottom": (0.0, 2e4),
}


@FormulaCard(
    gives="K/W",
    valid=_RANGES | {"through": (0.05, 500.0)},
    source=(
        "double cosine series of steady conduction, each wave carried through the layers: Carslaw and Jaeger, "
        "Conduction of Heat in Solids, 2nd ed., chapter V; Muzychka, Culham and Yovanovich, J. Electronic Packaging "
        "125 (2003) 178"
    ),
    accuracy="1e-4 of the model; 3e-5 against an independent series and 3-D finite elements (HS01-HS03)",
    u=0.001,
)
def layered_board_rise(
    *,
    board: tuple[float, float],
    thickness: ArrayLike,
    in_plane: ArrayLike,
    through: ArrayLike,
    film_top: float,
    film_bottom: float,
    source: tuple[float, float, float, float],
    places: ArrayLike,
) -> Any:
    r"""Mean rise of places of the upper face, for one watt spread evenly over a source on it.

    .. math:: R = \sum_{mn} \frac{\varepsilon_m \varepsilon_n}{ab}\,
              \frac{s_{mn} p_{mn}}{h_t + Y_{mn}}, \qquad
              Y \leftarrow k_z\gamma\,\frac{Y + k_z\gamma\tanh\gamma t}{k_z\gamma + Y\tanh\gamma t},\quad
              \gamma = \lambda_{mn}\sqrt{k_{xy} / k_z}

    Parameters
    ----------
    board : (float, float)
        Sides of the board, along x and y; a corner is the origin. [m]
    thickness : array_like, shape (layers,)
        Thickness of each layer, top to bottom. [m]
    in_plane, through : array_like, shape (layers,)
        Thermal conductivity along the board and through it. [W/(m K)]
    film_top, film_bottom : float
        Heat-transfer coefficients of the faces; not both zero. [W/(m^2 K)]
    source : (float, float, float, float)
        Centre x, y, width and height of the source, inside the board. [m]
    places : array_like, shape (..., 4)
        Rectangles or points of the upper face, likewise. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Rise over the air for each watt. [K/W]

    Raises
    ------
    ValueError
        Both films are zero, or a rectangle leaves the board.

    Examples
    --------
    >>> rise = layered_board_rise(board=(0.1, 0.1), thickness=[35e-6, 1.53e-3, 35e-6], in_plane=[385, 0.8, 385],
    ...     through=[385, 0.3, 385], film_top=10, film_bottom=10, source=(0.05, 0.05, 0.01, 0.01),
    ...     places=(0.05, 0.05, 0, 0))
    >>> f"{rise:.2f} K/W"
    '20.55 K/W'
    """
    layers = list(zip(*(np.atleast_1d(np.asarray(one, float)) for one in (thickness, in_plane, through)), strict=True))

    def conductance(wave: Real) -> Real:
        below = np.full_like(wave, film_bottom)
        for height, along, across in reversed(layers):
            own = across * np.sqrt(along / across) * wave
            slope = np.tanh(wave * np.sqrt(along / across) * height)
            even = wave == 0
            safe = np.where(even, 1.0, own)
            below = np.where(
                even, below / (1 + below * height / across), safe * (below + safe * slope) / (safe + below * slope)
            )
        return film_top + below

    return _series(board, source, places, film_top + film_bottom, conductance)


@FormulaCard(
    gives="K/W",
    valid=_RANGES,
    source="fin equation S lap(T) = h T - q with one temperature through the board, S the sum of k t; double cosine "
    "series as above",
    accuracy=(
        "lower bound: all planes at one temperature, as if stitched by vias everywhere. At the hot spot 1 % low with "
        "one plane, 23 % with two, 30 % with four (HS01-HS03), more with better cooling; far from it within 4 %"
    ),
)
def fin_board_rise(
    *,
    board: tuple[float, float],
    thickness: ArrayLike,
    in_plane: ArrayLike,
    film_top: float,
    film_bottom: float,
    source: tuple[float, float, float, float],
    places: ArrayLike,
) -> Any:
    """The same with one temperature through the board: what remains when the planes are joined everywhere.

    Parameters
    ----------
    board : (float, float)
        As in ``layered_board_rise``. [m]
    thickness : array_like, shape (layers,)
        Thickness of each layer. [m]
    in_plane : array_like, shape (layers,)
        Thermal conductivity along the board. [W/(m K)]
    film_top, film_bottom : float
        Heat-transfer coefficients of the faces; not both zero. [W/(m^2 K)]
    source : (float, float, float, float)
        As in ``layered_board_rise``. [m]
    places : array_like, shape (..., 4)
        Likewise. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Rise over the air for each watt. [K/W]

    Raises
    ------
    ValueError
        As ``layered_board_rise``.

    Examples
    --------
    >>> rise = fin_board_rise(board=(0.1, 0.1), thickness=[35e-6, 1.53e-3, 35e-6], in_plane=[385, 0.8, 385],
    ...     film_top=10, film_bottom=10, source=(0.05, 0.05, 0.01, 0.01), places=(0.05, 0.05, 0, 0))
    >>> f"{rise:.2f} K/W"
    '15.80 K/W'
    """
    sheet = float(np.sum(np.atleast_1d(thickness) * np.atleast_1d(in_plane)))
    film = film_top + film_bottom
    return _series(board, source, places, film, lambda wave: film + sheet * wave**2)


def _series(
    board: tuple[float, float], source: tuple[float, float, float, float], places: ArrayLike, film: float,
    conductance: Any,
) -> Any:
    """Sum over the waves of source times place over the conductance [W/(m^2 K)] that each wave meets."""
    if film <= 0:
        raise ValueError("no heat leaves a board without a film")
    wanted = np.asarray(places, dtype=float)
    flat = np.vstack([np.asarray(source, float), wanted.reshape(-1, 4)])
    counts = []
    for side in (0, 1):
        if np.any(np.abs(flat[:, side] - board[side] / 2) + flat[:, side + 2] / 2 > board[side] * (0.5 + 1e-9)):
            raise ValueError("a rectangle leaves the board")
        counts.append(int(np.clip(MODES_PER_SOURCE * board[side] / max(source[side + 2], 1e-9), *MODES)))
    shapes = []
    for side, count in enumerate(counts):
        order = np.arange(count)
        middle = np.cos(np.pi * order * flat[:, side, None] / board[side])
        shape = middle * np.sinc(order * flat[:, side + 2, None] / (2 * board[side]))
        shapes.append(shape[0] * np.where(order == 0, 1.0, 2.0) * shape[1:] / board[side])
    along = np.pi * np.arange(counts[0]) / board[0]
    total = np.zeros(len(flat) - 1)
    for start in range(0, counts[1], _ROWS):
        rows = slice(start, start + _ROWS)
        across = np.pi * np.arange(counts[1])[rows] / board[1]
        weight = 1 / conductance(np.hypot(along[:, None], across[None, :]))
        total += np.einsum("pm,mn,pn->p", shapes[0], weight, shapes[1][:, rows], optimize=True)
    found = total.reshape(wanted.shape[:-1])
    return found if found.ndim else float(found)
