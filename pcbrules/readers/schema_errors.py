# SPDX-License-Identifier: MIT
"""Turn what pydantic says about a tree into problems with a place in the file and a cure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError

from pcbrules.document import Document, Path, show_path
from pcbrules.document.suspects import missing_blank
from pcbrules.errors import Problem, Problems, clip, quoted
from pcbrules.model.shapes import NOT_NEGATIVE, POSITIVE
from pcbrules.readers.key_synonyms import VALUES
from pcbrules.readers.schema_cures import as_list, as_mapping, plain_number, whole_number, with_unit, without_comma
from pcbrules.readers.schema_keys import meaning, renamed
from pcbrules.readers.schema_nodes import example_of, known_keys
from pcbrules.spelling import as_name, cure, names_for, same_name
from pcbrules.units import WITHOUT_UNIT, UnitError

ONE_POINT = ("sets", 0, "points", 0)
"""Where a laminate that is given by one point has it in the model."""

POINT_KEYS: Mapping[int | str, str] = dict(zip((0, 1, 2, "f", "dk", "df"), ("at", "dk", "df") * 2, strict=True))
"""Keys of that laminate in the file, by the place of each number in the point."""

MOST_KEYS = 20
"""Unknown keys of a mapping that are looked at for the meaning of a missing one."""


def add_problems(
    error: ValidationError, document: Document, schema: dict[str, Any], problems: Problems
) -> tuple[Path, ...]:
    """Add one problem per faulty place, of several at one place the first. Returns the places."""
    found: dict[Path, Any] = {}
    above: set[Path] = set()  # places that hold a faulty one
    for item in error.errors(include_url=False):
        path = _path_of(item["loc"], document.tree, item["type"])
        if path not in found and path not in above:
            found[path] = item
            above.update(path[:count] for count in range(len(path)))
    for path in above & found.keys():  # of a text or a mapping the text is tried first: the fault is in the mapping
        del found[path]
    ordered = sorted(found, key=lambda path: _place(found[path]["type"], path, document))
    for path in ordered:
        if problems.full:  # what nobody will read is counted, not worded
            problems.count()
        elif not _is_meant(path, found, document, schema):
            problems.add(_problem(found[path], path, document, schema))
    return tuple(found)


def _is_meant(path: Path, found: Mapping[Path, Any], document: Document, schema: dict[str, Any]) -> bool:
    """True for a missing key that another key at its place stands for: the problem of that one is enough."""
    if found[path]["type"] != "missing" or not path:
        return False
    there = document.get(path[:-1], None)
    known = known_keys(path[:-1], document.tree, schema)
    others = islice((key for key in there if key not in known), MOST_KEYS) if isinstance(there, dict) else ()
    return any((*path[:-1], key) in found and meaning((*path[:-1], key), known, None).stands_for == path[-1]
               for key in others)


def _place(kind: str, path: Path, document: Document) -> tuple[str, int, int]:
    """File, line and column of a problem: of an unknown key its own, of a missing one that of its mapping's key."""
    place = path[:-1] if kind == "missing" else path
    return document.place(place, key=bool(place) and kind in ("extra_forbidden", "missing"))


def _path_of(loc: tuple[int | str, ...], tree: Any, kind: str) -> Path:
    """The path in the tree; pydantic's loc also names union members, which the tree does not have."""
    path: list[str | int] = []
    node = tree
    for i, part in enumerate(loc):
        last = i == len(loc) - 1
        inside = (isinstance(node, dict) and part in node) or (
            isinstance(node, list | tuple) and isinstance(part, int) and part < len(node)
        )
        if inside:
            node = node[part]
            path.append(part)
        elif last and kind == "missing":
            path.append(part)
        elif loc[i:-1] == ONE_POINT:
            return (*path, POINT_KEYS[loc[-1]])
    return tuple(path)


