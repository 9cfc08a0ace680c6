# SPDX-License-Identifier: MIT
"""IPC-2581 files with a few bytes changed, cut, doubled or put elsewhere.

`PYTHONPATH=tests python tests/readers/ipc2581/mutated_ipc2581.py 10000` reads so many of a small file, and 20 of each
file that is named after the number; it ends with 1 where anything but a layout or a refusal came out, or one took over
a minute.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random

from mutated_layouts import mutants, run
from small_ipc2581 import features, file

from pcbrules.readers.ipc2581.board import parse_ipc2581

PIECES = (b"<", b">", b'"', b"/>", b"</Set>", b"<Set>", b"<Pad>", b'x="1"', b"-", b"1e400", b"nan", b"\xff", b"\0",
          b" ", b"\n", b"\xe2\x80\xae", b"&lt;", b"&x;", b'net=""', b'"TOP"', b"<!--", b"-->", b"<![CDATA[",
          b"<PolyBegin")

SMALL = file(
    '<PadStackDef name="S"><PadstackHoleDef diameter="0.3" platingStatus="VIA"/><PadstackPadDef layerRef="TOP">'
    '<StandardPrimitiveRef id="C"/></PadstackPadDef></PadStackDef>',
    '<Package name="P"><Pin number="1" type="THRU"><Location x="1" y="0"/><StandardPrimitiveRef id="R"/></Pin>'
    "</Package>",
    '<Component refDes="U1" packageRef="P" layerRef="BOT"><Xform rotation="90" mirror="true"/><Location x="5" y="5"/>'
    "</Component>",
    '<LogicalNet name="A_P" netClass="SIGNAL"><PinRef componentRef="U1" pin="1"/></LogicalNet>',
    features("TOP", '<Features><UserSpecial><Line startX="5" startY="4" endX="9" endY="4"><LineDescRef id="L2"/></Line>'
                    '<Arc startX="9" startY="4" endX="9" endY="6" centerX="9" centerY="5" clockwise="false">'
                    '<LineDesc lineWidth="0.2"/></Arc></UserSpecial></Features>',
             '<Pad padstackDefRef="S"><Xform rotation="30"/><Location x="9" y="6"/></Pad>'),
    features("GND", '<Features><Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="9" y="0"/>'
                    '<PolyStepCurve x="9" y="9" centerX="9" centerY="4.5" clockwise="true"/></Polygon><Cutout>'
                    '<PolyBegin x="1" y="1"/><PolyStepSegment x="2" y="1"/>'
                    '<PolyStepSegment x="2" y="2"/></Cutout></Contour></Features>',
             attrs='net="A_N"'),
    features("DRILL", '<Hole diameter="0.3" platingStatus="VIA" x="9" y="6"/>',
             '<SlotCavity platingStatus="PLATED"><Location x="5" y="6"/><Oval width="1" height="0.5"/></SlotCavity>'),
    bom='<BomItem><RefDes name="U1"/><Characteristics><Textual textualCharacteristicName="Value" '
        'textualCharacteristicValue="V"/></Characteristics></BomItem>').encode()


_VALUE = re.compile(rb'="([^"<]*)"')
_EMPTY = re.compile(rb"<\w+[^<>]*/>")
VALUES = (b"", b"0", b"-1", b"1e9", b"nan", b"x", b"true", b"NEGATIVE", b"VIA", b"NONPLATED", b"PLATED", b"0.2", b"90")


def reworded(count: int, data: bytes, seed: int = 2) -> Iterator[bytes]:
    """So many copies that are still XML: values of attributes exchanged, empty elements taken out or doubled."""
    random = Random(seed)
    values = [one.span(1) for one in _VALUE.finditer(data)]
    empty = [one.span() for one in _EMPTY.finditer(data)]
    for _ in range(count):
        changes = []
        for _ in range(random.choice((1, 2, 5, 20))):
            if random.randrange(4):
                at, to = random.choice(values)
                other = random.choice(values)
                changes.append((at, to, random.choice((data[slice(*other)], random.choice(VALUES)))))
            else:
                at, to = random.choice(empty)
                changes.append((at, to, data[at:to] * random.choice((0, 2))))
        made, end = [], 0
        for at, to, text in sorted(changes):
            if at >= end:
                made += [data[end:at], text]
                end = to
        yield b"".join([*made, data[end:]])


def both(count: int, data: bytes) -> Iterator[bytes]:
    """Half of each kind."""
    yield from mutants(count // 2, data, PIECES)
    yield from reworded(count - count // 2, data)


if __name__ == "__main__":
    sys.exit(run(__doc__ or "", parse_ipc2581, SMALL, both))
