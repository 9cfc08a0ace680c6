# SPDX-License-Identifier: MIT
"""The same bytes under another hash seed, locale, time zone, terminal, folder; and whatever was judged before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from pcbrules import api, reports

ROOT = Path(__file__).resolve().parents[1]
FORMATS = tuple(name for name in reports.formats() if name != "console")


def profile_of(board: Path) -> str:
    """The profile that a board names in its header."""
    lines = board.read_text(encoding="utf-8").splitlines()[:40]
    return next(line.partition(":")[2].strip() for line in lines if line.startswith("# profile:"))


def boards() -> dict[str, list[str]]:
    """Example boards by profile, as paths relative to the checkout."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in (ROOT / "boards", ROOT / "boards" / "faults"):
        for board in sorted(folder.glob("*.yaml")):
            found[profile_of(board)].append(board.relative_to(ROOT).as_posix())
    return dict(found)


BOARDS = boards()
HERE = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80"}
THERE = {
    "PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "COLUMNS": "200",
    "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1", "PYTHONOPTIMIZE": "1", "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4",
}


def run(folder: Path, profile: str, env: dict[str, str]) -> dict[str, bytes]:
    """Every report of a profile's boards, judged in a copy of the boards below a folder."""
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "boards", folder / "boards")
    (folder / "w.yaml").write_text("waivers: []\n", encoding="utf-8")
    outputs = [arg for name in FORMATS for arg in ("-o", f"{name}:out.{name}")]
    command = [sys.executable, "-m", "pcbrules", "check", *BOARDS[profile], "-p", profile, "-v", *outputs]
    base = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [*command, "--waivers", "w.yaml", "--today", "2026-06-01"], cwd=folder, capture_output=True, timeout=300,
        check=False, env={**base, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **env},
    )
    assert done.returncode in (0, 1, 3), done.stderr.decode(errors="replace")
    result = {name: (folder / f"out.{name}").read_bytes() for name in FORMATS}
    return {**result, "console": done.stdout, "stderr": done.stderr, "code": str(done.returncode).encode()}


@pytest.mark.parametrize("profile", BOARDS)
def test_the_same_bytes_elsewhere(profile: str, tmp_path: Path) -> None:
    here = run(tmp_path / "a", profile, HERE)
    there = run(tmp_path / "b Ö" / "deeper", profile, THERE)
    assert here["stderr"] == b""
    for name, data in here.items():
        assert data == there[name], f"{name} differs"
        assert str(tmp_path).encode() not in data and b"/home/" not in data, f"{name} names a folder of this machine"


def test_what_was_judged_before_changes_nothing() -> None:
    """Caches hold nothing that depends on the order: a board, another one, the first again."""
    (profile, names), *_ = sorted(BOARDS.items(), key=lambda item: len(item[1]), reverse=True)
    loaded = [api.load(str(ROOT / name)) for name in names[:2]]
    first = api.check(loaded[0], profile)
    other = api.check(loaded[-1], profile)
    assert api.check(loaded[0], profile) == first and api.check(loaded[-1], profile) == other
    assert api.check(api.load(str(ROOT / names[0])), profile) == first
