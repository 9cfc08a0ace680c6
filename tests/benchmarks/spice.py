# SPDX-License-Identifier: MIT
"""Networks as ngspice netlists, solved by the program itself: a benchmark's other side."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pcbrules.analysis.power.ladder import Bank, RailTask

NGSPICE = shutil.which("ngspice")


def ladder(task: RailTask) -> list[str]:
    """Every piece of every bank as a branch of its own; the balls are node ``p``."""
    lines, node, branch = [f"Rv 0 v1 {task.vrm_resistance!r}", f"Lv v1 n0 {task.vrm_inductance!r}"], "n0", 0
    for k, step in enumerate(task.ladder):
        if isinstance(step, Bank):
            for _ in range(step.count):
                branch += 1
                lines += capacitor(f"b{branch}", node, step.esr, step.inductance, step.capacitance)
            continue
        lines += [f"Rs{k} {node} s{k} {step.resistance!r}", f"Ls{k} s{k} n{k + 1} {step.inductance!r}"]
        node = f"n{k + 1}"
    return [*lines, f"Vp p {node} 0"]


def capacitor(name: str, node: str, resistance: float, inductance: float, capacitance: float) -> list[str]:
    """A series R-L-C branch to ground."""
    return [f"R{name} {node} r{name} {resistance!r}", f"L{name} r{name} l{name} {inductance!r}",
            f"C{name} l{name} 0 {capacitance!r}"]


def coupled(name: str, nodes: Sequence[str], matrix: Any, capacitance: float) -> list[str]:
    """One plane pair without modes: coupled inductors from every group to the planes' capacitance."""
    own = np.diag(matrix)
    lines = [f"L{name}x{i} {node} c{name} {own[i].item()!r}" for i, node in enumerate(nodes)]
    for i in range(len(nodes)):
        for j in range(i):
            factor = (matrix[i, j] / np.sqrt(own[i] * own[j])).item()
            lines.append(f"K{name}x{i}x{j} L{name}x{i} L{name}x{j} {factor!r}")
    return [*lines, f"C{name} c{name} 0 {capacitance!r}", f"Rg{name} c{name} 0 1e12"]


def impedance(lines: Sequence[str], points: int, start: float, stop: float, folder: Path) -> tuple[Any, Any, float]:
    """Frequencies [Hz], impedance at node ``p`` [ohm], and processor time of ngspice [s]."""
    assert NGSPICE
    deck, table = folder / "net.cir", folder / "net.txt"
    decades = np.log10(stop / start)
    count = round((points - 1) / decades)
    deck.write_text(
        "\n".join(
            ["* network", *lines, "Ip 0 p dc 0 ac 1", f".ac dec {count} {start!r} {stop!r}", ".control",
             "set numdgt=15", "run", f"wrdata {table} v(p)", "quit", ".endc", ".end"]
        ) + "\n",
        encoding="utf-8",
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([NGSPICE, "-b", str(deck)], check=False, capture_output=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = np.loadtxt(table)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found[:, 0], found[:, 1] + 1j * found[:, 2], taken
