# SPDX-License-Identifier: MIT
"""The field at the corners of metal, where the charge of single nodes is less sure than their sum.

Beside a corner a field is a sum of terms r^(v - 1), v the numbers with which a potential vanishes on both faces; of two
dielectrics that meet there, as well as an interface leaves it continuous. These terms are fitted to the charge on the
panels that begin at a corner; the integral of their squares is then known. Meixner, IEEE Trans. Antennas Propag. 20(4),
1972, p. 442.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Index, Real
from pcbrules.physics.lines.cross_section._influence import Boundary
from pcbrules.physics.lines.cross_section._panels import CORNER, GRADE

SPARE = 2
"""Nodes of a panel that are not used up by the terms of its field."""

CLOSE = 1e-9
"""Corners nearer to each other than this part of the section are one [-]."""

SURE = 1e-9
"""Last step of the exponents [-]."""


@dataclass(frozen=True, slots=True)
class Corners:
    """Panels (k,) of p nodes that begin at a corner of metal.

    ``node`` (k, p), ``length`` (k,) [m]; ``arc`` (p,) over the length; ``dk`` (k,): permittivity beside it; ``filled``
    and ``empty``: the terms of the charge with dielectrics and without.
    """

    node: Index
    length: Real
    arc: Real
    dk: Real
    filled: Terms
    empty: Terms

    def products(self, charge: Real, way: Real, *, filled: bool) -> Real:
        """Integrals of permittivity E_i E_j times a way outwards, over all panels, (n, n) [V^2 m/m].

        Parameters
        ----------
        charge : ndarray, shape (all nodes, n)
            At all nodes. [C/m over epsilon_0]
        way : ndarray, shape (all nodes,)
            Straight along each panel. [m]
        filled : bool
            With the dielectrics, else without.
        """
        of = self.filled if filled else self.empty
        terms = of.fit @ charge[self.node]
        first, last = way[self.node[:, 0]], way[self.node[:, -1]]
        slope = (last - first) / (self.arc[-1] - self.arc[0])
        start = first - slope * self.arc[0]
        both = of.power[:, :, None] + of.power[:, None, :] - GRADE + 2
        scale = (self.dk if filled else 1.0) / (GRADE * self.length)
        weights = (start * scale)[:, None, None] / both + (slope * scale)[:, None, None] / (both + GRADE)
        return np.asarray((np.swapaxes(terms, 1, 2) @ weights @ terms).sum(axis=0))


@dataclass(frozen=True, slots=True)
class Terms:
    """Charge per step of the parameter as a sum of its powers: ``power`` (k, m), and the ``fit`` (k, m, p) of their
    coefficients to the charge at the nodes."""

    power: Real
    fit: Real


def _terms(exponents: Real, t: Real, weight: Real) -> Terms:
    power = GRADE * exponents - 1
    root = np.sqrt(weight)
    return Terms(power, np.linalg.pinv(t[:, None] ** power[:, None, :] * root[:, None]) / root)


def corners(made: Boundary, dks: Real) -> Corners | None:
    """The corners of all metal; None if three dielectrics or more meet at one, or a strip of no thickness ends.

    Parameters
    ----------
    made : Boundary
        Panels and nodes.
    dks : ndarray
        Permittivities by the index that nodes have of them. [-]
    """
    panels, nodes, order = made.panels, made.nodes, len(made.quadrature.t)
    first = np.arange(len(panels.length)) * order
    metal = nodes.conductor[first] >= 0
    begin = np.nonzero(panels.kind == CORNER)[0]
    close = CLOSE * float(np.abs(panels.origin).max())
    apart = np.abs(panels.origin[begin][:, None] - panels.origin[begin]).max(axis=2)
    together = apart < close
    np.fill_diagonal(together, False)
    chosen, opening, split, beyond = [], [], [], []
    for k, panel in enumerate(begin):
        if not metal[panel]:
            continue
        others = begin[together[k]]
        faces, sheets = others[metal[others]], others[~metal[others]]
        if len(faces) != 1 or len(sheets) > 1 or nodes.right[first[panel]] >= 0:
            return None
        normal = nodes.normal[first[panel]]
        angles = [_angle(panels.direction[panel], normal, panels.direction[other]) for other in (*faces, *sheets)]
        chosen.append(panel)
        opening.append(angles[0])
        split.append(angles[-1] if len(sheets) else angles[0] / 2)
        beyond.append(nodes.left[first[faces[0]]])
    which = np.array(chosen, dtype=np.intp)
    own, other = dks[nodes.left[first[which]]], dks[np.array(beyond, dtype=np.intp)]
    whole, part = np.array(opening), np.array(split)
    count = np.arange(1, order - SPARE + 1)
    rule = made.quadrature
    empty = filled = _terms(np.pi * count / whole[:, None], rule.t, rule.weight)
    if np.any(own != other):
        filled = _terms(_exponents(whole, part, own, other, count), rule.t, rule.weight)
    return Corners(
        node=first[which][:, None] + np.arange(order),
        length=panels.length[which],
        arc=rule.arc[CORNER],
        dk=own,
        filled=filled,
        empty=empty,
    )


def _angle(along: Real, normal: Real, other: Real) -> float:
    """From one face of a corner, on the side of its normal, to another direction. [rad]"""
    return float(np.arctan2(other @ normal, other @ along) % (2 * np.pi))


def _exponents(whole: Real, part: Real, own: Real, other: Real, count: Index) -> Real:
    """Exponents v (k, m) of the potential in a wedge that an interface divides.

    e cos(v a) sin(v b) + e' cos(v b) sin(v a) = 0 with the angles a and b of the permittivities e and e'.
    """
    contrast = (other - own) / (other + own)
    odd, multiple = np.where(count % 2, -1.0, 1.0), np.pi * count
    found: Real = multiple / whole[:, None]
    while True:
        inner = contrast[:, None] * np.sin(found * (2 * part - whole)[:, None])
        old, found = found, (multiple - odd * np.arcsin(inner)) / whole[:, None]
        if not np.abs(found - old).max(initial=0.0) >= SURE:
            return found
