# SPDX-License-Identifier: MIT
"""pcbrules: a pre-tapeout screen of printed circuit boards for signal and power integrity.

>>> import pcbrules
>>> board = pcbrules.load("boards/jetson-orin-carrier.yaml")  # doctest: +SKIP
>>> report = pcbrules.check(board, profile="edge")  # doctest: +SKIP
>>> [f.subject for f in report.findings if f.status == "fail"]  # doctest: +SKIP
>>> board.links["usb_dn"].network()  # a skrf.Network  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pcbrules.version import VERSION as __version__

if TYPE_CHECKING:
    from pcbrules.api import Link, Loaded, LoadedRail, Options, check, design, lines, load, reach, sweep
    from pcbrules.errors import InputError
    from pcbrules.reports import render
    from pcbrules.results.finding import Finding, Severity, Status
    from pcbrules.results.report import Report

__all__ = [
    "Finding",
    "InputError",
    "Link",
    "Loaded",
    "LoadedRail",
    "Options",
    "Report",
    "Severity",
    "Status",
    "__version__",
    "check",
    "design",
    "lines",
    "load",
    "reach",
    "render",
    "sweep",
]

_HOME = {
    "Finding": "results.finding",
    "InputError": "errors",
    "Link": "api",
    "Loaded": "api",
    "LoadedRail": "api",
    "Options": "api",
    "Report": "results.report",
    "Severity": "results.finding",
    "Status": "results.finding",
    "check": "api",
    "design": "api",
    "lines": "api",
    "load": "api",
    "reach": "api",
    "render": "reports",
    "sweep": "api",
}
"""Module of every name: imported when it is first asked for, so that the command line starts without it."""


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"pcbrules.{_HOME[name]}"), name)
    raise AttributeError(f"module 'pcbrules' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
