# SPDX-License-Identifier: MIT
"""A link or rail that only got another name: it is compared under the new one.

It is taken for the same where every finding of it has the rule, place, status, number and limit of one of the old
name. Whatever is not, has changed, and counts as gone and as new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TypeVar

from pcbrules.baseline.loss import ROUNDING, moved
from pcbrules.baseline.reader import BaselineFinding, BaselineReport
from pcbrules.phrases import Path, read_path, show_path
from pcbrules.results.finding import Finding, Status

SECTIONS = ("links", "rails")
"""Sections whose parts are followed."""

FEWEST = 3
"""Findings that show that two parts are one: less may agree by chance."""

Names = Mapping[Path, Path]
One = TypeVar("One", Finding, BaselineFinding)


def under_new_names(
    report: BaselineReport, findings: Sequence[Finding]
) -> tuple[BaselineReport, tuple[str, ...]]:
    """Return a report of the baseline with the names that its links and rails have now, and a note of each.

    Parameters
    ----------
    report : BaselineReport
    findings : sequence of Finding
        Those of today.
    """
    before, now = _parts(report.findings), _parts(findings)
    fresh = [part for part in now if part not in before]
    names: dict[Path, Path] = {}
    for part in before:
        if part not in now:
            same = next((new for new in fresh if new[0] == part[0] and _is_same(before[part], now[new])), None)
            if same is not None:
                names[part] = same
                fresh.remove(same)
    if not names:
        return report, ()
    made = replace(
        report,
        findings=tuple(replace(one, subject=_named(one.subject, names)) for one in report.findings),
        stated=None if report.stated is None else {_named(key, names): text for key, text in report.stated.items()},
        asked=frozenset(_named(place, names) for place in report.asked))
    return made, tuple(f"{show_path(old)} is called {show_path(new)} now: it is compared under this name"
                       for old, new in names.items())


def _named(text: str, names: Names) -> str:
    """A subject or key under the new name of its link or rail."""
    path = read_path(text)
    new = names.get(path[:2]) if path else None
    return show_path((*new, *path[2:])) if path and new else text


def _parts(findings: Iterable[One]) -> dict[Path, dict[tuple[str, Path], list[One]]]:
    """Findings by link or rail, and there by rule and place."""
    found: defaultdict[Path, dict[tuple[str, Path], list[One]]] = defaultdict(dict)
    for one in findings:
        path = read_path(one.subject) or ()
        if len(path) > 1 and path[0] in SECTIONS:
            found[path[:2]].setdefault((one.rule, path[2:]), []).append(one)
    return found


def _is_same(
    old: Mapping[tuple[str, Path], list[BaselineFinding]], new: Mapping[tuple[str, Path], list[Finding]]
) -> bool:
    if old.keys() != new.keys() or sum(map(len, old.values())) < FEWEST:
        return False
    return all(len(old[key]) == len(new[key]) and all(map(_equal, old[key], new[key])) for key in old)


def _equal(old: BaselineFinding, new: Finding) -> bool:
    """True where two findings have the same status and weight, number and limit."""
    if (old.status, old.severity, old.basis) != (new.status, new.severity, new.basis):
        return False
    if (old.limit is None) != (new.limit is None) or (old.limit and new.limit and moved(old.limit, new.limit)):
        return False
    if new.measured is None or not old.has_number:
        return new.measured is None or new.limit is None or new.status is Status.NOT_APPLICABLE
    mine = (new.measured.value, new.measured.lo, new.measured.hi)
    bounds = () if old.limit is None else (old.limit.low, old.limit.high)
    noise = ROUNDING * max(abs(x) for x in (0.0, *mine, *bounds) if x is not None and isfinite(x))
    return all(one == other or abs(one - other) <= noise for one, other in zip(
        (old.value, old.lo, old.hi), mine, strict=True))
