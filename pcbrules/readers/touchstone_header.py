# SPDX-License-Identifier: MIT
"""The head of a Touchstone file: the option line and the keywords of version 2."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pcbrules.errors import Problem, Problems, quoted
from pcbrules.readers.touchstone_numbers import NUMBER, TOKEN
from pcbrules.spelling import cure, same_name

UNITS = {"HZ": 1.0, "KHZ": 1e3, "MHZ": 1e6, "GHZ": 1e9}
PARAMETERS = ("S", "Y", "Z", "G", "H")
FORMATS = ("MA", "DB", "RI")
OPTIONS = (*UNITS, *PARAMETERS, *FORMATS, "R")
OPTION_LINE = "'# <Hz|kHz|MHz|GHz> <S|Y|Z> <MA|DB|RI> R <ohm>'"

KEYWORDS = ("Version", "Number of Ports", "Two-Port Data Order", "Number of Frequencies", "Number of Noise Frequencies",
            "Reference", "Matrix Format", "Mixed-Mode Order", "Begin Information", "End Information", "Network Data",
            "Noise Data", "End")
_KEYWORD = re.compile(r"[ \t]*\[([^\]]*)\](.*)")
_WORDS = {"two-port data order": ("12_21", "21_12"), "matrix format": ("full", "lower", "upper"),
          "version": ("2.0", "2.1")}
MOST_PORTS = 999
LONGEST_OPTION_LINE = 20_000
"""Characters: a reference impedance for each of a thousand ports."""


@dataclass
class Option:
    """The option line: unit of frequency [Hz], kind and format of the parameters, reference impedances [ohm]."""

    line: int
    unit: float = 1e9
    parameter: str = "S"
    form: str = "MA"
    references: tuple[float, ...] = (50.0,)
    text: str = ""


@dataclass
class Header:
    """What the head of a file says, and on which line; keywords by their lower-case names."""

    problems: Problems
    option: Option | None = None
    keywords: dict[str, tuple[int, Any]] = field(default_factory=dict)

    def fault(self, line: int, column: int, message: str, **parts: Any) -> None:
        """Add a problem at a place; `parts` are found, expected, fix, level."""
        self.problems.add(Problem(self.problems.file, line, column, "", message, **parts))

    def value(self, keyword: str, default: Any = None) -> Any:
        """What a keyword says."""
        return self.keywords[keyword][1] if keyword in self.keywords else default

    def line(self, keyword: str) -> int:
        """Line of a keyword that is there."""
        return self.keywords[keyword][0]

    @property
    def version_2(self) -> bool:
        """True when the file has a version, so that the rules of version 2 hold."""
        return "version" in self.keywords

    def add_option(self, body: str, line: int) -> None:
        """Read an option line; a second one that says the same changes nothing."""
        column = body.index("#") + 1
        if len(body) > LONGEST_OPTION_LINE:
            self.fault(line, column, "this option line is too long", found=f"{len(body)} characters",
                       expected=OPTION_LINE)
            return
        option = _option(self, body[column:], column, line)
        if self.option is None:
            self.option = option
        elif option.text != self.option.text:
            self.fault(line, column, f"a second option line that differs from that of line {self.option.line}",
                       found=quoted(body.strip()), expected="one option line", fix="delete the wrong one")

    def add_keyword(self, body: str, line: int) -> str:
        """Read a keyword line and return the keyword in lower case; empty if it is none."""
        column = len(body) - len(body.lstrip()) + 1
        match = _KEYWORD.fullmatch(body)
        if match is None:
            self.fault(line, column, "a keyword has no closing bracket", found=quoted(body.strip()),
                       expected="'[Keyword]'")
            return ""
        written = " ".join(match[1].split())
        name = written.lower()
        known = {keyword.lower(): keyword for keyword in KEYWORDS}
        if name not in known:
            near = same_name(name, known)
            self.fault(line, column, "unknown keyword", found=quoted(f"[{written}]"),
                       expected=f"[{known[near]}]" if near else "a keyword of Touchstone 2",
                       fix=f"write '[{known[near]}]'" if near else "")
            return ""
        if not self.version_2 and name != "version":
            self.fault(line, column, "a keyword of Touchstone 2 in a file without a version",
                       found=quoted(f"[{written}]"), expected="'[Version] 2.0' as the first line")
            self.keywords["version"] = (line, "")
        if name in self.keywords and self.keywords[name][1] != "":
            self.fault(line, column, f"this keyword stands on line {self.keywords[name][0]} already",
                       found=quoted(f"[{written}]"), fix="delete one of them")
        else:
            self._keep(name, written, match[2].strip(), line, len(body) - len(match[2].lstrip()) + 1)
        return name

    def _keep(self, name: str, written: str, text: str, line: int, column: int) -> None:
        value: Any = text.lower()
        if name in _WORDS and value not in _WORDS[name]:
            choices = " or ".join(f"'{word}'" for word in _WORDS[name])
            self.fault(line, column, f"[{written}] says something else than it may", found=quoted(text),
                       expected=choices)
        if name.startswith("number of"):
            value = self._count(written, text, line, column)
        if name == "mixed-mode order":
            self.fault(line, column, "mixed-mode data: the ports are differential and common modes, whose pairs and "
                       "reference impedances other tools read differently", found=quoted(text),
                       expected="single-ended ports", fix="export the single-ended scattering parameters")
        if name == "version" and self.option is not None:
            self.fault(line, column, "[Version] follows the option line", expected="[Version] as the first line")
        self.keywords[name] = (line, value)

    def _count(self, written: str, text: str, line: int, column: int) -> int | None:
        least, most = 1, MOST_PORTS if written.lower() == "number of ports" else 10_000_000
        if re.fullmatch(r"[0-9]{1,8}", text) and least <= int(text) <= most:
            return int(text)
        self.fault(line, column, f"[{written}] is no such number", found=quoted(text),
                   expected=f"a whole number from {least} to {most}")
        return None


def _option(header: Header, text: str, begin: int, line: int) -> Option:
    option = Option(line)
    columns: dict[str, int] = {}
    references: list[float] | None = None
    for found in TOKEN.finditer(text):
        word, column = found[0].upper(), begin + found.start() + 1
        if references is not None and (NUMBER.fullmatch(word) or not word.isalpha()):
            references.append(_reference(header, found[0], line, column))
            continue
        kind = next((name for name, words in (("unit", UNITS), ("parameter", PARAMETERS), ("format", FORMATS),
                                              ("reference", ("R",))) if word in words), "")
        if not kind:
            header.fault(line, column, "unknown word on the option line", found=quoted(found[0]),
                         expected=OPTION_LINE, fix=cure(word, OPTIONS))
            continue
        if kind in columns:
            header.fault(line, column, f"the option line gives a second {kind}", found=quoted(found[0]),
                         expected=OPTION_LINE)
        columns[kind] = column
        if kind == "unit":
            option.unit = UNITS[word]
        elif kind == "parameter":
            option.parameter = word
        elif kind == "format":
            option.form = word
        else:
            references = []
    if option.parameter in ("G", "H"):
        header.fault(line, columns["parameter"], f"{option.parameter} parameters are not read",
                     found=quoted(option.parameter), expected="S, Y or Z", fix="export scattering parameters")
    if references is not None:
        if not references:
            header.fault(line, columns["reference"], "R without a reference impedance", expected="such as 'R 50'")
        option.references = tuple(references) or option.references
    option.text = str((option.unit, option.parameter, option.form, option.references))
    return option


def _reference(header: Header, text: str, line: int, column: int) -> float:
    value = float(text) if NUMBER.fullmatch(text) and len(text) <= 40 else 0.0
    if LEAST_REFERENCE <= value <= MOST_REFERENCE:
        return value
    complex_one = "j" in text.lower() or "(" in text
    message = "a complex reference impedance is not Touchstone, and mixes the kinds of waves" if complex_one else (
        "this is no reference impedance")
    header.fault(line, column, message, found=quoted(text), expected="a real impedance in ohm, such as 50",
                 fix="export with a real reference impedance" if complex_one else "")
    return 50.0


LEAST_REFERENCE, MOST_REFERENCE = 1e-6, 1e6
"""Bounds of a reference impedance [ohm]: beyond them it is a slip."""


def check_references(header: Header, values: list[float], line: int) -> None:
    """Note what is no reference impedance [ohm] among the values of [Reference]."""
    for value in values:
        if not LEAST_REFERENCE <= value <= MOST_REFERENCE:
            header.fault(line, 1, "this is no reference impedance", found=quoted(value),
                         expected="a real impedance in ohm, such as 50")
