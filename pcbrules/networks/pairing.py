# SPDX-License-Identifier: MIT
"""Which port of a multiport is the other end of which, from the scattering parameters alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.missing import Missing
from pcbrules.networks.mixed_mode import PairPorts
from pcbrules.physics.common.extremes import first_greatest_of_rows, first_least

SURE = 6.0
"""By how much the far end must come through better than any other port, by one of the two signs at least. [dB]"""

LOW_SHARE = 0.05
"""Share of the points, from the lowest on, that count as low frequencies; at least one, zero left out."""

STRAIGHT = 0.5
"""Least size of S of a straight connection at low frequencies: filters and coupled lines alone stay below it."""

SILENT = 1e-6
"""Size of S below which nothing comes through."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Paths through a multiport, each from its lower port to its higher one, ports from 1, in rising order.

    ``low`` and ``mean`` are the least margins by which a far end beats every other port, at low frequencies and by the
    mean power over the band. [dB]
    """

    paths: tuple[tuple[int, int], ...]
    low: float
    mean: float

    @property
    def text(self) -> str:
        """The paths in words."""
        return ", ".join(f"{near} to {far}" for near, far in self.paths)

    def pair(self) -> PairPorts:
        """The ports of the two legs of a four-port: by custom the lower port of each path is its near end.

        Were the ends of one leg numbered the other way round, near and far end coupling would change places; the two
        paths themselves would not.

        Raises
        ------
        ValueError
            If there are not two paths.
        """
        if len(self.paths) != 2:
            raise ValueError(f"a pair has two paths, not {len(self.paths)}")
        (near_p, far_p), (near_n, far_n) = self.paths
        return PairPorts(near_p - 1, near_n - 1, far_p - 1, far_n - 1)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Paths by one of the signs, and the least margin by which a far end stands out [dB]."""

    paths: tuple[tuple[int, int], ...]
    margin: float


def pairing(frequency: Real, s: Complex) -> Pairing | Missing:
    """Paths of a multiport of straight connections.

    Two signs must agree: the size of S at the lowest frequencies, where what is coupled fades in proportion to
    frequency, and the mean power over the band. By each, every port must be the best partner of its own best partner;
    at low frequencies at least half of the wave must come through.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Rising. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    """
    ports = s.shape[1]
    if ports % 2:
        return Missing(f"{ports} ports do not make paths with two ends each")
    size = (np.abs(s) + np.abs(s.transpose(0, 2, 1))) / 2
    above = size[frequency > 0] if (frequency > 0).any() else size
    at_low = above[: max(1, int(LOW_SHARE * len(above)))].mean(axis=0)
    low = _best(at_low, "at the lowest frequencies")
    mean = _best(np.sqrt((size**2).mean(axis=0)), "by the mean power")
    if isinstance(low, Missing):
        return low
    if isinstance(mean, Missing):
        return mean
    if low.paths != mean.paths:
        return Missing(f"the lowest frequencies say that ports {_words(low.paths)} are connected, and the mean power "
                       f"says {_words(mean.paths)}")
    for near, far in low.paths:
        if at_low[near - 1, far - 1] < STRAIGHT:
            return Missing(f"no straight connection: from port {near} at most {at_low[near - 1, far - 1]:.2g} of a "
                           f"wave comes through, to port {far}, at the lowest frequencies")
    if max(low.margin, mean.margin) < SURE:
        return Missing(f"the far ends stand out by {low.margin:.1f} dB at the lowest frequencies and "
                       f"{mean.margin:.1f} dB by the mean power; {SURE:g} dB are needed")
    return Pairing(low.paths, low.margin, mean.margin)


def _best(size: Real, sign: str) -> _Choice | Missing:
    """Paths by mutual choice, or why there are none by this sign."""
    ports = len(size)
    others = np.where(np.eye(ports, dtype=bool), 0.0, size)
    choice = first_greatest_of_rows(others)
    best = others.max(axis=1)
    if best.min() < SILENT:
        return Missing(f"nothing comes through from port {first_least(best) + 1} {sign}")
    for port in range(ports):
        if choice[choice[port]] != port:
            return Missing(f"port {port + 1} comes through best to port {choice[port] + 1}, and that one to port "
                           f"{choice[choice[port]] + 1}, {sign}")
    rest = others.copy()
    rest[np.arange(ports), choice] = 0.0
    margin = 20 * np.log10(best / np.maximum(rest.max(axis=1), SILENT))
    paths = tuple((port + 1, int(choice[port]) + 1) for port in range(ports) if port < choice[port])
    return _Choice(paths, float(margin.min()))


def _words(paths: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{near} and {far}" for near, far in paths)
