# SPDX-License-Identifier: MIT
"""Keys of a board file that was made of a layout, as its overlay writes them: by name in place of a number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.document import Document
from pcbrules.phrases import under

CODE = re.compile(r"`[^`\n]+`")
SHEET = re.compile(r"\bstackup\[(\d+)\]")
LINK = re.compile(r"\blinks(\.[\w-]+|\['[^']+'\])(?:\.path\[(\d+)\]\.\w+)?")
BANK = re.compile(r"\brails(\.[\w-]+|\['[^']+'\])\.ladder\[(\d+)\]\.bank")


@dataclass(frozen=True, slots=True)
class OverlayWords:
    """Names of the sheets of the stackup; by the text of a link's name its entry in the overlay, and its elements; by
    the text of a rail's name those of its capacitors, by their place in the ladder.
    """

    sheets: tuple[str, ...]
    entries: Mapping[str, str]
    elements: Mapping[str, tuple[str, ...]]
    banks: Mapping[str, Mapping[int, str]]

    __repr__ = brief

    def of(self, text: str) -> str:
        """A message with the overlay's keys: ``stackup['F.Mask'].material`` in place of ``stackup[0].material``."""
        return CODE.sub(self._code, text)

    def _code(self, found: re.Match[str]) -> str:
        return BANK.sub(self._bank, LINK.sub(self._link, SHEET.sub(self._sheet, found[0])))

    def _sheet(self, found: re.Match[str]) -> str:
        place = int(found[1])
        return f"stackup{under(self.sheets[place])}" if place < len(self.sheets) else found[0]

    def _link(self, found: re.Match[str]) -> str:
        link, place = found[1], found[2]
        if link not in self.entries:
            return found[0]
        entry = f"links{self.entries[link]}"
        return entry if place is None else f"{entry}.path{self.elements[link][int(place)]}"

    def _bank(self, found: re.Match[str]) -> str:
        name = self.banks.get(found[1], {}).get(int(found[2]))
        return f"rails{found[1]}.ladder{name}" if name else found[0]


def overlay_words(document: Document, sheets: Sequence[str], entries: Mapping[str, str]) -> OverlayWords:
    """The words of a document that was made of a layout; `entries` are those of the overlay by name of link."""
    made = {name: entry for name, entry in entries.items() if document.get(("links", name), None) is not None}
    elements = {}
    for name in made:
        steps = [next(iter(step.items())) for step in document.get(("links", name, "path"))]
        elements[under(name)] = tuple(under(str(body.get("name") or kind)) for kind, body in steps)
    rails = document.get(("rails",), None) or {}
    banks = {under(rail): {place: under(step["bank"]["name"]) for place, step in enumerate(body.get("ladder", ()))
                           if "bank" in step} for rail, body in rails.items()}
    return OverlayWords(tuple(sheets), {under(name): under(entry) for name, entry in made.items()}, elements, banks)
