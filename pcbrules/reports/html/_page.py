# SPDX-License-Identifier: MIT
"""The page: what the template prints, gathered, and the template filled. Same reports, same bytes."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf, isfinite

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from pcbrules.phrases import parts_of, uncommanded_markup
from pcbrules.reports._causes import Cause, causes
from pcbrules.reports._coverage import CoverageRow, coverage_line, coverage_rows
from pcbrules.reports._tally import Tally, tallies
from pcbrules.reports._text import (
    LIGHT,
    SCREEN,
    SHAPE,
    WORD,
    counted,
    known,
    lead,
    shape,
    shown_findings,
    verdict,
    waiver_text,
)
from pcbrules.reports.html._cards import SubjectCard, cards, subject_of
from pcbrules.reports.html._drawing import Figure, figure
from pcbrules.reports.html._entries import (
    OPEN,
    EntryBlock,
    PageEntry,
    RuleEntries,
    assumptions,
    blocks,
    by_rule,
    entries,
)
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import breakable, inert, on_paper, rich, verbatim
from pcbrules.results.board_verdict import BoardVerdict
from pcbrules.results.edits import labelled
from pcbrules.results.exhibit import StudySection
from pcbrules.results.finding import Severity, Status
from pcbrules.results.judge import FABRICATION
from pcbrules.results.margin_share import Share
from pcbrules.results.place import Location
from pcbrules.results.report import ModelError, Report
from pcbrules.ties import least_of, ordered
from pcbrules.version import VERSION

LOOK = {
    BoardVerdict.FAIL: Status.FAIL,
    BoardVerdict.INCOMPLETE: Status.NOT_EVALUATED,
    BoardVerdict.WITH_WARNINGS: Status.MARGINAL,
    BoardVerdict.PASS: Status.PASS,
}
"""Shape and colour of each verdict."""

SIGN = {BoardVerdict.WITH_WARNINGS: LIGHT[Severity.WARNING]}
"""Shape of a verdict that has not that of its status."""

DIGITS = 12
"""Digits of the hash of the board file that the first page shows."""

FIRST = 12
"""Cards, and links with their pictures, that are open from the start."""

BRIEF = (700, 500, 400, 300, 240, 200, 170, 140)
"""Characters of a fix among the causes: the most with which all take no more than ``ROOM``; the rest stands below."""

ON_PAPER = 170
"""Characters of one on paper where it has so short a form: the finding below says all, and nothing is folded."""

ROOM = 27
"""Lines of all causes on the first page, which holds the signatures too."""

FIX_LINE, CAUSE_LINES = 52, 4
"""Characters of a line of a fix on paper, and lines that a cause takes at least."""

OPEN_KEYS = 8
"""Open inputs that the first page names."""

ACROSS = 2
"""Pictures in a row on paper."""

TOP = 5
"""Causes on the first page."""

LOUD = 4
"""Subjects whose pictures stand before the appendix of a report on paper: those with the worst findings."""

SETTLED = (Status.PASS, Status.NOT_APPLICABLE)
"""Statuses of a card whose pictures stand in the appendix of a report on paper."""

MARK = "†"
"""Of a number whose interval holds more than the error of its model."""

MATTERS = (Status.FAIL, Status.CRASHED, Status.MARGINAL, Status.NOT_EVALUATED)
"""Statuses of what stands on the first page."""

LISTED = 6
"""Subjects of an entry that stand in the page at once; more of them are folded."""


@dataclass(frozen=True, slots=True)
class PageGroup:
    """The pictures of one subject, with its card if it has one."""

    subject: str
    name: str
    card: SubjectCard | None
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A report as the template prints it; ``prefix`` sets the anchors of one board apart from those of another."""

    report: Report
    prefix: str
    headline: tuple[Status, str, str]
    sentence: str
    tiles: tuple[Tally, ...]
    failed: tuple[Tally, ...]
    statuses: tuple[Status, ...]
    cards: tuple[SubjectCard, ...]
    open: tuple[EntryBlock, ...]
    passed: tuple[RuleEntries, ...]
    off: tuple[RuleEntries, ...]
    groups: tuple[PageGroup, ...]
    quiet: tuple[PageGroup, ...]
    studies: tuple[StudySection, ...]
    drawn: frozenset[str]
    shared: Markup
    assumed: tuple[tuple[str, int], ...]
    passed_rules: str
    file: str
    digest: str
    causes: tuple[Cause, ...]
    missing: tuple[str, ...]
    narrowing: tuple[str, ...]
    coverage: tuple[CoverageRow, ...]
    covered: str
    errors: tuple[str, ...]
    brief: int
    spread: str

    def anchor(self, name: str) -> str:
        """An anchor of this report in the page."""
        return self.prefix + "".join(char if char.isascii() and (char.isalnum() or char in "_-.") else
                                     f"_{ord(char):x}_" for char in name)

    def contents(self, paper: bool, appendix: bool) -> list[tuple[str, str]]:
        """Anchors and titles of the sections; on paper those of the first page are left out."""
        parts = [] if paper else [("cards", "Margins")]
        parts.append(("findings", "Findings"))
        parts += [] if paper else [(one.key, one.title) for one in self.studies]
        parts += [("pictures", "Pictures")] if self.groups else []
        if appendix:
            parts += [(one.key, one.title) for one in self.studies] if paper else []
            parts += [("more", "More pictures")] if paper and self.quiet else []
            parts += [("coverage", "Coverage"), ("passed", "Passed")]
            parts += [("off", "Not applicable")] if self.off and not paper else []
            parts += [("assumed", "Assumptions"), ("provenance", "Provenance")]
        parts += [("assumed", "Assumptions")] if not appendix and self.assumed else []
        return [*parts, *([] if paper else [("signoff", "Sign-off")])]

    def place(self, where: Location) -> str:
        """``41:7``, with the file where it is not that of the board."""
        return where.spot if where.file == self.file else where.text


