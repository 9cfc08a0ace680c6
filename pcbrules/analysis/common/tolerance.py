# SPDX-License-Identifier: MIT
"""Tolerances that stand beside a value."""

from __future__ import annotations

from pcbrules.units import Quantity


def half_width(quantity: Quantity) -> float | None:
    """The larger side of a stated tolerance, None if none is stated; unit of the quantity."""
    if quantity.minus is None and quantity.plus is None:
        return None
    return max(quantity.minus or 0.0, quantity.plus or 0.0)
