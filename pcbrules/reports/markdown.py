# SPDX-License-Identifier: MIT
"""The report for a pull request or a wiki: Markdown (CommonMark with the tables of GitHub).

No text of a board file can become markup. Punctuation that means something is escaped; words that a site
would turn into a link or a notification (``@name``, ``#12``, addresses) become code, the one place where
sites leave them alone. Places are links where the report says where its files can be seen.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isfinite
from urllib.parse import quote

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.reports._brief import fitting
from pcbrules.reports._causes import BELOW, Cause, causes
from pcbrules.reports._coverage import coverage_rows
from pcbrules.reports._groups import Group, grouped
from pcbrules.reports._moved import moves
from pcbrules.reports._numbers import Texts, texts
from pcbrules.reports._text import (
    SCREEN,
    SHAPE,
    WORD,
    by_basis,
    counted,
    known,
    lead,
    place,
    shape,
    shown_bases,
    shown_findings,
    source_text,
    to_ascii,
    verdict,
    waiver_text,
)
from pcbrules.reports._wanted_entries import LEAD, wanted_entries
from pcbrules.results.board_verdict import BoardVerdict
from pcbrules.results.finding import LOST_MARGIN, Finding, Status
from pcbrules.results.margin_share import is_word
from pcbrules.results.report import Report
from pcbrules.ties import TOLERANCE, least_of, ordered, same
from pcbrules.version import VERSION

NAME = "markdown"
SUFFIXES = (".md", ".markdown")

CAUSES, CELL = 10, 240
"""Causes of the first table, and characters of a text in it."""

MATTERS = frozenset({Status.FAIL, Status.CRASHED, Status.MARGINAL, Status.NOT_EVALUATED})
"""Statuses of what stands in it."""

LOOSE = frozenset({"PCB006", "PCB010"})
"""Rules of what is gone, switched off or relaxed since a baseline."""

NAMES = 10
"""Boards of one verdict that are named above the reports of several."""

MOVED = 10
"""Rows of the table of what a change moved."""

SMALLEST = 10
"""Margins in the table of the smallest ones."""

_MEANING = re.compile(r"[\\`*_\[\]|~#$!]")
_ENTITY = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_QUOTED = re.compile(r"`([^`]+)`")
_PARTS = re.compile(r"`[^`]+`|[^\s`]+|.")
_ROOTED = re.compile(r"/|\.\.(/|$)|[A-Za-z]:|<")
_LINKED = re.compile(r"@|://|www\.|mailto:|#\d|\bGH-\d", re.IGNORECASE)


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports as Markdown; see ``reports.Format``."""
    parts = ["\n".join(_report(report)) for report in reports]
    if len(parts) > 1:
        parts.insert(0, "\n".join(_boards(reports)))
    page = "\n---\n\n".join([*parts, f"{SCREEN} pcbrules {VERSION}\n"])
    return uncommanded(to_ascii(page) if ascii_only else page)


def text(raw: str, *, cell: bool = False) -> str:
    """Text that Markdown shows as it is; what stands between backticks is shown as code."""
    shown = ""
    for part in _PARTS.findall(" ".join(escape(raw).split())):
        if _LINKED.search(part) or _QUOTED.fullmatch(part):
            span = code(_QUOTED.sub(r"\1", part), cell=cell)
            shown += f" {span}" if shown.endswith("`") else span
        else:
            shown += "".join(_ENTITY.get(char, char) for char in _MEANING.sub(r"\\\g<0>", part))
    return shown


def code(raw: str, *, cell: bool = False) -> str:
    """Text as code; in a table cell the pipe needs a backslash even there."""
    shown = " ".join(escape(raw).split())
    if not shown:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return fence + pad + (shown.replace("|", "\\|") if cell else shown) + pad + fence


def link(finding: Finding, source_url: str, *, cell: bool = False) -> str:
    """Where the finding stands, as a link to its line if the report has an address for its files."""
    shown = code(place(finding), cell=cell)
    path = posixpath.normpath(finding.where.file.replace("\\", "/"))
    if not source_url or _ROOTED.match(path):
        return shown
    encoded = quote(path.encode("utf-8", "replace"), safe="/")
    return f"[{shown}](<{source_url.replace('{file}', encoded).replace('{line}', str(max(finding.where.line, 1)))}>)"


def _boards(reports: Sequence[Report]) -> Iterable[str]:
    """The verdict on all boards together, that of the worst; and how many have which."""
    worst = least_of((report.verdict for report in reports), key=tuple(BoardVerdict).index)
    counts = Counter(report.verdict for report in reports)
    yield f"# pcbrules: {worst}, {len(reports)} boards"
    yield ""
    for one in BoardVerdict:
        if counts[one]:
            names = [code(report.board) for report in reports if report.verdict is one]
            more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
            yield f"- {one}: {', '.join(names[:NAMES])}{more}"
    yield ""


