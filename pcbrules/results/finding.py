# SPDX-License-Identifier: MIT
"""A finding: one rule's answer for one subject."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from pcbrules.brief import brief
from pcbrules.phrases import clip
from pcbrules.results.edits import Edits, Fix, Proposal, Search
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.ties import TOLERANCE, ordered


class Status(StrEnum):
    """Every answer that a rule can give. Listed worst first."""

    FAIL = "fail"
    CRASHED = "crashed"
    NOT_EVALUATED = "not-evaluated"
    MARGINAL = "marginal"
    WAIVED = "waived"
    ACCEPTED = "accepted"
    PASS = "pass"
    NOT_APPLICABLE = "not-applicable"


class Severity(StrEnum):
    """How much a violation weighs. Listed worst first."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


STATUS_ORDER = {status: i for i, status in enumerate(Status)}
SEVERITY_ORDER = {severity: i for i, severity in enumerate(Severity)}


LOST_MARGIN = "PCB005"
"""The rule of findings whose number is the margin that was lost since a baseline."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a limit comes from."""

    text: str
    provenance: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Waiver:
    """The waiver that covers a finding."""

    reason: str
    owner: str
    expires: str
    bound: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class WaiverEntry:
    """An entry of a waiver file that would cover a finding.

    Attributes
    ----------
    section : str
        Its list: ``waivers`` or ``acceptances``.
    keys : tuple of (str, str)
        Its keys, but the board and what a person decides: reason, owner and date.
    every_board : bool
        It is about the ruleset, and has no board: one entry for all that the ruleset judges.
    """

    section: str
    keys: tuple[tuple[str, str], ...]
    every_board: bool = False

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Change:
    """How a finding stands against a baseline.

    Attributes
    ----------
    known : bool
        True where the baseline has it already: it does not count for the exit code.
    was : Status or None
        Its status in the baseline; None where the baseline does not have it.
    text : str
        The same for a reader.
    entries : tuple of WaiverEntry
        What would cover a finding that only the comparison makes: a lost margin, what is gone or relaxed.
    number : float or None
        Its number in the baseline, in the SI unit of its own; None where there was none of the same kind.
    limit : Limit or None
        What that number was compared with.
    """

    known: bool
    was: Status | None
    text: str
    entries: tuple[WaiverEntry, ...] = ()
    number: float | None = None
    limit: Limit | None = None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Effect:
    """What a fix makes of a finding: the number before and after, and the status then."""

    rule: str
    subject: str
    was: str
    becomes: str
    status: Status

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Plan:
    """One fix for all findings that vias of one type decide, judged again with all its edits.

    Attributes
    ----------
    subject : str
        What is changed: ``via_types.fast``.
    edits : tuple of Proposal
        All of them are to be made.
    lead : str
        What they do, where they do not say it themselves.
    met : tuple of Effect
        Findings whose limit is met then.
    left : tuple of Effect
        Findings whose limit is still missed.
    apart : tuple of Effect
        What would get worse at links that therefore keep the values of today, in a via type of their own.
    costs : tuple of Effect
        Findings that keep their status and lose margin.
    assumed : str
        A dimension of the via that the file does not declare and the plan therefore assumes; empty where there is none.
    """

    subject: str
    edits: Edits
    lead: str
    met: tuple[Effect, ...]
    left: tuple[Effect, ...]
    apart: tuple[Effect, ...]
    costs: tuple[Effect, ...] = ()
    assumed: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule's answer for one subject: what was measured, against which limit, where, and what would fix it.

    ``cure`` has the edits that ``fix`` names, where it names some; ``plan`` is the fix of all findings of the same
    via type; ``search`` is a fix that has still to be solved; ``proposal`` is an edit that is quoted only after the
    edited board passes; ``offset`` is the number with its sign where ``measured`` is a distance from a target.
    """

    rule: str
    title: str
    subject: str
    status: Status
    severity: Severity
    message: str
    where: Location
    measured: Measured | None = None
    limit: Limit | None = None
    source: Source | None = None
    note: str = ""
    fix: str = ""
    cure: Fix | None = None
    plan: Plan | None = None
    search: Search | None = field(default=None, compare=False, repr=False)
    proposal: Proposal | None = None
    waiver: Waiver | None = None
    waived_from: Status | None = None
    counts_as_fail: bool = False
    change: Change | None = None
    offset: float | None = None

    def __repr__(self) -> str:
        return f"<{self.rule} {clip(self.subject, 60)}: {self.status.value}, {clip(self.message, 80)}>"

    @property
    def basis(self) -> str:
        """``computed``, ``table``, ``declared``, or ``none`` where nothing was measured."""
        return self.measured.basis if self.measured else "none"

    def sort_key(self) -> tuple[int, int, float, str, str]:
        """Worst first: status, severity, then the margin over the size of the limit; of a limit of zero the margin."""
        margin = 0.0
        if self.measured and self.limit and (self.limit.low, self.limit.high) != (None, None):
            share = self.limit.share(self.measured.value)
            margin = self.limit.margin(self.measured.value) if share is None else share
        return (STATUS_ORDER[self.status], SEVERITY_ORDER[self.severity], margin, self.rule, self.subject)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of a report: by ``Finding.sort_key``, equal margins by rule and subject."""
    return ordered(findings, key=Finding.sort_key, floor=TOLERANCE)
