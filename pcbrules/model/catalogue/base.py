# SPDX-License-Identifier: MIT
"""What every entry of the library has, and statements with their origin."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from pydantic import model_validator

from pcbrules.model.catalogue.fields import Confidence, Id, Label, Record, Text

Value = TypeVar("Value")


class Entry(Record):
    """What every entry has. ``aliases`` are other spellings; case and punctuation do not count."""

    id: Id
    name: Label
    aliases: tuple[Label, ...] = ()
    note: Text = ""


class Sourced(Record):
    """A statement with its origin."""

    source: Label
    confidence: Confidence


class Fact(Sourced, Generic[Value]):
    """One value with its origin; ``at_least`` where the source gives only a lower bound."""

    value: Value
    at_least: bool = False
    note: Text = ""


class Spread(Record, Generic[Value]):
    """A typical value and the range in which parts lie."""

    typical: Value
    min: Value
    max: Value

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.min <= self.typical <= self.max:  # type: ignore[operator]
            raise ValueError("needs min <= typical <= max")
        return self
