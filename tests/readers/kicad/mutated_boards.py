# SPDX-License-Identifier: MIT
"""KiCad boards with a few bytes changed, cut, doubled or put elsewhere.

`PYTHONPATH=tests python tests/readers/kicad/mutated_boards.py 10000` reads so many of a small board, and 20 of each
file that is named after the number; it ends with 1 where anything but a layout or a refusal came out, or one took over
a minute.
"""

from __future__ import annotations

import sys

from kicad_boards import board
from mutated_layouts import mutants, run

from pcbrules.readers.kicad.board import parse_kicad

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


if __name__ == "__main__":
    sys.exit(run(__doc__ or "", parse_kicad, SMALL, lambda count, data: mutants(count, data, PIECES)))
