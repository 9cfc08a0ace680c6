# SPDX-License-Identifier: MIT
"""A finding with what its number was read from, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.derivation import Derivation
from pcbrules.results.finding import Finding
from pcbrules.results.place import Location


@dataclass(frozen=True, slots=True)
class Input:
    """A place in the board file from which a number was taken; ``written`` is empty where nothing stands there."""

    path: str
    where: Location
    written: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A finding under one profile, its inputs in order, and its derivation if its number has one."""

    profile: str
    finding: Finding
    inputs: tuple[Input, ...]
    derivation: Derivation | None
