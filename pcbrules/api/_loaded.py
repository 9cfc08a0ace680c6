# SPDX-License-Identifier: MIT
"""A board that was read, its links, and their networks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pcbrules.api._arguments import FileGiven, ProfileGiven, is_text, kind, names, yaml_text
from pcbrules.api._links import Link
from pcbrules.api._rails import LoadedRail
from pcbrules.api._replacing import NO_VALUE, edits_of, laminated, replaced
from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import InputError, Problem, clip
from pcbrules.layout.layout import Layout
from pcbrules.model.board import Board
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.place import Address, Location
from pcbrules.rulesets import profiles

if TYPE_CHECKING:

    from pcbrules.api._layouts import LayoutDocument
    from pcbrules.studies.lines import Lines
    from pcbrules.studies.overlay_links import Unread
    from pcbrules.studies.overlay_words import OverlayWords


@dataclass(frozen=True, slots=True)
class Loaded:
    """A board that was read.

    Attributes
    ----------
    document : Document
        The board file.
    board : Board
        What it resolves to.
    warnings : tuple of Problem
        What the reader warns of.
    drawn : mapping
        Objects of a layout, by the address of what they give the board; all below an address is given by its object.
    unread : tuple of Unread
        What a check needs of a layout, and nobody could read.
    overlay : Document or None
        The overlay of a layout.
    receipt : tuple of str
        What was read of a layout and what was not.
    layout : Layout or None
        What was drawn, where the board was read from a layout.
    words : OverlayWords or None
        How the overlay of a layout names what messages name by a number.
    """

    document: Document
    board: Board
    warnings: tuple[Problem, ...] = ()
    drawn: Mapping[Address, Location] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    overlay: Document | None = None
    receipt: tuple[str, ...] = ()
    layout: Layout | None = None
    words: OverlayWords | None = None

    def at(self, address: Address) -> Location:
        """Where an input of the board stands: the object that was drawn for it, or its line of a file."""
        for length in range(len(address), -1, -1) if self.drawn and not self.document.source(address) else ():
            if address[:length] in self.drawn:
                return self.drawn[address[:length]]
        return Location(*self.document.place(address))

    @property
    def name(self) -> str:
        """The board's name."""
        return self.board.name

    def __repr__(self) -> str:
        links, rails = len(self.board.links or ()), len(self.board.rails or ())
        return f"<board {clip(self.name, 60)}: {links} links, {rails} rails, from {clip(self.document.file, 60)}>"

    def replace(self, key: str | Mapping[str, Any], value: Any = NO_VALUE, *, along: bool = False) -> Loaded:
        """The board with another value for some inputs, read and checked anew; this one stays as it is.

        Parameters
        ----------
        key : str, or mapping of str to values
            As messages name it; a part of a path or a layer may stand by its name: ``links.up.path.run.length``.
            ``*`` stands for every key and every item. Several inputs that only together make a board are one mapping:
            ``{key: value, other_key: value}``.
        value : str, number, bool, list, mapping or None
            As in the board file: ``"60 mm"``. Left out where `key` is a mapping.
        along : bool
            What depends on the value moves with it, as in ``sweep``: the upper width of a trace by its etch, the
            lengths of its legs and lanes.

        Returns
        -------
        Loaded

        Raises
        ------
        InputError
            No such part, or a value that a board file may not have: the message names the key.
        TypeError
            Where `key` is no key, or the value is missing.
        """
        document = replaced(self.document, edits_of(key, value), along=along)
        board, warnings = board_of(document)
        return replace(self, document=document, board=board, warnings=warnings)

    def with_laminate(self, material: str, *, layers: Sequence[str] | str = ()) -> Loaded:
        """The board with its dielectrics of another laminate; this one stays as it is.

        Thickness, glass and form stay. What a layer declares of its old laminate (``dk``, ``resin``, ``resin_height``)
        is left out, so that the new laminate has its own Dk; solder masks stay too.

        Parameters
        ----------
        material : str
            A laminate of the library, or of the section ``materials``.
        layers : sequence of str
            Names of the dielectrics; if none is given all of them.

        Returns
        -------
        Loaded

        Raises
        ------
        InputError
            No such laminate or layer, or a board without a stackup.
        TypeError
            Names that are no text.
        """
        if not isinstance(material, str):
            raise TypeError(f"with_laminate() takes the name of a laminate, not {kind(material)}")
        document = laminated(self.document, material, names(layers, "layers"))
        board, warnings = board_of(document)
        return replace(self, document=document, board=board, warnings=warnings)

    def lines(self, profile: ProfileGiven, *, layer: str | None = None, link: str | None = None) -> Lines:
        """Every trace geometry of the board: ``pcbrules.lines`` of it."""
        from pcbrules.api.calls import lines

        return lines(self, profile, layer=layer, link=link)

    @property
    def links(self) -> Mapping[str, Link]:
        """The links of the board by their names, in the order of the file."""
        return MappingProxyType(_Named("link", {one.name: Link(self, one) for one in self.board.links or ()}))

    @property
    def rails(self) -> Mapping[str, LoadedRail]:
        """The rails of the board by their names, in the order of the file."""
        found = {name: LoadedRail(self, name, one) for name, one in (self.board.rails or {}).items()}
        return MappingProxyType(_Named("rail", found))


