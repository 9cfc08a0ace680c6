# SPDX-License-Identifier: MIT
"""A design space of stackups on a board: read, built, searched, proven."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from pcbrules import engine
from pcbrules.api._arguments import kind
from pcbrules.api._edited import first_fault, judged
from pcbrules.api._profiles import in_class
from pcbrules.api._search_space import SearchJob, edited
from pcbrules.api._tuning import with_tuned
from pcbrules.api._variants import batch_size
from pcbrules.api._workers import workers
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.profile import Ruleset
from pcbrules.studies.searching.exploring import explore
from pcbrules.studies.searching.moved import moved_keys
from pcbrules.studies.searching.part_outcome import (
    NO_BOARD,
    BlockedBy,
    PartOutcome,
    WhatHolds,
    failing_warnings,
    part_outcome,
)
from pcbrules.studies.searching.rule_groups import rule_groups
from pcbrules.studies.searching.space import PartTask
from pcbrules.studies.searching.stackup_search import StackupSearch, search_point
from pcbrules.studies.variants.kept import Kept

if TYPE_CHECKING:
    from concurrent.futures import Executor

@dataclass(frozen=True)
class CandidateJudge:
    """Judges candidates of a space, as far as some rules look at them; a copy of it works in another process.

    Of a task with all of ``rules`` the warnings that fail are told too.
    """

    documents: tuple[Document, ...]
    ruleset: Ruleset
    asked: WhatHolds
    rules: tuple[str, ...] = ()

    def __call__(self, batch: tuple[PartTask, ...]) -> list[PartOutcome]:
        """Judge some tasks, one after the other."""
        return [self._judged(task) for task in batch]

    @one_blas_thread
    def _judged(self, task: PartTask) -> PartOutcome:
        try:
            document = self.made(task)
            found = judged(document, self.ruleset, task.rules, links=self.asked.links)
        except InputError as error:
            return PartOutcome(BlockedBy(NO_BOARD, error.problems[0].path, first_fault(error)))
        made = part_outcome(found, task.rules, self.asked)
        return replace(made, warnings=failing_warnings(found)) if task.rules == self.rules else made

    def made(self, task: PartTask) -> Document:
        """The board file of a task. Raises InputError where it is none."""
        document = edited(self.documents[task.frame], task)
        if task.tuned:
            board = in_class(board_of(document)[0], self.ruleset)
            for one in task.tuned:
                document = with_tuned(document, board, one, self.ruleset, board)
        return document


@dataclass
class TaskRunner:
    """Judges tasks here or elsewhere; what was judged is kept in a file where there is one, and ``known`` of an earlier
    run. A search asks for a part once, so of new answers only those of ``rules``, all of a check, stay in memory.
    """

    judge: CandidateJudge
    rules: tuple[str, ...]
    known: dict[str, PartOutcome]
    executor: Executor | None = None
    kept: Kept[PartOutcome] | None = None
    watch: engine.Watch | None = None
    done: int = 0

    def __call__(self, tasks: Sequence[PartTask]) -> list[PartOutcome]:
        """The outcomes of some tasks, in their order."""
        names = [self._name(one) for one in tasks]
        new = {name: one for name, one in zip(names, tasks, strict=True) if name not in self.known}
        if not new:
            return [self.known[name] for name in names]
        each: Callable[..., Iterable[list[PartOutcome]]] = self.executor.map if self.executor else map
        batches = list(_batches(list(new.values()), batch_size(len(new)) if self.executor else 1))
        found: Iterable[PartOutcome] = (one for batch in each(self.judge, batches) for one in batch)
        made: dict[str, PartOutcome] = {}
        for name, outcome in zip(new, self.watch(found, len(new)) if self.watch else found, strict=True):
            made[name] = outcome
            if new[name].rules == self.rules:
                self.known[name] = outcome
            if self.kept:
                self.kept.add(name, outcome)
        self.done += len(new)
        return [made[name] if name in made else self.known[name] for name in names]

    def _name(self, task: PartTask) -> str:
        """A task as a file keeps it: its edits and rules, and what is asked of it."""
        board = self.judge.documents[task.frame].tree["stackup"] if len(self.judge.documents) > 1 else ()
        moved = self.judge.asked.moved
        what = (replace(self.judge.asked, moved=None), sorted(moved) if moved is not None else None, board,
                task.edits, task.removed, task.tuned, task.rules)
        return sha256(repr(what).encode()).hexdigest()


def _batches(items: Sequence[PartTask], size: int) -> Iterator[tuple[PartTask, ...]]:
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


def search(
    spec: str | os.PathLike[str],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    kept: Kept[PartOutcome] | None = None,
    watch: engine.Watch | None = None,
) -> StackupSearch:
    """Find the stackups of a design space that give most margin for their cost.

    Parameters
    ----------
    spec : path
        File of the design space.
    jobs : int
        Processes that judge. The answer is the same whatever their number.
    executor : Executor, optional
        Judges in place of them, in other processes or on other machines.
    kept : Kept, optional
        File of an earlier run, whose candidates are not judged again; new ones are appended as they come.
    watch : function, optional
        Is handed what is judged, and how much that is: a progress bar.

    Raises
    ------
    InputError
        A fault of the spec or of the board, or a file of another study.
    TypeError
        The spec is neither a path nor a text of one.
    """
    if not isinstance(spec, str | os.PathLike):
        raise TypeError(f"search() takes the path of a design space, not {kind(spec)}")
    built = SearchJob.of(os.fspath(spec))
    documents = tuple(frame.document for frame in built.space.frames)
    first = CandidateJudge(documents, built.ruleset, built.asked, built.rules)
    known = kept.begin(built.study) if kept else {}
    with workers(jobs if executor is None else 1) as pool:
        run = TaskRunner(first, built.rules, known, executor or pool, kept, watch)
        groups = rule_groups(built.space, built.rules)
        counted = built.asked if built.asked.shown else replace(
            built.asked, moved=moved_keys(built.space, groups, run))
        run.judge = replace(first, asked=counted)
        home = next((at for at, frame in enumerate(built.space.frames) if not frame.changes), None)
        start = None if home is None else run([built.space.task(home, {}, built.rules)])[0]
        found = explore(built.space, groups, run, built.rules, built.bounds)
        had = start.warnings if start else failing_warnings(
            judged(built.loaded.document, built.ruleset, built.rules, links=built.asked.links)) if found.points else ()
        points = tuple(search_point(built.space, one, first.made(built.space.whole(one.cell, built.rules)), had)
                       for one in found.points)
    return StackupSearch(
        built.file, built.loaded.name, built.ruleset.name, built.loaded.document, built.space, found, points,
        start.least if start else None,
        f"{start.blocked.what} {start.blocked.subject}".strip() if start and start.blocked else "",
        next((one.deciding.unit for one in points if one.deciding), ""), bool(built.asked.shown),
        counted.moved is not None and not counted.moved, run.done)
