# SPDX-License-Identifier: MIT
"""The record of a build-up that nobody entered."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.brief import brief


@dataclass(frozen=True, slots=True)
class DefaultBuildUp:
    """A build-up that a CAD program put in and nobody changed: its sheets in words, and whether a fabricator builds
    one like it.
    """

    text: str
    built: bool

    __repr__ = brief
