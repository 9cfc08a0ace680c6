# SPDX-License-Identifier: MIT
"""What is judged by a weaker limit, or weighs less, than it did in the baseline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isclose

from pcbrules.baseline.loss import HELD, SAME
from pcbrules.baseline.planned import acceptance, meant
from pcbrules.baseline.reader import BaselineFinding
from pcbrules.results.finding import SEVERITY_ORDER, Change, Finding, Severity, Source, Status
from pcbrules.results.limit import Limit
from pcbrules.results.place import Location
from pcbrules.rules._engine_rules import ENGINE_RULES, RELAXED

SOURCE = Source("baseline", "derived")

RulePair = tuple[Finding, BaselineFinding]
"""A finding and that of the baseline."""


def relaxed(before: Limit, now: Limit) -> bool:
    """True where a bound lies further out than it did, or is gone."""
    low_before, low_now = (-inf if one.low is None else one.low for one in (before, now))
    high_before, high_now = (inf if one.high is None else one.high for one in (before, now))
    return _less(low_now, low_before) or _less(high_before, high_now)


def _less(one: float, other: float) -> bool:
    return one < other and not isclose(one, other, rel_tol=SAME)


def is_weaker(finding: Finding, old: BaselineFinding) -> bool:
    """True where the limit of a finding is relaxed, or its severity lowered."""
    return _limits(finding, old) or _severity(finding, old)


def _limits(finding: Finding, old: BaselineFinding) -> bool:
    held = finding.status in HELD and old.status in HELD
    return bool(held and finding.limit and old.limit and relaxed(old.limit, finding.limit))


def _severity(finding: Finding, old: BaselineFinding) -> bool:
    judged = finding.status in (*HELD, Status.NOT_EVALUATED) and old.status in (*HELD, Status.NOT_EVALUATED)
    return judged and SEVERITY_ORDER[finding.severity] > SEVERITY_ORDER[old.severity]


def weaker_findings(
    pairs: Sequence[RulePair], severity: Severity, places: Mapping[str, Location] | None = None
) -> Iterator[Finding]:
    """One finding a rule that judges by less than in the baseline.

    Parameters
    ----------
    pairs : sequence of (Finding, BaselineFinding)
        Findings of which ``is_weaker`` is true, each beside that of the baseline.
    severity : Severity
        What a weaker check weighs.
    places : mapping, optional
        Where a ruleset file sets a rule, by rule: there it was relaxed. Of any other rule the finding shows the board.
    """
    by_rule: defaultdict[str, list[RulePair]] = defaultdict(list)
    for finding, old in pairs:
        by_rule[finding.rule].append((finding, old))
    for rule, mine in by_rule.items():
        first, texts, subject = mine[0][0], "; ".join(_texts(mine)), f"baseline.{rule}"
        place = (places or {}).get(rule)
        told = "; ".join(_kinds(mine)[0]) if place else texts  # of a ruleset the same on every board
        file = "ruleset" if place else "ruleset or in the board file"
        yield Finding(
            rule=RELAXED, title=ENGINE_RULES[RELAXED][0], subject=subject, status=Status.FAIL,
            severity=severity, message=f"{rule}: {texts} ({first.title})", where=place or first.where,
            source=SOURCE, counts_as_fail=True, fix=f"undo it in the {file}; {meant('it is meant')}",
            change=Change(False, None, "new: relaxed since the baseline",
                          (acceptance(RELAXED, subject, told, every_board=place is not None),)))


def weaker_text(pairs: Sequence[RulePair]) -> Iterator[str]:
    """Yield each change of findings of any rules once, behind the rule."""
    for rule in dict.fromkeys(finding.rule for finding, _ in pairs):
        yield f"{rule} {'; '.join(_texts([pair for pair in pairs if pair[0].rule == rule]))}"


def _texts(pairs: Sequence[RulePair]) -> Iterator[str]:
    """Each change once, with the first subject that it holds for and the number of all."""
    kinds, counts = _kinds(pairs)
    for text, subject in kinds.items():
        more = f" and {counts[text] - 1} more" if counts[text] > 1 else ""
        yield f"{text} ({subject}{more})"


def _kinds(pairs: Sequence[RulePair]) -> tuple[dict[str, str], Counter[str]]:
    """Each change with the first subject that it holds for; the number of all."""
    kinds: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for finding, old in pairs:
        if _limits(finding, old):
            assert finding.limit and old.limit
            _count(kinds, counts, f"limit {old.limit.text} in the baseline, {finding.limit.text} now", finding.subject)
        if _severity(finding, old):
            _count(kinds, counts, f"{old.severity} in the baseline, {finding.severity} now", finding.subject)
    return kinds, counts


def _count(kinds: dict[str, str], counts: Counter[str], text: str, subject: str) -> None:
    kinds.setdefault(text, subject)
    counts[text] += 1
