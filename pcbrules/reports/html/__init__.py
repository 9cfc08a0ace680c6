# SPDX-License-Identifier: MIT
"""The report to look at: one HTML file that needs no network, with pictures, filters, and a style for print."""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.results.report import Report

NAME = "html"
SUFFIXES = (".html", ".htm")
EXHIBITS = True


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports as one page; see ``reports.Format``."""
    from pcbrules.reports.html._page import page

    text = page(reports)
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii") if ascii_only else text
