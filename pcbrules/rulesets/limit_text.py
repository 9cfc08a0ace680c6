# SPDX-License-Identifier: MIT
"""The text of a limit: ``< 10 mil``, ``>= 170 degC``, ``20 .. 24``, ``100 ohm``, ``>= vlp``."""

from __future__ import annotations

import re

from pcbrules.errors import quoted
from pcbrules.results.limit import Limit
from pcbrules.rules._bounds import FOIL_CLASSES
from pcbrules.units import NUMBER, UnitError, parse

_OPERATOR = re.compile(r"\s*(<=|>=|<|>|≤|≥)\s*(.+)")


def parse_limit(text: str, dimension: str) -> Limit:
    """Read a limit of a dimension; a bare amount means exactly this.

    Raises UnitError.
    """
    low, dots, high = text.partition("..")
    if dots:
        (a, unit), (b, other) = _amount(low, dimension), _amount(high, dimension)
        if a > b:
            raise UnitError("the lower bound is above the upper one", quoted(text))
        return Limit(a, b, unit or other, " ".join(text.split()))
    match = _OPERATOR.fullmatch(text)
    if not match:
        value, unit = _amount(text, dimension)
        return Limit(value, value, unit, text.strip())
    sign, amount = match[1].replace("≤", "<=").replace("≥", ">="), match[2]
    value, unit = _amount(amount, dimension)
    strict = len(sign) == 1
    shown = f"{sign} {amount.strip()}"
    if sign.startswith("<"):
        return Limit(None, value, unit, shown, high_strict=strict)
    return Limit(value, None, unit, shown, low_strict=strict)


def _amount(text: str, dimension: str) -> tuple[float, str]:
    """Value in SI, and the unit as written."""
    text = text.strip()
    if dimension == "foil_class":
        if text.lower() not in FOIL_CLASSES:
            raise UnitError("unknown foil class", quoted(text), ", ".join(FOIL_CLASSES))
        return float(FOIL_CLASSES.index(text.lower())), ""
    quantity = parse(text, dimension)
    if quantity.minus is not None:
        raise UnitError("a limit has no tolerance", quoted(text), fix="write the bound itself")
    number = NUMBER.match(text)
    unit = text[number.end() :].strip() if number else ""
    if dimension == "temperature" and unit == "K":
        raise UnitError("a temperature limit is written in degC", quoted(text), "e.g. '170 degC'")
    return quantity.value, unit
