# SPDX-License-Identifier: MIT
"""The stackup of an order as an IPC-2581 file of revision C: layers, materials, impedances, losses, backdrills.

Element by element as the consortium's schema has it (IPC-2581C.xsd), lengths in millimetres. The schema wants dates
where an order has none: they are fixed, so that equal boards give equal bytes. It wants a tolerance of every layer:
zero with a comment stands for one that is not specified.
"""

from __future__ import annotations

from decimal import Decimal
from xml.etree import ElementTree

from pcbrules.constants import INCH
from pcbrules.studies.fab.order import FabOrder, OrderedBackdrill, OrderedLine, OrderedSheet, Tolerance
from pcbrules.units import convert
from pcbrules.version import VERSION

NAMESPACE = "http://webstds.ipc.org/2581"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"

NO_DATE = "1970-01-01T00:00:00Z"
"""In place of a date: files of equal boards are equal."""

FINISHES = {"osp": "OSP", "imag": "IAg", "imsn": "ISn", "enig": "ENIG-N", "enepig": "ENEPIG-N", "hard-gold": "G",
            "none": "OTHER"}
"""Words of the standard for surface finishes, as KiCad writes them."""

FUNCTIONS = {"signal": "SIGNAL", "ground": "PLANE", "power": "PLANE", "mixed": "MIXED", "core": "DIELCORE",
             "prepreg": "DIELPREG", "": "DIELBASE"}

STRUCTURES = {"embedded microstrip": "MICROSTRIP_EMBEDDED", "microstrip under solder mask": "MICROSTRIP_MASK_COVERED",
              "bare microstrip": "MICROSTRIP_NO_MASK "}
"""Words of the schema; the last one has a blank at its end there."""

COPLANAR = {"stripline": "COPLANAR_WAVEGUIDE_STRIPLINE", "embedded microstrip": "COPLANAR_WAVEGUIDE_EMBEDDED",
            "microstrip under solder mask": "COPLANAR_WAVEGUIDE_MASK_COVERED",
            "bare microstrip": "COPLANAR_WAVEGUIDE_NO_MASK"}

MEASURED = {"mask": "MASK", "copper": "METAL", "laminate": "LAMINATE"}

Element = ElementTree.Element


def ipc2581(order: FabOrder) -> bytes:
    """The file."""
    root = Element("IPC-2581", {
        "revision": "C", "xmlns": NAMESPACE, "xmlns:xsi": INSTANCE,
        "xsi:schemaLocation": f"{NAMESPACE} {NAMESPACE}/IPC-2581C.xsd"})
    _content(root, order)
    _who(root)
    ecad = _add(root, "Ecad", name=order.board)
    header = _add(ecad, "CadHeader", units="MILLIMETER")
    for sheet in order.sheets:
        _sheet_spec(header, sheet)
    for line in order.lines:
        _impedance_spec(header, order, line)
    for number, drill in enumerate(order.backdrills, 1):
        _backdrill_spec(header, number, drill)
    cad = _add(ecad, "CadData")
    _layers(cad, order)
    _stackup(cad, order)
    step = _add(cad, "Step", name=order.board, type="BOARD", stackupRef="stackup")
    _add(step, "Datum", x="0", y="0")
    if order.size is not None:
        _outline(step, order.size.width.value, order.size.height.value)
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return data + b"\n"


def _content(root: Element, order: FabOrder) -> None:
    content = _add(root, "Content", roleRef="Owner")
    _add(content, "FunctionMode", mode="STACKUP")
    _add(content, "StepRef", name=order.board)
    for sheet in order.sheets:
        _add(content, "LayerRef", name=sheet.name)
    for number, _ in enumerate(order.backdrills, 1):
        _add(content, "LayerRef", name=f"backdrill_{number}")


def _who(root: Element) -> None:
    """What the schema wants of logistics: an order from a checker has none of it."""
    header = _add(root, "LogisticHeader")
    _add(header, "Role", id="Owner", roleFunction="OWNER")
    _add(header, "Enterprise", id="UNKNOWN", code="NONE")
    _add(header, "Person", name="UNKNOWN", enterpriseRef="UNKNOWN", roleRef="Owner")
    history = _add(root, "HistoryRecord", number="1", origination=NO_DATE, software="pcbrules", lastChange=NO_DATE)
    revision = _add(history, "FileRevision", fileRevisionId="1", comment="dates are not recorded")
    package = _add(revision, "SoftwarePackage", name="pcbrules", vendor="pcbrules", revision=VERSION)
    _add(package, "Certification", certificationStatus="SELFTEST")


