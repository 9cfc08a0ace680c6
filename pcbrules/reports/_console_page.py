# SPDX-License-Identifier: MIT
"""Lines of a report for a terminal: every text is made harmless and wrapped on its way in."""

from __future__ import annotations

from pcbrules.errors import escape
from pcbrules.reports._text import columns, lead, shape, to_ascii, wrap
from pcbrules.results.finding import Finding, Severity, Status

NARROWEST = 64
"""Columns of a page at least; a narrower terminal wraps by itself."""

LABEL = 11
"""Columns of a label with the blank behind it."""

LEAD = 8
"""Columns of the word that begins a line, so that rules stand below one another."""

_COLOUR = {
    Status.FAIL: "1;31",
    Status.CRASHED: "1;35",
    Status.NOT_EVALUATED: "1;33",
    Status.MARGINAL: "33",
    Status.WAIVED: "36",
    Status.ACCEPTED: "36",
    Status.PASS: "32",
    Status.NOT_APPLICABLE: "2",
}
_WEIGHT = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.ADVICE: "36"}


def _style(finding: Finding) -> str:
    """The colour of a finding: a fail has that of its severity."""
    return _WEIGHT[finding.severity] if finding.status is Status.FAIL else _COLOUR[finding.status]


class ConsolePage:
    """Lines of a page of some width."""

    def __init__(self, width: int, colour: bool, ascii_only: bool) -> None:
        self.width, self.colour, self.ascii_only = max(width, NARROWEST), colour, ascii_only
        self.lines: list[str] = []

    def clean(self, text: str) -> str:
        """Without signs that a terminal would obey, in ASCII where it takes no more."""
        return to_ascii(escape(text)) if self.ascii_only else escape(text)

    def text(self, text: str, indent: int = 0, hang: int = 0) -> None:
        """A paragraph."""
        self.lines += wrap(self.clean(text), self.width, " " * indent, " " * (indent + hang))

    def wrapped(self, text: str, indent: int, start: str = "") -> list[str]:
        """The lines of a text, those after the first further in; the first begins with a text that stays whole."""
        first, rest = " " * indent + (f"{self.clean(start)}  " if start else ""), " " * (indent + 2)
        if columns(first) >= self.width:
            return wrap(f"{self.clean(start)} {self.clean(text)}", self.width, " " * indent, rest)
        return [line.rstrip() for line in wrap(self.clean(text), self.width, first, rest) or [first]]

    def field(self, label: str, text: str) -> None:
        """A labelled text below a heading; nothing where the text is empty."""
        if text:
            start = "  " + label.ljust(LABEL)
            self.lines += wrap(self.clean(text), self.width, start, " " * len(start))

    def lead(self, word: str, finding: Finding, *texts: str) -> None:
        """A line that begins with the severity of a fail, or with a status: the first text that fits.

        Where none does, the last stands on several lines.
        """
        lines = [self._led(word, finding, text) for text in texts]
        whole = next((one for one in lines if columns(one) <= self.width), lines[-1])
        line, *more = wrap(whole, self.width, "", "    ") if columns(whole) > self.width else [whole]
        self.lines += [self.coloured(line[: len(word)], _style(finding)) + line[len(word) :], *more]

    def fits(self, word: str, finding: Finding, text: str) -> bool:
        """True where such a line has room."""
        return columns(self._led(word, finding, text)) <= self.width

    def _led(self, word: str, finding: Finding, text: str) -> str:
        return self.clean(f"{word.ljust(LEAD)} {finding.rule}  {text}")

    def heading(self, finding: Finding, text: str) -> None:
        """The status by shape and word, coloured as one, before rule and text; of a fail the severity."""
        word = self.clean(f"{shape(finding)} {lead(finding)}")
        lines = wrap(self.clean(text), self.width, self.clean(f"{word}  {finding.rule}  "), "    ")
        lines[0] = self.coloured(word, _style(finding)) + lines[0][len(word) :]
        self.lines += lines

    def status(self, text: str, status: Status) -> str:
        """A text in the colour of a status."""
        return self.coloured(text, _COLOUR[status])

    def coloured(self, text: str, style: str) -> str:
        """A text in a style, where the terminal takes colour."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour else text

    def blank(self) -> None:
        """An empty line."""
        self.lines.append("")

    def padded(self, text: str, width: int) -> str:
        """Blanks behind a text up to a number of columns."""
        return " " * max(width - columns(text), 0)
