# SPDX-License-Identifier: MIT
"""One line a finding, as compilers write it: ``board.yaml:41:7: error SIG001 links.up.run: 92.1 ohm ...``.

The severity of a finding that is no fail stands before its status, a short cure at the end. A long message is told by
its beginning; the other formats have it whole. The last two lines are what the report covers and the verdict.
``passes`` adds a line for every pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.reports._brief import fitting, shorter
from pcbrules.reports._coverage import coverage_line
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import WORD, board_file, known, place, shown_findings, to_ascii, verdict
from pcbrules.results.edits import NO_FIX
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report
from pcbrules.ties import ordered

NAME = "concise"
SUFFIXES: tuple[str, ...] = ()

CURE = 160
"""Characters of a cure at the end of a line."""

MESSAGE = (90, 160)
"""Characters of a message: the fewer, where a part of it makes a sentence that is so short."""


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write a line a finding; see ``reports.Format``."""
    text = "".join(f"{escape(line)}\n" for report in reports for line in _lines(report, passes=passes)) or "\n"
    return uncommanded(to_ascii(text) if ascii_only else text)


def _lines(report: Report, *, passes: bool) -> Iterator[str]:
    passed = [one for one in report.findings if passes and one.status is Status.PASS]
    for one in (*shown_findings(report), *ordered(passed, key=lambda one: one.rule)):
        yield f"{place(one)}: {one.severity} {one.rule} {one.subject}: {said(one, MESSAGE)}{_cure(one)}"
    for note in report.notes:
        yield f"{board_file(report)}: note: {note}"
    yield f"{board_file(report)}: {coverage_line(report)}"
    yield f"{report.board} under profile {report.profile.name}: {verdict(report)}"


def _cure(finding: Finding) -> str:
    """The cure in the longest words that are short, behind the line; empty where there is none that is."""
    if not finding.fix or finding.status in (Status.PASS, Status.WAIVED, Status.ACCEPTED):
        return ""
    own = finding.cure.shorter if finding.cure is not None else ()
    forms = (finding.fix, *own) if own else shorter(finding.fix)
    cure = next((one for one in forms if one and len(one) <= CURE), "")
    if not cure:
        return ""
    return f"; {cure}" if cure.startswith(NO_FIX) else f"; fix: {cure}"


def said(finding: Finding, most: Sequence[int] = ()) -> str:
    """What was found in one sentence: status where it is no fail, value against limit, message.

    Of the message that form which fits in the first of ``most`` characters that one fits in, else all of it.
    """
    shown = texts(finding)
    status = "" if finding.status is Status.FAIL else f"{WORD[finding.status]}: "
    old = "known in the baseline: " if known(finding) else ""
    numbers = f"{shown.measured}, limit {shown.limit}; " if shown.measured else ""
    message = next(filter(None, (fitting(finding.message, one) for one in most)), finding.message)
    return f"{old}{status}{numbers}{message}"
