# SPDX-License-Identifier: MIT
"""A report of an earlier check, and what a report of today adds to it or loses against it."""

from __future__ import annotations

from pcbrules.baseline.compare import Comparison, recounted
from pcbrules.baseline.one_each import one_each
from pcbrules.baseline.planned import acceptance, counted, meant
from pcbrules.baseline.reader import Baseline, BaselineReport, read_baseline
from pcbrules.baseline.regression import LossBound, read_bounds
from pcbrules.baseline.vias import via_places

__all__ = [
    "Baseline", "BaselineReport", "Comparison", "LossBound", "acceptance", "counted", "meant", "one_each",
    "read_baseline", "read_bounds", "recounted", "via_places",
]
