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
    """Number of stripline layers that carry NVLink and nothing else.

    The nominal number rests on the links listed; the lower one counts only layers that the file declares dedicated.
    ``layers`` are those that count, ``left_out`` tells of the others that carry NVLink, or are declared to.
    """

    count: Measured
    layers: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PlaneWeight(Fact):
    """Base copper weight of one plane of a core rail [m of copper].

    ``sheet_resistance`` is that of all planes of the rail in parallel, without holes [ohm per square], at
    ``temperature`` [degC].
    """

    weight: Measured
    layer: str
    rail: str
    planes: int
    sheet_resistance: float
    temperature: float


@dataclass(frozen=True, kw_only=True)
class BuildUp(Fact):
    """Whether microvias are in use: 1 where a link, or a component of fine pitch, uses a microvia type; else 0.

    ``used_by`` names the first user. ``finest_pitch`` is that of the ball grid arrays [m], None where none is given;
    ``no_pitch`` are the paths of ball grid arrays without a pitch, ``undecided`` those of components without a pitch
    that escape through microvias.
    """

    present: Measured
    used_by: str
    finest_pitch: float | None
    no_pitch: tuple[str, ...]
    undecided: tuple[str, ...]


SHORTER = 1 - 1e-9
"""Share of a stub below which what a drill leaves is less than all of it."""


@dataclass(frozen=True, kw_only=True)
class StubRemoval(Fact):
    """Stub at one end of a plated hole of a link without any backdrill [m], and whether a drill is ordered for it.

    ``removed`` is True where a drill is ordered from that side, ``left`` what it leaves at its worst depth [m];
    ``drill`` tells what is ordered.
    """

    undrilled: Measured
    side: str
    removed: bool
    left: Measured
    drill: str

    def shortened(self, left: float) -> bool:
        """True if a drill that leaves so much at its worst depth [m] takes anything off the stub."""
        return self.removed and left < self.undrilled.value * SHORTER


@dataclass(frozen=True, kw_only=True)
class MirrorPair(Fact):
    """Two things that mirror each other about the middle of the stackup, compared in one respect.

    ``kind`` is ``copper`` (base weight, m), ``fill``, ``dielectric`` (thickness), ``dk`` (all ratios) or ``family``.
    ``difference`` is None for the family, whose answer is ``same``, None where the library does not say.
    """

    kind: str
    difference: Measured | None
    upper: str
    lower: str
    detail: str
    same: bool | None = None


@dataclass(frozen=True, kw_only=True)
class References(Fact):
    """Reference planes of one signal layer that carries a link.

    ``sides`` counts the neighbouring planes; of two, the farther one only within the distance ratio. ``ground`` is
    the share of those planes that are ground, None without planes. ``stripline`` is True for an inner layer.
    """

    sides: Measured
    ground: Measured | None
    stripline: bool
    layer: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class Manufacturability(Fact):
    """One figure that the fabricator must be able to make.

    ``kind`` is ``aspect_ratio`` (depth over drill), ``microvia`` (likewise), ``dielectric`` (thickness, m) or
    ``resin`` (copper to be filled over resin that a prepreg gives); ``what`` describes the figure, ``held_by``
    is what a sentence says before the limit, if anything.
    """

    kind: str
    figure: Measured
    what: str
    held_by: str = ""


@dataclass(frozen=True, kw_only=True)
class BoardSide(Fact):
    """One side of the board outline [m]; ``side`` is ``long`` or ``short``."""

    length: Measured
    side: str


@dataclass(frozen=True, kw_only=True)
class BoardFormFactor(Fact):
    """The board's form factor, by library name."""

    form_factor: str
    name: str