BoardGiven = Loaded | FileGiven
"""A board that was read, or what ``load`` takes."""


Part = TypeVar("Part")


class _Named(dict[str, Part]):
    """Links or rails by their names; asked for another name it says which there are."""

    def __init__(self, what: str, parts: Mapping[str, Part]) -> None:
        super().__init__(parts)
        self.what = what

    def __missing__(self, name: object) -> Part:
        known = ", ".join(self) or "it has none"
        raise KeyError(f"the board has no {self.what} {clip(repr(name), 80)}: {clip(known)}")


def read_board(given: Any, call: str) -> Loaded:
    """Return the board, read if it was not; what is no board raises TypeError with the right call."""
    if isinstance(given, Loaded):
        return given
    if isinstance(given, str) and given in profiles():
        raise TypeError(f"{call}() takes the board first, then the profile: {given!r} is a profile")
    if isinstance(given, str | os.PathLike | Mapping):
        return load(given)
    raise TypeError(f"{call}() takes a board first, as pcbrules.load() takes or returns it: the path of a file, its "
                    f"text or a mapping; the first is {kind(given)}")


def load(
    path: FileGiven, shown_as: str | None = None, *,
    overlay: str | os.PathLike[str] | None = None,
) -> Loaded:
    """Read a board file, a layout, or the overlay of a layout.

    Parameters
    ----------
    path : path, str or mapping
        Of the file; or its text, which has more than one line; or what a board file holds, as a mapping. Files that
        such a text or mapping names are looked for in the working directory.
    shown_as : str, optional
        What messages call the file.
    overlay : path, optional
        What the layout does not know; else the file ``NAME.overlay.yaml`` beside it, if there is one.

    Raises
    ------
    InputError
        With every fault.
    TypeError
        Where `path` is none of these.
    """
    from pcbrules.readers.layout_file import is_layout

    if isinstance(path, Mapping):
        return _load_text(yaml_text(path, "load()"), shown_as or "<mapping>", overlay)
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"load() takes the path of a board file or a layout, its text or a mapping, not {kind(path)}")
    if isinstance(path, str) and is_text(path):
        return _load_text(path, shown_as or "<text>", overlay)
    name = PurePath(path).as_posix() if shown_as is None else shown_as
    if is_layout(path):
        return _load_layout(path, name, overlay)
    document = read_yaml(path, name)
    if isinstance(document.tree, dict) and "layout" in document.tree:
        return _load_overlay(document)
    if overlay is not None:
        raise InputError([document.problem((), "an overlay belongs to a layout, and this is a board file")])
    return resolve(document)


def _load_text(text: str, name: str, overlay: str | os.PathLike[str] | None) -> Loaded:
    if overlay is not None:
        raise TypeError("an overlay belongs to the file of a layout, not to a text or a mapping")
    return resolve(parse_yaml(text.encode(), name))


def _load_layout(path: str | os.PathLike[str], name: str, overlay: str | os.PathLike[str] | None) -> Loaded:
    from pcbrules.api import _layouts

    beside = overlay if overlay is not None else _layouts.overlay_beside(path)
    given = None if beside is None else _layouts.read_overlay(beside)
    return _resolved(_layouts.read_layout_document(path, name, given))


def _load_overlay(overlay: Document) -> Loaded:
    from pcbrules.api import _layouts

    path = _layouts.layout_of(overlay)
    return _resolved(_layouts.read_layout_document(path, path.as_posix(), overlay))


def _resolved(made: LayoutDocument) -> Loaded:
    try:
        board, warnings = board_of(made.document)
    except InputError as error:  # an entry of an overlay that made several links has one fault
        first: dict[tuple[str, int, int, str], Problem] = {}
        for one in error.problems:
            first.setdefault((one.file, one.line, one.column, one.message if one.line else one.text()), one)
        raise InputError(first.values()) from None
    board = replace(board, default_build_up=made.default_build_up)
    return Loaded(made.document, board, (*made.told, *warnings), made.drawn, made.unread, made.overlay, made.receipt,
                  made.layout, made.words)


def resolve(document: Document) -> Loaded:
    """Check and resolve a document: a board file as read, or an edited variant of it. Raises InputError."""
    board, warnings = board_of(document)
    return Loaded(document, board, warnings)


def is_board_name(name: str) -> bool:
    """True for names that a directory scan takes for board files."""
    return PurePath(name).suffix.lower() in (".yaml", ".yml") and not PurePath(name).name.startswith(".")
