# SPDX-License-Identifier: MIT
"""A finding as a row of plain values, for tables."""

from __future__ import annotations

from pcbrules.results.finding import Finding
from pcbrules.results.margin_share import share
from pcbrules.units import convert

COLUMNS = ("rule", "title", "subject", "status", "severity", "value", "lo", "hi", "limit_low", "limit_high", "limit",
           "unit", "margin", "margin_ratio", "basis", "message", "fix", "file", "line")
"""Names of the columns, in their order."""


def finding_row(finding: Finding) -> dict[str, str | float | int | None]:
    """Return the columns that ``Report.to_rows`` lists."""
    measured, limit = finding.measured, finding.limit
    unit = limit.unit if limit else ""
    ratio = share(finding)

    def number(si: float | None) -> float | None:
        return None if si is None else convert(si, unit)

    values = (
        finding.rule, finding.title, finding.subject, finding.status.value, finding.severity.value,
        number(measured.value if measured else None), number(measured.lo if measured else None),
        number(measured.hi if measured else None), number(limit.low if limit else None),
        number(limit.high if limit else None), limit.text if limit else "", unit,
        number(limit.margin(measured.value) if measured and limit else None), ratio.value if ratio else None,
        finding.basis,
        finding.message, finding.fix, finding.where.file, finding.where.line,
    )
    return dict(zip(COLUMNS, values, strict=True))
