# SPDX-License-Identifier: MIT
"""The order of a board: what stands in it, what does not, and that its stackup is read back as it was written."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from golden_boards import board

from pcbrules import api
from pcbrules.errors import InputError
from pcbrules.readers.ipc2581.board import parse_ipc2581
from pcbrules.readers.returned.stackup import read_stackup
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.studies.fab.differences import differences
from pcbrules.studies.fab.ipc2581 import NAMESPACE, ipc2581
from pcbrules.studies.fab.notes import notes
from pcbrules.studies.fab.order import FabOrder
from pcbrules.studies.fab.package import files
from pcbrules.studies.fab.place_order import place_order
from pcbrules.studies.fab.rejudged import VerdictChange

BOARDS = sorted((Path(__file__).parents[2] / "boards").glob("*.yaml"))

TEXT = """\
schema: 1
board: {name: small, platform: edge-carrier, form_factor: som-carrier, thickness: {value: 1.49 mm, over: copper}}
fabrication:
  class: standard
  tolerances: {width: 10 %, backdrill: 2 mil}
stackup:
- {kind: copper, name: L1, thickness: 45 um +- 5 um, base_weight: 0.5 oz, role: signal, foil: vlp, finish: enig}
- {kind: dielectric, thickness: 0.1 mm, material: megtron6, glass: ['1078', '1035'], plies: 2}
- {kind: copper, name: L2, thickness: 30 um, role: ground}
- {kind: dielectric, name: C2-3, thickness: 0.2 mm, material: megtron6, form: core, dk: 3.5}
- {kind: copper, name: L3, thickness: 30 um, role: signal}
- {kind: dielectric, thickness: 0.04 mm, material: megtron6}
- {kind: copper, name: L4, thickness: 30 um, role: signal}
- {kind: dielectric, thickness: 0.94 mm, material: megtron6}
- {kind: copper, name: L5, thickness: 30 um, role: ground}
- {kind: dielectric, thickness: 5 um, material: megtron6}
- {kind: copper, name: L6, thickness: 45 um, role: signal}
via_types:
  pth:
    span: [L1, L6]
    kind: through
    drill: 0.25 mm
    backdrill:
    - {side: bottom, residual: 4 mil, must_not_cut: L3, datum: target-layer, diameter: 0.45 mm}
links:
  a:
    standard: pcie3
    impedance: 85 ohm
    path:
    - trace: {layer: L1, width: 5 mil, gap: 6 mil, coplanar: {gap: 8 mil}, length: 1 in}
    - via: {type: pth, enter: L1, leave: L3}
    - trace: {layer: L3, width: 5 mil, top_width: 4.5 mil, gap: 6 mil, length: 1 in}
    - trace: {layer: L3, width: 5 mil, top_width: 4.5 mil, gap: 6 mil, length: 2 in}
    - trace: {layer: L3, width: 4 mil, broadside: {layer: L4, offset: 0 mil}, length: 1 in}
