# SPDX-License-Identifier: MIT
"""Design: the golden sections come back from their impedance; what cannot be is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_boards import board, entry, microstrip, stripline

from pcbrules import api
from pcbrules.errors import InputError
from pcbrules.studies.design import GAPS, MIL, SOUGHT, Design, WantedTrace
from pcbrules.studies.design_text import console

ROOT = Path(__file__).resolve().parents[2]
H100 = api.load(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
AT = 5e9
CLOSE = 1e-4


def looked_for(loaded: api.Loaded, layer: str, impedance: float, *, pair: bool = True, **given: float) -> Design:
    """A design under the training profile."""
    frequency = given.pop("frequency", AT)
    return api.design(loaded, "training", WantedTrace(layer, impedance, pair, frequency=frequency, **given))


def agrees(found: Design, *, width: float, gap: float | None) -> None:
    """One trace, within 0.01 %. [m]"""
    assert found.exit_code == 0
    (one,) = found.candidates
    assert one.width == pytest.approx(width, rel=CLOSE)
    assert one.gap == (None if gap is None else pytest.approx(gap, rel=CLOSE))


# Golden sections


@pytest.mark.parametrize("identifier", ["IMP_SL1", "IMP_SL2"])
def test_a_golden_pair_comes_back_and_so_do_its_slopes(identifier: str) -> None:
    case = entry("impedance_tolerance", identifier)
    size, out = case["inputs"], case["outputs"]
    loaded = board(stripline(below=1e3 * size["h_below_mm"], above=1e3 * size["h_above_mm"],
                             copper=1e3 * size["thickness_mm"], core=size["dk_core"], prepreg=size["dk_prepreg"]))
    width, pitch, etch = (1e-3 * size[key] for key in ("width_mm", "pitch_mm", "etch_inset_per_side_mm"))
    z = out["Z_nominal_ohm"]
    for given in ({"pitch": pitch}, {"gap": pitch - width}):
        found = looked_for(loaded, "L2", z, etch=etch, **given)
        agrees(found, width=width, gap=pitch - width)
    (one,) = found.candidates
    assert one.line.task.width_top == pytest.approx(width - 2 * etch, rel=CLOSE)
    parts = {part.name: part for part in one.parts}
    slope = z * parts["width"].change / parts["width"].half
    assert slope == pytest.approx(-1e3 * out["sensitivities"]["dZ_dwidth_mm_ohm_per_mm"], rel=0.01)
    both = -out["sensitivities"]["dZ_ddk_core_ohm_per_unit"] * size["dk_core"]
    both -= out["sensitivities"]["dZ_ddk_prepreg_ohm_per_unit"] * size["dk_prepreg"]
    assert z * parts["dk"].change / parts["dk"].half == pytest.approx(both, rel=0.01)


@pytest.mark.long
def test_a_golden_line_with_ground_beside_it_comes_back() -> None:
    # CP03, independent finite elements: 160/145 um on 100 um of Dk 3.4, ground at 75 um: 50.267 ohm; without it 69 ohm
    loaded = board(microstrip(height=100, copper=35, laminate=3.4))
    found = looked_for(loaded, "L1", 50.26744106, pair=False, etch=7.5e-6, coplanar=75e-6)
    agrees(found, width=160e-6, gap=None)
    assert "with ground 2.953 mil beside" in console(found, "training")
    bare = looked_for(loaded, "L1", 50.26744106, pair=False, etch=7.5e-6)
    assert bare.candidates[0].width > 200e-6
    with pytest.raises(InputError, match="--coplanar"):
        looked_for(loaded, "L1", 50.0, pair=False, coplanar=1.0)


@pytest.mark.parametrize("identifier", ["DSL02", "DSL04", "DSL05", "DSL06"])
def test_the_gap_of_a_golden_pair_comes_back_with_its_coupling(identifier: str) -> None:
    case = entry("cross_sections", identifier)
    size, out = case["dims_um"], case["results"]
    height = size["H1_lower_plane_to_trace_foot"]
    loaded = board(stripline(below=height, above=size["plane_spacing"] - height - size["t"], copper=size["t"],
                             core=case["Dk"]["core"], prepreg=case["Dk"]["prepreg"]))
    (foot, _), (top, _) = size["w_foot"], size["w_top"]
    gap = 1e-6 * (size["trace_centers"][1] - size["trace_centers"][0] - foot)
    found = looked_for(loaded, "L2", out["Zdiff_ohm"], width=1e-6 * foot, etch=1e-6 * (foot - top) / 2)
    line = found.candidates[0].line
    assert line.z_common == pytest.approx(out["Zcommon_ohm"], rel=CLOSE)
    assert found.candidates[0].gap == pytest.approx(gap, rel=CLOSE)


def test_a_golden_microstrip_comes_back() -> None:
    case = entry("impedance_tolerance", "IMP_MS1")
    size = case["inputs"]
    loaded = board(microstrip(height=1e3 * size["h_below_mm"], copper=1e3 * size["thickness_mm"],
                              laminate=size["dk_core"]))
    found = looked_for(loaded, "L1", case["outputs"]["Z_nominal_ohm"], pair=False,
                       etch=1e-3 * size["etch_inset_per_side_mm"])
    agrees(found, width=1e-3 * size["width_mm"], gap=None)


def test_a_golden_pair_under_mask_comes_back() -> None:
    case = entry("cross_sections", "DMS02")
    size, dk = case["dims_um"], case["Dk"]
    loaded = board(microstrip(height=size["h_laminate"], copper=size["t"], laminate=dk["laminate"],
                              mask=(size["mask_on_laminate_outside"], size["mask_above_trace"], dk["mask"])))
    pitch = 1e-6 * (size["trace_centers"][1] - size["trace_centers"][0])
    found = looked_for(loaded, "L1", case["results"]["Zdiff_ohm"], pitch=pitch,
                       etch=1e-6 * (size["w_foot"] - size["w_top"]) / 2)
    agrees(found, width=1e-6 * size["w_foot"], gap=pitch - 1e-6 * size["w_foot"])


# The boards


def test_what_was_found_is_what_the_board_with_it_has() -> None:
    found = looked_for(H100, "L5", 92.0, gap=7 * MIL)
    (one,) = found.candidates
    path = next(step.path for link in H100.board.links or () for step, trace in link.traces() if trace.layer == "L5")
    document = H100.document
    for key, value in (("width", one.width), ("gap", one.gap), ("top_width", one.line.task.width_top)):
        document = document.edited((*path, key), f"{value!r} m")
    (geometry,) = api.lines(api.resolve(document), "training", layer="L5").geometries
    assert geometry.line.z_diff == pytest.approx(92.0, rel=1e-5)
    assert geometry.spread == pytest.approx(one.spread, rel=1e-6)


@pytest.mark.long
def test_every_pair_of_the_table_has_the_impedance_and_the_loss_falls_with_the_gap() -> None:
    found = looked_for(H100, "L5", 92.0)
    assert [one.gap for one in found.candidates] == pytest.approx(GAPS)
    assert all(one.line.z_diff == pytest.approx(92.0, rel=1e-4) for one in found.candidates)
    totals = [one.losses[-1].total for one in found.candidates]
    widths = [one.width for one in found.candidates]
    assert totals == sorted(totals, reverse=True) and widths == sorted(widths)
    assert all(len(line) <= 80 for line in console(found, "training").splitlines())


@pytest.mark.long
def test_the_fastest_link_gives_the_frequency() -> None:
    for layer, frequency, name in (("L9", 16e9, "pcie_up"), ("L5", 26.5625e9, "nvl_l5"), ("L1", 26.5625e9, "nvl_l3")):
        found = api.design(H100, "training", WantedTrace(layer, 85.0, pair=True, gap=6.5 * MIL))
        assert found.frequency == pytest.approx(frequency) and found.fastest == name
        given = looked_for(H100, layer, 85.0, gap=6.5 * MIL)
        assert given.frequency == AT and given.candidates[0].width == found.candidates[0].width
    with pytest.raises(InputError, match="--at"):
        api.design(board(stripline(below=100, above=100, copper=15, core=3.5, prepreg=3.5)), "training",
                   WantedTrace("L2", 100.0, pair=True, gap=1e-4))


def test_a_layer_that_cannot_says_how_far_off_it_is() -> None:
    found = looked_for(H100, "L5", 160.0, gap=7 * MIL)
    assert found.exit_code == 1 and not found.candidates
    low, high = found.ends
    assert (low.width, high.width) == pytest.approx((SOUGHT[1], SOUGHT[0])) and low.impedance < high.impedance < 160
    text = console(found, "training")
    assert f"{high.impedance - 160:+.2f} ohm off" in text and "width 2 mil" in text and "width 40 mil" in text
    assert looked_for(H100, "L5", 20.0, pitch=12 * MIL).exit_code == 1
    assert "nearest is +" in console(looked_for(H100, "L5", 5.0), "training")


def masked(material: str) -> api.Loaded:
    """A microstrip under a mask of a material, or of none."""
    text = microstrip(height=100, copper=35, laminate=3.6, mask=(20, 15, 3.7))
    return board(text.replace(", material: mask}", f"{material}}}"))


@pytest.mark.long
def test_a_mask_without_a_material_is_one_that_is_sold_and_widens_the_error() -> None:
    found, declared = (looked_for(masked(material), "L1", 90.0, gap=10 * MIL)
                       for material in ("", ", material: psr-4000-bn"))
    assert found.exit_code == declared.exit_code == 0
    assert found.candidates[0].width == declared.candidates[0].width
    assert declared.error < found.error < declared.error + 0.01
    assert "solder mask not declared: psr-4000-bn to psr-4000-hfx (assumed)" in found.assumptions


@pytest.mark.long
def test_the_gap_is_found_through_the_place_where_mask_fills_it() -> None:
    """Two coats of 60 um meet at a gap of 120 um: narrower gaps are full of mask, and no impedance is left out."""
    loaded = board(microstrip(height=100, copper=35, laminate=3.6, mask=(20, 60, 4.5)))
    found = [looked_for(loaded, "L1", z, width=1e-4, etch=0.0) for z in (80.0, 84.0, 88.0, 92.0)]
    gaps = [one.candidates[0].gap or 0.0 for one in found]
    assert gaps == sorted(gaps) and gaps[0] < 120e-6 < gaps[-1]


# Etch


LINKS = """\
links:
  a:
    standard: pcie3
    path:
    - trace: {layer: L2, width: 5 mil, top_width: 4 mil, gap: 6 mil, length: 1 in}
    - trace: {layer: L2, width: 5 mil, top_width: 4.6 mil, gap: 6 mil, length: 1 in}
