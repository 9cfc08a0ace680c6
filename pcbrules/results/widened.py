# SPDX-License-Identifier: MIT
"""A fact widened by an input that the board file lacks: the same fact with that input at its other end beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.measured import Measured, Undeclared

F = TypeVar("F", bound=Fact)

RECORDS = "pcbrules.results."
"""Where the records of facts are; what a fact holds of other parts, such as the search for a cure, is left alone."""

PLAIN = frozenset({float, int, str, bool, type(None)})
"""Types that hold no number with an interval."""

SAME = 1e-9
"""Relative difference below which two numbers are one."""


def widened_all(items: Iterable[Fact | Gap], others: Iterable[Fact | Gap], *, key: str, text: str) -> list[Fact | Gap]:
    """Facts of one kind, each widened by its twin of the same subject; a gap, or a fact without a twin, stays."""
    twins = {other.subject: other for other in others if isinstance(other, Fact)}
    return [
        widened(item, twins[item.subject], key=key, text=text) if isinstance(item, Fact) and item.subject in twins
        else item
        for item in items
    ]


def widened(fact: F, other: F, *, key: str, text: str) -> F:
    """Return a fact whose numbers hold what ``key`` may make of them.

    Parameters
    ----------
    fact, other : Fact
        With the missing input at its unfavourable and at its other end.
    key : str
        The key that would give the input.
    text : str
        What was assumed.
    """
    found: F = _widen(fact, other, key, text)
    return found


def _widen(here: Any, there: Any, key: str, text: str) -> Any:
    """A value of a fact, widened: a number, or the numbers within a record or a tuple of results."""
    if here is there:
        return here
    if isinstance(here, Measured) and isinstance(there, Measured):
        return _both(here, there, key, text) if _differ(here, there) else here
    if type(here) is tuple and type(there) is tuple and len(here) == len(there):
        if PLAIN.issuperset(map(type, here)):  # a curve
            return here
        parts = tuple(_widen(one, other, key, text) for one, other in zip(here, there, strict=True))
        return parts if any(new is not old for new, old in zip(parts, here, strict=True)) else here
    if type(here) is not type(there) or not type(here).__module__.startswith(RECORDS):
        return here
    moved: dict[str, Any] = {}
    for part in fields(here) if is_dataclass(here) else ():
        old = getattr(here, part.name)
        new = _widen(old, getattr(there, part.name), key, text)
        if new is not old:
            moved[part.name] = new
    return replace(here, **moved) if moved else here


def _differ(one: Measured, other: Measured) -> bool:
    pairs = ((one.value, other.value), (one.lo, other.lo), (one.hi, other.hi))
    return any(abs(a - b) > SAME * max(abs(a), abs(b)) for a, b in pairs)


def _both(one: Measured, other: Measured, key: str, text: str) -> Measured:
    held = one.undeclared or Undeclared(key=key, lo=one.value, hi=one.value)
    keys = held.key if key in held.key.split("`, `") else f"{held.key}`, `{key}"
    return replace(
        one,
        lo=min(one.lo, other.lo),
        hi=max(one.hi, other.hi),
        basis="assumed",
        assumptions=(*one.assumptions, text),
        undeclared=Undeclared(key=keys, lo=min(held.lo, other.value), hi=max(held.hi, other.value)),
    )
