# SPDX-License-Identifier: MIT
"""Facts about the stackup, its fabrication, and the board's outline."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class LayerCount(Fact):
    """Number of copper layers."""

    count: Measured


@dataclass(frozen=True, kw_only=True)
class DedicatedLayers(Fact):
    """Number of stripline layers whose links are all of the NVLink family."""

    count: Measured
    layers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PlaneWeight(Fact):
    """Base copper weight of one plane layer of a core rail [m of copper], and the sheet resistance of all of them."""

    weight: Measured
    layer: str
    rail: str
    sheet_resistance: float


@dataclass(frozen=True, kw_only=True)
class BuildUp(Fact):
    """Whether a microvia type is used where the board escapes ball grids."""

    present: Measured
    finest_pitch: float | None
    used_by: str


@dataclass(frozen=True, kw_only=True)
class StubRemoval(Fact):
    """Un-drilled stub at one plated-through end of a link [m], and whether it is removed (drilled or blind)."""

    undrilled: Measured
    removed: bool
    worst_cost: Measured | None


@dataclass(frozen=True, kw_only=True)
class MirrorPair(Fact):
    """Two layers that mirror each other about the middle of the stackup; ``difference`` is a ratio or a weight."""

    kind: str
    difference: Measured
    upper: str
    lower: str
    same_family: bool | None = None


@dataclass(frozen=True, kw_only=True)
class References(Fact):
    """Reference planes of one signal layer: how many sides count, and whether all are ground.

    ``sides`` counts neighbouring planes within the distance ratio; ``ground`` is False when a power plane serves.
    """

    sides: Measured
    stripline: bool
    ground: bool
    layer: str
    fast: bool
    detail: str


@dataclass(frozen=True, kw_only=True)
class Manufacturability(Fact):
    """One fabrication figure with the capability it is held against: ``aspect_ratio``, ``dielectric``, ``resin``."""

    kind: str
    figure: Measured
    what: str


@dataclass(frozen=True, kw_only=True)
class BoardSide(Fact):
    """One side of the board outline [m]; ``side`` is ``long`` or ``short``."""

    length: Measured
    side: str


@dataclass(frozen=True, kw_only=True)
class FormFactor(Fact):
    """The board's form factor, by library name."""

    form_factor: str
