# SPDX-License-Identifier: MIT
"""What IPC-2581 files hold, each on a file of a few lines; lengths worked out by hand."""

from __future__ import annotations

import math

import pytest
from small_ipc2581 import LAYERS, SPECS, STACKUP, features, file, read

from pcbrules.layout.copper import DrilledAway
from pcbrules.layout.drawn_pairs import drawn_pairs
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import LayoutPart, in_ring
from pcbrules.layout.rings import area
from pcbrules.readers.drawn.outlines import outline
from pcbrules.readers.ipc2581.board import parse_ipc2581

MM = 1e-3

LINE = '<Features><Line startX="1" startY="2" endX="4" endY="6"><LineDescRef id="L2"/></Line></Features>'


def told(layout: Layout) -> list[str]:
    """Message and finding of every remark."""
    return [f"{one.message}: {one.found}" for one in layout.told]


def at(*mm: float) -> object:
    """A point in metres, nearly. [mm]"""
    return pytest.approx(tuple(one * MM for one in mm), abs=1e-12)


def test_layers_and_sheets_come_with_thickness_material_and_centres() -> None:
    layout = read()
    assert [one.name for one in layout.copper] == ["TOP", "GND", "SIG", "BOT"]
    assert [one.role for one in layout.copper] == ["signal", "power", "", "signal"]
    prepreg = layout.layers[2]
    assert (prepreg.kind, prepreg.role, prepreg.material, prepreg.dk, prepreg.df) == (
        "dielectric", "prepreg", "2116", 4.3, 0.02)
    assert layout.thickness_sum == pytest.approx(1.39 * MM) and layout.thickness == pytest.approx(1.4 * MM)
    assert heights(layout.layers)["SIG"] == pytest.approx(1.24 * MM)
    assert told(layout) == ["the build-up does not add up to the declared thickness: 1.39 mm for 1.4 mm"]
    assert (layout.format, layout.version, layout.y_down) == ("ipc2581", "C", False)
    assert layout.outline[0][2] == at(50, 40)


def test_a_thickness_measured_over_metal_leaves_the_mask_out() -> None:
    """The sheets are 1.39 mm with a mask of 0.01 mm."""
    cases = (("METAL", "1.38", 0), ("MASK", "1.38", 1), ("METAL", "1.39", 1), ("MASK", "1.39", 0))
    for where, declared, remarks in cases:
        stack = STACKUP.replace('overallThickness="1.4"', f'overallThickness="{declared}" whereMeasured="{where}"')
        assert len(read(stackup=stack).told) == remarks


@pytest.mark.parametrize(("units", "metres", "shown"), [
    ("MILLIMETER", 1e-3, "mm"), ("MICRON", 1e-6, "um"), ("INCH", 0.0254, "in")])
def test_units_are_exact(units: str, metres: float, shown: str) -> None:
    layout = read(features("TOP", LINE), units=units, stackup="")
    assert layout.unit == shown
    track, = layout.tracks
    assert track.start == (1 * metres, 2 * metres) and track.length == pytest.approx(5 * metres, rel=1e-15)
    assert track.width == 0.2 * MM  # the dictionary has its own unit


def test_the_unit_of_the_dictionaries_serves_where_the_drawing_has_none() -> None:
    layout = read(features("TOP", LINE), units="")
    assert layout.tracks[0].length == pytest.approx(5 * MM)
    assert "the unit of the drawing is not stated: that of the dictionaries is taken: MILLIMETER" in told(layout)


