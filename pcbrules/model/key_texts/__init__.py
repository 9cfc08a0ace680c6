# SPDX-License-Identifier: MIT
"""What each key of the board file means, in a few words: for the JSON Schema and the pages made of it.

One file a section of the board file, found by folder; in each by the record in which a key stands. A key that says it
itself (``Field(description=...)``) has no text here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

Texts = Mapping[str, Mapping[str, str]]

EVERYWHERE: Mapping[str, str] = {
    "name": "by which the report and waivers call it",
    "note": "a remark; it is not read",
    "source": "document that says it",
    "confidence": "how it was come by: read in public, computed from that, recalled, or declared",
    "provenance": "what kind of source that is",
}


def _sections(name: str) -> Iterator[Texts]:
    """A table of every section that has it."""
    for module in sorted(found.name for found in iter_modules(__path__)):
        yield getattr(import_module(f"{__name__}.{module}"), name, {})


def _joined(name: str) -> Texts:
    """The tables of all sections as one. Raises KeyError if two speak of one record."""
    whole: dict[str, Mapping[str, str]] = {}
    for table in _sections(name):
        twice = whole.keys() & table.keys()
        if twice:
            raise KeyError(f"{name} of {', '.join(sorted(twice))} stand in two files")
        whole |= table
    return whole


TEXTS = _joined("TEXTS")

EXAMPLES = _joined("EXAMPLES")
"""Values of a likely size, where the example of the quantity would be none: the crossover of a rail is not 16 GHz."""


def describe(schema: dict[str, Any]) -> None:
    """Add texts and examples to a schema. A key's own description stands; a required quantity keeps its form."""
    for name, definition in {"BoardFile": schema, **schema["$defs"]}.items():
        own = TEXTS.get(record_name(name), {})
        for key, tree in definition.get("properties", {}).items():
            example = EXAMPLES.get(record_name(name), {}).get(key)
            if example:
                tree["examples"] = [example]
            text = own.get(key) or EVERYWHERE.get(key)
            said = tree.get("description", "")
            form = "with its unit" in said
            if text and (form or not said):
                tree["description"] = f"{text}: {said}" if form else text


def record_name(definition: str) -> str:
    """The record of a definition in the schema, which tells the types of a generic one too."""
    return definition.partition("_")[0]
