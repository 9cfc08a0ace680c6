# SPDX-License-Identifier: MIT
"""From a board and a ruleset to findings: collect facts, apply limits, judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from inspect import unwrap
from typing import TYPE_CHECKING, Any

from pcbrules.analysis.common.plan import Analysis, Planned, all_analyses
from pcbrules.analysis.common.sold import ends_of_what_is_sold
from pcbrules.analysis.common.workload_need import workload_duty
from pcbrules.blas_threads import one_blas_thread
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.answers import Answers, Locate, searched
from pcbrules.results.applied import applied
from pcbrules.results.default_build_up import on_default_build_up
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.finding import Finding, Status, worst_first
from pcbrules.results.profile import Entries, Ruleset
from pcbrules.results.rule import Skip
from pcbrules.results.widened import widened_all
from pcbrules.rules import Rule, all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES
from pcbrules.solver_cache import SolverCache, used_cache

if TYPE_CHECKING:
    from concurrent.futures import Executor

Watch = Callable[[Iterable[Any], int], Iterable[Any]]
"""Hands on what it is given, and may show how far it has come of a number of things."""

STAGES = 8
"""Stages in which the results of one may be planned again: more than any analysis has reason for."""

UNPROVEN = ("declared", "assumed")
"""A pass on this basis is none where a computed value is required."""

CHUNKS = 32
"""Parts in which the tasks of a stage are handed to an executor: tasks side by side share lines and vias."""

Task = tuple[Callable[[Any], Any], Any]
"""A solver and what it solves."""

Map = Callable[[Iterable[Task]], Iterable[Any]]
"""Results of tasks, in order."""


@dataclass(frozen=True, slots=True)
class Crash:
    """An analysis or a rule that failed on our side."""

    what: str
    error: str


class SolverFault(Exception):
    """What a solver raised, by name and text: any exception passes between processes so."""


def conditions_of(ruleset: Ruleset) -> Conditions:
    """The conditions of a ruleset, which holds them as numbers and words by their keys."""
    return Conditions(**ruleset.conditions)  # type: ignore[arg-type]


@one_blas_thread
def evaluate(
    board: Board,
    ruleset: Ruleset,
    locate: Locate,
    *,
    rules: Iterable[str] | None = None,
    require_computed: bool = False,
    fixes: bool = True,
    search: bool = True,
    executor: Executor | None = None,
    cache: SolverCache | None = None,
    watch: Watch | None = None,
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
        A pass that is only declared or assumed becomes not evaluated.
    fixes : bool
        False where nobody reads them: fixes that have to be solved are left out, all else is the same.
    search : bool
        False leaves those fixes to be solved: ``Finding.search``.
    executor : Executor, optional
        Solves the tasks; serial if absent.
    cache : SolverCache, optional
        Where results are looked up and kept; if absent the one that is used already.
    watch : function, optional
        Is handed the results as they come, and their number.

    Returns
    -------
    tuple of Finding
        Worst first.
    """
    wanted = set(ruleset.rules if rules is None else rules)
    chosen = [rule for rule in all_rules().values() if rule.META.id in wanted]
    needed = tuple(dict.fromkeys(kind for rule in chosen if not ruleset.off(rule.META.id) for kind in rule.META.facts))
    conditions = replace(conditions_of(ruleset), require_computed=require_computed, workload_duty=workload_duty(board))
    with (used_cache() if cache is None else cache).used() as used:
        found, crashes = _bounded(board, conditions, needed, _map(executor, used), watch)
    findings: list[Finding] = []
    for rule in chosen:
        kinds = rule.META.facts
        entries = ruleset.rules[rule.META.id]
        answers = Answers(rule.META.id, rule.META.title, locate, fixes)
        if ruleset.off(rule.META.id):
            whole = Gap(fact=rule.META.needs, subject="board", where=("board",), reason=ruleset.off(rule.META.id))
            findings.append(answers.gap(whole, entries))
            continue
        lost = [kind for kind in kinds if kind in crashes]
        findings += [answers.crash(kind.__name__, crashes[kind].what, crashes[kind].error) for kind in lost]
        items = [item for kind in kinds for item in found.get(kind, [])]
        spared = {one: ruleset.rules.get(one, ()) for one in (rule.META.id, *rule.META.spares)}
        findings += _judge_rule(rule, spared, items, answers, empty_is_gap=not lost)
    findings += _doubts([fact for kind in needed for fact in found.get(kind, [])], locate)
    if require_computed:
        findings = [_without_declared_pass(f) for f in findings]
    return tuple(worst_first(map(searched, findings) if search else findings))


