# SPDX-License-Identifier: MIT
"""Steady current in a flat sheet of copper between contacts, by boundary integrals.

The sheet has an outline, cut-outs, and discs (pins, vias, antipads). Contacts are equipotentials; all other edges
insulate. The potential obeys Laplace's equation, so unknowns lie on edges only: the potential where nothing is
connected, the current density where a contact is. Discs have the diameter that is given, so nothing depends on a mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.physics.power.sheet_panels import NODES, ORDER, SheetPanel, Side, panels
from pcbrules.ties import greatest_of

_FINE = 1e-6
_LARGEST = 5000  # unknowns
_MOST = 96  # points round a disc
_FINER = 16  # times as many where the field inside the sheet is asked for
_DERIVE = np.linalg.solve(
    np.polynomial.legendre.legvander(NODES, ORDER - 1).T,
    np.polynomial.legendre.legval(
        NODES, np.polynomial.legendre.legder(np.eye(ORDER), axis=0)
    ),
).T  # derivative at the points from values at the points


@dataclass(frozen=True, slots=True)
class Disc:
    """A round contact, or a round hole where ``contact`` is None."""

    centre: complex
    diameter: float
    contact: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A solved sheet of one ohm per square.

    ``conductance[i, j]`` is the current that leaves contact i into the sheet at one volt on contact j, times -1 where
    they differ. [S]
    """

    conductance: Real
    _panels: tuple[SheetPanel, ...]
    _rings: tuple[tuple[Disc, Complex, Real], ...]
    _unknown: Real
    _scale: float

    def density(self, potential: Real) -> tuple[float, complex]:
        """Largest current density on any edge where it has a bound, and its place.

        Parameters
        ----------
        potential : ndarray, shape (contacts,)
            Potential of the contacts. [V]

        Returns
        -------
        float
            Current per width at one ohm per square; corners without a bound are left out. [A/m]
        complex
            Place ``x + j y``. [m]
        """
        found: list[tuple[float, complex]] = [(0.0, 0j)]
        at = 0
        values = self._unknown @ potential
        for panel in self._panels:
            own = values[at : at + ORDER]
            at += ORDER
            if panel.singular:
                continue
            flow = np.abs(own)
            if panel.contact is None:
                flow = np.abs(_DERIVE @ own) * (2 / panel.weights.sum())
            k = first_greatest(flow)
            found.append((float(flow[k]), complex(panel.points[k])))
        for disc, points, _ in self._rings:
            own = values[at : at + len(points)]
            at += len(points)
            waves = np.fft.rfft(own)
            if disc.contact is None:
                waves = waves * 1j * np.arange(len(waves)) / (disc.diameter / 2)
            many = 8 * len(points)
            flow = np.abs(np.fft.irfft(waves, many)) * (many / len(points))
            k = first_greatest(flow)
            place = disc.centre + disc.diameter / 2 * complex(np.exp(-2j * np.pi * k / many))
            found.append((float(flow[k]), place))
        best, where = greatest_of(found, key=lambda one: one[0])
        return best / self._scale, where * self._scale

    def potential(self, potential: Real, place: Complex) -> Real:
        """Potential inside the sheet at places [m], from the potentials of the contacts [V]."""
        target = np.asarray(place).ravel() / self._scale
        values, at = self._unknown @ potential, 0
        total = np.zeros(len(target))
        for panel in self._panels:
            single, double = panel.influence(target)
            own = values[at : at + ORDER]
            at += ORDER
            if panel.contact is None:
                total += double @ own / (2 * np.pi)
            else:
                total += double.sum(axis=1) * potential[panel.contact] / (2 * np.pi) - single @ own / (2 * np.pi)
        for disc, points, weights in self._rings:
            own = values[at : at + len(points)]
            at += len(points)
            own, points = _interpolated(own), _circle(disc, _FINER * len(points))
            single, double = _ring(disc, points, np.full(len(points), weights.sum() / len(points)), target)
            total += (double @ own if disc.contact is None else -single @ own) / (2 * np.pi)
        return total

    def density_at(self, potential: Real, place: complex, step: float) -> float:
        """Current density at a place inside the sheet, by differences over ``step`` [m] both ways. [A/m]"""
        around = np.array([place + step, place - step, place + 1j * step, place - 1j * step])
        v = self.potential(potential, around)
        return float(np.hypot(v[0] - v[1], v[2] - v[3]) / (2 * step))


