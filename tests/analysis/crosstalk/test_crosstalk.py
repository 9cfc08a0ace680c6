# SPDX-License-Identifier: MIT
"""Two lines beside each other: independent matrices, laws of the coupling, power sums, and what is solved once."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from sample_lines import lossless
from scipy.constants import epsilon_0, mu_0

from pcbrules import api
from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.common.interval import fixed
from pcbrules.analysis.crosstalk import coplanar_section as crosstalk_section
from pcbrules.analysis.crosstalk import solve as crosstalk_solve
from pcbrules.analysis.crosstalk.coplanar_section import LEGS, CoupledSection, solve_coupled_section
from pcbrules.analysis.crosstalk.power_sum import PowerSum, coupled
from pcbrules.analysis.crosstalk.solve import CouplingResult, CouplingTask, coupling_over, solve_coupling
from pcbrules.analysis.lines.mode_fields import reference_dk
from pcbrules.analysis.lines.polygons import draw_coplanar
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.document import read_yaml
from pcbrules.missing import Missing
from pcbrules.networks.coupled import coupled_lines, coupling
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.solver_cache import SolverCache

UM = 1e-6
GOLDEN: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for name in ("cross_sections", "resistance_inductance")
    for entry in json.loads(
        (files("pcbrules.selftest") / "data" / f"{name}.golden.json").read_text(encoding="utf-8")
    )["entries"]
}
LOSSY = DielectricPoints(((10e9, 3.3, 0.003),))


def task(
    foot: float, top: float, thickness: float, gap: float, below: Ply, above: tuple[Ply, ...], **extra: Any
) -> LineTask:
    """A pair with smooth copper; lengths in micrometres."""
    return LineTask(
        width_foot=foot * UM, width_top=top * UM, thickness=thickness * UM, gap=gap * UM, foot_up=False, below=(below,),
        above=above, cover=extra.get("cover"), cover_over_trace=extra.get("over"), rz=(0.0,) * 4,
        resistivity_trace=extra.get("rho", 1.8e-8), resistivity_plane=extra.get("rho", 1.8e-8), temperature=20.0,
    )


STRIPLINE = task(105, 92, 17, 140, Ply(110 * UM, lossless(3.6)), (Ply(130 * UM, lossless(3.1)),), rho=1 / 5.8e7)
MASKED = task(110, 95, 35, 130, Ply(80 * UM, lossless(3.6)), (), cover=Ply(25 * UM, lossless(3.7)), over=12 * UM,
              rho=1 / 5.8e7)
SECTIONS = {"X4S2": (STRIPLINE, 250 * UM), "X4M2": (MASKED, 250 * UM)}
"""Golden sections of two pairs, as lines and a spacing."""

PAIR = task(110, 100, 17, 150, Ply(100 * UM, LOSSY), (Ply(127 * UM, LOSSY),))


def coupling_task(victim: LineTask = PAIR, other: LineTask | None = None, **extra: Any) -> CouplingTask:
    given: dict[str, Any] = {
        "victim": victim, "other": other or victim, "spacing": 200 * UM, "length": 0.1,
        "z_victim": 95.0, "z_other": 95.0,
        "centres": (16e9,), "highest": 24e9, "heights": 0.1, "width": 12 * UM,
    }
    return CouplingTask(**(given | extra))


def solved(task: CouplingTask) -> CouplingResult:
    made = solve_coupling(task)
    assert isinstance(made, CouplingResult), made
    return made


def level(power: float) -> float:
    return 10 * math.log10(power)


# Sections


@pytest.mark.parametrize("name", SECTIONS)
def test_matrices_are_those_of_finite_elements(name: str) -> None:
    victim, spacing = SECTIONS[name]
    made, want = solve_coupled_section(victim, victim, spacing), GOLDEN[name]["results"]
    assert isinstance(made, CoupledSection)
    c = 1e-12 * np.array(want["C_pF_per_m"])
    assert np.abs(np.sum(made.parts, axis=0) - c).max() <= 1e-4 * c[0, 0]
    inductance = 1e-9 * np.array(want["L_external_nH_per_m"])
    assert np.abs(made.inductance - inductance).max() <= 1e-4 * inductance[0, 0]
    for got, of, key in (
        (made.inductance, made.weights, "pair_to_pair_differential_k_inductive"),
        (np.sum(made.parts, axis=0), made.weights, "pair_to_pair_differential_k_capacitive"),
    ):
        assert abs(of[1] @ got @ of[0] / (of[0] @ got @ of[0])) == pytest.approx(abs(want[key]), rel=1e-3)


@pytest.mark.parametrize("name", SECTIONS)
def test_resistance_that_the_pairs_share_is_that_of_finite_elements(name: str) -> None:
    victim, spacing = SECTIONS[name]
    made, line = solve_coupled_section(victim, victim, spacing), solve_line(victim)
    assert isinstance(made, CoupledSection) and isinstance(line, LineResult)
    rows = [row for row in GOLDEN[f"RL_{name}"]["RL"] if row["frequency_Hz"] >= 5e9]
    series = made.series(np.array([row["frequency_Hz"] for row in rows]), (line, line))
    one, other = made.weights
    for found, row in zip(series, rows, strict=True):
        r, inductance = np.array(row["R_matrix_ohm_per_m"]), 1e-9 * np.array(row["L_matrix_nH_per_m"])
        assert one @ found.real @ one == pytest.approx(one @ r @ one, rel=0.01)
        assert other @ found.real @ one == pytest.approx(other @ r @ one, rel=0.1)
        omega = 2 * np.pi * row["frequency_Hz"]
        assert other @ found.imag @ one / omega == pytest.approx(other @ inductance @ one, rel=2e-3)


def test_a_spacing_as_wide_as_a_plain_leaves_two_lines_of_their_own() -> None:
    made, line = solve_coupled_section(PAIR, PAIR, 3e-3), solve_line(PAIR)
    assert isinstance(made, CoupledSection) and isinstance(line, LineResult)
    frequency = np.array([1e8, 16e9])
    r, inductance, g, c = line.rlgc(frequency)
    omega = 2 * np.pi * frequency
    series, shunt = made.series(frequency, (line, line)), made.shunt(frequency)
    # the pair alone is solved with other panels
    leg = np.array([1, -1, 0, 0]) / np.sqrt(2)
    np.testing.assert_allclose(np.einsum("i,fij,j->f", leg, series, leg), r + 1j * omega * inductance, rtol=1e-5)
    np.testing.assert_allclose(np.einsum("i,fij,j->f", leg, shunt, leg), g + 1j * omega * c, rtol=1e-5)


@pytest.mark.parametrize("frequency", [0.0, 1.0, 1e6, 16e9])
def test_matrices_have_no_gain(frequency: float) -> None:
    other = replace(PAIR, width_foot=200 * UM, width_top=190 * UM, gap=None)
    made, lines = solve_coupled_section(PAIR, other, 80 * UM), (solve_line(PAIR), solve_line(other))
    assert isinstance(made, CoupledSection)
    first, second = (line for line in lines if isinstance(line, LineResult))
    at = np.array([frequency])
    assert np.linalg.eigvalsh(made.series(at, (first, second)).real[0]).min() > 0
    assert np.linalg.eigvalsh(made.shunt(at).real[0]).min() >= 0
    np.testing.assert_array_equal(made.weights[0], [*LEGS, 0])
    np.testing.assert_array_equal(made.weights[1], [0, 0, 1])


# Coupling


@examples(10)
@given(st.floats(60, 400), st.floats(60, 400), st.floats(90, 200), st.floats(0.002, 0.3))
def test_victim_and_aggressor_may_change_places(spacing: float, width: float, gap: float, length: float) -> None:
    other = replace(PAIR, width_foot=width * UM, width_top=width * UM, gap=gap * UM)
    frequency = np.linspace(0, 24e9, 7)
    given = {"spacing": spacing * UM, "length": length}
    one = coupling_over(coupling_task(other=other, z_other=80.0, **given), frequency)
    back = coupling_over(coupling_task(victim=other, other=PAIR, z_victim=80.0, z_other=95.0, **given), frequency)
    assert not isinstance(one, Missing) and not isinstance(back, Missing)
    for there, here in zip(one, back, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-9)
        assert abs(there[0]) < 1e-3 and np.abs(there).max() <= 1


def test_no_crosstalk_is_below_any() -> None:
    bound = PowerSum(total=fixed(-40.0), error=0.0, lines=None, vias=None, declared=-40.0, centre=0)
    assert coupled(None) == coupled(bound) == -math.inf
    assert coupled(replace(bound, lines=-50.0, vias=-50.0)) == pytest.approx(-50 + 10 * math.log10(2))


def test_coupling_falls_with_spacing_as_the_field_between_planes_does() -> None:
    """By exp(-pi s / b) far from the edges, b the spacing of the planes."""
    near = [level(solved(coupling_task(spacing=s * UM)).near[0].power) for s in (100, 200, 300, 400)]
    assert near == sorted(near, reverse=True)
    b = 227 * UM
    assert near[2] - near[3] == pytest.approx(20 * math.log10(math.e) * math.pi * 100 * UM / b, rel=0.02)


def test_near_end_saturates_and_the_window_finds_its_lobe() -> None:
    line = solve_line(PAIR)
    assert isinstance(line, LineResult)
    longer = [solved(coupling_task(length=length)).near[0].power for length in (0.02, 0.1, 0.103, 0.106)]
    assert level(longer[1]) == pytest.approx(level(longer[2]), abs=0.2)
    assert level(longer[1]) == pytest.approx(level(longer[3]), abs=0.2)
    # as far as half a lobe: v / (4 L)
    assert solved(coupling_task(length=0.1)).reach == pytest.approx(299792458 / (4 * 0.1 * math.sqrt(3.3)), rel=0.01)
    null = 1 / (2 * line.delay * 0.1) * round(16e9 * 2 * line.delay * 0.1)
    task = coupling_task(centres=(null,), highest=1.5 * null)
    alone = coupling_over(task, np.array([null]))
    assert not isinstance(alone, Missing)
    assert solved(task).near[0].power > 4 * abs(alone[0][0]) ** 2
    assert level(solved(task).near[0].power) == pytest.approx(level(longer[1]), abs=0.2)


@examples(15)
@given(st.floats(0.01, 0.3), st.floats(5e9, 40e9), st.sampled_from([PAIR, STRIPLINE, MASKED]))
def test_the_top_of_a_lobe_lies_between_the_frequencies(length: float, centre: float, line: LineTask) -> None:
    made = coupling_task(line, length=length, centres=(centre,), highest=1.5 * centre)
    found = solved(made)
    ends = max(centre - found.reach, 0.0), max(min(centre + found.reach, made.highest), centre)
    over = coupling_over(made, np.linspace(*ends, 1201))
    assert not isinstance(over, Missing)
    for peaks, curve in zip((found.near, found.far), over, strict=True):
        assert level(peaks[0].power) == pytest.approx(level(float(np.abs(curve).max()) ** 2), abs=5e-3)


def test_the_window_ends_with_the_band_and_holds_its_centre() -> None:
    short = coupling_task(length=0.001)
    over = coupling_over(short, np.linspace(0, 24e9, 200))
    assert not isinstance(over, Missing)
    assert level(solved(short).near[0].power) == pytest.approx(level(np.max(np.abs(over[0]) ** 2)), abs=0.01)


def test_one_dielectric_leaves_little_at_the_far_end_and_two_do_not() -> None:
    same, mixed = (
        solved(coupling_task(victim=replace(PAIR, above=(Ply(127 * UM, DielectricPoints(((10e9, dk, 0.003),))),))))
        for dk in (3.3, 3.9)
    )
    assert level(same.far[0].power) < level(same.near[0].power) - 10
    assert level(mixed.far[0].power) > level(same.far[0].power) + 10


def test_resistance_of_each_leg_alone_would_invent_far_end_coupling() -> None:
    """In one dielectric: without what the lines share, their common modes would lose unlike parts."""
    made, line = solve_coupled_section(PAIR, PAIR, 150 * UM), solve_line(PAIR)
    assert isinstance(made, CoupledSection) and isinstance(line, LineResult)
    at = np.linspace(14e9, 18e9, 41)
    victim, aggressor = made.weights
    far = [
        np.abs(coupling(coupled_lines(series=made.series(at, (line, line), share=share), shunt=made.shunt(at),
                                      length=0.2, z_ref=line.z0), victim=victim, aggressor=aggressor)[1]).max()
        for share in (True, False)
    ]
    assert far[1] > 2 * far[0]


def test_errors_and_spread() -> None:
    plain = solved(coupling_task(heights=0.0, width=0.0))
    assert plain.near[0].spread == plain.far[0].spread == 0 and plain.near[0].error == pytest.approx(0.17, abs=0.01)
    higher, wider, looser, longer = (
        solved(coupling_task(**{"heights": 0.0, "width": 0.0} | extra))
        for extra in ({"heights": 0.1}, {"width": 12 * UM}, {"tolerance": 12 * UM}, {"length_tolerance": 0.1})
    )
    b, s = 227 * UM, 200 * UM
    # the field reaches 10 % further: exp(-pi s / b) of centre distances; an edge 12 um nearer
    assert 0.5 < higher.near[0].spread / (20 * math.log10(math.e) * 0.1 * math.pi * s / b) < 1.5
    assert looser.near[0].spread == pytest.approx(20 * math.log10(math.e) * math.pi * 12 * UM / b, rel=0.1)
    assert 0 < wider.near[0].spread < 2 * looser.near[0].spread
    assert longer.near[0].spread == 0 and longer.far[0].spread == pytest.approx(20 * math.log10(1.1))
    both = solved(coupling_task())
    assert both.near[0].spread == pytest.approx(math.hypot(higher.near[0].spread, wider.near[0].spread), abs=0.02)


@pytest.mark.parametrize(
    ("edit", "said"),
    [({"spacing": 10 * UM}, "tolerance of the traces"), ({"tolerance": 300 * UM}, "tolerance of the spacing"),
     ({"spacing": 0.0}, "not positive")],
)
def test_what_cannot_be_a_section(edit: dict[str, Any], said: str) -> None:
    made = solve_coupling(coupling_task(**edit))
    assert isinstance(made, Missing) and said in made.reason


@pytest.mark.parametrize("gap", [None, 200 * UM], ids=["single", "pair"])
def test_two_links_share_the_mirror_image_of_a_section(gap: float | None) -> None:
    """Each is the victim of the other; the second section is as it would be if it were drawn and solved by itself."""
    other = replace(PAIR, width_foot=150 * UM, width_top=140 * UM, gap=gap, temperature=60.0)
    with SolverCache().used() as cache:
        here, there = (solve_coupled_section(one, two, 300 * UM, moves=("dielectrics", "spacing"))
                       for one, two in ((PAIR, other), (other, PAIR)))
    assert cache.solved[f"{crosstalk_section.__name__}._solved"] == 1
    assert isinstance(here, CoupledSection) and isinstance(there, CoupledSection)
    assert (here.legs, there.legs) == (2, 1 if gap is None else 2)
    drawn = draw_coplanar(other, PAIR, 300 * UM, reference_dk)
    direct = solve(drawn.section, order=crosstalk_section.ORDER)
    assert sum(there.parts) == pytest.approx(direct.c, rel=1e-7)
    assert there.inductance == pytest.approx(mu_0 * epsilon_0 * np.linalg.inv(direct.c0), rel=1e-7)
    assert there.shared == pytest.approx(here.shared[::-1, ::-1], rel=1e-12)
    assert there.slopes[1][0] == pytest.approx(here.slopes[1][0][::-1, ::-1], rel=1e-12)


def test_a_section_is_solved_once_whatever_runs_along_it() -> None:
    with SolverCache().used() as cache:
        for length in (0.05, 0.06):
            for rho in (1.8e-8, 1.9e-8):
                solved(coupling_task(victim=replace(PAIR, resistivity_trace=rho), length=length))
    assert cache.solved[f"{crosstalk_section.__name__}._solved"] == 1


@examples(12)
@given(st.sampled_from([PAIR, STRIPLINE, MASKED, replace(STRIPLINE, above=())]), st.floats(120, 400),
       st.sampled_from([{"heights": 0.1}, {"width": 12 * UM}, {"tolerance": 12 * UM}]))
def test_slopes_give_the_spread_of_sections_solved_anew(
    line: LineTask, spacing: float, tolerance: dict[str, float]
) -> None:
    given = {"heights": 0.0, "width": 0.0, "spacing": spacing * UM} | tolerance
    made = coupling_task(line, **given)
    found = solved(made)
    small, crosstalk_solve.SMALL = crosstalk_solve.SMALL, 0.0
    try:
        anew = solved(replace(made, length_tolerance=1e-12))
    finally:
        crosstalk_solve.SMALL = small
    assert found.near[0].spread == pytest.approx(anew.near[0].spread, rel=0.08, abs=0.25)
    if level(found.far[0].power) > -45:
        assert found.far[0].spread == pytest.approx(anew.far[0].spread, rel=0.08, abs=0.25)


@pytest.mark.parametrize("spacing", [5e-6, 1e-3, 3e-3, 10e-3, 25e-3])
@pytest.mark.parametrize("line", [PAIR, MASKED])
def test_any_spacing_has_an_answer(line: LineTask, spacing: float) -> None:
    found = solve_coupling(coupling_task(line, spacing=spacing, tolerance=1e-6, width=2e-6))
    if isinstance(found, Missing):
        assert spacing >= 10e-3 and "times as wide" in found.reason
    else:
        (near,), (far,) = found.near, found.far
        assert all(math.isfinite(value) for peak in (near, far) for value in (peak.power, peak.error, peak.spread))


# Links


def test_a_single_ended_and_a_foreign_neighbour_have_their_own_geometry() -> None:
    document = read_yaml(str(Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"))
    trace = {"layer": "L3", "width": "4 mil", "length": "4 in", "name": "t", "neighbours": []}
    document = document.edited(("links", "c2c"), {"standard": "nvlink-c2c", "path": [{"trace": trace}]})
    document = document.edited(("links", "nvl", "crosstalk_elsewhere"), {"bound": "150 dB", "source": "none"})
    found = {}
    for name in ("c2c", "pcie", "nvl", "low", None):
        near: dict[str, Any] = {"spacing": "10 mil", "coupled_length": "4 in", "direction": "opposite"}
        near |= {"link": name} if name else {}
        edited = document.edited(("links", "nvl", "path", 2, "trace", "neighbours"), [near])
        report = api.check(api.resolve(edited), "training", api.Options(select=("SIG005",)), fixes=False)
        (finding,) = (f for f in report.findings if f.subject == "links.nvl")
        assert finding.measured is not None, finding.message
        found[name] = finding.measured
    assert len({found[name].value for name in ("c2c", "pcie", "nvl")}) == 3
    assert found["nvl"].value == found["low"].value == found[None].value
    assert any("same geometry" in text for text in found[None].assumptions)
    assert any("low has no trace on L3" in text for text in found["low"].assumptions)
    assert not any("geometry" in text for name in ("c2c", "pcie", "nvl") for text in found[name].assumptions)
    # a pair cancels half of what reaches one conductor; that one does not
    assert found["c2c"].value > found["nvl"].value