def _bounded(
    board: Board, conditions: Conditions, needed: tuple[type, ...], solve: Map, watch: Watch | None
) -> tuple[Mapping[type, list[Fact | Gap]], Mapping[type, Crash]]:
    """Facts of the board; where it lacks an input of which the range is known, widened by its other end."""
    base, others = ends_of_what_is_sold(board)
    plain, crashes = _collect(base, conditions, needed, solve, watch)
    found = plain
    for other in others:
        more, failed = _collect(other.board, conditions, needed, solve, watch)
        found = {kind: widened_all(found.get(kind, ()), more.get(kind, ()), other.said, base=plain.get(kind, ()))
                 for kind in {**found, **more}}
        crashes = {**failed, **crashes}
    if board.default_build_up is not None:
        sheets, built = board.default_build_up.text, board.default_build_up.built
        found = {kind: [on_default_build_up(item, sheets, built=built) for item in items]
                 for kind, items in found.items()}
    return found, crashes


def _collect(
    board: Board, conditions: Conditions, needed: tuple[type, ...], solve: Map, watch: Watch | None
) -> tuple[Mapping[type, list[Fact | Gap]], Mapping[type, Crash]]:
    found: defaultdict[type, list[Fact | Gap]] = defaultdict(list)
    crashes: dict[type, Crash] = {}
    planned: list[tuple[Analysis, Planned]] = []

    def keep(analysis: Analysis, make: Callable[[], Iterable[Fact | Gap | Planned]]) -> None:
        try:
            for item in make():
                if isinstance(item, Planned):
                    hash(item.task)
                    if item.gives is None or item.gives in needed:
                        planned.append((analysis, item))
                else:
                    found[item.fact if isinstance(item, Gap) else type(item)].append(item)
        except Exception as error:  # a crash is a finding, the other analyses still report
            name = getattr(analysis, "__name__", str(analysis)).rpartition(".")[2]
            told = str(error) if isinstance(error, SolverFault) else f"{type(error).__name__}: {error}"
            for fact in analysis.PROVIDES:
                crashes.setdefault(fact, Crash(f"analysis {name}", told))

    for analysis in all_analyses():
        if not set(needed).isdisjoint(analysis.PROVIDES):
            keep(analysis, partial(analysis.facts, board, conditions))
    for stage in range(STAGES + 1):  # what a result leads to may be planned again
        stage_items, planned = planned, []
        unique = {(item.solve, item.task): None for _, item in stage_items}
        results = solve(unique)
        solved = dict(zip(unique, watch(results, len(unique)) if watch else results, strict=True))
        for analysis, item in stage_items:
            keep(analysis, partial(_bound, item, solved[item.solve, item.task]))
        if not planned:
            break
        if stage == STAGES:
            for analysis, _ in planned:
                keep(analysis, _endless)
    return found, crashes


def _endless() -> Iterable[Fact | Gap]:
    raise RuntimeError(f"plans more than {STAGES} stages after the first")


def _map(executor: Executor | None, cache: SolverCache) -> Map:
    """Return what solves tasks in their order, in this thread or by an executor."""
    return partial(_elsewhere, executor, cache) if executor else partial(map, partial(_solve, cache))