def _sheet_spec(header: Element, sheet: OrderedSheet) -> None:
    spec = _add(header, "Spec", name=f"spec_{sheet.name}")
    if sheet.kind == "copper":
        _general(spec, "COPPER", sheet.note)
        _property(_add(spec, "Conductor", material="COPPER", type="FINISHED_HEIGHT"), value=sheet.thickness, unit="MM")
        if sheet.base_weight is not None:
            weight = _add(spec, "Conductor", material="COPPER", type="WEIGHT")
            _add(weight, "Property", value=_number(convert(sheet.base_weight, "oz")), unit="OZ/SQ-FT")
        for key, rz in (("UPFACING", sheet.rz_top), ("DOWNFACING", sheet.rz_bottom)):
            if rz is not None:
                face = _add(spec, "Conductor", material="COPPER", type=f"SURFACE_ROUGHNESS_{key}")
                _add(face, "Property", value=_number(convert(rz, "um")), unit="MICRON", comment="Rz after bonding")
        for name, text in (("foil", sheet.foil), ("bond treatment", sheet.bond)):
            if text:
                _add(_add(spec, "Conductor", type="OTHER", comment=name), "Property", name=name, text=text)
        if sheet.finish:
            _add(spec, "SurfaceFinish", type=FINISHES[sheet.finish], comment=sheet.finish)
        return
    if sheet.material:
        _general(spec, sheet.material, sheet.note)
    at = {"refValue": _number(sheet.at), "refUnit": "Hz"} if sheet.at is not None else {}
    for kind, value in (("DIELECTRIC_CONSTANT", sheet.dk), ("LOSS_TANGENT", sheet.df)):
        if value is not None:
            _add(_add(spec, "Dielectric", type=kind), "Property", value=_number(value), **at)
    if sheet.kind == "dielectric" and sheet.material:
        _add(_add(spec, "Dielectric", type="PRODUCT_NAME"), "Property", text=sheet.material)
    for style in sheet.glass:
        _add(_add(spec, "Dielectric", type="GLASS_STYLE"), "Property", text=style)
    if sheet.resin is not None:
        resin = _add(spec, "Dielectric", type="RESIN_CONTENT")
        _add(resin, "Property", value=_number(100 * sheet.resin), unit="PERCENT")
    if sheet.plies is not None:
        _add(_add(spec, "Dielectric", type="OTHER", comment="plies"), "Property", name="plies", value=str(sheet.plies))


def _general(spec: Element, material: str, note: str) -> None:
    _add(_add(spec, "General", type="MATERIAL"), "Property", text=material)
    if note:
        _add(_add(spec, "General", type="OTHER"), "Property", text=note)


def _impedance_spec(header: Element, order: FabOrder, line: OrderedLine) -> None:
    if line.target is None or line.neck:
        return
    spec = _add(header, "Spec", name=f"{line.name}_{line.layer}")
    beside = f", ground {_mm(line.side_ground)} mm beside it" if line.side_ground is not None else ""
    impedance = _add(spec, "Impedance", value=_number(line.target), comment=f"{line.kind}, {line.structure}{beside}")
    if line.tolerance is not None:
        percent = _number(100 * line.tolerance)
        impedance.attrib |= {"tolPlus": percent, "tolMinus": percent, "tolPercent": "true"}
    tag, structure = _transmission(line)
    trace = _add(impedance, tag, structure=structure)
    _length(trace, "LineWidth", line.width, line.width_tolerance)
    if tag in ("EdgeCoupled", "CoplanarWaveguide"):
        _length(trace, "Spacing", line.gap or 0.0)
    if tag == "CoplanarWaveguide":
        _length(trace, "CoplanarGroundSpacing", line.side_ground or 0.0)
    if tag == "BroadsideCoupled":
        _length(trace, "Offset", line.offset or 0.0)
        _add(trace, "PairLayerRef", layerOrGroupRef=line.second_layer)
    for plane in line.planes:
        _add(trace, "RefPlane", layerOrGroupRef=plane.name)
    if line.losses:
        loss = _add(spec, "Loss", type="INSERTION", comment=f"computed at {order.temperature:g} degC, no limit")
        for one in line.losses:
            _add(loss, "Property", value=f"{one.total * INCH:.4f}", unit="dB/INCH",
                 refValue=_number(one.frequency), refUnit="Hz")


def _transmission(line: OrderedLine) -> tuple[str, str]:
    """Element and structure of a line in the words of the schema."""
    symmetric = len({round(plane.distance, 9) for plane in line.planes}) == 1
    stripline = "STRIPLINE_SYMMETRIC" if symmetric else "STRIPLINE_ASYMMETRIC"
    if line.kind == "broadside pair":
        return "BroadsideCoupled", stripline if line.structure == "stripline" else "OTHER"
    if line.pair and line.side_ground is not None:
        return "CoplanarWaveguide", COPLANAR[line.structure]
    tag = "EdgeCoupled" if line.pair else "SingleEnded"
    return tag, stripline if line.structure == "stripline" else STRUCTURES[line.structure]


