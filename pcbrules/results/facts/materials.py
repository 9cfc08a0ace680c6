# SPDX-License-Identifier: MIT
"""Facts about laminates and copper foils."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class LaminateLoss(Fact):
    """Df of one laminate that a link's field touches, at the link's Nyquist frequency. [-]"""

    df: Measured
    laminate: str
    nyquist: float
    layers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FoilFace(Fact):
    """Roughness class of one copper face beside a link's trace.

    ``rank`` orders classes from ED (0) upwards; ``rz`` is the effective roughness [m] after bond treatment.
    """

    rank: Measured
    foil: str
    face: str
    rz: Measured
    on_plane: bool


@dataclass(frozen=True, kw_only=True)
class GlassTransition(Fact):
    """Glass-transition temperature by DSC of one laminate of the stackup. [degC]"""

    tg: Measured
    laminate: str


@dataclass(frozen=True, kw_only=True)
class PlaneDielectric(Fact):
    """Loss class of a dielectric between two planes that no signal layer refers to through it."""

    laminate: str
    laminate_class: str
    layer: str
