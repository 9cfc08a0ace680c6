# SPDX-License-Identifier: MIT
"""Layers of a layout, as its file states them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pcbrules.brief import brief

LayerKind = Literal["copper", "dielectric", "mask", "silkscreen", "paste", "other"]


@dataclass(frozen=True, slots=True)
class LayoutLayer:
    """One sheet of the build-up, or a copper layer whose thickness the file does not state.

    Attributes
    ----------
    name : str
        Name by which objects refer to it; sheets of one dielectric share it.
    kind : str
    label : str
        Name that the designer gave it; empty where it has no other.
    role : str
        What a copper layer is for, in the file's word (``signal``, ``power``, ``mixed``); ``core`` or ``prepreg`` of a
        dielectric.
    thickness : float or None
        [m]
    material : str
    dk, df : float or None
        Permittivity and loss tangent as the file states them. [-]
    at : float or None
        Frequency of `dk` and `df`, which most files do not state. [Hz]
    """

    name: str
    kind: LayerKind
    label: str = ""
    role: str = ""
    thickness: float | None = None
    material: str = ""
    dk: float | None = None
    df: float | None = None
    at: float | None = None

    __repr__ = brief


def total(layers: tuple[LayoutLayer, ...]) -> float | None:
    """Sum of all thicknesses, solder mask included; None where a copper or dielectric sheet has none. [m]"""
    if not layers or any(one.thickness is None for one in layers if one.kind in ("copper", "dielectric")):
        return None
    return sum(one.thickness or 0.0 for one in layers)


def heights(layers: tuple[LayoutLayer, ...]) -> dict[str, float]:
    """Depth of the centre of each copper layer below the top of the build-up; empty where a thickness is open. [m]"""
    if total(layers) is None:
        return {}
    found: dict[str, float] = {}
    depth = 0.0
    for one in layers:
        thickness = one.thickness or 0.0
        if one.kind == "copper":
            found[one.name] = depth + thickness / 2
        depth += thickness
    return found