def _backdrill_spec(header: Element, number: int, drill: OrderedBackdrill) -> None:
    spec = _add(header, "Spec", name=f"spec_backdrill_{number}")
    _add(_add(spec, "Backdrill", type="START_LAYER"), "Property", layerOrGroupRef=drill.start)
    if drill.keep:
        _add(_add(spec, "Backdrill", type="MUST_NOT_CUT_LAYER"), "Property", layerOrGroupRef=drill.keep)
    if drill.longest is not None:
        _property(_add(spec, "Backdrill", type="MAX_STUB_LENGTH"), value=drill.longest, unit="MM")
    if drill.depth is not None:
        depth = _add(spec, "Backdrill", type="OTHER", comment=f"depth, via {drill.via}")
        made = _property(depth, value=drill.depth, unit="MM")
        if not drill.tolerance.assumed:
            made.attrib |= {"tolPlus": _mm(drill.tolerance.half), "tolMinus": _mm(drill.tolerance.half)}


def _layers(data: Element, order: FabOrder) -> None:
    outer = [sheet.name for sheet in order.sheets if sheet.kind == "copper"]
    for sheet in order.sheets:
        side = {outer[0]: "TOP", outer[-1]: "BOTTOM"}.get(sheet.name, "INTERNAL")
        function = "SOLDERMASK" if sheet.kind == "mask" else FUNCTIONS[sheet.role]
        if sheet.kind == "mask":
            side = sheet.role.upper()
        _add(data, "Layer", name=sheet.name, layerFunction=function, side=side, polarity="POSITIVE")
    for number, drill in enumerate(order.backdrills, 1):
        layer = _add(data, "Layer", name=f"backdrill_{number}", layerFunction="DRILL", side=drill.side.upper(),
                     polarity="POSITIVE")
        _add(layer, "SpecRef", id=f"spec_backdrill_{number}")
        _add(layer, "Span", fromLayer=drill.start, toLayer=drill.keep or drill.used or drill.start)


def _stackup(data: Element, order: FabOrder) -> None:
    overall = order.thickness.value.value if order.thickness else order.total
    stackup = _add(data, "Stackup", name="stackup", overallThickness=_mm(overall),
                   **_tolerances(order.thickness_tolerance), whereMeasured=MEASURED[order.over],
                   stackupStatus="PROPOSED")
    total = sum(sheet.thickness for sheet in order.sheets)
    group = _add(stackup, "StackupGroup", name="all_layers", thickness=_mm(total), tolPlus="0", tolMinus="0",
                 comment="sum of the layers; tolerances are those of each layer and of the board")
    for number, sheet in enumerate(order.sheets, 1):
        row = _add(group, "StackupLayer", layerOrGroupRef=sheet.name, thickness=_mm(sheet.thickness),
                   **_tolerances(sheet.tolerance), sequence=str(number))
        if sheet.tolerance is None or sheet.tolerance.assumed:
            row.set("comment", "tolerance not specified")
        _add(row, "SpecRef", id=f"spec_{sheet.name}")
        for line in order.lines:
            if line.layer == sheet.name and line.target is not None and not line.neck:
                _add(row, "SpecRef", id=f"{line.name}_{line.layer}")


def _tolerances(one: Tolerance | None) -> dict[str, str]:
    half = "0" if one is None or one.assumed else _mm(one.half)
    return {"tolPlus": half, "tolMinus": half}


def _outline(step: Element, width: float, height: float) -> None:
    polygon = _add(_add(step, "Profile"), "Polygon")
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
    for number, (x, y) in enumerate(corners):
        _add(polygon, "PolyStepSegment" if number else "PolyBegin", x=_mm(x), y=_mm(y))


def _length(parent: Element, tag: str, value: float, tolerance: Tolerance | None = None) -> None:
    made = _add(parent, tag, value=_mm(value), unit="MM")
    if tolerance is not None and not tolerance.assumed:
        made.attrib |= _tolerances(tolerance)


def _property(parent: Element, *, value: float, unit: str) -> Element:
    """A property that is a length [m], written in millimetres."""
    return _add(parent, "Property", value=_mm(value), unit=unit)


def _mm(value: float) -> str:
    return _number(convert(value, "mm"))


def _number(value: float) -> str:
    """A number with nine digits and without an exponent: what is read back is what was written."""
    return format(Decimal(f"{value:.9g}"), "f")


def _add(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, attributes)
