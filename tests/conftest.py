# SPDX-License-Identifier: MIT
"""Settings of the whole suite: one BLAS thread, reproducible property tests, bytecode for every process."""

from __future__ import annotations

import compileall
import gc
import os
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
# What pytest rewrites is kept for the next run: the tests and all of Hypothesis, half of the time of a collection.
sys.dont_write_bytecode = False

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

import numpy as np  # noqa: E402 (after the environment)
import pytest  # noqa: E402
import yaml  # noqa: E402
from law_examples import load_profile  # noqa: E402
from warm_start import keep_solved  # noqa: E402

HERE = Path(__file__).resolve().parent

load_profile()
keep_solved()


PLAIN = pytest.approx
FLOOR = 1e-12


def approx(expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> Any:
    """`pytest.approx` with a least tolerance that goes with the value: 1e-12 is more than many a capacitance in F."""
    if abs is None:
        values = list(expected.values()) if isinstance(expected, dict) else expected
        try:
            sizes = np.abs(np.asarray(values, dtype=complex))
        except (TypeError, ValueError):
            return PLAIN(expected, rel=rel, nan_ok=nan_ok)
        rel = 1e-6 if rel is None else rel
        abs = FLOOR * (float(sizes[np.isfinite(sizes)].max(initial=0.0)) or 1.0)
    return PLAIN(expected, rel=rel, abs=abs, nan_ok=nan_ok)


pytest.approx = approx


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once: where bytecode is not written, every process of a test would compile it anew."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(HERE.parent / "pcbrules", quiet=2)


@contextmanager
def in_turn(config: pytest.Config) -> Iterator[None]:
    """Have one worker after the other do something, so that the second finds what the first has written."""
    place = Path(tempfile.gettempdir()) / f"collected-{config.workerinput['testrunuid']}"  # type: ignore[attr-defined]
    with place.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    place.unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Compile the tests once: in a fresh checkout one worker collects after the other."""
    last = max(HERE.rglob("test_*.py"))
    compiled = any((last.parent / "__pycache__").glob(f"{last.stem}.*-pytest-{pytest.__version__}.pyc"))
    if compiled or fcntl is None or not hasattr(session.config, "workerinput"):
        return (yield)
    with in_turn(session.config):
        return (yield)


TOGETHER = {
    "program": ("test_doc_pages.py", "test_cli_jobs.py", "test_cli_process.py", "test_gate.py",
                "test_ci_files.py"),
    "boards": ("test_boards.py", "test_fault_boards.py", "test_influence.py", "test_pickles.py", "test_fixes.py",
               "test_determinism.py",
               "test_report_browser.py", "test_drawn_places.py", "test_fab_order.py", "test_lines_of_findings.py",
               "test_report_console.py", "test_short_console.py",
               "test_report_html.py", "test_report_junit.py", "test_report_pdf.py", "test_report_sarif.py",
               "test_report_json.py", "test_report_markdown.py", "test_channels_study.py", "test_decoupling.py",
               "test_exhibits.py", "test_lines_study.py", "test_pdn_study.py", "test_cli_channel.py",
               "test_cli_explain.py", "test_cli_lines.py", "test_cli_pdn.py", "test_cli_progress.py", "test_docs.py"),
}
"""Files whose tests run in one worker: those of the program as a process, which has a server, and those that judge the
example boards, which are then solved once. They take longest and are begun first."""


def together(file: str) -> str:
    """The group of a file of tests, else the file."""
    name = file.rpartition("/")[2]
    return next((group for group, names in TOGETHER.items() if name in names), file)


FIRST_CASES: dict[str, dict[str, int]] = yaml.safe_load((HERE / "first_cases.yaml").read_text(encoding="utf-8"))
"""How many cases of a test the default run takes, by file and name."""

_taken: Counter[tuple[Path, str]] = Counter()


@cache
def first_cases(file: Path) -> dict[str, int]:
    """How many cases the default run takes of the tests of a file."""
    return FIRST_CASES.get(file.relative_to(HERE).as_posix(), {}) if file.is_relative_to(HERE) else {}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave the further cases of a test to the long run."""
    most, name = first_cases(item.path), getattr(item, "originalname", "")
    if name in most and not item.get_closest_marker("long"):
        _taken[item.path, name] += 1
        if _taken[item.path, name] > most[name]:
            item.add_marker("long")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the groups first; within a group and a file, and of the other files, the order stays."""
    items.sort(key=lambda item: together(item.path.name) not in TOGETHER)


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over all that is loaded now: it stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 40)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Pass over what the program's caches hold: collecting it five times at the end takes half a minute."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several workers, the tests of a file or a group stay in one of them: they share what they read and solve."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid.partition("::")[0])

    config.option.loadscopereorder = False  # groups are begun in their order, not by their number of tests
    return Scheduling(config, log)


@pytest.fixture(scope="session")
def program() -> Iterator[tuple[str, ...]]:
    """The command of a process that runs the program and starts at once (see warm_start)."""
    if not hasattr(socket, "send_fds"):
        yield sys.executable, "-m", "pcbrules"
        return
    script = str(HERE / "warm_start.py")
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/s"
        server = subprocess.Popen([sys.executable, script, "--serve", place], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(HERE.parent)})
        with server:
            assert server.stdout is not None and server.stdout.readline() == b"ready\n"
            yield sys.executable, "-I", "-S", script, place
            assert server.poll() is None


@pytest.fixture(scope="session")
def python(program: tuple[str, ...]) -> tuple[str, ...]:
    """What runs `-c CODE` in a process that has the program loaded."""
    return program if hasattr(socket, "send_fds") else (sys.executable,)
