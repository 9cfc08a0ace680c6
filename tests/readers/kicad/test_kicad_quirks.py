# SPDX-License-Identifier: MIT
"""What real KiCad files do, each on a board of a few lines."""

from __future__ import annotations

import json
import math

import pytest
from kicad_boards import EDGE, LAYERS, STACKUP, board, read

from pcbrules.layout.layers import heights
from pcbrules.layout.layout import NetPair
from pcbrules.layout.parts import PadShape
from pcbrules.readers.kicad.board import parse_kicad
from pcbrules.readers.net_pairs import pairs

MM = 1e-3

TRACK = '(segment (start 1 2) (end 4 6) (width 0.2) (layer "F.Cu") (net 1))'


def told(layout: object) -> list[str]:
    """Messages of a layout with what was found."""
    return [f"{one.message}: {one.found}" for one in layout.told]  # type: ignore[attr-defined]


def test_a_sound_board_has_nothing_to_tell() -> None:
    layout = read(TRACK)
    assert told(layout) == [] and layout.skipped == ()
    assert layout.nets == ("GND",) and layout.y_down
    assert layout.outline[0] == ((0, 0), (50 * MM, 0), (50 * MM, 40 * MM), (0, 40 * MM))
    (track,) = layout.tracks
    assert (track.net, track.layer, track.width) == ("GND", "F.Cu", 0.2 * MM)
    assert track.length == pytest.approx(5 * MM)


def test_the_buildup_has_every_sheet_of_a_dielectric() -> None:
    layout = read()
    assert layout.thickness_sum == pytest.approx(1.525 * MM) == layout.thickness
    sheets = [one for one in layout.layers if one.name == "dielectric 2"]
    assert [(one.material, one.thickness, one.dk, one.df, one.role) for one in sheets] == [
        ("FR4", 1 * MM, 4.5, 0.02, "core"), ("1080", 0.2 * MM, 4.0, 0.0, "core")]
    assert [(one.name, one.label, one.role) for one in layout.copper][:2] == [
        ("F.Cu", "", "signal"), ("In1.Cu", "GND plane", "power")]
    # 0.01 + 0.035 / 2; then 0.035 + 0.1 + 0.0175 / 2 below the mask
    assert heights(layout.layers)["F.Cu"] == pytest.approx(0.0275 * MM)
    assert heights(layout.layers)["In1.Cu"] == pytest.approx(0.15375 * MM)


@pytest.mark.parametrize(("given", "message"), [
    ({"stackup": ""}, "no build-up is stated"),
    ({"thickness": "1.6"}, "the build-up does not add up to the declared thickness: 1.525 mm for 1.6 mm"),
    ({"stackup": STACKUP.replace("(thickness 0.0175)", "", 1)}, "sheets of the build-up have no thickness"),
    ({"stackup": STACKUP.replace("(thickness 0.0175)", "(thickness 0)", 1)},
     "sheets of the build-up have no thickness"),
    ({"stackup": STACKUP.replace("In2.Cu", "In3.Cu")}, "the build-up has other copper layers than the layer table"),
    ({"edge": EDGE.replace("gr_rect", "gr_line")}, "the board edge is not closed: 2 open ends"),
    ({"version": 20991231}, "the format is newer than this reader knows"),
    ({"version": 4}, "the format is older than KiCad 5"),
])
def test_what_is_missing_or_contradictory_is_told(given: dict[str, object], message: str) -> None:
    layout = read(TRACK, **given)
    assert any(text.startswith(message) for text in told(layout)), told(layout)
    if "other copper" in message or "no build-up" in message or "no thickness" in message:
        assert heights(layout.layers) == {}
    if given.get("version") != 4:
        assert [one.name for one in layout.copper] == ["F.Cu", "In1.Cu", "In2.Cu", "B.Cu"]


