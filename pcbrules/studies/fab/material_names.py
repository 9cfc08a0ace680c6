# SPDX-License-Identifier: MIT
"""The laminate that a fabricator's text names: by any name of the library, with maker and construction beside it."""

from __future__ import annotations

import re

from pcbrules.library import load as library
from pcbrules.spelling import fold

CONSTRUCTION = re.compile(
    r"[(\[]?(\d{3,4}[A-Za-z]{0,2}|\d+\s*[xX*]\s*\d{3,4}|RC\s*:?\s*\d+(\.\d+)?\s*%?|\d+(\.\d+)?\s*%?|\d+(\.\d+)?(um|mm|mil)"
    r"|core|prepreg|pp|ply|plies|low-?dk|glass)[)\]]?", re.IGNORECASE)
"""A word that says how the laminate is built, not which it is: glass, resin content, thickness, core or prepreg."""

MOST_WORDS = 12
"""Words of a text that are looked at."""


def laminate_of(text: str) -> str | None:
    """Return the identifier of the laminate that a text names; None where a word of it stands for something else.

    >>> laminate_of("Megtron 6 2116 RC54%"), laminate_of("Isola 370HR, 7628"), laminate_of("Megtron 6X 2116")
    ('megtron6', '370hr', None)
    """
    whole = _known(text)
    words = [word.strip(",;") for word in text.split()[:MOST_WORDS]]
    if whole is not None or not words:
        return whole
    for length in range(len(words) - 1, 0, -1):
        for start in range(min(2, len(words) - length + 1)):
            found = _known(" ".join(words[start : start + length]))
            if found is not None and _nothing_else(words[:start], words[start + length :], found):
                return found
    return None


def _known(text: str) -> str | None:
    """The laminate of a name or an alias, or whose printed name the text is."""
    found = library.find("laminates", text)
    word = fold(text)
    return found or next((one.id for one in library.laminates() if fold(one.name) == word), None)


def _nothing_else(before: list[str], after: list[str], found: str) -> bool:
    """True if the words beside a name are its maker and its construction."""
    maker = fold(library.laminate(found).vendor)
    return all(fold(word) == maker for word in before) and all(CONSTRUCTION.fullmatch(word) for word in after if word)
