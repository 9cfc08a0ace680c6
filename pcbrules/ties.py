# SPDX-License-Identifier: MIT
"""The largest, the smallest and the order of computed numbers, without a say for the last bit.

Two numbers are equal if they differ by less than 1e-9 of the larger, or by less than the floor of their quantity. Of
equals the first in the order of the file wins. A processor that rounds differently then changes no choice.

A sort compares exactly and then puts equals into the order of the file. Rounding to nine digits before the comparison
would part two equals that lie on either side of a step of the rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf
from typing import Any, Final, TypeVar, overload

T = TypeVar("T")
D = TypeVar("D")

TOLERANCE: Final = 1e-9
"""Difference of two equal numbers over the larger, at the most."""

_NEEDED: Final[Any] = object()


def same(one: Any, other: Any, floor: float = 0.0) -> bool:
    """Whether two parts of a key are equal: floats within the tolerance, all else exactly.

    Parameters
    ----------
    one, other : float or anything else that compares
        Numbers of one unit. Infinity equals only itself.
    floor : float
        Difference below which two numbers of this quantity are equal, same unit.
    """
    if one == other or not (isinstance(one, float) or isinstance(other, float)) or one is None or other is None:
        return bool(one == other)
    apart = abs(one - other)
    return bool(apart < floor or apart < TOLERANCE * max(abs(one), abs(other)) < inf)


def steady(value: float) -> float:
    """Return a finite number on 12 significant digits: half of a printed digit is then half on every processor."""
    return float(f"{value:.12g}")


@overload
def greatest_of(items: Iterable[T], *, key: Callable[[T], Any], floor: float = ...) -> T: ...
@overload
def greatest_of(items: Iterable[T], *, key: Callable[[T], Any], floor: float = ..., default: D) -> T | D: ...
def greatest_of(items: Iterable[Any], *, key: Callable[[Any], Any], floor: float = 0.0, default: Any = _NEEDED) -> Any:
    """Return the item with the largest key; of equal ones the first.

    Parameters
    ----------
    items : iterable
        In the order of the file.
    key : callable
        Number, word or tuple of them; of a tuple the second part decides where the first parts are equal.
        Not-a-number is taken only where there is no number.
    floor : float
        Difference below which two floats of the key are equal, in their unit.
    default
        Returned where there is no item.

    Raises
    ------
    ValueError
        If there is no item and no default.
    """
    return _extreme(max, items, key, floor, default)


@overload
def least_of(items: Iterable[T], *, key: Callable[[T], Any], floor: float = ...) -> T: ...
@overload
def least_of(items: Iterable[T], *, key: Callable[[T], Any], floor: float = ..., default: D) -> T | D: ...
def least_of(items: Iterable[Any], *, key: Callable[[Any], Any], floor: float = 0.0, default: Any = _NEEDED) -> Any:
    """Return the item with the smallest key; of equal ones the first. Parameters as of ``greatest_of``."""
    return _extreme(min, items, key, floor, default)


def ordered(
    items: Iterable[T], *, key: Callable[[T], Any], floor: float = 0.0, reverse: bool = False
) -> list[T]:
    """Return the items from the smallest key to the largest, or reversed; equal ones stay in their order.

    A run of equals begins at its outermost number: what is equal to that one belongs to the run. Parameters as of
    ``greatest_of``; not-a-number comes last.
    """
    rows = [(_parts(key(item)), place, item) for place, item in enumerate(items)]
    exact = sorted(rows, key=lambda row: row[0], reverse=reverse)
    if any(_near(one[0], next_[0], floor) for one, next_ in pairwise(exact)):
        exact = _arranged(rows, 0, floor, reverse)
    return [item for _, _, item in exact]


def _near(one: tuple[Any, ...], other: tuple[Any, ...], floor: float) -> bool:
    """Whether two keys first differ in numbers that are equal, or in not-a-number."""
    for a, b in zip(one, other, strict=True):
        if a != b:
            return a != a or b != b or same(a, b, floor)
    return False


def gathered(items: Iterable[T], *, key: Callable[[T], Any], floor: float = 0.0) -> list[list[T]]:
    """Return the items in groups of equal keys, in the order of their first ones. Parameters as of ``greatest_of``.

    Computed numbers are no keys of a dict: two that are equal here differ by a last bit on another processor.
    """
    groups: list[tuple[tuple[Any, ...], list[T]]] = []
    for item in items:
        parts = _parts(key(item))
        for first, group in groups:
            if len(first) == len(parts) and all(same(*pair, floor) for pair in zip(first, parts, strict=True)):
                group.append(item)
                break
        else:
            groups.append((parts, [item]))
    return [group for _, group in groups]


_Row = tuple[tuple[Any, ...], int, T]


def _arranged(rows: list[_Row[T]], level: int, floor: float, reverse: bool) -> list[_Row[T]]:
    """Rows by the parts of their keys from ``level`` on."""
    if len(rows) < 2 or level == len(rows[0][0]):
        return rows
    known = [row for row in rows if row[0][level] == row[0][level]]
    known.sort(key=lambda row: row[0][level], reverse=reverse)
    runs: list[list[_Row[T]]] = []
    for row in known:
        if runs and same(runs[-1][0][0][level], row[0][level], floor):
            runs[-1].append(row)
        else:
            runs.append([row])
    runs.append([row for row in rows if row[0][level] != row[0][level]])
    return [row for run in runs for row in (
        run if len(run) == 1 else _arranged(sorted(run, key=lambda one: one[1]), level + 1, floor, reverse))]


def _parts(key: Any) -> tuple[Any, ...]:
    """A key as one flat tuple."""
    if not isinstance(key, tuple):
        return (key,)
    return tuple(part for one in key for part in _parts(one)) if any(isinstance(one, tuple) for one in key) else key


def _extreme(
    choose: Callable[[Iterable[Any]], Any], items: Iterable[Any], key: Callable[[Any], Any], floor: float, default: Any
) -> Any:
    if not (items := list(items)) and default is not _NEEDED:
        return default
    if not items:
        raise ValueError("no item to choose from")
    keys = list(map(key, items))
    if not any(issubclass(kind, tuple) for kind in set(map(type, keys))):  # most keys are one number
        top = choose([one for one in keys if one == one] or keys)
        if isinstance(top, float) and abs(top) < inf:  # of a long curve few points are worth a closer look
            near, at = floor + 2 * TOLERANCE * abs(top), keys.index(top)
            return items[next((i for i, one in enumerate(keys[:at])
                               if top - near <= one <= top + near and same(one, top, floor)), at)]
        return next((item for item, one in zip(items, keys, strict=True) if same(one, top, floor)), items[0])
    rows = [(_parts(one), item) for one, item in zip(keys, items, strict=True)]
    for level in range(len(rows[0][0])):
        rows = [row for row in rows if row[0][level] == row[0][level]] or rows
        top = choose(row[0][level] for row in rows)
        rows = [row for row in rows if same(row[0][level], top, floor)] or rows
    return rows[0][1]