def test_layers_of_kicad_5_have_the_names_that_the_designer_gave_and_nets_no_quotes() -> None:
    text = """(kicad_pcb (version 20171130) (host pcbnew "(5.1.9)-1")
      (general (thickness 1.6) (drawings 4))
      (page A4)
      (layers (0 Top signal) (1 GND_PLANE power) (2 SIG signal hide) (31 Bottom signal) (44 Edge.Cuts user))
      (setup (last_trace_width 0.25) (zone_clearance 0.508))
      (net 0 "") (net 1 /CLK+) (net 2 /CLK-)
      (net_class Default "the default" (clearance 0.1) (trace_width 0.25) (via_dia 0.55) (via_drill 0.25)
        (diff_pair_width 0.2) (diff_pair_gap 0.18) (add_net /CLK+) (add_net /CLK-))
      (module R_0402 (layer Bottom) (tedit 5E4A93FA) (tstamp 5E9F1ADC) (at 10 10 90)
        (fp_text reference R1 (at 0 0) (layer B.SilkS)) (fp_text value 49R9 (at 0 1) (layer B.Fab))
        (pad 1 smd rect (at 1 0 90) (size 0.6 0.4) (layers Bottom) (net 1 /CLK+))
        (pad 2 thru_hole oval (at -1 0 90) (size 1 0.6) (drill oval 0.6 0.3) (layers *.Cu *.Mask) (net 2 /CLK-)))
      (segment (start 10 9) (end 12 9) (width 0.25) (layer Bottom) (net 1))
      (via micro (at 3 3) (size 0.3) (drill 0.1) (layers Top GND_PLANE) (net 1))
      (zone (net 2) (net_name /CLK-) (layer SIG) (tstamp 0) (hatch edge 0.508)
        (polygon (pts (xy 0 0) (xy 1 0) (xy 1 1)))
        (filled_polygon (pts (xy 0 0) (xy 1 0) (xy 1 1))) (fill_segments (pts (xy 0 0) (xy 1 0))))
      (gr_line (start 0 0) (end 10 0) (layer Edge.Cuts)) (gr_line (start 10 0) (end 10 10) (layer Edge.Cuts))
      (gr_line (start 10 10) (end 0 10) (layer Edge.Cuts)) (gr_arc (start 0 5) (end 0 10) (angle 180) (layer Edge.Cuts))
    )"""
    layout = parse_kicad(text.encode(), "old.kicad_pcb")
    assert [one.name for one in layout.copper] == ["Top", "GND_PLANE", "SIG", "Bottom"]
    assert layout.pairs == (NetPair("/CLK+", "/CLK-"),)
    (part,) = layout.parts
    assert (part.reference, part.value, part.side, part.package) == ("R1", "49R9", "bottom", "R_0402")
    # 90 degrees turn x into minus y
    assert [pad.at for pad in part.pads] == [pytest.approx((10 * MM, 9 * MM)), pytest.approx((10 * MM, 11 * MM))]
    assert part.pads[1].layers == ("Top", "GND_PLANE", "SIG", "Bottom")
    assert part.pads[1].drill == pytest.approx((0.6 * MM, 0.3 * MM))
    assert (layout.vias[0].kind, layout.vias[0].first, layout.vias[0].last) == ("micro", "Top", "GND_PLANE")
    assert [one.partition(":")[0] for one in told(layout)] == ["no build-up is stated"]
    assert layout.zones[0].net == "/CLK-" and layout.zones[0].fills[0].layer == "SIG"
    assert layout.skipped == (("fill_segments of a zone", 1),)
    assert layout.classes[0].pair_gap == pytest.approx(0.18 * MM) and layout.classes[0].nets == ("/CLK+", "/CLK-")
    # the arc by centre, start and 180 degrees bulges to the left: the ring is closed
    assert len(layout.outline) == 1 and min(x for x, _ in layout.outline[0]) == pytest.approx(-5 * MM, abs=2e-6)


def test_nets_have_names_alone_in_kicad_10() -> None:
    layout = read('(segment (start 0 0) (end 1 0) (width 0.1) (layer "F.Cu") (net "5"))',
                  '(via (at 1 0) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net "/PCIe_{x4}.TX3+"))',
                  '(via (at 2 0) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net "/PCIe_{x4}.TX3-")'
                  ' (backdrill (size 0.6) (layers "F.Cu" "In1.Cu"))'
                  ' (tertiary_drill (size 0.7) (layers "B.Cu" "In2.Cu")))',
                  '(via (at 3 0) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu"))', nets="", version=20260206)
    assert layout.nets == ("/PCIe_{x4}.TX3+", "/PCIe_{x4}.TX3-", "5")
    assert layout.pairs == (NetPair("/PCIe_{x4}.TX3+", "/PCIe_{x4}.TX3-"),)
    assert [(one.first, one.last, one.diameter) for one in layout.vias[1].drilled_away] == [
        ("F.Cu", "In1.Cu", pytest.approx(0.6 * MM)), ("B.Cu", "In2.Cu", pytest.approx(0.7 * MM))]
    assert layout.vias[2].net == ""


