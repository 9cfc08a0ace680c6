# SPDX-License-Identifier: MIT
"""What the JSON Schema of a file says of a place in its tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pcbrules.document import Path


def nodes_at(path: Path, tree: Any, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Schema nodes that describe the place, choosing among alternatives by the tree's own `kind`."""
    nodes = list(expanded(schema, schema, tree))
    value = tree
    for part in path:
        value = _step(value, part)
        following = []
        for node in nodes:
            child = None
            if isinstance(part, int):
                prefix = node.get("prefixItems", [])
                child = prefix[part] if part < len(prefix) else node.get("items")
            else:
                child = node.get("properties", {}).get(part)
                if child is None and isinstance(node.get("additionalProperties"), dict):
                    child = node["additionalProperties"]
                if child is None and isinstance(node.get("patternProperties"), dict):
                    child = next(iter(node["patternProperties"].values()), None)
            if isinstance(child, dict):
                following += list(expanded(child, schema, value))
        nodes = following
    yield from nodes


def _step(value: Any, part: str | int) -> Any:
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
        return value[part]
    return None


def expanded(node: dict[str, Any], schema: dict[str, Any], value: Any) -> Iterator[dict[str, Any]]:
    if "$ref" in node:
        yield from expanded(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema, value)
        return
    options = node.get("anyOf") or node.get("oneOf") or node.get("allOf")
    if not options:
        yield node
        return
    for option in options:
        for inner in expanded(option, schema, value):
            tag = inner.get("properties", {}).get("kind", {}).get("const")
            if tag is None or not isinstance(value, Mapping) or value.get("kind") in (tag, None):
                yield inner


def known_keys(path: Path, tree: Any, schema: dict[str, Any]) -> set[str]:
    return {key for node in nodes_at(path, tree, schema) for key in node.get("properties", {})}


def example_of(path: Path, tree: Any, schema: dict[str, Any]) -> str:
    for node in nodes_at(path, tree, schema):
        if node.get("examples"):
            return str(node["examples"][0])
        if "enum" in node:
            return str(node["enum"][0])
        if "const" in node:
            return str(node["const"])
    return "..."
