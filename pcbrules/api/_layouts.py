# SPDX-License-Identifier: MIT
"""A layout, with or without an overlay, as a document that every check reads: the board file that `import` writes.

No value that was read from the layout has a line; `drawn` says which object of the layout gives it. What an overlay
gives has its file, line and column.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pcbrules.api._layout_text import layout_text
from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import InputError, Problem, Problems, clip, quoted
from pcbrules.layout.layout import Layout
from pcbrules.model.default_build_up import DefaultBuildUp
from pcbrules.phrases import under
from pcbrules.readers.layout_file import digest, read_layout
from pcbrules.results.place import Address, Location
from pcbrules.studies.default_build_up import default_build_up
from pcbrules.studies.layout_places import drawn_places
from pcbrules.studies.layout_planes import unknown_planes
from pcbrules.studies.layout_text import receipt
from pcbrules.studies.overlay_links import OverlayLinks, Unread, overlay_links
from pcbrules.studies.overlay_merge import overlaid
from pcbrules.studies.overlay_questions import check_questions
from pcbrules.studies.overlay_rails import OverlayRails, overlay_rails, plating_of, without_names
from pcbrules.studies.overlay_sheets import with_sheets
from pcbrules.studies.overlay_words import OverlayWords, overlay_words

if TYPE_CHECKING:
    pass

ENDINGS = (".tar.gz", ".tar.bz2")
"""Endings of layouts that are more than a suffix."""


NO_BUILD_UP = "the layout has no build-up: write `stackup` into the overlay, as a list from the top"


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
    rows = _rows(overlay)
    written = layout_text(seen, links.paths, name, rows, plating=plating_of(overlay),
                          own_materials=_materials(overlay), drawn=None if rows else layout.layers)
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
