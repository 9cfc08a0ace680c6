# SPDX-License-Identifier: MIT
"""A rail of an example board: |Z| against its limit, and its parts alone."""

from __future__ import annotations

from pathlib import Path

from pcbrules import api
from pcbrules.studies.pdn_files import svg

BOARD = Path(__file__).resolve().parents[2] / "boards" / "hgx-b200-baseboard.yaml"


def picture() -> str:
    """The picture as SVG."""
    (rail,) = api.rails(api.load(str(BOARD)), "training", rail="nvsw_core").rails
    return svg(rail)
