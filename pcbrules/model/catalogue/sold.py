# SPDX-License-Identifier: MIT
"""The ends of what is sold, by names of library entries: the unfavourable one for loss first."""

from __future__ import annotations

from typing import Final

SOLD_FOILS: Final = ("std-ed", "hvlp5")
"""The roughest and the smoothest foil class of the library."""

WORST_FINISH: Final = "enig"
SOLD_FINISHES: Final = (WORST_FINISH, "osp")
"""The lossiest surface finish and one that adds nothing."""

SOLD_MASKS: Final = ("psr-4000-bn", "psr-4000-hfx")
"""The lossiest solder mask of the library and the other one."""
