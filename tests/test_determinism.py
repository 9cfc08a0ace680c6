# SPDX-License-Identifier: MIT
"""The same input gives the same bytes: under other hash seeds, locales, time zones, folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FORMATS = ("console", "json", "sarif", "junit", "markdown")
CASES = [("hgx-h100-baseboard.yaml", "training"), ("jetson-orin-carrier.yaml", "edge")]
SETTINGS = [
    {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Pacific/Kiritimati"},
]


def outputs(folder: Path, board: str, profile: str, settings: dict[str, str]) -> dict[str, bytes]:
    """Every format of one check, run from a folder that holds `boards/`."""
    files = [f"{name}:out.{name}" for name in FORMATS]
    command = [sys.executable, "-m", "pcbrules", "check", f"boards/{board}", "-p", profile]
    for file in files:
        command += ["-o", file]
    environment = {**os.environ, **settings, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    return {"stdout": done.stdout, **{name: (folder / f"out.{name}").read_bytes() for name in FORMATS}}


@pytest.mark.parametrize(("board", "profile"), CASES)
def test_same_bytes_anywhere(tmp_path: Path, board: str, profile: str) -> None:
    results = []
    for number, settings in enumerate(SETTINGS):
        folder = tmp_path / ("a" if number == 0 else "b ü")
        (folder / "boards").mkdir(parents=True)
        (folder / "boards" / board).write_bytes((ROOT / "boards" / board).read_bytes())
        results.append(outputs(folder, board, profile, settings))
    first, second = results
    assert first.keys() == second.keys()
    for name in first:
        assert first[name] == second[name], name
        assert first[name]


def test_no_clock_and_no_absolute_path_in_any_format(tmp_path: Path) -> None:
    board, profile = CASES[1]
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / board).write_bytes((ROOT / "boards" / board).read_bytes())
    for name, text in outputs(tmp_path, board, profile, SETTINGS[0]).items():
        assert str(tmp_path).encode() not in text, name
        assert str(ROOT).encode() not in text, name
