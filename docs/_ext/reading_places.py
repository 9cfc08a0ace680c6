# SPDX-License-Identifier: MIT
"""Where the values of the board file are read: in four layout tools, or outside of the layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import board_keys
import yaml
from markup import table

FILE = Path(__file__).resolve().parents[1] / "where_to_read.yaml"
BELOW = ".**"
"""End of an entry that stands for all keys below it."""

ELSEWHERE = "not in the layout: "
READ = "`pcbrules layout` and `check` read it from KiCad, IPC-2581 and ODB++."
ITSELF = "the board file, read by `pcbrules layout`"
EXPORTED = "an IPC-2581 or ODB++ export, read by `pcbrules layout`"
SEEN = "the layout, by eye"


@dataclass(frozen=True)
class ReadingPlace:
    """Something that a layout tool shows: what it is, whether pcbrules reads it, and a line for each tool."""

    says: str
    read: bool
    lines: tuple[tuple[str, str], ...]
    caution: str

    @property
    def text(self) -> str:
        """The same in a cell of a table."""
        parts = [f"{self.says[:1].upper()}{self.says[1:]}. {READ if self.read else ''}".rstrip()]
        alike: dict[str, list[str]] = {}
        for tool, line in self.lines:
            alike.setdefault(line, []).append(tool)
        parts += [f"**{', '.join(tools)}:** {line}" for line, tools in alike.items()]
        return "\n".join([*parts, self.caution] if self.caution else parts)


@cache
def data() -> dict[str, Any]:
    """The file."""
    tree: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return tree


@cache
def places() -> dict[str, ReadingPlace]:
    """Places by name; a tool without a line of its own has the one that says what to do instead."""
    tree = data()
    return {
        name: ReadingPlace(
            one["says"], one.get("read", False),
            tuple((tool, one.get(tool) or _instead(tool, one.get("read", False))) for tool in tree["tools"]),
            one.get("caution", ""),
        )
        for name, one in tree["places"].items()
    }


def _instead(tool: str, read: bool) -> str:
    """Advice for a tool without a public page on the value."""
    if not read:
        return SEEN
    return ITSELF if tool == "KiCad" else EXPORTED


def entry(key: str) -> str:
    """The entry that says where a key is read: its own, else that of the nearest key above it that has one for all.

    Raises KeyError where there is none.
    """
    keys = data()["keys"]
    if key in keys:
        return key
    above = [one for one in keys if one.endswith(BELOW) and _below(key, one.removesuffix(BELOW))]
    if not above:
        raise KeyError(key)
    return max(above, key=len)


def _below(key: str, above: str) -> bool:
    return key.startswith((f"{above}.", f"{above}["))


def reading_table(section: str) -> str:
    """Where the keys of a section are read, those of one place together."""
    rows: dict[str, list[str]] = {}
    for key in _keys(section):
        rows.setdefault(data()["keys"][entry(key)], []).append(key)
    return table(["Keys", "Where to read them"], [[_named(keys), _where(text)] for text, keys in rows.items()])


def _keys(section: str) -> Iterator[str]:
    seen = set()
    for group in board_keys.groups():
        for key in group.keys if group.section == section else ():
            if key.path not in seen:
                seen.add(key.path)
                yield key.path


def _named(keys: Iterable[str]) -> str:
    """The keys; of those that one entry stands for, the key above them."""
    found = dict.fromkeys(map(entry, keys))
    wide = {one.removesuffix(BELOW).removesuffix("[]") for one in found if one.endswith(BELOW)}
    names = dict.fromkeys(one.removesuffix(BELOW).removesuffix("[]") for one in found)
    own = data()["keys"].keys() - found.keys()  # keys with a place of their own, above the others
    return "\n".join(f"{'below ' if name in wide & own else ''}`{name}`{' and below' if name in wide - own else ''}"
                     for name in names)


def _where(text: str) -> str:
    place = places().get(text)
    return place.text if place else f"Not in the layout: {text.removeprefix(ELSEWHERE)}."
