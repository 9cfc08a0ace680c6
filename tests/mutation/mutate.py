# SPDX-License-Identifier: MIT
"""Puts small faults into physics, networks, analysis and rules, and shows which of them no test finds.

A tool for developers, not part of the suite::

    python tests/mutation/mutate.py --count 400             # a sample over all four packages; same seed, same sample
    python tests/mutation/mutate.py --only pcbrules/rules   # of some folders or files; --count 0 takes every fault
    python tests/mutation/mutate.py --only pcbrules/analysis/channel/facts.py --count 0
    python tests/mutation/mutate.py --at pcbrules/analysis/channel/facts.py:198

The tests are collected and imported once. At the first run each test runs alone in a process of its own, and the lines
that it reaches are kept in ``build/mutation``; that takes half an hour, and is done again when a source or a test has
changed (``--keep`` takes what is there). Then each fault is put into a copy of the process, which runs the tests that
reach its line, the shortest first, until one fails. What survives is printed with its place and the text before and
after; a fault that changes nothing (an equal bound, a finer grid) survives too, and is for a reader to tell. The exit
code is 1 where something survived.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import importlib
import json
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

from mutators import Mutant, mutants, mutated  # noqa: E402 (after the path)

PACKAGES = ("pcbrules/physics", "pcbrules/networks", "pcbrules/analysis", "pcbrules/rules")
TESTS = ("physics", "networks", "analysis", "rules", "validation", "studies", "selftest", "test_boards.py",
         "test_engine.py", "test_influence.py", "test_examples.py")
KEPT = ROOT / "build" / "mutation" / "lines.json"

CALLS = 20
"""Calls of a function in one test of which the lines are looked at: tracing all of them takes too long."""
PATIENCE = 10.0
"""A test that takes this many times as long as without the fault, and some seconds more, has failed."""

Lines = dict[str, set[int]]


class Traced:
    """The lines of the mutated packages that run while it is on, by file."""

    def __init__(self) -> None:
        self.lines: Lines = {}
        self.calls: Counter[CodeType] = Counter()
        self.files: dict[str, str | None] = {}

    def __enter__(self) -> Traced:
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        name = code.co_filename
        if name not in self.files:
            path = name[len(str(ROOT)) + 1 :] if name.startswith(str(ROOT)) else ""
            self.files[name] = path if path.startswith(PACKAGES) else None
        file = self.files[name]
        if file is None:
            return None
        self.calls[code] += 1
        if self.calls[code] > CALLS:
            return None
        lines = self.lines.setdefault(file, set())
        lines.add(frame.f_lineno)

        def line(frame: FrameType, event: str, _: Any) -> Any:
            lines.add(frame.f_lineno)
            return line

        return line


def forked(jobs: Iterable[tuple[Any, Callable[[], Any], float]], workers: int) -> Iterator[tuple[Any, Any]]:
    """Each job in a copy of this process, and its result; None where it broke off or passed its limit [s]."""
    running: dict[int, tuple[Any, Path, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        waiting = iter(enumerate(jobs))
        left = True
        while left or running:
            while left and len(running) < workers:
                try:
                    number, (key, work, limit) = next(waiting)
                except StopIteration:
                    left = False
                    break
                answer = Path(folder) / str(number)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of forks beside threads: none runs at this point
                    child = os.fork()
                if child == 0:
                    _work(work, answer)
                running[child] = key, answer, time.monotonic() + limit
            if not running:
                break
            child, _ = os.waitpid(-1, os.WNOHANG)
            if not child:
                time.sleep(0.002)
                for late in [one for one, (_, _, end) in running.items() if time.monotonic() > end]:
                    os.kill(late, signal.SIGKILL)
                continue
            key, answer, _ = running.pop(child)
            yield key, json.loads(answer.read_text()) if answer.exists() else None


def _work(work: Callable[[], Any], answer: Path) -> None:
    """Do a job in this copy of the process, silently, and end it."""
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        found = json.dumps(work())
        part = answer.with_suffix(".part")
        part.write_text(found)
        part.rename(answer)
    finally:
        os._exit(0)


class Run:
    """Takes the place of pytest's loop over the collected tests."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.survived = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for module in _modules():
            importlib.import_module(module)
        _warm()
        seen = self._lines(items)
        gc.unfreeze()  # what the suite freezes is not listed otherwise
        functions = _functions()
        assert functions, "no function of the package is found"
        chosen = list(self._chosen())
        print(f"{len(chosen)} faults, {len(seen)} tests")
        started, count = time.monotonic(), Counter[str]()
        jobs = ((one, *self._job(one, seen, items, functions)) for one in chosen)
        for place, (one, result) in enumerate(forked(jobs, self.given.jobs), 1):
            fate = "found" if result is None or result["failed"] else "survived" if result["ran"] else "no test"
            count[fate] += 1
            if fate != "found":
                ran = f"after {result['ran']} tests" if result["ran"] else "no test reaches it"
                print(f"{fate}: {one}\n  {ran}", flush=True)
            if place % 50 == 0:
                print(f"# {place} of {len(chosen)}, {time.monotonic() - started:.0f} s: {dict(count)}", flush=True)
        print(f"# {len(chosen)} faults: {dict(count)}")
        self.survived = count["survived"] + count["no test"]
        return True

    def _lines(self, items: dict[str, pytest.Item]) -> dict[str, tuple[float, Lines]]:
        """Seconds and lines of each test that passes, measured once."""
        state = _state()
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"state": "", "tests": {}}
        if self.given.keep or (kept["state"] == state and items.keys() <= {*kept["tests"], *kept["lost"]}):
            return _read(kept["tests"], items)
        print(f"looking at the lines that {len(items)} tests reach ...", flush=True)

        def look(item: pytest.Item) -> Any:
            started = time.process_time()
            with Traced() as traced:
                failed = _failed(item)
            lines = {file: sorted(reached) for file, reached in traced.lines.items()}
            return None if failed else [time.process_time() - started, lines]

        jobs = ((name, (lambda item=item: look(item)), 300.0) for name, item in items.items())
        found = {name: result for name, result in forked(jobs, self.given.jobs) if result is not None}
        lost = sorted(items.keys() - found.keys())
        print(f"{len(lost)} tests fail or are skipped without a fault and are left out")
        print("".join(f"  {one}\n" for one in lost[:20]), end="", flush=True)
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps({"state": state, "tests": dict(sorted(found.items())), "lost": lost}))
        return _read(found, items)

    def _chosen(self) -> Iterator[Mutant]:
        """The faults that are asked for, in an order that the seed decides."""
        place, _, line = (self.given.at or "").partition(":")
        asked = [place] if place else self.given.only or PACKAGES
        every: list[Mutant] = []
        for one in asked:
            path = ROOT / one
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                every += mutants(file.relative_to(ROOT), file.read_text(encoding="utf-8"))
        if line:
            every = [one for one in every if one.line == int(line)]
        random.Random(self.given.seed).shuffle(every)
        return iter(every[: self.given.count] if self.given.count and not line else every)

    def _job(
        self, mutant: Mutant, seen: dict[str, tuple[float, Lines]], items: dict[str, pytest.Item],
        functions: dict[tuple[str, str, int], list[FunctionType]],
    ) -> tuple[Callable[[], Any], float]:
        source = (ROOT / mutant.file).read_text(encoding="utf-8")
        tree = mutated(mutant, source)
        wanted = _users(ast.parse(source), mutant.name) if mutant.name else {mutant.line}
        own = {name: seconds for name, (seconds, lines) in seen.items() if lines.get(str(mutant.file), set()) & wanted}
        if not own:  # a line inside an expression, or one beyond the first calls: what reaches its function
            span = _span(ast.parse(source), mutant.line)
            own = {name: seconds for name, (seconds, lines) in seen.items()
                   if lines.get(str(mutant.file), set()) & span}
        order, total = [], 0.0
        for name in sorted(own, key=lambda one: (own[one], one)):
            total += own[name]
            if total > self.given.seconds and order:
                break
            order.append(name)

        def work() -> Any:
            if mutant.name:
                _put_constant(mutant, tree)
            else:
                _put(mutant, tree, functions)
            for place, name in enumerate(order, 1):
                if _failed(items[name]):
                    return {"failed": name, "ran": place}
            return {"failed": "", "ran": len(order)}

        return work, PATIENCE * min(total, 2 * self.given.seconds) + 20


