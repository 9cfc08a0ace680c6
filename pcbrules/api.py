# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers; the command line is a thin layer over it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import PurePath

from pcbrules import engine, rulesets, waivers
from pcbrules.document import Document, read_yaml, show_path
from pcbrules.errors import InputError, Problem
from pcbrules.model.board import Board
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Location, Severity, Status
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import InputFile, Profile, Report
from pcbrules.waivers import Permission


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge and what counts for the exit code.

    Attributes
    ----------
    fail_on : Severity
        Least severity at which a fail counts.
    select, ignore : tuple of str
        Ids, or beginnings of ids (``SIG``), of the rules to judge or to leave out.
    allow_incomplete : bool
        Findings that were not evaluated do not count.
    require_computed : bool
        A pass that rests on a declaration becomes not evaluated.
    public_only : bool
        Leave out limits without a public source.
    """

    fail_on: Severity = Severity.ERROR
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow_incomplete: bool = False
    require_computed: bool = False
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    """A board file that was read: its document, the resolved board, warnings of the reader."""

    document: Document
    board: Board
    warnings: tuple[Problem, ...] = ()


def load(path: str, shown_as: str | None = None) -> Loaded:
    """Read a board file. Raises InputError with every fault."""
    return resolve(read_yaml(path, shown_as))


def resolve(document: Document) -> Loaded:
    """Check and resolve a document: a board file as read, or an edited variant of it. Raises InputError."""
    board, warnings = board_of(document)
    return Loaded(document, board, warnings)


def check(
    loaded: Loaded,
    profile: str | Ruleset,
    options: Options = Options(),  # noqa: B008 (frozen)
    *,
    permissions: Sequence[Permission] = (),
    waiver_file: InputFile | None = None,
    today: dt.date | None = None,
    executor: Executor | None = None,
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
    today : date, optional
        Date at which waivers expire.
    executor : Executor, optional
        Solves the tasks; serial if absent.

    Raises
    ------
    InputError
        Unknown profile or rule, faulty ruleset, or a profile of which no rule applies.
    """
    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    if options.public_only:
        ruleset = ruleset.public_only()
    chosen = _chosen(ruleset, options)
    document = loaded.document

    def locate(path: tuple[str | int, ...]) -> Location:
        line, column = document.at(path)
        return Location(document.file, line, column)

    def judged(board: Board, rules: Iterable[str]) -> tuple[Finding, ...]:
        return engine.evaluate(
            board, ruleset, locate, rules=rules, require_computed=options.require_computed, executor=executor
        )

    findings = judged(loaded.board, chosen)
    if all(f.status is Status.NOT_APPLICABLE for f in findings):
        raise InputError([
            Problem(document.file, 0, 0, "", f"no rule of profile {ruleset.name} applies to this board",
                    fix="choose another profile, or add the sections that its rules need")
        ])
    findings = tuple(_with_checked_fix(f, loaded, judged) for f in findings)
    notes = [problem.text() for problem in loaded.warnings]
    notes += [f"left out, no public source: {text}" for text in ruleset.dropped]
    conditions = list(ruleset.condition_texts)
    inputs = [InputFile("board", document.file, document.sha256), *ruleset.inputs]
    if permissions or waiver_file:
        if today is None:
            raise ValueError("waivers need a date")
        findings = waivers.apply(findings, permissions, today)
        conditions.append(("today", today.isoformat()))
        inputs += [waiver_file] if waiver_file else []
    report = Report(
        board=loaded.board.file.board.name,
        profile=Profile(ruleset.name, ruleset.version, ruleset.title),
        inputs=tuple(inputs),
        conditions=tuple(conditions),
        findings=findings,
        notes=tuple(notes),
    )
    return replace(report, exit_code=exit_code(report, options))


def exit_code(report: Report, options: Options) -> int:
    """1 a fail at or above ``fail_on``; 3 nothing failed but something was not evaluated, or a rule crashed; else 0."""
    counted = [f for f in report.findings if SEVERITY_ORDER[f.severity] <= SEVERITY_ORDER[options.fail_on]]
    if any(f.status is Status.FAIL or (f.status is Status.MARGINAL and f.counts_as_fail) for f in counted):
        return 1
    if any(f.status is Status.CRASHED for f in report.findings):
        return 3
    open_ones = [f for f in counted if f.status is Status.NOT_EVALUATED and f.waiver is None]
    return 3 if open_ones and not options.allow_incomplete else 0


def worst_exit(codes: Iterable[int]) -> int:
    """The code of several boards: 2, 1, 3, 0 in this order of precedence."""
    return min(codes, key=(2, 1, 3, 0).index, default=0)


def _chosen(ruleset: Ruleset, options: Options) -> list[str]:
    known = list(ruleset.rules)
    for text in (*options.select, *options.ignore):
        if not any(rule.startswith(text.upper()) for rule in known):
            raise InputError([
                Problem("--select/--ignore", 0, 0, "", "no rule begins so", repr(text), ", ".join(known[:40]))
            ])

    def named(rule: str, texts: tuple[str, ...]) -> bool:
        return any(rule.startswith(text.upper()) for text in texts)

    chosen = [r for r in known if (not options.select or named(r, options.select)) and not named(r, options.ignore)]
    if not chosen:
        raise InputError([Problem("--select/--ignore", 0, 0, "", "no rule is left to judge")])
    return chosen


def _with_checked_fix(finding: Finding, loaded: Loaded, judged: object) -> Finding:
    """Quote a numeric fix only if the board with it passes this finding."""
    proposal = finding.proposal
    if proposal is None or not callable(judged):
        return finding
    try:
        variant = resolve(loaded.document.edited(proposal.path, proposal.value))
        again = judged(variant.board, [finding.rule])
    except (InputError, ValueError):
        return replace(finding, proposal=None)
    same = [f for f in again if f.subject == finding.subject and f.rule == finding.rule]
    if not same or any(f.status is not Status.PASS for f in same):
        return replace(finding, proposal=None)
    text = f"set `{show_path(proposal.path)}` to {proposal.value} (re-checked: passes)"
    return replace(finding, fix=f"{text}; or {finding.fix}" if finding.fix else text)


def is_board_name(name: str) -> bool:
    """True for names that a directory scan takes for board files."""
    return PurePath(name).suffix in (".yaml", ".yml") and not PurePath(name).name.startswith(".")
