# SPDX-License-Identifier: MIT
"""Loads on a path without a capacitance: from next to none to that of arrays that are sold to protect data lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.sold_capacitors import with_keys
from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.document import show_path
from pcbrules.model.board import Board
from pcbrules.model.link import Load
from pcbrules.units import Quantity, show

MOST = 3.5e-12
"""Capacitance of a line to ground, at most [F]: STMicroelectronics, USBLC6-2, Very low capacitance ESD protection, rev.
5, 2011 (2.5 pF, 3.5 pF at most), sold for USB 2 and Ethernet. Arrays for faster links have less: Infineon ESD5V3U4RRS,
2011, 0.4 pF."""

LEAST = 1e-3 * MOST
"""A test point without a part: next to none, not zero, so that either end has a reflection to compare. [F]"""


def lacking_loads(board: Board) -> Iterator[Lacking]:
    """Loads of links whose capacitance is not declared."""
    for link in board.links or ():
        for step in link.steps:
            if isinstance(step.body, Load) and step.body.capacitance is None and step.body.table is None:
                ends = tuple({"capacitance": Quantity(one, text=show(one, "pF"))} for one in (MOST, LEAST))
                most = show(MOST, "pF")
                text = f"capacitance of {step.name} not declared: up to {most}, as sold for USB 2 (USBLC6-2)"
                put = partial(with_keys, path=step.path, ends=ends)
                yield Lacking(f"{show_path(step.path)}.capacitance", text, put, subjects=(link.subject,))
