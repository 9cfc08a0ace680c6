# SPDX-License-Identifier: MIT
"""Every number of the board file and of the library has a possible and a usual range; the library keeps to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, BeforeValidator

from pcbrules.library import load, shelf
from pcbrules.model.board_file import BoardFile
from pcbrules.model.board_schema import board_schema
from pcbrules.model.catalogue.base import SourcedValue, Spread
from pcbrules.model.catalogue.records import Assumption, BiasCurve
from pcbrules.model.ranges import RANGES, SPECIAL, Band, band_of, bounds, judged
from pcbrules.model.ranges.band import OTHER
from pcbrules.model.search_spec import ThicknessBounds
from pcbrules.readers.numbers_in import numbers_in
from pcbrules.units import Quantity

WITHOUT = {("BoardFile", "schema"), ("Fabrication", "ipc_class"), ("Assumption", "typical"),
           ("Assumption", "min"), ("Assumption", "max"), ("Assumption", "at")}
"""Versions and classes are words; an assumption has the range of the parasitic that it stands for."""


def numbers() -> dict[tuple[str, str], set[str]]:
    """Every key that holds numbers, with their dimensions: `number` for a plain one, empty for units of the library."""
    found: dict[tuple[str, str], set[str]] = {}
    seen: set[type] = set()
    ahead: list[Any] = [BoardFile, *shelf.RECORDS.values(), Assumption, BiasCurve, ThicknessBounds]
    while ahead:
        record = ahead.pop()
        if record in seen:
            continue
        seen.add(record)
        if issubclass(record, BaseModel):
            fields = {field.alias or name: [field.rebuild_annotation()] for name, field in record.model_fields.items()}
        else:
            fields = {name: [kind] for name, kind in get_type_hints(record, include_extras=True).items()}
        for key, kinds in fields.items():
            for kind in kinds:
                for part, dimensions in leaves(kind):
                    if part in (Quantity, float, int):
                        found.setdefault((record.__name__, key), set()).update(dimensions or {"number"})
                    elif isinstance(part, type) and issubclass(part, SourcedValue | Spread):
                        name = "value" if issubclass(part, SourcedValue) else "typical"
                        inner = part.model_fields[name].rebuild_annotation()
                        for _, of_value in leaves(inner):
                            found.setdefault((record.__name__, key), set()).update(of_value or {"number"})
                    elif isinstance(part, type) and (issubclass(part, BaseModel) or hasattr(part, "_fields")):
                        ahead.append(part)
    return found


def leaves(kind: Any, dimensions: tuple[str, ...] = ()) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The types that an annotation is made of, with the dimension that a validator gives them."""
    origin = get_origin(kind)
    if origin is Literal:
        return
    if hasattr(kind, "__metadata__"):
        readers = [one.func for one in kind.__metadata__ if isinstance(one, BeforeValidator)]
        named = [one.keywords for one in readers if isinstance(one, partial)]
        of = tuple(words.get("dimension", "") for words in named)
        yield from leaves(get_args(kind)[0], of or dimensions)
    elif get_args(kind):
        for part in get_args(kind):
            yield from leaves(part, dimensions)
    elif isinstance(kind, str):
        raise AssertionError(f"an annotation that is not resolved: {kind}")
    else:
        yield kind, dimensions


FOUND = numbers()


def test_every_number_has_a_range() -> None:
    """If this fails: a row in pcbrules/model/ranges/, wide and with a reason."""
    assert len(FOUND) > 200
    assert not sorted(FOUND.keys() - WITHOUT - {(record, key) for record, keys in RANGES.items() for key in keys})


def test_every_range_has_its_key() -> None:
    rows = {(record, key) for record, keys in RANGES.items() for key in keys}
    assert not sorted(rows - FOUND.keys())
    assert not sorted({(record, key) for (record, _, _), keys in SPECIAL.items() for key in keys} - FOUND.keys())


def each() -> Iterator[tuple[str, str, Band]]:
    for record, keys in (*RANGES.items(), *((record, keys) for (record, *_), keys in SPECIAL.items())):
        for key, given in keys.items():
            for band in (given,) if isinstance(given, Band) else given:
                yield record, key, band


def test_every_range_is_one_and_of_the_dimension_of_its_key() -> None:
    for record, key, band in each():
        ends = bounds(band)
        assert ends.least <= ends.low < ends.high <= ends.most, (record, key)
        known = FOUND[record, key] | ({"number"} if key == "dk" else set())  # Dk may be written as a ratio
        assert band.dimension in known, (record, key, band.dimension, known)
        assert (band.dimension == "") is (band.usual_unit in OTHER)


def test_the_schema_shows_what_is_possible_and_what_is_usual() -> None:
    keys = board_schema()["$defs"]["Trace"]["properties"]
    assert keys["width"]["x-possible"] == "10 um to 20 mm" and keys["width"]["x-usual"] == "25 um to 3.5 mm"
    assert board_schema()["$defs"]["Tolerances"]["properties"]["width"]["x-usual"].count(" or ") == 1
    assert "x-usual" not in keys["layer"]


def test_a_range_is_wide() -> None:
    """A decade and more between what is possible and what is not: no board that exists is refused."""
    for record, key, band in each():
        ends = bounds(band)
        if band.dimension not in ("number", "ratio", "temperature", "angle", "loss"):
            assert ends.most >= 30 * max(ends.least, 0), (record, key)


@pytest.mark.parametrize("kind", load.kinds())
def test_the_library_keeps_to_the_ranges(kind: str) -> None:
    seen = 0
    for entry in (load.entry(kind, identifier) for identifier in load.ids(kind)):
        for number in numbers_in(entry, (entry.id,)):
            band = band_of(number.owner, number.record, number.key)
            assert band is not None, number
            value = number.value.value if isinstance(number.value, Quantity) else number.value
            assert judged(band, float(value)) == (False, False), number
            seen += 1
    assert seen or kind in ("cooling", "glass", "platforms")


def test_the_ends_are_inside_and_rounding_does_not_matter() -> None:
    band = Band("1 um", "10 um", "1 mm", "1 m")
    assert judged(band, 1e-6) == (False, True) and judged(band, 0.99e-6) == (True, True)
    assert judged(band, 1e-5) == judged(band, 1e-3 * (1 + 1e-12)) == (False, False)
    assert judged(band, 0.0) == (True, True) and judged(band._replace(zero=True), 0.0) == (False, False)
    assert judged(band, -1e-4) == (True, True) and judged(band._replace(signed=True), -1e-4) == (False, False)
    assert judged(band, 1.1) == (True, True)
