# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import skrf

import pcbrules
from pcbrules import api, rulesets

BOARD = Path(__file__).resolve().parent.parent / "boards" / "jetson-orin-carrier.yaml"
LINK = Path(__file__).resolve().parent / "rules" / "base" / "signal_edge.yaml"


def test_load_and_check() -> None:
    report = pcbrules.check(pcbrules.load(str(BOARD)), "edge", pcbrules.Options(select=("SIG",)))
    assert report.exit_code == 0
    assert {f.rule[:3] for f in report.findings} == {"SIG"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        pcbrules.chek  # noqa: B018


def test_every_name_that_is_offered_is_there_and_the_import_loads_no_numerics() -> None:
    assert set(pcbrules.__all__) <= set(dir(pcbrules))
    for name in pcbrules.__all__:
        assert getattr(pcbrules, name) is not None
    code = "import pcbrules, sys; print([m for m in ('numpy', 'skrf', 'pydantic', 'yaml') if m in sys.modules])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "[]\n"


def test_the_types_of_the_package_are_those_that_a_type_checker_sees() -> None:
    """The marker of PEP 561 lies in the package, which the wheel takes whole."""
    assert (Path(pcbrules.__file__).parent / "py.typed").is_file()


def test_a_link_gives_its_network() -> None:
    """The same numbers as the Touchstone file of `pcbrules channel`, as a network of scikit-rf."""
    board = pcbrules.load(str(BOARD))
    link = board.links["pcie_m2"]
    assert (board.name, link.name, link.standard, link.nyquist) == (
        "jetson-orin-carrier", "pcie_m2", "PCI Express 4.0", 8e9)
    two, four = link.network("edge"), link.network("edge", legs=True)
    assert isinstance(two, skrf.Network) and two.name == "pcie_m2"
    assert (two.nports, four.nports, len(two.f), two.f[-1]) == (2, 4, 6001, 60e9)
    assert np.allclose(two.z0, 2 * four.z0[:, :2])
    four.se2gmm(p=2)
    assert np.allclose(four.s[:, :2, :2], two.s, atol=1e-12)
    found = api.channels(board, "edge", link="pcie_m2").channels[0]
    at = link.network("edge", frequency=[link.nyquist])
    loss = -20 * np.log10(abs(at.s[0, 1, 0]))
    assert loss == pytest.approx(sum(row.loss for row in found.rows), rel=1e-9)
    assert abs(two.s[800, 1, 0]) == pytest.approx(abs(at.s[0, 1, 0]), rel=1e-9)


def test_the_temperature_of_a_network_is_that_of_the_profile() -> None:
    link = pcbrules.load(str(BOARD)).links["pcie_m2"]
    hot = rulesets.load("edge")
    cool = replace(hot, conditions={**hot.conditions, "hot": 20.0})
    warm, cold = (abs(link.network(one, frequency=[8e9]).s[0, 1, 0]) for one in (hot, cool))
    assert warm < cold


def test_no_part_of_a_board_is_solved_by_a_profile_that_nobody_named() -> None:
    """As with `check`: temperatures of a profile that was not asked for would be numbers of another board."""
    board = pcbrules.load(str(BOARD))
    link, rail = board.links["pcie_m2"], board.rails["vdd_in"]
    for call in (link.network, link.tdr, link.crosstalk, rail.impedance):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'profile'"):
            call()  # type: ignore[operator]


def test_a_link_without_a_channel_says_why(tmp_path: Path) -> None:
    text = BOARD.read_text(encoding="utf-8")
    path = tmp_path / "board.yaml"
    path.write_text(re.sub(r", gap: [^,}\n]+", "", text), encoding="utf-8")
    with pytest.raises(pcbrules.InputError, match=r"links.pcie_m2: .* no network; found the gap of the pair"):
        pcbrules.load(str(path)).links["pcie_m2"].network("edge")


@pytest.mark.parametrize("frequency", [[2e9, 1e9], [1e9, 1e9], [-1.0, 1e9], [float("nan")], [], [[1e9]]])
def test_frequencies_that_are_no_grid_are_refused(frequency: list[float]) -> None:
    with pytest.raises(ValueError, match="frequencies must be finite numbers in Hz that rise"):
        pcbrules.load(str(BOARD)).links["pcie_m2"].network("edge", frequency=frequency)


def test_a_notebook_shows_a_report_and_no_text_becomes_markup() -> None:
    report = pcbrules.check(pcbrules.load(str(BOARD)), "edge", pcbrules.Options(select=("CHN", "PDN")))
    bad = replace(report.findings[0], status=pcbrules.Status.FAIL, message="<script>alert(1)</script>\x1b[31m & co")
    report = replace(report, board="<img src=x onerror=alert(1)>", findings=(bad, *report.findings[1:]))
    html = report._repr_html_()  # type: ignore[attr-defined]
    assert report.findings[0].subject in html and "A pre-tapeout screen" in html
    assert "<script" not in html and "<img" not in html and "\x1b" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html and f"✗ {report.counts()['fail']} fail" in html
    many = replace(report, findings=(bad,) * 60)
    assert "and 10 more" in many._repr_html_()  # type: ignore[attr-defined]


def test_a_fix_is_a_table_of_its_changes() -> None:
    found = pcbrules.fix(pcbrules.load(LINK), "edge", warnings=True)
    rows = found.to_rows()
    assert len(rows) == len(found.changes) > 1
    assert found.cost_index == pytest.approx(sum(change.cost_index for change in found.changes)) == found.cost / 1000


def test_a_sweep_of_values_without_a_unit_is_refused() -> None:
    with pytest.raises(pcbrules.InputError):
        pcbrules.sweep(pcbrules.load(str(BOARD)), "edge", ["links.pcie_m2.path.run.width=5:7:2"], show=["SIG001"])
