# SPDX-License-Identifier: MIT
"""The report: all findings of one board under one profile, with what they were made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, get_args

from pcbrules.brief import brief
from pcbrules.lengths import Units
from pcbrules.phrases import clip
from pcbrules.results.board_verdict import BoardVerdict, board_verdict
from pcbrules.results.exhibit import Exhibit
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.finding_rows import COLUMNS, finding_row
from pcbrules.results.margin_share import share
from pcbrules.results.measured import Basis
from pcbrules.results.plotting import draw_margins
from pcbrules.results.tables import frame
from pcbrules.ties import ordered

SCHEMA_VERSION = 1
"""Version of the JSON form of a report."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that went into the report, with the SHA-256 of its bytes."""

    role: str
    file: str
    sha256: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Profile:
    """The ruleset that judged."""

    name: str
    version: str
    title: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class ModelError:
    """The error of a model that comes nearest to its tolerance in the self-test, rounded up.

    ``error`` and ``tolerance`` are fractions [-], and ``of`` says of what.
    """

    model: str
    quantity: str
    error: float
    tolerance: float
    of: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Report:
    """Findings of one board under one profile, worst first; exhibits only where a format asked for them.

    ``source_url`` is where files can be seen in a browser: an address with ``{file}`` and ``{line}``. ``libraries`` are
    those that computed, with their versions. ``fail_on`` and ``allow_incomplete`` say what counted for ``exit_code``,
    ``limit_sources`` how much limits of a class of source weigh at most. ``absent`` are the sections of which the board
    file says that there are none: their rules do not apply. ``revision`` and ``date`` are those of the design, empty
    where they are not declared. ``receipt`` is what was read of a layout and what was not; it stands in ``notes`` too.
    ``switched_off`` are rules that were not asked, each with its reason: those that the profile has off whatever the
    board, and those that ``select`` or ``ignore`` leave out. ``selftest`` is the worst error of each model of
    this version. ``stated`` are the limits, bounds and conditions that board file and profile set. ``units`` are those
    of the lengths in texts for people: the ones that the board file keeps to. ``relaxed`` are values of the board file
    that make a check easier than the condition of the profile does, each with the profile's.
    """

    board: str
    profile: Profile
    inputs: tuple[InputFile, ...]
    conditions: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    exit_code: int = 0
    source_url: str = ""
    exhibits: tuple[Exhibit, ...] = ()
    libraries: tuple[tuple[str, str], ...] = ()
    fail_on: Severity = Severity.ERROR
    allow_incomplete: bool = False
    limit_sources: tuple[tuple[str, Severity], ...] = ()
    absent: tuple[str, ...] = ()
    revision: str = ""
    date: str = ""
    receipt: tuple[str, ...] = ()
    switched_off: tuple[tuple[str, str], ...] = ()
    selftest: tuple[ModelError, ...] = ()
    units: Units = ""
    stated: tuple[tuple[str, str], ...] = ()
    relaxed: tuple[str, ...] = ()

    @property
    def verdict(self) -> BoardVerdict:
        """The verdict on the board in one word."""
        return board_verdict(self.findings, self.exit_code)

    def __repr__(self) -> str:
        count = ", ".join(f"{number} {status}" for status, number in self.counts().items() if number)
        whose = f"{clip(self.board, 60)} under {clip(self.profile.name, 40)}"
        return f"<report of {whose}: {self.verdict.value}; {clip(count, 70)}>"

    def to_rows(self) -> list[dict[str, str | float | int | None]]:
        """The findings as plain rows, in the order of the report; None where there is nothing.

        - ``rule``, ``title``, ``subject``, ``status``, ``severity``, ``basis``, ``message``, ``fix``, ``file``: texts
        - ``value``, ``lo``, ``hi``: what was found, and both ends of its interval, in ``unit``
        - ``limit_low``, ``limit_high``: the bounds in ``unit``; ``limit`` is their text
        - ``unit``: that of the limit; empty for a plain number, and a value without a limit is in SI
        - ``margin``: distance to the nearer bound in ``unit``, negative beyond it
        - ``margin_ratio``: the margin over its limit [-]: findings of all rules can be sorted by it; for a limit of
          0 dB it is the part of the amplitude that is left
        - ``line``: of ``file``, from 1; 0 for none
        """
        return [finding_row(one) for one in self.findings]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a finding.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows(), COLUMNS)

    def plot(self, ax: Any = None, *, most: int = 20) -> Any:
        """Draw the least margins over their limits, worst on top, where matplotlib is installed.

        A number that stands exactly on its limit, as a class or a count does that is met, has no bar.

        Parameters
        ----------
        ax : Axes of matplotlib, optional
            Where to draw; a new figure if not given.
        most : int
            Findings that are drawn at most.

        Returns
        -------
        Axes of matplotlib

        Raises
        ------
        ImportError
            If matplotlib is not installed: it is no part of pcbrules.
        ValueError
            No finding has a margin, or fewer than one is asked for.
        """
        if not isinstance(most, int) or most < 1:
            raise ValueError(f"most is a whole number from 1, not {most!r:.40}")
        found = [(part, one) for one in self.findings
                 if (part := share(one)) is not None and (part.lo or part.value or part.hi)]
        if not found:
            raise ValueError("there is no margin to draw: nothing with a limit was judged")
        rows = [(f"{one.rule} {clip(one.subject, 50)}",
                 f"fail ({one.severity.value})" if one.status is Status.FAIL else one.status.value,
                 100 * part.value, 100 * part.lo, 100 * part.hi)
                for part, one in ordered(found, key=lambda item: item[0].value)[:most]]
        more = f"\nthe {len(rows)} least of {len(found)} margins" if len(rows) < len(found) else ""
        return draw_margins(rows, ax, f"{clip(self.board, 50)} under {self.profile.name}: {self.verdict.value}{more}")

    def counts(self) -> dict[str, int]:
        """Number of findings per status; every status is present."""
        seen = Counter(f.status for f in self.findings)
        return {status.value: seen[status] for status in Status}

    def passes_by_basis(self) -> dict[str, int]:
        """Number of passes per basis."""
        seen = Counter(f.basis for f in self.findings if f.status is Status.PASS)
        return {basis: seen[basis] for basis in get_args(Basis)}

    def rules_with(self, status: Status) -> list[tuple[str, int]]:
        """Rules all of whose applicable findings have the status, with the number of findings."""
        by_rule: dict[str, list[Finding]] = {}
        for finding in self.findings:
            by_rule.setdefault(finding.rule, []).append(finding)
        result = []
        for rule in sorted(by_rule):
            judged = [f for f in by_rule[rule] if f.status is not Status.NOT_APPLICABLE]
            if status is Status.NOT_APPLICABLE and not judged:
                result.append((rule, len(by_rule[rule])))
            elif judged and all(f.status is status for f in judged):
                result.append((rule, len(judged)))
        return result
