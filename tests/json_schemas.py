# SPDX-License-Identifier: MIT
"""Validates what the program writes as JSON against the schemas that it ships."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema

ENDS = 3
"""Numbers that are validated at either end of a curve."""


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """The validator of ``schemas/NAME.schema.json``; raises SchemaError where that is no schema."""
    schema = json.loads((files("pcbrules") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def valid(text: str, name: str) -> Any:
    """Return the tree of a JSON text that keeps a schema; raises ValidationError, or ValueError where it is no JSON.

    A curve of many numbers is validated by its ends: one check a number takes a minute for a board of 300 links.
    """
    tree = json.loads(text, parse_constant=_refuse)
    validator(name).validate(_thinned(tree))
    return tree


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _thinned(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _thinned(value) for key, value in tree.items()}
    if isinstance(tree, list):
        if len(tree) > 2 * ENDS and set(map(type, tree)) <= {int, float}:
            return tree[:ENDS] + tree[-ENDS:]
        return [_thinned(value) for value in tree]
    return tree