def test_vias_have_a_kind_a_span_and_pads_by_layer() -> None:
    layout = read(
        '(via blind (at 1 1) (size 0.4) (drill 0.2) (layers "F.Cu" "In1.Cu") (net 1))',
        '(via buried (at 2 1) (size 0.4) (drill 0.2) (layers "In1.Cu" "In2.Cu") (net 1))',
        '(via (at 3 1) (size 0.4) (drill 0.2) (layers "F.Cu" "In2.Cu") (net 1))',
        '(via (at 4 1) (size 0.8) (drill 0.2) (layers "F.Cu" "B.Cu") (remove_unused_layers yes) (net 1)'
        ' (padstack (mode front_inner_back) (layer "Inner" (size 0.4)) (layer "B.Cu" (size 1))))')
    assert [one.kind for one in layout.vias] == ["blind", "buried", "through", "through"]
    assert told(layout) == ["a through via does not reach from the top to the bottom layer: F.Cu to In2.Cu"]
    assert layout.told[0].line == 20
    last = layout.vias[3]
    assert last.unused_removed and [last.pad_on(name) for name in ("F.Cu", "In1.Cu", "In2.Cu", "B.Cu")] == [
        pytest.approx(size * MM) for size in (0.8, 0.4, 0.4, 1)]


def test_arcs_pass_their_middle_and_a_track_may_name_the_mask() -> None:
    # a half circle of radius 1, and three quarters of the same
    layout = read('(arc (start 0 0) (mid 1 1) (end 2 0) (width 0.1) (layers "F.Cu" "F.Mask") (net 1))',
                  f'(arc (start 1 0) (mid {-math.sqrt(0.5)} {-math.sqrt(0.5)}) (end 0 1) (width 0.1) (layer "B.Cu")'
                  ' (net 1))')
    assert [one.length for one in layout.tracks] == [pytest.approx(math.pi * MM), pytest.approx(1.5 * math.pi * MM)]
    assert layout.tracks[0].layer == "F.Cu"


def test_zones_are_filled_or_not_teardrops_and_areas_that_keep_out() -> None:
    ring = "(pts (xy 0 0) (xy 5 0) (arc (start 5 0) (mid 6 1) (end 5 2)) (xy 0 2))"
    layout = read(
        f'(zone (net 1) (net_name "GND") (layers "F&B.Cu") (name "pour") (hatch edge 0.5) (priority 3) (polygon {ring})'
        ' (filled_polygon (layer "B.Cu") (island) (pts (xy 0 0) (xy 5 0) (xy 5 2))))',
        f'(zone (net 1) (net_name "GND") (layer "In1.Cu") (hatch edge 0.5) (polygon {ring}))',
        f'(zone (net 1) (net_name "GND") (layer "F.Cu") (attr (teardrop (type padvia))) (polygon {ring})'
        ' (filled_polygon (layer "F.Cu") (pts (xy 0 0) (xy 1 0) (xy 1 1))))',
        '(zone (net 0) (net_name "") (layers "*.Cu") (keepout (tracks not_allowed) (vias allowed)'
        f' (copperpour not_allowed)) (polygon {ring}))',
        f'(zone (net 0) (net_name "") (layer "F.Mask") (polygon {ring}))',
        '(footprint "lib:mount" (layer "F.Cu") (at 20 20 45) (property "Reference" "H1")'
        f' (zone (net 0) (net_name "") (layer "F.Cu") (keepout (pads not_allowed)) (polygon {ring})))')
    pour, plane, drop, area, mask, inside = layout.zones
    assert (pour.kind, pour.layers, pour.name, pour.priority) == ("copper", ("F.Cu", "B.Cu"), "pour", 3)
    assert [one.layer for one in pour.fills] == ["B.Cu"]
    assert len(pour.outlines[0]) > 10 and max(x for x, _ in pour.outlines[0]) == pytest.approx(6 * MM, abs=2e-6)
    assert plane.fills == () and drop.kind == "teardrop"
    assert (area.kind, area.keeps_out, len(area.layers)) == ("keep-out", ("tracks", "copperpour"), 4)
    assert mask.layers == () and (inside.part, inside.outlines[0][0]) == ("H1", (0, 0))
    assert told(layout) == ["zones that are not filled: their copper is unknown: 1, of GND"]


def pad(text: str, angle: str = "0") -> PadShape:
    """The shape of the pad of a part at (10, 10) that is turned."""
    (part,) = read(f'(footprint "x" (layer "F.Cu") (at 10 10 {angle}) (pad "1" smd {text}))').parts
    return part.pads[0].shape_on("F.Cu")


