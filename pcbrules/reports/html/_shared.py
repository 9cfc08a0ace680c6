# SPDX-License-Identifier: MIT
"""Pieces of pictures that many of them share: drawn once, used by all."""

from __future__ import annotations

from markupsafe import Markup

from pcbrules.reports.html._frame import PAPER, SCREEN, Canvas


class Shared:
    """Collects pieces of SVG while pictures are drawn; ``whole`` pictures get a copy of each instead."""

    def __init__(self, prefix: str, *, whole: bool = False) -> None:
        self._prefix = prefix
        self._whole = whole
        self._pieces: dict[str, str] = {}

    @property
    def canvas(self) -> Canvas:
        """Size of the pictures; a page of paper has two of them in a row."""
        return PAPER if self._whole else SCREEN

    @property
    def findings(self) -> str:
        """Anchor of the list of findings; empty where the page has no links."""
        return "" if self._whole else f"#{self._prefix}findings"

    def used(self, piece: str) -> str:
        """What stands for the piece in a picture."""
        if self._whole:
            return piece
        name = self._pieces.setdefault(piece, f"{self._prefix}s{len(self._pieces) + 1}")
        return f'<use href="#{name}"/>'

    def pieces(self) -> Markup:
        """All pieces, each under its name."""
        made = "".join(f'<g id="{name}">{piece}</g>' for piece, name in self._pieces.items())
        return Markup(f'<svg class="shared" width="0" height="0" aria-hidden="true"><defs>{made}</defs></svg>')
