# SPDX-License-Identifier: MIT
"""The same bytes under another hash seed, locale, time zone, terminal, folder; and whatever was judged before.

The same bytes on another processor, too: with other kernels of linear algebra (`OPENBLAS_CORETYPE`), without vector
instructions (`NPY_DISABLE_CPU_FEATURES`), with two threads. `every_output.py --noise` stands for those that are not at
hand: it moves last bits by more than a processor does, so some digit may differ, but no choice. The suite looks at
a few boards, with `-m long` at the largest; with PCBRULES_ALL_BOARDS=1 (`make check`) at all of them, on other
processors but that with rails on planes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from every_output import profile_of, write

from pcbrules import api, reports
from pcbrules.solver_cache import SolverCache

ROOT = Path(__file__).resolve().parents[1]
FORMATS = tuple(name for name in reports.formats() if name != "console")


def boards() -> dict[str, list[str]]:
    """Example boards by profile, as paths relative to the checkout."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in (ROOT / "boards", ROOT / "boards" / "faults"):
        for board in sorted(folder.glob("*.yaml")):
            found[profile_of(board)].append(board.relative_to(ROOT).as_posix())
    return dict(found)


EVERY = os.environ.get("PCBRULES_ALL_BOARDS") == "1"


def smallest(names: list[str]) -> list[str]:
    """The shortest example board and the shortest faulty one: there is one for each profile."""
    by_size = sorted(names, key=lambda name: ((ROOT / name).stat().st_size, name))
    return [next(name for name in by_size if ("faults" in name) == faulty) for faulty in (False, True)]


BOARDS = boards() if EVERY else {profile: smallest(names) for profile, names in boards().items()}
HERE = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80"}
THERE = {
    "PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "COLUMNS": "80",
    "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1", "PYTHONOPTIMIZE": "1", "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4", "OPENBLAS_THREAD_TIMEOUT": "4",
}


ALL = """\
import json, sys
from pcbrules.cli.main import main
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    try: main()
    except SystemExit as end: code = end.code or 0
    sys.stdout.flush()
    sys.stdout.write(f"{chr(30)}{code}{chr(30)}")"""


def words(profile: str) -> list[str]:
    """A check of all boards of a profile with all reports."""
    outputs = [arg for name in FORMATS for arg in ("-o", f"{name}:{profile}.{name}")]
    return ["check", *BOARDS[profile], "-p", profile, "-v", *outputs, "--waivers", "w.yaml", "--today", "2026-06-01"]


def run(folder: Path, calls: Sequence[Sequence[str]], env: Mapping[str, str]) -> dict[str, bytes]:
    """Every report of all boards, judged in a copy of the boards below a folder; what is printed."""
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "boards", folder / "boards")
    (folder / "w.yaml").write_text("waivers: []\n", encoding="utf-8")
    base = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    env = {**base, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **env}
    printed = b""
    for call in calls:
        done = subprocess.run(call, cwd=folder, capture_output=True, timeout=300, check=False, env=env)
        printed += done.stdout if len(calls) == 1 else done.stdout + b"\x1e%d\x1e" % done.returncode
        assert done.stderr == b"", done.stderr.decode(errors="replace")
    files = {f"{profile}.{name}": (folder / f"{profile}.{name}").read_bytes() for profile in BOARDS for name in FORMATS}
    return {**files, "console": printed}


@pytest.mark.long
def test_the_same_bytes_elsewhere(tmp_path: Path, program: tuple[str, ...]) -> None:
    """In a process that has judged before, and in a fresh one that differs in all that must not matter."""
    here = run(tmp_path / "a", [[*program, *words(profile)] for profile in BOARDS], HERE)
    calls = json.dumps([words(profile) for profile in BOARDS])
    there = run(tmp_path / "b Ö" / "deeper", [[sys.executable, "-c", ALL, calls]], THERE)
    assert set(here["console"].split(b"\x1e")[1::2]) <= {b"0", b"1", b"3"}
    for name, data in here.items():
        assert data == there[name], f"{name} differs"
        assert str(tmp_path).encode() not in data and b"/home/" not in data, f"{name} names a folder of this machine"


@pytest.mark.long
def test_what_was_judged_before_changes_nothing() -> None:
    """Caches hold nothing that depends on the order: a board, another one, the first again."""
    profile, names = "edge", BOARDS["edge"]
    loaded = [api.load(str(ROOT / name)) for name in names[:2]]
    first = api.check(loaded[0], profile)
    other = api.check(loaded[-1], profile)
    assert api.check(loaded[0], profile) == first and api.check(loaded[-1], profile) == other
    with SolverCache().used():
        assert api.check(loaded[-1], profile) == other and api.check(loaded[0], profile) == first
        assert api.check(api.load(str(ROOT / names[0])), profile) == first


# Processors


CORES = {"Haswell": "AVX2", "Zen": "AVX2", "SkylakeX": "AVX512F", "Prescott": "SSE3"}
"""Kernels of OpenBLAS, and the feature without which a processor cannot run them."""

FEW = ("boards/faults/edge-faults.yaml", "boards/jetson-orin-carrier.yaml")
LARGE = ("boards/hgx-h100-baseboard.yaml",)
ON_PLANES = ("boards/sxm-accelerator-module.yaml",)
"""Boards with a rail on planes: its digits agree to 1e-6, as docs/how-to/read_a_report.md says."""

NUMBER = re.compile(r"(-?\d+\.?\d*(?:e[-+]?\d+)?)")

