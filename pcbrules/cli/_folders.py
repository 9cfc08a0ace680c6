# SPDX-License-Identifier: MIT
"""The board files of the directories that a command names, and what such a directory holds besides."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from pcbrules.errors import InputError, Problem, escape

MOST = 8
"""Names that one note lists."""

HEAD = 4_194_304
"""Bytes of a file that tell a board."""

BOARD = re.compile(rb"""(?:^|[{,])[ \t]* ["']?(?:(schema)["']?[ \t]*:(?=[ \t]*["']?\d)|
                   (board|stackup|links|rails)["']?[ \t]*:
                   (?=\s*(?:$|[\[{\#&!]|[\w"'-]+[ \t]*:|-[ \t])))""", re.VERBOSE | re.MULTILINE)
"""A key of a board file with its section, as YAML or JSON; a report has the name of the board there."""

TEXT = re.compile(r"\.(?:ya?ml|json)(?![a-z0-9])", re.IGNORECASE)
"""Names of texts that may be boards, also behind a further ending: ``a.yaml``, ``a.json``, ``a.yaml.bak``."""

LAYOUT = re.compile(rb"""^layout:[ \t]*["']?([^\s"'#]+)""", re.MULTILINE)
"""The layout that an overlay names."""


def board_files(boards: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the board files, those of directories in order of name, each once; and notes of what stays unchecked.

    Raises InputError for a directory that cannot be read, or holds no board file.
    """
    from pcbrules.api import is_board_name
    from pcbrules.readers.layout_file import is_layout

    files: list[str] = []
    notes: list[str] = []
    for text in boards:
        if text == "-" or not os.path.isdir(text):
            files.append(text)
            continue
        try:
            names = sorted(os.listdir(text))
        except OSError as error:
            raise InputError([Problem(text, 0, 0, "", f"the directory cannot be read: {error.strerror}")]) from None
        found = [name for name in names if is_board_name(name)]
        if not found and not is_layout(text):
            raise InputError([Problem(text, 0, 0, "", "no board file in this directory", expected="*.yaml")])
        files += [os.path.join(text, name) for name in found] or [text]
        left = list(_left_out(text, names, found)) if found else []
        if left:
            more = f" and {len(left) - MOST} more" if len(left) > MOST else ""
            notes.append(f"{escape(text)}: note: not checked: {', '.join(map(escape, left[:MOST]))}{more}; "
                         "name each that is to be checked")
    return list(dict.fromkeys(files)), notes


def left_out_below(folders: tuple[str, ...]) -> list[str]:
    """Return the files below directories that a check could read and a check of the directories leaves out.

    Board files in subfolders, hidden ones, JSON, and layouts of every format; an ODB++ folder, and a link to a folder
    with board files, count as one. A layout whose overlay is checked is none of them.
    """
    from pcbrules.api import is_board_name

    found: list[str] = []
    for folder in folders:
        for place, below, names in os.walk(folder):
            top = place == folder
            whole = [name for name in below if _is_odb(os.path.join(place, name)) or _is_link(place, name)]
            below[:] = sorted(name for name in below if name not in (*whole, ".git"))
            taken = _layouts_of(place, filter(is_board_name, names)) if top else set()
            left = [name for name in names if name not in taken and not (top and is_board_name(name))
                    and ".overlay." not in name and _is_readable(os.path.join(place, name))]
            found += [os.path.join(place, name) for name in sorted([*whole, *left])]
    return list(dict.fromkeys(found))


def _is_odb(path: str) -> bool:
    return os.path.isfile(os.path.join(path, "matrix", "matrix"))


def _is_link(place: str, name: str) -> bool:
    """True for a link to a folder with board files: what lies behind it is not walked through."""
    from pcbrules.api import is_board_name

    path = os.path.join(place, name)
    return os.path.islink(path) and any(map(is_board_name, _names(path)))


def _layouts_of(folder: str, names: Iterable[str]) -> set[str]:
    """The layouts of the overlays of a folder: that of the key `layout`, else those called as the overlay is."""
    found: set[str] = set()
    for name in names:
        if ".overlay." not in name:
            continue
        named = LAYOUT.search(_start(os.path.join(folder, name)))
        stem = name.partition(".overlay.")[0]
        found |= {named[1].decode("utf-8", "replace")} if named else {
            one for one in _names(folder) if one.rpartition(".")[0] == stem}
    return found


def _is_readable(path: str) -> bool:
    """True for a board file or a layout."""
    from pcbrules.readers.layout_file import is_layout

    if TEXT.search(os.path.basename(path)) and _is_board(path):
        return True
    start = _start(path, 4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"("):
        return start.startswith(b"(kicad_pcb")
    return (not start.startswith(b"<") or b"IPC-2581" in start) and is_layout(path)


def _start(path: str, most: int = HEAD) -> bytes:
    """The first bytes of a file; none of what cannot be read, or is no file."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as stream:
                return stream.read(most)
    except OSError:
        pass
    return b""


def _left_out(folder: str, names: list[str], found: list[str]) -> Iterator[str]:
    """Files of a directory that a check could read and does not: hidden ones, JSON, layouts; subfolders with boards."""
    from pcbrules.api import is_board_name
    from pcbrules.readers.layout_file import is_layout

    overlaid = {name.partition(".overlay.")[0] for name in found if ".overlay." in name}
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            left = is_layout(path) or any(map(is_board_name, _names(path)))
        elif name.startswith("."):
            left = is_board_name(name.lstrip(".")) and _is_board(path)
        elif is_board_name(name) or name.partition(".")[0] in overlaid:
            left = False
        else:
            left = is_layout(path) or (name.lower().endswith(".json") and _is_board(path))
        if left:
            yield f"{name}/" if os.path.isdir(path) else name


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _is_board(path: str) -> bool:
    """True for a text with the section `board`, and another one of a board file."""
    keys = {first or second for first, second in BOARD.findall(_start(path).replace(b"\r", b"\n"))}
    return b"board" in keys and len(keys) > 1