def _elsewhere(executor: Executor, cache: SolverCache, keys: Iterable[Task]) -> Iterator[Any]:
    """Solve by an executor what the cache does not have; what comes back is kept here too."""
    keys = tuple(keys)
    new = {(solve, task): None for solve, task in keys if cache.worth(unwrap(solve), (task,)) is None}
    results = executor.map(partial(_with_worth, cache), new, chunksize=len(new) // CHUNKS + 1)
    for solve, task in keys:
        if (solve, task) not in new:
            yield _solve(cache, (solve, task))
            continue
        result, worth = next(results)
        if worth is not None:
            cache.take(unwrap(solve), (task,), result, worth)
        yield result


def _with_worth(cache: SolverCache, key: Task) -> tuple[Any, float | None]:
    """Solve a task, in another process as a rule, and say what its result is worth to a cache."""
    result, (solve, task) = _solve(cache, key), key
    return result, cache.worth(unwrap(solve), (task,))


def _solve(cache: SolverCache, key: Task) -> Any:
    """Solve a task. The check of a cure, another profile or board has most tasks of the one before."""
    solve, task = key
    try:
        with cache.used():
            return cache.result(unwrap(solve), (task,), {})
    except Exception as error:  # carried to the analysis that planned it, from another process too
        return SolverFault(f"{type(error).__name__}: {error}")


def _bound(item: Planned, result: Any) -> Iterable[Fact | Gap | Planned]:
    if isinstance(result, SolverFault):
        raise result
    return item.bind(result)


def _judge_rule(
    rule: Rule, ruled: Entries, items: list[Fact | Gap], answers: Answers, *, empty_is_gap: bool
) -> Iterator[Finding]:
    meta = rule.META
    if not items and empty_is_gap:
        items = [Gap(fact=meta.needs, subject="board", where=("board",), reason="nothing to look at was found")]
    for item in items:
        try:
            if isinstance(item, Gap):
                yield answers.gap(item, ruled[meta.id])
            else:
                yield from _judge_fact(rule, ruled, item, answers)
        except Exception as error:  # a crash is a finding, the other rules still report
            yield answers.crash(item.subject, f"rule {meta.id}", f"{type(error).__name__}: {error}")


def _judge_fact(rule: Rule, ruled: Entries, fact: Fact, answers: Answers) -> Iterator[Finding]:
    """Findings for one fact; there is always at least one, since silence is no pass.

    ``ruled`` are the entries of the rule, and of those that a fix must not worsen.
    """
    entries = ruled[rule.META.id]
    apply = applied(entries, fact, ruled)
    silent = True
    if apply.undeclared:
        key = f"board.{apply.undeclared}"
        gap = Gap(fact=type(fact), subject=fact.subject, where=fact.where, tags=fact.tags, key=key,
                  reason=f"`{key}` is not declared, and the profile's limits depend on it")
        yield answers.gap(gap, entries)
        silent = False
    for name, bound in apply.missing.items():
        reason = fact.offer_gaps.get(name, "neither the standard nor the board gives this limit")
        yield answers.skip(fact, Skip(reason, part=name if apply.several else "", bound=bound), apply.limits)
        silent = False
    for name, bound in apply.left_out.items():
        reason = f"limit left out: no public source ({bound.source.provenance})"
        skip = Skip(reason, applicable=False, part=name if apply.several else "", bound=bound)
        yield answers.skip(fact, skip, apply.limits)
        silent = False
    for answer in rule.check(fact, apply.limits) if apply.limits else ():
        if isinstance(answer, Skip):
            yield answers.skip(fact, answer, apply.limits)
        else:
            yield answers.verdict(fact, answer)
        silent = False
    if silent:
        yield answers.unjudged(fact, apply, entries)


def _doubts(facts: Iterable[Fact | Gap], locate: Locate) -> Iterator[Finding]:
    """A finding for every place where two methods disagree."""
    answers = Answers("PCB004", ENGINE_RULES["PCB004"][0], locate)
    for fact in facts:
        if not isinstance(fact, Gap):
            yield from (answers.doubt(fact, text) for text in fact.doubts)


def _without_declared_pass(finding: Finding) -> Finding:
    good = finding.status is Status.PASS or (finding.status is Status.MARGINAL and not finding.counts_as_fail)
    if good and finding.basis in UNPROVEN:
        return replace(
            finding,
            status=Status.NOT_EVALUATED,
            message=f"{finding.message}; {finding.basis} only, a computed value is required",
        )
    return finding
