# SPDX-License-Identifier: MIT
"""What the board belongs to: accelerators, components, power supplies, cooling, evidence."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pcbrules.model.shapes import (
    Day,
    HeatTransfer,
    Length,
    LengthOrZero,
    Name,
    Power,
    Record,
    Temperature,
    TemperatureRise,
    Text,
    ThermalConductivity,
)

Count = Annotated[int, Field(ge=1, le=100_000)]


class DevicePower(Record):
    """Power of one device."""

    sustained: Power | None = None
    peak: Power | None = None


class Accelerator(Record):
    """Equal accelerators of the system; ``type`` names one of the library."""

    name: Name
    type: Text | None = None
    count: Count
    power: DevicePower = DevicePower()
    on_board: bool = Field(default=True, description="false: the system holds it, not this board")


class Component(Record):
    """A component that matters for the build-up."""

    name: Name
    package: Literal["bga", "lga", "connector", "other"]
    pitch: Length | None = None
    escape_via: Name | None = None


class Rack(Record):
    """The rack in which the board runs."""

    power: Power
    cooling: Name | None = None


class System(Record):
    """Accelerators, components and rack."""

    accelerators: tuple[Accelerator, ...] | None = None
    components: tuple[Component, ...] | None = None
    rack: Rack | None = None


class Supplies(Record):
    """Power supplies of the system, of which ``redundant`` may fail."""

    count: Count
    redundant: Annotated[int, Field(ge=0, le=1000)]
    capacity: Power


class Card(Record):
    """Power inlets of an add-in card, by library name of the connector."""

    connectors: Annotated[tuple[Text, ...], Field(min_length=1)]
    peak: Power | None = None


class PowerSystem(Record):
    """Supplies, the system's peak, and the card's inlets."""

    supplies: Supplies | None = None
    system_peak: Power | None = None
    card: Card | None = None


class TimContributor(Record):
    """One part of the gap between module and cold plate, e.g. ``flatness: 0 mm +- 0.03 mm``."""

    name: Name
    gap: LengthOrZero
    in_contact_area: bool


class Tim(Record):
    """The thermal interface: how the cold plate is mounted and what adds to the gap."""

    mount: Literal["hard", "sprung"]
    contributors: Annotated[tuple[TimContributor, ...], Field(min_length=1)]


class ViaArray(Record):
    """Thermal vias under a part, in a square grid. ``fill: copper`` is a via of solid copper."""

    under: Text
    pitch: Length
    drill: Length
    plating: Length
    count: Count
    fill: Literal["air", "resin", "copper"] = "air"
    laminate_conductivity: ThermalConductivity | None = None
    foil_thickness: Length | None = None
    power: Power | None = Field(default=None, description="heat of the part that goes down through the vias")
    allowed_rise: TemperatureRise | None = Field(default=None, description="from the pad to the board's far face")


class BoardAir(Record):
    """The air beside this board in operation, warmed by all that stands before it, and how both faces cool in it."""

    temperature: Temperature
    top: HeatTransfer
    bottom: HeatTransfer


class Thermal(Record):
    """Cooling, interface and via arrays."""

    cooling: Name | None = None
    tim: Tim | None = None
    via_arrays: dict[Name, ViaArray] | None = None
    inlet: Temperature | None = None
    board_air: BoardAir | None = None


class Evidence(Record):
    """A document for something that the board file calls validated."""

    file: Text | None = None
    reference: Text | None = None
    date: Day
    note: Text | None = None
