# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/physics: plots/NAME.py gives physics/NAME.svg. Run from the checkout's root.

    python docs/make_plots.py [NAME ...]
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PLOTS = DOCS / "plots"
NAMES = tuple(sorted(path.stem for path in PLOTS.glob("[!_]*.py")))


def picture(name: str) -> str:
    """One picture as SVG. The file may import what begins with `_` beside it."""
    sys.path.insert(0, str(PLOTS))
    try:
        text: str = runpy.run_path(str(PLOTS / f"{name}.py"))["picture"]()
    finally:
        sys.path.remove(str(PLOTS))
    return text


def main() -> None:
    """Draw those that are named, or all."""
    for name in sys.argv[1:] or NAMES:
        (DOCS / "physics" / f"{name}.svg").write_text(picture(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
