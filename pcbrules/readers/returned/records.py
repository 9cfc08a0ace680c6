# SPDX-License-Identifier: MIT
"""What a returned file says; None and empty texts are what it does not say. Lengths in metres, frequencies in Hz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pcbrules.errors import Problem

SheetKind = Literal["copper", "dielectric", "mask"]


@dataclass(frozen=True, slots=True)
class ReturnedSheet:
    """A layer of the stackup, and the line and column at which it stands."""

    name: str
    kind: SheetKind
    thickness: float
    place: tuple[int, int]
    material: str = ""
    dk: float | None = None
    df: float | None = None
    at: float | None = None
    base_weight: float | None = None
    foil: str = ""
    rz_top: float | None = None
    rz_bottom: float | None = None
    glass: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReturnedLine:
    """A controlled impedance: the name it was ordered by, if it has one, its layer and what was drawn for it."""

    name: str
    layer: str
    place: tuple[int, int]
    target: float | None = None
    width: float | None = None
    top_width: float | None = None
    gap: float | None = None
    side_ground: float | None = None


@dataclass(frozen=True, slots=True)
class ReturnedFile:
    """A file that was read, and what is odd in it."""

    file: str
    sheets: tuple[ReturnedSheet, ...]
    lines: tuple[ReturnedLine, ...]
    told: tuple[Problem, ...] = ()
