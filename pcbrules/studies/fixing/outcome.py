# SPDX-License-Identifier: MIT
"""What a check says of a board with some changes, as far as a search asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.reports._numbers import texts
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.gate import weight
from pcbrules.studies.moves.retimers import whole

Key = tuple[str, str]
"""Rule and subject of a finding."""

Chosen = frozenset[int]
"""Changes by their place in the list of all."""


@dataclass(frozen=True, slots=True)
class SeenFinding:
    """A finding: ``fails`` where it counts for the exit code; texts of its number and its limit.

    ``margin`` is the distance to the limit over its size, negative beyond it, None without a number [-].
    """

    rule: str
    subject: str
    status: Status
    severity: Severity
    fails: bool
    measured: str = ""
    limit: str = ""
    margin: float | None = None

    __repr__ = brief

    @property
    def key(self) -> Key:
        """Rule and subject."""
        return (self.rule, self.subject)

    @property
    def told(self) -> str:
        """The number with its status: ``87 mil fail``."""
        return f"{self.measured} {self.status.value}".strip()


@dataclass(frozen=True, slots=True)
class SetOutcome:
    """Findings of a board with some changes; of one that is no board ``refused`` says why."""

    seen: tuple[SeenFinding, ...] = ()
    refused: str = ""

    def failing(self) -> tuple[Key, ...]:
        """Return what fails, in the order of the findings, each once."""
        return tuple(dict.fromkeys(one.key for one in self.seen if one.fails))

    def margin(self, key: Key) -> float | None:
        """Return the worst margin of a finding, None where it has no number."""
        found = [one.margin for one in self.seen if one.key == key]
        return min((one for one in found if one is not None), default=None) if None not in found else None

    def worse(self, base: SetOutcome, allowed: frozenset[Key] = frozenset()) -> tuple[Key, ...]:
        """Return what may not be, in the order of the findings.

        That is what fails, and is not allowed to; what fails as a warning and did not; and what is no longer evaluated.
        The half of a link behind a retimer is compared with the link that was there.
        """
        lost = (Status.NOT_EVALUATED, Status.CRASHED)
        was = {(one.key, one.status) for one in base.seen}
        found: dict[Key, None] = {}
        for one in self.seen:
            before = ((one.rule, whole(one.subject)), one.status)
            fresh = one.severity is not Severity.ADVICE and (one.key, one.status) not in was and before not in was and (
                one.status is Status.FAIL or one.status in lost)
            if (one.fails or fresh) and one.key not in allowed:
                found[one.key] = None
        return tuple(found)


Judge = Callable[[Sequence[Chosen], frozenset[str]], list[SetOutcome]]
"""Judges some sets of changes by some rules, each once however often it is asked."""


def outcome(findings: Iterable[Finding], level: Severity) -> SetOutcome:
    """Return the outcome of findings; those at or above a severity count."""
    return SetOutcome(tuple(_seen(one, level) for one in findings if one.status is not Status.NOT_APPLICABLE))


def _seen(one: Finding, level: Severity) -> SeenFinding:
    said = texts(one)
    margin = one.limit.share(one.measured.value) if one.measured and one.limit else None
    return SeenFinding(one.rule, one.subject, one.status, one.severity, weight(one, level) == 1,
                said.measured.partition(" (")[0], said.limit, margin)
