# SPDX-License-Identifier: MIT
"""A layout that was read, and the receipt of its reading."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.errors import Problem
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer, total
from pcbrules.layout.parts import LayoutPart, PartPad


@dataclass(frozen=True, slots=True)
class NetClass:
    """What a design asks of a group of nets; None where it says nothing. [m]

    `nets` are those that are assigned by name; `patterns` are texts with wildcards, as the file has them.
    """

    name: str
    width: float | None = None
    clearance: float | None = None
    pair_width: float | None = None
    pair_gap: float | None = None
    via_pad: float | None = None
    via_drill: float | None = None
    nets: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class RuleBound:
    """What a rule asks of one property, in the file's word; None where it names no such length. [m]"""

    of: str
    least: float | None = None
    wanted: float | None = None
    most: float | None = None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class DesignRule:
    """A rule of the designer's own: for which objects (`condition`, in the file's words), on which layers, and what."""

    name: str
    condition: str
    layer: str
    bounds: tuple[RuleBound, ...]

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class NetPair:
    """Two nets that are a differential pair, by the file or by the naming rule of its CAD system."""

    p: str
    n: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Layout:
    """What a CAD file draws.

    Attributes
    ----------
    file, format, version : str
        `format` in lower case: ``kicad``, ``ipc2581``, ``odb``, ``gbrjob``; `version` of the format, in its own words.
    layers : tuple of LayoutLayer
        From top to bottom: all sheets of the build-up, or the copper layers alone where the file has no build-up.
    thickness : float or None
        Of the board, as declared. [m]
    outline : tuple of rings
        Closed contours of the board edge, the largest first; arcs as chords. [m]
    nets : tuple of str
        Those with a name, sorted.
    pairs : tuple of NetPair
    rules : tuple of DesignRule
    skipped : tuple of (kind, count)
        Objects that were not read, by the file's word for them, with what is lost.
    lost : tuple of str
        Nets of copper that was not read, sorted.
    told : tuple of Problem
        What is missing, odd or contradictory.
    loose : tuple of PartPad
        Pads and holes that belong to no part.
    y_down : bool
        True where y grows downwards.
    unit : str
        Unit in which the file gives coordinates.
    origins : tuple of (name, point)
        Origins besides that of the file from which the CAD system can show coordinates. [m]
    """

    file: str
    format: str
    version: str
    layers: tuple[LayoutLayer, ...]
    thickness: float | None
    outline: tuple[tuple[Point, ...], ...]
    nets: tuple[str, ...]
    parts: tuple[LayoutPart, ...]
    tracks: tuple[Track, ...]
    vias: tuple[LayoutVia, ...]
    zones: tuple[Zone, ...]
    classes: tuple[NetClass, ...]
    pairs: tuple[NetPair, ...]
    rules: tuple[DesignRule, ...] = ()
    skipped: tuple[tuple[str, int], ...] = ()
    lost: tuple[str, ...] = ()
    told: tuple[Problem, ...] = ()
    loose: tuple[PartPad, ...] = ()
    y_down: bool = False
    unit: str = "mm"
    origins: tuple[tuple[str, Point], ...] = ()

    __repr__ = brief

    @property
    def copper(self) -> tuple[LayoutLayer, ...]:
        """Copper layers from top to bottom."""
        return tuple(one for one in self.layers if one.kind == "copper")

    @property
    def thickness_sum(self) -> float | None:
        """Sum over the build-up; None where the file does not give every thickness. [m]"""
        return total(self.layers)
