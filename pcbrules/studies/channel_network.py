# SPDX-License-Identifier: MIT
"""A channel as a network of scikit-rf: the differential two-port, or the four-port of the legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.analysis.channel.solve import channel_network, channel_pair
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.networks._skrf import multiport
from pcbrules.networks.mode_chain import to_legs
from pcbrules.studies.channels_grid import wide_grid

if TYPE_CHECKING:
    from pcbrules.networks._skrf import SkrfNetwork


def network(
    task: ChannelTask, *, legs: bool, name: str = "", frequency: NDArray[np.float64] | None = None
) -> SkrfNetwork:
    """The network of a channel.

    Parameters
    ----------
    task : ChannelTask
    legs : bool
        The four-port of the legs, every port over half of the reference impedance; else the two-port of the
        differential mode.
    name : str
        Name of the network.
    frequency : ndarray, shape (n,), optional
        Of ``rising``; ``wide_grid`` if not given. [Hz]

    Returns
    -------
    skrf.Network
        Ports of the legs: positive and negative at the beginning of the path, then at its end.

    Raises
    ------
    ValueError
        If an element is out of the range of its model.
    """
    grid = wide_grid(task) if frequency is None else frequency
    if legs:
        return multiport(grid, to_legs(channel_pair(task, grid)), z_ref=task.z_ref / 2, name=name)
    return multiport(grid, differential(task, grid), z_ref=task.z_ref, name=name)


def rising(frequency: ArrayLike) -> NDArray[np.float64]:
    """Frequencies of a user [Hz] as an array. Raises ValueError where they are no grid."""
    try:  # scikit-rf's Frequency has its points as `f`
        grid = np.array(getattr(frequency, "f", frequency), dtype=np.float64, ndmin=1)
    except (TypeError, ValueError):
        raise ValueError("frequencies are numbers in Hz, or a skrf.Frequency") from None
    if not (grid.ndim == 1 and grid.size and np.isfinite(grid).all() and grid[0] >= 0 and (np.diff(grid) > 0).all()):
        raise ValueError("frequencies must be finite numbers in Hz that rise, none below zero")
    return grid


def differential(task: ChannelTask, frequency: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Scattering parameters of the differential mode, shape (n, 2, 2). [-]"""
    if not task.unequal:
        return channel_network(task, frequency).s
    return np.ascontiguousarray(channel_pair(task, frequency)[:, ::2, ::2])
