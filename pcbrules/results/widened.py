# SPDX-License-Identifier: MIT
"""A fact widened by an input that the board file lacks: the same fact with that input at its other end beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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


def widened_all(
    items: Iterable[Fact | Gap],
    others: Iterable[Fact | Gap],
    said: Callable[[str], tuple[str, str]],
    *,
    base: Iterable[Fact | Gap],
) -> list[Fact | Gap]:
    """Facts of one kind, each widened by its twin of the same subject.

    What is open at either end is open. What only the other end has is taken over.

    Parameters
    ----------
    items : iterable of Fact or Gap
        Widened by other inputs already.
    others, base : iterable of Fact or Gap
        With the missing input at its other and at its unfavourable end.
    said : function
        For a subject the key that would give the input, and what was assumed.
    """
    twins, plain = dict(_numbered(others)), dict(_numbered(base))
    found = {key: _of_both(item, plain.get(key, item), twins.get(key), said) for key, item in _numbered(items)}
    return [*found.values(), *(twin for key, twin in twins.items() if key not in found)]


def _numbered(items: Iterable[Fact | Gap]) -> Iterator[tuple[tuple[str, int], Fact | Gap]]:
    """Items with their subject and their number among those of that subject."""
    count: Counter[str] = Counter()
    for item in items:
        yield (item.subject, count[item.subject]), item
        count[item.subject] += 1


def _of_both(
    item: Fact | Gap, plain: Fact | Gap, twin: Fact | Gap | None, said: Callable[[str], tuple[str, str]]
) -> Fact | Gap:
    if twin is None:
        return item
    if isinstance(item, Gap):
        return item if item.applicable else twin
    if isinstance(twin, Gap):
        return twin if twin.applicable else item
    key, text = said(item.subject)
    made: Fact = _widen(item, plain, twin, key, text)
    return made


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
    found: F = _widen(fact, fact, other, key, text)
    return found


def _widen(here: Any, base: Any, there: Any, key: str, text: str) -> Any:
    """A value of a fact, widened where ``there`` differs from ``base``.

    It is a number, or numbers within a record, a tuple or a mapping of results.
    """
    if base is there or not type(here) is type(base) is type(there):
        return here
    if isinstance(here, Measured):
        return _both(here, there, key, text) if _differ(base, there) else here
    if isinstance(here, dict):
        return {name: _widen(one, base.get(name), there[name], key, text) if name in there else _alone(one, key, text)
                for name, one in here.items()}
    if type(here) is tuple and len(here) == len(base) == len(there):
        if PLAIN.issuperset(map(type, here)):  # a curve
            return here
        parts = tuple(_widen(*three, key, text) for three in zip(here, base, there, strict=True))
        return parts if any(new is not old for new, old in zip(parts, here, strict=True)) else here
    if not type(here).__module__.startswith(RECORDS):
        return here
    moved: dict[str, Any] = {}
    for part in fields(here) if is_dataclass(here) else ():
        old = getattr(here, part.name)
        new = _widen(old, getattr(base, part.name), getattr(there, part.name), key, text)
        if new is not old:
            moved[part.name] = new
    return replace(here, **moved) if moved else here


def _alone(one: Any, key: str, text: str) -> Any:
    """A number that the other end of the missing input does not have."""
    if not isinstance(one, Measured) or one.undeclared is not None:
        return one
    nothing = "at the other end of its range there is nothing to judge"
    missing = Undeclared(key=key, lo=one.value, hi=one.value, gone=nothing)
    return replace(one, basis="assumed", assumptions=(*one.assumptions, text), undeclared=missing)


def _differ(one: Measured, other: Measured) -> bool:
    pairs = ((one.value, other.value), (one.lo, other.lo), (one.hi, other.hi))
    return any(abs(a - b) > SAME * max(abs(a), abs(b)) for a, b in pairs)


def _both(one: Measured, other: Measured, key: str, text: str) -> Measured:
    held, also = (number.undeclared or Undeclared(key=key, lo=number.value, hi=number.value) for number in (one, other))
    keys = "`, `".join(dict.fromkeys((*held.key.split("`, `"), *key.split("`, `"))))
    return replace(
        one,
        lo=min(one.lo, other.lo),
        hi=max(one.hi, other.hi),
        basis="assumed",
        assumptions=(*one.assumptions, text),
        undeclared=Undeclared(key=keys, lo=min(held.lo, also.lo), hi=max(held.hi, also.hi)),
    )
