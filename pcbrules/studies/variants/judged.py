# SPDX-License-Identifier: MIT
"""What a variant is judged: the verdict, and of each rule that is shown the finding that decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pcbrules.brief import brief
from pcbrules.phrases import within
from pcbrules.reports._numbers import numbers, texts
from pcbrules.results.board_verdict import board_verdict
from pcbrules.results.finding import Finding, Status, worst_first
from pcbrules.results.gate import JUDGED, weight
from pcbrules.rules._engine_rules import ENGINE_RULES

REFUSED = "REFUSED"
"""The verdict on a variant that is no board."""


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule, or a rule of one part of the board: ``CHN001``, ``CHN001:links.up``."""

    rule: str
    part: str = ""

    def __repr__(self) -> str:
        return f"<{self.name}>"  # whole: files of studies are told apart by it

    @property
    def name(self) -> str:
        """As the user writes it."""
        return f"{self.rule}:{self.part}" if self.part else self.rule

    def holds(self, finding: Finding) -> bool:
        """Return whether a finding is of the rule, and of the part where one is named."""
        return finding.rule == self.rule and (not self.part or within(finding.subject, self.part))


@dataclass(frozen=True, slots=True)
class Deciding:
    """The worst finding of a rule, with its numbers in the unit of the limit on digits that all processors share.

    ``text`` is the measured value for a reader, ``bound`` the limit as the ruleset writes it.
    """

    status: str
    severity: str
    subject: str
    measured: float | None = None
    lo: float | None = None
    hi: float | None = None
    limit: float | None = None
    margin: float | None = None
    unit: str = ""
    text: str = ""
    bound: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Tried:
    """A variant as judged: ``verdict``, ``exit_code``, ``counts`` by status, and one ``Deciding`` a rule that is shown.

    Of a variant that is no board ``why`` says what is wrong with it, of one that is incomplete what is not evaluated.
    """

    verdict: str
    exit_code: int
    counts: dict[str, int]
    deciding: tuple[Deciding | None, ...]
    why: str = ""

    __repr__ = brief

    def row(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    @staticmethod
    def of_row(row: dict[str, Any]) -> Tried:
        """Take what ``row`` gave, after a way through JSON."""
        deciding = tuple(Deciding(**one) if one is not None else None for one in row["deciding"])
        return Tried(str(row["verdict"]), int(row["exit_code"]), dict(row["counts"]), deciding, str(row["why"]))


def refused(why: str, shown: Sequence[ShownRule]) -> Tried:
    """Return what is said of a variant that is no board."""
    return Tried(REFUSED, 2, {}, (None,) * len(shown), why)


def tried(findings: Sequence[Finding], shown: Sequence[ShownRule]) -> Tried:
    """Return what the findings of a variant come to."""
    asked = {weight(one) for one in findings}
    judged = any(one.status in JUDGED and one.rule not in ENGINE_RULES
                 and (not shown or any(rule.holds(one) for rule in shown)) for one in findings)
    code = 1 if 1 in asked else 3 if 3 in asked or not judged else 0
    counts = {status.value: count for status in Status if (count := sum(one.status is status for one in findings))}
    open_ = next((one for one in worst_first(findings) if one.status is Status.NOT_EVALUATED and code == 3), None)
    why = f"{open_.rule} {open_.subject}: {open_.message}" if open_ else "" if judged else "nothing was judged"
    deciding = tuple(_deciding(findings, one) for one in shown)
    return Tried(board_verdict(findings, code).value, code, counts, deciding, why)


def _deciding(findings: Iterable[Finding], shown: ShownRule) -> Deciding | None:
    mine = [one for one in findings if shown.holds(one) and one.status is not Status.NOT_APPLICABLE]
    if not mine:
        return None
    worst = worst_first(mine)[0]
    given, said = numbers(worst), texts(worst)
    return Deciding(worst.status.value, worst.severity.value, worst.subject, given.measured, given.lo, given.hi,
                    given.limit, given.margin, given.unit, said.measured, said.limit)
