# SPDX-License-Identifier: MIT
"""Lines of a report for a terminal: every text is made harmless, and wrapped or cut, on its way in."""

from __future__ import annotations

from pcbrules.errors import escape
from pcbrules.reports._text import columns, cut, lead, shape, to_ascii, wrap
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


ENDS = (", ", "; ", ": ", ". ", ") ")
"""Where a part of a sentence ends."""


def _clause(line: str, sign: str) -> str:
    """A line that was cut, back to the end of a part of the sentence where one is near: no number is cut there."""
    end = max(line.rfind(one) + len(one) for one in ENDS)
    return f"{line[:end]}{sign}" if end > len(line) // 3 else line


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

    def line(self, text: str, indent: int = 0) -> None:
        """A single line, cut where it is too long: no name in a list."""
        whole, sign = self.clean(text), self.clean("…")
        line = cut(whole, self.width - indent, sign)
        self.lines.append(" " * indent + (line if line == whole else _clause(line, sign)))

    def few(self, text: str, indent: int, most: int) -> None:
        """A paragraph of so many lines at most, cut where it is too long."""
        lines = wrap(self.clean(text), self.width, " " * indent, " " * (indent + 2))
        if len(lines) > most:
            rest = " ".join(line.strip() for line in lines[most - 1 :])
            start, sign = " " * (indent + 2 if most > 1 else indent), self.clean("…")
            lines[most - 1 :] = [start + _clause(cut(rest, self.width - len(start), sign), sign)]
        self.lines += lines

    def field(self, label: str, text: str) -> None:
        """A labelled text below a heading; nothing where the text is empty."""
        if text:
            start = "  " + label.ljust(LABEL)
            self.lines += wrap(self.clean(text), self.width, start, " " * len(start))

    def lead(self, word: str, finding: Finding, *texts: str) -> None:
        """A line that begins with the severity of a fail, or with a status: the first text that fits, else the last."""
        lines = [self._led(word, finding, text) for text in texts]
        line = next((one for one in lines if columns(one) <= self.width), cut(lines[-1], self.width, self.clean("…")))
        self.lines.append(self.coloured(line[: len(word)], _style(finding)) + line[len(word) :])

    def fits(self, word: str, finding: Finding, text: str) -> bool:
        """True where such a line is not cut."""
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
