# SPDX-License-Identifier: MIT
"""Memory over many variants of a board in one process: all heights of the H100 board times 1 + 1e-5 k.

`python tests/benchmarks/variants.py [COUNT] [--every 50] [--most MB]` prints the memory of the process after every so
many checks through the API; exit code 1 where it is more than allowed at any time.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from pcbrules import api
from pcbrules.document import Document
from pcbrules.solver_cache import process_cache
from pcbrules.units import parse_value

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "boards" / "hgx-h100-baseboard.yaml"
STRETCH = 1e-5


def variant(document: Document, number: int) -> Document:
    """The board with all heights stretched, tolerances as they are."""
    for index, layer in enumerate(document.tree["stackup"]):
        height, sign, tolerance = str(layer["thickness"]).partition("+-")
        metres = parse_value(height.strip(), "length").value * (1 + STRETCH * number)
        text = f"{metres * 1e6:.6f} um" + (f" +-{tolerance}" if sign else "")
        document = document.edited(("stackup", index, "thickness"), text)
    return document


def resident() -> float:
    """Memory of this process now. [MB]"""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> int:
    """Check the variants; exit code 1 where they take too much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--most", type=float, default=400, help="memory that is allowed [MB]")
    asked = parser.parse_args()
    document, cache, most = api.load(BOARD).document, process_cache(), 0.0
    for number in range(asked.count):
        api.check(api.resolve(variant(document, number)), "training")
        most = max(most, resident())
        if number % asked.every == 0 or number == asked.count - 1:
            print(f"{number + 1} checks: {resident():.0f} MB, the cache {cache.size / 1e6:.0f} MB in {len(cache)} "
                  f"results, {time.process_time():.0f} s of processor time", flush=True)
    print(f"at most {most:.0f} MB")
    return most > asked.most


if __name__ == "__main__":
    sys.exit(main())
