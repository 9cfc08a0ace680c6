# SPDX-License-Identifier: MIT
"""One finding for all margins that a link, a rail or another thing has lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from pcbrules.phrases import read_path, show_path
from pcbrules.results.finding import LOST_MARGIN, Finding, Severity, Status, worst_first
from pcbrules.ties import ordered

LISTED = 5
"""Losses that a message tells; the others are counted."""

PREFIX = "baseline."


def one_each(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Put the losses of one link, rail or other thing into one finding; what is waived stays as it is."""
    rest: list[Finding] = []
    lost: defaultdict[tuple[str, Severity], list[Finding]] = defaultdict(list)
    for one in findings:
        if one.rule == LOST_MARGIN and one.status is Status.FAIL:
            lost[_owner(one.subject), one.severity].append(one)
        else:
            rest.append(one)
    return tuple(worst_first([*rest, *(_together(owner, group) for (owner, _), group in lost.items())]))


def _owner(subject: str) -> str:
    """The link, rail or other thing that a subject such as `baseline.CHN001.links.up.path` belongs to."""
    place = subject.removeprefix(PREFIX).partition(".")[2]
    return show_path((read_path(place) or (place,))[:2])


def _together(owner: str, group: Sequence[Finding]) -> Finding:
    """The loss that is furthest beyond its bound stands for all of them."""
    if len(group) == 1:
        return group[0]
    first, *others = ordered(group, key=lambda one: -_times(one))
    told = [one.message for one in others[: LISTED - 1]]
    more = f"; and {len(group) - LISTED} more" if len(group) > LISTED else ""
    message = f"{first.message}; {owner} lost {len(group)} margins, so also {'; '.join(told)}{more}"
    fix = f"{first.fix}; a waiver names each loss by itself, this one as `{first.subject}`"
    entries = tuple(entry for one in (first, *others) if one.change for entry in one.change.entries)
    change = replace(first.change, entries=entries) if first.change else None
    return replace(first, subject=f"{PREFIX}{owner}", message=message, fix=fix, change=change)


def _times(one: Finding) -> float:
    """A loss as a multiple of its bound; infinite where there is no bound or no number."""
    if one.measured is None or one.limit is None or not one.limit.high:
        return inf
    return one.measured.value / one.limit.high
