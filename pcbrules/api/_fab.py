# SPDX-License-Identifier: MIT
"""The fabrication of a board: its order, and what the fabricator returns."""

from __future__ import annotations

from pcbrules.api._loaded import Loaded, read_board
from pcbrules.studies.fab.order import FabOrder


def fab_order(loaded: Loaded) -> FabOrder:
    """All that the board file holds for its fabricator. Raises InputError for a board without a stackup."""
    from pcbrules.studies.fab.place_order import place_order

    loaded = read_board(loaded, "fab_order")
    return place_order(loaded.board, loaded.document)