@pytest.mark.parametrize(("clockwise", "length"), [("true", 3 * math.pi), ("false", math.pi), ("", math.pi)])
def test_an_arc_goes_the_way_that_it_says(clockwise: str, length: float) -> None:
    """From (2, 0) to (0, 2) round the origin is a quarter counter-clockwise, three quarters clockwise."""
    said = f'clockwise="{clockwise}"' if clockwise else ""
    arc = ('<Features><Arc startX="2" startY="0" endX="0" endY="2" centerX="0" centerY="0" ' + said +
           '><LineDesc lineWidth="0.1"/></Arc></Features>')
    curve = (f'<Features><Polyline><PolyBegin x="2" y="0"/><PolyStepCurve x="0" y="2" centerX="0" centerY="0" {said}/>'
             '<PolyStepSegment x="0" y="2"/><PolyStepSegment x="0" y="5"/><LineDescRef id="L2"/></Polyline></Features>')
    one, bent, straight = read(features("TOP", arc, curve)).tracks
    assert one.length == bent.length == pytest.approx(length * MM, rel=1e-12)
    assert one.mid is not None and one.mid[0] * (1 if length == math.pi else -1) > 0
    assert (straight.mid, straight.length) == (None, pytest.approx(3 * MM))


def test_an_arc_that_ends_where_it_starts_is_a_circle() -> None:
    arc = ('<Features><Arc startX="2" startY="0" endX="2" endY="0" centerX="0" centerY="0" clockwise="true">'
           '<LineDesc lineWidth="0.1"/></Arc></Features>')
    assert read(features("TOP", arc)).tracks[0].length == pytest.approx(4 * math.pi * MM)


def test_a_plane_has_its_holes_and_the_sense_of_its_curves() -> None:
    """A square of 10 mm with a half circle of 1 mm radius cut into its lower side, and a square void of 2 mm."""
    plane = ('<Features><Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="4" y="0"/>'
             '<PolyStepCurve x="6" y="0" centerX="5" centerY="0" clockwise="true"/><PolyStepSegment x="10" y="0"/>'
             '<PolyStepSegment x="10" y="10"/><PolyStepSegment x="0" y="10"/><PolyStepSegment x="0" y="0"/></Polygon>'
             '<Cutout><PolyBegin x="7" y="7"/><PolyStepSegment x="9" y="7"/><PolyStepSegment x="9" y="9"/>'
             '<PolyStepSegment x="7" y="9"/><PolyStepSegment x="7" y="7"/></Cutout></Contour></Features>')
    zone, = read(features("GND", plane, attrs='net="GND"')).zones
    fill, = zone.fills
    assert (zone.net, zone.kind, zone.layers) == ("GND", "copper", ("GND",))
    assert area(fill.ring) == pytest.approx((100 - math.pi / 2 - 4) * 1e-6, rel=1e-4)
    assert in_ring((6.5 * MM, 8 * MM), fill.ring) and not in_ring((8 * MM, 8 * MM), fill.ring)


PAIR = "".join(
    features("TOP", f'<Pad><Location x="{x}" y="{y}"/><StandardPrimitiveRef id="C"/>'
                    f'<PinRef componentRef="{part}" pin="{pin}"/></Pad>', attrs=f'net="{net}"')
    for net, pin, y in (("A_P", 1, 0), ("A_N", 2, 5)) for part, x in (("U1", 0), ("U2", 20)))
PARTS = "".join(f'<Component refDes="{one}" layerRef="TOP"><Location x="0" y="0"/></Component>'
                for one in ("U1", "U2"))
VIAS = "".join(
    features(layer, "".join(f'<Pad><Location x="{x}" y="0"/><StandardPrimitiveRef id="C"/></Pad>' for x in (5, 15)))
    for layer in ("TOP", "GND", "SIG", "BOT"))
ROUTE = (features("TOP", *(f'<Features><UserSpecial><Line startX="{a}" startY="0" endX="{b}" endY="0">'
                           '<LineDescRef id="L2"/></Line></UserSpecial></Features>' for a, b in ((0, 5), (15, 20))))
         + features("SIG", '<Features><Polyline><PolyBegin x="5" y="0"/><PolyStepSegment x="15" y="0"/>'
                           '<LineDescRef id="L2"/></Polyline></Features>')
         + features("TOP", '<Features><Line startX="0" startY="5" endX="20" endY="5"><LineDescRef id="L2"/></Line>'
                           "</Features>", attrs='net="A_N"'))


