# SPDX-License-Identifier: MIT
"""Net classes: of a KiCad 5 board, or of the project file beside a newer one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pcbrules.errors import Problem, clip
from pcbrules.layout.layout import NetClass
from pcbrules.readers.kicad.tokens import Node
from pcbrules.readers.kicad.values import LARGEST, MM, children, length_of, word

KEYS = ("track_width", "clearance", "diff_pair_width", "diff_pair_gap", "via_diameter", "via_drill")
OLD_KEYS = ("trace_width", "clearance", "diff_pair_width", "diff_pair_gap", "via_dia", "via_drill")
"""Sizes of a class in the order of its record, in a project and in a board of KiCad 5."""


def old_class(node: Node) -> NetClass:
    """A net class that stands in the board, as KiCad 5 writes it."""
    sizes = [length_of(node, head) for head in OLD_KEYS]
    return _made(word(node), sizes, [word(one) for one in children(node, "add_net")], [])


def _made(name: str, sizes: list[float | None], nets: list[str], patterns: list[str]) -> NetClass:
    width, clearance, pair_width, pair_gap, via_pad, via_drill = sizes
    return NetClass(name, width, clearance, pair_width, pair_gap, via_pad, via_drill, tuple(sorted(nets)),
                    tuple(patterns))


def classes_of(data: bytes, file: str) -> tuple[tuple[NetClass, ...], tuple[Problem, ...]]:
    """The net classes of a project file, and what is wrong with it: then it gives none."""
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        return (), (_warning(file, "the project file is no JSON", clip(error.msg), error.lineno, error.colno),)
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        return (), (_warning(file, "the project file cannot be read", clip(str(error))),)
    settings = tree.get("net_settings") if isinstance(tree, dict) else None
    given = settings.get("classes") if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or not isinstance(given, list):
        return (), (_warning(file, "the project file has no net classes", "no `net_settings.classes`"),)
    nets: dict[str, list[str]] = {}
    for net, names in _items(settings.get("netclass_assignments")):
        for name in [names] if isinstance(names, str) else names if isinstance(names, list) else []:
            nets.setdefault(str(name), []).append(str(net))
    patterns: dict[str, list[str]] = {}
    for one in settings.get("netclass_patterns") or ():
        if isinstance(one, dict):
            patterns.setdefault(str(one.get("netclass")), []).append(str(one.get("pattern")))
    found = []
    for one in given:
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            name = one["name"]
            own = one.get("nets")
            assigned = [*nets.get(name, ()), *(str(net) for net in (own if isinstance(own, list) else ()))]
            found.append(_made(name, [_size(one.get(key)) for key in KEYS], assigned, patterns.get(name, [])))
    return tuple(found), ()


def _size(value: Any) -> float | None:
    """A length; None where there is none, or 0 for `as the board's`. [m]"""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < LARGEST:
        return None
    return value * MM


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _warning(file: str, message: str, found: str, line: int = 0, column: int = 0) -> Problem:
    return Problem(file, line, column, "", message, found, fix="save the project in KiCad", level="warning")
