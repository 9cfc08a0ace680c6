# SPDX-License-Identifier: MIT
"""Judge a board by a profile: findings, report, exit code."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pcbrules import engine, waivers
from pcbrules.api._arguments import kind, ruleset_of
from pcbrules.api._input_findings import not_entered, not_read, relaxed_values, slip, unlikely
from pcbrules.api._loaded import Loaded, read_board
from pcbrules.api._options import DEFAULT, Options
from pcbrules.api._profiles import conditions_judged, in_class
from pcbrules.api._required import rules_named, unjudged
from pcbrules.api._workers import workers
from pcbrules.api.drawn_fixes import as_drawn
from pcbrules.api.fixes import with_checked_fixes
from pcbrules.api.via_plans import told_where_open, with_plans
from pcbrules.baseline import Comparison, one_each, recounted, via_places
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import read_yaml
from pcbrules.errors import InputError, Problem
from pcbrules.lengths import units_of
from pcbrules.model.board import Board
from pcbrules.model.stated import conditions as profile_conditions
from pcbrules.model.stated import stated
from pcbrules.results.answers import searched
from pcbrules.results.coverage import LEFT_OUT, NOT_ASKED, OVER
from pcbrules.results.exhibit import Exhibit
from pcbrules.results.finding import LOST_MARGIN, Finding, Severity, Status, worst_first
from pcbrules.results.gate import JUDGED, weight
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import InputFile, Profile, Report
from pcbrules.rules._engine_rules import AS_IS, ENGINE_RULES
from pcbrules.rules._over_spec import OVER_SPEC
from pcbrules.selftest.recorded import recorded
from pcbrules.ties import least_of
from pcbrules.waivers import Permission

if TYPE_CHECKING:
    from concurrent.futures import Executor

UNUSED = "PCB002"
LIBRARIES = ("numpy", "scipy", "scikit-rf")
"""Libraries whose version may show in a number."""


class NotebookReport(Report):
    """A report that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from pcbrules.reports._notebook import notebook

        return notebook(self)


