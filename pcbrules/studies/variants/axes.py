# SPDX-License-Identifier: MIT
"""What is varied: a place of the board file, or several by wildcards, and the values that it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import product
from typing import Any

from pcbrules.brief import brief
from pcbrules.document import Document, Path, parse_yaml, show_path
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.phrases import read_path
from pcbrules.spelling import look_alikes
from pcbrules.units import NUMBER

OPTION = "--vary"
EXAMPLE = "--vary 'links.up.path.run.width=4mil:8mil:9' or --vary 'stackup[2].material=megtron6,megtron7n'"
MOST_POINTS = 100_000
"""Values of one axis at most."""

MOST_VARIANTS = 1_000_000
"""Variants of one study at most."""

ANY = "*"
ROUNDED = Context(prec=7)
"""Digits of the points of a range: nobody orders 157.142857143 mm."""

_ANY_STEP = "any-step"
_END = re.compile(r"\s*([A-Za-z%/0-9]*[A-Za-z%]|)\s*")


@dataclass(frozen=True, slots=True)
class VariedValue:
    """A value of an axis: what is written into the board file, and as a number in ``unit`` where it is one."""

    value: Any
    text: str
    number: float | None = None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class VariedAxis:
    """What is varied together: places of a board file that take the same value.

    Attributes
    ----------
    key : str
        As the user wrote it, with its wildcards.
    places : tuple of Path
    values : tuple of VariedValue
    unit : str
        Unit of the numbers; empty for plain numbers and for words.
    """

    key: str
    places: tuple[Path, ...]
    values: tuple[VariedValue, ...]
    unit: str = ""

    __repr__ = brief

    @property
    def numeric(self) -> bool:
        """True where every value is a number, so that it can be drawn along an axis."""
        return all(one.number is not None for one in self.values)


Edits = tuple[tuple[Path, Any], ...]
"""Places of a board file, each with its new value."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One value of each axis, and the edits of the board file that they are."""

    values: tuple[VariedValue, ...]
    edits: Edits

    __repr__ = brief


def variants(axes: Sequence[VariedAxis]) -> Iterator[Variant]:
    """Yield every combination of the axes' values, the last axis fastest."""
    for values in product(*(axis.values for axis in axes)):
        edits = tuple((place, one.value) for axis, one in zip(axes, values, strict=True) for place in axis.places)
        yield Variant(values, edits)


def read_axes(texts: Sequence[str], document: Document) -> tuple[VariedAxis, ...]:
    """Read what is varied, ``KEY=FROM:TO:POINTS`` or ``KEY=VALUE,VALUE``.

    Parameters
    ----------
    texts : sequence of str
        A key may hold ``*`` for every key of a mapping and every item of a list; an item with a name may stand by it.
    document : Document
        The board file.

    Raises
    ------
    InputError
        A text that is no axis, a key that is not there, two axes at one place, or more than a million variants.
    """
    return apart(_axis(text, document) for text in texts)


def apart(found: Iterable[VariedAxis]) -> tuple[VariedAxis, ...]:
    """Return axes that vary each place once, and make no more variants than a study holds. Raises InputError."""
    axes = tuple(found)
    count = 1
    taken: set[Path] = set()
    for axis in axes:
        count *= len(axis.values)
        twice = taken.intersection(axis.places)
        if twice:
            raise vary_fault("two axes vary one place", min(map(show_path, twice)), "each place once")
        taken.update(axis.places)
    if count > MOST_VARIANTS:
        raise vary_fault("too many variants", f"{count}", f"at most {MOST_VARIANTS}", "take fewer points")
    return axes


def _axis(text: str, document: Document) -> VariedAxis:
    key, parted, given = text.partition("=")
    key = key.strip()
    if not parted or not key or not given.strip():
        raise vary_fault("this is no axis", quoted(text), "KEY=FROM:TO:POINTS or KEY=VALUE,VALUE", f"write {EXAMPLE}")
    values, unit = values_of(given)
    return VariedAxis(key, places_of(key, document), values, unit)


def values_of(given: str) -> tuple[tuple[VariedValue, ...], str]:
    """Return the values of a text, ``FROM:TO:POINTS`` or values with commas between, and the unit of their numbers.

    Raises InputError for a text that is none.
    """
    ranged = given.count(":") == 2 and "{" not in given
    return _range(given, given) if ranged else _listed(given)


def _range(given: str, text: str) -> tuple[tuple[VariedValue, ...], str]:
    """Values at equal steps, both ends with the same unit."""
    first, last, count = (part.strip() for part in given.split(":"))
    ends = [_number(first, text), _number(last, text)]
    if not re.fullmatch(r"[0-9]{1,9}", count) or not 2 <= int(count) <= MOST_POINTS:
        raise vary_fault("the number of points is none", quoted(count), f"a whole number from 2 to {MOST_POINTS}")
    units = {unit for _, unit in ends if unit}
    if len(units) > 1:
        raise vary_fault("the ends of a range have two units", quoted(given), "one unit for both",
                         "convert one of them")
    unit = units.pop() if units else ""
    (low, _), (high, _) = ends
    steps = int(count) - 1
    numbers = [low + (high - low) * place / steps for place in range(steps + 1)]
    plain = [format(ROUNDED.plus(number).normalize(), "f") for number in numbers]
    if len(set(plain)) < len(plain):
        raise vary_fault("two points of a range are one", quoted(given), "ends that differ")
    whole = not unit and all("." not in one for one in plain)
    made = (int if whole else float) if not unit else None
    return tuple(VariedValue(made(one) if made else f"{one} {unit}", f"{one} {unit}".strip(), float(one))
                 for one in plain), unit


