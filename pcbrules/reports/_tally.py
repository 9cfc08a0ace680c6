# SPDX-License-Identifier: MIT
"""How many findings there are of each kind: fails by their severity, so that a warning never looks like an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pcbrules.reports._text import LIGHT, SHAPE, WORD, severities
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.measured import BASES


@dataclass(frozen=True, slots=True)
class Tally:
    """Findings of one kind: the status that it looks like, the sign and word beside the number, and their bases."""

    look: Status
    sign: str
    word: str
    count: int
    bases: str


def tallies(findings: Sequence[Finding], *, empty: bool) -> tuple[Tally, ...]:
    """Return the kinds in the order of the statuses, those that have a finding.

    Where ``empty`` asks for them errors, what is not evaluated and passes stand there too if there are none.
    """
    found: list[Tally] = []
    for status in Status:
        mine = [f for f in findings if f.status is status]
        if status is Status.FAIL:
            for severity in Severity:
                part = [f for f in mine if f.severity is severity]
                if part or (empty and severity is Severity.ERROR):
                    error = severity is Severity.ERROR
                    look = Status.FAIL if error else Status.MARGINAL
                    word = severities(len(part), severity).partition(" ")[2]
                    found.append(Tally(look, SHAPE[look] if error else LIGHT[severity], word, len(part), _bases(part)))
        elif mine or (empty and status in (Status.NOT_EVALUATED, Status.PASS)):
            found.append(Tally(status, SHAPE[status], WORD[status], len(mine), _bases(mine)))
    return tuple(found)


def _bases(findings: Iterable[Finding]) -> str:
    counts = Counter(f.basis for f in findings)
    return ", ".join(f"{counts[basis]} {'no number' if basis == 'none' else basis}" for basis in BASES if counts[basis])
