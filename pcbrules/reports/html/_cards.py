# SPDX-License-Identifier: MIT
"""The cards of a report: one a link and a rail, and one for each other part of the board, worst status first.

What is dearer than needed has a card of its own, whatever part it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from pcbrules.phrases import parts_of, under
from pcbrules.reports._margins import rank
from pcbrules.reports._tally import Tally, tallies
from pcbrules.reports._text import SHOWN
from pcbrules.results.coverage import OVER
from pcbrules.results.finding import SEVERITY_ORDER, STATUS_ORDER, Finding, Status
from pcbrules.results.margin_share import Share, share
from pcbrules.results.report import Report
from pcbrules.ties import TOLERANCE, least_of, ordered

KINDS = {"links": "link", "rails": "rail"}
"""Parts of a board of which every member has a card."""

CHEAPER = "over-specification"
"""The card of what is dearer than a profile needs."""


@dataclass(frozen=True, slots=True)
class SubjectCard:
    """What is known of a link, a rail or another part of the board.

    ``subject`` is what its findings' subjects begin with; ``head`` the finding by which it is called, the worst in the
    order of a report; ``rank`` the smallest margin of those as bad as it, infinite where none has one; ``worst`` the
    finding that has it, or else the worst one; ``tallies`` how many there are of each kind.
    """

    subject: str
    name: str
    kind: str
    head: Finding
    rank: float
    worst: Finding
    margin: Share | None
    tallies: tuple[Tally, ...]

    @property
    def status(self) -> Status:
        """Status of its worst finding."""
        return self.head.status

    @property
    def total(self) -> int:
        """Number of its findings."""
        return sum(one.count for one in self.tallies)


def subject_of(finding: Finding) -> str:
    """The subject of the card to which a finding belongs."""
    if finding.rule.startswith(OVER):
        return CHEAPER
    first, *rest = parts_of(finding.subject)
    return f"{first}{under(rest[0])}" if first in KINDS and rest else first


def cards(report: Report) -> list[SubjectCard]:
    """All cards of a report, worst status first, of one status and severity the smallest margin."""
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(subject_of(finding), []).append(finding)
    made = [_card(subject, findings) for subject, findings in found.items()]
    return ordered(made, key=lambda card: (*weight(card.head), card.rank, card.subject), floor=TOLERANCE)


def weight(finding: Finding) -> tuple[int, int]:
    """Place of a finding in a report: fails, marginals, what was not evaluated, the rest; errors before warnings."""
    order = SHOWN.index(finding.status) if finding.status in SHOWN else len(SHOWN) + STATUS_ORDER[finding.status]
    return order, SEVERITY_ORDER[finding.severity] if finding.status in SHOWN else 0


def _card(subject: str, findings: Sequence[Finding]) -> SubjectCard:
    def order(finding: Finding) -> tuple[float, tuple[int, int, float, str, str]]:
        place = rank(finding)
        return (inf if place is None else place, finding.sort_key())

    head = least_of(findings, key=weight)
    worst = least_of([f for f in findings if weight(f) == weight(head)], key=order, floor=TOLERANCE)
    first, name = (*parts_of(subject), "")[:2]
    return SubjectCard(
        subject=subject,
        name=name or first,
        kind=KINDS[first] if name else "board",
        head=head,
        rank=order(worst)[0],
        worst=worst,
        margin=share(worst),
        tallies=tallies(findings, empty=False),
    )