"""


@pytest.fixture(scope="module")
def order() -> FabOrder:
    return placed(board(TEXT))


def placed(loaded: api.Loaded) -> FabOrder:
    return place_order(loaded.board, loaded.document)


def table(order: FabOrder, name: str) -> list[dict[str, str]]:
    text = files(order, None)[name]
    assert isinstance(text, str)
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_stackup_is_read_back_as_it_was_ordered(path: Path) -> None:
    loaded = api.load(path)
    order = placed(loaded)
    data = ipc2581(order)
    read = parse_ipc2581(data, "stackup.xml")
    assert [one.name for one in read.layers] == [one.name for one in order.sheets]
    for sheet, layer in zip(order.sheets, read.layers, strict=True):
        assert (layer.kind, layer.thickness) == (sheet.kind, pytest.approx(sheet.thickness, rel=1e-9))
        assert layer.material == ("COPPER" if sheet.kind == "copper" else sheet.material)
        assert (layer.dk, layer.df, layer.at) == (sheet.dk, sheet.df, sheet.at)
    assert data == ipc2581(order)
    again = differences(order, loaded.board, loaded.document, read_stackup(data, "stackup.xml"))
    assert again == ([], []), "foil, weight and roughness are read back too"


def test_one_line_an_impedance_with_all_traces_that_have_it(order: FabOrder) -> None:
    rows = table(order, "impedance.csv")
    assert [(row["id"], row["layer"], row["kind"], row["used_by"]) for row in rows] == [
        ("Z1", "L1", "edge-coupled pair", "a.trace1"), ("Z2", "L3", "edge-coupled pair", "a.trace2 a.trace3"),
        ("Z3", "L3", "broadside pair", "a.trace4")]
    first, second, third = rows
    assert (first["target_ohm"], first["tolerance_percent"], first["top_width_um"]) == (
        "85", "not specified", "not specified")
    assert [first[f"width_{key}"] for key in ("um", "tolerance_um", "tolerance_from")] == ["127", "12.7", "board file"]
    assert (first["side_ground_um"], first["plane_above"], first["plane_below"]) == ("203.2", "", "L2")
    assert (second["plane_above"], second["height_above_um"], second["plane_below"]) == ("L2", "200", "L5")
    assert float(second["height_below_um"]) == pytest.approx(40 + 30 + 940)
    area = (127e-6 + 114.3e-6) / 2 * 30e-6  # both legs, 1.8e-8 ohm m
    assert float(second["dc_ohm_per_inch"]) == pytest.approx(2 * 1.8e-8 / area * 0.0254, rel=5e-3)
    assert (third["other_layer"], third["offset_um"], third["gap_um"]) == ("L4", "0", "")
    assert 70 < float(first["computed_ohm"]) < 110 and 90 < float(second["computed_ohm"]) < 130
    assert 20 < float(third["computed_ohm"]) < 80


def test_losses_stand_at_the_frequencies_of_coupons_and_links(order: FabOrder) -> None:
    rolled = TEXT
    for role in ("signal", "ground"):
        rolled = rolled.replace(f"role: {role}}}", f"role: {role}, foil: vlp}}")
    rows = [row for row in table(placed(board(rolled)), "loss.csv") if row["id"] == "Z2"]
    assert [row["frequency_ghz"] for row in rows] == ["4", "8", "12.890625", "16"]
    losses = [float(row["computed_db_per_inch"]) for row in rows]
    root = ElementTree.fromstring(ipc2581(placed(board(rolled))))
    (loss,) = (one for spec in root.iter(f"{{{NAMESPACE}}}Spec") if spec.get("name") == "Z2_L3"
               for one in spec.iter(f"{{{NAMESPACE}}}Loss"))
    assert [(one.get("value"), one.get("refValue"), one.get("unit")) for one in loss] == [
        (row["computed_db_per_inch"], f"{float(row['frequency_ghz']) * 1e9:.0f}", "dB/INCH") for row in rows]
    assert losses == sorted(losses) and all(float(row["upper_db_per_inch"]) > loss
                                            for row, loss in zip(rows, losses, strict=True))
    assert {row["limit_db_per_inch"] for row in rows} == {"not specified"}


def test_a_backdrill_has_its_layer_its_depth_and_what_is_left(order: FabOrder) -> None:
    (row,) = table(order, "backdrill.csv")
    assert (row["from_layer"], row["signal_layer"], row["must_not_cut_layer"]) == ("L6", "L3", "L3")
    below = 0.04 + 0.03 + 0.94 + 0.03 + 0.005 + 0.045
    assert float(row["depth_mm"]) == pytest.approx(below - 0.1016)
    assert (row["depth_tolerance_mm"], row["tolerance_from"]) == ("0.0508", "board file")
    assert float(row["longest_stub_um"]) == pytest.approx(101.6 + 50.8)
    assert float(row["least_clearance_um"]) == pytest.approx(101.6 - 50.8)
    (row,) = table(placed(board(TEXT.replace("must_not_cut: L3", "must_not_cut: L4"))), "backdrill.csv")
    assert (row["signal_layer"], row["must_not_cut_layer"]) == ("L3", "L4")
    assert float(row["longest_stub_um"]) == pytest.approx(40 + 30 + 101.6 + 50.8), "beyond the layer in use"
    assert float(row["least_clearance_um"]) == pytest.approx(101.6 - 50.8), "to the layer that must not be cut"


def test_what_the_board_file_does_not_hold_is_not_ordered(order: FabOrder) -> None:
    row = table(order, "drill.csv")[0]
    assert (row["finished_mm"], row["plating_um"], row["pad_mm"], row["fill"]) == ("not specified",) * 4
    layers = table(order, "stackup.csv")
    assert (layers[0]["tolerance_um"], layers[0]["tolerance_from"], layers[0]["finish"]) == ("5", "board file", "enig")
    assert layers[1]["glass"] == "1078 + 1035"
    assert layers[3]["glass"] == layers[2]["foil"] == "not specified"
    assert layers[1]["name"] == "dielectric_2" and layers[3]["dk"] == "3.5"
    nameless = placed(board(TEXT.replace("  class: standard\n", "")))
    assert table(nameless, "stackup.csv")[1]["tolerance_um"] == "not specified"
    assert "10 um was checked" in table(nameless, "stackup.csv")[1]["tolerance_from"]
    text = notes(nameless, None)
    assert "fabrication class, so tolerances (`fabrication.class`)" in text and "class standard (assumed)" in text


def test_the_notes_begin_with_what_fails() -> None:
    loaded = board(TEXT.replace("thickness: {value", "size: {width: 400 mm, height: 400 mm}, thickness: {value"))
    report = api.check(loaded, "edge", api.Options(select=("MEC", "STK001")), fixes=False)
    text = notes(placed(loaded), report)
    verdict = text[text.index("## Verdict"):text.index("## Notes")]
    failed = [one for one in report.findings if one.status == "fail"]
    assert failed and all(f"- {one.rule} {one.severity}, `{one.subject}`" in verdict for one in failed)
    order = placed(loaded)
    for code, word in ((0, "passes with warnings"), (1, "fails"), (3, "is incomplete")):
        text = notes(order, replace(report, exit_code=code))
        warned, advised = (sum(one.severity == name for one in failed) for name in ("warning", "advice"))
        warnings = f"{warned} warning{'s' * (warned != 1)}"
        assert f"the board **{word}**. Fail: 0 errors, {warnings}, {advised} advice" in text
    mild = replace(report, findings=tuple(one for one in report.findings if one.severity == "advice"), exit_code=0)
    assert "the board **passes**." in notes(order, mild), "advice alone changes no word, as in the check"
    assert "was not judged" in notes(placed(loaded), None)


def test_contradictions_are_questions(order: FabOrder) -> None:
    text = notes(order, None)
    assert "backdrill of pth: depth ± 2 mil is closer than" in text
    deep = placed(board(TEXT.replace("residual: 4 mil", "residual: 1 mil")))
    assert "the deepest drill goes 1 mil into what must not be cut" in notes(deep, None)
    thin = placed(board(TEXT.replace("value: 1.49 mm", "value: 1.53 mm")))
    assert "the layers add up to 1.495 mm over copper, the board is to be 1.53 mm" in notes(thin, None)
    assert "add up" not in text
    lines = tuple(replace(one, tolerance=0.001) for one in order.lines)
    assert "more than the ordered 0.1 %" in notes(replace(order, lines=lines), None)


def test_the_file_has_the_words_of_the_schema(order: FabOrder) -> None:
    root = ElementTree.fromstring(ipc2581(order))
    found = {one.tag.removeprefix(f"{{{NAMESPACE}}}"): one for one in root.iter()}
    assert [one.tag.removeprefix(f"{{{NAMESPACE}}}") for one in root] == [
        "Content", "LogisticHeader", "HistoryRecord", "Ecad"]
    assert found["FunctionMode"].get("mode") == "STACKUP"
    assert found["CoplanarWaveguide"].get("structure") == "COPLANAR_WAVEGUIDE_NO_MASK"
    assert found["BroadsideCoupled"].get("structure") == "STRIPLINE_ASYMMETRIC"
    assert [one.tag.removeprefix(f"{{{NAMESPACE}}}") for one in found["BroadsideCoupled"]] == [
        "LineWidth", "Offset", "PairLayerRef", "RefPlane", "RefPlane"]
    assert found["SurfaceFinish"].get("type") == "ENIG-N" and found["Stackup"].get("whereMeasured") == "METAL"
    drills = [one.get("layerOrGroupRef") for one in root.iter(f"{{{NAMESPACE}}}Property") if one.get("layerOrGroupRef")]
    assert drills == ["L6", "L3"]


def test_a_board_without_a_stackup_orders_nothing() -> None:
    bare = "schema: 1\nboard: {name: bare, platform: edge-carrier, form_factor: som-carrier}\n"
    with pytest.raises(InputError, match="there is nothing to order"):
        placed(board(bare))


def test_a_single_trace_is_single_ended(order: FabOrder) -> None:
    text = TEXT.replace("standard: pcie3\n    impedance: 85 ohm", "standard: own\n    impedance: 50 ohm")
    text = text.replace(", gap: 6 mil", "")
    text = text[: text.index("    - trace: {layer: L3, width: 4 mil, broadside")]
    own = "{name: o, family: x, generation: '1', rate: 2 Gb/s, modulation: NRZ, symbol_rate: 2 GBd, nyquist: 1 GHz, "
    text += f"materials: {{standards: {{own: {own}signalling: single-ended, source: made for a test}}}}}}\n"
    alone = placed(board(text))
    assert [(one.kind, one.target) for one in alone.lines] == [("single trace", 50)] * 2
    root = ElementTree.fromstring(ipc2581(alone))
    first, second = root.iter(f"{{{NAMESPACE}}}SingleEnded")
    assert (first.get("structure"), second.get("structure")) == ("MICROSTRIP_NO_MASK ", "STRIPLINE_ASYMMETRIC")
    beside = [one.get("comment") for one in root.iter(f"{{{NAMESPACE}}}Impedance")]
    assert beside[0] == "single trace, bare microstrip, ground 0.2032 mm beside it"


def test_the_layers_add_up_over_the_mask_on_traces() -> None:
    order = placed(api.load(BOARDS[0].with_name("jetson-orin-carrier.yaml")))
    assert order.over == "mask" and order.total == pytest.approx(1.56e-3 + 2 * 15e-6)


def test_what_failed_before_does_not_newly_fail() -> None:
    def finding(status: Status, *, counts: bool = False) -> Finding:
        return Finding("SIG001", "t", "s", status, Severity.ERROR, "m", Location("f", 1, 1), counts_as_fail=counts)

    marginal, fails = finding(Status.MARGINAL, counts=True), finding(Status.FAIL)
    assert not VerdictChange(marginal, fails).newly_fails(Severity.ERROR)
    assert VerdictChange(finding(Status.MARGINAL), fails).newly_fails(Severity.ERROR)
    assert VerdictChange(None, fails).newly_fails(Severity.ERROR)
    assert not VerdictChange(fails, None).newly_fails(Severity.ERROR)
