# SPDX-License-Identifier: MIT
"""A layout as a document that every check reads: the board file that `import` writes, without the file.

No value of it has a line; `drawn` says which object of the layout gives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pcbrules.document import Document, parse_yaml
from pcbrules.errors import Problem
from pcbrules.extraction.drawn_path import DrawnPath
from pcbrules.extraction.measures import LayoutMeasures, measures
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.layout.layout import Layout
from pcbrules.readers.readable import readable
from pcbrules.results.place import Address, Location
from pcbrules.studies.layout_board import BoardText, LinkWish, board_text
from pcbrules.studies.layout_places import drawn_places


@dataclass(frozen=True, slots=True)
class LayoutText:
    """The board file of a layout: its text, of which nothing is refused; what was drawn for its entries; the measures
    behind it; and what of it is a comment because no reader would take it.
    """

    text: str
    made: BoardText
    found: LayoutMeasures
    left_out: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class LayoutDocument:
    """A layout as a document, where its values were drawn, and what is to be told of it."""

    document: Document
    drawn: Mapping[Address, Location]
    told: tuple[Problem, ...]


def layout_text(layout: Layout, paths: Sequence[tuple[LinkWish, DrawnPath]], name: str) -> LayoutText:
    """The board file of a layout with these links; messages call it `name`.

    Pairs that are no link are not measured. Nets behind series parts are pairs too, whatever their names are.
    """
    outline = layout.outline[0] if layout.outline else ()
    sheets = sheets_of(layout)
    shares = {layer: sheet.share(outline) for layer, sheet in sheets.items()}
    if paths:
        layout = replace(layout, pairs=tuple(dict.fromkeys(pair for _, path in paths for pair in path.pairs)))
    found = measures(layout, sheets)
    made = board_text(layout, found, paths, shares)
    text, left_out = readable(made.text, name)
    return LayoutText(text, made, found, left_out)


def layout_document(layout: Layout, paths: Sequence[tuple[LinkWish, DrawnPath]], sha256: str) -> LayoutDocument:
    """A layout with these links as a document; `sha256` is the digest of the layout's file.

    A layout that is read without links has none declared, so rules of links are not evaluated.
    """
    if not paths:
        layout = replace(layout, pairs=())
    written = layout_text(layout, paths, layout.file)
    document = parse_yaml(written.text.encode(), layout.file).unplaced(sha256)
    return LayoutDocument(document, drawn_places(layout, written.made), (*layout.told, *written.left_out))
