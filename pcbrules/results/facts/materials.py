# SPDX-License-Identifier: MIT
"""Facts about laminates and copper foils."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address


@dataclass(frozen=True, kw_only=True)
class LaminateLoss(Fact):
    """Loss of one laminate that a link's field touches.

    Attributes
    ----------
    df : Measured or None
        Loss tangent at the link's Nyquist frequency [-]. None where the data do not reach it; ``unread`` then says why.
    laminate_class : str
        Loss class of digital laminates; empty where the laminate has none. Where its own Df is too high for the class
        that it is given, the class of that Df; ``contradiction`` then says so.
    published : Measured or None
        Loss tangent at the lowest frequency of its data [-], which is ``published_at`` [Hz]; None without data.
    """

    df: Measured | None
    laminate: str
    nyquist: float
    layers: tuple[str, ...]
    laminate_class: str = ""
    contradiction: str = ""
    published: Measured | None = None
    published_at: float = 0.0
    unread: str = ""


@dataclass(frozen=True, kw_only=True)
class FoilFace(Fact):
    """Foil class of the roughest copper face beside a link's traces on one layer.

    Attributes
    ----------
    rank : Measured or None
        Position in the order of classes, 0 = ED, of the roughest face after bond treatment. None where the foil of
        a plane is not declared; ``missing`` then says so.
    rz : Measured or None
        Effective roughness Rz of that face [m].
    face : str
        Which face that is: ``bottom face of L3``.
    foil : str
        Foil and bond treatment of that face.
    foil_path : path
        Where the foil of that face is written.
    on_plane : bool
        False for the two faces of the trace, True for the faces of its reference planes that it sees.
    nyquist : float
        Nyquist frequency of the link [Hz].
    growth : float or None
        Resistance of that face over that of a smooth one at Nyquist, by its nominal Rz [-].
    growths : tuple of float or None
        The same for the roughest face of each class, by rank; None for ED, which has no bound.
    """

    rank: Measured | None
    rz: Measured | None
    face: str
    foil: str
    foil_path: Address
    on_plane: bool
    nyquist: float
    growth: float | None = None
    growths: tuple[float | None, ...] = ()
    missing: str = ""


@dataclass(frozen=True, kw_only=True)
class LaminateTg(Fact):
    """Glass-transition temperature by DSC of one laminate of the stackup [degC], and what else bears on soldering."""

    tg: Measured
    laminate: str
    method: str
    remarks: str


@dataclass(frozen=True, kw_only=True)
class PlaneDielectric(Fact):
    """Loss class of one dielectric between two planes; no signal layer lies in that cavity."""

    laminate: str
    laminate_class: str
    planes: tuple[str, str]
