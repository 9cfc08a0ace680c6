# SPDX-License-Identifier: MIT
"""How long the field solver takes, beside finite elements of high order of the same accuracy. Run by `make bench`.

One thread of the linear algebra, as in the command; set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1 to measure alike.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.physics.lines.cross_section.eddy import LineMetal, series_mode
from pcbrules.selftest.geometry import drawn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "proof"))
import fem

GOLDEN = {
    entry["id"]: drawn(entry["geometry_um"]).section
    for entry in json.loads(
        (files("pcbrules.selftest") / "data" / "cross_sections.golden.json").read_text(encoding="utf-8")
    )["entries"]
}
PAIRS = ("DSL02", "DSL05", "DSL08", "DMS01", "DMS05", "EMS02", "CP01")
COPPER = LineMetal(resistivity_signal=1.8e-8, resistivity_plane=1.7241e-8, plane_thickness=35e-6, plane_width=10e-3)
FREQUENCIES = np.logspace(6, 11, 200)


def processor_time(what: Callable[[], object]) -> float:
    """Median of five [s]."""
    taken = []
    for _ in range(5):
        start = time.process_time()
        what()
        taken.append(time.process_time() - start)
    return sorted(taken)[2]


@pytest.mark.parametrize("name", PAIRS)
def test_capacitance_of_a_pair(benchmark: object, name: str) -> None:
    section = GOLDEN[name]
    benchmark(electrostatic.solve, section)  # type: ignore[operator]
    mine = processor_time(lambda: electrostatic.solve(section))
    other = processor_time(lambda: fem.solve(section))
    benchmark.extra_info.update(  # type: ignore[attr-defined]
        processor_seconds=mine, finite_elements=other, ratio=other / mine
    )
    ratio = f"finite elements {1e3 * other:.0f} ms, {other / mine:.0f} times"
    print(f"\n{name}: {1e3 * mine:.1f} ms of processor time; {ratio}")


@pytest.mark.parametrize("name", ["DSL02", "DSL05", "DMS02"])
def test_resistance_and_inductance_of_a_pair_at_200_frequencies(benchmark: object, name: str) -> None:
    section = GOLDEN[name]

    def run() -> object:
        return series_mode(section, COPPER, "odd").rl(FREQUENCIES)

    benchmark(run)  # type: ignore[operator]
    mine = processor_time(run)
    benchmark.extra_info["processor_seconds"] = mine  # type: ignore[attr-defined]
    print(f"\n{name}: {1e3 * mine:.1f} ms of processor time for R and L, odd mode")