def page(
    reports: Sequence[Report], *, paper: bool = False, pages: Mapping[str, int] | None = None, appendix: bool = True
) -> str:
    """The reports as HTML; ``paper``: for a printer of pages, without script, all unfolded.

    Without ``appendix`` what passed is left out, and how it was judged. ``pages`` are the numbers of the pages on which
    the sections begin, where they are known.
    """
    views = [_view(report, f"b{i}-" if len(reports) > 1 else "", paper) for i, report in enumerate(reports, 1)]
    script = _file("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    made = uncommanded_markup(_template().render(
        views=views, paper=paper, appendix=appendix, css=Markup(_file("page.css")),
        paper_css=Markup(_file("paper.css")),
        script=Markup(script), digest=digest, version=VERSION, screen=SCREEN, word=WORD, shape=SHAPE,
        called=lead, drawn=shape,
        first=FIRST, brief=ON_PAPER if paper else BRIEF[0], listed=LISTED, top=TOP, shown_keys=OPEN_KEYS,
        on_page=lambda name: f" {pages[name]}" if pages and name in pages else "",
    ).rstrip("\n").replace("&#39;", "'") + "\n")  # no attribute stands between single quotes
    return on_paper(made) if paper else made


def _view(report: Report, prefix: str, paper: bool) -> View:
    shared = Shared(prefix, whole=paper)
    assumed = assumptions(report)
    numbers = {text: i for i, text in enumerate(assumed, 1)}
    found = cards(report)
    found_causes = tuple(causes(one for one in shown_findings(report) if not known(one) and one.status in MATTERS))
    groups = tuple(_groups(report, found, shared, paper))
    missing = dict.fromkeys(key for one in report.findings if one.status is Status.NOT_EVALUATED
                            for key in re.findall(r"`([a-z][^`\s]*)`", one.fix))
    board, digest = next(((one.file, one.sha256) for one in report.inputs if one.role == "board"), ("", ""))
    return View(
        report=report,
        prefix=prefix,
        headline=(LOOK[report.verdict], report.verdict.value, SIGN.get(report.verdict, SHAPE[LOOK[report.verdict]])),
        sentence=verdict(report).removeprefix(f"{report.verdict}: ").removesuffix(f" (exit code {report.exit_code})"),
        tiles=tallies(report.findings, empty=True),
        failed=tallies([one for one in report.findings if one.status is Status.FAIL], empty=False),
        statuses=tuple(status for status in Status if any(f.status is status for f in report.findings)),
        cards=tuple(found),
        open=tuple(blocks(entries(report, OPEN, numbers))),
        passed=tuple(by_rule(entries(report, [Status.PASS], numbers))),
        off=tuple(by_rule(entries(report, [Status.NOT_APPLICABLE], numbers))),
        groups=groups,
        quiet=_quiet(groups),
        studies=tuple(one for one in report.exhibits if isinstance(one, StudySection)),
        drawn=frozenset(exhibit.subject for exhibit in report.exhibits),
        shared=shared.pieces(),
        assumed=tuple(assumed.items()),
        passed_rules=counted(report.rules_with(Status.PASS)),
        file=board,
        digest=digest[:DIGITS],
        causes=found_causes,
        missing=tuple(missing),
        narrowing=tuple(key for key in _asked(report) if key not in missing),
        coverage=coverage_rows(report),
        covered=coverage_line(report).removeprefix("coverage: "),
        errors=tuple(map(_error, report.selftest)),
        brief=_most(found_causes),
        spread=f"{MARK} {FABRICATION[0].upper()}{FABRICATION[1:]}." if any(
            _marked(one.message) != one.message for one in report.findings) else "",
    )


def _asked(report: Report) -> dict[str, None]:
    """Keys for which the findings ask that were judged without them and are to be looked at."""
    judged = [one for one in report.findings if one.status in (Status.FAIL, Status.MARGINAL) and not known(one)]
    texts = [text for one in judged for text in (one.message, one.fix)]
    asked = [found for text in texts for found in re.findall(r"\bgive ((?:`[^`]+`(?:, | and | or )?)+)", text)]
    return dict.fromkeys(key for keys in asked for key in re.findall(r"`([a-z][^`\s]*)`", keys))


