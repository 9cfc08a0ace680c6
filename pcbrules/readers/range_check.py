# SPDX-License-Identifier: MIT
"""Is every number of the file possible, and is it usual? What is impossible is refused, what is unusual warned of."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from pcbrules.document import Path
from pcbrules.model.ranges import Band, band_of, judged
from pcbrules.model.ranges.likely import CHECK, likely, refusal, usual
from pcbrules.readers.names import Names
from pcbrules.readers.numbers_in import Number, numbers_in
from pcbrules.units import Quantity

WIDE, NARROW = 0.5, 1e-4
"""A tolerance over its value [-] above and below which it is unusual; practice: 0.1 % to 30 %."""

POINT = ("at", "dk", "df")
"""Keys of a laminate that stand for its one point."""


def check_ranges(root: BaseModel, names: Names) -> tuple[Path, ...]:
    """Keep a problem for every impossible number below a record, a warning for every unusual one that somebody wrote.

    What was measured on a layout has no slip of the unit. Returns the places of the impossible ones.
    """
    wrong: list[Path] = []
    for number in numbers_in(root, ()):
        quantity = number.value if isinstance(number.value, Quantity) else None
        band = band_of(number.owner, number.record, number.key, quantity)
        if band is None:
            continue
        value = _si(number)
        impossible, unusual = judged(band, value)
        if not unusual and quantity is not None and (quantity.minus or quantity.plus):
            impossible = judged(band, value + (quantity.plus or 0.0))[0]
            unusual = _odd_tolerance(quantity, band)
        path = _place(number, names) if impossible or unusual else number.path
        if impossible:
            wrong.append(path)
        if impossible or (unusual and not names.document.measured(path)):
            _say(number, band, path, impossible, names)
    return tuple(wrong)


def _say(number: Number, band: Band, path: Path, impossible: bool, names: Names) -> None:
    level: Literal["error", "unlikely"] = "error" if impossible else "unlikely"
    if names.problems.full:
        names.problems.add(names.document.problem(path, "", level=level))
        return
    quantity = number.value if isinstance(number.value, Quantity) else None
    text = quantity.text if quantity else _text(number, path, names)
    key = str(path[-1]) if path[-1] in POINT else number.key
    if impossible:
        refused = refusal(key, text, _si(number), band)
        names.fault(path, refused.message, found=text, expected=refused.expected, fix=refused.fix)
    elif judged(band, _si(number))[1]:
        counted = isinstance(number.value, int)  # has no decimal point and no unit
        names.doubt(path, f"an unusual `{key}`, {text}: {usual(band)}", (not counted and likely(text, band)) or CHECK)
    else:
        names.doubt(path, f"the tolerance of `{key}` is unusual, {text}", CHECK)


def _si(number: Number) -> float:
    return number.value.value if isinstance(number.value, Quantity) else float(number.value)


def _odd_tolerance(quantity: Quantity, band: Band) -> bool:
    """True for a tolerance that is no small part of its value, or next to nothing."""
    if band.zero or band.signed or band.dimension == "temperature":
        return False
    sides = [side / abs(quantity.value) for side in (quantity.minus, quantity.plus) if side]
    return any(side > WIDE or side < NARROW for side in sides)


def _place(number: Number, names: Names) -> Path:
    """Where the number stands in the file: a laminate may give its one point by three keys."""
    path = number.path
    if number.record == "Point" and names.document.get(path, None) is None:
        return (*path[:3], POINT[int(path[-1])])
    return path


def _text(number: Number, path: Path, names: Names) -> str:
    """A number as the file writes it."""
    return names.document.written(path) or str(names.document.get(path, number.value))
