# SPDX-License-Identifier: MIT
"""Look names up in the board file and the library; an unknown one is a problem with a place and a cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, quoted
from pcbrules.library import load as library
from pcbrules.library.load import UnknownEntry

WORDS = {"links": "link standard", "fabrication": "fabrication class", "oxide": "bond treatment",
         "glass": "glass style", "cooling": "way of cooling"}
"""What an entry of the library is called, where the folder's name does not say it."""


class Names:
    """Looks names up and keeps what it found; an unknown name is a problem with the nearest known one."""

    def __init__(self, document: Document, problems: Problems) -> None:
        self.document = document
        self.problems = problems

    def defined(self, section: str) -> list[str]:
        """Names that a section of the file defines, those of faulty entries included."""
        entries = self.document.get((section,), None)
        return list(entries) if isinstance(entries, dict) else []

    def warn(self, path: Path, message: str) -> None:
        """Add a warning at a place."""
        self.problems.add(self.document.problem(path, message, level="warning"))

    def fault(self, path: Path, message: str, **parts: Any) -> None:
        """Add a problem at a place."""
        self.problems.add(self.document.problem(path, message, **parts))

    def library(self, kind: str, name: str, path: Path) -> Any:
        """A library entry, or None and a problem."""
        try:
            return library.entry(kind, name)
        except UnknownEntry as error:
            what = WORDS.get(kind, kind.removesuffix("s").replace("_", " "))
            fix = f"write '{error.nearest[0]}'" if error.nearest else f"see `pcbrules library {kind}`"
            near = ", ".join(error.nearest) or f"one of `pcbrules library {kind}`"
            self.fault(path, f"unknown {what}", found=quoted(name), expected=near, fix=fix)
            return None

    def known(self, name: str, known: Iterable[str], path: Path, what: str) -> bool:
        """True if the board file defines the name; otherwise a problem."""
        names = list(dict.fromkeys(known))
        if name in names:
            return True
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        self.fault(path, f"unknown {what}", found=quoted(name), expected=", ".join(names[:24]) or "none is defined",
                   fix=f"write '{near[0]}'" if near else f"define the {what}")
        return False