def holes(layer: str = "DRILL", diameter: float = 0.2, plating: str = "VIA", inner: str = "",
          xs: tuple[int, ...] = (5, 15), net: str = "A_P") -> str:
    """Holes of the pair's vias."""
    hole = f'<Hole diameter="{diameter}" platingStatus="{plating}" y="0"'
    return features(layer, *(f'{hole} x="{x}">{inner}</Hole>' for x in xs), attrs=f'net="{net}"')


def test_a_pair_is_measured_over_its_vias() -> None:
    """The centres of TOP and SIG are 1.21 mm apart; the barrel goes on for 0.13 mm to the centre of BOT."""
    layout = read(PARTS, PAIR, VIAS, ROUTE, holes())
    assert layout.pairs == (NetPair("A_P", "A_N"),)
    pair, = drawn_pairs(layout)
    assert pair.p.length == pytest.approx((20 + 2 * 1.21) * MM) and pair.n.length == pytest.approx(20 * MM)
    assert (pair.p.vias, pair.p.layers, pair.p.stub) == (2, ("TOP", "SIG"), pytest.approx(0.13 * MM))
    via = layout.vias[0]
    assert (via.kind, via.net, via.drill, via.pad, via.first, via.last) == (
        "through", "A_P", 0.2 * MM, 0.5 * MM, "TOP", "BOT")
    assert layout.loose == () and layout.skipped == ()


def test_a_wider_bare_hole_from_an_outer_layer_is_a_backdrill() -> None:
    layout = read(PARTS, PAIR, VIAS, ROUTE, holes(), holes("BACK", 0.4, "NONPLATED", xs=(5,), net=""))
    assert layout.vias[0].drilled_away == (DrilledAway("BOT", "SIG", 0.4 * MM),) and not layout.vias[1].drilled_away
    assert layout.loose == ()


@pytest.mark.parametrize("spec", [
    '<Spec name="B"><Backdrill startLayerRef="BOT" mustNotCutLayerRef="SIG" maxStubLength="0.1"/></Spec>'
    '<Spec name="A"><Backdrill startLayerRef="TOP" mustNotCutLayerRef="BOT"/></Spec>',
    '<Spec name="B"><Backdrill type="START_LAYER"><Property layerOrGroupRef="BOT"/></Backdrill>'
    '<Backdrill type="MUST_NOT_CUT_LAYER"><Property layerOrGroupRef="SIG"/></Backdrill></Spec><Spec name="A"/>',
])
def test_a_backdrill_by_specification_has_no_diameter(spec: str) -> None:
    layout = read(PARTS, PAIR, VIAS, ROUTE, holes(inner='<SpecRef id="A"/><SpecRef id="B"/>'), specs=SPECS + spec)
    assert layout.vias[0].drilled_away == (DrilledAway("BOT", "SIG", None),)
    assert drawn_pairs(layout)[0].p.stub == 0
    assert "the diameter of a backdrill is not stated: 2" in told(layout)


def test_a_via_that_does_not_go_through_and_one_without_a_span() -> None:
    layout = read(VIAS, holes("LASER", xs=(5,)), holes(xs=(15,)),
                  layers=LAYERS.replace('<Span fromLayer="TOP" toLayer="BOT"/>', ""))
    assert [(one.kind, one.first, one.last) for one in layout.vias] == [
        ("blind", "TOP", "GND"), ("through", "TOP", "BOT")]
    assert "the file does not say how deep holes go: they are taken through: 1" in told(layout)


def test_a_via_with_a_pad_of_no_size_is_read() -> None:
    pad = '<Pad><Location x="5" y="0"/><Circle diameter="0"/></Pad>'
    assert [one.pad for one in read(features("TOP", pad), holes(xs=(5,))).vias] == [0]


def test_pads_that_are_missing_on_inner_layers_are_removed_ones() -> None:
    pad = '<Pad><Location x="5" y="0"/><Circle diameter="0.6"/></Pad>'
    outer = features("TOP", pad) + features("BOT", pad)
    via, = read(outer, holes(xs=(5,))).vias
    assert via.unused_removed and via.pad == pytest.approx(0.6 * MM)


PACKAGE = ('<Package name="P"><Pin number="1" type="SURFACE"><Location x="3" y="1"/><StandardPrimitiveRef id="R"/>'
           '</Pin><Pin number="2" type="THRU"><Location x="-3" y="1"/><Circle diameter="1"/></Pin></Package>')


