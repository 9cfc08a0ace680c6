# SPDX-License-Identifier: MIT
"""Validates what the program writes as JSON against the schemas that it ships."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema_rs


@cache
def schema(name: str) -> Any:
    """The tree of ``schemas/NAME.schema.json``."""
    return json.loads((files("pcbrules") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """Its validator; raises ValidationError where it is no schema."""
    jsonschema_rs.meta.validate(schema(name))
    return jsonschema_rs.Draft202012Validator(schema(name))


def valid(text: str, name: str) -> Any:
    """Return the tree of a JSON text that keeps a schema; raises ValidationError, or ValueError where it is no JSON."""
    tree = json.loads(text, parse_constant=_refuse)
    validator(name).validate(tree)
    return tree


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
