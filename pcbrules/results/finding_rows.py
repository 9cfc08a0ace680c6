# SPDX-License-Identifier: MIT
"""A finding as a row of plain values, for tables."""

from __future__ import annotations

from pcbrules.results.finding import Finding

COLUMNS = ("rule", "title", "subject", "status", "severity", "value", "lo", "hi", "limit_low", "limit_high", "limit",
           "unit", "margin", "basis", "message", "fix", "file", "line")
"""Names of the columns, in their order."""


def finding_row(finding: Finding) -> dict[str, str | float | int | None]:
    """Values and bounds in SI units, None for none; ``limit`` and its ``unit`` as the ruleset writes them."""
    measured, limit = finding.measured, finding.limit
    values = (
        finding.rule, finding.title, finding.subject, finding.status.value, finding.severity.value,
        measured.value if measured else None, measured.lo if measured else None, measured.hi if measured else None,
        limit.low if limit else None, limit.high if limit else None, limit.text if limit else "",
        limit.unit if limit else "", limit.margin(measured.value) if measured and limit else None, finding.basis,
        finding.message, finding.fix, finding.where.file, finding.where.line,
    )
    return dict(zip(COLUMNS, values, strict=True))
