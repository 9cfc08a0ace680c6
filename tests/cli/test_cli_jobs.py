# SPDX-License-Identifier: MIT
"""`check --jobs`: the same bytes, and no process that stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cli_bench import PROGRAM, ROOT, Bench, environment

import pcbrules
from pcbrules import reports
from pcbrules.solver_cache import SolverCache

H100 = ROOT / "boards" / "hgx-h100-baseboard.yaml"
FORMATS = [name for name in reports.formats() if name not in ("console", "pdf")]


@pytest.mark.long
@pytest.mark.parametrize(("board", "profile"), [
    ("real-cm5-sodimm-carrier", "edge"), ("hgx-h100-baseboard", "training")])
def test_every_report_has_the_same_bytes(
    bench: Bench, program: tuple[str, ...], board: str, profile: str
) -> None:
    file = str(ROOT / "boards" / f"{board}.yaml")
    for jobs, command in (("1", program), ("2", PROGRAM)):
        (bench.folder / jobs).mkdir()
        outputs = [word for name in FORMATS for word in ("-o", f"{name}:{jobs}/{name}")]
        done = bench.process("check", file, "-p", profile, "--jobs", jobs, *outputs, "-v", cwd=bench.folder,
                             program=command)
        assert done.code in (0, 1, 3) and done.err == ""
        (bench.folder / jobs / "console").write_bytes(done.out)
    for name in (*FORMATS, "console"):
        one, two = ((bench.folder / jobs / name).read_bytes() for jobs in ("1", "2"))
        assert one == two and len(one) > 1000, name


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2])
def test_processes_solve_the_tasks_and_this_one_keeps_the_results(threads: int) -> None:
    """Beside a thread they begin empty, as they do on other systems than Linux."""
    loaded = pcbrules.load(H100)
    options = pcbrules.Options(select=("SIG001", "THM", "PDN006"))
    solve = "pcbrules.analysis.ir_drop.undeclared.solve_ways"
    over = threading.Event()
    beside = threading.Thread(target=over.wait)
    with SolverCache().used() as cache:
        expected = pcbrules.check(loaded, "training", options)
    assert cache.solved[solve] == 2
    try:
        if threads > 1:
            beside.start()
        with SolverCache().used() as cache:
            assert pcbrules.check(loaded, "training", options, jobs=2) == expected
            assert pcbrules.check(loaded, "training", options) == expected
        assert cache.solved[solve] == 0 and len(cache) > 3
    finally:
        over.set()


@pytest.mark.parametrize(("given", "said"), [("0", "0 is not in the range"), ("62", "1<=x<=61"), ("two", "integer")])
def test_another_number_is_refused(bench: Bench, given: str, said: str) -> None:
    done = bench.check("--jobs", given)
    assert done.code == 2 and said in done.err and "--jobs" in done.err


@pytest.mark.parametrize(("given", "error", "said"), [
    (0, ValueError, "from 1 to 61, not 0"), (62, ValueError, "not 62"), (True, TypeError, "not a bool"),
    ("2", TypeError, "not a str")])
def test_another_number_is_refused_in_python(given: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        pcbrules.check(pcbrules.load(H100), "training", jobs=given)


WAITING = """
import os, sys, time, signal
import pcbrules.engine as engine
def wait(cache, key):
    open(f"{os.getpid()}.solves", "w").close()
    time.sleep(100)
engine._with_worth = wait
signal.signal(signal.SIGINT, signal.default_int_handler)
from pcbrules.cli.main import main
main()
"""


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until(holds: object) -> bool:
    end = time.monotonic() + 60
    while not holds():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(("name", "code"), [
    pytest.param("SIGINT", 130, marks=pytest.mark.long), ("SIGTERM", 143),
    pytest.param("SIGKILL", -9, marks=pytest.mark.long)])
def test_no_process_stays_behind(bench: Bench, name: str, code: int) -> None:
    command = [sys.executable, "-c", WAITING, "check", str(H100), "-p", "training", "--jobs", "2"]
    with subprocess.Popen(command, cwd=bench.folder, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as parent:
        assert until(lambda: len(list(bench.folder.glob("*.solves"))) == 2)
        solving = [int(path.stem) for path in bench.folder.glob("*.solves")]
        assert all(alive(one) and one != parent.pid for one in solving)
        parent.send_signal(getattr(signal, name))
        out, err = parent.communicate(timeout=60)
    assert parent.returncode == code
    assert out == b"" and b"Traceback" not in err
    assert until(lambda: not any(alive(one) for one in solving))


@pytest.mark.long
@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_that_is_ended_from_outside_is_told(bench: Bench) -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING, "check", str(H100), "-p", "training", "-j", "2"],
                          cwd=bench.folder, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as parent:
        assert until(lambda: len(list(bench.folder.glob("*.solves"))) == 2)
        first, other = (int(path.stem) for path in bench.folder.glob("*.solves"))
        os.kill(first, signal.SIGKILL)
        out, err = parent.communicate(timeout=60)
    assert parent.returncode == 2 and out == b""
    assert b"--jobs" in err and b"use fewer jobs" in err and b"Traceback" not in err
    assert until(lambda: not alive(other))
