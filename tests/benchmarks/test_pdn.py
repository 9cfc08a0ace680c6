# SPDX-License-Identifier: MIT
"""A rail with 500 capacitors and 8 plane pairs at 1,000 frequencies, beside ngspice. Run by `make bench`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.constants import epsilon_0, mu_0

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask, impedance
from pcbrules.analysis.power.plane_rail import PlaneBoard, PlanePair, PlaneRail, ViaGroup, plane_impedance
from pcbrules.networks.pdn import Branch
from pcbrules.networks.plane_stack import loaded_port, rotation, stacked_impedance
from pcbrules.physics.power.plane_groups import grouped_impedance, plane_groups
from pcbrules.solver_cache import SolverCache

sys.path.insert(0, str(Path(__file__).resolve().parent))
import spice

LENGTH, WIDTH = 0.3, 0.2
FREQUENCY = np.geomspace(100.0, 1e9, 1000)


def grid(x: float, y: float, wide: float, high: float, count: int) -> tuple[tuple[float, float], ...]:
    rows = max(1, round((count * high / wide) ** 0.5))
    along = -(-count // rows)
    places = [(x + ((i + 0.5) / along - 0.5) * wide, y + ((k + 0.5) / rows - 0.5) * high)
              for k in range(rows) for i in range(along)]
    return tuple(places[:count])


def rail() -> PlaneRail:
    """400 supply balls, 16 phases, ten banks of 50 round the package, three of them on the other side."""
    laminate = DielectricPoints(((1e9, 3.6, 0.01),))
    board = PlaneBoard(
        length=LENGTH,
        width=WIDTH,
        pairs=tuple(PlanePair(35e-6, 35e-6, (Ply((50 + 5 * k) * 1e-6, laminate),), 0.2e-3) for k in range(8)),
        resistivity=1.7241e-8,
        package=ViaGroup(grid(0.15, 0.1, 0.04, 0.04, 400), 0.25e-3, 2.0, 0.585e-6),
        regulator=ViaGroup(grid(0.03, 0.1, 0.005, 0.15, 16), 0.25e-3, 0.2, 0.08e-6),
        banks=tuple(
            ViaGroup(grid(0.15 + 0.045 * np.cos(t), 0.1 + 0.045 * np.sin(t), 0.014, 0.014, 50), 0.25e-3, 2.0, 0.8e-6,
                     below=k % 3 == 2)
            for k, t in enumerate(np.arange(10) * 2 * np.pi / 10)
        ),
    )
    banks = tuple(Bank(50, 100e-6 / 10 ** (k / 3), 3e-3, 0.5e-9) for k in range(10))
    return PlaneRail(board, Branch(20e-6, 0.06e-9), banks)


def processor_time(what: Callable[[], object]) -> float:
    """Median of five [s]."""
    taken = []
    for _ in range(5):
        start = time.process_time()
        what()
        taken.append(time.process_time() - start)
    return sorted(taken)[2]


def test_planes(benchmark: Any) -> None:
    case = rail()

    def run() -> Any:
        with SolverCache().used():
            return plane_impedance(case, FREQUENCY)

    benchmark(run)
    mine = processor_time(run)
    benchmark.extra_info["processor_seconds"] = mine
    print(f"\n500 capacitors, 8 plane pairs, 1,000 frequencies: {mine:.3f} s of processor time")


@pytest.mark.skipif(spice.NGSPICE is None, reason="ngspice is not installed")
def test_ladder_beside_ngspice(benchmark: Any, tmp_path: Path) -> None:
    steps: list[Bank | LadderPlane] = []
    for k in range(500):
        steps.append(Bank(1, 100e-6 / 10 ** (k / 166), 3e-3 * (1 + k / 500), 0.5e-9 * (1 + (k % 7) / 10)))
        if k % 63 == 62 or k == 499:
            steps.append(LadderPlane(2e-6, 1e-12))
    task = RailTask(20e-6, 0.06e-9, tuple(steps))
    f, other, taken = spice.impedance(spice.ladder(task), 1000, 100.0, 1e9, tmp_path)
    benchmark(impedance, task, f)
    compared(benchmark, "ladder of 500 branches and 8 planes", impedance(task, f), other, taken,
             processor_time(lambda: impedance(task, f)), within=1e-8)


@pytest.mark.skipif(spice.NGSPICE is None, reason="ngspice is not installed")
def test_planes_beside_ngspice(benchmark: Any, tmp_path: Path) -> None:
    """Twelve groups on eight pairs without loss and modes: coupled inductors and a capacitance for each pair."""
    case = rail()
    board = case.board
    groups = [board.package, board.regulator, *board.banks]
    vias = [np.column_stack([np.array(g.places), np.full(len(g.places), g.diameter)]) for g in groups]
    heights = [pair.separation for pair in board.pairs]
    barrels = [0.8e-6 * 0.2e-3 / len(g.places) for g in groups]
    lines = [f"Rv 0 v1 {case.regulator.resistance!r}", f"Lv v1 n0x1 {case.regulator.inductance!r}"]
    squares = plane_groups(length=LENGTH, width=WIDTH, groups=vias).squares
    for k, height in enumerate(heights):
        nodes = [f"n{k}x{g}" for g in range(12)]
        lines += spice.coupled(f"p{k}", nodes, mu_0 * height * squares, epsilon_0 * 3.6 * LENGTH * WIDTH / height)
        if k:
            lines += [f"Lz{k}x{g} n{k - 1}x{g} n{k}x{g} {barrels[g]!r}" for g in range(12)]
    for g, bank in enumerate(case.banks):
        node = f"n{7 if board.banks[g].below else 0}x{g + 2}"
        for n in range(bank.count):
            lines += spice.capacitor(f"b{g}x{n}", node, bank.esr, bank.inductance, bank.capacitance)
    lines.append("Vp p n0x0 0")
    f, other, taken = spice.impedance(lines, 1000, 100.0, 1e7, tmp_path)

    def run() -> Any:
        shape = plane_groups(length=LENGTH, width=WIDTH, groups=vias)
        ends = rotation(np.ones(12))
        turned, omega = shape.combined(ends), 2 * np.pi * f
        pairs = [grouped_impedance(turned, series=1j * omega * mu_0 * h, shunt=1j * omega * epsilon_0 * 3.6 / h)
                 for h in heights]
        step = 1j * omega[:, None, None] * (ends.T @ (np.array(barrels)[:, None] * ends))
        network = stacked_impedance(pairs, [step] * 7, ends=ends, below=np.array([g.below for g in groups]))
        loads = [np.zeros(len(f)), case.regulator.impedance(f)]
        loads += [Branch(b.esr, b.inductance, b.capacitance, b.count).impedance(f) for b in case.banks]
        return loaded_port(network, loads=np.stack(loads, axis=1), port=np.eye(12)[0])

    benchmark(run)
    compared(benchmark, "12 groups on 8 plane pairs", run(), other, taken, processor_time(run), within=1e-3)


def compared(
    benchmark: Any, what: str, mine: Any, other: Any, taken: float, own: float, *, within: float
) -> None:
    worst = float((np.abs(mine - other) / np.abs(other)).max())
    benchmark.extra_info.update(processor_seconds=own, ngspice=taken, ratio=taken / own, largest_difference=worst)
    print(f"\n{what}, {len(mine)} frequencies: {own:.3f} s, ngspice {taken:.2f} s, {taken / own:.0f} times; "
          f"largest difference {worst:.1e}")
    assert worst < within