@pytest.mark.parametrize(("text", "inside", "outside"), [
    ("rect (at 0 0) (size 2 1) (layers F.Cu)", (10.99, 10.49), (11.01, 10)),
    ("rect (at 0 0 90) (size 2 1) (layers F.Cu)", (10.49, 10.99), (10.6, 10)),
    ("rect (at 0 0 30) (size 4 1) (layers F.Cu)", (11.7, 9.02), (11.7, 10.98)),
    ("rect (at 0 0 90) (size 2 1) (drill (offset 1 0)) (layers F.Cu)", (10, 8.1), (10, 10.1)),
    ("circle (at 0 0) (size 2 2) (layers F.Cu)", (10.7, 10.7), (10.8, 10.8)),
    ("oval (at 0 0) (size 4 2) (layers F.Cu)", (11.7, 10.7), (11.8, 10.8)),
    ("roundrect (at 0 0) (size 4 2) (layers F.Cu) (roundrect_rratio 0.25)", (11.84, 10.84), (11.9, 10.9)),
    ("roundrect (at 0 0) (size 4 2) (layers F.Cu) (roundrect_rratio 0) (chamfer_ratio 0.5) (chamfer top_left)",
     (11.95, 9.05), (8.4, 9.4)),
    ("trapezoid (at 0 0) (size 4 2) (rect_delta 0 1) (layers F.Cu)", (11.9, 10.4), (11.9, 10.6)),
    ("rect (at 0 0) (size 2 1) (drill (offset 1 0)) (layers F.Cu)", (11.9, 10), (9.9, 10)),
    ("custom (at 0 0) (size 1 1) (layers F.Cu) (options (clearance outline) (anchor circle))"
     " (primitives (gr_poly (pts (xy 0 0) (xy 3 0) (xy 3 1) (xy 0 1)) (width 0) (fill yes)))", (12.9, 10.9), (12, 9.4)),
    ("custom (at 0 0) (size 1 1) (layers F.Cu) (options (clearance outline) (anchor rect))"
     " (primitives (gr_line (start 0 0) (end 0 4) (width 1)))", (10.4, 13.9), (10.6, 13)),
])
def test_pads_of_every_shape(text: str, inside: tuple[float, float], outside: tuple[float, float]) -> None:
    shape = pad(text)
    assert shape.holds((inside[0] * MM, inside[1] * MM)) and not shape.holds((outside[0] * MM, outside[1] * MM))


def test_a_pad_may_differ_from_layer_to_layer() -> None:
    (part,) = read('(footprint "x" (layer "F.Cu") (at 0 0) (attr through_hole dnp) (property "MPN" "ABC 1")'
                   ' (property "Sheetfile" "s") (pad "A1" thru_hole circle (at 0 0) (size 2 2) (drill 1)'
                   ' (layers "*.Cu" "*.Mask") (net 1 "GND") (die_length 0.02)'
                   ' (pinfunction "VSS") (padstack (mode front_inner_back) (layer "Inner" (shape rect) (size 3 1))'
                   ' (layer "B.Cu" (shape circle) (size 4 4))))'
                   ' (pad "" np_thru_hole circle (at 5 5) (size 1 1) (drill 1) (layers "*.Cu" "*.Mask")))').parts
    first, hole = part.pads
    assert [first.shape_on(name).width for name in ("F.Cu", "In1.Cu", "B.Cu")] == [
        pytest.approx(size * MM) for size in (2, 3, 4)]
    assert (first.pin, first.function, first.die_length) == ("A1", "VSS", pytest.approx(0.02 * MM))
    assert not hole.plated and hole.drill == (1 * MM, 1 * MM)
    assert not part.fitted and part.fields == (("MPN", "ABC 1"),)


@pytest.mark.parametrize(("field", "fitted"), [
    ('"DNP" "DNP"', False), ('"DNP" ""', True), ('"Do not populate" "yes"', False), ('"dnp" "0"', True),
    ('"MPN" "DNP"', True),
])
def test_a_field_may_say_that_a_part_is_not_fitted(field: str, fitted: bool) -> None:
    (part,) = read(f'(footprint "x" (layer "F.Cu") (at 0 0) (property "Reference" "C1") (property {field}))').parts
    assert part.fitted is fitted


