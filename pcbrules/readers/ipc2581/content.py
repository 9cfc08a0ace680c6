# SPDX-License-Identifier: MIT
"""What a file holds, gathered object by object."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from pcbrules.layout.arcs import Point
from pcbrules.readers.ipc2581.features import Given, StepDrawing
from pcbrules.readers.ipc2581.parts import BomLine, PackagePin, PlacedPart


@dataclass
class StepContent:
    """What one step of the file holds.

    Attributes
    ----------
    name : str
    drawing : StepDrawing
    parts : list of PlacedPart
    packages : dict
        Pins of packages by their names.
    nets : dict
        Net of each pin that the netlist names, by part and pin.
    names : set of str
        Nets of the netlist, also those without a pin.
    groups : dict
        Nets by the class that the netlist gives them.
    outline : list of rings
    repeats : bool
        True for a panel: a step that repeats others.
    """

    name: str
    drawing: StepDrawing = field(default_factory=StepDrawing)
    parts: list[PlacedPart] = field(default_factory=list)
    packages: dict[str, list[PackagePin]] = field(default_factory=dict)
    nets: dict[tuple[str, str], str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    groups: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    outline: list[tuple[Point, ...]] = field(default_factory=list)
    repeats: bool = False


@dataclass
class FileContent:
    """All that was read.

    Attributes
    ----------
    file : str
        What messages call the file.
    given : Given
    revision : str
        Of the standard, as the file states it.
    named : list of str
        Steps that the content names.
    bom : dict
        Lines of the bill of materials by reference.
    packages : dict
        Pins of packages that belong to no step, by their names.
    steps : list of StepContent
    """

    file: str
    given: Given
    revision: str = ""
    named: list[str] = field(default_factory=list)
    bom: dict[str, BomLine] = field(default_factory=dict)
    packages: dict[str, list[PackagePin]] = field(default_factory=dict)
    steps: list[StepContent] = field(default_factory=list)
