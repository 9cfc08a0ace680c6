# SPDX-License-Identifier: MIT
"""A layout as an IPC-2581 file, in the manner in which KiCad writes one: for tests that read it back.

`python tests/readers/ipc2581/as_ipc2581.py BOARD.kicad_pcb OUT.xml [COPIES]` writes one, with the copper so many times
beside each other where a large file is needed.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from pcbrules.extraction.holes import keeps_pad
from pcbrules.layout.arcs import Point, sweep
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PadShape, PartPad
from pcbrules.readers.kicad.board import read_kicad

FUNCTIONS = {"copper": "CONDUCTOR", "mask": "SOLDERMASK", "silkscreen": "SILKSCREEN", "paste": "SOLDERPASTE",
             "dielectric": "DIELPREG", "other": "DOCUMENT"}
RADIX = {"MILLIMETER": 1e3, "MICRON": 1e6, "INCH": 1 / 0.0254}
DIGITS = {"MILLIMETER": 6, "MICRON": 3, "INCH": 9}


def micrometres(point: Point) -> tuple[int, int]:
    """A point by which two that are drawn on each other are one."""
    return round(point[0] * 1e6), round(point[1] * 1e6)


class Writer:
    """Text of a file in one unit; y grows upwards, whatever the layout has."""

    def __init__(self, layout: Layout, units: str = "MILLIMETER", revision: str = "C", shift: float = 0.0) -> None:
        self.layout, self.units, self.revision, self.shift = layout, units, revision, shift
        self.per, self.digits = RADIX[units], DIGITS[units]
        self.sign = -1 if layout.y_down else 1

    def number(self, metres: float) -> str:
        """A length in the unit of the file."""
        return f"{metres * self.per:.{self.digits}f}"

    def at(self, point: Point, x: str = "x", y: str = "y") -> str:
        """Attributes of a point."""
        return f'{x}="{self.number(point[0] + self.shift)}" {y}="{self.number(self.sign * point[1])}"'

    def ring(self, ring: tuple[Point, ...], tag: str = "Polygon", centre: Point | None = None) -> str:
        """A closed contour, in the drawing or about a centre."""
        u, v = centre or (0.0, 0.0)
        shift = self.shift if centre is None else 0.0
        points = [f'x="{self.number(x - u + shift)}" y="{self.number(self.sign * (y - v))}"' for x, y in ring]
        steps = "".join(f"<PolyStepSegment {one}/>" for one in (*points[1:], points[0]))
        return f"<{tag}><PolyBegin {points[0]}/>{steps}</{tag}>"

    def track(self, one: Track) -> str:
        """A line or an arc with its direction."""
        ends = f'{self.at(one.start, "startX", "startY")} {self.at(one.end, "endX", "endY")}'
        width = f'<LineDesc lineWidth="{self.number(one.width)}" lineEnd="ROUND"/>'
        found = sweep(one.start, one.mid, one.end) if one.mid else None
        if found is None:
            return f"<Line {ends}>{width}</Line>"
        clockwise = str((found[3] < 0) != (self.sign < 0)).lower()
        return f'<Arc {ends} {self.at(found[0], "centerX", "centerY")} clockwise="{clockwise}">{width}</Arc>'

    def shape(self, shape: PadShape, at: Point) -> tuple[str, str]:
        """Transformation and shape of a pad."""
        if not shape.width:
            inner = "".join(f"<Contour>{self.ring(one, centre=at)}</Contour>" for one in shape.rings)
            return "", f"<UserSpecial>{inner}</UserSpecial>" if len(shape.rings) > 1 else inner
        turn = math.degrees(self.sign * shape.angle) % 360
        corners = "".join(f' {one}="true"' for one in ("upperRight", "upperLeft", "lowerRight", "lowerLeft"))
        return f'<Xform rotation="{turn:.9f}"/>' if turn else "", (
            f'<RectRound width="{self.number(shape.width)}" height="{self.number(shape.height)}" '
            f'radius="{self.number(shape.radius)}"{corners}/>')

    def pad(self, pad: PartPad, reference: str, layer: str) -> str:
        """A pad of a part on a layer; the place of one whose copper is off it is that of the copper, as in KiCad."""
        shape = pad.shape_on(layer)
        at = shape.centre if shape.width else pad.at
        xform, drawn = self.shape(shape, at)
        return (f'<Pad>{xform}<Location {self.at(at)}/>{drawn}'
                f"<PinRef componentRef={quoteattr(reference)} pin={quoteattr(pad.pin or '~')}/></Pad>")

    def text(self) -> Iterator[str]:
        """The file, line by line."""
        layout = self.layout
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield f'<IPC-2581 revision="{self.revision}" xmlns="http://webstds.ipc.org/2581">'
        yield '<Content roleRef="Owner"><StepRef name="board"/></Content>'
        yield "<Bom>"
        for part in layout.parts:
            yield (f'<BomItem><RefDes name={quoteattr(part.reference)} packageRef={quoteattr(part.package)} '
                   f'populate="{str(part.fitted).lower()}"/><Characteristics><Textual '
                   f'textualCharacteristicName="Value" textualCharacteristicValue={quoteattr(part.value)}/>'
                   "</Characteristics></BomItem>")
        yield f'</Bom><Ecad><CadHeader units="{self.units}">'
        yield from self.specs()
        yield "</CadHeader><CadData>"
        yield from self.layers()
        yield '<Step name="board" type="BOARD">'
        if layout.outline:
            rings = [self.ring(one, "Cutout" if place else "Polygon") for place, one in enumerate(layout.outline)]
            yield f"<Profile>{''.join(rings)}</Profile>"
        for part in layout.parts:
            mirror = ' mirror="true"' if part.side == "bottom" else ""
            side = layout.copper[-1 if part.side == "bottom" else 0].name
            yield (f'<Component refDes={quoteattr(part.reference)} packageRef="" layerRef={quoteattr(side)}>'
                   f'<Xform rotation="{part.angle % 360:.9g}"{mirror}/><Location {self.at(part.at)}/></Component>')
        yield from self.copper()
        yield from self.holes()
        yield "</Step></CadData></Ecad></IPC-2581>"

    def specs(self) -> Iterator[str]:
        """Material, Dk and Df of each sheet."""
        for place, one in enumerate(self.layout.layers):
            values = ((f'<Dielectric type="{kind}"><Property value="{value!r}"/></Dielectric>')
                      for kind, value in (("DIELECTRIC_CONSTANT", one.dk), ("LOSS_TANGENT", one.df))
                      if value is not None)
            yield (f'<Spec name="spec {place}"><General type="MATERIAL"><Property text={quoteattr(one.material)}/>'
                   f"</General>{''.join(values)}</Spec>")

    def layers(self) -> Iterator[str]:
        """Layers, drill layers by span, and the build-up."""
        layout = self.layout
        for name, one in zip(self.sheet_names(), layout.layers, strict=True):
            function = "DIELCORE" if one.role == "core" else FUNCTIONS[one.kind]
            side = {layout.copper[0].name: "TOP", layout.copper[-1].name: "BOTTOM"}.get(name, "INTERNAL")
            yield f'<Layer name={quoteattr(name)} layerFunction="{function}" polarity="POSITIVE" side="{side}"/>'
        for first, last in self.spans():
            yield (f'<Layer name={quoteattr(f"{first}_{last}")} layerFunction="DRILL" polarity="POSITIVE" side="ALL">'
                   f"<Span fromLayer={quoteattr(first)} toLayer={quoteattr(last)}/></Layer>")
        if layout.thickness_sum is None:
            return
        yield f'<Stackup name="Primary" overallThickness="{self.number(layout.thickness or 0)}"><StackupGroup name="G">'
        for place, (name, one) in enumerate(zip(self.sheet_names(), layout.layers, strict=True)):
            yield (f'<StackupLayer layerOrGroupRef={quoteattr(name)} thickness="{self.number(one.thickness or 0)}" '
                   f'sequence="{place}"><SpecRef id="spec {place}"/></StackupLayer>')
        yield "</StackupGroup></Stackup>"

    def sheet_names(self) -> list[str]:
        """Names of sheets; those of one dielectric differ in a number."""
        found: list[str] = []
        for one in self.layout.layers:
            name, count = one.name, 0
            while name in found:
                count += 1
                name = f"{one.name}_{count}"
            found.append(name)
        return found

    def spans(self) -> list[tuple[str, str]]:
        """Spans of all holes."""
        whole = self.layout.copper[0].name, self.layout.copper[-1].name
        return sorted({whole, *((one.first, one.last) for one in self.layout.vias)})

    def copper(self) -> Iterator[str]:
        """Sets by layer and net."""
        layout = self.layout
        sets: dict[str, dict[str, list[str]]] = {one.name: defaultdict(list) for one in layout.copper}
        order = [one.name for one in layout.copper]
        for one in layout.tracks:
            sets[one.layer][one.net].append(f"<Features><UserSpecial>{self.track(one)}</UserSpecial></Features>")
        for zone in layout.zones:
            for fill in zone.fills:
                sets[fill.layer][zone.net].append(
                    f"<Features><UserSpecial><Contour>{self.ring(fill.ring)}</Contour></UserSpecial></Features>")
        for part in layout.parts:
            for pad in part.pads:
                for layer in pad.layers:
                    sets[layer][pad.net].append(self.pad(pad, part.reference, layer))
        joined = {(one.layer, one.net, micrometres(at)) for one in layout.tracks for at in (one.start, one.end)}
        for via in layout.vias:
            for layer in order[order.index(via.first) : order.index(via.last) + 1]:
                if not keeps_pad(via, layer) and (layer, via.net, micrometres(via.at)) not in joined:
                    continue
                sets[layer][via.net].append(f'<Pad><Location {self.at(via.at)}/>'
                                            f'<Circle diameter="{self.number(via.pad_on(layer))}"/></Pad>')
        for layer, nets in sets.items():
            yield f"<LayerFeature layerRef={quoteattr(layer)}>"
            for net, drawn in nets.items():
                yield f"<Set net={quoteattr(net)}>" if net else "<Set>"
                yield from drawn
                yield "</Set>"
            yield "</LayerFeature>"

    def holes(self) -> Iterator[str]:
        """Drill layers: vias by their span, pads through the board."""
        holes: dict[tuple[str, str], list[str]] = {span: [] for span in self.spans()}
        whole = self.layout.copper[0].name, self.layout.copper[-1].name
        for via in self.layout.vias:
            holes[via.first, via.last].append(
                f'<Set net={quoteattr(via.net)}><Hole diameter="{self.number(via.drill or 0)}" platingStatus="VIA" '
                f"{self.at(via.at)}/></Set>")
        for pad in (pad for part in self.layout.parts for pad in part.pads if pad.drill):
            plating = "PLATED" if pad.plated else "NONPLATED"
            at = pad.shape_on(pad.layers[0]).centre if pad.layers and pad.shape_on(pad.layers[0]).width else pad.at
            if pad.drill[0] == pad.drill[1]:
                made = f'<Hole diameter="{self.number(pad.drill[0])}" platingStatus="{plating}" {self.at(at)}/>'
            else:
                turn = math.degrees(self.sign * pad.shapes[0][1].angle)
                made = (f'<SlotCavity platingStatus="{plating}"><Xform rotation="{turn:.9f}"/><Location {self.at(at)}/>'
                        f'<Oval width="{self.number(pad.drill[0])}" height="{self.number(pad.drill[1])}"/>'
                        "</SlotCavity>")
            holes[whole].append(f"<Set net={quoteattr(pad.net)}>{made}</Set>")
        for (first, last), drawn in holes.items():
            yield f"<LayerFeature layerRef={quoteattr(f'{first}_{last}')}>"
            yield from drawn
            yield "</LayerFeature>"


def as_ipc2581(layout: Layout, units: str = "MILLIMETER", revision: str = "C") -> bytes:
    """The bytes of a file."""
    return "\n".join(Writer(layout, units, revision).text()).encode()


def main() -> None:
    """Write a file."""
    layout = read_kicad(sys.argv[1])
    copies = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with Path(sys.argv[2]).open("w", encoding="utf-8") as stream:
        for line in Writer(layout).text():
            if line.startswith("</Step>"):
                for place in range(1, copies):
                    stream.writelines(f"{one}\n" for one in Writer(layout, shift=0.5 * place).copper())
                    stream.writelines(f"{one}\n" for one in Writer(layout, shift=0.5 * place).holes())
            stream.write(line + "\n")


if __name__ == "__main__":
    main()
