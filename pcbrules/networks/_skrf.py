# SPDX-License-Identifier: MIT
"""The only file that imports scikit-rf, and that only when a network is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.solver_cache import solved_once

if TYPE_CHECKING:
    from skrf import Network as SkrfNetwork

__all__ = ["Network", "SkrfNetwork", "cascade", "multiport", "network", "renormalised"]

S_DEF = "traveling"
"""Wave definition of every network. Reference impedances are real, so the other definitions give the same numbers."""


class Network(Protocol):
    """What this package uses of ``skrf.Network``."""

    @property
    def f(self) -> NDArray[np.float64]:
        """Frequencies, shape (n,). [Hz]"""

    @property
    def s(self) -> NDArray[np.complex128]:
        """Scattering parameters, shape (n, 2, 2). [-]"""

    @property
    def z0(self) -> NDArray[np.complex128]:
        """Reference impedances, shape (n, 2). [ohm]"""

    @property
    def name(self) -> str | None:
        """Name of the element."""


def network(
    frequency: NDArray[np.float64],
    *,
    s11: ArrayLike,
    s21: ArrayLike,
    s22: ArrayLike | None = None,
    z_ref: float,
    name: str = "",
) -> Network:
    """Reciprocal two-port from its scattering parameters.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Strictly increasing, zero allowed. [Hz]
    s11, s21 : complex or ndarray, broadcastable to shape (n,)
        Reflection at port 1 and transmission. [-]
    s22 : complex or ndarray, broadcastable to shape (n,), optional
        Reflection at port 2; that at port 1 if not given. [-]
    z_ref : float
        Real reference impedance of both ports. [ohm]
    name : str
        Name of the element.

    Raises
    ------
    ValueError
        If ``z_ref`` is not a positive real number.
    """
    import skrf

    if not (np.isreal(z_ref) and z_ref > 0):
        raise ValueError(f"the reference impedance must be real and positive, not {z_ref}")
    s = np.empty((len(frequency), 2, 2), dtype=complex)
    s[:, 0, 0] = s11
    s[:, 0, 1] = s[:, 1, 0] = s21
    s[:, 1, 1] = s11 if s22 is None else s22
    grid = _grid(frequency.tobytes(), frequency.dtype.char)
    return cast(Network, skrf.Network(frequency=grid, s=s, z0=z_ref, s_def=S_DEF, name=name))


@solved_once
def _grid(key: bytes, kind: str) -> Any:
    """The grid behind a key, which is its bytes: the elements of a channel share one. A network copies it."""
    import skrf

    return skrf.Frequency.from_f(np.frombuffer(key, kind), unit="hz")


def multiport(
    frequency: NDArray[np.float64], s: NDArray[np.complex128], *, z_ref: float, name: str = ""
) -> SkrfNetwork:
    """A network from its scattering parameters, for users of scikit-rf.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Strictly increasing, zero allowed. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    z_ref : float
        Real reference impedance of every port. [ohm]
    name : str
        Name of the network.
    """
    import skrf

    grid = skrf.Frequency.from_f(frequency, unit="hz")
    return skrf.Network(frequency=grid, s=s, z0=z_ref, s_def=S_DEF, name=name)


def cascade(networks: Sequence[Network]) -> Network:
    """Cascade by scikit-rf, without any check: use ``pcbrules.networks.cascade``."""
    import skrf

    return cast(Network, skrf.network.cascade_list(list(networks)))


def renormalised(network: Network, *, z_ref: float) -> Network:
    """The same two-port referred to another real impedance."""
    other = cast(Any, network).copy()
    other.renormalize(z_ref, s_def=S_DEF)
    return cast(Network, other)
