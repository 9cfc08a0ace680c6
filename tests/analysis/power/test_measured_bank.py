# SPDX-License-Identifier: MIT
"""Capacitors and regulators from Touchstone files: the same rail as from their circuits, or a clear refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcbrules import api, rulesets
from pcbrules.document import read_yaml
from pcbrules.errors import InputError
from pcbrules.networks.measured_part import ImpedanceTable, MeasuredBranch, other_piece, part_impedance
from pcbrules.networks.pdn import Branch

BASE = Path(__file__).resolve().parents[2] / "rules" / "base" / "power_layout.yaml"
PART = Branch(3e-3, 0.3e-9, 47e-6)
LOOP = Branch(20e-6, 1e-9)
MOUNTING = {"via_length": "0.5 mm", "via_pitch": "1 mm", "via_drill": "0.25 mm"}


def scattering(branch: Branch, connected: str, f: Any) -> Any:
    z = branch.impedance(f)
    one = np.ones_like(z)
    if connected == "one-port":
        return ((z - 50) / (z + 50))[:, None, None]
    reflected, through = (-50 / (2 * z + 50) * one, 2 * z / (2 * z + 50)) if connected == "shunt" else (
        z / (z + 100), 100 / (z + 100))
    return np.stack([np.stack([reflected, through], -1), np.stack([through, reflected], -1)], -2)


def write(path: Path, s: Any, f: Any) -> None:
    rows = [f"{at!r} " + " ".join(f"{v.real!r} {v.imag!r}" for v in m.T.ravel().tolist())
            for at, m in zip(f.tolist(), s, strict=True)]
    path.write_text("# Hz S RI R 50\n" + "\n".join(rows) + "\n", encoding="utf-8")


@pytest.mark.parametrize("connected", ["one-port", "shunt", "series"])
def test_impedance_of_each_way_to_connect(connected: Any) -> None:
    f = np.geomspace(1e2, 1e9, 50)
    s = scattering(PART, connected, f)
    ports = np.full(s.shape[1], 50.0)
    assert part_impedance(s, z_ref=ports, connected=connected) == pytest.approx(PART.impedance(f), rel=1e-6)


def test_a_measured_branch_between_its_points_and_beyond() -> None:
    f = np.geomspace(1e2, 1e8, 301)
    table = ImpedanceTable(f.tobytes(), PART.impedance(f).tobytes())
    branch = MeasuredBranch(0.0, 0.0, count=5, table=table, added=0.2e-9)
    at = np.geomspace(1e2, 1e8, 1000)
    want = Branch(PART.resistance, PART.inductance + 0.2e-9, PART.capacitance, 5).impedance(at)
    assert np.abs(branch.impedance(at) - want) == pytest.approx(np.zeros(1000), abs=1e-3 * np.abs(want).max() * 1e-3)
    assert branch.impedance(f) == pytest.approx(Branch(3e-3, 0.5e-9, 47e-6, 5).impedance(f), rel=1e-9)
    assert branch.at(1e6) == branch.impedance(np.array([1e6])).item()
    with pytest.raises(ValueError, match="beyond"):
        branch.impedance(np.array([2e8]))


def board(folder: Path, edits: dict[tuple[Any, ...], Any], *, layout: bool) -> Any:
    document = read_yaml(str(BASE))
    if not layout:
        document = document.without(("rails", "io", "layout"))
        planes = {"spreading": {"resistance": "10 uohm", "inductance": "50 pH"}}
        document = document.edited(("rails", "io", "ladder"), [*document.tree["rails"]["io"]["ladder"], planes])
    for path, value in edits.items():
        document = document.edited(("rails", "io", *path), value)
    (folder / "b.yaml").write_text(json.dumps(document.tree, default=list), encoding="utf-8")
    return read_yaml(str(folder / "b.yaml"))


def impedance(document: Any) -> Any:
    report = api.check(api.resolve(document), rulesets.load("training"), api.Options(select=("PDN001",)), fixes=False)
    return next(f for f in report.findings if f.subject == "rails.io")


@pytest.mark.parametrize("layout", [False, True], ids=["ladder", "planes"])
@pytest.mark.parametrize("connected", ["one-port", "shunt", "series"])
def test_the_same_rail_from_files_and_from_circuits(tmp_path: Path, layout: bool, connected: str) -> None:
    f = np.geomspace(100.0, 1e8, 1201)
    write(tmp_path / ("cap.s1p" if connected == "one-port" else "cap.s2p"), scattering(PART, connected, f), f)
    write(tmp_path / "vrm.s1p", scattering(LOOP, "one-port", f), f)
    name = "cap.s1p" if connected == "one-port" else "cap.s2p"
    bank = {"name": "only", "count": 40, "mounting": MOUNTING}
    files = {
        ("ladder", 0, "bank"): {**bank, "touchstone": {"file": name, "connected": connected}},
        ("vrm",): {"phases": 8, "touchstone": {"file": "vrm.s1p", "connected": "one-port"}},
    }
    circuits = {
        ("ladder", 0, "bank"): {**bank, "effective": "47 uF", "esr": "3 mohm", "esl": "0.3 nH"},
        ("vrm",): {"phases": 8, "resistance": "20 uohm", "inductance": "1 nH"},
    }
    measured = impedance(board(tmp_path, files, layout=layout))
    given = impedance(board(tmp_path, circuits, layout=layout))
    assert measured.measured.value == pytest.approx(given.measured.value, rel=2e-3)
    assert any("as measured" in one for one in measured.measured.assumptions)


@pytest.mark.parametrize(
    ("start", "stop", "connected", "says"),
    [
        (1e3, 1e8, "one-port", "a rail needs 100 Hz to 100 MHz"),
        (1e2, 1e7, "one-port", "a rail needs 100 Hz to 100 MHz"),
        (1e2, 1e8, "shunt", "is measured with 2"),
    ],
)
def test_a_file_that_does_not_serve(tmp_path: Path, start: float, stop: float, connected: str, says: str) -> None:
    f = np.geomspace(start, stop, 301)
    write(tmp_path / "cap.s1p", scattering(PART, "one-port", f), f)
    part = {"file": "cap.s1p", "connected": connected}
    bank = {"name": "only", "count": 40, "mounting": MOUNTING, "touchstone": part}
    found = impedance(board(tmp_path, {("ladder", 0, "bank"): bank}, layout=True))
    assert found.status == "not-evaluated"
    assert says in found.message


@pytest.mark.parametrize(
    ("f", "says"),
    [
        (np.geomspace(1e2, 1e8, 7), "no point between 100 Hz and 1 kHz"),
        (np.linspace(1e2, 1e8, 1001), "no point between 100 Hz and 100 kHz"),
        (np.delete(np.geomspace(1e2, 1e8, 301), slice(120, 140)), "logarithmic steps"),
    ],
    ids=["few", "linear", "hole"],
)
def test_between_points_far_apart_a_part_is_not_known(tmp_path: Path, f: Any, says: str) -> None:
    bank = {"name": "only", "count": 40, "mounting": MOUNTING, "touchstone": {"file": "cap.s2p", "connected": "shunt"}}
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", f), f)
    found = impedance(board(tmp_path, {("ladder", 0, "bank"): bank}, layout=False))
    assert found.status == "not-evaluated" and says in found.message
    close = np.geomspace(50, 3e8, 24)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", close), close)
    few = impedance(board(tmp_path, {("ladder", 0, "bank"): bank}, layout=False))
    close = np.geomspace(50, 3e8, 1200)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", close), close)
    many = impedance(board(tmp_path, {("ladder", 0, "bank"): bank}, layout=False))
    assert few.measured.value == pytest.approx(many.measured.value, rel=1e-3)


def test_a_file_that_contradicts_its_bank(tmp_path: Path) -> None:
    """47 uF cannot be a part of 22 uF; 100 uF at bias may be."""
    f = np.geomspace(1e2, 1e8, 301)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", f), f)
    bank = {"name": "only", "count": 40, "mounting": MOUNTING, "touchstone": {"file": "cap.s2p", "connected": "shunt"}}
    small = impedance(board(tmp_path, {("ladder", 0, "bank"): {**bank, "capacitance": "22 uF"}}, layout=False))
    assert small.status == "not-evaluated" and "a part of 47 uF, and the bank says 22 uF" in small.message
    large = impedance(board(tmp_path, {("ladder", 0, "bank"): {**bank, "capacitance": "100 uF"}}, layout=False))
    assert large.measured is not None


def test_what_a_file_makes_idle_is_warned_of(tmp_path: Path) -> None:
    f = np.geomspace(1e2, 1e8, 301)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", f), f)
    write(tmp_path / "vrm.s1p", scattering(LOOP, "one-port", f), f)
    bank = {"name": "only", "count": 40, "mounting": MOUNTING, "esr": "1 mohm", "mounted_inductance": "1 nH",
            "touchstone": {"file": "cap.s2p", "connected": "shunt"}}
    edits = {("ladder", 0, "bank"): bank, ("vrm", "touchstone"): {"file": "vrm.s1p", "connected": "one-port"}}
    said = [(one.path, one.message) for one in api.resolve(board(tmp_path, edits, layout=False)).warnings]
    assert [path.rpartition(".")[2] for path, _ in said] == ["resistance", "inductance", "esr", "mounted_inductance"]
    assert all("the Touchstone file counts" in text for _, text in said)


def test_another_piece_of_a_measured_part_is_a_circuit_with_other_values() -> None:
    f = np.geomspace(1e2, 1e8, 301)
    table = ImpedanceTable(f.tobytes(), PART.impedance(f).tobytes())
    made = other_piece(table, circuit=(PART.capacitance, PART.resistance, PART.inductance), scale=(0.8, 1.4, 1.1))
    want = Branch(1.4 * PART.resistance, 1.1 * PART.inductance, 0.8 * PART.capacitance).impedance(f)
    assert np.frombuffer(made.impedance, dtype=complex) == pytest.approx(want, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("layout", [False, True], ids=["ladder", "planes"])
def test_the_interval_of_a_measured_part_is_that_of_its_circuit(tmp_path: Path, layout: bool) -> None:
    """Pieces of a measured part spread as those of one with ESR, ESL and a tolerance of the capacitance."""
    f = np.geomspace(100.0, 1e8, 1201)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", f), f)
    bank = {"name": "only", "count": 40, "mounting": MOUNTING}
    file = {("ladder", 0, "bank"): {**bank, "touchstone": {"file": "cap.s2p", "connected": "shunt"}}}
    circuit = {("ladder", 0, "bank"): {**bank, "effective": "47 uF +- 20 %", "esr": "3 mohm", "esl": "0.3 nH"}}
    limit = {("package", "inductance"): "900 pH"}
    measured = impedance(board(tmp_path, file | limit, layout=layout)).measured
    given = impedance(board(tmp_path, circuit | limit, layout=layout)).measured
    assert (measured.lo, measured.value, measured.hi) == pytest.approx((given.lo, given.value, given.hi), rel=2e-3)
    assert measured.lo < 0.99 * measured.value < 0.98 * measured.hi
    assert any("other pieces of it have 80 % to 120 %" in one for one in measured.assumptions)
    narrow = {("ladder", 0, "bank", "capacitance"): "47 uF +- 5 %"}
    assert any("95 % to 105 %" in one for one in impedance(
        board(tmp_path, file | narrow, layout=layout)).measured.assumptions)


def test_a_measured_part_needs_its_vias_and_its_file(tmp_path: Path) -> None:
    f = np.geomspace(1e2, 1e8, 301)
    write(tmp_path / "cap.s2p", scattering(PART, "shunt", f), f)
    bank = {"name": "only", "count": 40, "touchstone": {"file": "cap.s2p", "connected": "shunt"}}
    found = impedance(board(tmp_path, {("ladder", 0, "bank"): bank}, layout=True))
    assert "the vias of a measured part are not declared" in found.message
    swapped = {**bank, "mounting": MOUNTING, "touchstone": {"file": "cap.s2p", "connected": "series"}}
    assert impedance(board(tmp_path, {("ladder", 0, "bank"): swapped}, layout=True)).status != "pass"
    with pytest.raises(InputError, match="no such file"):
        api.resolve(board(tmp_path, {("ladder", 0, "bank"): {
            **bank, "touchstone": {"file": "none.s2p", "connected": "shunt"}}}, layout=True))
