# SPDX-License-Identifier: MIT
"""Rise of a part over a zone of thermal vias, in a round board that gives its heat to the air.

A disc on the upper face heats evenly. Below it, out to the radius of the zone, every layer has the conductivity of
copper barrels and laminate together; further out its own. The rim passes no heat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.thermal.rings import Slab, ring_areas, ring_centres, ring_edges, slab


class ZoneRise(NamedTuple):
    """Rise over the air for each watt [K/W]: mean and middle of the source, middle and rim of the lower face.

    ``leaves_top`` and ``leaves_bottom`` are the parts of the heat that leave by each face [-]; they add up to one.
    """

    mean: float
    centre: float
    bottom_centre: float
    bottom_rim: float
    leaves_top: float
    leaves_bottom: float


@FormulaCard(
    gives="K/W",
    valid={
        "source_radius": (0.2e-3, 50e-3),
        "zone_radius": (0.2e-3, 60e-3),
        "board_radius": (1e-3, 0.5),
        "thickness": (5e-6, 6e-3),
        "in_plane": (0.1, 400.0),
        "through_zone": (0.1, 400.0),
        "through_board": (0.1, 400.0),
        "film_top": (0.0, 2e4),
        "film_bottom": (0.0, 2e4),
    },
    source=(
        "steady conduction in round layers on one axis, exactly along the axis and by finite volumes along the "
        "radius (method of lines: Schiesser, The Numerical Method of Lines, 1991)"
    ),
    accuracy="0.1 % against independent axisymmetric finite elements of the same board (TS01)",
    u=0.002,
)
def via_zone_rise(
    *,
    source_radius: float,
    zone_radius: float,
    board_radius: float,
    thickness: ArrayLike,
    in_plane: ArrayLike,
    through_zone: ArrayLike,
    through_board: ArrayLike,
    film_top: float,
    film_bottom: float,
) -> ZoneRise:
    r"""Rise over the air at the places of ``ZoneRise``, for one watt of the source.

    Parameters
    ----------
    source_radius, zone_radius, board_radius : float
        Radius of the even disc source, of the zone with vias, of the board; source and zone may have one radius and
        reach the board's. [m]
    thickness : array_like, shape (layers,)
        Thickness of each layer, top to bottom. [m]
    in_plane : array_like, shape (layers,)
        Thermal conductivity along the board. [W/(m K)]
    through_zone, through_board : array_like, shape (layers,)
        Thermal conductivity through the board, inside the zone and outside it. [W/(m K)]
    film_top, film_bottom : float
        Heat-transfer coefficient of each face to the air; the upper face gives heat under the source too.
        [W/(m^2 K)]

    Returns
    -------
    ZoneRise
        Rises for one watt [K/W] and where the heat leaves [-].

    Raises
    ------
    ValueError
        Both films are zero, or a radius exceeds that of the board.

    Examples
    --------
    >>> rise = via_zone_rise(source_radius=3e-3, zone_radius=4e-3, board_radius=20e-3,
    ...     thickness=[35e-6, 1.53e-3, 70e-6], in_plane=[385, 0.9, 385], through_zone=[385, 8, 385],
    ...     through_board=[385, 0.35, 385], film_top=0, film_bottom=60)
    >>> f"{rise.mean:.2f} K/W"
    '20.97 K/W'
    """
    if film_top + film_bottom <= 0:
        raise ValueError("no heat leaves a board without a film")
    if max(source_radius, zone_radius) > board_radius * (1 + 1e-12):
        raise ValueError("source and zone lie inside the board")
    edge = ring_edges(radii=sorted((source_radius, zone_radius)), end=board_radius)
    area, in_zone = ring_areas(edge=edge), ring_centres(edge=edge) < zone_radius
    heat = np.where(ring_centres(edge=edge) < source_radius, area, 0.0)
    heat = heat / heat.sum()

    stack = zip(*map(np.atleast_1d, (thickness, in_plane, through_zone, through_board)), strict=True)
    slabs = [
        slab(edge=edge, radial=np.full_like(area, along), axial=np.where(in_zone, zone, board), thickness=float(height))
        for height, along, zone, board in stack
    ]
    top, bottom = _faces(slabs, heat=heat, upper=film_top * area, lower=film_bottom * area)
    return ZoneRise(
        mean=float(heat @ top),
        centre=float(top[0]),
        bottom_centre=float(bottom[0]),
        bottom_rim=float(bottom[-1]),
        leaves_top=float(film_top * area @ top),
        leaves_bottom=float(film_bottom * area @ bottom),
    )


def _faces(slabs: list[Slab], *, heat: Real, upper: Real, lower: Real) -> tuple[Real, Real]:
    """Temperature of the rings of the upper and of the lower face [K], with films of [W/K] on both."""
    face = np.diag(lower)
    falls = []
    for one in reversed(slabs):
        falls.append(np.linalg.solve(face + one.own, one.across))
        face = one.own - one.across @ falls[-1]
    top = np.asarray(np.linalg.solve(face + np.diag(upper), heat), dtype=np.float64)
    bottom = top
    for fall in reversed(falls):
        bottom = fall @ bottom
    return top, bottom