def _read(found: dict[str, Any], items: dict[str, pytest.Item]) -> dict[str, tuple[float, Lines]]:
    return {name: (seconds, {file: set(lines) for file, lines in reached.items()})
            for name, (seconds, reached) in found.items() if name in items}


def _failed(item: pytest.Item) -> bool:
    """Run a test alone; True if it does not pass."""
    from _pytest.runner import runtestprotocol

    item.session._setupstate.teardown_exact(None)
    reports = runtestprotocol(item, nextitem=None, log=False)
    return not all(one.passed for one in reports)


def _modules() -> Iterator[str]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _warm() -> None:
    """Read a board, so that no test reads the library anew: it is not what is mutated."""
    from pcbrules import api

    for board in sorted((ROOT / "boards").glob("*.yaml"))[:1]:
        api.load(str(board))


def _state() -> str:
    """All sources and tests in one number."""
    sum_ = hashlib.sha256()
    for folder in ("pcbrules", "tests", "boards", "rulesets"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                sum_.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return sum_.hexdigest()


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """All functions there are, by file, name and first line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT)):
            found.setdefault(_key(one.__code__), []).append(one)
    return found


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_name, code.co_firstlineno


def _put(mutant: Mutant, tree: ast.Module, functions: dict[tuple[str, str, int], list[FunctionType]]) -> None:
    """Give every function of a file that holds the fault its new code."""
    ast.fix_missing_locations(tree)
    whole = compile(tree, str(ROOT / mutant.file), "exec", dont_inherit=True)
    for code in _outermost(whole):
        for function in functions.get(_key(code), []):
            function.__code__ = code


def _outermost(code: CodeType) -> Iterator[CodeType]:
    """Code of the functions of a module and of its classes, but not of functions inside functions."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_flags & 2:  # its names are fast locals: a function, and no class
                yield one
            else:
                yield from _outermost(one)


def _put_constant(mutant: Mutant, tree: ast.Module) -> None:
    """Give a constant of a module, and all copies of it by that name, its new value."""
    ast.fix_missing_locations(tree)
    module = sys.modules[".".join(mutant.file.with_suffix("").parts).removesuffix(".__init__")]
    (value,) = (one.value for one in tree.body if isinstance(one, ast.Assign) and one.lineno == mutant.line)
    new = eval(compile(ast.Expression(value), str(mutant.file), "eval"), vars(module))
    old = vars(module)[mutant.name]
    for one in list(sys.modules.values()):
        if getattr(one, "__name__", "").startswith("pcbrules") and vars(one).get(mutant.name) is old:
            setattr(one, mutant.name, new)


def _span(tree: ast.Module, line: int) -> set[int]:
    """Lines of the outermost function around a line."""
    spans = [range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in ast.walk(tree)
             if isinstance(one, ast.FunctionDef) and one.lineno <= line <= (one.end_lineno or one.lineno)]
    return set(max(spans, key=len)) if spans else set()


def _users(tree: ast.Module, name: str) -> set[int]:
    """Lines of the functions of a module that name a constant; of all its functions where none does."""
    every = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    users = [one for one in every if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(one))]
    return {line for one in users or every for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool. Exit code 0 if no fault survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=400, help="faults of the sample, 0 for all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", nargs="*", metavar="PATH", help="folders or files to put faults into")
    parser.add_argument("--at", metavar="FILE:LINE", help="every fault of one line")
    parser.add_argument("--tests", nargs="*", metavar="PATH", help="tests to run, in place of those of the tool")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="most time of the tests of one fault")
    parser.add_argument("--keep", action="store_true", help="take the lines that are kept, whatever has changed")
    given = parser.parse_args(arguments)
    run = Run(given)
    tests = given.tests or [str(ROOT / "tests" / one) for one in TESTS]
    code = pytest.main([*tests, "--rootdir", str(ROOT), "-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider"],
                       plugins=[run])
    return int(code) or int(run.survived > 0)


if __name__ == "__main__":
    sys.exit(main())
