# SPDX-License-Identifier: MIT
"""The self-test: what it reads, what it compares, and how it ends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from made import SIDE, Tree, box, pair, solved, table, three, write

from pcbrules.cli.main import cli
from pcbrules.errors import InputError
from pcbrules.selftest.geometry import drawn
from pcbrules.selftest.golden import GoldenEntry, read, shipped
from pcbrules.selftest.kinds import all_kinds, cross_sections
from pcbrules.selftest.runner import Case, CaseStatus, plain, run
from pcbrules.selftest.tolerances import limits


def called(*words: str) -> Result:
    """`pcbrules selftest` with these words."""
    return CliRunner().invoke(cli, ["selftest", *words])


# Reading


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "a.json:1:2: this is no JSON"),
        ("[]", "this is no golden file; found a list; expected an object with a list 'entries'"),
        ('{"header": 1}', "found header"),
        ('{"entries": 5}', "this is no golden file"),
        ('{"entries": [7]}', "entries[0]: this is no entry; found 7; expected an object"),
        ('{"entries": [{"kind": "x"}]}', "entries[0].id: an entry lacks a name; found nothing; expected a text 'id'"),
        ('{"cases": [{"id": "x"}]}', "cases[0].kind: an entry lacks a name"),
        ('{"entries": [{"id": 3, "kind": "x"}]}', "found 3"),
        ("\x00", "NUL"),
        ("[" * 100_000, "beyond what can be read"),
    ],
)
def test_a_file_that_is_not_golden_is_an_input_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    for place in (tmp_path, tmp_path / "a.json"):
        with pytest.raises(InputError) as error:
            read(str(place))
        assert said in str(error.value)


def test_a_folder_without_golden_files_and_a_missing_one_are_input_errors(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none"):
        assert called("--golden", str(place)).exit_code == 2


def test_shipped_entries_are_read_and_each_has_a_model() -> None:
    names = {kind.NAME for kind in all_kinds()}
    entries = shipped()
    assert {next(k.NAME for k in all_kinds() if k.reads(e.data)) for e in entries} == names
    assert all(entry.file.startswith("shipped/") for entry in entries)


def test_every_model_has_limits() -> None:
    assert limits().keys() == {kind.NAME for kind in all_kinds()}
    vias, wide = limits()["full-wave-via"], ("inductance", "mounted-loop")
    assert limits()[wide[0]][wide[1]] == 0.05
    some = [(kind, *one) for kind, each in limits().items() if each is not vias for one in each.items()]
    assert all(0 < limit <= 0.02 for kind, name, limit in some if (kind, name) != wide)
    assert [vias[key] for key in ("impedance", "capacitance", "notch", "short-notch")] == [0.01, 0.01, 0.03, 0.06]
    assert [vias[key] for key in ("pad-capacitance", "end-capacitance", "insertion-loss")] == [0.06, 0.06, 1.0]
    section = limits()["cross-section"]
    assert (section["impedance"], section["capacitance"]) == (5e-4, 1e-3)
    table_limits = limits()["resistance-inductance"]
    assert [table_limits[key] for key in ("resistance", "inductance", "insertion-loss")] == [0.015, 0.003, 0.015]


# Geometry


def test_polygons_decide_and_not_names() -> None:
    line = drawn(three()["geometry_um"])
    section = line.section
    assert [len(signal) for signal in section.signals] == [4, 4, 2]
    assert (section.lower, section.upper) == (0.0, None)
    assert line.air == ("copper",) and line.names == ("air", "hole")
    (laminate, er), (hole, one) = section.dielectrics
    assert (er, one) == (3.3, 1.0)
    assert {x for x, _ in laminate} == {-math.inf, math.inf} and max(y for _, y in laminate) == pytest.approx(90e-6)
    assert all(math.isfinite(x) for x, _ in hole)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda g: g.pop("boundary"), "no boundary"),
        (lambda g: g["boundary"].update(left="ground"), "a side wall"),
        (lambda g: g["boundary"].update(top="closed"), "expected ground or open"),
        (lambda g: g.update(domain_x0_x1_y0_y1=[5, 5, 0, 1]), "the domain is empty"),
        (lambda g: g.update(signal_conductors=[], zero_thickness_strips=[]), "expected one conductor"),
        (lambda g: g["signal_conductors"][0].update(polygon=[[0, 1], [2, 3], [4, 5]]), "no area"),
        (lambda g: g["signal_conductors"][0].update(polygon=[[0, 1], [2]]), "expected one of 2"),
        (lambda g: g["signal_conductors"][0].update(polygon=[[0, float("nan")], [2, 3]]), "expected a finite number"),
        (lambda g: g["dielectrics_painter_order"][1].update(er=0.5), "expected 1 or more"),
        (lambda g: g["dielectrics_painter_order"][1].update(er=True), "is true, expected a finite number"),
    ],
)
def test_a_geometry_that_cannot_be_read_is_not_evaluated(
    tmp_path: Path, edit: Callable[[Tree], Any], said: str
) -> None:
    entry = solved(three())
    edit(entry["geometry_um"])
    outcome = run(read(write(tmp_path, entry)))
    assert outcome.cases[0].status is CaseStatus.NOT_EVALUATED and said in outcome.cases[0].reason
    assert outcome.exit_code == 3


# Comparing


def test_another_geometry_is_read_by_its_polygons(tmp_path: Path) -> None:
    result = called("--golden", write(tmp_path, solved(three()), solved(pair())))
    assert result.exit_code == 0, result.output
    assert "2 cases: 2 ok" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())


@pytest.mark.parametrize(
    ("factor", "code"), [(1.0009, 0), (1.0011, 1), (0.998, 1), (float("inf"), 3)]
)
def test_a_capacitance_beyond_its_limit_fails(tmp_path: Path, factor: float, code: int) -> None:
    entry = solved(pair())
    entry["results"] = {key: entry["results"][key] for key in ("C_pF_per_m", "C0_air_pF_per_m")}
    entry["results"]["C_pF_per_m"][1][1] *= factor
    assert called("--golden", write(tmp_path, entry)).exit_code == code


def test_an_entry_off_the_diagonal_counts_by_the_diagonals(tmp_path: Path) -> None:
    entry = solved(pair())
    entry["results"]["C0_air_pF_per_m"][0][1] += 0.002 * entry["results"]["C0_air_pF_per_m"][0][0]
    (case,) = run(read(write(tmp_path, entry))).cases
    worst = case.decisive
    assert case.status is CaseStatus.FAIL and worst is not None
    assert worst.name == "C0[1,2]" and worst.error == pytest.approx(0.002, rel=0.02)


def test_a_share_of_a_region_that_does_not_exist_is_not_evaluated(tmp_path: Path) -> None:
    entry = solved(pair())
    entry["results"]["C_by_region_pF_per_m"]["z"] = [[0, 0], [0, 0]]
    (case,) = run(read(write(tmp_path, entry))).cases
    assert case.status is CaseStatus.NOT_EVALUATED and case.worst and "z" in case.reason


@pytest.mark.parametrize("name", ["x", None])
def test_regions_of_one_name_count_together_and_names_are_not_needed(tmp_path: Path, name: str | None) -> None:
    entry = solved(pair())
    both = np.sum(list(entry["results"]["C_by_region_pF_per_m"].values()), axis=0).tolist()
    for region in entry["geometry_um"]["dielectrics_painter_order"]:
        del region["name"]
        if name:
            region["name"] = name
    entry["results"]["C_by_region_pF_per_m"] = {name: both} if name else {}
    assert run(read(write(tmp_path, entry))).exit_code == 0


def test_a_crash_names_our_fault_and_the_others_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = read(write(tmp_path, solved(pair()), solved(three())))
    right = cross_sections.electrostatic.solve

    def broken(section: Any) -> Any:
        if section.upper is None:
            raise ZeroDivisionError("x")
        return right(section)

    monkeypatch.setattr(cross_sections.electrostatic, "solve", broken)
    outcome = run(entries)
    assert [case.status for case in outcome.cases] == [CaseStatus.OK, CaseStatus.CRASHED]
    assert outcome.exit_code == 3 and "a fault of pcbrules" in outcome.cases[1].reason


def test_what_is_no_number_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = read(write(tmp_path, solved(pair())))
    fields = cross_sections.electrostatic.solve(drawn(pair()["geometry_um"]).section)
    fields.c[:] = np.nan
    monkeypatch.setattr(cross_sections.electrostatic, "solve", lambda section: fields)
    outcome = run(entries)
    assert outcome.cases[0].status is CaseStatus.FAIL and outcome.exit_code == 1


# Choosing


def test_kinds_choose_by_group_kind_section_or_file(tmp_path: Path) -> None:
    write(tmp_path, {"id": "C", "kind": "moon_phase"}, name="later.json")
    place = write(tmp_path, solved(pair()), solved(three()))
    entries = read(place)
    every = run(entries)
    assert every.exit_code == 3 and len(every.cases) == 3
    for word, count in [("cross-section", 2), ("Cross_Sections", 2), ("stripline", 1), ("a", 2), ("later", 1)]:
        assert len(run(entries, [word]).cases) == count, word
    chosen = run(entries, ["moon_phase"])
    assert chosen.exit_code == 3 and "nor a kind that is known" in chosen.cases[0].reason
    wrong = called("--golden", place, "--kind", "cavities")
    assert wrong.exit_code == 2 and "cross-section" in wrong.stderr


def test_an_unknown_kind_is_never_left_out_in_silence(tmp_path: Path) -> None:
    outcome = run(read(write(tmp_path, solved(pair()), {"id": "U", "kind": "stripline"})))
    assert outcome.exit_code == 3 and outcome.cases[1].status is CaseStatus.NOT_EVALUATED


def test_no_case_at_all_is_3(tmp_path: Path) -> None:
    assert called("--golden", write(tmp_path)).exit_code == 3


def test_a_kind_has_one_spelling() -> None:
    assert [plain(text) for text in ("4_inductance", "coupled_lines_2", "differential (odd mode, S = SDD)")] == [
        "inductance", "coupled-lines", "differential"
    ]


# R and L


def test_planes_are_known_by_their_shape_and_dielectrics_come_from_the_cross_section(tmp_path: Path) -> None:
    section = solved(pair())
    outcome = run(read(write(tmp_path, section, table("P"))))
    assert outcome.exit_code == 0, outcome.cases
    alone = run(read(write(tmp_path, table("P"))))
    assert alone.exit_code == 3 and "no cross-section P" in alone.cases[0].reason and alone.cases[0].worst
    section["geometry_um"]["signal_conductors"][0] = {"polygon": box(-SIDE / 10, -70, 130, 150)}
    other = run(read(write(tmp_path, section, table("P"))), ["x"])
    assert "has other conductors" in other.cases[0].reason


def test_a_resistance_beyond_its_limit_fails(tmp_path: Path) -> None:
    entry = table("P")
    entry["RL"][1]["R_odd_ohm_per_m"] *= 1.02
    (case,) = run(read(write(tmp_path, entry))).cases
    assert case.status is CaseStatus.FAIL and case.decisive is not None and case.decisive.name == "R odd at 1 GHz"


@pytest.mark.parametrize(
    ("planes", "said"),
    [
        ([], "no plane below or above"),
        ([box(-50, 50, -30, 0)], "no plane below or above"),
        ([box(-2500, 2500, -30, 0), box(-2500, 2500, 300, 335)], "different width, place or thickness"),
    ],
)
def test_planes_that_the_solver_cannot_take_are_not_evaluated(tmp_path: Path, planes: list[Any], said: str) -> None:
    entry = table("P")
    entry["geometry_um"]["planes"] = [{"polygon": plane} for plane in planes]
    (case,) = run(read(write(tmp_path, entry))).cases
    assert case.status is CaseStatus.NOT_EVALUATED and said in case.reason


# Impedance over tolerances


def tolerance_case() -> GoldenEntry:
    """The first shipped one."""
    return next(entry for entry in shipped() if "impedance_tolerance" in entry.kind)


def test_polygons_that_contradict_the_dimensions_are_not_evaluated() -> None:
    data = json.loads(json.dumps(tolerance_case().data))
    data["inputs"]["conductor_polygon_left_mm"][0][0] += 0.001
    (case,) = run([GoldenEntry("f.json", "I", "impedance_tolerance", data)]).cases
    assert case.status is CaseStatus.NOT_EVALUATED and "polygons" in case.reason


def test_a_tolerance_of_what_is_no_dimension_is_not_evaluated() -> None:
    data = json.loads(json.dumps(tolerance_case().data))
    data["inputs"]["gaussian_sigma"]["colour"] = 1.0
    (case,) = run([GoldenEntry("f.json", "I", "impedance_tolerance", data)]).cases
    assert case.status is CaseStatus.NOT_EVALUATED and "gaussian_sigma" in case.reason


# Heat


def shipped_case(name: str) -> dict[str, Any]:
    """A copy of a shipped entry."""
    found: dict[str, Any] = json.loads(json.dumps(next(entry.data for entry in shipped() if entry.id == name)))
    return found


def judged(data: dict[str, Any]) -> Case:
    """The entry under another id."""
    (case,) = run([GoldenEntry("f.json", "other", "3_thermal", data)], ["thermal"]).cases
    return case


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("TV02", ("inputs", "foil_each_side_mm")),
        ("TS01", ("inputs", "kz_via_zone_W_per_mK")),
        ("HS03", ("inputs", "h_top_W_per_m2K")),
        ("TIM01", ("inputs", "layers", 2, "k_tol_W_per_mK")),
        ("TIM03", ("inputs", "contributors", 3, "tolerance_um")),
    ],
)
def test_another_input_gives_another_heat(name: str, path: tuple[str | int, ...]) -> None:
    data = shipped_case(name)
    assert judged(data).status is CaseStatus.OK
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] *= 1.2
    assert judged(data).status is CaseStatus.FAIL


def test_an_interference_must_be_flagged() -> None:
    data = shipped_case("TIM03")
    data["outputs"]["interference_in_worst_case"] = True
    assert judged(data).status is CaseStatus.FAIL


@pytest.mark.parametrize(
    ("name", "path", "factor"),
    [
        ("STUB2", ("notch_frequency_Hz",), 1 + 3e-6),
        ("STUB3", ("notch_frequency_Hz",), 1 + 3e-6),
        ("STUB2", ("S21_at_notch_dB",), 1.0001),
        ("XT5_two_pairs_stripline_two_Dk", ("results", 0, "SCD_thru_mode_conversion_dB"), 0.99),
    ],
)
def test_another_notch_or_conversion_of_a_circuit_fails(name: str, path: tuple[str | int, ...], factor: float) -> None:
    """What follows from the scattering parameters of an entry is computed and compared too."""
    data = shipped_case(name)
    assert judged(data).status is CaseStatus.OK
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] *= factor
    assert judged(data).status is CaseStatus.FAIL


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("TV01", {"drill_diameter_mm": 1.1}, "do not overlap"),
        ("TS01", {"board_radius_mm": 3.5}, "board_radius_mm"),
        ("HS01", {"source_centre_mm": [1, 50]}, "leaves the board"),
        ("HS01", {"h_top_W_per_m2K": 0, "h_bottom_W_per_m2K": 0}, "one above"),
        ("TIM02", {"area_mm2": 0}, "area_mm2"),
        ("TIM03", {"contributors": [{"sign": 2}]}, "sign"),
    ],
)
def test_heat_that_cannot_be_read_is_not_evaluated(name: str, changes: dict[str, Any], said: str) -> None:
    data = shipped_case(name)
    data["inputs"] |= changes
    case = judged(data)
    assert case.status is CaseStatus.NOT_EVALUATED and said in case.reason


# All


SLOW = ("impedance-tolerance", "inductance", "resistance-inductance")


@pytest.mark.parametrize("kind", [
    pytest.param(kind.NAME, marks=[pytest.mark.long] if kind.NAME in SLOW else []) for kind in all_kinds()])
def test_every_shipped_entry_is_within_its_tolerance(kind: str) -> None:
    outcome = run(shipped(), [kind])
    assert outcome.exit_code == 0 and len(outcome.cases) >= 2, outcome.by_quantity()


# Output


def test_json_says_the_same_and_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    entry = solved(pair())
    entry["results"]["C_pF_per_m"][0][0] *= 1.01
    place = write(tmp_path, entry, solved(three()))
    first, second = (called("--golden", place, "--format", "json") for _ in range(2))
    assert first.output == second.output and first.exit_code == 1
    tree = json.loads(first.output)
    assert tree["exit_code"] == 1
    assert [case["status"] for case in tree["cases"]] == ["fail", "ok"]
    assert {line["quantity"] for line in tree["by_quantity"]} == {"capacitance", "permittivity", "participation"}
    assert [line["kind"] for line in tree["by_kind"]] == ["stripline", "something_new"]
