# SPDX-License-Identifier: MIT
"""The same bytes under another hash seed, locale, time zone, terminal, folder; and whatever was judged before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from pcbrules import api, engine, reports

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
HERE = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80"}
THERE = {
    "PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "COLUMNS": "200",
    "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1", "PYTHONOPTIMIZE": "1", "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4",
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


def test_the_same_bytes_elsewhere(tmp_path: Path, program: tuple[str, ...]) -> None:
    """In a process that has judged before, and in a fresh one that differs in all that must not matter."""
    here = run(tmp_path / "a", [[*program, *words(profile)] for profile in BOARDS], HERE)
    calls = json.dumps([words(profile) for profile in BOARDS])
    there = run(tmp_path / "b Ö" / "deeper", [[sys.executable, "-c", ALL, calls]], THERE)
    assert set(here["console"].split(b"\x1e")[1::2]) <= {b"0", b"1", b"3"}
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
    engine._solved.cache_clear()
    assert api.check(loaded[-1], profile) == other and api.check(loaded[0], profile) == first
    assert api.check(api.load(str(ROOT / names[0])), profile) == first
