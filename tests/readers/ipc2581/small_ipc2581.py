# SPDX-License-Identifier: MIT
"""Small hand-written files."""

from __future__ import annotations

from pcbrules.layout.layout import Layout
from pcbrules.readers.ipc2581.board import parse_ipc2581

LAYERS = """<Layer name="MASK" layerFunction="SOLDERMASK" side="TOP"/>
<Layer name="TOP" layerFunction="SIGNAL" side="TOP"/>
<Layer name="D1" layerFunction="DIELPREG" side="INTERNAL"/>
<Layer name="GND" layerFunction="PLANE" side="INTERNAL"/>
<Layer name="D2" layerFunction="DIELCORE" side="INTERNAL"/>
<Layer name="SIG" layerFunction="CONDUCTOR" side="INTERNAL"/>
<Layer name="D3" layerFunction="DIELPREG" side="INTERNAL"/>
<Layer name="BOT" layerFunction="SIGNAL" side="BOTTOM"/>
<Layer name="DRILL" layerFunction="DRILL" side="ALL"><Span fromLayer="TOP" toLayer="BOT"/></Layer>
<Layer name="BACK" layerFunction="DRILL" side="BOTTOM"><Span fromLayer="BOT" toLayer="SIG"/></Layer>
<Layer name="LASER" layerFunction="DRILL" side="TOP"><Span fromLayer="TOP" toLayer="GND"/></Layer>"""

SPECS = """<Spec name="pp"><General type="MATERIAL"><Property text="2116"/></General>
<Dielectric type="DIELECTRIC_CONSTANT"><Property value="4.3"/></Dielectric>
<Dielectric type="LOSS_TANGENT"><Property value="0.02"/></Dielectric></Spec>"""

STACKUP = """<Stackup name="S" overallThickness="1.4"><StackupGroup name="G">
<StackupLayer layerOrGroupRef="MASK" thickness="0.01" sequence="1"/>
<StackupLayer layerOrGroupRef="TOP" thickness="0.04" sequence="2"/>
<StackupLayer layerOrGroupRef="D1" thickness="0.1" sequence="3"><SpecRef id="pp"/></StackupLayer>
<StackupLayer layerOrGroupRef="GND" thickness="0.02" sequence="4"/>
<StackupLayer layerOrGroupRef="D2" thickness="1.06" sequence="5"/>
<StackupLayer layerOrGroupRef="SIG" thickness="0.02" sequence="6"/>
<StackupLayer layerOrGroupRef="D3" thickness="0.1" sequence="7"><SpecRef id="pp"/></StackupLayer>
<StackupLayer layerOrGroupRef="BOT" thickness="0.04" sequence="8"/>
</StackupGroup></Stackup>"""
"""Adds up to 1.39 mm."""

CONTENT = """<DictionaryLineDesc units="MILLIMETER"><EntryLineDesc id="L2"><LineDesc lineWidth="0.2" lineEnd="ROUND"/>
</EntryLineDesc></DictionaryLineDesc><DictionaryStandard units="MILLIMETER">
<EntryStandard id="R"><RectCenter width="2" height="1"/></EntryStandard>
<EntryStandard id="C"><Circle diameter="0.5"/></EntryStandard></DictionaryStandard>"""

PROFILE = """<Profile><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="50" y="0"/><PolyStepSegment x="50" y="40"/>
<PolyStepSegment x="0" y="40"/><PolyStepSegment x="0" y="0"/></Polygon></Profile>"""


def features(layer: str, *objects: str, attrs: str = 'net="A_P"') -> str:
    """A layer's features: one set."""
    return f'<LayerFeature layerRef="{layer}"><Set {attrs}>{"".join(objects)}</Set></LayerFeature>'


def file(*objects: str, revision: str = "C", units: str = "MILLIMETER", layers: str = LAYERS, specs: str = SPECS,
         stackup: str = STACKUP, content: str = CONTENT, profile: str = PROFILE, bom: str = "") -> str:
    """The text of a file with these objects in its step."""
    header = f'<CadHeader units="{units}">{specs}</CadHeader>' if units else ""
    return "\n".join((
        f'<?xml version="1.0" encoding="UTF-8"?>\n<IPC-2581 revision="{revision}" xmlns="http://webstds.ipc.org/2581">',
        f"<Content>{content}</Content><Bom>{bom}</Bom><Ecad>{header}<CadData>", layers, stackup,
        '<Step name="board">', profile, *objects, "</Step></CadData></Ecad></IPC-2581>", ""))


def read(*objects: str, **given: str) -> Layout:
    """The layout of such a file."""
    return parse_ipc2581(file(*objects, **given).encode(), "small.xml")
