# SPDX-License-Identifier: MIT
"""A layout, with or without an overlay, as a document that every check reads: the board file that `import` writes.

No value that was read from the layout has a line; `drawn` says which object of the layout gives it. What an overlay
gives has its file, line and column.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import InputError, Problem, Problems, clip, quoted
from pcbrules.extraction.copper_area import copper_shares
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths
from pcbrules.extraction.measures import LayoutMeasures, measures
from pcbrules.extraction.plane_sheet import PlaneSheet, sheets_of
from pcbrules.extraction.stretch_neighbours import neighbours_of_stretches
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.model.default_build_up import DefaultBuildUp
from pcbrules.phrases import under
from pcbrules.readers.layout_file import digest, read_layout
from pcbrules.readers.readable import read_text, readable
from pcbrules.results.place import Address, Location
from pcbrules.studies.default_build_up import default_build_up
from pcbrules.studies.layout_board import BoardText, LinkWish, board_text
from pcbrules.studies.layout_places import drawn_places
from pcbrules.studies.layout_planes import unknown_planes
from pcbrules.studies.layout_text import receipt
from pcbrules.studies.layout_values import PLATING
from pcbrules.studies.overlay_links import OverlayLinks, Unread, overlay_links
from pcbrules.studies.overlay_merge import overlaid
from pcbrules.studies.overlay_questions import check_questions
from pcbrules.studies.overlay_rails import OverlayRails, overlay_rails, plating_of, without_names
from pcbrules.studies.overlay_sheets import with_sheets
from pcbrules.studies.overlay_words import OverlayWords, overlay_words
from pcbrules.studies.rail_proposals import rail_proposals

if TYPE_CHECKING:
    from pcbrules.studies.pair_delays import PairDelays

ENDINGS = (".tar.gz", ".tar.bz2")
"""Endings of layouts that are more than a suffix."""


NO_BUILD_UP = "the layout has no build-up: write `stackup` into the overlay, as a list from the top"


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


@dataclass(frozen=True, slots=True)
class LayoutDocument:
    """A layout as a document.

    Attributes
    ----------
    layout : Layout
    document : Document
    drawn : mapping
        Where the values of the layout were drawn.
    told : tuple of Problem
        What is to be told of the reading.
    unread : tuple of Unread
        What a check needs and could not be read.
    overlay : Document or None
    receipt : tuple of str
        What was read and what was not.
    words : OverlayWords
        How an overlay names what messages name by a number.
    default_build_up : DefaultBuildUp or None
        The build-up, where it is that of the CAD program and no sheet has a thickness of the overlay.
    """

    layout: Layout
    document: Document
    drawn: Mapping[Address, Location]
    told: tuple[Problem, ...]
    unread: tuple[Unread, ...]
    overlay: Document | None
    receipt: tuple[str, ...]
    words: OverlayWords
    default_build_up: DefaultBuildUp | None


def layout_text(
    layout: Layout, paths: Sequence[tuple[LinkWish, DrawnPath]], name: str, stackup: Sequence[str] = (),
    found: LayoutMeasures | None = None, plating: str = PLATING, own_materials: str = "",
    sheets: dict[str, PlaneSheet] | None = None,
) -> LayoutText:
    """The board file of a layout with these links; messages call it `name`; `stackup` are rows that count instead, of
    materials that `own_materials` may define.

    Pairs that are no link are not measured. Nets behind series parts are pairs too, whatever their names are. ``found``
    are the measures of the layout, where somebody has them, and count if they hold all pairs of the links; so are
    ``sheets`` its planes. ``plating`` is the copper in the holes. Only a layout that is measured here has the copper
    `fill` of its layers.
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
        made = board_text(layout, found, paths, shares, stackup, beside, unnamed, plating, fills,
                          own_materials)
        text, left_out = readable(made.text, name)
        written = LayoutText(text, made, layout, found, left_out)
        lost = {link for link, _ in written.lost(paths)} if beside else set()
        if lost <= unnamed:
            return written
        unnamed |= lost  # a link that is lost takes none with it that it runs beside


def read_layout_document(path: str | os.PathLike[str], name: str, overlay: Document | None) -> LayoutDocument:
    """Read a layout, called `name` in messages, and lay an overlay over it. Raises InputError with every fault."""
    return layout_document(read_layout(path, name), digest(path), overlay)


