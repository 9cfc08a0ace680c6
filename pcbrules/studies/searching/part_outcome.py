# SPDX-License-Identifier: MIT
"""What the findings of a candidate come to: what cuts it, and the margins that count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from pcbrules.brief import brief
from pcbrules.phrases import parts_of, within
from pcbrules.reports._numbers import nine, numbers, texts
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Severity, Status, worst_first
from pcbrules.results.gate import JUDGED, weight
from pcbrules.results.margin_share import is_word
from pcbrules.studies.variants.judged import ShownRule
from pcbrules.ties import least_of

FLOOR = 1e-6
"""Difference of two margins below which they are equal: share of the limit, or the unit of the limit."""

IMPEDANCE = "SIG001"
"""The rule whose number a bound of the impedance looks at."""

NO_BOARD, OPEN, UNJUDGED, BEYOND = "no board", "not evaluated", "nothing judged", "impedance beyond the bound"

MarginKey = tuple[str, str]
"""Rule and subject of a margin."""


@dataclass(frozen=True, slots=True)
class CountedMargin:
    """A margin: a share of the limit, or in its unit; texts of the number and its limit."""

    rule: str
    subject: str
    margin: float
    measured: str = ""
    limit: str = ""
    unit: str = ""

    __repr__ = brief

    @property
    def key(self) -> MarginKey:
        """Rule and subject."""
        return (self.rule, self.subject)


@dataclass(frozen=True, slots=True)
class BlockedBy:
    """What cuts a candidate: a rule that fails, or a word; the subject, and what is said of it."""

    what: str
    subject: str = ""
    said: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """Of a candidate as far as some rules look at it: what cuts it, None if nothing does, and margins.

    ``warnings`` are rule and subject of what fails as a warning, where all rules were asked.
    """

    blocked: BlockedBy | None = None
    margins: tuple[CountedMargin, ...] = ()
    warnings: tuple[MarginKey, ...] = ()

    def row(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    @staticmethod
    def of_row(row: dict[str, Any]) -> PartOutcome:
        """Take what ``row`` gave, after a way through JSON."""
        blocked = row["blocked"]
        return PartOutcome(BlockedBy(**blocked) if blocked is not None else None,
                           tuple(CountedMargin(**one) for one in row["margins"]),
                           tuple((rule, subject) for rule, subject in row.get("warnings", ())))

    @property
    def least(self) -> CountedMargin | None:
        """The least margin, None without a number."""
        return least_of(self.margins, key=lambda one: (one.margin, one.rule, one.subject), floor=FLOOR, default=None)


@dataclass(frozen=True, slots=True)
class WhatHolds:
    """What a candidate is asked for.

    ``links`` and ``rails`` are those that must hold, None for all; ``judged`` the rules that must judge something;
    ``impedance`` the largest distance from a target [-]. ``shown`` are the rules whose margin counts, without any all;
    of these the ones of ``moved`` alone, where they are known. With ``in_unit`` margins are in the unit of the limit.
    """

    level: Severity = Severity.ERROR
    links: tuple[str, ...] | None = None
    rails: tuple[str, ...] | None = None
    judged: tuple[str, ...] = ()
    impedance: float | None = None
    allow_incomplete: bool = False
    shown: tuple[ShownRule, ...] = ()
    in_unit: bool = False
    moved: frozenset[MarginKey] | None = None

    def looks_at(self, subject: str) -> bool:
        """Return False for a part of the board that need not hold."""
        section, *rest = parts_of(subject)
        names = {"links": self.links, "rails": self.rails}.get(section)
        return names is None or not rest or rest[0] in names


def failing_warnings(findings: Iterable[Finding]) -> tuple[MarginKey, ...]:
    """Return rule and subject of every warning that fails, in the order of a report."""
    return tuple((one.rule, one.subject) for one in worst_first(findings)
                 if one.severity is Severity.WARNING and one.status is Status.FAIL)


def new_warnings(before: Iterable[MarginKey], after: Iterable[MarginKey]) -> tuple[tuple[str, int], ...]:
    """Return the rules of which more warnings fail after than before, each with how many are new, by their ids."""
    more = Counter(after) - Counter(before)
    by_rule: Counter[str] = Counter()
    for (rule, _), count in more.items():
        by_rule[rule] += count
    return tuple(sorted(by_rule.items()))


def part_outcome(findings: Iterable[Finding], rules: Iterable[str], asked: WhatHolds) -> PartOutcome:
    """Return what the findings of some rules come to.

    Parameters
    ----------
    findings : iterable of Finding
    rules : iterable of str
        The rules that were judged.
    asked : WhatHolds
    """
    mine = [one for one in worst_first(findings) if asked.looks_at(one.subject)]
    margins = [found for one in mine if _counts(one, asked) and (found := _margin(one, asked)) is not None]
    blocked = _blocked(mine, frozenset(rules), asked)
    if asked.moved is not None or asked.shown:
        least = PartOutcome(None, tuple(margins)).least
        return PartOutcome(blocked, (least,) if least else ())
    return PartOutcome(blocked, tuple(margins))


def _blocked(findings: list[Finding], rules: frozenset[str], asked: WhatHolds) -> BlockedBy | None:
    for one in findings:
        kind = weight(one, asked.level, asked.allow_incomplete)
        if kind == 1:
            return BlockedBy(one.rule, one.subject, texts(one).measured.partition(" (")[0] or one.message)
        if kind == 3:
            return BlockedBy(f"{OPEN}: {one.rule}", one.subject, one.message)
        bound = asked.impedance
        if one.rule == IMPEDANCE and bound is not None and one.offset is not None and (
                abs(one.offset) > bound * (1 + 1e-9)):  # of its findings the distance from a target, not the spread
            return BlockedBy(BEYOND, one.subject, texts(one).measured.partition(" (")[0])
    for rule in asked.judged:
        if rule in rules and not any(one.rule == rule and one.status in JUDGED for one in findings):
            return BlockedBy(f"{UNJUDGED}: {rule}")
    return None


def _counts(one: Finding, asked: WhatHolds) -> bool:
    if asked.shown:
        return any(one.rule == rule.rule and (not rule.part or within(one.subject, rule.part)) for rule in asked.shown)
    if SEVERITY_ORDER[one.severity] > SEVERITY_ORDER[asked.level] or one.status not in JUDGED:
        return False
    return asked.moved is None or (one.rule, one.subject) in asked.moved


def _margin(one: Finding, asked: WhatHolds) -> CountedMargin | None:
    if one.measured is None or one.limit is None or is_word(one.limit):
        return None  # the place of a word in its list is no margin
    if asked.in_unit:
        given = numbers(one)
        margin, unit = given.margin, given.unit
    else:
        share, unit = one.limit.share(one.measured.value), ""
        margin = nine(share) if share is not None else None
        margin = round(margin, 8) if margin is not None else None
    if margin is None or not isfinite(margin):
        return None
    said = texts(one)
    return CountedMargin(one.rule, one.subject, margin, said.measured.partition(" (")[0], said.limit, unit)
