# SPDX-License-Identifier: MIT
"""Words and shapes of the statuses, the verdict in one sentence, and text in columns."""

from __future__ import annotations

import posixpath
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from pcbrules.errors import escape
from pcbrules.results.board_verdict import UNSETTLED, BoardVerdict
from pcbrules.results.finding import LOST_MARGIN, Finding, Severity, Status, worst_first
from pcbrules.results.gate import weight
from pcbrules.results.measured import BASES
from pcbrules.results.report import Report
from pcbrules.ties import ordered

OF_BASELINE = (LOST_MARGIN, "PCB006", "PCB010")
"""Rules of the engine that compare with a baseline; what they find is no new finding."""

WORD = {
    Status.FAIL: "fail",
    Status.CRASHED: "crashed",
    Status.NOT_EVALUATED: "not evaluated",
    Status.MARGINAL: "marginal",
    Status.WAIVED: "waived",
    Status.ACCEPTED: "accepted",
    Status.PASS: "pass",
    Status.NOT_APPLICABLE: "not applicable",
}
SHAPE = {
    Status.FAIL: "✗",
    Status.CRASHED: "!",
    Status.NOT_EVALUATED: "?",
    Status.MARGINAL: "~",
    Status.WAIVED: "○",
    Status.ACCEPTED: "○",
    Status.PASS: "✓",
    Status.NOT_APPLICABLE: "–",
}
COUNTED = {Status.NOT_EVALUATED: "checks not evaluated", Status.MARGINAL: "marginal checks"}
"""What makes a pass one with warnings where nothing fails."""

LIGHT = {Severity.WARNING: "▲", Severity.ADVICE: "i"}
"""Shapes of fails that are no errors."""


def lead(finding: Finding) -> str:
    """The word that a finding is called by: the severity of a fail, else its status."""
    return str(finding.severity) if finding.status is Status.FAIL else WORD[finding.status]


def shape(finding: Finding) -> str:
    """The shape beside it: a fail that is no error has one of its own, since it is no failure of the board."""
    return LIGHT.get(finding.severity, SHAPE[Status.FAIL]) if finding.status is Status.FAIL else SHAPE[finding.status]


SILENT = frozenset({Status.PASS, Status.NOT_APPLICABLE})
"""Statuses that a reader finds in the summary only."""

SHOWN = (Status.FAIL, Status.CRASHED, Status.MARGINAL, Status.NOT_EVALUATED, Status.WAIVED, Status.ACCEPTED)
"""Statuses in the order of a report."""

SCREEN = "A pre-tapeout screen, not a proof of compliance."

_ASCII = str.maketrans(
    {
        "✗": "X",
        "✓": "+",
        "▲": "^",
        "○": "o",
        "–": "-",
        "—": "-",
        "−": "-",
        "…": "...",
        "∞": "inf",
        "→": "->",
        "≤": "<=",
        "≥": ">=",
        "±": "+-",
        "×": "x",
        "·": ".",
        "°": "deg",
        "²": "2",
        "³": "3",
        "\u00b5": "u",
        "\u03bc": "u",
        "\u03a9": "ohm",
        "\u2126": "ohm",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "\u00a0": " ",
        "\u2009": " ",
        "\u202f": " ",
    }
)
_BREAKS = "/.:_-\\"  # a word too long for a line is cut after one of these


def to_ascii(text: str) -> str:
    """Write text in ASCII: signs and units by their usual spelling, letters beyond ASCII as an escape."""
    return text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")


def by_basis(report: Report) -> dict[Status, dict[str, int]]:
    """Number of findings per status and basis; every pair is present."""
    seen = Counter((f.status, f.basis) for f in report.findings)
    return {status: {basis: seen[status, basis] for basis in BASES} for status in Status}


def shown_bases(counts: dict[Status, dict[str, int]]) -> tuple[str, ...]:
    """The columns of a table of bases: ``assumed`` stands in it only where something rests on an assumption."""
    return tuple(basis for basis in BASES if basis != "assumed" or any(row[basis] for row in counts.values()))


def shown_findings(report: Report) -> list[Finding]:
    """Findings that a reader must see one by one: fails, marginals, what was not evaluated, what was waived."""
    found = worst_first(f for f in report.findings if f.status not in SILENT)
    return ordered(found, key=lambda one: SHOWN.index(one.status))


def known(finding: Finding) -> bool:
    """True for what a baseline has already, so that it does not count."""
    return finding.change is not None and finding.change.known


def known_count(findings: Iterable[Finding]) -> int:
    """Number of findings that would count if a baseline did not have them: what is waived does not count anyway."""
    return sum(known(one) and one.status in UNSETTLED for one in findings)


