# SPDX-License-Identifier: MIT
"""The finding of every answer that a rule can give: verdict, skip, gap, nothing that judged, crash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pcbrules.results.applied import Applied, exempt, possible, worst
from pcbrules.results.edits import Fix, Search
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Severity, Source, Status
from pcbrules.results.judge import judge
from pcbrules.results.place import Address, Location
from pcbrules.results.profile import WEAK, LimitEntry
from pcbrules.results.rule import Bound, Limits, Skip, Verdict
from pcbrules.ties import least_of

Locate = Callable[[Address], Location]

OWN = Source("pcbrules", "derived")
"""Source of a finding that no ruleset asks for."""


NONE_OF = {"links": "{}", "rails": "{}", "power": "{}", "power.supplies": "{}", "system.accelerators": "[]",
           "thermal.via_arrays": "{}"}
"""Sections of which a board may say that it has none, and how; of the supplies it is `power` that is empty."""


def _cure(key: str) -> str:
    """What would close a gap: the key, or the word that there is none."""
    none = NONE_OF.get(key)
    section = "power" if key == "power.supplies" else key
    return f"give `{key}`" + (f", or `{section}: {none}` if there are none" if none else "")


def searched(finding: Finding) -> Finding:
    """Return the finding with its fix solved, if that has still to be done; a search that fails is a crash."""
    if finding.search is None:
        return finding
    try:
        fix = finding.search()
    except Exception as error:  # a crash is a finding, the others still report
        message = _fault(f"rule {finding.rule}", f"{type(error).__name__}: {error}")
        return replace(finding, status=Status.CRASHED, severity=Severity.ERROR, message=message, source=OWN, note="",
                       measured=None, limit=None, proposal=None, search=None, counts_as_fail=False)
    return replace(finding, search=None, fix=fix.text, cure=fix if fix.ways or fix.otherwise or fix.shorter else None)


def _fault(what: str, error: str) -> str:
    return f"{what} failed: {error}. This is a fault of pcbrules, not of the board."


@dataclass(frozen=True, slots=True)
class Answers:
    """Makes the findings of one rule: its id, its title, and where a path of the board file lies.

    Without ``fixes`` those that have to be solved are left out.
    """

    rule: str
    title: str
    locate: Locate
    fixes: bool = True

    def verdict(self, fact: Fact, verdict: Verdict) -> Finding:
        """Return the finding of a judged number, or of a rule's own yes or no."""
        bound = verdict.bound
        status, reason = Status.PASS, ""
        if verdict.measured is not None and bound.limit is None:
            raise ValueError(f"{self.rule}: a number needs a limit, which has its unit; lift one that does not apply")
        if verdict.ok is not None:
            status = Status.PASS if verdict.ok else Status.FAIL
        elif verdict.measured is not None and bound.limit is not None:
            doubted = verdict.doubted if bound.source.provenance in WEAK else ""
            status, reason = judge(verdict.measured, bound.limit, doubted=doubted)
        else:
            raise ValueError(f"{self.rule}: a verdict needs `ok`, or a number and a limit")
        good = status is Status.PASS
        lacks = verdict.measured.undeclared.key if verdict.measured and verdict.measured.undeclared else ""
        message = f"{verdict.message}; {reason}" if reason else verdict.message
        fix: str | Fix | Search = ""
        if not good:
            fix = f"give `{lacks}`" if status is Status.NOT_EVALUATED and lacks else self._fix(verdict)
        return self._bounded(
            fact, status, message, bound, verdict.part, verdict.where,
            measured=verdict.measured,
            note=" ".join(text for text in (bound.note, verdict.note) if text),
            fix=fix.text if isinstance(fix, Fix) else fix if isinstance(fix, str) else "",
            cure=fix if isinstance(fix, Fix) else None,
            search=fix if isinstance(fix, Search) else None,
            proposal=None if good else verdict.proposal,
            counts_as_fail=status is Status.FAIL or (status is Status.MARGINAL and bound.marginal_fails),
            offset=verdict.offset,
        )

    def _fix(self, verdict: Verdict) -> str | Fix | Search:
        """The fix as text or with its edits; one that has to be solved as a search."""
        if isinstance(verdict.fix, str | Fix):
            return verdict.fix
        return Search(verdict.fix, verdict.changes, verdict.otherwise) if self.fixes else ""

    def skip(self, fact: Fact, skip: Skip, bounds: Limits) -> Finding:
        """Return the finding of a verdict that could not be reached; without a limit of its own, of the worst."""
        bound = skip.bound or least_of(bounds.values(), key=lambda one: SEVERITY_ORDER[one.severity])
        status = Status.NOT_EVALUATED if skip.applicable else Status.NOT_APPLICABLE
        return self._bounded(fact, status, skip.reason, bound, skip.part, skip.where, note=bound.note,
                             fix=_cure(skip.key) if skip.key and skip.applicable else "")

    def gap(self, gap: Gap, entries: Sequence[LimitEntry]) -> Finding:
        """Return the finding of a fact that could not be had."""
        could = possible(entries, gap.tags)
        unknown = ""
        if could.entries and all(exempt(gap, name, limit) for e in could.entries for name, limit in e.limits.items()):
            unknown = "; ".join(filter(None, (*gap.exempt.values(), f"not computed: {gap.reason}")))
        open_ = gap.applicable and not could.off and not unknown
        status = Status.NOT_EVALUATED if open_ else Status.NOT_APPLICABLE
        severity = worst(e.severity for e in could.entries or entries if not e.off)
        return self._plain(
            gap.subject, gap.where, status, severity, could.off or unknown or gap.reason,
            source=could.entries[0].source if could.entries else None,
            fix=_cure(gap.key) if gap.key and open_ else "",
        )

    def unjudged(self, fact: Fact, apply: Applied, entries: Sequence[LimitEntry]) -> Finding:
        """Return the finding of a fact of which no limit judges anything: silence is no pass."""
        tags = ", ".join(f"{key} {value}" for key, value in sorted(fact.tags.items()))
        names = ", ".join(apply.limits)
        unknown = "; ".join(text for text in apply.exempt.values() if text)
        reason = f"the profile's limits ({names}) judge nothing of it" if names else (
            unknown or apply.off or f"the profile sets no limit for {tags or 'it'}")
        status = Status.NOT_APPLICABLE if (apply.off or unknown) and not names else Status.NOT_EVALUATED
        own = [bound.severity for bound in apply.limits.values()]
        severity = worst(own or [e.severity for e in entries if not e.off])
        return self._plain(fact.subject, fact.where, status, severity, reason)

    def crash(self, subject: str, what: str, error: str) -> Finding:
        """Return the finding of an analysis or a rule that failed on our side."""
        return self._plain(subject, ("board",), Status.CRASHED, Severity.ERROR, _fault(what, error), source=OWN)

    def doubt(self, fact: Fact, text: str) -> Finding:
        """Return the finding of a fact for which two methods disagree."""
        return self._plain(
            fact.subject, fact.where, Status.FAIL, Severity.WARNING, text,
            source=OWN,
            fix="look for a slip of the unit; if the section is as meant, report it with the board file",
            counts_as_fail=True,
        )

    def _bounded(
        self, fact: Fact, status: Status, message: str, bound: Bound, part: str, where: Address | None, **more: Any
    ) -> Finding:
        subject = fact.subject + (f".{part}" if part else "")
        return self._plain(subject, where or fact.where, status, bound.severity, message, limit=bound.limit,
                           source=bound.source, **more)

    def _plain(
        self, subject: str, where: Address, status: Status, severity: Severity, message: str, **more: Any
    ) -> Finding:
        return Finding(rule=self.rule, title=self.title, subject=subject, status=status, severity=severity,
                       message=message, where=self.locate(where), **more)
