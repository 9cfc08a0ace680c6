# SPDX-License-Identifier: MIT
"""Every fault of an IPC-2581 file has its place and a cure; no file makes the reader fail, hang or grow."""

from __future__ import annotations

import pytest
from mutated_ipc2581 import SMALL, both
from mutated_layouts import shown
from small_ipc2581 import LAYERS, STACKUP, features, file

from pcbrules.errors import InputError
from pcbrules.readers.drawn import pads
from pcbrules.readers.ipc2581 import assembly, elements
from pcbrules.readers.ipc2581.board import parse_ipc2581

LINE = '<Features><Line startX="1" startY="2" endX="4" endY="6"><LineDescRef id="L2"/></Line></Features>'
HEAD = '<?xml version="1.0"?>\n'


def fault(data: str | bytes) -> str:
    """The first problem of a file that is refused."""
    with pytest.raises(InputError) as caught:
        parse_ipc2581(data if isinstance(data, bytes) else data.encode(), "b.xml")
    return caught.value.problems[0].text()


@pytest.mark.parametrize(("found", "wrong", "message"), [
    ('startX="1"', "", "<Line> has no startX"),
    ('startX="1"', 'startX="x"', "startX of <Line> is no number; found 'x'"),
    ('startX="1"', 'startX="nan"', "startX of <Line> is out of range; found nan"),
    ('startX="1"', 'startX="1e9"', "startX of <Line> is out of range; found 1e9; expected -10000 to 10000"),
    ('layerRef="TOP"', 'layerRef="NONE"', "features lie on a layer that the file does not have; found 'NONE'"),
])
def test_a_fault_of_an_object_has_its_place(found: str, wrong: str, message: str) -> None:
    text = file(features("TOP", "\n  " + LINE))
    line = text[: text.index("<LayerFeature" if "layer" in found else "<Line ")].count("\n") + 1
    told = fault(text.replace(found, wrong))
    assert told.startswith(f"b.xml:{line}:") and message in told, told


def test_all_faults_come_in_one_run_in_the_order_of_the_file() -> None:
    bad = "\n" + LINE.replace('startX="1"', "")
    with pytest.raises(InputError) as caught:
        parse_ipc2581(file(features("TOP", *[bad] * 150)).encode(), "b")
    problems = caught.value.problems
    assert [one.line for one in problems[:3]] == sorted(one.line for one in problems[:3])
    assert len(problems) == 101 and problems[-1].message == "and 50 more problems"


ENTITIES = HEAD + '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<IPC-2581 revision="&b;"/>'


@pytest.mark.parametrize(("text", "message"), [
    (ENTITIES, "b.xml:2:13: a document type is not accepted: it could define entities; found <!DOCTYPE x; fix: delete"),
    (HEAD + '<!DOCTYPE IPC-2581 SYSTEM "file:///etc/passwd">\n<IPC-2581/>', "b.xml:2:47: a document type"),
    (HEAD + '<IPC-2581 revision="&x;"/>', "this is no well-formed XML; found undefined entity"),
    (HEAD + "<Control><Stackup/></Control>", "b.xml:2:1: this is no IPC-2581 file; found '<Control>'; expected <IPC-"),
    (HEAD + '<IPC-2581 revision="C"></IPC-2581>', "the file has no copper layer"),
    (file(features("TOP", LINE))[:-60], "this is no well-formed XML, inside <"),
    (file(features("TOP", LINE)).replace("</Features>", ""), "found mismatched tag"),
    (file(units="PARSEC"), "the unit of <CadHeader> is not known; found 'PARSEC'; expected MILLIMETER, MICRON, INCH"),
    (file(units="", content=""), "the unit of the drawing is not stated"),
    (file(layers=LAYERS + '<Layer name="TOP" layerFunction="SIGNAL"/>'), "a layer stands twice; found 'TOP'"),
    (file(layers='<Layer name="TOP"/>'), "<Layer> has no layerFunction"),
    (file(stackup=STACKUP.replace('"0.04"', '"-1"')), "thickness of <StackupLayer> is out of range; found -1"),
    (file("<a>" * 100), "elements are nested too deeply"),
    (file(features("TOP", "<Features>" + "<UserSpecial>" * 100)), "elements are nested too deeply"),
    (file(features("TOP", LINE.replace("Line ", "Arc ").replace("/Line", "/Arc").replace(
        "<Arc ", '<Arc centerX="0" centerY="0" '))), "the centre of an arc is not equally far from its ends"),
    (file(features("GND", "<Features><Contour><Polygon><PolyBegin x='0' y='0'/></Polygon></Contour></Features>")),
     "a contour has fewer than three corners"),
    (file(features("GND", "<Features><Contour><Polygon><PolyStepSegment x='0' y='0'/></Polygon></Contour></Features>")),
     "a point of a contour cannot be read; found <PolyStepSegment> before <PolyBegin>"),
    (file(features("GND", "<Features><Contour><Polygon><PolyBegin x='0' y='1e999'/></Polygon></Contour></Features>")),
     "a point of a contour cannot be read; found 0, inf"),
    (file(features("GND", "<Features><Contour/></Features>")), "<Contour> has no polygon"),
    (file(features("DRILL", "<SlotCavity/>")), "a slot has no shape that can be read"),
    (file(features("TOP", '<Pad><Xform scale="0"/><Circle diameter="1"/></Pad>')), "the scale of <Xform> is zero"),
    (HEAD.replace("?>", ' encoding="klingon"?>') + "<IPC-2581/>", "encoding"),
])
def test_a_fault_of_the_file_is_named(text: str, message: str) -> None:
    assert message in fault(text)


