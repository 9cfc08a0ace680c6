# SPDX-License-Identifier: MIT
"""The keys of the board file, from its schema: path, form, example, what it means, who reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from markup import code, label, plain

from pcbrules.model.board_schema import board_schema
from pcbrules.rules import all_rules
from pcbrules.unit_table import OF_UNIT

BOARDS = Path(__file__).resolve().parents[2] / "boards"
UNIT = re.compile(r"[\d.]+ (\S+)")
QUANTITY = re.compile(r"(?:(.+): )?([a-z ]+) with its unit(?:, e\.g\. '.+')?")


@dataclass(frozen=True)
class Key:
    """One key: where it stands, what it takes."""

    path: str
    form: str
    example: str
    meaning: str
    required: bool


@dataclass(frozen=True)
class Group:
    """A mapping of the file with its keys. ``path`` is `links.*.path[].trace`, ``kind`` tells layers apart."""

    path: str
    kind: str
    meaning: str
    keys: tuple[Key, ...]

    @property
    def section(self) -> str:
        """The first key of the path."""
        return re.split(r"[.\[]", self.path)[0]

    @property
    def label(self) -> str:
        """The name by which a link finds it."""
        return f"key-{label(f'{self.path} {self.kind}')}"

    @property
    def title(self) -> str:
        """The path as a heading."""
        return f"`{self.path}`" + (f" of kind `{self.kind}`" if self.kind else "")


LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@cache
def schema() -> dict[str, Any]:
    """The schema of the board file."""
    return board_schema()


@cache
def groups() -> tuple[Group, ...]:
    """Every mapping of the board file, sections in their order."""
    return tuple(group for name, tree in schema()["properties"].items() for group in _groups(name, tree))


def find(path: str) -> list[tuple[Group, Key]]:
    """The keys of that path, each with the mapping in which it stands; of a layer there may be several kinds."""
    return [(group, key) for group in groups() for key in group.keys if key.path == path]


def group_of(path: str) -> Group | None:
    """The mapping that a path leads to, its items included."""
    return next((g for g in groups() if g.path in (path, f"{path}[]", f"{path}.*")), None)


@cache
def readers() -> dict[str, tuple[str, ...]]:
    """Path of a key → the rules that read it."""
    found: dict[str, list[str]] = {}
    for name, rule in all_rules().items():
        for path in rule.META.inputs:
            found.setdefault(path, []).append(name)
    return {path: tuple(names) for path, names in found.items()}


@cache
def written() -> dict[str, str]:
    """Path of a key → a value that a shipped file gives it; the commented boards first, then the example boards."""
    found: dict[str, str] = {}
    for text in shipped():
        for path, value in _values("", yaml.load(text, Loader=LOADER)):
            found.setdefault(path, value)
    return found


@cache
def shipped() -> tuple[str, ...]:
    """The commented boards with their open lines filled in, then the example boards."""
    templates = files("pcbrules") / "templates"
    texts = [(templates / f"{name}.yaml").read_text(encoding="utf-8") for name in ("edge", "training")]
    boards = [board.read_text(encoding="utf-8") for board in sorted(BOARDS.glob("*.yaml"))]
    return (*(text.replace("#? ", "") for text in texts), *boards)


def _values(path: str, tree: Any) -> Iterator[tuple[str, str]]:
    """Single values, and short lists of them, as they are written."""
    if isinstance(tree, str):
        yield path, tree
    elif isinstance(tree, list):
        if tree and all(isinstance(item, str) for item in tree):
            yield path, f"[{', '.join(tree)}]"
        for item in tree:
            yield from _values(f"{path}[]", item)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            yield from _values(f"{path}.{name}".lstrip("."), value)
            yield from _values(f"{path}.*", value)


def _groups(path: str, tree: dict[str, Any]) -> Iterator[Group]:
    seen: list[dict[str, Any]] = []
    for place, definition in _mappings(path, tree):
        if definition in seen:  # one of them, or a list of them
            continue
        seen.append(definition)
        properties = definition["properties"]
        required = definition.get("required", [])
        kinds = properties.get("kind", {}).get("const", "")
        keys = tuple(_key(f"{place}.{name}", inner, name in required) for name, inner in properties.items())
        yield Group(place, kinds, _meaning(definition), keys)
        for name, inner in properties.items():
            yield from _groups(f"{place}.{name}", inner)


def _mappings(path: str, tree: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The mappings with fixed keys that stand at a path, its items or its named entries."""
    for one in _variants(tree):
        if "properties" in one:
            yield path, one
        elif "items" in one:
            yield from _mappings(f"{path}[]", one["items"])
        elif _named(one):
            yield from _mappings(f"{path}.*", _named(one))


