# SPDX-License-Identifier: MIT
"""What is varied, as a program gives it: a mapping of keys to numbers with a unit, or to values of a board file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from pcbrules.document import Document
from pcbrules.errors import clip, quoted
from pcbrules.studies.variants.axes import (
    MOST_POINTS,
    ROUNDED,
    VariedAxis,
    VariedValue,
    apart,
    listed_values,
    places_of,
    values_of,
    vary_fault,
)
from pcbrules.units import NUMBER


def given_axes(vary: Mapping[str, Any], document: Document) -> tuple[VariedAxis, ...]:
    """Return the axes of a mapping; keys are those of ``read_axes``.

    Parameters
    ----------
    vary : mapping
        To each key ``(numbers, unit)``, as ``(np.linspace(4, 8, 9), "mil")``; a sequence of values of a board file, as
        ``["4 mil", "5 mil"]``; or a text as behind the ``=`` of a command, ``"4mil:8mil:9"``.
    document : Document
        The board file.

    Raises
    ------
    InputError
        As ``read_axes``, and for numbers without a unit where the board file has one.
    TypeError
        Values that are none of these.
    """
    return apart(_axis(key, given, document) for key, given in vary.items())


def _axis(key: Any, given: Any, document: Document) -> VariedAxis:
    if not isinstance(key, str):
        raise TypeError(f"vary takes keys such as 'links.up.path.run.width', not {clip(repr(key), 60)}")
    places = places_of(key, document)
    if isinstance(given, str):
        return VariedAxis(key, places, *values_of(given))
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], str) and not isinstance(given[0], str):
        numbers = _numbers(key, given[0])
        return VariedAxis(key, places, _with_unit(key, numbers, given[1].strip()), given[1].strip())
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        raise TypeError(f"vary takes (numbers, 'mil') or a list of values for {clip(key, 80)}, not "
                        f"{clip(repr(given), 60)}")
    items = np.asarray(given).tolist() if isinstance(given, np.ndarray) else [_plain(one) for one in given]
    if not isinstance(items, list) or not items:
        raise vary_fault(f"{key}: there is no value", quoted(items), "a list of values", "name the values")
    _refuse_bare(key, items, places, document)
    return VariedAxis(key, places, *listed_values(items))


def _plain(item: Any) -> Any:
    return item.item() if isinstance(item, np.generic) else item


def _numbers(key: str, given: Any) -> list[float]:
    try:
        numbers = np.array(given, dtype=float, ndmin=1)
    except (TypeError, ValueError):
        raise TypeError(f"vary takes numbers beside a unit for {clip(key, 80)}, not {clip(repr(given), 60)}") from None
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise vary_fault(f"{key}: the numbers are no axis", f"an array of shape {numbers.shape}",
                         "finite numbers in one row")
    if numbers.size > MOST_POINTS:
        raise vary_fault(f"{key}: too many values", f"{numbers.size}", f"at most {MOST_POINTS}", "take fewer points")
    return [float(one) for one in numbers]


def _with_unit(key: str, numbers: list[float], unit: str) -> tuple[VariedValue, ...]:
    """Numbers as texts with their unit, on the digits of a range of the command line."""
    said = [format(ROUNDED.plus(Decimal(repr(one))).normalize(), "f") for one in numbers]
    if len(set(said)) < len(said):
        raise vary_fault(f"{key}: two values are one", clip(", ".join(said), 60), "numbers that differ")
    if not unit:
        raise vary_fault(f"{key}: the unit is empty", "''", "a unit such as 'mil'",
                         "give plain numbers as a list, without a unit")
    return tuple(VariedValue(f"{one} {unit}", f"{one} {unit}", float(one)) for one in said)


def _refuse_bare(key: str, items: list[Any], places: tuple[tuple[str | int, ...], ...], document: Document) -> None:
    """Raise InputError for numbers without a unit in place of a quantity that has one."""
    bare = next((one for one in items if isinstance(one, int | float) and not isinstance(one, bool)), None)
    if bare is None:
        return
    for place in places:
        now = document.get(place, None)
        found = NUMBER.match(now) if isinstance(now, str) else None
        unit = now[found.end():].split()[:1] if isinstance(now, str) and found else []
        if unit:
            raise vary_fault(f"{key}: a number has no unit", f"{bare:g}", f"values like '{clip(str(now), 40)}'",
                             f"write (values, '{unit[0]}')")
