# SPDX-License-Identifier: MIT
"""Links: a standard, its lanes, and the ordered path that the signal takes."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pcbrules.constants import LIGHT
from pcbrules.model.shapes import (
    Angle,
    Capacitance,
    Frequency,
    Inductance,
    Length,
    LengthOrZero,
    Loss,
    Name,
    PositiveRatio,
    PositiveResistance,
    Record,
    Resistance,
    SignedTime,
    Temperature,
    Text,
    Time,
)


class ReferenceGap(Record):
    """A split or void in a reference plane beneath the trace, or with ``edge`` the copper's end beside the trace."""

    layer: Name
    width: LengthOrZero
    edge: LengthOrZero | None = None
    at: LengthOrZero | None = None
    note: Text | None = None


class ViaPlanes(Record):
    """The planes that the return current leaves and reaches at a via; without ``stitch`` nothing joins them."""

    planes: tuple[Name, Name]
    stitch: Length | None = None


class Neighbour(Record):
    """Another trace that runs beside this one, or on another layer of the same cavity."""

    link: Name | None = None
    layer: Name | None = Field(default=None, description="its layer, where it is another one")
    spacing: Length | None = Field(default=None, description="from edge to edge, across the run of the traces")
    offset: LengthOrZero | None = Field(
        default=None, description="from centre line to centre line, instead of spacing; 0 mil is one above the other"
    )
    coupled_length: Length
    direction: Literal["same", "opposite", "unknown"]
    single_ended: bool = Field(default=False, description="true for one trace that is no link of this board")
    name: Name | None = None

    @model_validator(mode="after")
    def _one_distance(self) -> Self:
        if (self.spacing is None) == (self.offset is None):
            raise ValueError("give `spacing`, or for a neighbour on another layer `offset`")
        if self.single_ended and self.link is not None:
            raise ValueError("`single_ended` is for a trace that is no link: the standard of a `link` says what it is")
        return self


class LaneLengths(Record):
    """Shortest and longest lane over this segment."""

    min: LengthOrZero
    max: Length


class Coplanar(Record):
    """Ground copper on both sides of a trace or pair, on its layer, at the potential of its reference planes."""

    gap: Length
    width: Length | None = None
    stitching: Length | None = None


class BroadsideLeg(Record):
    """The N leg of a pair on another layer of the same cavity, over or under the P leg and as wide as it."""

    layer: Name
    offset: LengthOrZero


class SParameterFile(Record):
    """Scattering parameters in a Touchstone file below the board's folder."""

    file: Text
    ports: Annotated[tuple[Annotated[int, Field(ge=1, le=999)], ...], Field(min_length=2, max_length=4)] | None = None
    two_port: Literal["differential", "leg"] | None = None
    temperature: Temperature | None = None


class TableElement(Record):
    """A step of a path that may be a table: the file then counts instead of the model of the step."""

    touchstone: Text | SParameterFile | None = Field(
        default=None, description="file of the element instead of its model, below the board's folder"
    )

    @property
    def table(self) -> SParameterFile | None:
        """The file, whichever way it is written."""
        return SParameterFile(file=self.touchstone) if isinstance(self.touchstone, str) else self.touchstone


class Stretch(TableElement):
    """Everything between two points of the path, as one file: measured, or from a field solver."""

    name: Name | None = None
    touchstone: Text | SParameterFile = Field(description="file of the whole stretch, below the board's folder")
    enter: Name | None = None
    leave: Name | None = None
    note: Text | None = None


