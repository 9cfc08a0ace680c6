# SPDX-License-Identifier: MIT
"""The report on paper without its appendix: verdict, causes, signatures, findings and their pictures."""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.results.report import Report

NAME = "brief.pdf"
SUFFIXES = (".brief.pdf",)
EXHIBITS = True
BINARY = True


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> bytes:
    """Write the reports as a short PDF, A4; see ``reports.Format``."""
    from pcbrules.reports.pdf import printed_report

    return printed_report(reports, appendix=False)
