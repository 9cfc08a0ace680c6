# SPDX-License-Identifier: MIT
"""The board files of the directories that a command names, and what such a directory holds besides."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from pcbrules.errors import InputError, Problem, escape

MOST = 8
"""Names that one note lists."""

HEAD = 65_536
"""Bytes of a file that tell a board."""

BOARD = re.compile(rb"""(?:\s|\#[^\n]*\n)* \{?\s*
                   ["']?(?:schema["']?\s*:\s*\d+\s*,?\s*["']?)? (?:board|stackup)["']?\s*:\s""", re.VERBOSE)
"""How a board file begins, as YAML or JSON."""


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
    """True for a text that begins with the keys of a board file."""
    try:
        with open(path, "rb") as stream:
            return BOARD.match(stream.read(HEAD)) is not None
    except OSError:
        return False
