# SPDX-License-Identifier: MIT
"""Records of the library for copper, glass, parts and assumptions. Values are SI floats."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from pcbrules.model.catalogue.base import Entry, Sourced, Spread
from pcbrules.model.catalogue.fields import (
    Ampere,
    ArealDensity,
    Count,
    Decibel,
    Farad,
    Henry,
    Hertz,
    Id,
    Label,
    Metre,
    Newton,
    Number,
    Ohm,
    Provenance,
    Ratio,
    Text,
    Volt,
    Watt,
)
from pcbrules.units import DIMENSIONS, parse_value


class Example(Sourced):
    """A product or table value that the range of a class was drawn from."""

    text: Label


class Foil(Entry, Sourced):
    """A foil class. A higher ``rank`` is a smoother class; names are not standardised, ``rz`` (m) decides."""

    rank: Annotated[int, Field(ge=0)]
    rz: Spread[Metre]
    rq: Spread[Metre] | None = None
    examples: tuple[Example, ...] = ()


class Bond(Entry, Sourced):
    """Treatment of the face towards the prepreg: Rz becomes ``max(Rz - subtract, floor) + add`` (m)."""

    subtract: Spread[Metre] | None = None
    floor: Spread[Metre] | None = None
    add: Spread[Metre] | None = None


class Cloth(Sourced):
    """What a style weighs (kg/m2), and the resin content (ratio of weight) of the cores and prepregs that are sold."""

    weight: ArealDensity
    core: tuple[Ratio, Ratio]
    prepreg: tuple[Ratio, Ratio]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.core[0] > self.core[1] or self.prepreg[0] > self.prepreg[1]:
            raise ValueError("`core` and `prepreg` are the least and the greatest resin content")
        return self


class Glass(Entry, Sourced):
    """A glass style; ``spread`` covers mechanically spread and flattened weaves."""

    weave: Literal["open", "spread"]
    cloth: Cloth | None = None


class DeratingPoint(NamedTuple):
    """Share of the capacitance that is left at a bias (V)."""

    bias: Volt
    left: Annotated[Number, Field(gt=0, le=1.5)]


class Derating(Sourced):
    """Share of the nominal capacitance that is left at a DC bias, as ``[bias, ratio]`` in ascending bias."""

    points: Annotated[tuple[DeratingPoint, ...], Field(min_length=1)]
    covers: Label
    provenance: Provenance


class BiasPoint(NamedTuple):
    """Share of the capacitance that is left at a DC bias over the rated voltage: the least, usual and most of parts."""

    ratio: Annotated[Number, Field(ge=0, le=1)]
    least: Annotated[Number, Field(gt=0, le=1)]
    typical: Annotated[Number, Field(gt=0, le=1)]
    most: Annotated[Number, Field(gt=0, le=1)]


class BiasCurve(Sourced):
    """What a DC bias leaves of ceramic capacitors of class 2 of some body sizes, and the rated voltages sold (V)."""

    use: Label
    rated: Spread[Volt]
    points: Annotated[tuple[BiasPoint, ...], Field(min_length=2)]
    examples: tuple[Example, ...]

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if self.points[0].ratio != 0.0 or self.points[-1].ratio != 1.0:
            raise ValueError("a curve goes from no bias to the rated voltage, ratio 0 to 1")
        if any(not point.least <= point.typical <= point.most for point in self.points):
            raise ValueError("needs least <= typical <= most")
        for below, above in pairwise(self.points):
            if above.ratio <= below.ratio or any(b > a for a, b in zip(below[1:], above[1:], strict=True)):
                raise ValueError("the ratio ascends, and what is left never does")
        return self


class Capacitor(Entry, Sourced):
    """A kind of capacitor: ESR (ohm), ESL of the part (H), mounted inductance of the part on its vias (H).

    ``bias`` names the curve of its body size, ``rated`` the voltages for which such parts are sold (V); ``derating``
    is data of the part itself and comes first.
    """

    tier: Literal["bulk", "mid", "high-frequency", "package", "die"]
    body: Label
    dielectric: Label
    capacitance: Spread[Farad]
    esr: Spread[Ohm]
    esl: Spread[Henry] | None = None
    mounted: Spread[Henry] | None = None
    rated: Spread[Volt] | None = None
    bias: Id | None = None
    derating: tuple[Derating, ...] = ()


class Rating(Sourced):
    """A power rating (W); the highest where side-band pins choose."""

    value: Watt
    provenance: Provenance
    note: Text = ""


class ContactLoss(Sourced):
    """Insertion loss (dB) of a connector at a frequency (Hz), and what it includes."""

    loss: Decibel
    at: Hertz
    includes: Label
    provenance: Provenance


class ConnectorPart(Entry, Sourced):
    """A power or signal connector."""

    kind: Literal["power", "signal"]
    power: Rating | None = None
    positions: Count | None = None
    stack_height: Metre | None = None
    stack_tolerance: Metre | None = None
    contact_current: Ampere | None = None
    mating_force: Newton | None = None
    losses: tuple[ContactLoss, ...] = ()


class Cooling(Entry):
    """A way to cool. ``kind`` is the medium that carries the heat off the device."""

    kind: Literal["air", "liquid"]
    forced: bool
    source: Label


class Assumption(Sourced):
    """A value that may stand in for a missing parasitic; the finding says so, its interval spans the range.

    ``typical``, ``min`` and ``max`` are in SI units of ``dimension``; dB for a loss.
    """

    dimension: Label
    typical: float
    min: float
    max: float
    at: Hertz | None = None
    use: Label
    provenance: Provenance

    @model_validator(mode="before")
    @classmethod
    def _with_dimension(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        numbers = {key: _assumed(data.get(key), data.get("dimension")) for key in ("typical", "min", "max")}
        return {**data, **numbers}

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.min <= self.typical <= self.max:
            raise ValueError("needs min <= typical <= max")
        return self


def _assumed(value: Any, dimension: Any) -> float:
    if dimension not in DIMENSIONS:
        raise ValueError(f"dimension is one of {', '.join(DIMENSIONS)}")
    return parse_value(value, dimension).value
