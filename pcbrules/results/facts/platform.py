# SPDX-License-Identifier: MIT
"""Facts about what the board is for: its accelerators' links, and the planes of its rails."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class FabricLink(Fact):
    """A link between accelerators, and how many of the system's accelerators speak it [-].

    ``parts`` are those, or all where none does; ``theirs`` the links that all of them have. ``recalled`` says that the
    library has them from memory only.
    """

    fits: Measured
    standard: str
    parts: tuple[str, ...]
    theirs: tuple[str, ...]
    recalled: bool


@dataclass(frozen=True, kw_only=True)
class CardNvlink(Fact):
    """An NVLink of an add-in card: 1 where it leaves over the bridge connector of a part that has one, else 0 [-].

    ``part`` is an accelerator of the system that is a card with NVLink; empty if there is none.
    """

    bridges: Measured
    part: str


@dataclass(frozen=True, kw_only=True)
class PlanePairs(Fact):
    """Planes of a rail with a ground plane beside them [-], and the names of all and of those."""

    pairs: Measured
    planes: tuple[str, ...]
    paired: tuple[str, ...]