def _report(report: Report) -> Iterable[str]:
    findings = shown_findings(report)
    profile = f"{code(report.profile.name)} {text(report.profile.version)}"
    yield f"# pcbrules: {code(report.board)} under profile {profile}"
    yield ""
    if report.profile.title:
        yield f"Profile: {text(report.profile.title)}"
        yield ""
    design = ", ".join((*([f"Revision {text(report.revision)}"] if report.revision else ()),
                        *([report.date] if report.date else ())))
    if design:
        yield design
        yield ""
    yield f"**{text(verdict(report))}**"
    yield ""
    for note in report.notes:
        if note not in report.receipt:
            yield f"Note: {text(note)}"
            yield ""
    old = [one for one in findings if known(one)]
    new = [one for one in findings if not known(one)]
    yield from _loosened([one for one in new if one.rule in LOOSE], report.source_url)
    rest = [one for one in new if one.rule not in LOOSE]
    found = [one for one in causes(rest) if one.first.status in MATTERS]
    yield from _matters(found, wanted_entries(report), report.source_url)
    yield from _moved(report)
    told = {id(one.first) for one in found[:CAUSES] if len(one.findings) == 1}
    whole = [group for group in grouped(rest) if id(group.first) not in told or _adds(group)]
    if whole or old:
        yield "## Findings"
        yield ""
        if old:
            yield from _overview(old, report.source_url)
            yield ""
        for group in whole:
            yield from _details(group, report.source_url)
    yield from _smallest(report)
    yield "## Coverage"
    yield ""
    yield from _counts(report)
    yield ""
    yield f"Rules that passed: {text(counted(report.rules_with(Status.PASS))) or 'none'}."
    yield ""
    yield from _coverage(report)
    yield ""
    yield "## Inputs and conditions"
    yield ""
    yield from (f"- Input, {text(i.role)}: {code(i.file)}, SHA-256 {code(i.sha256)}" for i in report.inputs)
    yield from (f"- Condition, {text(name)}: {text(value)}" for name, value in report.conditions)
    yield from (f"- {text(line)}" for line in report.receipt)
    yield ""


def _loosened(findings: Sequence[Finding], source_url: str) -> Iterable[str]:
    """What was judged in the baseline and is not any more, or by less: a reviewer reads it first, and here alone."""
    if findings:
        yield "## Loosened since the baseline"
        yield ""
        for one in findings:
            fix = f" Fix: {text(one.fix)}." if one.fix else ""
            status = text(f"{shape(one)} {lead(one)}")
            yield f"- **{status} {text(one.rule)}:** {text(one.message)}. {link(one, source_url)}{fix}"
        yield ""


def _adds(group: Group) -> bool:
    """True where a row of what matters does not tell all of a finding: a number, a model or a note is left to show."""
    first = group.first
    return first.measured is not None or bool(first.note) or max(len(first.message), len(first.fix)) > CELL


def _matters(found: Sequence[Cause], entries: Sequence[str], source_url: str) -> Iterable[str]:
    """The causes that count, each with its place and its fix, and what would let them through: what a reviewer reads.
    """
    if found:
        yield "## What matters"
        yield ""
        yield "| Cause | Found | Limit | Fix |"
        yield "|:--|:--|:--|:--|"
    for one in found[:CAUSES]:
        first, numbers = one.first, one.numbers
        also = f"; {one.also}" if one.also else ""
        cells = (
            f"{text(f'{shape(first)} {lead(first)}')} {text(first.rule, cell=True)} {code(one.subjects, cell=True)}"
            f"{text(also, cell=True)} {link(first, source_url, cell=True)}",
            text(numbers.measured if numbers else fitting(first.message, CELL) or BELOW, cell=True),
            text(_limit(first, numbers), cell=True),
            text(one.brief_cure(CELL), cell=True),
        )
        yield f"| {' | '.join(cells)} |"
    if found:
        yield ""
    if len(found) > CAUSES:
        yield f"{len(found) - CAUSES} more below."
        yield ""
    if entries:
        yield text(LEAD)
        yield ""
        yield "```yaml"
        yield from entries
        yield "```"
        yield ""


