# SPDX-License-Identifier: MIT
"""What could not be had: the reason, the key that would give it, the place in the board file."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.model.board import Path


@dataclass(frozen=True, slots=True)
class Missing:
    """Why an answer could not be had, the key that would give it ("" if none does), and the place (() if unknown)."""

    reason: str
    key: str = ""
    where: Path = ()
