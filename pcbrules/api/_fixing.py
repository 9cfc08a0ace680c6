# SPDX-License-Identifier: MIT
"""The cheapest set of changes of a board file after which nothing fails, each proven by a full check."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pcbrules import engine, waivers
from pcbrules.api._arguments import FileGiven, ProfileGiven, kind, names, ruleset_of
from pcbrules.api._edited import first_fault, judged
from pcbrules.api._judging import check, chosen_rules
from pcbrules.api._loaded import BoardGiven, Loaded, read_board
from pcbrules.api._options import Options
from pcbrules.api._permitted import Permitted, permitted
from pcbrules.api._profiles import in_class
from pcbrules.api._tuning import with_tuned
from pcbrules.api._workers import workers
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.document.rewrite import RewriteRefused, rewritten
from pcbrules.errors import InputError, Problem
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.finding import Severity
from pcbrules.results.profile import Ruleset
from pcbrules.studies.fixing.groups import answered
from pcbrules.studies.fixing.outcome import Chosen, SetOutcome, outcome
from pcbrules.studies.fixing.proposal import FixProposal, patch_of, proposal
from pcbrules.studies.fixing.search import MoveTable
from pcbrules.studies.moves.costs import Costs, costs_of
from pcbrules.studies.moves.move import MoveScene, Remedy, all_moves, edited, tuned
from pcbrules.studies.saving.cheaper_moves import cheaper_moves
from pcbrules.studies.saving.savings import CheaperBoard, SavingsFound, savings

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pcbrules.waivers import Permission

TRIES = 200
"""Sets of changes that are judged at most for one group of fails."""

Task = tuple[tuple[Remedy, ...], frozenset[str]]


@dataclass(frozen=True)
class ChangeJudge:
    """Judges a board with some changes; a copy of it works in another process."""

    document: Document
    ruleset: Ruleset
    level: Severity
    permissions: tuple[Permission, ...] = ()
    today: dt.date | None = None

    @one_blas_thread
    def __call__(self, task: Task) -> SetOutcome:
        """The outcome of some changes by some rules."""
        moves, rules = task
        try:
            made = self.made(moves)
            if "&" in self.document.text:  # perhaps an alias: what it repeats cannot be written apart
                rewritten(self.document, made)
            found = judged(made, self.ruleset, [one for one in self.ruleset.rules if one in rules])
        except InputError as error:
            return SetOutcome(refused=first_fault(error))
        except RewriteRefused as error:
            return SetOutcome(refused=str(error))
        if self.today is not None:  # what the waiver file says of itself has no change
            found = tuple(one for one in waivers.apply(found, self.permissions, self.today) if one.rule in rules)
        return outcome(found, self.level)

    def made(self, moves: Sequence[Remedy]) -> Document:
        """The board file with some changes. Raises InputError where it takes them not, or no trace has an impedance."""
        document = edited(self.document, moves)
        traces = tuple(tuned(moves))
        if not traces:
            return document
        board = in_class(board_of(document)[0], self.ruleset)
        before = board_of(self.document)[0] if any(one.wider for one in traces) else board
        for one in traces:
            document = with_tuned(document, board, one, self.ruleset, before)
        return document


@dataclass
class JudgedOnce:
    """Judges sets of changes, each once for as many rules as are asked, here or in other processes."""

    judge: ChangeJudge
    moves: tuple[Remedy, ...]
    executor: Executor | None = None
    watch: engine.Watch | None = None
    known: dict[tuple[Chosen, frozenset[str]], SetOutcome] = field(default_factory=dict)

    def __call__(self, sets: Sequence[Chosen], rules: frozenset[str]) -> list[SetOutcome]:
        """The outcomes of some sets, in their order."""
        new = [one for one in sets if (one, rules) not in self.known]
        tasks = [(tuple(self.moves[at] for at in sorted(one)), rules) for one in new]
        found = self.executor.map(self.judge, tasks) if self.executor else map(self.judge, tasks)
        self.known |= {(one, rules): made for one, made in zip(new, found, strict=True)}
        return [self.known[one, rules] for one in sets]


def fix(
    board: BoardGiven,
    profile: ProfileGiven,
    *,
    costs: str | Costs | None = None,
    warnings: bool = False,
    tries: int = TRIES,
    jobs: int = 1,
    select: Sequence[str] | str = (),
    ignore: Sequence[str] | str = (),
    waivers: FileGiven | Permitted | None = None,
    today: dt.date | str | None = None,
) -> FixProposal:
    """Find the cheapest changes of a board file after which nothing fails.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    costs : str, optional
        File of costs that replace those of the library.
    warnings : bool
        True where warnings may not fail either.
    tries : int
        Sets of changes that are judged at most for one group of fails.
    jobs : int
        Processes that judge them. The answer is the same whatever their number.
    select, ignore : sequence of str
        Ids, or beginnings of ids, of rules that alone are judged, or not at all.
    waivers : path, str or mapping, optional
        Waiver file: what it covers does not fail.
    today : date or str, optional
        Day at which waivers expire: ``2026-03-31``; as of ``check``.

    Raises
    ------
    InputError
        Unknown profile or rule, a file of costs with faults, or a board that no board file holds.
    ValueError
        Fewer tries than one.
    """
    loaded, ruleset, priced = _asked(board, profile, costs, "fix")
    if tries < 1:
        raise ValueError(f"tries is 1 at least, not {tries}")
    allowed = permitted(waivers, today)
    level = Severity.WARNING if warnings else Severity.ERROR
    options = Options(fail_on=level, select=names(select, "select"), ignore=names(ignore, "ignore"))
    rules = frozenset(chosen_rules(ruleset, options))
    mine = tuple(one for one in allowed.entries if one.board in ("", loaded.name) and one.rule in rules)
    judge = ChangeJudge(loaded.document, ruleset, level, mine, allowed.today if mine else None)
    base = judge(((), rules))
    if not base.failing():
        return proposal(loaded.document, loaded.name, ruleset.name, (), None, base, level, loaded.document, priced)
    findings = check(loaded, ruleset, options).findings
    scene = MoveScene(loaded.document, in_class(loaded.board, ruleset), tuple(findings), priced)
    table = MoveTable(all_moves(scene))
    with workers(jobs) as pool:
        once = JudgedOnce(judge, table.moves, pool)
        found = answered(table, once, rules, base, most=tries, ahead=2 * jobs if pool else 1)
    chosen = tuple(table.moves[at] for at in found.chosen)
    return proposal(loaded.document, loaded.name, ruleset.name, chosen, found, base, level, judge.made(chosen), priced)


def cheaper(
    loaded: Loaded, profile: ProfileGiven, *, costs: str | Costs | None = None, jobs: int = 1
) -> CheaperBoard:
    """Find what is dearer than a profile needs: changes that save cost after which all that passed still passes.

    Parameters
    ----------
    loaded, profile, costs, jobs
        As of ``fix``.

    Raises
    ------
    InputError
        As of ``fix``.
    """
    loaded, ruleset, priced = _asked(loaded, profile, costs, "cheaper")
    judge, moves, found = _savings(loaded, ruleset, priced, jobs)
    text = patch = ""
    if found.together:
        text = rewritten(loaded.document, judge.made([moves[at] for at in found.together]))
        patch = patch_of(loaded.document.file, loaded.document.text, text)
    return CheaperBoard(loaded.name, ruleset.name, found.alone, found.together, found.judged, text, patch,
                        tuple(sorted(found.unproven)), tuple(sorted(found.unmoved)))


def saved(
    loaded: Loaded, ruleset: Ruleset, *, costs: str | None = None, jobs: int = 1
) -> tuple[tuple[Remedy, ...], SavingsFound]:
    """Return all changes that would save cost, and those that do while everything still passes. Raises as ``cheaper``.
    """
    loaded, ruleset, priced = _asked(loaded, ruleset, costs, "check")
    return _savings(loaded, ruleset, priced, jobs)[1:]


def _savings(
    loaded: Loaded, ruleset: Ruleset, priced: Costs, jobs: int
) -> tuple[ChangeJudge, tuple[Remedy, ...], SavingsFound]:
    rules = frozenset(ruleset.rules)
    judge = ChangeJudge(loaded.document, ruleset, Severity.WARNING)
    moves = cheaper_moves(MoveScene(loaded.document, in_class(loaded.board, ruleset), (), priced))
    with workers(jobs) as pool:
        once = JudgedOnce(judge, moves, pool)
        if pool:
            once([frozenset({at}) for at in range(len(moves))], rules)
        return judge, moves, savings(moves, once, rules, judge(((), rules)))


def _asked(
    board: BoardGiven, profile: ProfileGiven, costs: str | Costs | None, call: str
) -> tuple[Loaded, Ruleset, Costs]:
    """The board, which a board file holds, the profile and the costs."""
    loaded = read_board(board, call)
    if not loaded.document.text:
        raise InputError([Problem(loaded.document.file, 0, 0, "", "a fix edits a board file, and this is none", "",
                                  "a board file", "write one of the layout: pcbrules import")])
    if not isinstance(costs, Costs | str | os.PathLike | None):
        raise TypeError(f"{call}() takes the path of a file of costs, not {kind(costs)}")
    file = os.fspath(costs) if isinstance(costs, os.PathLike) else costs
    return loaded, ruleset_of(profile), file if isinstance(file, Costs) else costs_of(file)
