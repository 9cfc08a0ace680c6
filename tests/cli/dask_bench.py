# SPDX-License-Identifier: MIT
"""A cluster of Dask on this machine: a scheduler and workers, each a process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_bench import Bench, environment

Process = subprocess.Popen[bytes]


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[Process]]]:
    """The address of a scheduler, and its workers; all end with the block. Skips where Dask is not installed."""
    pytest.importorskip("distributed")
    from distributed import Client

    def started(*words: str) -> Process:
        return subprocess.Popen([sys.executable, "-m", *words], env=environment({}), cwd=folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    place = folder / "scheduler.json"
    place.unlink(missing_ok=True)  # of a scheduler that is gone
    file = ("--no-dashboard", "--scheduler-file", str(place))
    running = [started("distributed.cli.dask_scheduler", "--port", "0", *file)]
    try:
        worker = ("distributed.cli.dask_worker", *file, "--no-nanny", "--nthreads", "1", "--death-timeout", "60")
        running += [started(*worker) for _ in range(workers)]
        with Client(scheduler_file=str(place), timeout="60s") as client:
            client.wait_for_workers(workers, timeout=60)
        yield json.loads(place.read_text())["address"], running[1:]
    finally:
        for one in running:
            one.kill()
            one.wait()


def run_and_kill(bench: Bench, words: tuple[str, ...], address: str, worker: Process, kept: Path, after: int) -> bytes:
    """Output of a study on a cluster of which a worker is killed once a file has so many lines."""
    study = subprocess.Popen([sys.executable, "-m", "pcbrules", *words, "--scheduler", address, "--resume", str(kept)],
                             cwd=bench.folder, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + 120
    while study.poll() is None and time.monotonic() < until:
        if kept.exists() and kept.read_bytes().count(b"\n") > after:
            break
        time.sleep(0.01)
    assert study.poll() is None, "it is killed in the middle"
    worker.kill()
    out, errors = study.communicate(timeout=240)
    assert study.returncode == 0, errors.decode()
    return out
