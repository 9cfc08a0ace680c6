# SPDX-License-Identifier: MIT
"""Boards with a few bytes changed, cut, doubled or put elsewhere.

`python tests/readers/kicad/mutated_boards.py 10000` reads so many of a small board, and 20 of each file that is named
after the number; it ends with 1 where anything but a layout or a refusal came out, or one took over a minute.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from kicad_boards import board

from pcbrules.errors import InputError
from pcbrules.layout.drawn_pairs import drawn_pairs
from pcbrules.readers.kicad.board import parse_kicad
from pcbrules.studies import layout_text

PIECES = (b"(", b")", b'"', b"\\", b"(pts ", b"(xy 1 ", b"-", b"1e400", b"nan", b"\xff", b"\0", b" ", b"\n", b"(net 1)",
          b'"F.Cu"', b"(layer", b"((", b"))", b"|", b"\xe2\x80\xae")

SMALL = board(
    '(net 2 "A_P")', '(net 3 "A_N")',
    '(footprint "lib:x" (layer "F.Cu") (at 5 5 90) (property "Reference" "U1") (property "Value" "V") (attr smd)'
    ' (fp_line (start 0 0) (end 1 1) (layer "F.SilkS"))'
    ' (pad "1" smd roundrect (at 1 0 90) (size 1 0.5) (layers "F.Cu") (roundrect_rratio 0.25) (net 2 "A_P"))'
    ' (pad "2" thru_hole custom (at -1 0 90) (size 1 1) (drill 0.4) (layers "*.Cu") (net 3 "A_N")'
    ' (options (anchor rect)) (primitives (gr_poly (pts (xy 0 0) (xy 1 0) (xy 1 1)) (width 0)))))',
    '(segment (start 5 4) (end 9 4) (width 0.2) (layer "F.Cu") (net 2))',
    '(arc (start 9 4) (mid 10 5) (end 9 6) (width 0.2) (layer "F.Cu") (net 2))',
    '(via blind (at 9 6) (size 0.5) (drill 0.2) (layers "F.Cu" "In1.Cu") (net 2)'
    ' (padstack (layer "Inner" (size 0.4))))',
    '(segment (start 5 6) (end 9 8) (width 0.2) (layer "B.Cu") (net 3))',
    '(zone (net 1) (net_name "GND") (layers "F&B.Cu") (polygon (pts (xy 0 0) (arc (start 0 0) (mid 1 1) (end 2 0))))'
    ' (filled_polygon (layer "F.Cu") (pts (xy 0 0) (xy 1 0) (xy 1 1))))').encode()


def mutants(count: int, data: bytes = SMALL, seed: int = 1) -> Iterator[bytes]:
    """So many changed copies, the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        made = bytearray(data)
        for _ in range(random.choice((1, 1, 2, 5))):
            at, to = sorted((random.randrange(len(made) + 1), random.randrange(len(made) + 1)))
            to = min(to, at + random.choice((1, 1, 4, 40)))
            kind = random.randrange(5)
            if kind == 0:
                del made[at:to]
            elif kind == 1:
                made[at:at] = random.choice(PIECES)
            elif kind == 2:
                made[at:to] = random.choice(PIECES)
            elif kind == 3:
                made[at:at] = made[at:to] * random.choice((1, 2, 50))
            elif at < len(made):
                made[at] = random.randrange(256)
        if random.randrange(20) == 0:
            del made[random.randrange(len(made) + 1):]
        yield bytes(made)


def shown(data: bytes, name: str) -> tuple[str, str]:
    """What the command prints of a board, in both formats; raises InputError where it is refused."""
    layout = parse_kicad(data, name)
    pairs = drawn_pairs(layout)
    return layout_text.console(layout, pairs), layout_text.json_text(layout, pairs)


def main() -> int:
    """Read mutants; print how many were read and refused."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    wrong = 0
    files = [(one.name, one.read_bytes(), 20) for one in given.files]
    for name, data, count in (("small", SMALL, given.count), *files):
        read = refused = 0
        slowest = 0.0
        for number, mutant in enumerate(mutants(count, data)):
            begin = time.process_time()
            try:
                shown(mutant, name)
                read += 1
            except InputError:
                refused += 1
            except Exception as error:
                wrong += 1
                print(f"{name} {number}: {type(error).__name__}: {error}")
            slowest = max(slowest, time.process_time() - begin)
        wrong += slowest > 60
        print(f"{name}: {read} read, {refused} refused, slowest {slowest:.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
