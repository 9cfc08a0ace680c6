# SPDX-License-Identifier: MIT
"""Checked access to the plain values of a golden entry: every fault names its key."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.errors import clip, quoted


class Unreadable(Exception):
    """An entry, or a part of it, that this version cannot read; the text says what was found and expected."""


def mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The mapping under a key."""
    value = _value(data, key)
    if not isinstance(value, dict):
        raise _wrong(key, value, "a mapping")
    return value


def items(data: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """The list of mappings under a key."""
    value = _value(data, key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _wrong(key, value, "a list of mappings")
    return value


def text(data: Mapping[str, Any], key: str) -> str:
    """The text under a key."""
    value = _value(data, key)
    if not isinstance(value, str):
        raise _wrong(key, value, "a text")
    return value


def number(data: Mapping[str, Any], key: str) -> float:
    """The finite number under a key."""
    return _number(_value(data, key), key)


def positive(data: Mapping[str, Any], key: str) -> float:
    """The finite number above zero under a key."""
    value = number(data, key)
    if value <= 0:
        raise _wrong(key, value, "a number above zero")
    return value


def numbers(data: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Real:
    """The finite numbers under a key, in nested lists of the given shape; -1 is any length above zero."""
    return np.array(_nested(_value(data, key), shape, key), dtype=float)


def complex_numbers(data: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Complex:
    """The same for complex numbers, each written [re, im]."""
    pairs = numbers(data, key, (*shape, 2))
    return np.asarray(pairs[..., 0] + 1j * pairs[..., 1])


def _value(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise Unreadable(f"no {clip(key, 60)}")
    return data[key]


def _number(value: Any, key: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            found = float(value)
        except OverflowError:
            found = math.inf
        if math.isfinite(found):
            return found
    raise _wrong(key, value, "a finite number")


def _nested(value: Any, shape: tuple[int, ...], key: str) -> Any:
    if not shape:
        return _number(value, key)
    if not isinstance(value, list):
        raise _wrong(key, value, "a list")
    if len(value) != shape[0] and not (shape[0] == -1 and value):
        raise _not(key, f"a list of {len(value)}", "one with entries" if shape[0] == -1 else f"one of {shape[0]}")
    rows = [_nested(item, shape[1:], key) for item in value]
    if any(isinstance(row, list) and len(row) != len(rows[0]) for row in rows):
        raise _not(key, "a list of rows of different length", "rows of one length")
    return rows


def _wrong(key: str, value: Any, expected: str) -> Unreadable:
    return _not(key, clip(quoted(value), 60), expected)


def _not(key: str, found: str, expected: str) -> Unreadable:
    return Unreadable(f"{clip(key, 60)} is {found}, expected {expected}")
