# SPDX-License-Identifier: MIT
"""Power rails: load, regulator, the ladder of planes and capacitors, package."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pcbrules.model.rail_copper import RailCopper, SensePoint
from pcbrules.model.rail_layout import RailLayout
from pcbrules.model.shapes import (
    Capacitance,
    Current,
    CurrentOrZero,
    Frequency,
    Inductance,
    Length,
    LengthOrZero,
    Name,
    PositiveInductance,
    PositiveRatio,
    PositiveResistance,
    Ratio,
    Record,
    Resistance,
    Slew,
    Temperature,
    Text,
    Voltage,
)

FASTEST_REGULATOR = 1e6
"""No regulator holds a load line above this frequency [Hz]: the bandwidth of fast digital multiphase ones; practice."""


class LoadCurrent(Record):
    """What the load draws. ``step`` is the size of its fastest change."""

    sustained: Current | None = None
    peak: Current | None = None
    step: Current | None = None
    idle: CurrentOrZero | None = None
    slew: Slew | None = None


class RailTolerance(Record):
    """How far the voltage may leave its nominal value, by cause."""

    dc: Ratio | None = None
    ac: PositiveRatio | None = None


class Phase(Record):
    """One phase inductor: in-plane distance to the edge of the ball field and its share of the current."""

    distance: LengthOrZero
    share: PositiveRatio | None = None


class MeasuredPart(Record):
    """A part from its Touchstone file, alone: without the vias and the planes of this board."""

    file: Text
    connected: Literal["one-port", "shunt", "series"] = Field(
        description="port to ground; between line and ground with a port on either side; between two ports"
    )


class Vrm(Record):
    """The regulator, closed loop to its sense point."""

    phases: Annotated[int, Field(ge=1, le=128)] | None = None
    resistance: Resistance | None = None
    inductance: Inductance | None = None
    touchstone: MeasuredPart | None = Field(
        default=None, description="closed loop, instead of resistance and inductance"
    )
    phase_inductance: PositiveInductance | None = Field(
        default=None, description="inductor of one phase; of coupled phases their transient inductance"
    )
    distance: LengthOrZero | None = None
    phase_positions: Annotated[tuple[Phase, ...], Field(min_length=1)] | None = None
    vertical: bool = False
    rated_continuous: Current | None = None
    rated_peak: Current | None = None
    over_current_limit: Current | None = None
    phase_rating: Current | None = None
    rated_at: Text | None = None
    ambient: Temperature | None = None
    thermal_evidence: Name | None = None
    note: Text | None = None


class PartBody(Record):
    """Body of a part: along its vias, across, and above its pads."""

    length: Length
    width: Length
    height: Length


class Mounting(Record):
    """How a capacitor is connected: pairs of vias of one length, pitch and drill."""

    via_length: Length
    via_pitch: Length
    via_drill: Length
    pairs: Annotated[int, Field(ge=1, le=16)] = 1
    body: PartBody | None = Field(default=None, description="computes the loop of part and vias as one, without an ESL")


class LeadTrace(Record):
    """A trace on the way from the drawn copper of the rail to a capacitor."""

    layer: Name
    length: Length
    width: Length


class LeadVia(Record):
    """A via on the way from the drawn copper of the rail to a capacitor, without those of `mounting`."""

    layers: tuple[Name, Name]
    drill: Length
    plating: Length
    pitch: Length = Field(description="to the nearest via of ground that joins these layers too, axis to axis")


class CapacitorBank(Record):
    """Equal capacitors in parallel at one place of the ladder."""

    name: Name | None = None
    kind: Literal["supercapacitor"] | None = None
    part: Text | None = None
    count: Annotated[int, Field(ge=1, le=10_000)]
    capacitance: Capacitance | None = None
    effective: Capacitance | None = Field(default=None, description="at bias, temperature and age")
    rated_voltage: Voltage | None = None
    esr: PositiveResistance | None = None
    esl: Inductance | None = Field(default=None, description="of the part alone; mounting is added")
    touchstone: MeasuredPart | None = Field(
        default=None, description="of one piece, instead of capacitance, ESR and ESL; vias of `mounting` are added"
    )
    mounting: Mounting | None = None
    mounted_inductance: PositiveInductance | None = None
    distance: LengthOrZero | None = Field(default=None, description="of the bank's region from the ball field")
    tap: SensePoint | None = Field(default=None, description="where it stands on the drawn `copper` of the rail")
    lead: Annotated[tuple[LeadTrace, ...], Field(max_length=40)] | None = Field(
        default=None, description="traces from `tap` to its pad, where it does not stand on the copper itself"
    )
    lead_vias: Annotated[tuple[LeadVia, ...], Field(max_length=20)] | None = Field(
        default=None, description="vias from `tap` to its pad, without those of `mounting`"
    )
    note: Text | None = None


class Spreading(Record):
    """Plane between two places of the ladder: given, from its geometry, or as the rail's ``copper`` is drawn."""

    resistance: Resistance | None = None
    inductance: Inductance | None = None
    between: tuple[Name, Name] | None = None
    length: Length | None = None
    width: Length | None = None
    inner_radius: Length | None = None
    outer_radius: Length | None = None
    drawn: Literal[True] | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given = (self.resistance, self.inductance, self.between, self.length, self.width, self.inner_radius,
                 self.outer_radius)
        if self.drawn:
            if any(one is not None for one in given):
                raise ValueError("`drawn` takes resistance and inductance from the rail's `copper`: give no other key")
            return self
        geometry = self.between is not None
        straight = self.length is not None and self.width is not None
        radial = self.inner_radius is not None and self.outer_radius is not None
        if self.inductance is None and not (geometry and straight != radial):
            raise ValueError(
                "give `inductance`, or `between` two layers with `length` and `width` or with "
                "`inner_radius` and `outer_radius`"
            )
        if self.inductance is not None and geometry:
            raise ValueError("give `inductance` or the geometry, not both")
        return self


class LadderElement(Record):
    """One step from the regulator to the balls: exactly one of its keys."""

    bank: CapacitorBank | None = None
    spreading: Spreading | None = None

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if [self.bank, self.spreading].count(None) != 1:
            raise ValueError("each step of the ladder has exactly one of bank, spreading")
        return self


class PowerPackage(Record):
    """The load's package and die, as its vendor gives them."""

    inductance: PositiveInductance | None = None
    resistance: Resistance | None = None
    die_capacitance: Capacitance | None = None
    die_resistance: Resistance | None = None
    source: Text | None = None


class Rail(Record):
    """A supply rail of the board."""

    role: Literal["core", "memory", "io", "analog", "input", "auxiliary"]
    load: Literal["accelerator", "switch", "memory", "serdes-analog", "input", "other"]
    voltage: Voltage
    tolerance: RailTolerance = RailTolerance()
    current: LoadCurrent = LoadCurrent()
    load_line: Resistance | None = None
    target: PositiveResistance | None = None
    planes: tuple[Name, ...] | None = None
    copper: RailCopper | None = None
    vrm: Vrm | None = None
    ladder: tuple[LadderElement, ...] | None = None
    package: PowerPackage = PowerPackage()
    layout: RailLayout | None = None
    crossover: Frequency | None = None
    note: Text | None = None
