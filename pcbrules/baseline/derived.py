# SPDX-License-Identifier: MIT
"""Subjects that the check computes, so that another value of the board takes them away or gives them another name."""

from __future__ import annotations

from collections.abc import Iterable

from pcbrules.baseline.loss import HELD
from pcbrules.phrases import Path, read_path, show_path, within
from pcbrules.results.finding import Finding


def computed_in(rule: str, subject: str) -> str:
    """Return the rail, link or other written place that a computed subject belongs to; empty for a written subject.

    >>> computed_in("PDN007", "rails.core.peaks.bulk_mid.damping"), computed_in("MAT002", "links.up.L3")
    ('rails.core', 'links.up')
    >>> computed_in("SIG001", "links.up.path.trace1"), computed_in("SIG001", "links.up.path.trace1.declared")
    ('', 'links.up.path.trace1')
    """
    place = read_path(subject)
    return show_path(_owner(rule, place)) if place else ""


def _owner(rule: str, place: Path) -> Path:
    match rule, *place:
        case "PDN007", "rails", _, "peaks", _, *_:  # a resonance between two parts of a ladder
            return place[:2]
        case ("MAT001" | "MAT002"), "links", _, _, *_:  # laminates and layers that a link runs on
            return place[:2]
        case "MAT003", "stackup", _, *_:  # laminates of the stack-up
            return place[:1]
        case ("SIG001", *_, "declared") | ("SIG003", *_, "cut"):  # there only while something is wrong
            return place[:-1]
    return ()


def still_judged(rule: str, subject: str, findings: Iterable[Finding]) -> bool:
    """Return whether a computed subject that is gone belongs to what the rule judges now, under whatever name."""
    owner = computed_in(rule, subject)
    return bool(owner) and any(
        one.rule == rule and one.status in HELD and within(one.subject, owner) for one in findings)
