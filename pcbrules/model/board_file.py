# SPDX-License-Identifier: MIT
"""The board file, whole: one field per section. An absent section is None, an empty one is empty."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pcbrules.model.catalogue.records import Foil, Laminate
from pcbrules.model.catalogue.systems import LinkStandard as Standard
from pcbrules.model.link import LinkSpec
from pcbrules.model.outline import BoardThickness, Outline
from pcbrules.model.rail import Rail
from pcbrules.model.shapes import Day, Name, Record, Text
from pcbrules.model.stackup import Fabrication, Layer
from pcbrules.model.system import Evidence, PowerSystem, System, Thermal
from pcbrules.model.via import ViaType
from pcbrules.model.workload import Workload


class BoardInfo(Record):
    """What the board is."""

    name: Text
    revision: Text | None = None
    date: Day | None = None
    platform: Text | None = None
    form_factor: Text | None = None
    size: Outline | None = None
    thickness: BoardThickness | None = None
    note: Text | None = None


def _laminates(entries: Any) -> Any:
    """Give the board's own laminates the name that they stand under."""
    if not isinstance(entries, dict):
        return entries
    return {
        key: {"id": key, "name": key, **value} if isinstance(value, dict) else value for key, value in entries.items()
    }


def _entries(entries: Any) -> Any:
    """Give the board's own foils and standards name and origin; none may pose as another one."""
    if not isinstance(entries, dict):
        return entries
    origin = {"source": "declared in the board file", "confidence": "declared"}
    return {
        key: {"name": key, **origin, **value, "id": key} if isinstance(value, dict) else value
        for key, value in entries.items()
    }


class Materials(Record):
    """The board's own additions to the library, by name."""

    laminates: Annotated[dict[Name, Laminate], BeforeValidator(_laminates)] = Field(default_factory=dict)
    foils: Annotated[dict[Name, Foil], BeforeValidator(_entries)] = Field(default_factory=dict)
    standards: Annotated[dict[Name, Standard], BeforeValidator(_entries)] = Field(default_factory=dict)


class BoardFile(Record):
    """A board description, as its file gives it."""

    schema_version: Literal[1] = Field(alias="schema")
    board: BoardInfo
    fabrication: Fabrication | None = None
    materials: Materials | None = None
    stackup: Annotated[tuple[Layer, ...], Field(min_length=1, max_length=400)] | None = None
    via_types: dict[Name, ViaType] | None = None
    links: dict[Name, LinkSpec] | None = None
    rails: dict[Name, Rail] | None = None
    thermal: Thermal | None = None
    power: PowerSystem | None = None
    system: System | None = None
    workload: Workload | None = None
    evidence: dict[Name, Evidence] | None = None
