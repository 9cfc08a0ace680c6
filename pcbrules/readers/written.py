# SPDX-License-Identifier: MIT
"""How the file writes a quantity: without its tolerance, and other values in its unit."""

from __future__ import annotations

import re

from pcbrules.units import NUMBER, Quantity, show, unit_of


def alone(quantity: Quantity) -> str:
    """The number and the unit of a quantity without its tolerance."""
    start = NUMBER.match(quantity.text)
    end = start.end() if start else 0
    return quantity.text[:end] + re.split(r"[+\-±]", quantity.text[end:], maxsplit=1)[0].rstrip()


def like(quantity: Quantity, value: float, digits: int = 4) -> str:
    """An SI value of the same dimension in the unit of a quantity: ``0.525 mm``."""
    return show(value, unit_of(quantity.text), digits)
