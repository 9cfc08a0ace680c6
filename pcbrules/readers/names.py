# SPDX-License-Identifier: MIT
"""Look names up in the board file and the library; an unknown one is a problem with a place and a cure."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, clip, quoted
from pcbrules.library import load as library
from pcbrules.library.load import UnknownEntry
from pcbrules.spelling import cure

WORDS = {"links": "link standard", "fabrication": "fabrication class", "oxide": "bond treatment",
         "glass": "glass style", "cooling": "way of cooling"}
"""What an entry of the library is called, where the folder's name does not say it."""


OWN = {"laminates": "materials.laminates", "foils": "materials.foils", "links": "materials.standards"}
"""Where a board file defines entries of a kind of its own."""

MOST = 24
"""Names that a message lists."""

LAYERS = 60
"""Copper layers that a message lists: more than any board has."""


class Names:
    """Looks names up and keeps what it found. An unknown name is a problem with the names that there are.

    A name is proposed as the cure only where the unknown one is another spelling of it (`spelling.same_name`): the
    nearest name of another thing would change the physics of the board unseen.
    """

    def __init__(self, document: Document, problems: Problems) -> None:
        self.document = document
        self.problems = problems
        self._defined: dict[str, Collection[str]] = {}
        self._unknown: dict[tuple[str, str], dict[str, str]] = {}

    def defined(self, section: str) -> Collection[str]:
        """Names that a section of the file defines, those of faulty entries included."""
        if section not in self._defined:
            entries = self.document.get((section,), None)
            self._defined[section] = entries if isinstance(entries, dict) else ()
        return self._defined[section]

    def warn(self, path: Path, message: str) -> None:
        """Add a warning at a place."""
        self.problems.add(self.document.problem(path, message, level="warning"))

    def doubt(self, path: Path, message: str, fix: str = "") -> None:
        """Add what is unlikely at a place; the first that is said of it is enough."""
        new = self.document.problem(path, message, level="unlikely", fix=fix)
        if not any(one.level == "unlikely" and one.path == new.path for one in self.problems.kept):
            self.problems.add(new)

    def fault(self, path: Path, message: str, **parts: Any) -> None:
        """Add a problem at a place."""
        self.problems.add(self.document.problem(path, message, **parts))

    def library(self, kind: str, name: str, path: Path) -> Any:
        """A library entry, or None and a problem. Of a problem that is only counted nobody reads what may be meant."""
        if (kind, name) in self._unknown or (self.problems.full and library.find(kind, name) is None):
            if self.problems.full:
                self.problems.count()
            else:
                self.fault(path, **self._unknown[kind, name])
            return None
        try:
            return library.entry(kind, name)
        except UnknownEntry as error:
            what = WORDS.get(kind, kind.removesuffix("s").replace("_", " "))
            near = error.listed or f"one of `pcbrules library {kind}`"
            own = f", or define it in `{OWN[kind]}`" if kind in OWN else ""
            choose = f"choose one of them{own}" if error.nearest else f"see `pcbrules library {kind}`{own}"
            fix = f"write '{error.variant}'" if error.variant else choose
            self._unknown[kind, name] = {"message": f"unknown {what}", "found": quoted(name),
                                         "expected": error.variant or near, "fix": fix}
            self.fault(path, **self._unknown[kind, name])
            return None

    def known(self, name: str, known: Collection[str], path: Path, what: str) -> bool:
        """True if the board file defines the name; otherwise a problem."""
        if name in known:
            return True
        if self.problems.full:
            self.problems.count()
            return False
        listed = [one for one, _ in zip(known, range(MOST), strict=False)]
        more = f" and {len(known) - MOST} more" if len(known) > MOST else ""
        define = f"write one of them, or define the {what}" if listed else f"define the {what}"
        self.fault(path, f"unknown {what}", found=quoted(name), expected=", ".join(listed) + more or "none is defined",
                   fix=cure(name, known) or define)
        return False

    def layer(self, name: str, path: Path) -> bool:
        """True if the stackup has a copper layer of this name; otherwise a problem that lists its copper layers."""
        coppers = self._coppers
        if name in coppers:
            return True
        if self.problems.full:
            self.problems.count()
            return False
        listed = ", ".join(coppers[one] for one in [*coppers][:LAYERS])
        self.fault(path, "unknown copper layer", found=quoted(name),
                   expected=f"one of {len(coppers)}, from the top: {listed}" if coppers else "a stackup with copper",
                   fix=cure(name, coppers) or _by_name(name, coppers))
        return False

    @cached_property
    def _coppers(self) -> dict[str, str]:
        """The copper layers from the top: name, and name with role."""
        layers = self.document.get(("stackup",), None)
        coppers = [one for one in layers if isinstance(one, dict) and one.get("kind") == "copper"] if isinstance(
            layers, list) else []
        return {str(one.get("name")): f"{one.get('name')} ({clip(str(one.get('role')), 20)})" for one in coppers}


def _by_name(name: str, coppers: dict[str, str]) -> str:
    """What to do about an unknown layer that may be a number."""
    fix = "write the name of a copper layer"
    if not name.isascii() or not name.isdigit() or not coppers or len(name) > 4:
        return fix
    count = int(name)
    if count == 0:
        return f"{fix}: layers are not counted from 0, the uppermost is {next(iter(coppers.values()))}"
    if count > len(coppers):
        return f"{fix}: there are {len(coppers)}"
    return f"{fix}: counted from 1 at the top, {count} would be {[*coppers.values()][count - 1]}"