def _variants(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What may stand there, references followed, null left out."""
    if "$ref" in tree:
        yield from _variants(schema()["$defs"][tree["$ref"].rsplit("/", 1)[-1]])
        return
    for several in ("anyOf", "oneOf"):
        if several in tree:
            for one in tree[several]:
                yield from _variants(one)
            return
    if tree.get("type") != "null":
        yield tree


def _named(tree: dict[str, Any]) -> dict[str, Any]:
    """The schema of the entries of a mapping with free names."""
    entries: dict[str, Any] = next(iter(tree.get("patternProperties", {}).values()), {})
    other = tree.get("additionalProperties")
    return entries or (other if isinstance(other, dict) else {})


def _key(path: str, tree: dict[str, Any], required: bool) -> Key:
    variants = list(_variants(tree))
    example = written().get(path) or next((str(e) for one in [tree, *variants] for e in one.get("examples", [])), "")
    meaning = _meaning(tree) or next((_meaning(one) for one in variants if "properties" in one), "")
    default = tree.get("default")
    if default not in (None, "") and not isinstance(default, dict | list):
        meaning = f"{meaning.rstrip('.')}; without it {code(_word(default))}".removeprefix("; ")
    if usual := tree.get("x-usual"):
        meaning = f"{meaning.rstrip('.')}; usual {usual}".removeprefix("; ")
    form = " or ".join(dict.fromkeys(map(_form, variants)))
    if example.replace(".", "").isdigit() and "[ratio]" in form:  # Dk: a ratio that nobody writes in per cent
        form = "number"
    return Key(path, form, example, meaning, required)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _meaning(tree: dict[str, Any]) -> str:
    text = tree.get("description", "")
    quantity = QUANTITY.fullmatch(text)
    return plain((quantity[1] or "") if quantity else text)


def _form(tree: dict[str, Any]) -> str:
    """What a value looks like, in words."""
    text = tree.get("description", "")
    quantity = QUANTITY.fullmatch(text)
    if quantity:
        return "value with its unit" if quantity[2] == "a value" else f"[{quantity[2]}](index.md#units)"
    if "const" in tree:
        return code(str(tree["const"]))
    if "enum" in tree:
        return " / ".join(code(str(word)) for word in tree["enum"])
    kind = tree.get("type")
    unit = next((match[1] for match in map(UNIT.match, map(str, tree.get("examples", ()))) if match), "")
    if unit in OF_UNIT:  # a description of its own has taken the place of the form
        return f"[{OF_UNIT[unit].replace('_', ' ')}](index.md#units)"
    if kind == "array" and "items" in tree:
        return "list of " + " or ".join(dict.fromkeys(_plural(one) for one in _variants(tree["items"])))
    if kind == "array":
        return "list of " + ", ".join(_form(one) for part in tree.get("prefixItems", []) for one in _variants(part))
    if kind == "object":
        return "named entries" if "properties" not in tree else "mapping"
    if kind == "boolean":
        return "`true` / `false`"
    if kind in ("integer", "number"):
        return ("whole number" if kind == "integer" else "number") + _range(tree)
    return "name" if "pattern" in tree else "text"


def _plural(tree: dict[str, Any]) -> str:
    form = _form(tree)
    return f"{form}s" if form in ("mapping", "name", "text", "number", "whole number") else form


def _range(tree: dict[str, Any]) -> str:
    low, high = tree.get("minimum"), tree.get("maximum")
    above, below = tree.get("exclusiveMinimum"), tree.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    parts = [
        f"at least {low:g}" if low is not None else "",
        f"above {above:g}" if above is not None else "",
        f"at most {high:g}" if high is not None else "",
        f"below {below:g}" if below is not None else "",
    ]
    return ", " + ", ".join(part for part in parts if part) if any(parts) else ""