def layout_document(layout: Layout, sha256: str, overlay: Document | None) -> LayoutDocument:
    """A layout, of whose file `sha256` is the digest, with an overlay. Raises InputError with every fault."""
    name = layout.file
    problems = Problems(overlay.file if overlay else name)
    if overlay is not None:
        check_questions(overlay, problems)
        problems.check()
    built = layout if overlay is None else with_sheets(layout, overlay, problems)
    links = OverlayLinks() if overlay is None else overlay_links(overlay, built, problems)
    rails = OverlayRails() if overlay is None else overlay_rails(overlay, built, problems)
    problems.check()
    seen = built if links.paths else replace(built, pairs=())
    written = layout_text(seen, links.paths, name, _rows(overlay), plating=plating_of(overlay),
                          own_materials=_materials(overlay))
    document = parse_yaml((written.text + rails.text).encode(), name).unplaced(sha256)
    drawn = {**drawn_places(written.layout, written.made, written.found), **rails.drawn}
    bare = "" if any(one.kind == "dielectric" for one in built.layers) else NO_BUILD_UP
    lost = [Unread(f"links{under(link)}", bare or reason, ("links", links.entries[link]))
            for link, reason in written.lost(links.paths)]
    lost += [Unread(f"links{under(link)}", f"the stored fill of {' and '.join(map(clip, planes))} contradicts what "
                    "stands in it, so the planes of the link are unknown", ("links", links.entries[link]),
                    "fill the zones anew and save the layout")
             for link, steps in written.made.steps.items()
             if (planes := unknown_planes(steps, written.layout, written.found))]
    words = overlay_words(document, [one.name for one in written.made.stackup], links.entries)
    if overlay is not None:
        named = overlay.get(("layout",), None)
        if isinstance(named, str) and PurePath(named).name != PurePath(name).name:
            problems.add(overlay.problem(("layout",), f"used for {clip(name)}, which it does not name",
                                         found=quoted(named), level="warning"))
        drawn[()] = Location(overlay.file, 1, 1)  # what is missing belongs into the overlay
        document = overlaid(document, without_names(overlay), links.entries, written.made.stackup, problems)
        problems.check()
    return LayoutDocument(layout, document, drawn, (*layout.told, *written.left_out, *problems.all()),
                          (*links.unread, *rails.unread, *lost), overlay, (*receipt(layout), *rails.told), words,
                          _default(layout, document))


def _default(layout: Layout, document: Document) -> DefaultBuildUp | None:
    """The default build-up of a layout, unless the overlay gives a thickness."""
    rows = document.get(("stackup",), None) or ()
    given = any(document.source(("stackup", place, "thickness")) for place, row in enumerate(rows)
                if "thickness" in row and row.get("kind") == "dielectric")
    return None if given else default_build_up(layout.layers)


def layout_delays(
    layout: Layout, found: LayoutMeasures, sheets: dict[str, PlaneSheet],
) -> Mapping[NetPair, PairDelays]:
    """Impedances and delays of every pair that runs from part to part, on the board that the layout makes; ``found``
    are the measures of the layout and ``sheets`` its planes.
    """
    from pcbrules.studies.layout_delays import STANDARD, pair_delays

    ways = DrawnPaths(layout)
    paths = [(LinkWish(f"pair{place}", STANDARD), path) for place, pair in enumerate(layout.pairs)
             if isinstance(path := ways.of(pair), DrawnPath)]
    if not paths:
        return {}
    written = layout_text(layout, paths, layout.file, found=found, sheets=sheets)
    board = read_text(written.text, layout.file)
    return {} if isinstance(board, tuple) else pair_delays(layout, board, written.made)  # else nothing can be built


def _rows(overlay: Document | None) -> list[str]:
    """Rows of a stackup that an overlay gives as a list."""
    given = overlay.get(("stackup",), None) if overlay else None
    return [json.dumps(row) for row in given] if isinstance(given, list) else []


def _materials(overlay: Document | None) -> str:
    """Laminates and foils that an overlay defines beside rows of a stackup, which may be of them."""
    given = overlay.get(("materials",), None) if overlay and _rows(overlay) else None
    own = {key: given[key] for key in ("laminates", "foils") if key in given} if isinstance(given, dict) else {}
    return json.dumps(own) if own else ""


def overlay_place(path: str | os.PathLike[str]) -> Path:
    """Where the overlay of a layout lies: ``design.overlay.yaml`` of ``design.kicad_pcb``."""
    place = Path(path)
    ending = next((one for one in ENDINGS if place.name.lower().endswith(one)), place.suffix)
    return place.with_name(f"{place.name[:len(place.name) - len(ending)] or place.name}.overlay.yaml")


def overlay_beside(path: str | os.PathLike[str]) -> Path | None:
    """The overlay beside a layout; None without one."""
    beside = overlay_place(path)
    return beside if beside.is_file() else None


def is_overlay(document: Document) -> bool:
    """True for a document that names its layout."""
    return isinstance(document.tree, dict) and "layout" in document.tree


def layout_of(overlay: Document) -> Path:
    """The layout that an overlay names, below its folder. Raises InputError."""
    given = overlay.get(("layout",))
    folder = Path(overlay.file).parent
    if not isinstance(given, str) or not given or PurePath(given).is_absolute() or ".." in PurePath(given).parts:
        raise InputError([overlay.problem(
            ("layout",), "this is no layout below the overlay's folder", found=quoted(given),
            expected="a path such as design.kicad_pcb", fix="or name both: pcbrules check LAYOUT --overlay FILE")])
    if not (folder / given).exists():
        raise InputError([overlay.problem(("layout",), "no such file", found=quoted(given),
                                          expected="the layout, beside the overlay")])
    return folder / given


def read_overlay(path: str | os.PathLike[str]) -> Document:
    """Read an overlay. Raises InputError with every fault."""
    document = read_yaml(path)
    if not isinstance(document.tree, dict):
        raise InputError([document.problem((), "an overlay is a mapping that begins with `schema: 1`")])
    return document
