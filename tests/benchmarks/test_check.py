# SPDX-License-Identifier: MIT
"""How long a check takes: whole processes, processor time and wall time, compiled bytecode. Run by `make bench`."""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import pcbrules

sys.path.insert(0, str(Path(__file__).resolve().parent))
import board_300

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = max((ROOT / "boards").glob("*.yaml"), key=lambda file: file.stat().st_size)
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    compileall.compile_dir(str(Path(pcbrules.__file__).parent), quiet=2)


def run(*arguments: str) -> float:
    """Run a command; its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pcbrules", *arguments]
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("rules",), ("check", str(LARGEST), "--profile", "training")],
    ids=["help", "rules", f"check {LARGEST.name}"],
)
def test_command(benchmark: object, arguments: tuple[str, ...]) -> None:
    measure(benchmark, arguments)


@pytest.mark.parametrize("neighbours", [False, True], ids=["plain", "neighbours and masks"])
def test_board_of_300_links(benchmark: object, tmp_path: Path, neighbours: bool) -> None:
    board = tmp_path / "board_300.yaml"
    board.write_text(board_300.board(neighbours=neighbours), encoding="utf-8")
    measure(benchmark, ("check", str(board), "--profile", "training"))


def measure(benchmark: object, arguments: tuple[str, ...]) -> None:
    processor: list[float] = []
    benchmark.pedantic(lambda: processor.append(run(*arguments)), rounds=5, warmup_rounds=1)  # type: ignore[attr-defined]
    info = benchmark.extra_info  # type: ignore[attr-defined]
    info["processor_seconds"] = sorted(processor)[len(processor) // 2]
    info["peak_megabytes"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds, megabytes = info["processor_seconds"], info["peak_megabytes"]
    print(f"\n{' '.join(arguments)}: {seconds:.3f} s of processor time, peak {megabytes:.0f} MB")