def _number(text: str, whole: str) -> tuple[Decimal, str]:
    found = NUMBER.match(text)
    unit = _END.fullmatch(text[found.end():]) if found else None
    if found is None or unit is None:
        raise vary_fault("an end of a range is no number", quoted(text), "a number with its unit, such as 4mil",
                     f"write {EXAMPLE}; words are listed with commas" if ":" in whole else "")
    return Decimal(found[0]), unit[1]


def _listed(given: str) -> tuple[tuple[VariedValue, ...], str]:
    """Values with commas between, each as it would stand in a board file."""
    try:
        items = parse_yaml(f"x: [{given}]\n".encode(), OPTION).tree["x"]
    except InputError as error:
        raise vary_fault("the values cannot be read", quoted(given), "values with commas between",
                     error.problems[0].fix) from None
    return listed_values(items)


def listed_values(items: Sequence[Any]) -> tuple[tuple[VariedValue, ...], str]:
    """Return values as they would stand in a board file, and the unit of their numbers where they have one.

    Raises InputError where a value stands twice.
    """
    units = set()
    values: dict[str, VariedValue] = {}
    for item in items:
        number, unit = _as_number(item)
        units.add(unit)
        if repr(item) in values:
            raise vary_fault("a value stands twice", quoted(item), "each value once")
        values[repr(item)] = VariedValue(item, item if isinstance(item, str) else quoted(item), number)
    if len(units) != 1:  # no common axis
        return tuple(VariedValue(one.value, one.text) for one in values.values()), ""
    return tuple(values.values()), units.pop()


def _as_number(item: Any) -> tuple[float | None, str]:
    if isinstance(item, int | float) and not isinstance(item, bool):
        return float(item), ""
    found = NUMBER.match(item) if isinstance(item, str) else None
    unit = _END.fullmatch(item[found.end():]) if found else None
    return (float(found[0]), unit[1]) if found and unit and unit[1] else (None, "")


def places_of(key: str, document: Document) -> tuple[Path, ...]:
    """Return every place of the board file that a key with wildcards names.

    All but the last step must be there. Where the last is there at one place at least, the others are left out: an
    element of a path that is no trace has no width.
    """
    steps = read_path(key.replace(f"[{ANY}]", f".{ANY}").replace(ANY, _ANY_STEP))
    if steps is None:
        raise vary_fault("this is no key", quoted(key), "a key such as links.up.path.run.width", f"write {EXAMPLE}")
    found: list[Path] = [()]
    for number, step in enumerate(steps[:-1]):
        below = [one for path in found for one in _below(document, path, step)]
        if not below:
            raise _absent(document, found[0], steps[: number + 1])
        found = below
    last = [one for path in found for one in _below(document, path, steps[-1])]
    if not last and len(steps) > 1 and ANY not in key and isinstance(steps[-1], str):  # a key that is left out
        last = [(*path, steps[-1]) for path in found if isinstance(document.get(path, None), dict)]
    if not last:
        raise _absent(document, found[0], steps)
    return tuple(dict.fromkeys(last))


def _below(document: Document, path: Path, step: str | int) -> Iterator[Path]:
    """Where a step leads from a place: to a key, an item, what has this name, or everything."""
    here = document.get(path, None)
    items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
    for key, item in items:
        if step in (_ANY_STEP, key):
            yield (*path, key)
        elif isinstance(here, list) and isinstance(item, dict) and isinstance(step, str):
            if item.get("name") == step:
                yield (*path, key)
            yield from ((*path, key, word) for word, body in item.items()
                        if isinstance(body, dict) and body.get("name") == step)


def _absent(document: Document, path: Path, steps: Path) -> InputError:
    here = document.get(path, None)
    known = [str(key) for key in here] if isinstance(here, dict) else _names(here) if isinstance(here, list) else []
    near = look_alikes(str(steps[-1]), known)
    name = show_path(steps).replace(_ANY_STEP, ANY)
    return vary_fault("the board file has nothing here", quoted(name), ", ".join(clip(one, 40) for one in known[:20]),
                  f"did you mean {' or '.join(near)}?" if near else "")


def _names(items: list[Any]) -> list[str]:
    bodies = [body for item in items if isinstance(item, dict) for body in (item, *item.values())]
    return [body["name"] for body in bodies if isinstance(body, dict) and isinstance(body.get("name"), str)]


def vary_fault(message: str, found: str, expected: str = "", fix: str = "") -> InputError:
    """Return the fault of what is varied."""
    return InputError([Problem(OPTION, 0, 0, "", message, found, expected, fix)])
