# SPDX-License-Identifier: MIT
"""Touchstone files, version 1 and 2: text → scattering parameters; every fault with its line.

Read by the specification of the IBIS Open Forum (Touchstone File Format Specification 2.0, 2009; 2.1, 2024, for a
reference impedance of every port on the option line). Nothing is guessed, repaired or executed.
"""

from __future__ import annotations

import hashlib
import math
import pathlib
import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pcbrules.document.textfile import check_size, decode
from pcbrules.errors import Problem, Problems, clip, quoted
from pcbrules.readers.touchstone_comments import Comments
from pcbrules.readers.touchstone_data import Data, scattering
from pcbrules.readers.touchstone_header import OPTION_LINE, Header, Option, check_references
from pcbrules.readers.touchstone_numbers import numbers

SIZE_LIMIT = 16_000_000
"""Bytes of a file: a four-port of 25,000 frequencies."""
LINE_LIMIT = 200_000
LONGEST_LINE = 1_000_000
"""Characters of a line: a hundred ports on one."""

_EXTENSION = re.compile(r"\.s([1-9][0-9]{0,2})p", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Touchstone:
    """A Touchstone file as it was read.

    Attributes
    ----------
    file, sha256 : str
        Its name in messages, and the digest of its bytes.
    frequency : ndarray, shape (n,)
        Strictly rising. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters; the first port index is where the wave leaves. [-]
    z_ref : ndarray, shape (p,)
        Real reference impedance of every port. [ohm]
    lines : ndarray of int, shape (n,)
        Line of the file on which each frequency stands, from 1.
    comments : tuple of str
        Comment lines, the first hundred of them.
    port_names : tuple of str
        Names of the ports as comments give them, one a port, empty where there is none; empty without any.
    warnings : tuple of Problem
        What is odd and does no harm.
    """

    file: str
    sha256: str
    frequency: NDArray[np.float64]
    s: NDArray[np.complex128]
    z_ref: NDArray[np.float64]
    lines: NDArray[np.int64]
    comments: tuple[str, ...] = ()
    port_names: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def ports(self) -> int:
        """Number of ports."""
        return len(self.z_ref)


def parse_touchstone(data: bytes, file: str) -> Touchstone:
    """Read `data`, the bytes of `file`, whose ending gives the number of ports of version 1.

    Raises InputError with every fault, as far as the file can be read.
    """
    check_size(len(data), file, SIZE_LIMIT)
    problems = Problems(file)
    lines = _lines(data, problems)
    problems.check()
    reader = _LineSorter(Header(problems), Comments(problems))
    for number, line in enumerate(lines, 1):
        if problems.full:
            problems.add(Problem(file, number, 1, "", "reading stops here: too many problems"), always=True)
            problems.check()
        if not reader.read(line, number):
            break
    problems.kept.sort(key=lambda p: (p.line, p.column))
    ports = _ports(reader, file)
    problems.check()
    option = reader.header.option or Option(0)
    table = scattering(reader.data, reader.header, option, ports)
    reader.comments.check(table.z_ref, option)
    problems.kept.sort(key=lambda p: (p.line, p.column))
    problems.check()
    for values in (table.frequency, table.s, table.z_ref, table.lines):
        values.setflags(write=False)
    names = reader.comments.port_names(ports)
    return Touchstone(file, hashlib.sha256(data).hexdigest(), table.frequency, table.s, table.z_ref, table.lines,
                      tuple(reader.comments.kept), names, problems.all())


def _lines(data: bytes, problems: Problems) -> list[str]:
    """Lines of the text; comments in another encoding than UTF-8 are shown as Latin-1."""
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        decode(data, problems)
        return []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        problems.add(Problem(problems.file, line, column, "", "the file is not UTF-8 and is read as Latin-1",
                             f"byte 0x{data[error.start]:02X}", "UTF-8", "save as UTF-8", level="warning"))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > LINE_LIMIT:
        problems.add(Problem(problems.file, 0, 0, "", "the file has too many lines", str(len(lines)),
                             f"at most {LINE_LIMIT} lines"))
    return lines


@dataclass
class _LineSorter:
    """Sorts the lines of a file: comments, option line, keywords, numbers of the three kinds."""

    header: Header
    comments: Comments
    data: Data = field(default_factory=Data)
    references: list[float] = field(default_factory=list)
    section: str = ""
    informing: bool = False
    ended: bool = False

    def read(self, line: str, number: int) -> bool:
        """Take one line; False after the last one. Raises InputError when nothing that follows could be understood."""
        if len(line) > LONGEST_LINE:
            self.header.fault(number, 1, "this line is too long", found=f"{len(line)} characters",
                              expected=f"at most {LONGEST_LINE} characters")
            self.header.problems.check()
        mark = line.find("!")
        body = line if mark < 0 else line[:mark]
        if mark >= 0:
            self.comments.add(line[mark + 1 :], number, alone=not body.strip())
        body = body.rstrip()
        start = body.lstrip(" \t")[:1]
        if not start:
            return not self.ended
        if start == "[":
            self._keyword(self.header.add_keyword(body, number), body, number)
        elif self.informing:
            pass
        elif start == "#":
            self.header.add_option(body, number)
            if self.data.counts:
                self.header.fault(number, 1, "the option line stands after data", expected=OPTION_LINE,
                                  fix="write it before the data")
        else:
            self._numbers(body, number)
        return not self.ended

    def _keyword(self, name: str, body: str, number: int) -> None:
        if name == "end information" or name == "begin information":
            self.informing = name == "begin information"
            self.header.keywords.pop(name, None)
        elif name in ("network data", "noise data", "reference"):
            self.section = name
            rest = body[body.index("]") + 1 :]
            if rest.strip():
                self._numbers(" " * (len(body) - len(rest)) + rest, number)
        elif name:
            self.section = ""
            self.ended = name == "end"

    def _numbers(self, body: str, number: int) -> None:
        problems = self.header.problems
        if not self.data.counts and not self.header.version_2 and self.header.option is None:
            self.header.fault(number, len(body) - len(body.lstrip()) + 1, "data before the option line",
                              found=quoted(body.strip()), expected=OPTION_LINE,
                              fix="write the option line first")
            problems.check()
        if self.header.version_2 and not self.section:
            self.header.fault(number, 1, "numbers that belong to no keyword", found=quoted(body.strip()),
                              expected="[Network Data] before the data")
            self.section = "network data"
        values = numbers(body, number, problems)
        if self.section == "reference":
            self.references += values
            if not any(map(math.isnan, values)):
                check_references(self.header, values, number)
        elif self.section == "noise data":
            self.data.noise.append((number, values))
        else:
            self.data.add(values, number)


def _ports(reader: _LineSorter, file: str) -> int:
    """Number of ports by the keyword or the ending of the name, and the checks of what the head must say."""
    header = reader.header
    match = _EXTENSION.fullmatch(pathlib.PurePath(file).suffix)
    named = int(match[1]) if match else 0
    if header.option is None:
        header.fault(int(header.version_2), 1, "there is no option line", expected=OPTION_LINE)
    if not header.version_2:
        if not named:
            header.fault(0, 0, "the number of ports is unknown", found=quoted(clip(pathlib.PurePath(file).name)),
                         expected="a name that ends in .s1p, .s2p, .s4p …, or a file with [Version] 2.0")
        references = header.option.references if header.option else ()
        if named and header.option and len(references) not in (1, named):
            header.fault(header.option.line, 1, "the option line has as many reference impedances as the file has "
                         "ports, or one", found=str(len(references)), expected=f"1 or {named}")
        return named
    for keyword in ("Number of Ports", "Number of Frequencies", "Network Data"):
        if keyword.lower() not in header.keywords:
            header.fault(header.line("version"), 1, f"[{keyword}] is missing", expected=f"[{keyword}]")
    ports = header.value("number of ports") or 0
    if ports and named and ports != named:
        header.fault(header.line("number of ports"), 1, "the file's name and [Number of Ports] disagree",
                     found=f"{ports}", expected=f"{named}, as in {match[0] if match else ''}",
                     fix="rename the file or correct the number")
    if (ports == 2) != ("two-port data order" in header.keywords) and ports:
        if ports == 2:
            header.fault(header.line("number of ports"), 1, "[Two-Port Data Order] is missing: which of S21 and S12 "
                         "comes first is open", expected="[Two-Port Data Order] 21_12 or 12_21")
        else:
            header.fault(header.line("two-port data order"), 1, "[Two-Port Data Order] is for two ports only",
                         found=f"{ports} ports", fix="delete it")
    if ports and "reference" in header.keywords and len(reader.references) != ports:
        header.fault(header.line("reference"), 1, "[Reference] has one impedance for each port",
                     found=str(len(reader.references)), expected=str(ports))
    if "reference" in header.keywords:
        header.keywords["reference"] = (header.line("reference"), tuple(reader.references))
    if "end" not in header.keywords and not header.problems.wrong:
        header.fault(0, 0, "[End] is missing: the file may have been cut off", level="warning")
    return ports

