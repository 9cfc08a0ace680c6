# SPDX-License-Identifier: MIT
"""A small hand-written ODB++ product model: two layers of copper, a pair over a via, a plane with a void.

`PYTHONPATH=tests python tests/readers/odb/small_odb.py 10000` reads so many mutants of its text; it ends with 1 where
anything but a layout or a refusal came out, or one took over a minute.
"""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile

from mutated_layouts import mutants, run

from pcbrules.layout.layout import Layout
from pcbrules.readers.odb.board import parse_odb

MODEL = """=== matrix/matrix
STEP {
   COL=1
   NAME=PCB
}
LAYER {
   ROW=3
   CONTEXT=BOARD
   TYPE=DIELECTRIC
   NAME=DE1
   DIELECTRIC_TYPE=CORE
   DIELECTRIC_NAME=FR4
}
LAYER {
   ROW=2
   CONTEXT=BOARD
   TYPE=SIGNAL
   NAME=TOP
   POLARITY=POSITIVE
}
LAYER {
   ROW=4
   CONTEXT=BOARD
   TYPE=POWER_GROUND
   NAME=BOT
}
LAYER {
   ROW=1
   CONTEXT=BOARD
   TYPE=SOLDER_MASK
   NAME=SMT
}
LAYER {
   ROW=5
   CONTEXT=BOARD
   TYPE=DRILL
   NAME=DRL
   START_NAME=TOP
   END_NAME=BOT
}
LAYER {
   ROW=6
   CONTEXT=MISC
   TYPE=DOCUMENT
   NAME=NOTES
}
=== misc/info
ODB_VERSION_MAJOR=8
ODB_VERSION_MINOR=1
=== steps/pcb/attrlist
UNITS=MM
.board_thickness=1.1
=== steps/pcb/profile
UNITS=MM
S P 0
OB 0 0 I
OS 30 0
OS 30 20
OS 0 20
OS 0 0
OE
SE
=== steps/pcb/layers/top/attrlist
UNITS=MM
.copper_weight=40
=== steps/pcb/layers/bot/attrlist
UNITS=MM
.copper_weight = 40
.dielectric_constant = 1
=== steps/pcb/layers/smt/attrlist
UNITS=MM
.layer_dielectric=0.02
.dielectric_constant=3.5
=== steps/pcb/layers/de1/attrlist
UNITS=MM
.layer_dielectric=1.0
.dielectric_constant=4.2
.loss_tangent=0.02
=== steps/pcb/layers/top/features
UNITS=MM
#
$0 r200
$1 rect1000x500
$2 r600
$3 star
P 5 10 1 P 0 0
P 25 10 1 P 0 1
L 5 10 15 10 0 P 0
P 15 10 2 P 0 0
A 5 5 25 5 15 5 0 P 0 N
P 5 5 1 P 0 0
P 25 5 1 P 0 8 30
T 1 1 standard P 0 1 1 1 'x' 1
P 1 1 3 P 0 0
P 1 1 1 N 0 0
=== steps/pcb/layers/bot/features
UNITS=MM
$0 r200
$1 r600
$2 r2000
L 15 10 25 10 0 P 0
P 15 10 1 P 0 0
S P 0
OB 0 0 I
OS 30 0
OS 30 20
OS 0 20
OE
OB 16 10 H
OC 14 10 15 10 N
OC 16 10 15 10 N
OE
SE
P 28 18 2 P 0 0
P 25 10 1 P 0 0
=== steps/pcb/layers/drl/features
UNITS=MM
$0 r300
$1 r1000
@0 .drill
&0 plated
P 15 10 0 P 0 0;0=2
P 28 18 1 P 0 0;0=1
P 25 10 0 P 0 0;0=2
=== steps/pcb/layers/comp_+_top/components
UNITS=MM
CMP 0 5 10 90 N J1 SOCKET ;0=1
PRP VALUE 'CONN'
TOP 0 5 10 0 N 0 0 1
TOP 1 5 5 0 N 1 0 2
CMP 0 25 10 0 N U1 PHY
TOP 0 25 10 0 N 0 0 A1
TOP 1 25 5 0 N 1 0 A2
=== steps/pcb/eda/data
HDR hand-made
LYR top bot drl
NET $NONE$
NET CLK_P
SNT TOP T 0 0
FID C 0 0
SNT TOP T 1 0
FID C 0 1
SNT TRC
FID C 0 2
SNT TRC
FID C 1 0
SNT VIA
FID C 0 3
FID C 1 1
FID H 2 0
SNT VIA
FID C 1 4
FID H 2 2
NET CLK_N
SNT TRC
FID C 0 4
SNT TOP T 0 1
FID C 0 5
SNT TOP T 1 1
FID C 0 6
NET GND
SNT PLN S E 0
FID C 1 2
PKG SOCKET
"""

PIECES = (b" ", b"\n", b"-", b"1e400", b"nan", b"OB ", b"OE\n", b"SE\n", b"S P 0\n", b"P ", b"L ", b"A ", b"$0 ",
          b"@0 ", b";0=", b"NET ", b"SNT TOP T 9 9\n", b"FID C 9 9\n", b"CMP ", b"TOP ", b"{", b"}", b"=", b"===",
          b"\xff", b"\0", b"9")


def files(text: str = MODEL) -> dict[str, bytes]:
    """The files of a model by their paths."""
    found = {}
    for part in text.split("=== ")[1:]:
        path, _, content = part.partition("\n")
        found[path.encode("ascii", "replace").decode()] = content.encode("utf-8", "surrogateescape")
    return found


def zipped(content: dict[str, bytes], root: str = "job/") -> bytes:
    """A ZIP archive of files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(root + name, data)
    return made.getvalue()


def tarred(content: dict[str, bytes], root: str = "job/", mode: str = "w:gz") -> bytes:
    """A tar archive of files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in content.items():
            one = tarfile.TarInfo(root + name)
            one.size = len(data)
            archive.addfile(one, io.BytesIO(data))
    return made.getvalue()


def compress(data: bytes, most: int = 16, clear: int = 0) -> bytes:
    """Pack as `compress` does, with codes of at most so many bits; the table is emptied about every `clear` bytes."""
    made, pending, free = bytearray(b"\x1f\x9d" + bytes([128 | most])), list[int](), 257
    table, bits, text = {bytes([one]): one for one in range(256)}, 9, b""

    def end_group() -> None:
        """Write the codes of a group: as many bytes as a code has bits for every eight codes."""
        packed = sum(code << bits * place for place, code in enumerate(pending))
        made.extend(packed.to_bytes(-(-len(pending) // 8) * bits, "little"))
        pending.clear()

    for place, one in enumerate(data):
        longer = text + bytes([one])
        if longer in table:
            text = longer
            continue
        pending.append(table[text])
        text = bytes([one])
        if clear and place and place % clear == 0:
            pending.append(256)
            end_group()
            table, bits, free = {bytes([code]): code for code in range(256)}, 9, 257
        elif free < 1 << most:
            table[longer] = free
            free += 1
            if free > 1 << bits and bits < most:
                end_group()
                bits += 1
    if text:
        pending.append(table[text])
    packed = sum(code << bits * place for place, code in enumerate(pending))
    return bytes(made) + packed.to_bytes(-(-len(pending) * bits // 8), "little")


def parse_text(data: bytes, name: str) -> Layout:
    """The layout of a model's text."""
    return parse_odb(zipped(files(data.decode("utf-8", "surrogateescape"))), name)


if __name__ == "__main__":
    sys.exit(run(__doc__ or "", parse_text, MODEL.encode(), lambda count, data: mutants(count, data, PIECES)))
