# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/how-to/use_from_python.md. Needs matplotlib. Run from the checkout's root."""

from __future__ import annotations

from pathlib import Path

import pcbrules

DOCS = Path(__file__).resolve().parent


def main() -> None:
    """Write both PNG files."""
    board = pcbrules.load(DOCS.parent / "boards" / "jetson-orin-carrier.yaml")
    margins = pcbrules.check(board, "edge", fixes=False).plot(most=12)
    longer = board.replace("links.csi.path.run.length", "90 mm", along=True)
    loss = longer.links["csi"].plot("edge", ax=board.links["csi"].plot("edge", label="60 mm"), label="90 mm")
    for name, ax in (("margins", margins), ("loss", loss)):
        ax.figure.savefig(DOCS / f"python_{name}.png", dpi=90, metadata={"Software": None})


if __name__ == "__main__":
    main()
