# SPDX-License-Identifier: MIT
"""The build-up that KiCad puts into a board before anybody enters one."""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.layout.layers import LayoutLayer
from pcbrules.model.default_build_up import DefaultBuildUp

DK, DF, MATERIAL = 4.5, 0.02, "FR4"
"""Of every sheet: `BOARD_STACKUP_ITEM` in pcbnew/board_stackup_manager/board_stackup.cpp of KiCad, seen 2026."""

COPPER = 35e-6
"""Of every copper layer, by the same file. [m]"""

PREPREG = 0.1e-3
"""Of every prepreg, where the dialog shares out a thickness: `setDefaultLayerWidths` in panel_board_stackup.cpp. The
cores take equal parts of the rest. [m]"""

ROUNDED = 0.6e-6
"""By how much sheets may differ that files round to a micrometre. [m]"""


def default_build_up(layers: Sequence[LayoutLayer]) -> DefaultBuildUp | None:
    """KiCad's default build-up of four copper layers or more; None where somebody entered one.

    KiCad makes all sheets equal (`BuildDefaultStackupList`), whatever the number of layers: (board - 35 um a copper
    layer - 10 um a mask) over the number of sheets, 0.48 mm on four layers of 1.6 mm. Its dialog takes prepregs of
    0.1 mm and equal cores. On two layers the board's thickness decides the one sheet, so nothing can be told.
    """
    sheets = [one for one in layers if one.kind == "dielectric"]
    coppers = [one for one in layers if one.kind == "copper"]
    if len(sheets) < 3 or len(sheets) != len(coppers) - 1:
        return None
    if any((one.dk, one.df, one.material) != (DK, DF, MATERIAL) or not one.thickness for one in sheets) or any(
            one.thickness is None or abs(one.thickness - COPPER) > ROUNDED for one in coppers):
        return None
    of = f"of {MATERIAL} with Dk {DK:g} and Df {DF:g}"
    thicknesses = [one.thickness or 0.0 for one in sheets]
    if _equal(thicknesses):
        return DefaultBuildUp(f"{len(sheets)} equal sheets of {thicknesses[0] * 1e3:.4g} mm {of}", built=False)
    prepregs, cores = thicknesses[::2], thicknesses[1::2]
    if _equal([*prepregs, PREPREG]) and _equal(cores):
        return DefaultBuildUp(f"prepregs of 0.1 mm and equal cores of {cores[0] * 1e3:.4g} mm {of}", built=True)
    return None


def _equal(thicknesses: Sequence[float]) -> bool:
    return max(thicknesses) - min(thicknesses) <= ROUNDED
