# SPDX-License-Identifier: MIT
"""Is the evidence that a board names there, and does it lie where a board may point?"""

from __future__ import annotations

from pathlib import Path as FilePath
from pathlib import PureWindowsPath

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.readers.names import Names


def check_evidence(file: BoardFile, names: Names) -> None:
    """Each piece of evidence is a reference, or a file below the board's folder, links followed."""
    root = FilePath(names.document.file).parent
    for name, evidence in (file.evidence or {}).items():
        at: Path = ("evidence", name)
        if (evidence.file is None) == (evidence.reference is None):
            names.fault(at, "evidence has either a `file` or a `reference`")
        elif evidence.file is not None and _leaves(root, evidence.file):
            names.fault((*at, "file"), "a file named in a board stays below the board's folder",
                        found=quoted(evidence.file))
        elif evidence.file is not None and not _is_file(root / evidence.file):
            names.fault((*at, "file"), "no such file", found=quoted(evidence.file),
                        expected="a file below the board's folder")


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
