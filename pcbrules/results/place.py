# SPDX-License-Identifier: MIT
"""Where an input of a board stands: a line of a text, or an object of a drawing.

Analyses and rules name an input by its *address* in the board (``links.up.path[3].width``), whatever file it was read
from. Whoever read the board says where that is: ``Loaded.at``.
"""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.units import show

DIGITS = 7
"""Significant digits of a coordinate: a hundredth of a micrometre of a board."""

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
        A point of the object, x and y from the origin of the drawing, in the directions of the file. [m]
    unit : str
        Unit in which the file gives its points.
    origins : tuple of (name, point)
        Other origins from which the CAD system can show points, with their places in the drawing. [m]
    nets, parts : tuple of str
        Nets of the object, and references of parts, as the file names them.
    """

    file: str
    line: int = 0
    column: int = 0
    item: str = ""
    layer: str = ""
    at: tuple[float, float] | None = None
    unit: str = "mm"
    origins: tuple[tuple[str, tuple[float, float]], ...] = ()
    nets: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    __repr__ = brief

    @property
    def spot(self) -> str:
        """The place within its file: ``41:7``, or ``track of net CLK_P on F.Cu at (12 mm, 7.5 mm)``."""
        if not self.item:
            return f"{self.line}:{self.column}"
        layer = f" on {self.layer}" if self.layer else ""
        return f"{self.item}{layer}" + (f" at {self.point(self.at)}" if self.at else "")

    def point(self, at: tuple[float, float]) -> str:
        """A point of the drawing in the unit of its file: ``(12 mm, 7.5 mm)``. [m]"""
        return f"({show(at[0], self.unit, DIGITS)}, {show(at[1], self.unit, DIGITS)})"

    @property
    def from_origins(self) -> tuple[tuple[str, tuple[float, float]], ...]:
        """The point as it is seen from each of the other origins. [m]"""
        at = self.at
        return () if at is None else tuple((name, (at[0] - x, at[1] - y)) for name, (x, y) in self.origins)

    @property
    def line_text(self) -> str:
        """``boards/x.yaml:41``, or the object of a drawing."""
        return self.text if self.item else f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """``boards/x.yaml:41:7`` for an editor to open, or ``x.kicad_pcb: track of net CLK_P on F.Cu``."""
        return f"{self.file}: {self.spot}" if self.item else f"{self.file}:{self.spot}"
