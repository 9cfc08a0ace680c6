# SPDX-License-Identifier: MIT
"""What a fabricator returns: tables with other separators, units and words, and every fault at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules.errors import InputError
from pcbrules.readers.returned.file import read_returned
from pcbrules.readers.returned.records import ReturnedFile


def read(tmp_path: Path, text: str | bytes, name: str = "back.csv") -> ReturnedFile:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_returned(path, name)


def faults(tmp_path: Path, text: str | bytes, name: str = "back.csv") -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, name)
    return str(caught.value)


def test_a_table_of_another_shop_is_read(tmp_path: Path) -> None:
    text = ("\ufeffLayer;Kind;Thickness (mil);Material;Dk;Df;at_MHz;Base weight [oz];Remark\r\n"
            "legend;Silkscreen;0,5;;;;;;\r\n"
            "SM top;Solder Mask;0.8;LPI;3,5;;;;\r\n"
            "TOP;Signal;1.8;;;;;0,5;\r\n"
            "\r\n"
            '1-2;Prepreg;3;"Megtron 6; 1078";3.37;0.002;1000;;"two ""x"" plies"\r\n'
            "GND;Plane;1.2;-;not specified;n/a;;;\r\n")
    found = read(tmp_path, text)
    assert [(one.name, one.kind) for one in found.sheets] == [
        ("SM top", "mask"), ("TOP", "copper"), ("1-2", "dielectric"), ("GND", "copper")]
    mask, top, ply, plane = found.sheets
    assert mask.thickness == pytest.approx(20.32e-6) and (mask.dk, mask.df) == (3.5, None)
    assert top.base_weight == pytest.approx(17.5e-6) and top.place == (4, 5)
    assert (ply.material, ply.dk, ply.df, ply.at) == ("Megtron 6; 1078", 3.37, 0.002, 1e9)
    assert (plane.material, plane.dk, plane.base_weight) == ("", None, None)


def test_impedances_are_read_by_their_columns(tmp_path: Path) -> None:
    found = read(tmp_path, "id,layer,width_mil,gap_um,target_ohm\nZ1,L3,5,150,100\n,L5,4.5,,\n")
    first, second = found.lines
    assert (first.name, first.layer, first.gap, first.target) == ("Z1", "L3", pytest.approx(150e-6), 100)
    assert first.width == pytest.approx(127e-6) and (second.name, second.gap, second.place) == ("", None, (3, 1))


@pytest.mark.parametrize(("text", "says"), [
    ("", "1:1: this is no stackup and no table of impedances"),
    ("a,b\n1,2\n", "expected columns kind and thickness_um, or layer and width_um"),
    ("kind,thickness_um\n", "1:1: the table has no lines below its header"),
    ("kind,thickness_um\ncopper,1.5.2\n", "2:8: thickness_um is no positive number; found '1.5.2'"),
    ("kind,thickness_um\ncopper,-3\n", "2:8: thickness_um is no positive number"),
    ("kind,thickness_um\ncopper,1e99\n", "2:8: thickness_um is no positive number"),
    ("kind,thickness_um\ncopper,\n", "2:1: the layer has no thickness"),
    ("name,kind,thickness_um\nL1,air,3\n", "2:4: the kind of the layer is not known; found 'air'"),
    ("kind,thickness_um\ncopper,35,9\n", "2:11: the line has more cells than the header; found 3"),
    ("id,layer,width_um\nZ1,,100\n", "2:1: the impedance has no layer"),
    ("kind,thickness_um\n" + "copper,35\n" * 6000, "5001:1: the table is too long"),
    (b"kind,thickness_um\ncopper,\xff35\n", "2:8"),
    (b"\x00\x01", "a NUL byte"),
    (b"", "no table"),
])
def test_a_fault_of_a_table_has_its_place(tmp_path: Path, text: str | bytes, says: str) -> None:
    assert says in faults(tmp_path, text)


HEAD = '<?xml version="1.0"?>\n<IPC-2581 revision="C"><Ecad name="e"><CadHeader units="MICRON">'
TOP = 'layerFunction="SIGNAL" side="TOP" polarity="POSITIVE"'


@pytest.mark.parametrize(("inside", "says"), [
    ("</CadHeader><CadData></CadData>", "the file has no stackup"),
    ("", "no well-formed XML"),
    (f'</CadHeader><CadData><Layer name="L1" {TOP}/>\n<Stackup name="s"><StackupGroup name="g">'
     '<StackupLayer layerOrGroupRef="L1"/></StackupGroup></Stackup></CadData>', "3:42: the layer L1 has no thickness"),
    ('<Spec name="a"><Impedance value="zero"/></Spec></CadHeader><CadData>'
     f'<Layer name="L1" {TOP}><SpecRef id="a"/></Layer><Stackup name="s"><StackupGroup name="g">'
     '<StackupLayer layerOrGroupRef="L1" thickness="35"/></StackupGroup></Stackup></CadData>',
     "value of <Impedance> is no number"),
])
def test_a_fault_of_a_stackup_has_its_place(tmp_path: Path, inside: str, says: str) -> None:
    assert says in faults(tmp_path, f"{HEAD}{inside}</Ecad></IPC-2581>", "back.xml")


def test_specifications_of_a_stackup_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD + """
<Spec name="cu"><Conductor type="WEIGHT"><Property value="1" unit="OZ"/></Conductor>
<Conductor type="SURFACE_ROUGHNESS_UPFACING"><Property value="1.5" unit="MICRON"/></Conductor>
<Conductor type="OTHER"><Property name="foil" text="vlp"/></Conductor></Spec>
<Spec name="fr"><General type="MATERIAL"><Property text="370HR"/></General>
<Dielectric type="DIELECTRIC_CONSTANT"><Property value="4" refValue="2e9" refUnit="Hz"/></Dielectric>
<Dielectric type="GLASS_STYLE"><Property text="1080"/></Dielectric></Spec>
<Spec name="z"><Impedance value="90"><EdgeCoupled structure="OTHER"><LineWidth value="5" unit="MILS"/>
<Spacing value="150"/></EdgeCoupled></Impedance></Spec>
</CadHeader><CadData>
<Layer name="L1" layerFunction="SIGNAL" side="TOP" polarity="POSITIVE"><SpecRef id="z"/></Layer>
<Layer name="D" layerFunction="DIELPREG" side="INTERNAL" polarity="POSITIVE"/>
<Layer name="air" layerFunction="DIELBASE" side="INTERNAL" polarity="POSITIVE"/>
<Layer name="L2" layerFunction="PLANE" side="BOTTOM" polarity="POSITIVE"/>
<Stackup name="s"><StackupGroup name="g">
<StackupLayer layerOrGroupRef="L1" thickness="35"><SpecRef id="cu"/></StackupLayer>
<StackupLayer layerOrGroupRef="D" thickness="100"><SpecRef id="fr"/></StackupLayer>
<StackupLayer layerOrGroupRef="air" thickness="0"/>
<StackupLayer layerOrGroupRef="L2" thickness="30"/></StackupGroup></Stackup></CadData></Ecad></IPC-2581>""", "back.xml")
    top, ply, plane = found.sheets
    assert (top.base_weight, top.rz_top, top.foil) == (pytest.approx(35e-6), pytest.approx(1.5e-6), "vlp")
    assert (ply.material, ply.dk, ply.at, ply.glass) == ("370HR", 4, 2e9, ("1080",)) and plane.material == ""
    (line,) = found.lines
    assert (line.name, line.layer, line.target) == ("z", "L1", 90)
    assert (line.width, line.gap) == (pytest.approx(127e-6), pytest.approx(150e-6))
