# SPDX-License-Identifier: MIT
"""What a report covers, in words: one line, and one row a group with the causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pcbrules.reports._text import counted
from pcbrules.results.coverage import LEFT_OUT, NOT_ASKED, Coverage, RuleCoverage, coverage
from pcbrules.results.finding import Status
from pcbrules.results.report import Report
from pcbrules.results.wanted_keys import WantedKey, wanted_keys

MOST_RULES = 12
"""Rules that the line names of each group."""

MOST_KEYS = 8
"""Keys that are listed to be written."""

MOST_CAUSES = 4
"""Causes that a row gives of each rule; JSON has all."""


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """A group of rules: its name, how many rules it has, and a text for those of one cause."""

    name: str
    rules: int
    texts: tuple[str, ...]


def coverage_rows(report: Report) -> tuple[CoverageRow, ...]:
    """The groups: judged, not evaluated with its causes, not applicable, switched off; where there are some, not asked
    and left out by an option.
    """
    found = coverage(report)
    judged = counted([(one.rule, one.findings) for one in found.judged])
    off, left, unasked = _off(found)
    rest = [("not evaluated", found.not_evaluated), ("not applicable", found.not_applicable), ("switched off", off)]
    if unasked:
        rest.append(("not asked", unasked))
    made = [CoverageRow("judged", len(found.judged), (judged,) if judged else ()),
            *(CoverageRow(name, len(rules), tuple(_caused(rules))) for name, rules in rest)]
    if left:
        made.append(CoverageRow(LEFT_OUT, len(left), (counted([(one.rule, 1) for one in left]),)))
    return tuple(made)


def coverage_line(report: Report) -> str:
    """``coverage: 37 rules judged (all checks of 30 pass); 2 not fully evaluated: SIG005 (3), PDN001; ...``."""
    found = coverage(report)
    everywhere = len(report.rules_with(Status.PASS))
    passing = f"all checks of {everywhere} pass"
    off, left, unasked = _off(found)
    return "; ".join((
        f"coverage: {_rules(len(found.judged))} judged ({passing})",
        _named("not fully evaluated", found.not_evaluated),
        f"{len(found.not_applicable)} not applicable",
        _named("switched off", off),
        *([_named(LEFT_OUT, left)] if left else []),
        *(["over-specification not asked (--over-spec)"] if unasked else []),
        *([f"declared below the profile: {', '.join(report.relaxed)}"] if report.relaxed else []),
    ))


def coverage_tree(found: Coverage) -> dict[str, list[dict[str, object]]]:
    """The same as plain values, with every cause."""
    groups = {"judged": found.judged, "not_evaluated": found.not_evaluated, "not_applicable": found.not_applicable,
              "switched_off": found.switched_off}
    return {name: [{"rule": one.rule, "findings": one.findings, "causes": list(one.causes)} for one in rules]
            for name, rules in groups.items()}


def _off(found: Coverage) -> tuple[tuple[RuleCoverage, ...], ...]:
    """The rules that were not asked: off in the profile, left out by an option, judged on request alone."""
    by_option: dict[tuple[str, ...], int] = {(LEFT_OUT,): 1, (NOT_ASKED,): 2}
    return tuple(tuple(one for one in found.switched_off if by_option.get(one.causes, 0) == kind)
                 for kind in range(3))


def _rules(count: int) -> str:
    return "1 rule" if count == 1 else f"{count} rules"


def _named(what: str, rules: Sequence[RuleCoverage]) -> str:
    if not rules:
        return f"0 {what}"
    more = f" and {len(rules) - MOST_RULES} more" if len(rules) > MOST_RULES else ""
    return f"{len(rules)} {what}: {counted([(one.rule, one.findings or 1) for one in rules[:MOST_RULES]])}{more}"


def _caused(rules: Sequence[RuleCoverage]) -> Iterator[str]:
    """A text for all rules of the same causes."""
    alike: dict[tuple[str, ...], list[RuleCoverage]] = {}
    for one in rules:
        alike.setdefault(one.causes, []).append(one)
    for causes, some in alike.items():
        left = len(causes) - MOST_CAUSES
        more = f"; {left} more cause{'' if left == 1 else 's'}" if left > 0 else ""
        names = counted([(one.rule, one.findings or 1) for one in some])
        yield f"{names}: {'; '.join(causes[:MOST_CAUSES])}{more}"


def keys_to_write(report: Report) -> Iterator[str]:
    """Of a layout with open inputs the keys that decide the most checks; nothing of a board file."""
    keys = wanted_keys(report.findings) if report.receipt else ()
    if not keys:
        return
    place = "into the overlay, the most valuable first" if len(keys) > 1 else "into the overlay"
    yield f"write {'these ' if len(keys) > 1 else 'this '}{_many(len(keys), 'key')} {place}:"
    for number, one in enumerate(keys[:MOST_KEYS], 1):
        yield f"  {number}. {one.key}{f' (or {one.none})' if one.none else ''}: {_decides(one)}"
    if len(keys) > MOST_KEYS:
        yield f"  and {_many(len(keys) - MOST_KEYS, 'key')} more: --format json has the fix of each finding"


def _decides(one: WantedKey) -> str:
    """How many checks a key decides, by severity."""
    if not one.count:
        return "decides a check together with keys below"
    each = ", ".join(f"{count} {severity.value}" for severity, count in one.decides)
    return f"decides {_many(one.count, 'check')} ({each})"


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