def _moved(report: Report) -> Iterable[str]:
    """The numbers that are not what they were in the baseline: the most lost, and the most gained if there is room."""
    found = moves(report.findings)
    if not found:
        return
    yield "## What moved since the baseline"
    yield ""
    yield "| Rule | Subject | Before | Now | Limit | Left of the limit | Status |"
    yield "|:--|:--|--:|--:|:--|--:|:--|"
    for one in found[:MOVED]:
        finding, change = one.finding, one.finding.change
        now = f"{shape(finding)} {lead(finding)}"
        was = "" if change is None or change.was in (None, finding.status) else f"{WORD[change.was]} → "
        cells = (
            text(finding.rule, cell=True),
            f"{code(finding.subject, cell=True)} {link(finding, report.source_url, cell=True)}",
            text(one.was, cell=True),
            text(one.now, cell=True),
            text(one.limit, cell=True),
            text(f"{one.left * 100:.1f} % → {one.left_now * 100:.1f} %".replace("-", "−"), cell=True),
            text(f"{was}{now}"),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    rest = found[MOVED:]
    if rest:
        lost = sum(one.left_now < one.left for one in rest)
        yield f"{len(rest)} more moved: {lost} lost less than these, {len(rest) - lost} gained."
        yield ""


def _limit(finding: Finding, numbers: Texts | None) -> str:
    """The limit of a cause; of one that is compared with none, what it is judged by."""
    if numbers and numbers.limit:
        return numbers.limit
    if finding.limit is not None and finding.limit.text:
        return finding.limit.text
    if finding.rule in (*LOOSE, LOST_MARGIN):
        return "no limit: compared with the baseline"
    return "no limit" if finding.rule.startswith("PCB") else ""


def _counts(report: Report) -> Iterable[str]:
    found = by_basis(report)
    bases = shown_bases(found)
    heads = ("No number" if basis == "none" else basis.capitalize() for basis in bases)
    yield f"| Status | All | {' | '.join(heads)} |"
    yield f"|:--|--:|{'--:|' * len(bases)}"
    for status, counts in found.items():
        row = (sum(counts.values()), *(counts[basis] for basis in bases))
        yield f"| {text(f'{SHAPE[status]} {WORD[status]}')} | {' | '.join(map(str, row))} |"


def _coverage(report: Report) -> Iterable[str]:
    """What the report covers, by rule."""
    yield "Coverage, by rule:"
    yield ""
    for row in coverage_rows(report):
        yield f"- **{row.name.capitalize()} ({row.rules}):** {text('; '.join(row.texts)) or 'none'}"


def _smallest(report: Report) -> Iterable[str]:
    """The smallest margins of what passed, each as a share of its limit: what did not is told above.

    A pass that is declared, or a count, is left out: what is as the limit asks has no margin to speak of.
    """
    above = {id(one) for one in shown_findings(report)}
    shares = [(share, one) for one in report.findings if id(one) not in above and (share := _share(one)) is not None]
    if not shares:
        return
    yield "## Smallest margins of what passes"
    yield ""
    yield "| Share of limit | Margin | Status | Rule | Subject | Measured | Limit | Where |"
    yield "|--:|--:|:--|:--|:--|:--|:--|:--|"
    for share, finding in ordered(shares, key=lambda item: (item[0], item[1].sort_key()), floor=TOLERANCE)[:SMALLEST]:
        shown = texts(finding)
        cells = (
            text(f"{share * 100:.1f} %".replace("-", "−"), cell=True),
            text(shown.margin, cell=True),
            text(f"{shape(finding)} {lead(finding)}"),
            text(finding.rule, cell=True),
            code(finding.subject, cell=True),
            text(shown.measured, cell=True),
            text(shown.limit, cell=True),
            link(finding, report.source_url, cell=True),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _share(finding: Finding) -> float | None:
    """Margin over limit; None where there is no such number, or none worth a look."""
    measured, limit = finding.measured, finding.limit
    if measured is None or limit is None or is_word(limit) or finding.rule.startswith("PCB") or not limit.scale():
        return None
    count = not limit.unit and same(measured.lo, measured.hi)
    if finding.status is Status.PASS and (count or measured.basis == "declared"):
        return None
    share = limit.share(measured.value)
    return share if share is not None and isfinite(share) else None


def _overview(findings: Sequence[Finding], source_url: str) -> Iterable[str]:
    yield "| Status | Rule | Subject | Measured | Limit | Margin | Where |"
    yield "|:--|:--|:--|:--|:--|:--|:--|"
    for finding in findings:
        shown = texts(finding)
        cells = (
            text(f"{shape(finding)} {lead(finding)}{' (known)' if known(finding) else ''}"),
            text(finding.rule, cell=True),
            code(finding.subject, cell=True),
            text(shown.measured, cell=True),
            text(shown.limit, cell=True),
            text(shown.margin, cell=True),
            link(finding, source_url, cell=True),
        )
        yield f"| {' | '.join(cells)} |"


def _details(group: Group, source_url: str) -> Iterable[str]:
    finding = group.first
    more = f" and {len(group.findings) - 1} more" if len(group.findings) > 1 else ""
    places = {place(f): link(f, source_url) for f in group.findings}
    status = text(f"{shape(finding)} {lead(finding).capitalize()}")
    yield f"### {status}: {text(finding.rule)} {code(finding.subject)}{more}"
    yield ""
    severity = "" if lead(finding) == finding.severity else f"**{finding.severity.capitalize()}.** "
    yield f"{severity}{text(finding.title)}: {text(group.message)}"
    yield ""
    measured = finding.measured
    for label, shown in (
        ("Compared", text(texts(finding).sentence(finding.basis))),
        ("Model", text(measured.model) if measured else ""),
        ("Source", text(source_text(finding))),
        ("Note", text(finding.note)),
        ("Assumed", text("; ".join(measured.assumptions)) if measured else ""),
        ("Waiver", text(waiver_text(finding))),
        ("Fix", text(group.fix)),
        ("Baseline", text(finding.change.text) if finding.change else ""),
        ("Subjects", ", ".join(code(f.subject) for f in group.findings) if more else ""),
        ("Where", ", ".join(places.values())),
    ):
        if shown:
            yield f"- **{label}:** {shown}"
    yield ""