class Trace(TableElement):
    """A routed segment on one layer. ``width`` is that of its wider face, ``length`` that of the longest lane."""

    name: Name | None = None
    layer: Name
    width: Length
    top_width: Length | None = None
    gap: Length | None = None
    coplanar: Coplanar | None = None
    broadside: BroadsideLeg | None = None
    length: Length
    length_p: Length | None = None
    length_n: Length | None = None
    lane_lengths: LaneLengths | None = None
    bends: Annotated[int, Field(ge=-100, le=100)] | None = Field(
        default=None, description="net quarter turns; left counts +1, right counts -1"
    )
    route_angle: Angle | None = Field(default=None, description="angle between route and glass weave")
    zigzag: bool | None = None
    breakout: bool = False
    planes: tuple[Name, ...] | None = None
    reference_gaps: tuple[ReferenceGap, ...] | None = None
    reference_gaps_from: Literal["layout", "declared"] = "declared"
    neighbours: tuple[Neighbour, ...] | None = None
    note: Text | None = None

    @property
    def paired(self) -> bool:
        """True if it has two legs."""
        return self.gap is not None or self.broadside is not None

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer, and that of the other leg of a broadside pair."""
        return (self.layer,) if self.broadside is None else (self.layer, self.broadside.layer)

    @model_validator(mode="after")
    def _one_pair(self) -> Self:
        if self.broadside is not None and (self.gap is not None or self.coplanar is not None):
            raise ValueError("a `broadside` pair has no `gap` and no `coplanar`: its legs lie on two layers")
        return self


class ViaNeighbour(Record):
    """Another pair whose vias stand beside those of this one."""

    link: Name | None = Field(
        default=None, description="its link, whose via types and layers then count; without it those of this via"
    )
    via: Name | None = Field(default=None, description="which via of that link, where it has several that differ")
    along: LengthOrZero
    across: LengthOrZero
    direction: Literal["same", "opposite"]
    name: Name | None = None

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.along.value == self.across.value == 0:
            raise ValueError("`along` and `across` are not both zero: no two pairs stand at one place")
        if self.via is not None and self.link is None:
            raise ValueError("`via` names a via of another link: give its `link` too")
        return self


class Via(TableElement):
    """A layer change: the via type and the two layers on which the signal enters and leaves."""

    name: Name | None = None
    type: Name
    enter: Name
    leave: Name
    neighbours: tuple[ViaNeighbour, ...] | None = Field(
        default=None, description="pairs whose vias stand beside these; `[]` for none"
    )
    plane_change: ViaPlanes | None = None
    skew: SignedTime | None = None
    note: Text | None = None


class Package(TableElement):
    """The package between die and ball: a Touchstone file, a line with its capacitances, or a loss alone.

    The budget of the standard says whether it counts: from the die, or from the balls.
    """

    name: Name | None = None
    loss: Loss | None = Field(default=None, description="of the line, matched, at the frequency `at`")
    at: Frequency | None = None
    impedance: PositiveResistance | None = Field(default=None, description="differential impedance of its line")
    delay: Time | None = Field(default=None, description="from die to ball; or give `length` and `dk`")
    length: Length | None = None
    dk: PositiveRatio | None = Field(default=None, description="Dk around its lines, with `length`")
    die_capacitance: Capacitance | None = Field(default=None, description="of each leg at the die (C_d)")
    ball_capacitance: Capacitance | None = Field(default=None, description="of each leg at the ball (C_p)")
    touchstone: Text | SParameterFile | None = Field(
        default=None,
        description="file below the board's folder, die at the lower ports, ball at the higher ones; "
        "counts instead of loss and line",
    )
    skew: SignedTime | None = None
    note: Text | None = None

    @property
    def is_line(self) -> bool:
        """True if it is described by more than its loss."""
        return any(
            given is not None
            for given in (self.impedance, self.delay, self.length, self.die_capacitance, self.ball_capacitance)
        )

    @property
    def delay_seconds(self) -> float | None:
        """Delay, given or by length and permittivity; None if neither is given. [s]"""
        if self.delay is not None:
            return float(self.delay.value)
        if self.length is not None and self.dk is not None:
            return float(self.length.value) * math.sqrt(self.dk.value) / LIGHT
        return None


class Crosstalk(Record):
    """Bound for the crosstalk of all aggressors, power sum: of a connector, or of via field and connector."""

    bound: Loss
    source: Text


class Connector(TableElement):
    """A connector: a Touchstone file of its four ports, or a loss at a frequency, which scales with its square root."""

    name: Name | None = None
    part: Text | None = None
    loss: Loss | None = None
    at: Frequency | None = None
    skew: SignedTime | None = None
    press_fit_length: Length | None = None
    touchstone: Text | SParameterFile | None = Field(
        default=None, description="file of the connector, below the board's folder; counts instead of loss"
    )
    crosstalk: Crosstalk | None = Field(
        default=None, description="bound for its own crosstalk, where the via field is computed from its `neighbours`"
    )
    note: Text | None = None


class AcCapacitor(TableElement):
    """The AC coupling capacitor in each leg."""

    name: Name | None = None
    capacitance: Capacitance
    body: Text | None = None
    esr: Resistance | None = None
    inductance: Inductance | None = None
    loss: Loss | None = None
    at: Frequency | None = None
    note: Text | None = None


class Load(TableElement):
    """What hangs on the path from both legs to ground: a protection array, a test point, a second receiver."""

    name: Name | None = None
    capacitance: Capacitance | None = None
    back: Length | None = None
    note: Text | None = None


class PathElement(Record):
    """One step of the path: exactly one of its keys."""

    package: Package | None = None
    via: Via | None = None
    trace: Trace | None = None
    connector: Connector | None = None
    capacitor: AcCapacitor | None = None
    stretch: Stretch | None = None
    load: Load | None = None

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if len(self.model_fields_set) != 1 or self.body is None:
            raise ValueError(
                "each path element has exactly one of package, via, trace, connector, capacitor, stretch, load")
        return self

    @property
    def kind(self) -> str:
        """Which of the keys is present."""
        return next(iter(self.model_fields_set))

    @property
    def body(self) -> Package | Via | Trace | Connector | AcCapacitor | Stretch | Load:
        """The element itself."""
        body: Package | Via | Trace | Connector | AcCapacitor | Stretch | Load = getattr(self, self.kind)
        return body


class Budget(Record):
    """Insertion loss that the board's part of the channel may spend."""

    loss: Loss
    at: Frequency | None = None
    planes: Text | None = None
    source: Text


class LinkSpec(Record):
    """A bundle of lanes of one standard that share one path."""

    standard: Text
    lanes: Annotated[int, Field(ge=1, le=4096)] | None = None
    segment: Name | None = Field(default=None, description="which budget of the standard: baseboard, add-in-card …")
    impedance: PositiveResistance | None = None
    polarity_inverted: bool = False
    budget: Budget | None = None
    crosstalk_elsewhere: Crosstalk | None = None
    lane_skew: Time | None = None
    path: Annotated[tuple[PathElement, ...], Field(min_length=1)]
    note: Text | None = None
