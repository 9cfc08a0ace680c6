# SPDX-License-Identifier: MIT
"""Striplines: one trace or an edge-coupled pair between two planes, as capacitance of the empty section over epsilon_0.

Exact conformal maps of centred strips without thickness, an equivalent width and an equivalent gap for the thickness,
the two halves of the section computed apart for an offset trace, and what such halves miss added. Every length is in
units of the plane spacing, so the scale cannot matter; width and gap are those at half the thickness of the copper.
The same capacitance gives the inductance (``mu_0 / C``); ``stripline_filling`` tells how much of the field is in which
dielectric.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.stripline_thin import equivalent_excess, pair_ratio, thin_strip

WIDTHS, THICKNESSES, POSITIONS = (0.1, 2.5), (0.005, 0.16), (1 / 11, 10 / 11)
PAIR_WIDTHS, PAIR_GAPS, PAIR_THICKNESSES, PAIR_POSITIONS = (0.12, 2.5), (0.15, 7.0), (0.01, 0.16), (1 / 6, 5 / 6)
TAPERS = (-1.0, 1.0)

EVEN_GAP = (1.0475, 0.6766)
ODD_GAP = (3.687, 0.8036, 6.991)
SMOOTH_GAP = (0.004, 0.0342)
TAPER_SHIFT, TAPER_GAIN, FACE_SHIFT = 0.3345, 0.0847, 0.7
OFFSET = (0.0576, 0.0154, 1.346)
OUTER = (0.596, 5.079)
INNER = (0.5791, 4.948, 3.490, 1.692)
COUPLING = (0.4021, 0.3246, 2.888, 0.8946, 2.141, 1.076)
"""Constants fitted once to 1,586 sections of an independent boundary-element solution, and measured on 996 others."""

_FIT = "constants fitted to an independent boundary-element solution"


def _centred(width: Real, gap: Real | None, thickness: Real) -> Real:
    """Capacitance of a centred section: (1, ...) of one trace, or (2, ...) of a pair, even and odd."""
    excess, open_ = np.asarray(equivalent_excess(width=width, thickness=thickness)), 1 - thickness
    wide = (width + excess) / open_
    if gap is None:
        return np.asarray(thin_strip(width=wide))[None]
    even = gap - (EVEN_GAP[0] + EVEN_GAP[1] * thickness) * excess
    odd = gap - (1 - ODD_GAP[0] * thickness ** ODD_GAP[1] * np.exp(-ODD_GAP[2] * gap)) * excess
    angles = (np.pi / 2 * (wide + _positive(g, scale)) for g, scale in zip((even, odd), SMOOTH_GAP, strict=True))
    return 4 * pair_ratio(np.pi / 2 * wide, *angles)


def _positive(value: Real, scale: float) -> Real:
    return np.asarray((value + np.sqrt(value**2 + scale**2)) / 2)


def _half(width: Real, gap: Real | None, thickness: Real, height: Real) -> Real:
    """Capacitance of one side of a trace whose flux lines are cut at its foot: half of a centred section.

    ``height`` reaches from the cut to the plane, ``thickness`` from the cut to the face of the trace.
    """
    spacing = 2 * height
    return _centred(width / spacing, None if gap is None else gap / spacing, 2 * thickness / spacing) / 2


def _section(
    width: ArrayLike, gap: ArrayLike | None, thickness: ArrayLike, position: ArrayLike, taper: ArrayLike
) -> Real:
    width, thickness, position, taper = (np.asarray(v, dtype=float) for v in (width, thickness, position, taper))
    pair = None if gap is None else np.asarray(gap, dtype=float)
    below, above = position * (1 - thickness), (1 - position) * (1 - thickness)
    shift = TAPER_SHIFT * taper * thickness / 2
    halves = [
        _half(width + s, None if pair is None else pair - s, thickness / 2, height + thickness / 2)
        for s, height in ((shift, below), (-shift, above))
    ]
    alone, facing = _crossing(width, thickness, position)
    gain = 1 + TAPER_GAIN * taper**2 * thickness
    if pair is None:
        return np.asarray((halves[0] + halves[1] + 2 * alone) * gain)
    # the mean of both modes from the halves, their difference from the centred section
    mean = (halves[0] + halves[1]).mean(axis=0) + alone + facing * (1 - np.exp(-INNER[2] * pair ** INNER[3]))
    centred = _centred(width, pair, thickness)
    far, wide, narrow, near, rate, power = COUPLING
    exponent = (far + wide * np.exp(-narrow * width)) * (1 - near * np.exp(-rate * pair**power))
    coupling = (centred[1] - centred[0]) / 2 * np.sin(np.pi * (below + thickness / 2)) ** (2 * exponent)
    return np.asarray(np.stack([mean - coupling, mean + coupling]) * gain)


def _crossing(width: Real, thickness: Real, position: Real) -> tuple[Real, Real]:
    """What the flux from the far side of an offset trace to the near plane adds, which the two halves lack.

    Per edge: one without a neighbour, and one that faces a neighbour at a great distance.
    """
    unequal = np.log((1 - position) / position) ** 2
    edge = OFFSET[0] * unequal / (1 + OFFSET[1] * unequal) / (1 + OFFSET[2] * thickness)
    alone = edge * (1 - OUTER[0] * np.exp(-OUTER[1] * width))
    facing = edge * (1 - INNER[0] * np.exp(-INNER[1] * width))
    return np.asarray(alone), np.asarray(facing)


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "thickness": THICKNESSES, "position": POSITIONS, "taper": TAPERS},
    source="thin_strip (Cohn 1954), equivalent_excess (Wheeler 1978), halves as in IPC-2141A; offset, taper: " + _FIT,
    accuracy="k = 2: 0.2 % centred, 0.4 % to a distance ratio of 10; worst of 996 sections 0.8 %",
    u=0.005,
)
def stripline_capacitance(
    *, width: ArrayLike, thickness: ArrayLike, position: ArrayLike, taper: ArrayLike = 0.0
) -> Any:
    """Capacitance of one trace between planes, without dielectric.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over plane spacing. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over plane spacing. [-]
    position : float or ndarray, broadcastable to ``width``
        Distance from the lower plane to the lower face, over the sum of both distances. [-]
    taper : float or ndarray, broadcastable to ``width``
        Lower less upper width, over the thickness. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance over epsilon_0. [-]

    Examples
    --------
    >>> z = 376.7303 / stripline_capacitance(width=110 / 225, thickness=15 / 225, position=0.5) / 3.4**0.5
    >>> f"{z:.1f} ohm"
    '48.1 ohm'
    """
    return _section(width, None, thickness, position, taper)[0]


@FormulaCard(
    gives="1",
    valid={
        "width": PAIR_WIDTHS,
        "gap": PAIR_GAPS,
        "thickness": PAIR_THICKNESSES,
        "position": PAIR_POSITIONS,
        "taper": TAPERS,
    },
    source="thin strips (Cohn 1955) with equivalent_excess (Wheeler 1978), halves as in IPC-2141A; gaps, offset,"
    " taper: " + _FIT,
    accuracy="k = 2: 0.3 % to a distance ratio of 2, 0.5 % to 5; worst of 763 sections 1.7 %; narrowest"
    " gap and both distances to the planes not below the thickness",
    u=0.006,
)
def stripline_pair_capacitance(
    *, width: ArrayLike, gap: ArrayLike, thickness: ArrayLike, position: ArrayLike, taper: ArrayLike = 0.0
) -> Any:
    """Capacitance of each trace of an edge-coupled pair between planes, without dielectric, even and odd.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over plane spacing. [-]
    gap : float or ndarray, broadcastable to ``width``
        Mean gap over plane spacing. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over plane spacing. [-]
    position : float or ndarray, broadcastable to ``width``
        Distance from the lower plane to the lower face, over the sum of both distances. [-]
    taper : float or ndarray, broadcastable to ``width``
        Lower less upper width, over the thickness. [-]

    Returns
    -------
    ndarray, shape (2, ...)
        Capacitance over epsilon_0, even and odd. [-]

    Examples
    --------
    >>> even, odd = stripline_pair_capacitance(width=90 / 215, gap=75 / 215, thickness=15 / 215, position=0.5)
    >>> f"{2 * 376.7303 / odd / 3.4**0.5:.1f} ohm"
    '87.0 ohm'
    """
    return _section(width, gap, thickness, position, taper)


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "thickness": THICKNESSES, "position": POSITIONS, "taper": TAPERS},
    source="halves of the section cut at the foot and at the head of the trace, as in ``stripline_capacitance``",
    accuracy="k = 2: 0.15 % of the root of the permittivity, Dk of below, beside and above within 0.78 to 1.28 of each"
    " other; worst of 996 sections 0.5 %",
    u=0.0015,
)
def stripline_filling(
    *,
    width: ArrayLike,
    thickness: ArrayLike,
    position: ArrayLike,
    taper: ArrayLike = 0.0,
    gap: ArrayLike | None = None,
) -> Real:
    """Parts of the field below the trace, beside it, and above it: weights of the dielectrics there.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over plane spacing. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over plane spacing. [-]
    position : float or ndarray, broadcastable to ``width``
        Distance from the lower plane to the lower face, over the sum of both distances. [-]
    taper : float or ndarray, broadcastable to ``width``
        Lower less upper width, over the thickness. [-]
    gap : float or ndarray, broadcastable to ``width``, or None
        Mean gap over plane spacing; None is one trace. [-]

    Returns
    -------
    ndarray, shape (3, 1, ...) or (3, 2, ...)
        Weights below, beside and above, of one trace or of the even and odd mode; their sum is 1. [-]

    Examples
    --------
    >>> below, beside, above = stripline_filling(width=0.5, thickness=0.07, position=0.4)[:, 0]
    >>> f"{below:.2f} below, {beside:.2f} beside, {above:.2f} above"
    '0.51 below, 0.08 beside, 0.41 above'
    """
    width, thickness, position, taper = (np.asarray(v, dtype=float) for v in (width, thickness, position, taper))
    pair = None if gap is None else np.asarray(gap, dtype=float)
    shift = FACE_SHIFT * taper * thickness / 2
    faces, added = [], []
    for side, wider in ((position, shift), (1 - position, -shift)):
        height, flat = side * (1 - thickness), np.zeros_like(thickness)
        faces.append(_half(width + wider, None if pair is None else pair - wider, flat, height))
        added.append(_half(width, pair, thickness, height + thickness) - _half(width, pair, flat, height))
    parts = np.stack([faces[0], (added[0] + added[1]) / 2, faces[1]])
    return np.asarray(parts / parts.sum(axis=0))
