# SPDX-License-Identifier: MIT
"""The kinds of golden entries that this version computes, one file each.

A module offers ``NAME``, ``reads(data)`` (whether an entry is of its kind) and ``deviations(entry, entries)``.
Discovery is by folder.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from pcbrules.selftest.deviation import Deviation, OutOfRange
from pcbrules.selftest.golden import GoldenEntry


class Kind(Protocol):
    """What a module of this folder offers."""

    NAME: str

    def reads(self, data: Mapping[str, Any]) -> bool:
        """True for the entries of this kind."""
        ...

    def deviations(self, entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation | OutOfRange]:
        """Compute an entry anew; raises Unreadable where it cannot be read to its end."""
        ...


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Every kind, in order of module."""
    modules: list[Kind] = [import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    return tuple(modules)
