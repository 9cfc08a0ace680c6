# SPDX-License-Identifier: MIT
"""Texts that several findings share, each once at the end and a number in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pcbrules.reports._console_page import ConsolePage
from pcbrules.reports._text import source_text
from pcbrules.results.finding import Finding

SHORT = 40
"""Characters up to which a text stands at each of its places: a number would save nothing."""


class Footnotes:
    """Sources, notes and assumptions of findings: those that occur more than once have a number."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._count = Counter(text for one in findings for text in _texts(one))
        self._number: dict[str, int] = {}

    def of(self, text: str) -> str:
        """The text itself, or the number of the footnote that it has."""
        if self._count[text] < 2 or len(text) <= SHORT:
            return text
        return f"[{self._number.setdefault(text, len(self._number) + 1)}]"

    def write(self, page: ConsolePage) -> None:
        """Write the footnotes that were referred to, in the order of their numbers."""
        for text, number in self._number.items():
            page.text(f"[{number}] {text}", hang=len(f"[{number}] "))
        if self._number:
            page.blank()


def _texts(finding: Finding) -> tuple[str, ...]:
    assumed = finding.measured.assumptions if finding.measured else ()
    return (source_text(finding), finding.note, *assumed)
