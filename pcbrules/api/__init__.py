# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers; the command line is a thin layer over it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pcbrules.api._explaining import explain
    from pcbrules.api._fab import fab_order, fab_returned
    from pcbrules.api._fixing import cheaper, fix
    from pcbrules.api._gone import gone_boards
    from pcbrules.api._judging import NotebookReport, check, exit_code, judge, settle, worst_exit
    from pcbrules.api._links import Link
    from pcbrules.api._loaded import Loaded, is_board_name, load, resolve
    from pcbrules.api._options import Options
    from pcbrules.api._permitted import Permitted, permitted
    from pcbrules.api._platform import platform
    from pcbrules.api._rails import LoadedRail
    from pcbrules.api._reach import reach
    from pcbrules.api._required import known_parts
    from pcbrules.api._search import search
    from pcbrules.api._studied import with_studies
    from pcbrules.api._studies import channels, decoupling, design, lines, rail_exhibits, rails
    from pcbrules.api._variants import sweep
    from pcbrules.api._workers import workers
    from pcbrules.api._yield import board_yield

__all__ = [
    "Link", "Loaded", "LoadedRail", "NotebookReport", "Options", "Permitted", "board_yield", "channels", "cheaper",
    "check", "decoupling", "design", "exit_code", "explain", "fab_order", "fab_returned", "fix", "gone_boards",
    "is_board_name", "judge", "known_parts", "lines", "load", "permitted", "platform", "rail_exhibits", "rails",
    "reach", "resolve", "search", "settle", "sweep", "with_studies", "workers", "worst_exit",
]

_HOME = {
    "_explaining": ("explain",),
    "_fab": ("fab_order", "fab_returned"),
    "_fixing": ("cheaper", "fix"),
    "_gone": ("gone_boards",),
    "_judging": ("NotebookReport", "check", "exit_code", "judge", "settle", "worst_exit"),
    "_links": ("Link",),
    "_loaded": ("Loaded", "is_board_name", "load", "resolve"),
    "_options": ("Options",),
    "_permitted": ("Permitted", "permitted"),
    "_platform": ("platform",),
    "_rails": ("LoadedRail",),
    "_reach": ("reach",),
    "_required": ("known_parts",),
    "_search": ("search",),
    "_studied": ("with_studies",),
    "_studies": ("channels", "decoupling", "design", "lines", "rail_exhibits", "rails"),
    "_variants": ("sweep",),
    "_workers": ("workers",),
    "_yield": ("board_yield",),
}
"""Names by their module, which is imported when one is first asked for: a command loads what it uses."""


def __getattr__(name: str) -> Any:
    home = next((module for module, names in _HOME.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'pcbrules.api' has no attribute '{name}'")
    return getattr(import_module(f"pcbrules.api.{home}"), name)


def __dir__() -> list[str]:
    return __all__