def counted(rules: Sequence[tuple[str, int]]) -> str:
    """``MAT001 (4), SIG003`` for rules with their number of findings."""
    return ", ".join(rule if count == 1 else f"{rule} ({count})" for rule, count in rules)


def verdict(report: Report) -> str:
    """The verdict with its counts: ``FAIL: 1 error, 2 warnings, 2 marginal, 40 pass (exit code 1)``.

    Beside a baseline it names what fails: the note of the comparison counts new findings, losses and absences apart.
    """
    judged = [f for f in report.findings if f.status is not Status.NOT_APPLICABLE]
    parts = [part for status in Status if (part := _count(status, [f for f in judged if f.status is status]))]
    seen = known_count(judged)
    if seen:
        parts[-1] += f"; {seen} known in the baseline {'does' if seen == 1 else 'do'} not count"
    unsettled = {f.status for f in judged if f.status in UNSETTLED and f.severity is not Severity.ADVICE}
    if report.verdict is BoardVerdict.WITH_WARNINGS and Status.FAIL not in unsettled:
        parts[-1] += f"; {' and '.join(COUNTED[one] for one in Status if one in unsettled)} do not count as fails"
    lowered = "".join(f"; limits of class {name} count as {most} at most" for name, most in report.limit_sources)
    absent = f"; declared absent: {', '.join(report.absent)}" if report.absent else ""
    counts = ", ".join(parts) if judged else "nothing was judged"
    failing = Counter(one.rule for one in judged if weight(one, report.fail_on, report.allow_incomplete) == 1)
    compared = seen or any(one.change is not None or one.rule in OF_BASELINE for one in judged)
    if failing and compared:
        counts += f"; what fails: {counted(sorted(failing.items()))}"
    return f"{report.verdict}: {counts}{lowered}{absent} (exit code {report.exit_code})"


def _count(status: Status, found: list[Finding]) -> str:
    """Findings of one status: a fail by its severity; empty where there is none, but for passes."""
    seen = Counter(f.severity for f in found)
    if status is Status.FAIL:
        return ", ".join(severities(seen[one], one) for one in Severity if seen[one])
    if status is Status.NOT_EVALUATED and found:
        each = [f"{seen[one]} {one}" if len(seen) > 1 else str(one) for one in Severity if seen[one]]
        return f"{len(found)} {WORD[status]} ({', '.join(each)})"
    return f"{len(found)} {WORD[status]}" if found or status is Status.PASS else ""


def severities(count: int, severity: Severity) -> str:
    """``1 error``, ``2 warnings``, ``3 advice``."""
    return f"{count} {severity}{'' if count == 1 or severity is Severity.ADVICE else 's'}"


def source_text(finding: Finding) -> str:
    """Source of the limit with its provenance, empty where there is none."""
    return f"{finding.source.text} [{finding.source.provenance}]" if finding.source else ""


def waiver_text(finding: Finding) -> str:
    """Who waived the finding, why, until when and up to which bound; empty where nobody did."""
    waiver = finding.waiver
    if not waiver:
        return ""
    parts = [waiver.reason, f"owner {waiver.owner}", f"expires {waiver.expires}"]
    if waiver.bound:
        parts.append(f"bound {waiver.bound}")
    if finding.waived_from:
        parts.append(f"was {WORD[finding.waived_from]}")
    return "; ".join(parts)


def place(finding: Finding) -> str:
    """``boards/x.yaml:41:7``, for an editor to open, or the object of a drawing."""
    return escape(finding.where.text)


def board_file(report: Report) -> str:
    """The board file with ``/`` and without ``./``: the same name on every system; the board's name without a file."""
    file = next((i.file for i in report.inputs if i.role == "board"), "")
    return posixpath.normpath(file.replace("\\", "/")) if file else report.board


def columns(text: str) -> int:
    """Number of terminal columns that text fills: two for wide East Asian signs, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_column, text))


def _column(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Break text into lines of at most ``width`` columns; ``first`` and ``rest`` go before the lines."""
    lines, line, used = [], first, columns(first)
    empty = True
    for word in text.split():
        while True:
            gap = 0 if empty else 1
            if used + gap + columns(word) <= width:
                line, used, empty = line + " " * gap + word, used + gap + columns(word), False
                break
            if empty:
                cut = _cut(word, width - used)
                line, word = line + word[:cut], word[cut:]
            lines.append(line)
            line, used, empty = rest, columns(rest), True
    return [*lines, line] if not empty or not lines else lines


def _cut(word: str, room: int) -> int:
    """Number of characters of a word that fit, back to a sign at which it may be cut, if one is near."""
    fit = used = 0
    for char in word:
        used += _column(char)
        if used > room:
            break
        fit += 1
    nice = max((i + 1 for i, char in enumerate(word[:fit]) if char in _BREAKS), default=0)
    return max(nice if nice > fit // 2 else fit, 1)
