# SPDX-License-Identifier: MIT
"""Findings that say the same of several subjects, as one entry for a reader.

Alike are findings with the same rule, status, severity, numbers, limit, source, note, assumptions and waiver, whose
message and fix differ in one word at most: the name of a layer, of a link, of a key. Nothing is lost: the words stand
one after the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from operator import ne

from pcbrules.reports._numbers import texts
from pcbrules.results.edits import listed
from pcbrules.results.finding import Finding

SIGNS = frozenset(",;:.)")
"""Signs that end a word and belong to the sentence."""

LOOKED_AT = 40
"""Groups to which a finding is compared, the newest first; so a report of any size takes no time."""


class Group:
    """Findings that are alike, worst first; ``message`` and ``fix`` hold the words of all of them."""

    def __init__(self, finding: Finding) -> None:
        self.findings = [finding]
        self._texts = [_Merged(finding.message), _Merged(finding.fix)]

    @property
    def first(self) -> Finding:
        """The worst of them."""
        return self.findings[0]

    @property
    def message(self) -> str:
        """What they say."""
        return self._texts[0].text()

    @property
    def fix(self) -> str:
        """What would cure them."""
        return self._texts[1].text()

    @property
    def title(self) -> str:
        """The subject, or that of the worst one and how many more there are."""
        more = len(self.findings) - 1
        return f"{self.first.subject} and {more} more" if more else self.first.subject

    @property
    def subjects(self) -> str:
        """All subjects where there are several; else empty."""
        return ", ".join(f.subject for f in self.findings) if len(self.findings) > 1 else ""

    def absorb(self, finding: Finding) -> bool:
        """Add a finding if it is alike; False if it is not."""
        pairs = list(zip(self._texts, (finding.message.split(), finding.fix.split()), strict=True))
        if not all(merged.fits(words) for merged, words in pairs):
            return False
        for merged, words in pairs:
            merged.add(words)
        self.findings.append(finding)
        return True


class _Merged:
    """Texts that differ in one word, always at the same place."""

    def __init__(self, text: str) -> None:
        self.plain, self.words = text, text.split()
        self.place: int | None = None
        self.variants: dict[str, None] = {}

    def fits(self, words: Sequence[str]) -> bool:
        """True if a text of these words differs at the one place only."""
        if len(words) != len(self.words):
            return False
        differs = list(map(ne, self.words, words))
        return not any(differs) or (differs.count(True) == 1 and self.place in (None, differs.index(True)))

    def add(self, words: Sequence[str]) -> None:
        """Take in a text that fits."""
        for i, (one, other) in enumerate(zip(self.words, words, strict=True)):
            if one != other:
                self.place = i
                self.variants.setdefault(one)
                self.variants.setdefault(other)

    def text(self) -> str:
        """The text, with all words of the place where they differ."""
        if self.place is None:
            return self.plain
        words = self.words.copy()
        words[self.place] = _together(list(self.variants))
        return " ".join(words)


def _together(words: list[str]) -> str:
    """Words as a list; a sign that all of them end with stands once, and a quote that runs on beyond the last one."""
    last = {word[-1:] for word in words}
    sign = words[0][-1] if len(last) == 1 and last <= SIGNS else ""
    plain = [word.removesuffix(sign) for word in words]
    closed = [f"{word}`" if word.startswith("`") and word.count("`") % 2 else word for word in plain[:-1]]
    return listed([*closed, plain[-1]]) + sign


def grouped(findings: Iterable[Finding]) -> Sequence[Group]:
    """The findings, those that are alike together, at the place of the first."""
    groups: list[Group] = []
    alike: defaultdict[Hashable, list[Group]] = defaultdict(list)
    for finding in findings:
        same = alike[_key(finding)]
        if not any(group.absorb(finding) for group in same[: -LOOKED_AT - 1 : -1]):
            same.append(Group(finding))
            groups.append(same[-1])
    return groups


def _key(finding: Finding) -> Hashable:
    measured, change = finding.measured, finding.change
    return (
        finding.rule, finding.title, finding.status, finding.severity, finding.limit, texts(finding), finding.basis,
        (measured.model, measured.assumptions) if measured else None, finding.source, finding.note, finding.waiver,
        finding.waived_from, (change.known, change.was, change.text, change.entries) if change else None,
    )