"""


@pytest.mark.long
def test_the_etch_is_that_given_else_that_of_traces_on_equal_copper_else_none() -> None:
    plain = stripline(below=100, above=100, copper=15, core=3.5, prepreg=3.5, links=LINKS)
    found = looked_for(board(plain), "L2", 90.0, gap=1.5e-4)
    assert found.etch == pytest.approx(0.5 * MIL) and "traces on L2" in found.etched
    assert looked_for(board(plain), "L2", 90.0, gap=1.5e-4, etch=1e-6).etch == 1e-6
    straight = plain.replace("top_width: 4 mil, ", "").replace("top_width: 4.6 mil, ", "")
    found = looked_for(board(straight), "L2", 90.0, gap=1.5e-4)
    assert found.etch == 0 and "straight" in found.etched
    assert looked_for(H100, "L22", 50.0, pair=False).etch == 0, "thicker copper than where the traces are"


# What cannot be


@pytest.mark.parametrize(
    ("layer", "given", "said"),
    [
        ("L55", {}, "unknown copper layer"),
        ("L6", {}, "L6 is a ground plane"),
        ("L5", {"gap": 1e-9}, "--gap: is no length of a trace"),
        ("L5", {"width": 1.0}, "--width"),
        ("L5", {"pitch": 3 * MIL}, "leaves no room"),
        ("L5", {"width": 4 * MIL, "etch": 2 * MIL}, "etching leaves nothing"),
        ("L5", {"etch": 11 * MIL}, "--etch"),
        ("L5", {"frequency": 1.0}, "--at"),
    ],
)
def test_what_cannot_be_is_an_input_error(layer: str, given: dict[str, float], said: str) -> None:
    with pytest.raises(InputError) as error:
        looked_for(H100, layer, 92.0, **given)
    assert said in str(error.value)


def test_a_board_without_stackup_is_an_input_error_and_one_without_planes_is_not_evaluated() -> None:
    bare = stripline(below=100, above=100, copper=15, core=3.5, prepreg=3.5)
    no_planes = board(bare.replace("role: ground", "role: signal"))
    found = looked_for(no_planes, "L2", 90.0)
    assert found.exit_code == 3 and "no reference plane" in console(found, "training")
    without = board(bare[: bare.index("stackup:")])
    with pytest.raises(InputError, match="stackup"):
        looked_for(without, "L2", 90.0)


def test_a_board_without_foil_has_the_loss_of_the_roughest_that_is_sold() -> None:
    def found(foil: str) -> Design:
        text = stripline(below=100, above=100, copper=15, core=3.5, prepreg=3.5)
        return looked_for(board(text.replace(", foil: hvlp, bond: low-etch", foil)), "L2", 90.0, gap=1.5e-4)

    bare, roughest = found(""), found(", foil: std-ed")
    assert bare.exit_code == 0 and bare.candidates == roughest.candidates
    assert "foil not declared: std-ed to hvlp5, the first counts for the loss" in bare.assumptions
