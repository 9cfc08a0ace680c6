# SPDX-License-Identifier: MIT
"""How long real layouts take: reading, `layout` with the impedance of every pair, `check` with the proposed links.

Run by `make bench`; without the folder of real boards they are skipped.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import proposed
from real_boards import folder
from test_check import compiled as compiled
from test_check import measure

from pcbrules.readers.layout_file import read_layout

CARRIER = "kicad/KaiPereira+SODIMM-CM5-Carrier/PCB_CARRIER/carrier.kicad_pcb"
HUB = "kicad/will127534+PCIe3_Hub/ASM2806_Breakout.kicad_pcb"
HAT = "kicad/will127534+RPI5-SDexpress-Hat/RPI5-SDexpress-Hat.kicad_pcb"


def real(name: str) -> Path:
    """A real board."""
    place = folder()
    if place is None or not (place / name).is_file():
        pytest.skip("no folder of real boards")
    return place / name


def test_a_layout_of_two_megabytes_is_read(benchmark: object) -> None:
    path = real(CARRIER)
    benchmark.pedantic(lambda: read_layout(path), rounds=5, warmup_rounds=1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("style", ["console", "json"])
def test_layout(benchmark: object, style: str) -> None:
    """In JSON with the impedance of every pair."""
    measure(benchmark, ("layout", str(real(CARRIER)), "--format", style))


@pytest.mark.parametrize("name", [CARRIER, HUB, HAT], ids=["carrier", "hub", "hat"])
def test_check_of_a_layout(benchmark: object, tmp_path: Path, name: str) -> None:
    path = tmp_path / "design.kicad_pcb"
    shutil.copy(real(name), path)
    (tmp_path / "design.overlay.yaml").write_text(proposed(read_layout(path)), encoding="utf-8")
    measure(benchmark, ("check", str(path), "--profile", "edge"))
