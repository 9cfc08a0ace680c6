# SPDX-License-Identifier: MIT
"""What every entry of the library has, and statements with their origin."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from pydantic import model_validator

from pcbrules.model.catalogue.fields import Confidence, Id, Label, LibraryRecord, Text

Value = TypeVar("Value")


class Entry(LibraryRecord):
    """What every entry has. ``aliases`` are other spellings; case and punctuation do not count."""

    id: Id
    name: Label
    aliases: tuple[Label, ...] = ()
    note: Text = ""


class Sourced(LibraryRecord):
    """A statement with its origin."""

    source: Label
    confidence: Confidence


class SourcedValue(Sourced, Generic[Value]):
    """One value with its origin; ``at_least`` where the source gives only a lower bound."""

    value: Value
    at_least: bool = False
    note: Text = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return _plain, (SourcedValue, self.__getstate__())


class Spread(LibraryRecord, Generic[Value]):
    """A typical value and the range in which parts lie."""

    typical: Value
    min: Value
    max: Value

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.min <= self.typical <= self.max:  # type: ignore[operator]
            raise ValueError("needs min <= typical <= max")
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _plain, (Spread, self.__getstate__())


def _plain(kind: type[LibraryRecord], state: dict[Any, Any]) -> LibraryRecord:
    """Return a generic record without the type of its values: `Spread[Metre]` has no name that pickle could find.

    The values were checked when the record was made; records that differ in that type alone are equal.
    """
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made
