# SPDX-License-Identifier: MIT
"""Do the layers add up to the board's thickness?"""

from __future__ import annotations

from pcbrules.model.board_file import BoardFile
from pcbrules.model.stack import Stack
from pcbrules.readers.names import Names
from pcbrules.units import show

ERROR_SHARE, ERROR_FLOOR = 0.03, 50e-6
WARNING_SHARE = 0.02  # boards of one nominal thickness are written as 62 mil (1.575 mm) and as 1.6 mm
ROUNDING = 1 + 1e-9  # sums of floats


def check_thickness(file: BoardFile, stack: Stack, names: Names) -> None:
    """Compare the layer sum with the declared thickness: error above max(3 %, 50 um), warning above 2 %."""
    declared = file.board.thickness
    if declared is None or not stack.coppers:
        return
    total = stack.thickness
    if declared.over == "mask":
        for mask in (stack.top_mask, stack.bottom_mask):
            if mask:
                total += (mask.over_trace or mask.thickness).value
    elif declared.over == "laminate":
        total -= stack.coppers[0].spec.thickness.value
        if len(stack.coppers) > 1:
            total -= stack.coppers[-1].spec.thickness.value
    stated = declared.value.value
    off = abs(total - stated)
    path = ("board", "thickness", "value")
    text = f"the layers add up to {show(total, 'mm', 4)} over {declared.over}"
    allowed = max(ERROR_SHARE * stated, ERROR_FLOOR)
    if off > allowed * ROUNDING:
        names.fault(path, text, found=declared.value.text, expected=f"within {show(allowed, 'um')}",
                    fix="check for a missing or doubled layer, and whether thicknesses are pressed ones")
    elif off > WARNING_SHARE * stated * ROUNDING:
        names.doubt(path, f"{text}, the board is declared as {declared.value.text}")
