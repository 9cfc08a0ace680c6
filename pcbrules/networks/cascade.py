# SPDX-License-Identifier: MIT
"""Elements in a row, and the losses of the result.

Networks are joined by scikit-rf; where nothing but losses is asked of many channels, by arithmetic that a test holds
equal to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Complex, Real
from pcbrules.networks import _skrf
from pcbrules.networks.two_port import TwoPort


def cascade(networks: Sequence[TwoPort]) -> TwoPort:
    """Connect port 2 of each network to port 1 of the next.

    Parameters
    ----------
    networks : sequence of TwoPort
        At least one, all on one grid and with one reference impedance.

    Raises
    ------
    ValueError
        If there is none, or the grids or the reference impedances differ: scikit-rf would keep the common
        frequencies only, without a word.
    """
    _assert_alike(networks)
    return _skrf.cascade(networks)


def cascade_loss(networks: Sequence[TwoPort]) -> NDArray[np.float64]:
    """Insertion loss of the cascade of reciprocal networks, shape (n,). [dB]

    What ``insertion_loss(cascade(networks))`` gives, some ten times faster.
    """
    _assert_alike(networks)
    return row_loss([network.s for network in networks])


def row_loss(matrices: Sequence[Complex]) -> Real:
    """As ``cascade_loss``, of scattering parameters (n, 2, 2) known to be on one grid and of one reference. [dB]"""
    through, back = matrices[0][:, 1, 0], matrices[0][:, 1, 1]
    for s in matrices[1:]:
        s11, s21, s22 = s[:, 0, 0], s[:, 1, 0], s[:, 1, 1]
        bounces = 1 / (1 - back * s11)
        through, back = through * s21 * bounces, s22 + s21**2 * back * bounces
    return _loss(through)


def cascade_losses(networks: Sequence[TwoPort]) -> tuple[Real, Real, Real]:
    """As ``cascade_loss``: insertion loss, and return loss of port 1 and port 2, shapes (n,). [dB]"""
    return cascade_loss(networks), *row_return_losses([network.s for network in networks])


def row_return_losses(matrices: Sequence[Complex]) -> tuple[Real, Real]:
    """Return loss of port 1 and port 2, of what ``row_loss`` takes, shapes (n,). [dB]"""
    back = [s[:, ::-1, ::-1] for s in reversed(matrices)]
    return _loss(reflection(matrices)), _loss(reflection(back))


def cascade_s(matrices: Sequence[Complex]) -> Complex:
    """What ``cascade`` gives, from scattering parameters of reciprocal two-ports, shapes (n, 2, 2); some ten times
    faster.

    Parameters
    ----------
    matrices : sequence of ndarray of complex, shape (n, 2, 2)
        At least one, all on one grid and with one reference impedance. [-]

    Raises
    ------
    ValueError
        If there is none.
    """
    if not matrices:
        raise ValueError("a cascade needs at least one network")
    front, through, back = matrices[0][:, 0, 0], matrices[0][:, 1, 0], matrices[0][:, 1, 1]
    for s in matrices[1:]:
        bounces = 1 / (1 - back * s[:, 0, 0])
        front = front + through**2 * s[:, 0, 0] * bounces
        back = s[:, 1, 1] + s[:, 1, 0] ** 2 * back * bounces
        through = through * s[:, 1, 0] * bounces
    whole = np.empty_like(matrices[0])
    whole[:, 0, 0], whole[:, 1, 1] = front, back
    whole[:, 0, 1] = whole[:, 1, 0] = through
    return whole


def reflection(matrices: Sequence[Complex]) -> Complex:
    """What the first of reciprocal networks in a row sends back, from the last one on."""
    seen = matrices[-1][:, 0, 0]
    for s in reversed(matrices[:-1]):
        seen = s[:, 0, 0] + s[:, 1, 0] ** 2 * seen / (1 - s[:, 1, 1] * seen)
    return seen


def _assert_alike(networks: Sequence[TwoPort]) -> None:
    if not networks:
        raise ValueError("a cascade needs at least one network")
    first = networks[0]
    grid, z_ref = first.f, first.z_ref
    for other in networks[1:]:
        if len(other.f) != len(grid) or (other.f != grid).any():
            raise ValueError(
                f"networks {first.name!r} and {other.name!r} have different frequency grids "
                f"({len(first.f)} and {len(other.f)} points)"
            )
        if other.z_ref != z_ref:
            raise ValueError(
                f"networks {first.name!r} and {other.name!r} have different reference impedances: renormalise the one"
            )


def renormalised(network: TwoPort, *, z_ref: float) -> TwoPort:
    """The same two-port referred to ``z_ref`` [ohm] at both ports: once, where a foreign block enters a channel."""
    return _skrf.renormalised(network, z_ref=z_ref)


def insertion_loss(network: TwoPort) -> NDArray[np.float64]:
    """``-20 log10 |S21|``, positive, shape (n,); infinite where nothing comes through. [dB]"""
    return _loss(network.s[:, 1, 0])


def return_loss(network: TwoPort, *, port: int = 1) -> NDArray[np.float64]:
    """``-20 log10 |S11|`` (of port 2: S22), positive, shape (n,); infinite where nothing comes back. [dB]"""
    return _loss(network.s[:, port - 1, port - 1])


def _loss(s: NDArray[np.complex128]) -> NDArray[np.float64]:
    size = np.abs(s)
    through = size > 0
    return np.where(through, -20 * np.log10(np.where(through, size, 1.0)), np.inf)
