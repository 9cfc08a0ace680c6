# SPDX-License-Identifier: MIT
"""The layers of the board, the fabrication class, and where each layer lies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pcbrules.model.shapes import (
    CopperWeight,
    Length,
    LengthOrZero,
    Name,
    PositiveRatio,
    Ratio,
    Record,
    Text,
)

LayerRole = Literal["signal", "ground", "power", "mixed"]
Finish = Literal["none", "osp", "imag", "imsn", "enig", "enepig", "hard-gold"]


class FoilSides(Record):
    """Foil class of each side of a copper layer; top is the side towards layer 1."""

    top: Name
    bottom: Name


class Copper(Record):
    """A copper layer. ``thickness`` is the finished thickness; ``base_weight`` the foil that was laminated."""

    kind: Literal["copper"]
    name: Name
    thickness: Length
    base_weight: CopperWeight | None = None
    role: LayerRole
    foil: Name | FoilSides | None = None
    bond: Name | None = Field(default=None, description="bond treatment of the prepreg side, see `library oxide`")
    fill: Ratio | None = Field(default=None, description="share of the layer that is copper")
    rz_top: Length | None = Field(default=None, description="measured roughness Rz of the upper face")
    rz_bottom: Length | None = Field(default=None, description="measured roughness Rz of the lower face")
    finish: Finish | None = Field(default=None, description="surface finish, of an outer layer")
    dedicated: Name | None = Field(default=None, description="link family that alone uses this layer")
    note: Text | None = None


class Dielectric(Record):
    """A core or a pressed prepreg. ``thickness`` is between the copper faces, after pressing."""

    kind: Literal["dielectric"]
    name: Name | None = None
    thickness: Length
    material: Text
    form: Literal["core", "prepreg"] | None = None
    glass: Text | tuple[Text, ...] | None = None
    plies: Annotated[int, Field(ge=1, le=20)] | None = None
    resin: Ratio | None = Field(default=None, description="resin content of the prepreg, by weight")
    resin_height: Length | None = Field(default=None, description="resin available to fill copper, all plies")
    dk: PositiveRatio | None = Field(default=None, description="Dk of this construction, instead of the library's")
    note: Text | None = None


class Mask(Record):
    """Solder mask on an outer layer."""

    kind: Literal["mask"]
    name: Name | None = None
    thickness: Length
    over_trace: Length | None = None
    material: Text | None = None


Layer = Annotated[Copper | Dielectric | Mask, Field(discriminator="kind")]


class ImpedanceControl(Record):
    """Impedance class ordered from the fabricator."""

    tolerance: PositiveRatio
    coupon: bool


class Tolerances(Record):
    """Fabrication tolerances that replace those of the fabrication class."""

    width: Length | PositiveRatio | None = None
    dielectric: PositiveRatio | None = None
    copper: PositiveRatio | None = None
    dk: PositiveRatio | None = None
    df: PositiveRatio | None = None
    backdrill: Length | None = None
    thickness: PositiveRatio | None = None
    registration: Length | None = Field(default=None, description="of drills and layers to each other, half width")


class SmallestFigures(Record):
    """The smallest figures of the whole board, as drawn; zero where a hole breaks out of its copper."""

    outer_width: Length | None = Field(default=None, description="of a trace on an outer layer")
    inner_width: Length | None = Field(default=None, description="of a trace on an inner layer")
    outer_space: LengthOrZero | None = Field(default=None, description="between traces on an outer layer")
    inner_space: LengthOrZero | None = Field(default=None, description="between traces on an inner layer")
    drill: Length | None = Field(default=None, description="of a mechanical drill")
    ring: LengthOrZero | None = Field(default=None, description="copper round a plated hole that is no microvia")
    hole_to_copper: LengthOrZero | None = Field(default=None, description="from a plated hole to other copper")


class Fabrication(Record):
    """What the chosen fabricator can hold."""

    fab_class: Name | None = Field(default=None, alias="class")
    aspect_ratio: Annotated[float, Field(gt=0, le=40)] | None = None
    min_dielectric: Length | None = None
    ipc_class: Literal[1, 2, 3] | None = None
    tolerances: Tolerances = Tolerances()
    impedance_control: ImpedanceControl | None = None
    smallest: SmallestFigures | None = Field(default=None, description="smallest figures of the whole board, as drawn")
    note: Text | None = None
