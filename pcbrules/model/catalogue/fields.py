# SPDX-License-Identifier: MIT
"""Field types of library records: text with a unit in, SI floats out."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, StringConstraints, WithJsonSchema

from pcbrules.brief import brief
from pcbrules.units import Quantity, parse_value

Confidence = Literal["seen", "derived", "memory", "declared"]
"""seen: read in public; derived: computed from that; memory: recalled; declared: said by a board file."""

Provenance = Literal["standard", "datasheet", "vendor-guide", "secondary", "guide", "derived", "practice", "memory"]
"""What kind of origin a limit has; those in ``PUBLIC`` count as public."""

PUBLIC: Final[frozenset[Provenance]] = frozenset({"standard", "datasheet", "vendor-guide"})


class LibraryRecord(BaseModel):
    """A frozen record; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, populate_by_name=True)
    __repr__ = brief


def _toleranced(value: object, dimension: str) -> Quantity:
    return value if isinstance(value, Quantity) else parse_value(value, dimension)


def _plain(value: object, dimension: str) -> float:
    quantity = parse_value(value, dimension)
    if quantity.minus is not None or quantity.plus is not None:
        raise ValueError("takes no tolerance here; write the value alone")
    return quantity.value


_OTHER: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?) (\S+)", re.ASCII)


def _other(value: object, units: dict[str, float]) -> float:
    match = _OTHER.fullmatch(value) if isinstance(value, str) else None
    if match is None or match[2] not in units:
        raise ValueError(f"needs a number, a blank and one of {', '.join(units)}")
    return float(match[1]) * units[match[2]]


def _si(dimension: str) -> BeforeValidator:
    read: Callable[[object], float] = partial(_plain, dimension=dimension)
    return BeforeValidator(read)


def _unit(units: dict[str, float]) -> BeforeValidator:
    read: Callable[[object], float] = partial(_other, units=units)
    return BeforeValidator(read)


_BYTES: Final = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_BYTE_RATES: Final = {f"{unit}/s": factor for unit, factor in _BYTES.items()}
_FLOP_RATES: Final = {"TFLOP/s": 1e12, "PFLOP/s": 1e15}
_POSITIVE: Final = Field(gt=0)
_WRITTEN: Final = WithJsonSchema({"type": ["string", "number"], "description": "a value with its unit"})
_NOT_NEGATIVE: Final = Field(ge=0)

Hertz = Annotated[float, _si("frequency"), _POSITIVE, _WRITTEN]
Baud = Annotated[float, _si("symbol_rate"), _POSITIVE, _WRITTEN]
BitRate = Annotated[float, _si("data_rate"), _POSITIVE, _WRITTEN]
Decibel = Annotated[float, _si("loss"), _NOT_NEGATIVE, _WRITTEN]
Ohm = Annotated[float, _si("resistance"), _POSITIVE, _WRITTEN]
Henry = Annotated[float, _si("inductance"), _POSITIVE, _WRITTEN]
Farad = Annotated[float, _si("capacitance"), _POSITIVE, _WRITTEN]
Metre = Annotated[float, _si("length"), _NOT_NEGATIVE, _WRITTEN]
Second = Annotated[float, _si("time"), _NOT_NEGATIVE, _WRITTEN]
Volt = Annotated[float, _si("voltage"), _NOT_NEGATIVE, _WRITTEN]
Ampere = Annotated[float, _si("current"), _POSITIVE, _WRITTEN]
Watt = Annotated[float, _si("power"), _POSITIVE, _WRITTEN]
Celsius = Annotated[float, _si("temperature"), _WRITTEN]
Ratio = Annotated[float, _si("ratio"), _NOT_NEGATIVE, _WRITTEN]
Conductivity = Annotated[float, _si("conductivity_thermal"), _POSITIVE, _WRITTEN]
PerKelvin = Annotated[float, _si("expansion"), _POSITIVE, _WRITTEN]
Drift = Annotated[float, _si("drift"), _NOT_NEGATIVE, _WRITTEN]
Byte = Annotated[float, _unit(_BYTES), _POSITIVE, _WRITTEN]
ByteRate = Annotated[float, _unit(_BYTE_RATES), _POSITIVE, _WRITTEN]
FlopRate = Annotated[float, _unit(_FLOP_RATES), _POSITIVE, _WRITTEN]
Minutes = Annotated[float, _unit({"min": 60.0}), _POSITIVE, _WRITTEN]
Newton = Annotated[float, _unit({"N": 1.0}), _POSITIVE, _WRITTEN]
ArealDensity = Annotated[float, _unit({"g/m2": 1e-3}), _POSITIVE, _WRITTEN]
Impedance = Annotated[Quantity, BeforeValidator(partial(_toleranced, dimension="resistance")), _WRITTEN]

Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Count = Annotated[int, Strict(), Field(ge=1)]
Text = Annotated[str, StringConstraints(max_length=500)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+\-]{0,63}$")]
"""An identifier. In the library it is the name of the file too, and in lower case."""
