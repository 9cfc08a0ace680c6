# SPDX-License-Identifier: MIT
"""What a notebook shows of an answer is one line: every class that a public call can hand out has a short `repr`."""

from __future__ import annotations

import builtins
import inspect
import sys
import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import pcbrules

LONGEST = 200
SHORT = (bool, int, float)
"""Types of fields that are short whatever they hold."""


@cache
def names() -> dict[str, Any]:
    """Every name that a module of the package has, for hints that only type checkers import."""
    found: dict[str, Any] = {}
    for one in walk_packages(pcbrules.__path__, "pcbrules."):
        if not one.name.endswith("__main__"):
            found |= {name: value for name, value in vars(import_module(one.name)).items() if inspect.isclass(value)}
    return found


class Unknown(dict[str, Any]):
    """Names; one that nobody has is any type."""

    def __missing__(self, key: str) -> Any:
        return Any


def hints(thing: Any) -> dict[str, Any]:
    """Types by name of a class's fields, or of a function's arguments."""
    known = Unknown({**vars(builtins), **vars(typing), **names(), **vars(sys.modules[thing.__module__])})
    found = {}
    for name, given in getattr(thing, "__annotations__", {}).items():
        try:
            found[name] = eval(given, {}, known) if isinstance(given, str) else given
        except TypeError:  # an argument of a type that nobody knows
            continue
    return found


def classes(given: Any) -> Iterator[type]:
    if isinstance(given, str):
        given = names().get(given)
    for part in typing.get_args(given):
        yield from classes(part)
    if inspect.isclass(given) and given.__module__.startswith("pcbrules."):
        yield given


@cache
def answers() -> tuple[type, ...]:
    """The classes that public calls hand out, and those that these hold."""
    left: list[type] = []
    for name in pcbrules.__all__:
        thing = getattr(pcbrules, name)
        left += [thing] if inspect.isclass(thing) else classes(hints(thing).get("return")) if callable(thing) else ()
    seen: dict[type, None] = {}
    while left:
        one = left.pop()
        if one not in seen:
            seen[one] = None
            for part in hints(one).values():
                left += classes(part)
            for member in vars(one).values():
                found = member.fget if isinstance(member, property) else member
                left += classes(hints(found).get("return")) if inspect.isfunction(found) else ()
    return tuple(seen)


def test_the_classes_are_found() -> None:
    found = {one.__name__ for one in answers()}
    assert len(found) > 100
    assert {"Report", "Finding", "PlatformAdvice", "FixProposal", "Sweep", "ReachTable", "BoardYield", "Lines",
            "Design", "Layout", "Rail", "AcceleratorFleet"} <= found


def test_each_has_a_repr_of_its_own() -> None:
    """That of a dataclass or a model writes every field out, as long as it may be."""
    long = []
    for one in answers():
        if is_dataclass(one) and hasattr(one.__repr__, "__wrapped__"):  # the one that the decorator makes
            plain = all(set(classes(given)) == set() and _short(given) for given in hints(one).values())
            long += [] if plain and len(fields(one)) < 6 else [one.__name__]
        elif getattr(one.__repr__, "__module__", "").startswith("pydantic"):
            long.append(one.__name__)
    assert sorted(long) == ["Missing", "Problem", "Quantity", "Tuned"], "of few and short fields"


def _short(given: Any) -> bool:
    return given in SHORT or given is type(None) or (
        bool(typing.get_args(given)) and all(map(_short, typing.get_args(given))))


@pytest.mark.parametrize("call", [
    lambda board: pcbrules.platform(task="serving", model="llama-3-70b", context="8k"),
    lambda board: pcbrules.check(board, "edge"),
    lambda board: pcbrules.lines(board, "edge"),
    lambda board: board.board,
    lambda board: board.document,
])
def test_what_calls_hand_out_is_short(call: Any) -> None:
    board = pcbrules.load("boards/jetson-orin-carrier.yaml")
    left, seen = [call(board)], 0
    while left and seen < 3000:
        one = left.pop()
        seen += 1
        if isinstance(one, tuple | list):
            left += one
        elif isinstance(one, dict):
            left += one.values()
        elif type(one).__module__.startswith("pcbrules."):
            assert len(repr(one)) <= LONGEST, repr(one)
            left += [getattr(one, part.name) for part in fields(one)] if is_dataclass(one) else []
            left += [getattr(one, name) for name in getattr(type(one), "model_fields", ())]
    assert seen > 10
