# SPDX-License-Identifier: MIT
"""Where an input of a board stands: a line of a text, or an object of a drawing.

Analyses and rules name an input by its *address* in the board (``links.up.path[3].width``), whatever file it was read
from. Whoever read the board says where that is: ``Loaded.at``.
"""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.units import show

Address = tuple[str | int, ...]
"""Keys and indices that lead from the board to one of its inputs."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file.

    Attributes
    ----------
    file : str
    line, column : int
        Counted from 1; 0 where the file has no lines to show.
    item : str
        The object of a drawing that gives the input: ``track of net PCIE_TX0_P``. Empty in a text.
    layer : str
        Layer of the drawing on which the object lies; empty where it has none.
    at : tuple of float or None
        A point of the object, x and y from the origin of the drawing. [m]
    """

    file: str
    line: int = 0
    column: int = 0
    item: str = ""
    layer: str = ""
    at: tuple[float, float] | None = None

    @property
    def spot(self) -> str:
        """The place within its file: ``41:7``, or ``track of net CLK_P on F.Cu at (12 mm, 7.5 mm)``."""
        if not self.item:
            return f"{self.line}:{self.column}"
        layer = f" on {self.layer}" if self.layer else ""
        point = f" at ({show(self.at[0], 'mm')}, {show(self.at[1], 'mm')})" if self.at else ""
        return f"{self.item}{layer}{point}"

    @property
    def line_text(self) -> str:
        """``boards/x.yaml:41``, or the object of a drawing."""
        return self.text if self.item else f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """``boards/x.yaml:41:7`` for an editor to open, or ``x.kicad_pcb: track of net CLK_P on F.Cu``."""
        return f"{self.file}: {self.spot}" if self.item else f"{self.file}:{self.spot}"