@pytest.mark.parametrize(("xform", "layer", "pin", "angle"), [
    ("", "TOP", (13, 21), 0), ('<Xform rotation="90"/>', "TOP", (9, 23), 90),
    # what was turned by 90 degrees, (-1, 3), is mirrored at the y axis
    ('<Xform rotation="90" mirror="true"/>', "BOT", (11, 23), 90),
    ('<Xform mirror="true"/>', "BOT", (7, 21), 0),
])
def test_parts_are_turned_then_mirrored(xform: str, layer: str, pin: tuple[float, float], angle: float) -> None:
    part = f'<Component refDes="U1" packageRef="P" layerRef="{layer}">{xform}<Location x="10" y="20"/></Component>'
    net = '<LogicalNet name="CLK" netClass="CLK"><PinRef componentRef="U1" pin="1"/></LogicalNet>'
    layout = read(PACKAGE, part, net)
    made, = layout.parts
    assert (made.side, made.angle) == ("bottom" if layer == "BOT" else "top", angle)
    assert made.pads[0].at == at(*pin)
    assert (made.pads[0].net, made.pads[0].layers) == ("CLK", (layer,))
    assert made.pads[1].layers == ("TOP", "GND", "SIG", "BOT") and made.pads[1].net == ""
    assert "pads of parts are not drawn: they are taken from their packages: 1" in told(layout)
    assert [(one.name, one.nets) for one in layout.classes] == [("CLK", ("CLK",))]
    # copper drawn at the place of the pin, without naming it, is that pin
    drawn = features(layer, f'<Pad><Location x="{pin[0]}" y="{pin[1]}"/><StandardPrimitiveRef id="R"/></Pad>',
                     attrs='net="CLK"')
    pads = read(PACKAGE, part, drawn).parts[0].pads
    assert [(one.pin, one.net) for one in pads] == [("1", "CLK")]


def test_a_pad_is_turned_then_mirrored() -> None:
    """Its long side, turned to 30 degrees, points to 150 degrees in the mirror."""
    pad = ('<Pad><Xform rotation="30" mirror="true"/><Location x="5" y="5"/><StandardPrimitiveRef id="R"/>'
           '<PinRef componentRef="U1" pin="1"/></Pad>')
    shape = read(PARTS, features("TOP", pad)).parts[0].pads[0].shape_on("TOP")
    x, y = 0.95 * math.cos(math.pi / 6), 0.95 * math.sin(math.pi / 6)
    assert shape.holds(((5 - x) * MM, (5 + y) * MM)) and not shape.holds(((5 + x) * MM, (5 + y) * MM))


def test_a_via_in_a_pad_of_a_part_stays_a_via() -> None:
    """The file names no pins: the rectangle is the pin's, the circle of the via's geometry is the via's."""
    part = '<Component refDes="U1" packageRef="P" layerRef="TOP"><Location x="10" y="20"/></Component>'
    drawn = (features("TOP", '<Features><Location x="13" y="21"/></Features>', attrs='net="A" geometry="R"')
             + features("TOP", '<Features><Location x="13" y="21"/><UserPrim><Circle diameter="0.6"/></UserPrim>'
                        "</Features>", attrs='net="A" geometry="V"')
             + features("DRILL", '<Hole diameter="0.3" platingStatus="VIA" x="13" y="21"/>',
                        attrs='net="A" geometry="V"'))
    layout = read(PACKAGE, part, drawn)
    pad, = layout.parts[0].pads
    assert (pad.pin, pad.shapes[0][1].width, pad.drill) == ("1", 2 * MM, ())
    assert [(one.net, one.pad) for one in layout.vias] == [("A", pytest.approx(0.6 * MM))] and layout.loose == ()
    assert "elements that the standard does not have are read by what is in them: 1 <UserPrim>" in told(layout)


