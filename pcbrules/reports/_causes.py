# SPDX-License-Identifier: MIT
"""Findings of one cause: a rule misses, or nearly misses, one limit at several places; or rules lack the same input.

A cause stands for its findings in a short report: their number, the worst of them with its place and its fix.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pcbrules.phrases import Path, parts_of, read_path
from pcbrules.reports._brief import GIVE, shorter
from pcbrules.reports._numbers import Texts, texts
from pcbrules.reports._text import SHOWN, lead, severities, waiver_text
from pcbrules.results.coverage import OVER
from pcbrules.results.edits import NO_FIX
from pcbrules.results.finding import LOST_MARGIN, SEVERITY_ORDER, Finding, Severity, Status
from pcbrules.symbols import signs
from pcbrules.ties import ordered

OPEN = frozenset({Status.FAIL, Status.MARGINAL})
"""Statuses of findings that a fix of their via type is for."""

SAVED = " of the bare board's price"
"""What over-specification is counted in."""

BELOW = "see the finding below"
"""In place of a fix of which no form is short enough."""

FAILS = 3
"""Other fails of a cause that a table names with their values."""

NAMED_PARTS = {"links": "link", "rails": "rail"}
"""Sections whose parts have names: the same input of several of them is one cause."""

_BASELINE = re.compile(r"baseline\.(?:[A-Z]{3}[0-9]{3}\.)?")

_QUOTED = re.compile("`([^`]+)`")

UNKNOWN = frozenset({Status.NOT_EVALUATED, Status.ACCEPTED, Status.CRASHED})
"""Statuses of findings without a number: the message says why."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings of one rule with one status, severity and limit, or those that lack the same input, worst first."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The worst of them."""
        return self.findings[0]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the findings, that of the worst first."""
        return tuple(dict.fromkeys(one.rule for one in self.findings))

    @property
    def subjects(self) -> str:
        """The subject of the worst, and how many more there are."""
        more = len(self.findings) - 1
        return f"{self.first.subject} and {more} more" if more else self.first.subject

    @property
    def mixed(self) -> str:
        """Of which rules and kinds the others are, as a verdict counts them: ``2 warnings CHN004, 2 marginal CHN004``.

        Empty where all are of one rule and kind, and where they lack the same input.
        """
        counts = Counter((lead(one), one.rule) for one in self.findings[1:])
        if self.first.status in UNKNOWN or counts.keys() <= {(lead(self.first), self.first.rule)}:
            return ""
        named = {str(one): one for one in Severity}
        return ", ".join(f"{severities(number, named[word]) if word in named else f'{number} {word}'} {rule}"
                         for (word, rule), number in counts.items())

    @property
    def title(self) -> str:
        """The title of the rule; of the findings of a plan what it changes."""
        return self.first.plan.subject if self.first.plan is not None else self.first.title

    @property
    def others(self) -> tuple[str, ...]:
        """The other rules, and the links, rails and other things that the other findings belong to."""
        owners = dict.fromkeys(_owner(one.subject) for one in self.findings)
        owners.pop(_owner(self.first.subject))
        rules = () if self.first.rule == LOST_MARGIN else self.rules[1:]  # the message names the rules of what was lost
        return (*rules, *owners)

    @property
    def fails(self) -> str:
        """The other fails with their values, the rule where it is another one: ``nvl_l5 22 %, CHN004 nvl_l3 9.67 dB``.

        Empty where none has a number.
        """
        found = [(one.rule, _owner(one.subject), texts(one).measured.partition(" (")[0])
                 for one in self.findings[1:] if one.status is Status.FAIL and one.rule != LOST_MARGIN]
        told = [f"{'' if rule == self.first.rule else f'{rule} '}{owner} {value}"
                for rule, owner, value in found if value]
        more = f" and {len(told) - FAILS} more" if len(told) > FAILS else ""
        return f"{', '.join(told[:FAILS])}{more}"

    @property
    def also(self) -> str:
        """What else the cause is about, for a table: the other fails with their values, else rules and links."""
        if self.first.status is Status.FAIL and self.fails:
            return f"fails too: {self.fails}"
        return f"also {', '.join(self.others)}" if self.others else ""

    @property
    def compared(self) -> tuple[str, ...]:
        """The worst value against its limit, the longest text first, else the message.

        The last is without interval, and says what both numbers count once.
        """
        shown = self.numbers
        if shown is None:
            return (self.first.message,)
        if self.first.rule.startswith(OVER):
            amount, _, also = shown.measured.partition(SAVED)
            return (f"saves {shown.measured}", f"saves {amount}{also}")
        value, limit = (text.partition(" (")[0] for text in (shown.measured, shown.limit))
        wanted = (f"{shown.measured}, limit {shown.limit}", f"{shown.measured}, limit {limit}",
                  f"{value}, limit {shown.limit}", f"{value}, limit {limit}",
                  f"{_bare(self.first, value)}, limit {limit}")
        return tuple(dict.fromkeys(wanted))

    @property
    def numbers(self) -> Texts | None:
        """The numbers of the worst, where it has some; of a lost margin the message tells them with their limit.

        Of what is over-specified the price that is saved, of savings that go together their sum.
        """
        shown = texts(self.first)
        told = self.first.status in UNKNOWN or self.first.rule == LOST_MARGIN
        if told or not shown.measured:
            return None
        return self._saved if self.first.rule.startswith(OVER) else shown

    @property
    def _saved(self) -> Texts:
        """What is saved, with no limit beside it: that of all savings is nothing."""
        first, values = self.first, [one.measured.value for one in self.findings if one.measured is not None]
        also = ""
        if first.limit is not None and "(" in first.limit.text:
            also = ", not with the others"
        elif len(values) > 1 and first.measured is not None:
            total, also = sum(values), ", together"
            first = replace(first, measured=replace(first.measured, value=total, lo=total, hi=total))
        shown = texts(first)
        return replace(shown, measured=f"{shown.measured}{SAVED}{also}", limit="")

    @property
    def cure(self) -> str:
        """The fix of the worst, or who waived it."""
        return self.cures[0]

    @property
    def cures(self) -> tuple[str, ...]:
        """The same from the whole text to the shortest one."""
        first, more = self.first, self.lacking_too
        if more:
            return tuple(f"fix: {one}; {more}" for one in shorter(first.fix))
        if first.waiver:
            return shorter(f"{first.status}: {waiver_text(first)}")
        own = first.cure.shorter if first.cure is not None else ()
        return tuple(one if one.startswith(NO_FIX) or not one else f"fix: {one}"
                     for one in ((first.fix, *own) if own else shorter(first.fix)))

    @property
    def lacking_too(self) -> str:
        """How many other links, rails or parts lack the input that the fix of the worst names; empty where none does.
        """
        if not lacks(self.first):
            return ""
        parts = {path[:2] for one in self.findings for path in _given(one.fix)} - {
            path[:2] for path in _given(self.first.fix)}
        names = {str(path[0]) for path in parts}
        one = NAMED_PARTS.get(names.pop(), "part") if len(names) == 1 else "part"
        count = len(parts)
        return "" if not count else f"{count} more {one}{'s lack' if count > 1 else ' lacks'} it too"

    def brief_cure(self, most: int, wanted: int | None = None) -> str:
        """The longest of them with so many characters at most, without its label; where none has, where it stands.

        One with as many as wanted goes before it.
        """
        forms = [one.removeprefix("fix: ") for one in self.cures]
        sizes = (most, most) if wanted is None else (min(wanted, most), most)
        return next((one for size in sizes for one in forms if len(one) <= size), BELOW)


