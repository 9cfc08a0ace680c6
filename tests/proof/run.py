# SPDX-License-Identifier: MIT
"""The solver beside finite elements on random cross-sections: `make proof` fills the table of its page in the docs."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import fem  # noqa: E402 (after the environment)
from compare import Difference, difference  # noqa: E402
from geometries import KINDS, section  # noqa: E402

from pcbrules.physics.lines.cross_section import electrostatic  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs" / "physics" / "proof.md"
BEGIN, END = "<!-- table: made by `make proof` -->\n", "<!-- end of the table -->\n"
LIMIT = 1e-3
"""Largest difference of a capacitance or an impedance that is no fault."""


def compared(kind: str, seed: int) -> Difference:
    """Solver against finite elements on one section."""
    drawn = section(kind, seed)
    return difference(electrostatic.solve(drawn), fem.solve(drawn))


def row(kind: str, found: list[Difference]) -> str:
    """A line of the table."""
    cells = [kind, str(len(found))]
    for name in ("capacitance", "impedance", "share"):
        values = [getattr(one, name) for one in found]
        cells += [f"{100 * max(values):.4f}", f"{100 * median(values):.4f}"]
    return "| " + " | ".join(cells) + " |"


HEAD = (
    "| kind | cases | C worst [%] | median | Z worst [%] | median | share worst [%] | median |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|"
)


def main() -> None:
    """Print the table; exit 1 if a difference is above the limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=200, help="sections of each kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    arguments = parser.parse_args()
    lines, every, beyond = [HEAD], [], 0
    print(HEAD)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for kind in KINDS:
            found = list(pool.map(partial(compared, kind), range(arguments.cases)))
            for seed, one in enumerate(found):
                if max(one.capacitance, one.impedance) > LIMIT:
                    beyond += 1
                    print(f"BEYOND {kind}, seed {seed}: {one}", file=sys.stderr)
            every += found
            lines.append(row(kind, found))
            print(lines[-1], flush=True)
    lines.append(row("all", every))
    print(lines[-1])
    if arguments.write:
        before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after, encoding="utf-8")
    sys.exit(1 if beyond else 0)


if __name__ == "__main__":
    main()
