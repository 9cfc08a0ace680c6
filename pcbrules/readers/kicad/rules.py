# SPDX-License-Identifier: MIT
"""Custom rules of a KiCad project: what a designer asks of widths, gaps, lengths and skews, and of which objects."""

from __future__ import annotations

import re

from pcbrules.errors import Problem, clip
from pcbrules.layout.layout import DesignRule, RuleBound
from pcbrules.readers.kicad.tokens import Node, objects, text_of
from pcbrules.readers.kicad.values import child, children, word, words
from pcbrules.readers.layout_faults import Fault

UNITS = {"mm": 1e-3, "um": 1e-6, "cm": 1e-2, "mil": 25.4e-6, "mils": 25.4e-6, "th": 25.4e-6, "in": 25.4e-3}
"""Units of lengths, in metres."""

_COMMENT = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_QUANTITY = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?)\s*([a-z]+)")


def rules_of(data: bytes, file: str) -> tuple[tuple[DesignRule, ...], tuple[Problem, ...]]:
    """The custom rules of a file, and what is wrong with it: then it gives those before the fault."""
    found: list[DesignRule] = []
    try:
        text = _COMMENT.sub(lambda match: " " * len(match[0]), data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return (), (_warning(file, 0, 0, clip(str(error))),)
    try:
        for node in objects(f"(rules {text}\n)", "rules"):
            if node[1] == "rule":
                found.append(_rule(node))
    except Fault as fault:
        before = text[: max(0, fault.offset - len("(rules "))]
        place = before.count("\n") + 1, len(before) - before.rfind("\n")
        return tuple(found), (_warning(file, *place, fault.message),)
    return tuple(found), ()


def _rule(node: Node) -> DesignRule:
    layer, condition = child(node, "layer"), child(node, "condition")
    bounds = []
    for one in children(node, "constraint"):
        given = {part[1]: _length(text_of(part[2])) for part in children(one, "min", "opt", "max")
                 if len(part) > 2 and part[2].__class__ is str}
        bounds.append(RuleBound(" ".join(words(one)), given.get("min"), given.get("opt"), given.get("max")))
    return DesignRule(word(node), " ".join(words(condition)) if condition else "",
                      word(layer) if layer else "", tuple(bounds))


def _length(text: str) -> float | None:
    """A length; None for any other quantity. [m]"""
    match = _QUANTITY.fullmatch(text.strip())
    factor = UNITS.get(match[2]) if match else None
    return float(match[1]) * factor if match and factor else None


def _warning(file: str, line: int, column: int, message: str) -> Problem:
    return Problem(file, line, column, "", "the custom rules are not read any further", clip(message),
                   fix="open them in KiCad and correct them", level="warning")