@one_blas_thread
def check(
    loaded: Loaded,
    profile: str | Ruleset,
    options: Options = DEFAULT,
    *,
    permissions: Sequence[Permission] = (),
    waiver_file: InputFile | None = None,
    held: Sequence[Permission] | None = None,
    today: dt.date | None = None,
    against: Comparison | None = None,
    exhibits: bool = False,
    fixes: bool = True,
    jobs: int = 1,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> Report:
    """Judge a board by a profile.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    options : Options
    permissions : sequence of Permission
        Entries of a waiver file; needs ``today``.
    waiver_file : InputFile, optional
        The waiver file, for the list of inputs.
    held : sequence of Permission, optional
        Entries of the waiver file of the target branch: one of ``permissions`` counts for what these cover too.
    today : date, optional
        Date at which waivers expire.
    against : Comparison, optional
        An earlier report: only what is new or has lost margin counts.
    exhibits : bool
        Add what reports in HTML and PDF draw: curves, ledgers, the stackup.
    fixes : bool
        False where nobody reads them, as in a study of many variants: fixes that have to be solved are left out, and
        all else is the same.
    jobs : int
        Processes that solve the tasks. The report is the same whatever their number. A script that asks for more than
        one has its own code under ``if __name__ == "__main__":``.
    executor : Executor, optional
        Solves the tasks in place of them.
    watch : function, optional
        Is handed the results as they come, and their number: a progress bar.

    Raises
    ------
    InputError
        Unknown profile or rule, faulty ruleset, a profile of which no rule applies, or a baseline that is not
        comparable.
    TypeError
        An argument that is something else: the message says how to call.
    ValueError
        A number of processes below one or above 61.
    """
    loaded = read_board(loaded, "check")
    if not isinstance(options, Options):
        raise TypeError(f"check() takes pcbrules.Options(...) as its options, not {kind(options)}")
    ruleset = ruleset_of(profile)
    if options.public_only:
        ruleset = ruleset.public_only()
    if options.limit_sources:
        ruleset = ruleset.lowered(dict(options.limit_sources))
    asked = chosen_rules(ruleset, options)
    chosen = [rule for rule in asked if rule in ruleset.rules]
    document, board = loaded.document, loaded.board.name
    notes = against.check(board, document.file, ruleset) if against else ()
    with workers(jobs if executor is None else 1) as pool:
        findings = judge(loaded, ruleset, chosen, require_computed=options.require_computed, fixes=fixes,
                         executor=executor or pool, watch=watch)
    findings = tuple(worst_first((*findings, *not_read(loaded, chosen), *not_entered(loaded, chosen),
                                  *unlikely(loaded, chosen))))
    words = loaded.words
    if words is not None:
        findings = tuple(replace(f, message=words.of(f.message), fix=words.of(f.fix)) for f in findings)
    if chosen and all(f.status is Status.NOT_APPLICABLE for f in findings):
        raise InputError([
            Problem(document.file, 0, 0, "", f"no rule of profile {ruleset.name} applies to this board",
                    fix="choose another profile, or add the sections that its rules need")
        ])
    given = (*stated(document.tree), *profile_conditions(ruleset.condition_texts))
    conditions = list(conditions_judged(loaded.board, ruleset))
    blocks = sorted({(block.file, block.sha256) for block in loaded.board.blocks.values()})
    inputs = [InputFile("board", document.file, document.sha256), *ruleset.inputs]
    inputs += [InputFile("touchstone", *block) for block in blocks]
    if loaded.overlay is not None:
        inputs.insert(1, InputFile("overlay", loaded.overlay.file, loaded.overlay.sha256))
    mine = [p for p in permissions if p.board in ("", board)]
    kept = None if held is None else [p for p in held if p.board in ("", board)]
    if permissions or waiver_file:
        if today is None:
            raise ValueError("waivers need a date")
        findings = waivers.apply(findings, [p for p in mine if p.rule in (*chosen, *AS_IS)], today, kept)
        conditions.append(("today", today.isoformat()))
        inputs += [waiver_file] if waiver_file else []
    if against:
        findings, compared = against.compare(findings, board, document.file, chosen, loaded.at,
                                             ruleset=ruleset, given=given, measured=dict(blocks),
                                             waivers_held=held is not None, vias=via_places(loaded.board))
        notes = (*compared, *notes)
        if today is not None:  # a loss, or a change, that a review accepts
            findings = waivers.apply(findings, [p for p in mine if p.rule == LOST_MARGIN and not p.is_planned],
                                     today, kept)
            merged = () if kept is None and against.hold else kept  # no change accepts itself
            findings = waivers.apply(findings, [p for p in mine if p.is_planned], today, merged)
        findings = one_each(findings)
        inputs.append(against.baseline.input)
    findings = told_where_open(findings, words.of if words is not None else str)
    if options.over_spec:
        from pcbrules.api._over_spec import over_spec

        if options.costs:
            prices = read_yaml(options.costs)
            inputs.append(InputFile("costs", prices.file, prices.sha256))
        if OVER_SPEC.keys() & set(asked):
            found = over_spec(loaded, ruleset, costs=options.costs or None, jobs=jobs)
            findings = (*findings, *(one for one in found if one.rule in asked))
    findings = tuple(worst_first((*findings, *unjudged(findings, options.require, loaded.at(())))))
    report = NotebookReport(
        board=board,
        profile=Profile(ruleset.name, ruleset.version, ruleset.title),
        inputs=tuple(inputs),
        conditions=tuple(conditions),
        findings=findings,
        notes=(*recounted(notes, findings), *_notes(loaded, ruleset, options)),
        exhibits=_exhibits(loaded, ruleset, findings) if exhibits else (),
        libraries=_libraries(),
        fail_on=options.fail_on,
        allow_incomplete=options.allow_incomplete,
        limit_sources=options.limit_sources,
        absent=_absent(loaded.board),
        revision=loaded.board.revision,
        date=loaded.board.date,
        stated=tuple((one.key, one.value) for one in given),
        units=options.units or units_of(document.tree),
        receipt=tuple(loaded.receipt),
        switched_off=(*_switched_off(ruleset, chosen), *_not_asked(options, asked)),
        selftest=recorded(),
        relaxed=tuple(relaxed_values(loaded.board, ruleset, chosen)),
    )
    return replace(report, exit_code=exit_code(report, options))


@cache
def _libraries() -> tuple[tuple[str, str], ...]:
    """Versions of the libraries that compute, as installed; none of them is loaded for it."""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in LIBRARIES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:  # a bundle without the records of its parts
            found.append((name, "unknown"))
    return tuple(found)


def _exhibits(loaded: Loaded, ruleset: Ruleset, findings: tuple[Finding, ...]) -> tuple[Exhibit, ...]:
    from pcbrules.analysis.common.sold import ends_of_what_is_sold
    from pcbrules.studies.exhibits import Scene, exhibits, scene_limits

    board = in_class(loaded.board, ruleset)
    solved, _ = ends_of_what_is_sold(board)  # what the file leaves open is drawn as it was judged
    return exhibits(Scene(solved, engine.conditions_of(ruleset), scene_limits(findings), findings, loaded.layout,
                          loaded.drawn, board))


def judge(
    loaded: Loaded,
    ruleset: Ruleset,
    rules: Iterable[str],
    *,
    require_computed: bool = False,
    fixes: bool = True,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> tuple[Finding, ...]:
    """Findings of some rules, worst first, without waivers; see ``check``."""
    def judged(
        board: Board, rules: Iterable[str], watch: engine.Watch | None = None, *, fixes: bool = False
    ) -> tuple[Finding, ...]:
        return engine.evaluate(
            in_class(board, ruleset), ruleset, loaded.at, rules=rules, require_computed=require_computed,
            fixes=fixes, search=False, executor=executor, watch=watch,
        )

    found = judged(loaded.board, rules, watch, fixes=fixes)
    if not fixes:
        return tuple(replace(finding, proposal=None) for finding in found)
    planned = with_plans(with_checked_fixes(found, loaded.document, judged), loaded.document, judged)
    solved = worst_first(map(searched, planned))
    return tuple(as_drawn(one, loaded) for one in solved) if loaded.drawn else tuple(solved)


def settle(
    reports: Sequence[Report], permissions: Sequence[Permission], options: Options, unchecked: Sequence[object] = (),
) -> list[Report]:
    """Reports of several boards under one waiver file: an entry that serves one board is not unused on the others.

    Nor is one that may serve a board that was not checked: ``unchecked`` are the contents of such board files, None of
    one that cannot be read.
    """
    unused = [{f.where for f in report.findings if f.rule == UNUSED} for report in reports]
    serving = {p.where for p in permissions if not p.board and not all(p.where in places for places in unused)}
    elsewhere = {p.where for p in permissions if not p.board
                 and any(tree is None or p.may_be_of(tree) for tree in unchecked)}
    result = []
    for report in reports:
        kept = tuple(f for f in report.findings if f.rule != UNUSED or (f.where not in serving
                     and (f.where not in elsewhere or waivers.is_early(f))))
        report = replace(report, findings=kept, notes=recounted(report.notes, kept))
        result.append(replace(report, exit_code=exit_code(report, options)))
    return result


def exit_code(report: Report, options: Options) -> int:
    """1 a fail at or above ``fail_on``; 3 none, but something was not evaluated, or a rule crashed; else 0.

    What a baseline has already does not count, and what it had judged may not be left open. A report in which nothing
    at all was judged is 3 whatever was allowed: it checked nothing. Over-specification counts where it is asked alone.
    """
    asked = {weight(f, options.fail_on, options.allow_incomplete) for f in report.findings}
    if 1 in asked:
        return 1
    alone = options.over_spec and bool(options.select) and all(one.upper().startswith(OVER) for one in options.select)
    judged = any(f.status in JUDGED and (f.rule not in ENGINE_RULES or (alone and f.rule in OVER_SPEC))
                 for f in report.findings)
    return 3 if 3 in asked or not judged else 0


def worst_exit(codes: Iterable[int]) -> int:
    """The code of several boards: 2, 1, 3, 0 in this order of precedence."""
    return least_of(codes, key=(2, 1, 3, 0).index, default=0)


def chosen_rules(ruleset: Ruleset, options: Options) -> list[str]:
    """Return the rules of a ruleset that are judged. Raises InputError where none is, or a name is of none."""
    known = (*ruleset.rules, *(OVER_SPEC if options.over_spec else ()))
    selected = rules_named(options.select, known, "--select") if options.select else known
    left_out = rules_named(options.ignore, (*ruleset.rules, *OVER_SPEC), "--ignore")
    chosen = [rule for rule in selected if rule not in left_out]
    if not chosen:
        raise InputError([Problem("--select/--ignore", 0, 0, "", "no rule is left to judge")])
    return chosen


def _absent(board: Board) -> tuple[str, ...]:
    """The sections of which the board file says that there are none."""
    sections = {
        "links": board.links,
        "rails": board.rails,
        "power": None if board.power is None else board.power.model_fields_set,
        "system.accelerators": board.system.accelerators if board.system else None,
        "thermal.via_arrays": board.thermal.via_arrays if board.thermal else None,
    }
    return tuple(name for name, section in sections.items() if section is not None and not section)


def _switched_off(ruleset: Ruleset, chosen: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The rules that were not asked, each with its reason."""
    for rule in ruleset.rules:
        reason = ruleset.off(rule) if rule in chosen else LEFT_OUT
        if reason:
            yield rule, reason


def _not_asked(options: Options, asked: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The rules that are judged on request alone, and were not."""
    for rule in OVER_SPEC:
        if rule not in asked:
            yield rule, LEFT_OUT if options.over_spec else NOT_ASKED


def _notes(loaded: Loaded, ruleset: Ruleset, options: Options) -> Iterator[str]:
    """What the reader warned of, and how this check was narrowed; the coverage says which rules were left out."""
    yield from loaded.receipt
    yield from (problem.text() for problem in loaded.warnings if not slip(problem))
    yield from ruleset.notes
    yield from (f"left out, no public source: {text}" for text in ruleset.dropped)
    for name, most in options.limit_sources:
        yield f"limits of class {name} count as {most} at most (--limit-source)"
    if options.allow_incomplete:
        yield "what was not evaluated does not count for the exit code (--allow-incomplete)"
    if options.require_computed:
        yield "a pass that is only declared or assumed is not evaluated (--require-computed)"
    if options.fail_on is not Severity.ERROR:
        yield f"fails count from severity {options.fail_on.value} (--fail-on)"
