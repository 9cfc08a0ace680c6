# SPDX-License-Identifier: MIT
"""Processes that solve the tasks of a check beside this one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pcbrules.api._arguments import kind
from pcbrules.errors import InputError, Problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST = 61
"""Processes at most: Windows waits for no more."""

LAST = 5.0
"""Time that threads of processes which were ended may take to notice. [s]"""


def job_count(jobs: Any) -> int:
    """Return a number of processes; TypeError for something else, ValueError for one that is too small or too large."""
    if isinstance(jobs, bool) or not isinstance(jobs, int):
        raise TypeError(f"jobs is a number of processes, not {kind(jobs)}")
    if not 1 <= jobs <= MOST:
        raise ValueError(f"jobs is a number of processes from 1 to {MOST}, not {jobs}")
    return jobs


@contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """Processes that solve tasks, as an executor; None for one job, which is this process.

    Each begins as a copy of this process where that is safe (Linux, one thread), and empty elsewhere. All end with the
    block, at once where an exception or an interrupt ends it, and by themselves where this process is killed.

    Raises
    ------
    InputError
        One of them was ended from outside, as is one that takes too much memory.
    """
    if job_count(jobs) == 1:
        yield None
        return
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor  # they take longer to load than a small check
    from multiprocessing import active_children, get_context

    copied = sys.platform == "linux" and threading.active_count() == 1
    others, threads = active_children(), threading.enumerate()
    pool = ProcessPoolExecutor(jobs, get_context("fork" if copied else "spawn"), initializer=_begin)
    try:
        yield pool
        pool.shutdown()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        mine = [process for process in active_children() if process not in others]
        for process in mine:
            process.kill()
        for process in mine:
            process.join()
        for thread in threading.enumerate():  # the pool's own: they close pipes that the exit writes to
            if thread not in threads:
                thread.join(LAST)
        if not isinstance(error, BrokenExecutor):
            raise
        raise InputError([
            Problem("--jobs", 0, 0, "", "a process that solves was ended from outside", fix="use fewer jobs: the "
                    "memory may not suffice")
        ]) from None


def _begin() -> None:
    """Leave interrupts to the parent, obey other signals at once, and end when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, number) and callable(signal.getsignal(getattr(signal, number))):
            signal.signal(getattr(signal, number), signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
