# SPDX-License-Identifier: MIT
"""The self-test's worst error of each model, as a report shows it: data, since the run takes longer than a check.

``docs/make_validation.py`` writes the data anew; a test compares it with a run.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pcbrules.results.report import ModelError
from pcbrules.selftest.tolerances import limits, meanings
from pcbrules.ties import greatest_of

if TYPE_CHECKING:
    from pcbrules.selftest.runner import Outcome

NAME = "worst_errors.json"

SMALLEST = 0.01
"""Errors below this share of their tolerance are shown as this share: smaller ones differ between processors [-]."""


@cache
def recorded() -> tuple[ModelError, ...]:
    """Return what the shipped data says."""
    text = (files("pcbrules.selftest") / "data" / NAME).read_text(encoding="utf-8")
    return tuple(ModelError(**one) for one in json.loads(text))


def worst_errors(outcome: Outcome) -> tuple[ModelError, ...]:
    """Return of each model of a run the error that comes nearest to its tolerance, rounded up."""
    found: dict[str, list[ModelError]] = {}
    for line in outcome.by_quantity():
        tolerance = limits()[line.group][line.what]
        error = rounded_up(max(line.worst, SMALLEST * tolerance))
        of = meanings()[line.group][line.what]
        found.setdefault(line.group, []).append(ModelError(line.group, line.what, error, tolerance, of))
    return tuple(greatest_of(some, key=lambda one: one.error / one.tolerance, floor=1e-9) for some in found.values())


def rounded_up(value: float) -> float:
    """Return a positive number, rounded up to one significant digit."""
    size = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / size - 1e-6) * size:.1g}")


def written(errors: tuple[ModelError, ...]) -> str:
    """Return the text of the data."""
    return json.dumps([asdict(one) for one in errors], indent=1) + "\n"