def _bare(finding: Finding, value: str) -> str:
    """A value without what it counts, which the limit says: ``1.10`` of quarter wavelengths."""
    counts = signs(finding.limit.counts) if finding.limit else ""
    return value.removesuffix(counts).removesuffix(counts.removesuffix("s")).rstrip()


def _owner(subject: str) -> str:
    """The link, rail or other thing that a subject belongs to."""
    of_rule = _BASELINE.match(subject)
    if of_rule:  # of a comparison: `baseline.SIG006.links.up.ratio`
        subject = subject[of_rule.end() :]
    return ([*parts_of(subject)[1:], *parts_of(subject)] or [subject])[0]


def _given(fix: str) -> list[Path]:
    """The keys that a fix asks for."""
    return [path for name in _QUOTED.findall(fix) if (path := read_path(name))]


def lacks(finding: Finding) -> tuple[Path, ...]:
    """Return the inputs that are missing, whatever link or rail and place they are of; empty where none are named."""
    if finding.status is not Status.NOT_EVALUATED or not finding.fix.startswith(GIVE):
        return ()
    kinds = [tuple("*" if isinstance(step, int) or (at == 1 and path[0] in NAMED_PARTS) else step
                   for at, step in enumerate(path)) for path in _given(finding.fix)]
    return tuple(dict.fromkeys(kinds))


def _key(finding: Finding) -> tuple[object, ...]:
    """What findings of one cause share: the limit, the fix of a via type, or the reason why nothing was judged."""
    if finding.status is Status.ACCEPTED:
        return (finding.status, finding.waiver)
    if finding.status is Status.NOT_EVALUATED:
        return (finding.status, finding.message)
    if finding.plan is not None and finding.status in OPEN:
        return (finding.plan.subject, finding.plan.edits)
    return (finding.status, finding.severity, finding.rule, finding.limit.text if finding.limit else "")


def _lost_with(findings: Iterable[Finding]) -> dict[str, object]:
    """By rule and subject of what fails or is marginal now, the key of the lost margin that tells it already."""
    keys: dict[str, object] = {}
    for one in findings:
        if one.rule == LOST_MARGIN and one.status is Status.FAIL and one.change is not None:
            names = [dict(entry.keys).get("subject", "") for entry in one.change.entries]
            mine = (*(name.removeprefix("baseline.") for name in names), f"{one.rule}.{one.subject}")
            keys |= dict.fromkeys(mine, (LOST_MARGIN, one.subject))
    return keys


def causes(findings: Iterable[Finding]) -> list[Cause]:
    """The causes of findings that are in the order of a report; of one status errors before warnings."""
    listed = list(findings)
    lost = _lost_with(listed)
    found: dict[object, list[Finding]] = {}
    for one in listed:
        found.setdefault(lost.get(f"{one.rule}.{one.subject}") or _key(one), []).append(one)
    alike: dict[object, list[Finding]] = {}
    for key, group in found.items():  # of which the same input is missing, whatever each says
        alike.setdefault(lacks(group[0]) or key, []).extend(group)
    made = [Cause(tuple(group)) for group in alike.values()]
    return ordered(made, key=lambda one: (SHOWN.index(one.first.status), SEVERITY_ORDER[one.first.severity]))
