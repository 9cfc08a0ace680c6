# SPDX-License-Identifier: MIT
"""The units that the tool knows, by dimension, with their exact factors to SI.

Units are spelled in ASCII here (`um`, `ohm`, `degC`, `W/(m K)`); `plain` brings what people write to that.
One inch is 25.4 mm and one psi is 6894.757293168 Pa (NIST SP 811); one ounce of copper is taken as 35 um.
"""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple

EXACT = Context(prec=60)  # for products of numbers and factors: rounded once, on the way to float
ZERO_CELSIUS = Decimal("273.15")  # K

_PREFIXES = {"f": -15, "p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "-": 0, "k": 3, "M": 6, "G": 9, "T": 12}


class Dimension(NamedTuple):
    """A kind of quantity: its units with factors to SI, and how messages show it."""

    name: str  # with its article
    units: dict[str, Decimal]
    shown: tuple[str, ...]  # units that a message proposes
    examples: str
    bare: bool = False  # a number alone is enough


@lru_cache(maxsize=512)
def plain(unit: str) -> str:
    """Return the ASCII spelling of `unit`: single blanks, none beside `/`, `(` and `)`."""
    return re.sub(r"\s*([/()])\s*", r"\1", " ".join(unit.translate(_SAME).split()))


_SAME = str.maketrans(
    {
        "\u00b5": "u",  # micro sign
        "\u03bc": "u",  # Greek mu
        "\u03a9": "ohm",  # Greek omega
        "\u2126": "ohm",  # ohm sign
        "\u00b0": "deg",
        "\u00ba": "deg",  # masculine ordinal, a common slip
        "\u2103": "degC",
        "\u2033": '"',
        "\u201d": '"',
        "\u00b2": "2",
        "^": "",
        "\u00b7": " ",
        "\u22c5": " ",
        "*": " ",
    }
)


def _si(names: str, prefixes: str, factor: str = "1") -> dict[str, Decimal]:
    """Units with SI prefixes, `-` for none; `{}` in a name is the place of the prefix, else its beginning."""
    return {
        (name if "{}" in name else "{}" + name).format(prefix.strip("-")): _power(factor, _PREFIXES[prefix])
        for name in names.split()
        for prefix in prefixes
    }


def _power(factor: str, exponent: int) -> Decimal:
    return EXACT.multiply(Decimal(factor), Decimal(10) ** exponent)


def _same(names: str, factor: str = "1") -> dict[str, Decimal]:
    return dict.fromkeys(names.split(), Decimal(factor))


def _per_length(base: str, factor: str = "1") -> dict[str, Decimal]:
    units = ("m", "cm", "mm", "in", "inch")
    return {f"{base}/{unit}": EXACT.divide(Decimal(factor), _LENGTH[unit]) for unit in units}


_LENGTH = _si("m", "nucm-") | _same("mil mils thou", "25.4e-6") | _same('in inch inches "', "25.4e-3")
_KELVIN = _same("K degC C")
_SLEW = _si("{}A/s", "um-k") | _si("{}A/ms", "um-k", "1e3") | _si("{}A/us", "um-k", "1e6")
_AREA = {f"{unit}2": EXACT.power(_LENGTH[unit], 2) for unit in ("um", "mm", "cm", "m", "mil", "in")}
_RATE = _si("{}b/s {}bps {}bit/s {}T/s", "-kMGT")
_W_PER_M_K = dict.fromkeys(("W/(m K)", "W/mK", "W/m K", "W/(mK)", "W/m/K"), Decimal(1))
_W_PER_M2_K = dict.fromkeys(("W/(m2 K)", "W/m2K", "W/m2 K", "W/(m2K)", "W/m2/K"), Decimal(1))
_ANGLE = {"deg": Decimal(math.pi / 180), "rad": Decimal(1), "mrad": Decimal("1e-3")}
_PRESSURE = _si("Pa", "-kM") | _same("psi", "6894.757293168")
_DELAY = _per_length("ps", "1e-12") | _per_length("ns", "1e-9")
_OHM = _si("ohm Ohm ohms Ohms", "num-kMG")
_KELVIN_PER_WATT = _same("K/W degC/W C/W")
_FRACTION = _same("%", "0.01") | _same("ppm", "1e-6")
_OUNCE = _same("oz oz/ft2", "35e-6")

TABLE: dict[str, Dimension] = {
    "length": Dimension("a length", _LENGTH, ("mil", "um"), "'4.5 mil' or '0.114 mm'"),
    "frequency": Dimension("a frequency", _si("Hz", "-kMGT"), ("GHz", "MHz"), "'16 GHz' or '100 MHz'"),
    "time": Dimension("a time", _si("s", "fpnum-"), ("ps", "ns"), "'5 ps' or '1.2 ns'"),
    "resistance": Dimension("a resistance", _OHM, ("ohm", "mohm"), "'100 ohm' or '0.15 mohm'"),
    "inductance": Dimension("an inductance", _si("H", "fpnum-"), ("pH", "nH"), "'5 pH' or '0.4 nH'"),
    "capacitance": Dimension("a capacitance", _si("F", "fpnum-"), ("uF", "pF"), "'22 uF' or '0.5 pF'"),
    "voltage": Dimension("a voltage", _si("V", "num-k"), ("V", "mV"), "'0.8 V' or '12 mV'"),
    "current": Dimension("a current", _si("A", "pnum-k"), ("A", "kA"), "'400 A' or '1.2 kA'"),
    "power": Dimension("a power", _si("W", "num-kM"), ("W", "kW"), "'700 W' or '40 kW'"),
    "temperature": Dimension("a temperature", _KELVIN, ("degC", "K"), "'85 degC'"),
    "temperature_rise": Dimension("a temperature difference", _KELVIN, ("K", "degC"), "'10 K'"),
    "ratio": Dimension("a ratio", _FRACTION, ("%",), "'5 %' or '0.05'", bare=True),
    "loss": Dimension("a loss", _si("dB", "-"), ("dB",), "'14 dB'"),
    "loss_per_length": Dimension("a loss per length", _per_length("dB"), ("dB/in", "dB/m"), "'0.9 dB/in'"),
    "delay_per_length": Dimension("a delay per length", _DELAY, ("ps/in", "ps/mm"), "'170 ps/in'"),
    "slew": Dimension("a slew rate", _SLEW | _si("{}A/ns", "um-k", "1e9"), ("A/us", "A/ns"), "'275 A/us'"),
    "thermal_resistance": Dimension("a thermal resistance", _KELVIN_PER_WATT, ("K/W",), "'0.12 K/W'"),
    "conductivity_thermal": Dimension("a thermal conductivity", _W_PER_M_K, ("W/(m K)",), "'0.35 W/(m K)'"),
    "heat_transfer": Dimension("a heat-transfer coefficient", _W_PER_M2_K, ("W/(m2 K)",), "'15 W/(m2 K)'"),
    "conductivity": Dimension("an electrical conductivity", _si("S/m", "-kM"), ("MS/m", "S/m"), "'58 MS/m'"),
    "expansion": Dimension(
        "a thermal expansion coefficient", _same("ppm/K ppm/degC ppm/C", "1e-6"), ("ppm/K",), "'45 ppm/K'"
    ),
    "drift": Dimension("a change by temperature", _same("%/K %/degC", "0.01"), ("%/K",), "'0.3 %/K'"),
    "copper_weight": Dimension("a copper weight or thickness", _OUNCE | _LENGTH, ("oz", "um"), "'0.5 oz' or '17.5 um'"),
    "area": Dimension("an area", _AREA, ("mm2", "cm2"), "'25 mm2' or '4 cm2'"),
    "angle": Dimension("an angle", _ANGLE, ("deg",), "'10 deg'"),
    "data_rate": Dimension("a data rate", _RATE, ("Gb/s", "GT/s"), "'106.25 Gb/s' or '32 GT/s'"),
    "symbol_rate": Dimension("a symbol rate", _si("Bd Baud baud", "-kMGT"), ("GBd",), "'53.125 GBd'"),
    "pressure": Dimension("a pressure", _PRESSURE, ("kPa", "psi"), "'200 kPa' or '30 psi'"),
    "number": Dimension("a number", {}, (), "'3.4'", bare=True),
}

# The dimension of a unit that stands alone: the first that knows it; kelvin is a difference.
OF_UNIT = {unit: name for name in reversed(TABLE) for unit in TABLE[name].units} | {"K": "temperature_rise"}
