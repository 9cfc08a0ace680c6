# SPDX-License-Identifier: MIT
"""The records of the library in one place."""

from __future__ import annotations

from pcbrules.model.catalogue.base import Entry, Fact, Sourced, Spread
from pcbrules.model.catalogue.dielectrics import (
    DF_SLOPE,
    LOSS_ORDER,
    DataSet,
    GlassTransition,
    Laminate,
    LaminateClass,
    Point,
    Thermal,
)
from pcbrules.model.catalogue.parts import (
    Assumption,
    Bond,
    Capacitor,
    Connector,
    ContactLoss,
    Cooling,
    Derating,
    Example,
    Foil,
    Glass,
    Rating,
)

__all__ = [
    "DF_SLOPE",
    "LOSS_ORDER",
    "Assumption",
    "Bond",
    "Capacitor",
    "Connector",
    "ContactLoss",
    "Cooling",
    "DataSet",
    "Derating",
    "Entry",
    "Example",
    "Fact",
    "Foil",
    "Glass",
    "GlassTransition",
    "Laminate",
    "LaminateClass",
    "Point",
    "Rating",
    "Sourced",
    "Spread",
    "Thermal",
]
