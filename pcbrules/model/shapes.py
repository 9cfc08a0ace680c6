# SPDX-License-Identifier: MIT
"""Field types of the board file: quantities with their dimension, names, and the frozen record they live in."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints, WithJsonSchema

from pcbrules.brief import brief
from pcbrules.dates import EXPECTED, date_fault, read_date
from pcbrules.errors import quoted
from pcbrules.units import Quantity, UnitError, parse_value


class Record(BaseModel):
    """A frozen record. Unknown keys are an error; every value is checked when it is made."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, defer_build=True, arbitrary_types_allowed=True
    )
    __repr__ = brief


def _word(value: Any) -> Any:
    """A whole number where a name is due is that name: glass style 1078, layer 3."""
    return str(value) if type(value) is int else value


_NAME = r"^[A-Za-z0-9]([A-Za-z0-9_.+\-]{0,62}[A-Za-z0-9_+\-])?$"
_OR_NUMBER = ["string", "integer"]

Name = Annotated[
    str,
    StringConstraints(pattern=_NAME),
    BeforeValidator(_word),
    WithJsonSchema({"type": _OR_NUMBER, "pattern": _NAME}),
]
"""A name that can stand in a path: letters, digits, ``_ + -``, and points within (KiCad's ``F.Cu``).

Brackets and quotes, which paths are made of, blanks, slashes and control characters are left out: a name stands in
subjects, waivers, commands and names of files.
"""

Text = Annotated[
    str,
    StringConstraints(min_length=1, max_length=500),
    BeforeValidator(_word),
    WithJsonSchema({"type": _OR_NUMBER, "minLength": 1, "maxLength": 500}),
]


FIRST_YEAR, LAST_YEAR = 1980, 2050
"""Years of documents that a board file may cite; a date outside them is a slip."""


def _day(text: str) -> str:
    day = read_date(text)
    if day is None:
        message, fix = date_fault(text)
        raise UnitError(message, quoted(text), EXPECTED, fix)
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        years = f"a year from {FIRST_YEAR} to {LAST_YEAR}"
        raise UnitError("the year of this date is not plausible", quoted(text), years, "check the year")
    return text


Day = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"})]
"""A day of the calendar, as `YYYY-MM-DD`."""


POSITIVE, NOT_NEGATIVE = "must be greater than zero", "must not be negative"


def _positive(quantity: Quantity) -> Quantity:
    if quantity.value <= 0:
        raise ValueError(POSITIVE)
    if quantity.minus is not None and quantity.minus >= quantity.value:
        raise ValueError("the tolerance reaches zero")
    return quantity


def _not_negative(quantity: Quantity) -> Quantity:
    if quantity.value < 0:
        raise ValueError(NOT_NEGATIVE)
    return quantity


_EXAMPLES = {
    "length": "4.5 mil +- 10 %",
    "frequency": "16 GHz",
    "time": "5 ps",
    "resistance": "0.15 mohm",
    "inductance": "0.5 nH",
    "capacitance": "47 uF",
    "voltage": "0.8 V",
    "current": "550 A",
    "power": "700 W",
    "temperature": "85 degC",
    "ratio": "5 %",
    "loss": "14 dB",
    "slew": "1000 A/us",
    "copper_weight": "0.5 oz",
    "data_rate": "32 GT/s",
    "symbol_rate": "32 GBd",
    "angle": "10 deg",
    "thermal_resistance": "12 K/W",
    "conductivity_thermal": "0.4 W/mK",
    "heat_transfer": "15 W/(m2 K)",
    "temperature_rise": "20 K",
}


def _field(dimension: str, check: Any) -> Any:
    schema: dict[str, Any] = {
        "type": ["string", "number"] if dimension == "ratio" else "string",
        "description": f"{dimension.replace('_', ' ')} with its unit, e.g. '{_EXAMPLES[dimension]}'",
        "examples": [_EXAMPLES[dimension]],
    }
    validators = [AfterValidator(check)] if check else []
    parse = partial(parse_value, dimension=dimension)
    return Annotated[Quantity, BeforeValidator(parse), *validators, WithJsonSchema(schema)]


Length = _field("length", _positive)
LengthOrZero = _field("length", _not_negative)
Coordinate = _field("length", None)
Frequency = _field("frequency", _positive)
Time = _field("time", _not_negative)
SignedTime = _field("time", None)
Resistance = _field("resistance", _not_negative)
PositiveResistance = _field("resistance", _positive)
Inductance = _field("inductance", _not_negative)
PositiveInductance = _field("inductance", _positive)
Capacitance = _field("capacitance", _positive)
Voltage = _field("voltage", _positive)
Current = _field("current", _positive)
CurrentOrZero = _field("current", _not_negative)
Power = _field("power", _positive)
Temperature = _field("temperature", None)
Ratio = _field("ratio", _not_negative)
PositiveRatio = _field("ratio", _positive)
Loss = _field("loss", _not_negative)
Slew = _field("slew", _positive)
CopperWeight = _field("copper_weight", _positive)
Angle = _field("angle", _not_negative)
ThermalConductivity = _field("conductivity_thermal", _positive)
HeatTransfer = _field("heat_transfer", _positive)
TemperatureRise = _field("temperature_rise", _positive)