def test_an_object_of_too_many_elements_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "ELEMENT_LIMIT", 100)
    lines = LINE.replace("</Features>", "<Line/>" * 200 + "</Features>")
    assert "<Features> is too large; expected at most 100 elements" in fault(file(features("TOP", lines)))
    parse_ipc2581(file(features("TOP", *[LINE] * 200)).encode(), "b.xml")


@pytest.mark.parametrize("text", [
    HEAD + "<IPC-2581>" + "".join(f"<a{i}/>" for i in range(5000)),
    HEAD + "<IPC-2581>" + "<a>" * 300_000, HEAD + '<IPC-2581 a="' + "9" * 1_000_000,
    HEAD + "<IPC-2581><" + "a" * 1_000_000 + "/></IPC-2581>", "<IPC-2581 " + "\xe2" * 100_000,
    file('<Component refDes="' + "U" * 300_000 + '" layerRef="TOP"><Location x="x" y="0"/></Component>'),
])
def test_files_made_to_hurt_are_refused_at_once(text: str) -> None:
    assert len(fault(text)) < 400


def test_shapes_of_shapes_do_not_grow_without_bound() -> None:
    def entry(number: int, inner: str) -> str:
        return f'<EntryUser id="{number}"><UserSpecial>{inner}</UserSpecial></EntryUser>'

    entries = entry(0, '<Diamond width="1" height="1"/>') + "".join(
        entry(number, f'<UserPrimitiveRef id="{number - 1}"/>' * 10) for number in range(1, 20))
    content = f'<DictionaryUser units="MILLIMETER">{entries}</DictionaryUser>'
    assert "a shape has too many corners; expected at most 100000" in fault(file(content=content))


def test_pads_of_free_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pads, "CORNER_LIMIT", 50)
    pad = '<Pad><Location x="1" y="1"/><Diamond width="1" height="1"/></Pad>'
    assert "pads of free shapes have too many corners" in fault(file(features("TOP", *[pad] * 20)))
    parse_ipc2581(file(features("TOP", *[pad] * 10)).encode(), "b.xml")


def test_pins_by_packages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "PIN_LIMIT", 10)
    package = '<Package name="P">' + '<Pin number="1"><Location x="1" y="1"/></Pin>' * 4 + "</Package>"
    part = '<Component refDes="U1" packageRef="P" layerRef="TOP"><Location x="0" y="0"/></Component>'
    assert "the parts have too many pins; expected at most 10" in fault(file(package, part * 3))
    assert len(parse_ipc2581(file(package, part * 2).encode(), "b").parts) == 2


def test_remarks_and_unknown_objects_are_counted_beyond_some() -> None:
    many = "".join(f'<Component refDes="U{i}" layerRef="L{i}"><Location x="0" y="0"/></Component><X{i}/>'
                   for i in range(1500))
    layout = parse_ipc2581(file(many).encode(), "b.xml")
    assert len(layout.parts) == 1500 and len(layout.told) == 101 and len(layout.skipped) == 101
    assert dict(layout.skipped)["other elements"] == 1400


@pytest.mark.long
def test_mutated_files_are_read_or_refused() -> None:
    read = 0
    for data in both(80, SMALL):
        try:
            assert all(shown(parse_ipc2581(data, "b.xml")))
            read += 1
        except InputError as error:
            assert error.problems and error.problems[0].text()
    assert 0 < read < 80
