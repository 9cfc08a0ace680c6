# SPDX-License-Identifier: MIT
"""Boards, reports, tasks and results go to other processes and come back equal."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from board_params import some
from every_output import profile_of

from pcbrules import api
from pcbrules.analysis.lines.section import section
from pcbrules.missing import Missing
from pcbrules.solver_cache import SolverCache

ROOT = Path(__file__).resolve().parents[1]
BOARDS = sorted((ROOT / "boards").glob("*.yaml")) + sorted((ROOT / "boards" / "faults").glob("*.yaml"))
T = TypeVar("T")
OFTEN = ("real-cm5-sodimm-carrier",)


def copied(value: T) -> T:
    """What another process is handed."""
    copy: T = pickle.loads(pickle.dumps(value))
    return copy


class Elsewhere(Executor):
    """Solves copies of the tasks and hands back copies of the results, and says what it saw."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any], **_: Any) -> Iterator[Any]:
        """Tasks and results must be equal to their copies."""
        for one in zip(*iterables, strict=True):
            copy = copied(one)
            assert copy == one
            assert hash(copy) == hash(one)
            result = fn(*copy)
            assert not isinstance(result[0], Exception)
            back = copied(result)
            assert back == result
            self.seen.append(type(result[0]).__name__)
            yield back


@pytest.mark.parametrize("file", BOARDS, ids=lambda path: path.stem)
def test_a_board_comes_back_equal(file: Path) -> None:
    loaded = api.load(file)
    back = copied(loaded)
    assert back == loaded
    assert back.board == loaded.board
    assert back.document.tree == loaded.document.tree
    assert back.board.made == {}


@pytest.mark.parametrize("file", some(BOARDS, *OFTEN))
def test_a_report_its_tasks_and_results_come_back_equal(file: Path) -> None:
    executor = Elsewhere()
    loaded = api.load(file)
    with SolverCache().used():  # what is kept would not be asked for
        report = api.check(copied(loaded), profile_of(file), exhibits=True, executor=executor)
    assert executor.seen
    assert copied(report) == report
    assert report == api.check(loaded, profile_of(file), exhibits=True)


def test_boards_that_differ_are_not_equal() -> None:
    one = api.load(ROOT / "boards" / "jetson-orin-carrier.yaml")
    other = api.resolve(one.document.edited(("board", "name"), "another"))
    assert other.document != one.document
    assert other.board != one.board
    assert other.board.links == one.board.links
    changed = one.document.edited(("stackup", 1, "thickness"), "37 um")
    assert changed != one.document


def test_a_changed_board_keeps_nothing_of_the_old_one() -> None:
    loaded = api.load(ROOT / "boards" / "jetson-orin-carrier.yaml")
    api.check(loaded, "edge", api.Options(select=("SIG001",)))
    assert loaded.board.made
    assert api.resolve(loaded.document).board.made == {}


def test_a_task_is_found_by_its_hash_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Another process has other hashes, of None or of texts: a hash that is kept does not travel."""
    file = tmp_path / "task"
    loaded = api.load(ROOT / "boards" / "jetson-orin-carrier.yaml")
    link = next(one for one in loaded.board.links or () if one.traces())
    step, _ = link.traces()[0]
    made = section(loaded.board, link, step, 20.0)
    assert not isinstance(made, Missing)
    bare = replace(made.task, gap=None, cover=None, cover_over_trace=None)
    assert hash(bare)
    file.write_bytes(pickle.dumps(bare))
    code = ("import pathlib, pickle, sys; from dataclasses import replace; one = pickle.loads(pathlib.Path(sys.argv[1])"
            ".read_bytes()); assert hash(one) == hash(replace(one)) and one in {replace(one)}")
    subprocess.run([sys.executable, "-c", code, str(file)], check=True, timeout=60, cwd=ROOT,
                   env={**os.environ, "PYTHONHASHSEED": "1234"})
