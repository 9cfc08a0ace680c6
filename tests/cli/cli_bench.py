# SPDX-License-Identifier: MIT
"""A four-layer board, a ruleset of a few rules, and the command line in and out of this process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from pcbrules.cli.main import cli
from pcbrules.rules import all_rules

ROOT = Path(__file__).resolve().parents[2]

BOARD = """\
schema: 1
board: {name: tiny, platform: edge-carrier, form_factor: som-carrier, size: {width: 90 mm, height: 90 mm}}
fabrication: {class: standard}
stackup:
- {kind: copper, name: L1, thickness: 45 um, role: signal}
- {kind: dielectric, thickness: 0.1 mm, material: megtron6}
- {kind: copper, name: L2, thickness: 30 um, role: ground}
- {kind: dielectric, thickness: 0.2 mm, material: megtron6}
- {kind: copper, name: L3, thickness: 30 um, role: signal}
- {kind: dielectric, thickness: 1.0 mm, material: megtron6}
- {kind: copper, name: L4, thickness: 45 um, role: ground}
via_types:
  pth:
    span: [L1, L4]
    kind: through
    drill: 0.25 mm
    backdrill: {side: bottom, residual: 4 mil +- 2 mil, must_not_cut: L3, datum: target-layer}
  up: {span: [L1, L3], kind: blind, drill: 0.2 mm}
links:
  a:
    standard: pcie3
    path:
    - trace: {layer: L1, width: 5 mil, gap: 6 mil, length: 1 in}
    - via: {type: pth, enter: L1, leave: L3}
    - trace: {layer: L3, width: 5 mil, gap: 6 mil, length: 1 in}
    - via: {type: up, enter: L3, leave: L1}
"""
NO_GAP = BOARD.replace("gap: 6 mil, ", "")
"""A pair of which neither impedance nor loss is known."""
STUB = "links.a.path.via1.bottom"
LIMITS = {
    "STK001": '{limits: {layers: "4 .. 8"}, severity: warning, source: S}',
    "SIG003": '{limits: {stub: "< 10 mil"}, severity: error, source: S}',
    "MEC001": '{limits: {short: "50 mm .. 150 mm", long: "50 mm .. 150 mm"}, severity: error, source: S}',
}


def ruleset(limits: Mapping[str, str] | None = None, provenance: str = "guide") -> str:
    """A ruleset that judges by these entries alone; every other rule is off."""
    entries = LIMITS if limits is None else limits
    lines = [f"  {rule}: [{entries.get(rule, '{off: not looked at}')}]" for rule in all_rules()]
    head = f"""\
ruleset: few
title: A few rules
conditions:
  {{cold: 20 degC, hot: 85 degC, plane_temperature: 70 degC, slew: 1000 A/us, duty: 100 %, load_step: 50 %}}
sources: {{S: {{provenance: {provenance}, text: a source}}}}
rules:
"""
    return head + "\n".join(lines) + "\n"


PROGRAM = (sys.executable, "-m", "pcbrules")


class Bench:
    """A folder with a board and a ruleset in which commands run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.put("board.yaml", BOARD)
        self.put("few.yaml", ruleset())

    def put(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> SimpleNamespace:
        """Run in this process."""
        result = CliRunner().invoke(cli, list(args), input=stdin, env=env)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return SimpleNamespace(
            code=result.exit_code, out=result.stdout, err=result.stderr, bytes=result.stdout_bytes
        )

    def check(self, *args: str, board: str = "board.yaml", **more: object) -> SimpleNamespace:
        """`pcbrules check` with the few rules, in this process."""
        return self.run("check", board, "-p", "few.yaml", *args, **more)  # type: ignore[arg-type]

    def process(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> SimpleNamespace:
        """Run the program as a process of its own. No traceback may come out."""
        done = subprocess.run(
            [*program, *args], input=stdin, capture_output=True, cwd=cwd or self.folder,
            env=environment(env), timeout=120, check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
        return SimpleNamespace(code=done.returncode, out=done.stdout, err=done.stderr.decode(errors="replace"))


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that finds this checkout."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(more or {})}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A fresh bench; the current folder is its."""
    monkeypatch.chdir(tmp_path)
    for name in ("SOURCE_DATE_EPOCH", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Bench(tmp_path)


@pytest.fixture
def edited() -> Callable[[str, str], str]:
    """The board with one text replaced by another."""

    def edit(old: str, new: str) -> str:
        assert BOARD.count(old) == 1, old
        return BOARD.replace(old, new)

    return edit
