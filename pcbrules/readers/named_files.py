# SPDX-License-Identifier: MIT
"""Files that a board names: they stay below the board's folder, links followed."""

from __future__ import annotations

from pathlib import Path as FilePath
from pathlib import PureWindowsPath

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.readers.names import Names


def file_below(text: str, path: Path, names: Names) -> FilePath | None:
    """The file that the value at ``path`` names, or None and a problem."""
    root = FilePath(names.document.place(path)[0]).parent
    if _leaves(root, text):
        names.fault(path, "a file named in a board stays below the board's folder", found=quoted(text))
    elif not _is_file(root / text):
        names.fault(path, "no such file", found=quoted(text), expected="a file below the board's folder")
    else:
        return root / text
    return None


def _leaves(root: FilePath, text: str) -> bool:
    """True for a path that leads out of the folder, as written on any system or through a link."""
    written = PureWindowsPath(text)
    if written.anchor or ".." in written.parts:
        return True
    try:
        return not (root / text).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # too long, a circle of links, a NUL: no file either
        return False


def _is_file(path: FilePath) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
