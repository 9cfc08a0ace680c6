# SPDX-License-Identifier: MIT
"""One inch of each geometry as a Touchstone file: a pair as a four-port of its legs, a single trace as a two-port."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.lines.solve import LineResult
from pcbrules.constants import INCH
from pcbrules.networks.line import line as line_network
from pcbrules.networks.pair import pair
from pcbrules.networks.touchstone import touchstone
from pcbrules.networks.two_port import TwoPort
from pcbrules.studies.lines import Geometry, Lines
from pcbrules.studies.texts import section_text
from pcbrules.units import convert, show
from pcbrules.version import VERSION

REFERENCE = 50.0
"""Reference impedance of every port. [ohm]"""

STEP = 50e6
"""Step of the grid, which begins at zero frequency. [Hz]"""

BEYOND = 2.0
"""End of the grid over the highest Nyquist frequency of the links. [-]"""


def files(found: Lines) -> Iterator[tuple[str, str]]:
    """Name and text of the file of each geometry that has a loss; the board is cold."""
    for one in found.geometries:
        if not one.no_loss:
            yield _name(one), _text(one, found.board)


def _name(one: Geometry) -> str:
    """``01_L3_4.8x7.2mil.s4p``: number, first layer, width and gap; distinct by the number."""
    task = one.line.task
    lengths = [task.width_foot] if task.gap is None else [task.width_foot, task.gap]
    size = "x".join(f"{convert(length, 'mil'):.4g}" for length in lengths)
    layer = re.sub(r"[^A-Za-z0-9_-]", "_", one.layers[0])
    return f"{one.number:02}_{layer}_{size}mil.{'s4p' if one.pair else 's2p'}"


def _text(one: Geometry, board: str) -> str:
    line = one.line
    highest = max(use.nyquist for use in one.uses)
    frequency = np.arange(math.ceil(BEYOND * highest / STEP) + 1, dtype=np.float64) * STEP
    odd = _leg(line, frequency, "odd")
    s = pair(even=_leg(line, frequency, "even"), odd=odd) if one.pair else odd.s
    ports = "ports 1, 2: near ends of the legs; 3, 4: far ends; 1 leads to 3, 2 to 4" if one.pair else "port 1 to 2"
    comments = (
        f"pcbrules {VERSION}, board {board}, geometry {one.number} on {' '.join(one.layers)}",
        section_text(line.task),
        f"1 inch of uniform line at {show(line.task.temperature, 'degC')}, {line.card}",
        f"{ports}; every port referred to {REFERENCE:g} ohm",
    )
    return touchstone(frequency, s, z_ref=REFERENCE, comments=comments)


def _leg(line: LineResult, frequency: NDArray[np.float64], mode: str) -> TwoPort:
    """One inch of one leg in a mode."""
    r, inductance, g, capacitance = line.rlgc(frequency, mode)
    omega = 2j * np.pi * frequency
    return line_network(frequency, series=r + omega * inductance, shunt=g + omega * capacitance, length=INCH,
                        z_ref=REFERENCE, name=mode)
