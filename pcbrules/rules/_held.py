# SPDX-License-Identifier: MIT
"""A figure of the board against what its fabrication class holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pcbrules.results.edits import Fix
from pcbrules.results.facts.fabrication import Held
from pcbrules.results.rule import Limits, Verdict
from pcbrules.units import show


def held(fact: Held, limits: Limits, cures: Mapping[str, str | Fix]) -> Iterator[Verdict]:
    """Compare one figure with the limit of its kind."""
    bound = limits.get(fact.kind)
    if bound is None:
        return
    asked = "" if bound.limit is None else f"; {fact.held_by} {bound.limit.text}"
    yield Verdict(measured=fact.figure, bound=bound, fix=cures[fact.kind],
                  message=f"{fact.what} is {show(fact.figure.value, 'um', 4)}{asked}")
