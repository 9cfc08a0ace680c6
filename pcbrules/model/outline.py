# SPDX-License-Identifier: MIT
"""Size and thickness of a board."""

from __future__ import annotations

from typing import Literal

from pcbrules.model.shapes import Length, Record


class Outline(Record):
    """Size of the board."""

    width: Length
    height: Length


class BoardThickness(Record):
    """Thickness of the finished board and what it is measured over."""

    value: Length
    over: Literal["mask", "copper", "laminate"]
