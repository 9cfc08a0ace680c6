# SPDX-License-Identifier: MIT
"""What comments of a Touchstone file say beyond the format: names of ports, impedances of the export."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pcbrules.errors import Problem, Problems, clip
from pcbrules.readers.touchstone_header import Option
from pcbrules.readers.touchstone_numbers import NUMBER, PLAIN

KEPT = 100
"""Comment lines that are kept."""

SAME = 1e-3
"""Relative difference up to which two reference impedances count as the same: below 0.0005 of S."""

_NAME = re.compile(r"[ \t]*(?:touchstone[ \t]+)?port[ \t]*\[?[ \t]*([1-9][0-9]{0,2})[ \t]*\]?[ \t]*"
                   r"(?:=|::?)[ \t]*(\S.{0,200})", re.IGNORECASE)
_IMPEDANCE = re.compile(r"[ \t]*port[ \t]+impedance(.*)", re.IGNORECASE)


@dataclass
class Comments:
    """The comments of a file as they come; port impedances [ohm] as the lines of one frequency give them."""

    problems: Problems
    kept: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    impedances: list[tuple[int, list[float]]] = field(default_factory=list)
    _open: bool = False

    def add(self, text: str, line: int, *, alone: bool) -> None:
        """Take the comment of a line; ``alone`` if nothing stands before it."""
        if len(self.kept) < KEPT and alone:
            self.kept.append(clip(text.strip()))
        found = _IMPEDANCE.match(text)
        if found is not None:
            self.impedances.append((line, _values(found[1])))
            self._open = True
            return
        if self._open and alone and text.strip():
            more = _values(text)
            self._open = bool(more)
            self.impedances[-1][1].extend(more)
            return
        self._open = False
        name = _NAME.match(text)
        if name is not None:
            self.names.setdefault(int(name[1]), clip(name[2].strip()))

    def port_names(self, ports: int) -> tuple[str, ...]:
        """Names of the ports; empty if no comment names any."""
        named = tuple(self.names.get(port, "") for port in range(1, ports + 1))
        return named if any(named) else ()

    def check(self, z_ref: NDArray[np.float64], option: Option) -> None:
        """Refuse data that were exported with other impedances than the file says, as field solvers do.

        Where the first such comment disagrees with the option line, the data refer to the one or the other, and
        programs differ in which they take.
        """
        for line, values in self.impedances:
            pairs = np.array(values[: len(values) // 2 * 2]).reshape(-1, 2)[: len(z_ref)]
            given = pairs[:, 0] + 1j * pairs[:, 1]
            wrong = np.abs(given - z_ref[: len(given)]) > SAME * z_ref[: len(given)]
            if wrong.any():
                port = int(np.flatnonzero(wrong)[0])
                shown = f"{given[port].real:g}{given[port].imag:+g}j ohm at port {port + 1}"
                self.problems.add(Problem(
                    self.problems.file, line, 1, "",
                    "a comment gives another port impedance than the reference of the file; which of them the data "
                    "refer to is open", shown, f"{z_ref[port]:g} ohm, as in line {option.line}",
                    f"export again, renormalised to {z_ref[port]:g} ohm"))
                return


def _values(text: str) -> list[float]:
    """Numbers of a comment up to the first word that is none."""
    if PLAIN.fullmatch(text):
        try:
            return list(map(float, text.split()))
        except ValueError:
            pass
    values = []
    for word in text.split():
        if not NUMBER.fullmatch(word):
            break
        values.append(float(word))
    return values