SHOWN = 12
"""Lines of a difference in a message."""


def features() -> Mapping[str, bool]:
    """What numpy has found in this processor."""
    from numpy._core._multiarray_umath import __cpu_features__

    return dict(__cpu_features__)


def dispatched() -> list[str]:
    """The sets of vector instructions that numpy takes here and can do without."""
    from numpy._core._multiarray_umath import __cpu_dispatch__

    return [name for name in __cpu_dispatch__ if features().get(name)]


SETTINGS: dict[str, tuple[str, bool, int, int | None]] = {
    "the kernels of old processors, no vector instructions, two threads": ("Prescott", False, 2, None),
}
"""Core, whether numpy's vector instructions are used, threads, seed of the noise: farthest from the newest."""

if EVERY:
    SETTINGS |= {f"{core}, {'all' if vectors else 'no'} vector instructions, {threads} threads":
                 (core, vectors, threads, None) for core in CORES for vectors in (True, False) for threads in (1, 2)}


Names = tuple[str, ...]


def written(
    folder: Path, names: Names, core: str, vectors: bool, threads: int, noise: int | None
) -> dict[str, bytes]:
    """Every output of the boards from a process under one setting."""
    folder.mkdir()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": str(threads),
           "OMP_NUM_THREADS": str(threads), "OPENBLAS_THREAD_TIMEOUT": "10",  # threads that wait do not spin for long
           "PYTHONHASHSEED": str(threads), "TZ": "UTC" if threads == 1 else "Asia/Kathmandu"}
    env |= {} if vectors else {"NPY_DISABLE_CPU_FEATURES": " ".join(dispatched())}
    call = [sys.executable, str(ROOT / "tests" / "every_output.py"), str(folder), *names]
    call += [] if EVERY else ["--few"]
    call += [] if noise is None else ["--noise", str(noise)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False, env=env)
    assert done.returncode == 0, done.stderr[-2000:]
    return contents(folder)


def looked_at() -> list[Any]:
    """The boards that are compared, those of one case together."""
    if not EVERY:
        return [FEW, pytest.param(LARGE, marks=pytest.mark.long)]
    return [tuple(name for some in BOARDS.values() for name in some if name not in ON_PLANES)]


@pytest.fixture(scope="module", params=looked_at(), ids=lambda names: f"{len(names)} boards")
def common(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Names, dict[str, bytes]]:
    """Boards, and what the others are compared with: the newest kernels with two threads, else those of this process.
    """
    names: Names = request.param
    folder = tmp_path_factory.mktemp("common")
    if EVERY:
        newest = "SkylakeX" if features().get(CORES["SkylakeX"]) else "Haswell"
        return names, written(folder / "newest", names, newest, True, 2, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        write(folder, names, few=True)
    return names, contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def alike(one: bytes, other: bytes) -> bool:
    """True of the same bytes, but for numbers on the edge between two last digits: these may be written as either."""
    if one == other:
        return True
    mine, its = (re.split(NUMBER, data.decode(errors="replace")) for data in (one, other))
    return len(mine) == len(its) and all(
        a == b or (at % 2 == 1 and abs(Decimal(a) - Decimal(b)) <= max(_unit(a), _unit(b)))
        for at, (a, b) in enumerate(zip(mine, its, strict=True)))


def _unit(number: str) -> Decimal:
    """One of the last digit of a number."""
    return Decimal((0, (1,), int(Decimal(number).as_tuple().exponent)))


def test_a_last_digit_may_be_either_and_no_other() -> None:
    assert alike(b"a 1.404107 b", b"a 1.404106 b") and alike(b"[1.4e-3]", b"[1.3e-3]") and alike(b"0.70", b"0.69")
    assert not alike(b"a 1.404107 b", b"a 1.404105 b") and not alike(b"1.4 a", b"1.4 b") and not alike(b"1, 2", b"1")


@pytest.mark.skipif(not features().get("AVX2"), reason="the processor has no AVX2, with which the others are compared")
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_same_bytes_on_another_processor(
    setting: str, common: tuple[Names, dict[str, bytes]], tmp_path: Path
) -> None:
    core, vectors, threads, noise = SETTINGS[setting]
    if not features().get(CORES[core]):
        pytest.skip(f"the processor has no {CORES[core]}, which the kernels of {core} need")
    names, here = common
    found = written(tmp_path / "other", names, core, vectors, threads, noise)
    assert found.keys() == here.keys() and len(found) > 8 * len(names)
    differing = {name: data for name, data in found.items() if not alike(data, here[name])}
    message = [f"{', '.join(differing)} differ"]
    for name, data in islice(differing.items(), 3):
        one, other = (text.decode(errors="replace").splitlines() for text in (here[name], data))
        message += [line[:200] for line in islice(unified_diff(one, other, name, setting, n=0, lineterm=""), SHOWN)]
    assert not differing, "\n".join(message)


def test_noise_moves_the_last_bits_and_nothing_else() -> None:
    code = (
        "import every_output, numpy as np; plain = np.exp(np.linspace(1, 2, 99)); every_output.add_noise(1);"
        "moved = np.exp(np.linspace(1, 2, 99)); apart = np.abs(moved / plain - 1);"
        "assert 0 < apart.max() < 1e-15 and np.exp(0.0) == 1 "
        "and np.linalg.solve(np.eye(2), np.ones(2)).tolist() == [1, 1]"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tests", check=True, timeout=60)