def test_what_is_not_read_is_counted_by_its_name() -> None:
    layout = read('(gr_text "logo" (at 1 1) (layer "F.Cu"))', '(gr_text "note" (at 1 1) (layer "F.SilkS"))',
                  '(gr_line (start 0 0) (end 1 1) (layer "B.Cu") (width 0.2))', '(hologram (at 0 0))', '(hologram)',
                  '(dimension (type aligned) (layer "Dwgs.User"))', '(generated (type tuning_pattern))',
                  '(footprint "x" (layer "F.Cu") (at 0 0) (fp_poly (pts (xy 0 0) (xy 1 0)) (layer "F.Cu")) (spell "x")'
                  ' (pad "1" smd rect (at 0 0) (size 1 1) (layers F.Cu) (front_post_machining counterbore)))')
    assert layout.skipped == (("fp_poly on copper", 1), ("front_post_machining of a pad", 1), ("gr_line on copper", 1),
                              ("gr_text on copper", 1), ("hologram", 2), ("spell of a footprint", 1))


def test_a_part_of_a_library_may_name_layers_that_the_board_does_not_have() -> None:
    layout = read('(footprint "x" (layer "F.Cu") (at 10 10)'
                  ' (pad "1" thru_hole circle (at 0 0) (size 1 1) (drill 0.5) (layers "F.Cu" "In5.Cu" "In6.Cu" "B.Cu"))'
                  ' (pad "2" thru_hole circle (at 0 2) (size 1 1) (drill 0.5) (layers "F.Cu" "In5.Cu" "B.Cu")))')
    assert layout.parts[0].pads[0].layers == ("F.Cu", "B.Cu")
    assert [(one.line, one.found) for one in layout.told] == [(18, "In5.Cu"), (18, "In6.Cu")]


def test_a_micro_via_that_reaches_through_the_board_is_told() -> None:
    layout = read('(via micro (at 1 1) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net 1))')
    assert told(layout) == ["a micro via reaches from the top to the bottom layer: F.Cu to B.Cu"]


def test_net_0_needs_no_row_of_the_table() -> None:
    layout = read('(segment (start 0 0) (end 1 0) (width 0.1) (layer "F.Cu") (net 0))', nets='(net 1 "GND")')
    assert layout.tracks[0].net == "" and layout.nets == ("GND",)


def test_the_board_edge_may_be_circles() -> None:
    circles = [f'(gr_circle (center 20 20) (end {20 + radius} 20) (layer "Edge.Cuts"))' for radius in (2, 10)]
    layout = read(*circles, edge="")
    assert [max(x for x, _ in ring) for ring in layout.outline] == [pytest.approx(30 * MM), pytest.approx(22 * MM)]
    assert told(layout) == []


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = board(TRACK)
    plain = parse_kicad(text.encode(), "a")
    assert parse_kicad(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), "a") == plain


def test_pairs_are_made_by_the_end_of_a_name() -> None:
    names = ["CLK_P", "CLK_N", "CAM_RX0_0P", "CAM_RX0_0N", "d+", "d-", "usb_p", "usb_n", "DQS_P_1", "DQS_N_1",
             "USB_DP", "USB_DN", "LONELY_P", "VCC+", "12", ""]
    assert [(one.p, one.n) for one in pairs(names)] == [
        ("CAM_RX0_0P", "CAM_RX0_0N"), ("CLK_P", "CLK_N"), ("DQS_P_1", "DQS_N_1"), ("USB_DP", "USB_DN"), ("d+", "d-")]


def test_net_classes_come_from_the_project() -> None:
    project = {"net_settings": {
        "classes": [{"name": "Default", "track_width": 0.2, "clearance": 0.0}, {"name": "PCIe", "diff_pair_gap": 0.15,
                    "diff_pair_width": 0.1, "nets": ["OLD"]}, {"nameless": 1}],
        "netclass_assignments": {"A_P": ["PCIe"], "B": "PCIe"},
        "netclass_patterns": [{"netclass": "PCIe", "pattern": "*TX*"}]}}
    layout = parse_kicad(board().encode(), "a.kicad_pcb", beside={".kicad_pro": json.dumps(project).encode()})
    default, pcie = layout.classes
    assert (default.width, default.clearance) == (0.2 * MM, None)
    assert (pcie.pair_gap, pcie.nets, pcie.patterns) == (0.15 * MM, ("A_P", "B", "OLD"), ("*TX*",))
    for broken in (b"{", b"\xff", b"[]", b"[" * 100_000, b'{"net_settings": {"classes": 1}}'):
        layout = parse_kicad(board().encode(), "a.kicad_pcb", beside={".kicad_pro": broken})
        assert layout.classes == () and layout.told[0].file == "a.kicad_pro", broken


