# SPDX-License-Identifier: MIT
"""Why something could not be had, and what the board file would have to say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """An input without which a number cannot be had; ``key`` names it in the board file."""

    reason: str
    key: str


@dataclass(frozen=True, slots=True)
class NoSection:
    """Why a trace has no cross-section, and the key that would give it one."""

    reason: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Why no model here covers a task."""

    reason: str
