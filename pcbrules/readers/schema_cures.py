# SPDX-License-Identifier: MIT
"""How a value that has another shape than its key is meant to be written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import clip, quoted
from pcbrules.model.ranges import RANGES, Band, judged
from pcbrules.model.ranges.likely import usual_units
from pcbrules.readers.schema_nodes import example_of, expanded, nodes_at
from pcbrules.unit_words import as_typed
from pcbrules.units import WITHOUT_UNIT, UnitError, parse, show

NOTHING = frozenset(("none", "no", "nothing", "n/a", "na", "nil", "null", "false", "off", "empty", "-", "0"))
"""Words for what is not there."""

AGREED = frozenset(("yes", "y", "true", "on"))
"""Words for what is there, without saying more."""

_COUNT = re.compile(r"(?:[xX\u00d7]\s*)?([0-9]{1,6})(?:\.0*)?|([0-9]{1,6})\s*[xX\u00d7]")
_BY = re.compile(r"([0-9.]+)\s*([a-z]*)\s*[xX\u00d7*]\s*([0-9.]+)\s*([a-z]+)")


def as_list(value: Any, path: Path, tree: Any, schema: dict[str, Any]) -> str:
    """How a text that stands where a list is due is written."""
    if not isinstance(value, str):
        return ""
    if value.strip().casefold() in NOTHING:
        return "write [] if there is none"
    items = [node.get("items", {}) for node in nodes_at(path, tree, schema) if node.get("type") == "array"]
    named = all("string" in inner.get("type", ()) for item in items for inner in expanded(item, schema, value))
    return f"write [{quoted(value)}]" if items and named else ""


def as_mapping(value: Any, path: Path, document: Document, schema: dict[str, Any], *, named: bool) -> str:
    """How a value that stands where a mapping is due is written, by the key that holds it; ``named``: of any names."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | list | tuple):
        return ""
    if isinstance(value, str) and value.strip().casefold() in NOTHING:
        return "write {} if there is none" if named else "leave the key out if there is none"
    nodes = list(nodes_at(path, document.tree, schema))
    required = list(dict.fromkeys(key for node in nodes for key in node.get("required", ())))
    known = {key for node in nodes for key in node.get("properties", {})}
    sides = _sides(value)
    if {"width", "height"} <= known and sides:
        return f"write {{width: {sides[0]}, height: {sides[1]}}}"
    if isinstance(value, list | tuple) or not required:
        return ""
    first = "value" if "value" in required else required[0] if len(required) == 1 else ""
    if not first:
        return ""
    words = document.written(path) or clip(str(value))
    inner = (*path, first)
    choices = [str(one) for node in nodes_at(inner, {}, schema) for one in node.get("enum", ())]
    if choices and words.casefold() in AGREED:
        return f"write {' or '.join(f'{{{first}: {one}}}' for one in choices)}"
    if choices and words not in choices:
        return ""
    ways = _ways(words, inner, document.tree, schema) if re.fullmatch(r"[0-9.]+", words) else ()
    more = "".join(f", {key}: {example_of((*path, key), document.tree, schema)}" for key in required if key != first)
    return f"write {{{first}: {ways[0] if ways else words}{more}}}"


def _sides(value: Any) -> tuple[str, str] | None:
    """Width and height of `110 x 80 mm`, or of a list of both."""
    if isinstance(value, list | tuple):
        return (str(value[0]), str(value[1])) if len(value) == 2 else None
    found = _BY.fullmatch(str(value).strip())
    return (f"{found[1]} {found[2] or found[4]}".strip(), f"{found[3]} {found[4]}".strip()) if found else None


def without_comma(path: Path, document: Document, schema: dict[str, Any]) -> str:
    """The cure of `drill: 0,25 mm` between braces, which is a number and then a key without a value.

    Before three digits the comma may part thousands: the number that is usual for its key is meant, or either.
    """
    parent = document.get(path[:-1], None) if path else None
    if not isinstance(parent, dict) or not isinstance(path[-1], str):
        return ""
    keys = list(parent)
    index = keys.index(path[-1]) if path[-1] in parent else 0
    for first in (index, index - 1):
        if not (0 <= first < len(keys) - 1 and parent[keys[first + 1]] is None):
            continue
        key = keys[first]
        whole, rest = document.written((*path[:-1], key)), keys[first + 1]
        if re.fullmatch(r"[+-]?[0-9]+", whole) and re.fullmatch(r"[0-9]+(\s*[^0-9\s].{0,60})?", rest):
            ways = [f"{whole}.{rest}"]
            if re.fullmatch(r"[+-]?[1-9][0-9]{0,2}", whole) and re.match(r"[0-9]{3}(?![0-9])", rest):
                ways.append(f"{whole}{rest}")
            meant = _usual(ways, (*path[:-1], key), document.tree, schema)
            return f"write {' or '.join(repr(clip(f'{key}: {way}')) for way in meant or ways)}"
    return ""


def _usual(ways: Sequence[str], path: Path, tree: Any, schema: dict[str, Any]) -> list[str]:
    """Those of some quantities that are usual for a key."""
    for node in nodes_at(path[:-1], tree, schema):
        band = RANGES.get(node.get("title", ""), {}).get(str(path[-1]))
        if isinstance(band, Band):
            return [way for way in ways if _is_usual(way, band)]
    return []


def _is_usual(way: str, band: Band) -> bool:
    try:
        value = parse(way, band.dimension).value
    except UnitError:
        return False
    return not any(judged(band, value))


def with_unit(value: Any, path: Path, tree: Any, schema: dict[str, Any]) -> str:
    """The number with the units in which this key is usual; empty where the key has no range."""
    ways = _ways(str(value), path, tree, schema)
    return f"{WITHOUT_UNIT}: {' or '.join(repr(way) for way in ways)}" if ways else ""


def _ways(number: str, path: Path, tree: Any, schema: dict[str, Any]) -> tuple[str, ...]:
    """A number with each unit in which a key is usual."""
    for node in nodes_at(path[:-1], tree, schema):
        band = RANGES.get(node.get("title", ""), {}).get(str(path[-1]))
        ways = usual_units(number, band) if isinstance(band, Band) else ()
        if ways:
            return tuple(ways)
    return ()


def plain_number(text: str) -> str:
    """The plain number that a text is meant to be: `2.1 %` is 0.021; empty if there is none."""
    try:
        return show(parse(as_typed(text), "ratio").value, "", 9)
    except UnitError:
        return ""


def whole_number(value: Any) -> str:
    """The count that a text or number is meant to be: `x4` and `4.0` are 4; empty if there is none."""
    found = _COUNT.fullmatch(str(value))
    return (found[1] or found[2]) if found else ""
