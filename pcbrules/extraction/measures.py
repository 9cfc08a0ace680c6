# SPDX-License-Identifier: MIT
"""All that is measured on the copper of a layout."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.extraction.fill_conflicts import FillConflict, fill_conflicts
from pcbrules.extraction.neighbours import DrawnNeighbour, neighbours_of_pairs
from pcbrules.extraction.pair_gap import GapOnLayer, gaps_of_pairs
from pcbrules.extraction.pair_vias import DrawnVia, vias_of_pairs
from pcbrules.extraction.plane_changes import PlaneChange, plane_changes
from pcbrules.extraction.plane_sheet import PlaneSheet, sheets_of
from pcbrules.extraction.reference import ReferenceLayer, references_of_pairs
from pcbrules.extraction.smallest import Smallest, smallest
from pcbrules.layout.drawn_pairs import DrawnPair, drawn_pairs
from pcbrules.layout.layout import Layout


@dataclass(frozen=True, slots=True)
class LayoutMeasures:
    """The smallest figures, fills that contradict what stands in them, and of each pair of the layout, in its order,
    lengths, gap on every layer, planes, vias, changes of plane, and neighbours.
    """

    smallest: Smallest
    conflicts: tuple[FillConflict, ...]
    pairs: tuple[DrawnPair, ...]
    gaps: tuple[tuple[GapOnLayer, ...], ...]
    references: tuple[tuple[ReferenceLayer, ...], ...]
    vias: tuple[tuple[DrawnVia, ...], ...]
    changes: tuple[tuple[PlaneChange, ...], ...]
    neighbours: tuple[tuple[DrawnNeighbour, ...], ...]


def measures(
    layout: Layout, sheets: dict[str, PlaneSheet] | None = None, *, of_links: bool = False
) -> LayoutMeasures:
    """Measure a layout, of which somebody may have the planes already.

    Paths of links have lengths and gaps of their own, and no neighbours: for them these are left out (`of_links`).
    """
    sheets = sheets_of(layout) if sheets is None else sheets
    references = references_of_pairs(layout, sheets)
    vias = vias_of_pairs(layout, sheets)
    return LayoutMeasures(
        smallest=smallest(layout),
        conflicts=fill_conflicts(layout),
        pairs=() if of_links else drawn_pairs(layout),
        gaps=() if of_links else gaps_of_pairs(layout),
        references=references,
        vias=vias,
        changes=plane_changes(layout, references, vias, sheets),
        neighbours=() if of_links else neighbours_of_pairs(layout, references),
    )
