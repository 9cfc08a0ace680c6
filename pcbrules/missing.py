# SPDX-License-Identifier: MIT
"""A missing answer: its reason, the key of the board file that would give it, and the place of that key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """Why an answer could not be had, the key that would give it ("" if none does), and the place (() if unknown)."""

    reason: str
    key: str = ""
    where: tuple[str | int, ...] = ()
