# SPDX-License-Identifier: MIT
"""Every number of a record, with the key under which it stands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from pcbrules.document import Path
from pcbrules.model.catalogue.base import SourcedValue, Spread
from pcbrules.units import Quantity

NUMBERS, THROUGH = (Quantity, float, int), (SourcedValue, Spread)
"""What is a number, and the records whose numbers stand for what holds them."""


class Number(NamedTuple):
    """A number, its key, the record that holds it, and the place below the root; of a library record an SI float."""

    value: Quantity | float
    record: str
    key: str
    owner: Any
    path: Path


def numbers_in(root: Any, path: Path) -> list[Number]:
    """Return every number below a place; those of a spread or a fact by the key that holds it."""
    found: list[Number] = []
    _gather(root, path, "", "", None, found)
    return found


def _gather(node: Any, path: Path, record: str, key: str, owner: Any, found: list[Number]) -> None:
    if isinstance(node, NUMBERS):
        if node is not True and node is not False:
            found.append(Number(node, record, key, owner, path))
    elif isinstance(node, BaseModel):
        through = isinstance(node, THROUGH)
        name, steps = _named(type(node))
        for field, value in node.__dict__.items():
            if value is not None and type(value) is not str and field in steps:
                if through:
                    _gather(value, (*path, steps[field]), record, key, owner, found)
                else:
                    _gather(value, (*path, steps[field]), name, steps[field], node, found)
    elif isinstance(node, dict):
        for step, value in node.items():
            _gather(value, (*path, step), record, key, owner, found)
    elif isinstance(node, tuple):
        names = getattr(node, "_fields", None)
        for i, value in enumerate(node):
            if names is not None:
                _gather(value, (*path, i), type(node).__name__, names[i], node, found)
            else:
                _gather(value, (*path, i), record, key, owner, found)


@lru_cache(maxsize=256)
def _named(kind: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """The name of a record in the tables, and the key of each of its fields in the file."""
    return kind.__name__, {name: field.alias or name for name, field in kind.model_fields.items()}
