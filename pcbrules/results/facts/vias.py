# SPDX-License-Identifier: MIT
"""Facts about the holes of links: the ground vias beside them, and whether their backdrills can be made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class GroundVias(Fact):
    """Ground vias beside one via of a link.

    ``distance`` is that of the nearest ones over a quarter wavelength at Nyquist [-], None where there is none;
    ``apart`` that distance and ``quarter`` the quarter wavelength [m]. ``per_side`` is how many stand on the side that
    has fewer. ``nyquist`` in Hz.
    """

    distance: Measured | None
    per_side: Measured
    apart: float
    quarter: float
    nyquist: float


@dataclass(frozen=True, kw_only=True)
class BackdrillRoom(Fact):
    """The room that one backdrill has at one end of a hole of a link, all in m.

    Attributes
    ----------
    figures : mapping
        By the name of the limit: ``residual``, what the deepest drill leaves in front of the layer that it must not
        cut; ``dielectric``, from that layer to the next copper towards the drill, where the depth is counted from
        the outer surface; ``oversize``, by how much the drill is wider than that of the hole; ``clearance``, from its
        wall to the planes; ``web``, what stands between the backdrills of a pair.
    texts : mapping
        What each figure is, by the same names.
    missing : mapping
        Why a figure could not be had, and the key that would give it, by the same names.
    """

    figures: Mapping[str, Measured]
    texts: Mapping[str, str]
    missing: Mapping[str, tuple[str, str]] = field(default_factory=dict)
