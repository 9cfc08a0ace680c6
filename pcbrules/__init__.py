# SPDX-License-Identifier: MIT
"""pcbrules: a pre-tapeout screen of printed circuit boards for signal and power integrity.

>>> import pcbrules
>>> board = pcbrules.load("boards/jetson-orin-carrier.yaml")  # doctest: +SKIP
>>> report = pcbrules.check(board, profile="edge")  # doctest: +SKIP
>>> [f.subject for f in report.findings if f.status == "fail"]  # doctest: +SKIP
>>> board.links["usb_a"].network("edge")  # a skrf.Network  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pcbrules.version import VERSION as __version__

if TYPE_CHECKING:
    from pcbrules.analysis.channel.tdr_solve import TdrProfile
    from pcbrules.api import Link, Loaded, LoadedRail, Options
    from pcbrules.api.calls import board_yield, check, design, fix, lines, load, platform, reach, search, sweep
    from pcbrules.errors import InputError
    from pcbrules.reports import render
    from pcbrules.results.finding import Finding, Severity, Status
    from pcbrules.results.report import Report
    from pcbrules.rulesets import profiles
    from pcbrules.studies.channels import LoudestCrosstalk
    from pcbrules.studies.design import Design, WantedTrace
    from pcbrules.studies.fixing.proposal import FixProposal
    from pcbrules.studies.lines import Lines
    from pcbrules.studies.platform.advice import PlatformAdvice
    from pcbrules.studies.searching.stackup_search import StackupSearch
    from pcbrules.studies.spread.board_yield import BoardYield
    from pcbrules.studies.variants.reach import ReachTable
    from pcbrules.studies.variants.sweep import Sweep

__all__ = [
    "BoardYield",
    "Design",
    "Finding",
    "FixProposal",
    "InputError",
    "Lines",
    "Link",
    "Loaded",
    "LoadedRail",
    "LoudestCrosstalk",
    "Options",
    "PlatformAdvice",
    "ReachTable",
    "Report",
    "Severity",
    "StackupSearch",
    "Status",
    "Sweep",
    "TdrProfile",
    "WantedTrace",
    "__version__",
    "board_yield",
    "check",
    "design",
    "fix",
    "lines",
    "load",
    "platform",
    "profiles",
    "reach",
    "render",
    "search",
    "sweep",
]

_HOME = {
    "BoardYield": "studies.spread.board_yield",
    "Design": "studies.design",
    "Finding": "results.finding",
    "FixProposal": "studies.fixing.proposal",
    "InputError": "errors",
    "Lines": "studies.lines",
    "Link": "api",
    "Loaded": "api",
    "LoadedRail": "api",
    "LoudestCrosstalk": "studies.channels",
    "Options": "api",
    "PlatformAdvice": "studies.platform.advice",
    "ReachTable": "studies.variants.reach",
    "Report": "results.report",
    "Severity": "results.finding",
    "StackupSearch": "studies.searching.stackup_search",
    "Status": "results.finding",
    "Sweep": "studies.variants.sweep",
    "TdrProfile": "analysis.channel.tdr_solve",
    "WantedTrace": "studies.design",
    "board_yield": "api.calls",
    "check": "api.calls",
    "design": "api.calls",
    "fix": "api.calls",
    "lines": "api.calls",
    "load": "api.calls",
    "platform": "api.calls",
    "profiles": "rulesets",
    "reach": "api.calls",
    "render": "reports",
    "search": "api.calls",
    "sweep": "api.calls",
}
"""Module of every name: imported when it is first asked for, so that the command line starts without it."""


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"pcbrules.{_HOME[name]}"), name)
    raise AttributeError(f"module 'pcbrules' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
