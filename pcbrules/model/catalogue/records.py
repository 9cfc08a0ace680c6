# SPDX-License-Identifier: MIT
"""The records of the library in one place."""

from __future__ import annotations

from pcbrules.model.catalogue.base import Entry, Sourced, SourcedValue, Spread
from pcbrules.model.catalogue.dielectrics import (
    LOSS_ORDER,
    DataSet,
    GlassTransition,
    Laminate,
    LaminateClass,
    LaminateThermal,
    Point,
)
from pcbrules.model.catalogue.parts import (
    Assumption,
    BiasCurve,
    Bond,
    Capacitor,
    ConnectorPart,
    ContactLoss,
    Cooling,
    Derating,
    Example,
    Foil,
    Glass,
    Rating,
)

__all__ = [
    "LOSS_ORDER",
    "Assumption",
    "BiasCurve",
    "Bond",
    "Capacitor",
    "ConnectorPart",
    "ContactLoss",
    "Cooling",
    "DataSet",
    "Derating",
    "Entry",
    "Example",
    "Foil",
    "Glass",
    "GlassTransition",
    "Laminate",
    "LaminateClass",
    "LaminateThermal",
    "Point",
    "Rating",
    "Sourced",
    "SourcedValue",
    "Spread",
]
