# SPDX-License-Identifier: MIT
"""The only file that imports scikit-rf, and that only when networks are joined or handed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pcbrules.networks.two_port import TwoPort

if TYPE_CHECKING:
    from skrf import Network as SkrfNetwork

__all__ = ["SkrfNetwork", "cascade", "multiport", "renormalised"]

S_DEF = "traveling"
"""Wave definition of every network. Reference impedances are real, so the other definitions give the same numbers."""


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


def cascade(networks: Sequence[TwoPort]) -> TwoPort:
    """Cascade by scikit-rf, without any check: use ``pcbrules.networks.cascade``."""
    import skrf

    first = networks[0]
    joined = skrf.network.cascade_list([_theirs(one) for one in networks])
    return TwoPort(first.f, joined.s, first.z_ref, joined.name)


def renormalised(network: TwoPort, *, z_ref: float) -> TwoPort:
    """The same two-port referred to another real impedance."""
    other = _theirs(network)
    other.renormalize(z_ref, s_def=S_DEF)
    return TwoPort(network.f, other.s, z_ref, network.name)


def _theirs(one: TwoPort) -> SkrfNetwork:
    return multiport(one.f, one.s, z_ref=one.z_ref, name=one.name)