def test_teardrops_are_known_by_their_use() -> None:
    area_of = ('<Features><UserSpecial><Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="4" y="0"/>'
               '<PolyStepSegment x="4" y="4"/></Polygon></Contour></UserSpecial></Features>')
    tear = features("TOP", area_of, attrs='net="A_P" geometryUsage="TEARDROP"')
    zones = read(features("TOP", area_of, area_of), tear, features("GND", area_of)).zones
    assert [(one.kind, one.layers, len(one.fills)) for one in zones] == [
        ("copper", ("TOP",), 2), ("teardrop", ("TOP",), 1), ("copper", ("GND",), 1)]


def test_the_bill_of_materials_gives_value_and_population() -> None:
    bom = ('<BomItem><RefDes name="C1" populate="false" packageRef="0402"/><Characteristics><Textual '
           'textualCharacteristicName="Value" textualCharacteristicValue="100nF"/><Measured '
           'measuredCharacteristicName="Voltage" measuredCharacteristicValue="16" engineeringUnitOfMeasure="V"/>'
           "</Characteristics></BomItem>")
    part = '<Component refDes="C1" packageRef="0402_7" layerRef="TOP"><Location x="1" y="2"/></Component>'
    made, = read(part, bom=bom).parts
    assert made == LayoutPart("C1", "100nF", "0402", (1 * MM, 2 * MM), 0.0, "top", (), False, (("Voltage", "16V"),))


def test_a_padstack_gives_the_shape_by_layer_and_the_hole() -> None:
    stack = ('<PadStackDef name="S"><PadstackHoleDef diameter="0.8" platingStatus="PLATED"/>'
             '<PadstackPadDef layerRef="TOP" padUse="REGULAR"><StandardPrimitiveRef id="R"/></PadstackPadDef>'
             '<PadstackPadDef layerRef="BOT" padUse="REGULAR"><Circle diameter="1.2"/></PadstackPadDef>'
             '<PadstackPadDef layerRef="GND" padUse="ANTIPAD"><Circle diameter="3"/></PadstackPadDef></PadStackDef>')
    pad = ('<Pad padstackDefRef="S"><Xform rotation="90"/><Location x="5" y="5"/>'
           '<PinRef componentRef="U1" pin="1"/></Pad>')
    part = '<Component refDes="U1" layerRef="TOP"><Location x="0" y="0"/></Component>'
    pin, = read(stack, part, features("TOP", pad), features("BOT", pad)).parts[0].pads
    assert (pin.layers, pin.drill, pin.plated) == (("TOP", "BOT"), (0.8 * MM, 0.8 * MM), True)
    assert pin.shape_on("TOP").angle == pytest.approx(math.pi / 2) and pin.shape_on("BOT").width == 1.2 * MM
    assert pin.shape_on("TOP").holds((5 * MM, 5.99 * MM)) and not pin.shape_on("TOP").holds((5.6 * MM, 5 * MM))


def test_two_pads_at_one_place_on_two_sides_are_two_without_a_hole() -> None:
    pad = '<Pad><Location x="5" y="5"/><Circle diameter="1"/><PinRef componentRef="J1" pin="2"/></Pad>'
    part = '<Component refDes="J1" layerRef="TOP"><Location x="0" y="0"/></Component>'
    both = read(part, features("TOP", pad), features("BOT", pad)).parts[0].pads
    assert [one.layers for one in both] == [("TOP",), ("BOT",)]
    hole = features("DRILL", '<Hole diameter="0.5" platingStatus="PLATED" x="5" y="5"/>')
    one, = read(part, features("TOP", pad), features("BOT", pad), hole).parts[0].pads
    assert (one.layers, one.drill) == (("TOP", "BOT"), (0.5 * MM, 0.5 * MM))