def test_the_layer_table_may_hold_more_than_it_needs() -> None:
    layers = LAYERS.replace("signal)", "signal hide)", 1)
    assert read(layers=layers).copper[0].label == ""


def test_what_kicad_10_adds_is_read_or_passed_over() -> None:
    treated = ("(capping no) (covering (front no) (back no)) (plugging (front no) (back no)) (filling no)"
               " (start_end_only no) (zone_layer_connections \"In1.Cu\")")
    layout = read(
        '(variants (variant (name "Assembly") (description "first")))',
        '(barcode (at 25 12 90) (layer "F.SilkS") (size 8 5) (text "ABC") (type qr))',
        '(footprint "Test:Tie" (layer "F.Cu") (at 20 20) (net_tie_pad_groups "1, 2") (attr smd)'
        ' (duplicate_pad_numbers_are_jumpers no) (jumper_pad_groups ("1" "2") ("3" "4"))'
        ' (component_classes (class "Power")) (units (unit (name "A") (pins "1")))'
        ' (variant (name "Assembly") (dnp no) (field (name "Value") (value "Other")))'
        ' (pad "1" thru_hole oval (at 0 0) (size 3 1.7) (drill oval 1 (offset -0.5 0)) (layers "*.Cu" "*.Mask")'
        ' (remove_unused_layers) (backdrill (size 1.4) (layers "B.Cu" "In2.Cu")) (net "VCC")))',
        f'(via (at 5 5) (size 0.45) (drill 0.1) (layers "F.Cu" "B.Cu") {treated} (net "VCC"))',
        '(generated (id 4f22a815-3048-42b3-86fa-eb71720d35ae) (type tuning_pattern) (layer "F.Cu") (members 0376a7f9))',
        nets="", version=20260206)
    assert told(layout) == [] and layout.skipped == () and layout.nets == ("VCC",)
    (pad,) = layout.parts[0].pads
    assert pad.unused_removed and pad.drilled_away[0].last == "In2.Cu"
    assert pad.drill == (1 * MM, 1 * MM) and pad.shape_on("F.Cu").centre == pytest.approx((19.5 * MM, 20 * MM))


def test_the_same_remark_on_many_objects_is_one() -> None:
    layout = read(*['(via (at 3 1) (size 0.4) (drill 0.2) (layers "F.Cu" "In2.Cu") (net 1))'] * 300)
    (remark,) = layout.told
    assert remark.found == "F.Cu to In2.Cu; so are 299 others" and remark.line == 18


RULES = b"""(version 1)
# the pairs inside
(rule "hdmi (inner"
  (layer inner)
  # wide
  (condition "A.NetClass == 'HDMI' && !AB.isCoupledDiffPair()")
  (constraint track_width (min 4mil) (opt 0.125mm)) (constraint diff_pair_gap (opt "0.2 mm") (max 300um))
  (constraint skew (max 5ps)) (constraint disallow via))
"""


def test_custom_rules_stand_beside_the_board() -> None:
    layout = parse_kicad(board().encode(), "a.kicad_pcb", beside={".kicad_dru": RULES})
    (rule,) = layout.rules
    assert (rule.name, rule.layer) == ("hdmi (inner", "inner")
    assert rule.condition == "A.NetClass == 'HDMI' && !AB.isCoupledDiffPair()"
    assert [(one.of, one.least, one.wanted, one.most) for one in rule.bounds] == [
        ("track_width", pytest.approx(0.1016 * MM), pytest.approx(0.125 * MM), None),
        ("diff_pair_gap", None, pytest.approx(0.2 * MM), pytest.approx(0.3 * MM)),
        ("skew", None, None, None), ("disallow via", None, None, None)]
    assert layout.told == ()
    cut = parse_kicad(board().encode(), "a.kicad_pcb", beside={".kicad_dru": RULES + b"(rule x\n (layer \n"})
    assert cut.rules == (rule,) and cut.told[0].file == "a.kicad_dru" and cut.told[0].line == 11
    for broken in (b"\xff", b")", b'"', b"(rule)", b"((((", b"x"):
        assert parse_kicad(board().encode(), "a", beside={".kicad_dru": broken}).told[0].file == "a.kicad_dru"


def test_origins_beside_that_of_the_page_are_kept() -> None:
    text = board().replace("(setup", "(setup (aux_axis_origin 76.5 134) (grid_origin 0 0)", 1)
    layout = parse_kicad(text.encode(), "b.kicad_pcb")
    assert layout.origins == (("drill/place origin", (0.0765, 0.134)),) and layout.unit == "mm" and layout.y_down
