# SPDX-License-Identifier: MIT
"""A design space of stackups: the file that `pcbrules search` reads."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from pcbrules.model.shapes import Length, PositiveRatio, Record, Text

KINDS: Final = ("vary", "laminate", "foil", "thickness", "backdrill", "via_type", "route", "layers")
"""Keys of an axis that say what it changes; an axis has one of them."""

AXIS: Final = "axis"
"""What a fault of an axis is called until its place in the file is known."""

MOST_AXES, MOST_VALUES = 24, 100_000


def _named(value: Any) -> Any:
    """One name, or several as a list: always a tuple."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple) and value and all(isinstance(one, str) and one for one in value):
        return value
    raise ValueError("a name or a list of names stands here")


def _values(value: Any) -> Any:
    """A text (a range, or values with commas between) or a list."""
    if isinstance(value, tuple) and 1 <= len(value) <= MOST_VALUES:
        return value
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (value,)
    raise ValueError("an axis takes FROM:TO:POINTS, or a list of values")


Names = Annotated[Any, BeforeValidator(_named), WithJsonSchema(
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]})]
AxisValues = Annotated[Any, BeforeValidator(_values), WithJsonSchema(
    {"anyOf": [{"type": ["string", "number"]}, {"type": "array", "minItems": 1}], "examples": ["[megtron6, fr408hr]"]})]


class SearchAxisSpec(Record):
    """What one axis changes, and its values. An axis has exactly one of the first eight keys."""

    vary: Text | None = Field(default=None, description="a key of the board file, with * for every key or item",
                              examples=["links.*.path.run.width"])
    laminate: Names | None = Field(default=None, description="all dielectrics, or those around the named signal layers")
    foil: Names | None = Field(default=None, description="copper layers that get the foil; all for every one")
    thickness: Names | None = Field(default=None, description="dielectric layers that get the thickness")
    backdrill: Names | None = Field(default=None, description="via types; values are residuals, or none")
    via_type: Names | None = Field(default=None, description="links of which all vias get the type")
    route: Names | None = Field(default=None, description="links whose longest trace runs on the layer")
    layers: Literal["count"] | None = Field(default=None, description="number of copper layers")
    values: AxisValues = Field(description="FROM:TO:POINTS, values with commas between, or a list")
    costs: tuple[Annotated[float, Field(ge=-1e6, le=1e6)], ...] | None = Field(
        default=None, description="index of each value, in place of the costs by name")

    @model_validator(mode="after")
    def _one_kind(self) -> SearchAxisSpec:
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"an axis has one of the keys {', '.join(KINDS)}; this one has "
                             f"{' and '.join(given) or 'none'}")
        return self

    @property
    def kind(self) -> str:
        """The key that says what is changed."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    @property
    def target(self) -> tuple[str, ...]:
        """What it names: a key, layers, via types or links."""
        given = getattr(self, self.kind)
        return (given,) if isinstance(given, str) else tuple(given)


class ThicknessBounds(Record):
    """Thickness of all layers from the first copper to the last."""

    at_least: Length | None = Field(default=None, description="thinnest stackup that is taken")
    at_most: Length | None = Field(default=None, description="thickest stackup that is taken")

    @model_validator(mode="after")
    def _in_order(self) -> ThicknessBounds:
        if self.at_least is not None and self.at_most is not None and self.at_least.value > self.at_most.value:
            raise ValueError("`at_least` is above `at_most`, so no stackup is taken")
        return self


class CostBound(Record):
    """Cost index of a candidate over that of the starting board."""

    at_most: Annotated[float, Field(ge=-1e6, le=1e6)] = Field(description="dearest candidate that is taken")


class ImpedanceBound(Record):
    """Distance of an impedance from its target (SIG001)."""

    at_most: PositiveRatio = Field(description="largest distance from the target that is taken")


class SearchConstraints(Record):
    """What a candidate must keep beside the rules of the profile."""

    thickness: ThicknessBounds = ThicknessBounds()
    cost: CostBound | None = None
    impedance: ImpedanceBound | None = None
    judged: tuple[Text, ...] = Field(default=(), description="rules that must judge something on every candidate")


class SearchObjectives(Record):
    """What is weighed against cost."""

    margin: tuple[Text, ...] = Field(
        default=(), description="rules whose least margin counts, such as CHN001:links.up; without any all that an "
        "axis moves")
    unit: Literal["share", "limit"] = Field(
        default="share", description="margin as a share of the limit, or in the unit of the limit of one rule")


class SearchSpec(Record):
    """A design space: a starting board, what may change, what must hold."""

    schema_version: Literal[1] = Field(alias="schema", description="version of this format")
    board: Text = Field(description="the starting board, relative to this file")
    profile: Text = Field(description="a shipped profile, or a ruleset file relative to this file")
    axes: Annotated[tuple[SearchAxisSpec, ...], Field(min_length=1, max_length=MOST_AXES)] = Field(
        description="what changes; candidates are all combinations")
    constraints: SearchConstraints = SearchConstraints()
    links: tuple[Text, ...] | None = Field(default=None, description="links that must hold, * for any name")
    rails: tuple[Text, ...] | None = Field(default=None, description="rails that must hold, * for any name")
    objectives: SearchObjectives = SearchObjectives()
    costs: Text | dict[str, Annotated[float, Field(ge=0, le=1e6)]] | None = Field(
        default=None, description="costs in place of the library's: NAME: INDEX, or a file of them")
    fail_on: Literal["error", "warning"] = Field(default="error", description="least severity at which a fail counts")
    allow_incomplete: bool = Field(default=False, description="candidates of which something is not evaluated count")
    retune: bool = Field(default=True, description="traces beside a changed dielectric get the width for their "
                         "impedance")


@cache
def search_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the file. It is not changed."""
    return SearchSpec.model_json_schema(by_alias=True)