@pytest.mark.parametrize("slot", [
    '<Outline><Polygon><PolyBegin x="4" y="4.5"/><PolyStepSegment x="6" y="4.5"/><PolyStepSegment x="6" y="5.5"/>'
    '<PolyStepSegment x="4" y="5.5"/></Polygon></Outline>',
    '<Location x="5" y="5"/><Oval width="2" height="1"/>',
])
def test_slots_belong_to_their_pads_and_bare_holes_to_none(slot: str) -> None:
    pad = '<Pad><Location x="5" y="5"/><Oval width="3" height="2"/><PinRef componentRef="J1" pin="S"/></Pad>'
    part = '<Component refDes="J1" layerRef="TOP"><Location x="0" y="0"/></Component>'
    layout = read(part, features("TOP", pad), features("BOT", pad),
                  features("DRILL", f'<SlotCavity platingStatus="PLATED">{slot}</SlotCavity>',
                           '<Hole diameter="3" platingStatus="NONPLATED" x="30" y="30"/>'))
    assert layout.parts[0].pads[0].drill == at(2, 1)
    bare, = layout.loose
    assert (bare.plated, bare.layers, bare.drill) == (False, (), (3 * MM, 3 * MM))


def test_revision_a_has_padstacks_with_their_net() -> None:
    stack = ('<PadStack net="A_P"><LayerHole name="h" diameter="0.3" platingStatus="VIA" x="5" y="0">'
             '<Span fromLayer="TOP" toLayer="GND"/></LayerHole>'
             '<LayerPad layerRef="TOP"><Location x="5" y="0"/><StandardPrimitiveRef id="C"/></LayerPad>'
             '<LayerPad layerRef="GND"><Location x="5" y="0"/><StandardPrimitiveRef id="C"/></LayerPad></PadStack>')
    via, = read(stack, revision="A").vias
    assert (via.net, via.kind, via.first, via.last, via.pad) == ("A_P", "blind", "TOP", "GND", 0.5 * MM)


def test_what_is_not_copper_of_a_net_is_counted() -> None:
    layout = read(
        features("TOP", LINE, attrs='geometryUsage="TEXT"'), features("TOP", LINE, attrs='net="A" polarity="NEGATIVE"'),
        features("TOP", "<Features><Text/></Features>", "<Fiducial/>",
                 '<Features><Circle diameter="1"><FillDesc fillProperty="HOLLOW"/></Circle></Features>',
                 '<Features><Line startX="0" startY="0" endX="1" endY="0"/></Features>'),
        features("MASK", LINE), "<Novelty><LayerFeature/></Novelty>")
    assert dict(layout.skipped) == {
        "Line on copper, TEXT": 1, "Set of negative copper": 1, "Text on copper": 1, "Fiducial in Set": 1,
        "hollow Circle on copper": 1, "Line without a width": 1, "Novelty in Step": 1}
    assert layout.tracks == ()


def test_sets_in_sets_inherit_the_net() -> None:
    inner = f'<Set padUsage="VIA">{LINE}</Set>'
    assert read(features("TOP", inner)).tracks[0].net == "A_P"


def test_a_copper_layer_of_no_thickness_with_pads_alone_is_left_out() -> None:
    layers = LAYERS + '<Layer name="PSEUDO" layerFunction="CONDUCTOR"/>'
    stack = STACKUP.replace('<StackupLayer layerOrGroupRef="D2"',
                            '<StackupLayer layerOrGroupRef="PSEUDO" thickness="0" sequence="4.5"/>'
                            '<StackupLayer layerOrGroupRef="D2"')
    pads = VIAS + features("PSEUDO", '<Pad><Location x="5" y="0"/><Circle diameter="0.5"/></Pad>')
    layout = read(pads, holes(), layers=layers, stackup=stack)
    assert [one.name for one in layout.copper] == ["TOP", "GND", "SIG", "BOT"] and layout.loose == ()
    assert "a copper layer without thickness, on which only pads of vias lie, is left out: 'PSEUDO'" in told(layout)
    used = read(pads, features("PSEUDO", LINE), layers=layers, stackup=stack)
    assert len(used.copper) == 5 and used.thickness_sum is None