def _error(one: ModelError) -> str:
    """The error of a model as a reader takes it: in per cent of what the first words of its meaning name."""
    of = re.split("[:;]", one.of)[0]
    error, tolerance = (f"{100 * value:.3g} %" for value in (one.error, one.tolerance))
    model, quantity = (name.replace("-", " ") for name in (one.model, one.quantity))
    return f"{model}: {quantity} {error} of {of}, tolerance {tolerance}"


def _groups(report: Report, found: Sequence[SubjectCard], shared: Shared, paper: bool) -> list[PageGroup]:
    """Pictures by subject: those of the board first, then in the order of the cards.

    On paper a stackup that passed comes last: it fills a page, and what failed is to stand nearer to the findings.
    """
    drawn: dict[str, list[Figure]] = {}
    for exhibit in (one for one in report.exhibits if not isinstance(one, StudySection)):
        drawn.setdefault(exhibit.subject, []).append(figure(exhibit, shared))
    known = {card.subject: card for card in found}
    order = [subject for subject in drawn if subject not in known or known[subject].kind == "board"]
    order += [card.subject for card in found if card.kind != "board" and card.subject in drawn]
    if paper:
        order = ordered(order, key=lambda subject: subject in known and known[subject].kind == "board"
                        and known[subject].status in SETTLED)
    return [PageGroup(s, ".".join(parts_of(s)[1:]) or s.capitalize(), known.get(s), tuple(drawn[s])) for s in order]


def _quiet(groups: Sequence[PageGroup]) -> tuple[PageGroup, ...]:
    """Those that stand in the appendix of a report on paper: what passed, and what is not among the first.

    A stackup comes last there: it fills a page, so what comes before it is not torn apart.
    """
    loud = [one for one in groups if not one.card or one.card.status not in SETTLED]
    rest = [one for one in groups if one not in loud[:LOUD]]
    return tuple(ordered(rest, key=lambda one: one.card is None or one.card.kind == "board"))


@cache
def _template() -> Template:
    made = Environment(
        loader=FunctionLoader(_file), autoescape=True, finalize=inert, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False, keep_trailing_newline=True,
    )
    made.filters |= {"rich": rich, "marked": _marked, "verbatim": verbatim, "breakable": breakable, "in_rows": _in_rows,
                     "labelled": labelled, "least": _least, "percent": _percent, "bar": _bar, "waiver": waiver_text,
                     "card_of": subject_of, "rank": _rank}
    return made.get_template("page.html")


def _file(name: str) -> str:
    return (files("pcbrules.reports.html") / name).read_text(encoding="utf-8")


def _marked(message: str) -> str:
    """A message with a mark in place of what the foot of a page says once for all of them."""
    return message.replace(f"; {FABRICATION}", f" {MARK}")


def _most(found: Sequence[Cause]) -> int:
    """Characters that a fix may take, so that the signatures stay on the first page."""
    def lines(most: int) -> int:
        return sum(max(-(-len(one.brief_cure(most)) // FIX_LINE), CAUSE_LINES) for one in found[:TOP])

    return next((most for most in BRIEF if lines(most) <= ROOM), BRIEF[-1])


def _in_rows(figures: Sequence[Figure]) -> list[list[Figure]]:
    """Pictures in the rows of a page of paper: wide ones alone, and a low one last where a row would have one."""
    rows: list[list[Figure]] = []
    slim = [one for one in figures if not one.wide]
    low = [one for one in slim if one.low][:1] if len(slim) % ACROSS == 1 and len(slim) > 1 else []
    for one in [*(one for one in figures if one not in low), *low]:
        if one.wide or not rows or rows[-1][0].wide or len(rows[-1]) == ACROSS:
            rows.append([])
        rows[-1].append(one)
    return rows


def _least(rule: RuleEntries) -> PageEntry:
    """The entry with the least margin; the first where none has one."""
    found = [row.entry for row in rule.rows]
    return least_of(found, key=lambda one: one.share.value if one.share else inf)


def _percent(share: float) -> str:
    """A margin over its limit, as text."""
    if not share:
        return "on its limit"
    size = abs(100 * share)
    text = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    return f"{'−' if share < 0 else '+'}{text} %"


def _rank(value: float) -> str:
    return f"{value:.6g}" if isfinite(value) else ""


def _bar(share: Share | None) -> Markup:
    """A margin as a bar: the limit in the middle, as much again as the limit at either end; over it the interval."""
    if share is None:
        return Markup("")

    def at(value: float) -> int:
        return round(100 + 100 * min(max(value, -1.0), 1.0))

    value, low, high = at(share.value), at(share.lo), at(share.hi)
    kind = "out" if share.value < 0 else "in"
    beyond = '<path class="z" d="M9 3l-6 4 6 4"/>' if share.value < -1 else ""
    spread = f'<path class="w" d="M{low} 4v6M{high} 4v6M{low} 7H{high}"/>' if high > low else ""
    return Markup(
        f'<svg class="mb" viewBox="0 0 200 14" preserveAspectRatio="none"><path class="{kind}" '
        f'd="M100 2H{value if value != 100 else 101}v10H100z"/>{beyond}{spread}<path class="z" d="M100 0v14"/></svg>'
    )


