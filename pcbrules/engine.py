# SPDX-License-Identifier: MIT
"""From a board and a ruleset to findings: collect facts, apply limits, judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from pcbrules.analysis.plan import Analysis, Planned, all_analyses
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Location, Severity, Source, Status
from pcbrules.results.judge import judge
from pcbrules.results.profile import WEAK, Entry, Ruleset
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules import Rule, all_rules

Locate = Callable[[tuple[str | int, ...]], Location]


@dataclass(frozen=True, slots=True)
class Crash:
    """An analysis or a rule that failed on our side."""

    what: str
    error: str


def evaluate(
    board: Board,
    ruleset: Ruleset,
    locate: Locate,
    *,
    rules: Iterable[str] | None = None,
    require_computed: bool = False,
    executor: Executor | None = None,
) -> tuple[Finding, ...]:
    """Judge a board by a ruleset.

    Parameters
    ----------
    board, ruleset : Board, Ruleset
    locate : function
        Path in the board file → place.
    rules : iterable of str, optional
        Ids of the rules to judge; all if absent.
    require_computed : bool
        A pass that rests on a declaration becomes not evaluated.
    executor : Executor, optional
        Solves the tasks; serial if absent.

    Returns
    -------
    tuple of Finding
        Worst first.
    """
    wanted = set(ruleset.rules if rules is None else rules)
    chosen = [rule for rule in all_rules().values() if rule.META.id in wanted]
    needed = {rule.META.needs for rule in chosen}
    conditions = Conditions(**ruleset.conditions, require_computed=require_computed)  # type: ignore[arg-type]
    found, crashes = _collect(board, conditions, needed, executor)
    findings: list[Finding] = []
    for rule in chosen:
        kind = rule.META.needs
        entries = ruleset.rules[rule.META.id]
        if kind in crashes:
            findings.append(_crashed(rule.META, kind.__name__, crashes[kind], locate))
        findings += _judge_rule(rule, entries, found[kind], locate, empty_is_gap=kind not in crashes)
    if require_computed:
        findings = [_without_declared_pass(f) for f in findings]
    return tuple(sorted(findings, key=Finding.sort_key))


def _collect(
    board: Board, conditions: Conditions, needed: set[type], executor: Executor | None
) -> tuple[Mapping[type, list[Fact | Gap]], Mapping[type, Crash]]:
    found: defaultdict[type, list[Fact | Gap]] = defaultdict(list)
    crashes: dict[type, Crash] = {}
    planned: list[tuple[Analysis, Planned]] = []

    def keep(items: Iterable[Fact | Gap | Planned], analysis: Analysis) -> None:
        for item in items:
            if isinstance(item, Planned):
                planned.append((analysis, item))
            else:
                found[item.fact if isinstance(item, Gap) else type(item)].append(item)

    def crash(analysis: Analysis, error: Exception) -> None:
        name = getattr(analysis, "__name__", str(analysis)).rpartition(".")[2]
        for fact in analysis.PROVIDES:
            crashes.setdefault(fact, Crash(f"analysis {name}", f"{type(error).__name__}: {error}"))

    for analysis in all_analyses():
        if needed.isdisjoint(analysis.PROVIDES):
            continue
        try:
            keep(analysis.facts(board, conditions), analysis)
        except Exception as error:  # a crash is a finding, the other analyses still report
            crash(analysis, error)
    unique = {(item.solve, item.task): None for _, item in planned}
    run = executor.map if executor else map
    solved = dict(zip(unique, run(_solve, unique), strict=True))
    for analysis, item in planned:
        result = solved[item.solve, item.task]
        try:
            if isinstance(result, Exception):
                raise result
            keep(item.bind(result), analysis)
        except Exception as error:  # see above
            crash(analysis, error)
    return found, crashes


def _solve(key: tuple[Callable[[Any], Any], Any]) -> Any:
    solve, task = key
    try:
        return solve(task)
    except Exception as error:  # carried to the analysis that planned it
        return error


def _judge_rule(
    rule: Rule, entries: tuple[Entry, ...], items: list[Fact | Gap], locate: Locate, *, empty_is_gap: bool
) -> Iterator[Finding]:
    meta = rule.META
    if not items and empty_is_gap:
        items = [Gap(fact=meta.needs, subject="board", where=("board",), reason="nothing to look at was found")]
    for item in items:
        if isinstance(item, Gap):
            yield _gap_finding(meta, entries, item, locate)
            continue
        bounds, missing, off = _bounds(entries, item)
        if not bounds and not missing:
            yield _unjudged(meta, item, off, entries, locate)
            continue
        for name, bound in missing.items():
            reason = item.offer_gaps.get(name, "neither the standard nor the board gives this limit")
            skip = Skip(reason, part="" if not bounds else name, bound=bound)
            yield _skipped(meta, item, skip, bounds, locate)
        try:
            for answer in rule.check(item, bounds) if bounds else ():
                if isinstance(answer, Skip):
                    yield _skipped(meta, item, answer, bounds, locate)
                else:
                    yield _finding(meta, item, answer, locate)
        except Exception as error:  # a crash is a finding, the other rules still report
            yield _crashed(meta, item.subject, Crash(f"rule {meta.id}", f"{type(error).__name__}: {error}"), locate)


def _bounds(entries: tuple[Entry, ...], fact: Fact) -> tuple[Limits, dict[str, Bound], str]:
    """Limits for a fact: for each limit name the first matching entry wins; an `off` entry ends the search."""
    bounds: dict[str, Bound] = {}
    missing: dict[str, Bound] = {}
    for entry in entries:
        if not entry.matches(fact.tags):
            continue
        if entry.off:
            return bounds, missing, entry.off
        for name, limit in entry.limits.items():
            if name in bounds or name in missing:
                continue
            if isinstance(limit, tuple):
                bounds[name] = Bound(None, limit, entry.severity, entry.source, entry.note, entry.marginal_fails)
            elif not isinstance(limit, str):
                bounds[name] = Bound(limit, (), entry.severity, entry.source, entry.note, entry.marginal_fails)
            elif name in fact.offers:
                offer = fact.offers[name]
                severity = entry.severity
                if severity is Severity.ERROR and offer.source.provenance in WEAK:
                    severity = Severity.WARNING
                bounds[name] = Bound(offer.limit, (), severity, offer.source, entry.note, entry.marginal_fails)
            else:
                missing[name] = Bound(None, (), entry.severity, entry.source, entry.note)
    return bounds, missing, ""


def _finding(meta: Meta, fact: Fact, verdict: Verdict, locate: Locate) -> Finding:
    bound = verdict.bound
    status, reason = Status.PASS, ""
    if verdict.ok is not None:
        status = Status.PASS if verdict.ok else Status.FAIL
    elif verdict.measured is not None and bound.limit is not None:
        status, reason = judge(verdict.measured, bound.limit)
    else:
        raise ValueError(f"{meta.id}: a verdict needs `ok`, or a number and a limit")
    good = status is Status.PASS
    return Finding(
        rule=meta.id,
        title=meta.title,
        subject=fact.subject + (f".{verdict.part}" if verdict.part else ""),
        status=status,
        severity=bound.severity,
        message=f"{verdict.message}; {reason}" if reason else verdict.message,
        where=locate(verdict.where or fact.where),
        measured=verdict.measured,
        limit=bound.limit,
        source=bound.source,
        note=" ".join(text for text in (bound.note, verdict.note) if text),
        fix="" if good else verdict.fix,
        proposal=None if good else verdict.proposal,
        counts_as_fail=status is Status.FAIL or (status is Status.MARGINAL and bound.marginal_fails),
    )


def _skipped(meta: Meta, fact: Fact, skip: Skip, bounds: Limits, locate: Locate) -> Finding:
    bound = skip.bound or min(bounds.values(), key=lambda b: SEVERITY_ORDER[b.severity])
    return Finding(
        rule=meta.id,
        title=meta.title,
        subject=fact.subject + (f".{skip.part}" if skip.part else ""),
        status=Status.NOT_EVALUATED if skip.applicable else Status.NOT_APPLICABLE,
        severity=bound.severity,
        message=skip.reason,
        where=locate(skip.where or fact.where),
        limit=bound.limit,
        source=bound.source,
        note=bound.note,
    )


def _gap_finding(meta: Meta, entries: tuple[Entry, ...], gap: Gap, locate: Locate) -> Finding:
    possible = [e for e in entries if all(gap.tags.get(k, w[0]) in w for k, w in e.when.items())]
    live = [e for e in possible if not e.off]
    first = possible[0] if possible else None
    off = first is not None and bool(first.off) and (not live or first.matches(gap.tags))
    severity = min((e.severity for e in live), key=lambda s: SEVERITY_ORDER[s], default=Severity.ERROR)
    status = Status.NOT_EVALUATED if gap.applicable and not off and (live or not possible) else Status.NOT_APPLICABLE
    message = next((e.off for e in possible if e.off), gap.reason) if off else gap.reason
    return Finding(
        rule=meta.id,
        title=meta.title,
        subject=gap.subject,
        status=status,
        severity=severity,
        message=message,
        where=locate(gap.where),
        source=live[0].source if live else None,
        fix=f"give `{gap.key}`" if gap.key and status is Status.NOT_EVALUATED else "",
    )


def _unjudged(meta: Meta, fact: Fact, off: str, entries: tuple[Entry, ...], locate: Locate) -> Finding:
    tags = ", ".join(f"{key} {value}" for key, value in sorted(fact.tags.items()))
    severity = min((e.severity for e in entries if not e.off), key=lambda s: SEVERITY_ORDER[s], default=Severity.ERROR)
    return Finding(
        rule=meta.id,
        title=meta.title,
        subject=fact.subject,
        status=Status.NOT_APPLICABLE if off else Status.NOT_EVALUATED,
        severity=severity,
        message=off or f"the profile sets no limit for {tags or 'it'}",
        where=locate(fact.where),
    )


def _crashed(meta: Meta, subject: str, crash: Crash, locate: Locate) -> Finding:
    return Finding(
        rule=meta.id,
        title=meta.title,
        subject=subject,
        status=Status.CRASHED,
        severity=Severity.ERROR,
        message=f"{crash.what} failed: {crash.error}. This is a fault of pcbrules, not of the board.",
        where=locate(("board",)),
        source=Source("pcbrules", "derived"),
    )


def _without_declared_pass(finding: Finding) -> Finding:
    if finding.status is Status.PASS and finding.basis == "declared":
        return replace(
            finding,
            status=Status.NOT_EVALUATED,
            message=f"{finding.message}; declared only, a computed value is required",
        )
    return finding