def test_a_build_up_of_groups_in_groups_and_of_other_copper() -> None:
    row = '<StackupLayer layerOrGroupRef='
    inner = f'</StackupGroup><StackupGroup name="H">{row}"D3"'
    nested = STACKUP.replace(f'{row}"D3"', inner).replace(f'{row}"D2"', f'{row}"H" sequence="6.5"/>{row}"D2"')
    assert [one.name for one in read(stackup=nested).layers] == ["MASK", "TOP", "D1", "GND", "D2", "SIG", "D3", "BOT"]
    short = read(stackup=STACKUP.replace('layerOrGroupRef="SIG"', 'layerOrGroupRef="NONE"'))
    assert [one.name for one in short.layers] == ["TOP", "GND", "SIG", "BOT"] and short.thickness_sum is None
    said = "the build-up has other copper layers than the file: it is not used: TOP, GND, BOT for TOP, GND, SIG, BOT"
    assert said in told(short)
    assert "the build-up names a layer that the file does not have: it is left out: 'NONE'" in told(short)


def test_specifications_by_the_other_name_of_kicad_9() -> None:
    layout = read(specs=SPECS.replace('"pp"', '"D1_1"'), stackup=STACKUP.replace('"pp"', '"SPEC_D1"', 1))
    assert layout.layers[2].dk == 4.3 and layout.layers[6].dk is None
    assert "a sheet refers to a specification that the file does not have: 'pp'" in told(layout)
    assert any(one.startswith("sheets refer to specifications by other names") for one in told(layout))


def test_the_netlist_and_the_drawing_may_contradict_each_other() -> None:
    net = '<LogicalNet name="B"><PinRef componentRef="U1" pin="1"/><PinRef componentRef="U2" pin="1"/></LogicalNet>'
    layout = read(PARTS, net.replace("B", "C"), net, PAIR)
    assert "the netlist gives a pin two nets: 'U1.1: C, B'" in told(layout)
    assert "the netlist and the drawing give a pin different nets: the drawing counts: 'U1.1: C, A_P'" in told(layout)
    assert layout.parts[0].pads[0].net == "A_P" and {"A_N", "A_P", "B", "C"} == set(layout.nets)


def test_of_several_steps_the_board_is_read_and_not_the_panel() -> None:
    panel = '<Step name="panel"><StepRepeat stepRef="board"/>' + features("TOP", LINE, LINE) + "</Step>"
    whole = file(features("TOP", LINE)).replace("<Step ", f"{panel}<Step ", 1)
    assert len(parse_ipc2581(whole.encode(), "x").tracks) == 1


@pytest.mark.parametrize(("shape", "square_mm"), [
    ('<RectRound width="2" height="1" radius="0.25"/>', 2 - (4 - math.pi) / 16),
    ('<RectRound width="2" height="1" radius="0.25" upperLeft="false" upperRight="false" lowerLeft="false" '
     'lowerRight="true"/>', 2 - (4 - math.pi) / 64),
    ('<RectCham width="2" height="1" chamfer="0.2"/>', 2 - 4 * 0.02), ('<Diamond width="2" height="1"/>', 1),
    ('<RectCorner lowerLeftX="0" lowerLeftY="0" upperRightX="2" upperRightY="1"/>', 2),
    ('<Ellipse width="2" height="1"/>', math.pi / 2), ('<Triangle base="2" height="1"/>', 1),
    ('<Hexagon length="2"/>', 1.5 * math.sqrt(3)), ('<Octagon length="2"/>', 2 * math.sqrt(2)),
    ('<Donut shape="ROUND" outerDiameter="2" innerDiameter="1"/>', 0.75 * math.pi),
    ('<Oval width="2" height="1"/>', 1 + math.pi / 4),
    ('<UserSpecial><RectCenter width="2" height="1"/></UserSpecial>', 2),
    ('<Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="1" y="0"/><PolyStepSegment x="0" y="1"/></Polygon>'
     "</Contour>", 0.5),
])
def test_every_standard_shape_has_its_copper(shape: str, square_mm: float) -> None:
    pad = f'<Pad><Xform rotation="30"/><Location x="5" y="5"/>{shape}<PinRef componentRef="U1" pin="1"/></Pad>'
    made = read(PARTS, features("TOP", pad)).parts[0].pads[0].shapes[0][1]
    square = sum(abs(area(one)) for one in outline(made))
    assert square == pytest.approx(square_mm * 1e-6, rel=4e-3)  # chords lie at most 2 um off an arc
