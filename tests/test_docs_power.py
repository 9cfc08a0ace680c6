# SPDX-License-Identifier: MIT
"""The picture of docs/physics/ir_drop.md shows what the models give."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_picture_of_direct_current_is_that_of_today() -> None:
    """If this fails: python docs/make_power.py. Places may differ by a fifth of a pixel, as another BLAS rounds."""
    number = re.compile(r"-?\d+\.\d\b")
    made = runpy.run_path(str(ROOT / "docs" / "make_power.py"))["picture"]()
    kept = (ROOT / "docs" / "physics" / "ir_drop.svg").read_text(encoding="utf-8")
    assert number.sub("#", made) == number.sub("#", kept)
    pairs = zip(number.findall(made), number.findall(kept), strict=True)
    assert max(abs(float(one) - float(other)) for one, other in pairs) < 0.2
