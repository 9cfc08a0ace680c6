# SPDX-License-Identifier: MIT
"""The ends of what is sold, by names of library entries: the unfavourable one for loss first."""

from __future__ import annotations

from typing import Final

SOLD_FOILS: Final = ("std-ed", "hvlp5")
"""The roughest and the smoothest foil class of the library."""

SOLD_MASKS: Final = ("psr-4000-bn", "psr-4000-hfx")
"""The lossiest solder mask of the library and the other one."""