def _problem(item: Any, path: Path, document: Document, schema: dict[str, Any]) -> Problem:
    kind = item["type"]
    context = item.get("ctx", {})
    place = _place(kind, path, document)

    def made(message: str, found: str = "", expected: str = "", fix: str = "") -> Problem:
        return Problem(*place, show_path(path), message, found, expected, fix)

    value = item.get("input")
    comma = without_comma(path, document, schema) if kind in ("extra_forbidden", "value_error") else ""
    if comma:
        return made("a comma parts this value in two", quoted(str(value if value is not None else path[-1])),
                    "a number without a comma", comma)
    if kind == "extra_forbidden":
        known = sorted(known_keys(path[:-1], document.tree, schema))
        fix = meaning(path, known, value).fix
        return made("unknown key", quoted(str(path[-1])), ", ".join(known[:20]), fix)
    if kind == "missing":
        example = example_of(path, document.tree, schema)
        if isinstance(path[-1] if path else "", int):
            return made("the list is too short", fix=f"add an entry, such as {example}" if example != "..." else "")
        return made("this key is missing", fix=f"add `{path[-1] if path else ''}: {example}`")
    cause = context.get("error")
    if isinstance(cause, UnitError):
        fix = with_unit(value, path, document.tree, schema) if cause.fix.startswith(WITHOUT_UNIT) else ""
        return made(cause.message, cause.found, cause.expected, fix or cause.fix)
    entry = document.get(path, None)
    other = renamed(path, entry, known_keys(path, document.tree, schema), MOST_KEYS) if isinstance(entry, dict) else ""
    if kind == "value_error":
        signed = isinstance(value, str) and re.match(r"-\s*[0-9]", value) and str(cause) in (POSITIVE, NOT_NEGATIVE)
        return made(str(cause), "" if isinstance(value, dict | list | tuple) else quoted(value),
                    fix=f"write '{clip(value[1:].strip())}' if that is meant" if signed else other)
    if kind in ("too_short", "too_long"):
        most = kind == "too_long"
        count = context["max_length" if most else "min_length"]
        return made(f"the list is too {'long' if most else 'short'}", f"{context['actual_length']} entries",
                    f"at {'most' if most else 'least'} {count}")
    if kind in ("literal_error", "enum"):
        return made("not one of the accepted words", quoted(value), str(context.get("expected", "")),
                    _nearest(value, context.get("expected", "")))
    if kind.startswith("union_tag"):
        expected = str(context.get("expected_tags", "'copper', 'dielectric', 'mask'"))
        return made("the `kind` of this layer is missing or unknown", quoted(context.get("tag")), expected,
                    _nearest(context.get("tag"), expected) or other)
    if kind == "string_pattern_mismatch":
        name = (same_name(value, _names(document.tree)) or as_name(value)) if isinstance(value, str) else ""
        fix = f"write '{name}'" if name else ""
        return made("a name is made of letters, digits, '_', '+', '-' and points within", quoted(value), fix=fix)
    written = document.written(path)
    if kind == "string_type" and written:
        return made("a number stands where a text is due", written, fix=f"put it in quotes: '{written}'")
    if kind in ("int_type", "float_type") and isinstance(value, str) and re.fullmatch(r"0+[0-9]+", value):
        return made("a number does not begin with a zero here", quoted(value), fix=f"write {value.lstrip('0') or '0'}")
    if kind in ("int_type", "float_type") and isinstance(value, str) and (meant := plain_number(value)):
        return made("a number stands here without quotes and without a unit", quoted(value), fix=f"write {meant}")
    if kind == "string_too_short":
        return made("an empty text says nothing", quoted(value), "a text, or no key at all")
    message = item["msg"].replace("Input should be", "should be").replace("a valid dictionary", "a mapping of keys")
    message = message.replace("a valid integer", "a whole number").replace("a valid tuple", "a list")
    message = message.replace("an object to extract fields from", "a mapping")
    message = message.replace("dictionary or an instance of", "mapping (")
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        known = sorted(known_keys(path, document.tree, schema))
        parted = missing_blank(value) if isinstance(value, str) else ""
        fix = f"write '{clip(parted)}', with a plain ':' and a blank" if parted else ""
        return made("should be a mapping of keys", quoted(value), ", ".join(known[:20]),
                    fix or as_mapping(value, path, document, schema, named=kind == "dict_type"))
    if kind == "tuple_type":
        return made("should be a list", quoted(value), fix=as_list(value, path, document.tree, schema))
    if kind in ("int_type", "int_from_float") and (count := whole_number(value)):
        return made("should be a whole number", quoted(value), fix=f"write {count}")
    return made(message, quoted(value))


def _names(tree: Any) -> list[str]:
    """Names that the board file declares: layers, and the keys of its sections."""
    if not isinstance(tree, Mapping):
        return []
    sections = [section for section in tree.values() if isinstance(section, Mapping)]
    layers = tree.get("stackup")
    named = [layer.get("name") for layer in layers if isinstance(layer, Mapping)] if isinstance(layers, list) else []
    return [name for name in [*named, *(key for section in sections for key in section)] if isinstance(name, str)]


def _nearest(value: Any, expected: str) -> str:
    words = [w.strip(" '\"") for w in expected.replace(" or ", ", ").split(",")]
    meant = cure(str(value), words) if isinstance(value, str) else ""
    return meant or next((f"write '{word}'" for word in names_for(str(value), VALUES) if word in words), "")