def solve_sheet(*, loops: Sequence[Sequence[Side]], discs: Sequence[Disc] = (), contacts: int) -> Sheet:
    r"""Conductances between the contacts of a sheet of one ohm per square.

    With :math:`G = -\ln r/2\pi` and the outward normal derivative :math:`q` of the potential :math:`V`,

    .. math:: \tfrac12 V + \oint V\,\partial_n G\,\mathrm ds = \oint G\,q\,\mathrm ds

    holds at every point of the edges.

    Parameters
    ----------
    loops : sequence of sequences of Side
        The outline counterclockwise and cut-outs clockwise, in metres.
    discs : sequence of Disc
        Round contacts and holes, in metres; inside the outline and apart from each other.
    contacts : int
        Number of contacts; the numbers in ``loops`` and ``discs`` run from 0.

    Returns
    -------
    Sheet
        Its ``conductance`` has shape (contacts, contacts). [S]

    Raises
    ------
    ValueError
        A disc touches an edge or another disc, or a contact is nowhere.

    Notes
    -----
    Source: C. A. Brebbia, J. Dominguez, *Boundary Elements*, 1992, section 2.4; quadrature near panels: J. Helsing,
    R. Ojala, J. Comput. Phys. 227 (2008) 2899; round a disc: R. Kress, *Linear Integral Equations*, section 12.3.

    Examples
    --------
    >>> a, b, c, d = 0j, 0.12 + 0j, 0.12 + 0.08j, 0.08j
    >>> outline = [Side(a, b), Side(b, c, contact=1), Side(c, d), Side(d, a, contact=0)]
    >>> f"{1 / solve_sheet(loops=[outline], contacts=2).conductance[0, 0]:.6f} squares"
    '1.500000 squares'
    """
    from scipy.linalg import lu_factor, lu_solve  # here and not above: 0.1 s, which not every board needs

    corners = np.array([side.start for loop in loops for side in loop])
    scale = 2 * float(np.abs(corners - corners.mean()).max())
    loops = [[_scaled(side, scale) for side in loop] for loop in loops]
    discs = [Disc(one.centre / scale, one.diameter / scale, one.contact) for one in discs]
    circles = [(one.centre, one.diameter / 2) for one in discs]
    pieces = tuple(
        panel for loop in loops
        for panel in panels(loop, circles, [side for other in loops if other is not loop for side in other])
    )
    rings = tuple(_points(disc, discs, pieces) for disc in discs)
    present = {panel.contact for panel in pieces} | {disc.contact for disc in discs}
    if not set(range(contacts)) <= present:
        raise ValueError("a contact has no side and no disc")
    target = np.concatenate([*(panel.points for panel in pieces), *(points for _, points, _ in rings)])
    if len(target) > _LARGEST:
        raise ValueError("the shape has too many corners and contacts")
    middles = np.array([disc.centre for disc in discs], complex)
    seen = sum((panel.influence(middles)[1].sum(axis=1) for panel in pieces), np.zeros(len(discs)))
    if np.abs(seen - 2 * np.pi).max(initial=0.0) > 1:
        raise ValueError("a disc lies outside of the copper")
    matrix, right, collect = _system(pieces, rings, target, contacts)
    unknown = lu_solve(lu_factor(matrix, overwrite_a=True, check_finite=False), right, check_finite=False)
    conductance = collect @ unknown
    return Sheet((conductance + conductance.T) / 2, pieces, rings, unknown, scale)


def _system(
    pieces: Sequence[SheetPanel], rings: Sequence[tuple[Disc, Complex, Real]], target: Complex, contacts: int
) -> tuple[Real, Real, Real]:
    """Equations at all points, matrix (n, n) and right sides (n, contacts); and what adds up to each current."""
    matrix = np.empty((len(target), len(target)))
    right = np.zeros((len(target), contacts))
    collect = np.zeros((contacts, len(target)))
    at = 0
    for panel in pieces:
        single, double = panel.influence(target)
        own = slice(at, at + ORDER)
        at += ORDER
        if panel.contact is None:
            matrix[:, own] = -double
            matrix[own, own] += np.pi * np.eye(ORDER)
        else:
            matrix[:, own] = single
            right[:, panel.contact] += double.sum(axis=1)
            right[own, panel.contact] -= np.pi
            collect[panel.contact, own] = panel.weights
    for disc, points, weights in rings:
        single, double = _ring(disc, points, weights, target)
        own = slice(at, at + len(points))
        at += len(points)
        if disc.contact is None:
            matrix[:, own] = -double
            matrix[own, own] += np.pi * np.eye(len(points))
        else:
            matrix[:, own] = single
            right[own, disc.contact] -= 2 * np.pi
            collect[disc.contact, own] = weights
    return matrix, right, collect


def _scaled(side: Side, scale: float) -> Side:
    centre = None if side.centre is None else side.centre / scale
    return Side(side.start / scale, side.end / scale, centre, side.contact)


def _points(disc: Disc, discs: Sequence[Disc], edges: Sequence[SheetPanel]) -> tuple[Disc, Complex, Real]:
    """Points round a disc, clockwise (copper on the left): as many as its nearest neighbour asks for."""
    radius = disc.diameter / 2
    near = [abs(one.centre - disc.centre) - one.diameter / 2 for one in discs if one is not disc]
    near += [np.abs(panel.points - disc.centre).min() for panel in edges]
    ratio = min(near, default=np.inf) / radius
    if ratio <= 1:
        raise ValueError("a disc touches an edge or another disc")
    number = int(np.clip(2 * np.ceil(-np.log(_FINE) / np.log(ratio) / 2), 8, _MOST))
    return disc, _circle(disc, number), np.full(number, 2 * np.pi * radius / number)


def _circle(disc: Disc, number: int) -> Complex:
    return np.asarray(disc.centre + disc.diameter / 2 * np.exp(-2j * np.pi * np.arange(number) / number))


def _interpolated(values: Real) -> Real:
    """Values between the points round a disc, by their Fourier series."""
    return np.asarray(np.fft.irfft(np.fft.rfft(values), _FINER * len(values)) * _FINER)


def _ring(disc: Disc, points: Complex, weights: Real, target: Complex) -> tuple[Real, Real]:
    """Weights as `SheetPanel.influence` gives them, of the points round a disc."""
    radius, number = disc.diameter / 2, len(points)
    away = points[None, :] - target[:, None]
    own = np.abs(np.abs(target - disc.centre) - radius) < 1e-12
    apart = np.where(away == 0, 1, away)
    single = np.log(np.abs(apart)) * weights
    tangents = -1j * (points - disc.centre) / radius
    double = (tangents * weights / apart).imag
    if own.any():
        between = np.angle((target[own, None] - disc.centre) / (points[None, :] - disc.centre))
        waves = np.arange(1, number // 2)
        kress = (np.cos(between[..., None] * waves) / waves).sum(axis=-1) * (-4 * np.pi / number)
        kress -= 4 * np.pi / number**2 * np.cos(number / 2 * between)
        single[own] = radius * kress / 2 + np.log(radius) * weights
        double[own] = -weights / (2 * radius)
    return single, double
