# SPDX-License-Identifier: MIT
"""The findings of a report as its page lists them: those that say the same of several subjects stand together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf

from pcbrules.phrases import parts_of, read_path, show_path, under
from pcbrules.reports._margins import rank
from pcbrules.reports._numbers import Texts, texts
from pcbrules.reports._text import source_text
from pcbrules.reports.html._cards import KINDS
from pcbrules.results.exhibit import Exhibit
from pcbrules.results.finding import SEVERITY_ORDER, STATUS_ORDER, Finding, Status
from pcbrules.results.margin_share import Share, share
from pcbrules.results.place import Location
from pcbrules.results.report import Report
from pcbrules.ties import TOLERANCE, ordered

OPEN = (Status.FAIL, Status.CRASHED, Status.NOT_EVALUATED, Status.MARGINAL, Status.WAIVED, Status.ACCEPTED)
"""Statuses of findings that somebody has to look at."""


SHORT = 80
"""Characters of a sentence that stands with each entry, where less than half of the entries of a rule have it."""

SENTENCE = re.compile(r"(?<=[.]) (?=[A-Z`])")
"""Where a note falls into sentences."""


@dataclass(frozen=True, slots=True)
class PageEntry:
    """Findings that differ in subject and place only.

    ``finding`` is the first of them, ``at`` the subjects and places of all; ``assumed`` are the numbers of their
    assumptions in the list of the report; ``shown`` the keys of the exhibits that they point to.
    """

    finding: Finding
    at: tuple[tuple[str, Location], ...]
    texts: Texts
    share: Share | None
    rank: float
    assumed: tuple[int, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryBlock:
    """Entries of one rule that have status, severity, source and model in common, smallest margin first.

    ``fix`` and ``assumed`` are empty where they are not the same for all; ``note`` holds the sentences of all, ``own``
    those that only some note, for each entry.
    """

    entries: tuple[PageEntry, ...]
    fix: str
    note: str
    own: tuple[str, ...]
    assumed: tuple[int, ...]

    @property
    def finding(self) -> Finding:
        """The first finding: what the entries have in common is its."""
        return self.entries[0].finding

    @property
    def total(self) -> int:
        """Number of findings."""
        return sum(len(entry.at) for entry in self.entries)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """An entry in the table of its rule: ``see`` the numbers of its source and notes, ``own`` what only it notes."""

    entry: PageEntry
    see: str
    own: str


@dataclass(frozen=True, slots=True)
class RuleEntries:
    """Entries of one rule, with the sources of their limits and the sentences that several of them note, each once."""

    rule: str
    title: str
    rows: tuple[RuleRow, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """Number of findings."""
        return sum(len(row.entry.at) for row in self.rows)


def assumptions(report: Report) -> dict[str, int]:
    """Every assumption that a finding rests on, with the number of its findings; most common first."""
    found: dict[str, int] = {}
    for finding in report.findings:
        for text in finding.measured.assumptions if finding.measured else ():
            found[text] = found.get(text, 0) + 1
    return dict(ordered(found.items(), key=lambda item: (-item[1], item[0])))


def entries(report: Report, statuses: Iterable[Status], numbers: Mapping[str, int]) -> list[PageEntry]:
    """The entries of some statuses, worst first; ``numbers`` are those of the assumptions."""
    wanted = set(statuses)
    by_subject: dict[str, list[Exhibit]] = {}
    for exhibit in report.exhibits:
        by_subject.setdefault(exhibit.subject, []).append(exhibit)
    found: dict[tuple[object, ...], list[Finding]] = {}
    for finding in report.findings:
        if finding.status in wanted:
            found.setdefault(_printed_alike(finding), []).append(finding)
    made = [_entry(findings, by_subject, numbers) for findings in found.values()]
    return ordered(made, floor=TOLERANCE, key=lambda e: (
        STATUS_ORDER[e.finding.status], SEVERITY_ORDER[e.finding.severity], e.rank, e.finding.rule, e.at[0][0]))


def _printed_alike(finding: Finding) -> tuple[object, ...]:
    """All that is printed of a finding but its subject and place."""
    one, measured = finding, finding.measured
    behind = (measured.model, measured.basis, measured.assumptions) if measured else ()
    message, fix = (_of_any(text, one.subject) for text in (one.message, one.fix))
    return (one.status, one.severity, one.rule, message, texts(one), one.source, one.note, fix, one.waiver,
            one.waived_from, behind)


def _of_any(text: str, subject: str) -> str:
    """A text with ``*`` for the name of the link or rail that it is about."""
    first, name = (*parts_of(subject), "")[:2]
    own = f"{first}{under(name)}"
    return text.replace(f"{own}.", f"{first}.*.").replace(f"{own}[", f"{first}.*[") if first in KINDS and name else text


def blocks(found: Iterable[PageEntry]) -> list[EntryBlock]:
    """Entries in blocks, each in the place of its first entry."""
    alike: dict[tuple[object, ...], list[PageEntry]] = {}
    for entry in found:
        one, measured = entry.finding, entry.finding.measured
        key = (one.status, one.severity, one.rule, one.source, measured.model if measured else "", one.waiver,
               one.waived_from)
        alike.setdefault(key, []).append(entry)
    return [_block(group) for group in alike.values()]


def _block(group: Sequence[PageEntry]) -> EntryBlock:
    noted = [SENTENCE.split(entry.finding.note) if entry.finding.note else [] for entry in group]
    shared = [one for one in noted[0] if all(one in mine for mine in noted)]
    return EntryBlock(
        entries=tuple(group),
        fix=group[0].finding.fix if len({e.finding.fix for e in group}) == 1 else "",
        note=" ".join(shared),
        own=tuple(" ".join(one for one in mine if one not in shared) for mine in noted),
        assumed=group[0].assumed if len({e.assumed for e in group}) == 1 else (),
    )


def by_rule(found: Iterable[PageEntry]) -> list[RuleEntries]:
    """The same by rule."""
    rules: dict[str, list[PageEntry]] = {}
    for entry in found:
        rules.setdefault(entry.finding.rule, []).append(entry)
    made = []
    for rule, group in sorted(rules.items()):
        sources = list(dict.fromkeys(map(_source, filter(_source, group))))
        noted = _noted(group)
        said = Counter(one for parts in noted for one in parts)
        shared = list(dict.fromkeys(one for parts in noted for one in parts
                                    if 2 * said[one] >= len(group) or (said[one] > 1 and len(one) > SHORT)))
        partly = [sentence for sentence in shared if said[sentence] < len(group)]
        notes = [*(one for one in shared if one not in partly), *partly]
        made.append(RuleEntries(rule, group[0].finding.title, tuple(
            RuleRow(e, _see(_source(e), sources if len(sources) > 1 else [],
                            [notes.index(one) + 1 for one in parts if one in partly]),
                    " ".join(one for one in parts if one not in shared)) for e, parts in zip(group, noted, strict=True)
        ), tuple(sources), tuple(notes)))
    return made


def _source(entry: PageEntry) -> str:
    return source_text(entry.finding)


def _noted(group: Sequence[PageEntry]) -> list[list[str]]:
    """What each entry notes, in parts: sentences on end that the same entries have stay together."""
    sentences = [SENTENCE.split(e.finding.note) if e.finding.note else [] for e in group]
    owners: dict[str, set[int]] = {}
    for place, mine in enumerate(sentences):
        for one in mine:
            owners.setdefault(one, set()).add(place)
    return [[" ".join(run) for _, run in groupby(mine, key=lambda one: owners[one])] for mine in sentences]


def _see(source: str, sources: list[str], notes: list[int]) -> str:
    """``source 2, notes 1, 3``: which of the numbered ones an entry has."""
    first = [f"source {sources.index(source) + 1}"] if source in sources else []
    rest = [f"note{'s' if len(notes) > 1 else ''} {', '.join(map(str, notes))}"] if notes else []
    return ", ".join([*first, *rest])


def _entry(findings: list[Finding], exhibits: Mapping[str, list[Exhibit]], numbers: Mapping[str, int]) -> PageEntry:
    first, alone = findings[0], len(findings) == 1
    if len({parts_of(one.subject)[:2] for one in findings}) > 1:
        first = replace(first, message=_of_any(first.message, first.subject), fix=_of_any(first.fix, first.subject))
    place = rank(first)
    return PageEntry(
        finding=first,
        at=tuple((one.subject, one.where) for one in findings),
        texts=texts(first),
        share=share(first),
        rank=inf if place is None else place,
        assumed=tuple(sorted(numbers[text] for text in first.measured.assumptions)) if first.measured else (),
        shown=tuple(x.key for x in _near(first.subject, exhibits) if alone and x.illustrates(first)),
    )


def _near(subject: str, exhibits: Mapping[str, list[Exhibit]]) -> Iterable[Exhibit]:
    yield from (one for one in exhibits.get("layout", ()) if subject != "layout")  # it has pins of every subject
    path = read_path(subject) or (subject,)
    for count in range(1, min(len(path), 2) + 1):
        yield from exhibits.get(show_path(path[:count]), ())
