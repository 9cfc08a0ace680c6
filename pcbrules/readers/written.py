# SPDX-License-Identifier: MIT
"""How the file writes a quantity: without its tolerance, and other values in its unit."""

from __future__ import annotations

import re

from pcbrules.units import NUMBER, Quantity, show


def alone(quantity: Quantity) -> str:
    """The number and the unit of a quantity without its tolerance."""
    end = _end(quantity)
    return quantity.text[:end] + _unit(quantity, end)


def like(quantity: Quantity, value: float, digits: int = 4) -> str:
    """An SI value of the same dimension in the unit of a quantity: ``0.525 mm``."""
    return show(value, _unit(quantity, _end(quantity)).strip(), digits)


def _end(quantity: Quantity) -> int:
    start = NUMBER.match(quantity.text)
    return start.end() if start else 0


def _unit(quantity: Quantity, end: int) -> str:
    """What follows the number up to a tolerance."""
    return re.split(r"[+\-±]", quantity.text[end:], maxsplit=1)[0].rstrip()
