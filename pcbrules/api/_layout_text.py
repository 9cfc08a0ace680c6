# SPDX-License-Identifier: MIT
"""The board file of a layout, and the impedances and delays of its pairs on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pcbrules.document import parse_yaml
from pcbrules.errors import Problem
from pcbrules.extraction.copper_area import copper_shares
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths
from pcbrules.extraction.measures import LayoutMeasures, measures
from pcbrules.extraction.plane_sheet import PlaneSheet, sheets_of
from pcbrules.extraction.stretch_neighbours import neighbours_of_stretches
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.phrases import under
from pcbrules.readers.readable import read_text, readable
from pcbrules.studies.layout_board import BoardText, LinkWish, board_text
from pcbrules.studies.layout_delays import STANDARD, pair_delays
from pcbrules.studies.layout_values import PLATING
from pcbrules.studies.pair_delays import PairDelays
from pcbrules.studies.rail_proposals import rail_proposals


@dataclass(frozen=True, slots=True)
class LayoutText:
    """The board file of a layout: its text, of which nothing is refused; what was drawn for its entries; the layout
    with the pairs that were measured, and the measures; and what is a comment because no reader would take it.
    """

    text: str
    made: BoardText
    layout: Layout
    found: LayoutMeasures
    left_out: tuple[Problem, ...]

    def lost(self, paths: Sequence[tuple[LinkWish, DrawnPath]]) -> list[tuple[str, str]]:
        """Links that are a comment, each with the reason."""
        links = parse_yaml(self.text.encode(), "").get(("links",), None) or {}
        why = next((one.text() for one in self.left_out if one.path.startswith(("links", "stackup"))), "not readable")
        return [(wish.name, next((one.text() for one in self.left_out if _within(one.path, wish.name)), why))
                for wish, _ in paths if wish.name not in links]


def _within(path: str, link: str) -> bool:
    """True for the path of a problem in a link."""
    return path.startswith((f"links{under(link)}.", f"links{under(link)}["))


def layout_text(
    layout: Layout, paths: Sequence[tuple[LinkWish, DrawnPath]], name: str, stackup: Sequence[str] = (),
    found: LayoutMeasures | None = None, plating: str = PLATING, own_materials: str = "",
    sheets: dict[str, PlaneSheet] | None = None, drawn: tuple[LayoutLayer, ...] | None = None,
) -> LayoutText:
    """The board file of a layout with these links; messages call it `name`; `stackup` are rows that count instead, of
    materials that `own_materials` may define.

    Pairs that are no link are not measured. Nets behind series parts are pairs too, whatever their names are. ``found``
    are the measures of the layout, where somebody has them, and count if they hold all pairs of the links; so are
    ``sheets`` its planes. ``plating`` is the copper in the holes. ``drawn`` is the build-up to be written where that of
    the layout has thicknesses of an overlay. Only a layout that is measured here has the copper `fill` of its layers.
    """
    outline = layout.outline[0] if layout.outline else ()
    sheets = sheets_of(layout) if sheets is None else sheets
    shares = {layer: sheet.share(outline) for layer, sheet in sheets.items()}
    pairs = tuple(dict.fromkeys(pair for _, path in paths for pair in path.pairs))
    beside, fills = None, {}
    if found is None or not set(pairs) <= set(layout.pairs):
        whole, layout = layout, replace(layout, pairs=pairs) if paths else layout
        found, fills = measures(layout, sheets, of_links=bool(paths)), copper_shares(layout, sheets)
        beside = neighbours_of_stretches(whole, [path for _, path in paths],
                                         dict(zip(layout.pairs, found.references, strict=True)),
                                         {one.net for one in rail_proposals(layout)})
    unnamed: set[str] = set()
    while True:
        made = board_text(layout if drawn is None else replace(layout, layers=drawn), found, paths, shares, stackup,
                          beside, unnamed, plating, fills, own_materials)
        text, left_out = readable(made.text, name)
        written = LayoutText(text, made, layout, found, left_out)
        lost = {link for link, _ in written.lost(paths)} if beside else set()
        if lost <= unnamed:
            return written
        unnamed |= lost  # a link that is lost takes none with it that it runs beside


def layout_delays(
    layout: Layout, found: LayoutMeasures, sheets: dict[str, PlaneSheet],
) -> Mapping[NetPair, PairDelays]:
    """Impedances and delays of every pair that runs from part to part, on the board that the layout makes; ``found``
    are the measures of the layout and ``sheets`` its planes.
    """
    ways = DrawnPaths(layout)
    paths = [(LinkWish(f"pair{place}", STANDARD), path) for place, pair in enumerate(layout.pairs)
             if isinstance(path := ways.of(pair), DrawnPath)]
    if not paths:
        return {}
    written = layout_text(layout, paths, layout.file, found=found, sheets=sheets)
    board = read_text(written.text, layout.file)
    return {} if isinstance(board, tuple) else pair_delays(layout, board, written.made)  # else nothing can be built
