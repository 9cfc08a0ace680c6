# SPDX-License-Identifier: MIT
"""A pair as the two-ports of its differential and its common mode, from the four-port of its legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex


@dataclass(frozen=True, slots=True)
class PairPorts:
    """Ports of a pair, counted from zero: the near ends of both legs and their far ends."""

    near_p: int
    near_n: int
    far_p: int
    far_n: int

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Near ends of both legs, then far ends."""
        return self.near_p, self.near_n, self.far_p, self.far_n


@dataclass(frozen=True, slots=True, eq=False)
class MixedModes:
    """Two-ports of a pair, port 1 near and port 2 far, shapes (n, 2, 2).

    ``differential`` refers to twice the reference impedance of a leg, ``common`` to half of it; ``converted`` is the
    largest size of what turns from one mode into the other. [-]
    """

    differential: Complex
    common: Complex
    converted: float


def modes(s: Complex, *, ports: PairPorts) -> MixedModes:
    r"""Differential and common mode of a pair.

    With the waves of the modes :math:`(a_p \mp a_n)/\sqrt2` at either end (Bockelman and Eisenstadt, IEEE Trans. MTT
    43, 1995, p. 1530):

    .. math:: S_\mathrm{mm} = M S M^{T}, \quad
              M = \tfrac1{\sqrt2}\begin{pmatrix} 1 & -1 & 0 & 0\\ 0 & 0 & 1 & -1\\ 1 & 1 & 0 & 0\\ 0 & 0 & 1 & 1
              \end{pmatrix}

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters of single-ended ports that have one real reference impedance. Ports that are not of the
        pair are closed with that impedance. [-]
    ports : PairPorts
        Which ports are the ends of the two legs.

    Raises
    ------
    ValueError
        If the four ports are not different ports of ``s``.
    """
    order = list(ports.order)
    if len(set(order)) != 4 or min(order) < 0 or max(order) >= s.shape[1]:
        raise ValueError(f"four different ports of {s.shape[1]}, not {order}")
    into = np.array([[1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0], [0, 0, 1, 1]]) / np.sqrt(2)
    mixed = into @ s[:, order][:, :, order] @ into.T
    crossed = np.concatenate([mixed[:, :2, 2:].ravel(), mixed[:, 2:, :2].ravel()])
    return MixedModes(
        differential=np.ascontiguousarray(mixed[:, :2, :2]),
        common=np.ascontiguousarray(mixed[:, 2:, 2:]),
        converted=float(np.abs(crossed).max(initial=0.0)),
    )
