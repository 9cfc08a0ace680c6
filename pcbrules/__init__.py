# SPDX-License-Identifier: MIT
"""pcbrules: a pre-tapeout screen of printed circuit boards for signal and power integrity.

>>> import pcbrules
>>> board = pcbrules.load("boards/jetson-orin-carrier.yaml")  # doctest: +SKIP
>>> report = pcbrules.check(board, "edge")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pcbrules.version import VERSION as __version__

if TYPE_CHECKING:
    from pcbrules.api import Options, check, load

__all__ = ["Options", "__version__", "check", "load"]


def __getattr__(name: str) -> Any:
    """The functions of `api`, imported when they are first asked for: the command line starts without them."""
    if name in ("Options", "check", "load"):
        from pcbrules import api

        return getattr(api, name)
    raise AttributeError(f"module 'pcbrules' has no attribute '{name}'")
