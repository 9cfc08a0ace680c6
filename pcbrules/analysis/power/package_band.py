# SPDX-License-Identifier: MIT
"""The inductance of a load's package, which ends the band in which the board acts."""

from __future__ import annotations

from pcbrules.model.board import Board
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.power import PackageInductance
from pcbrules.units import show

GUESSES = ("assum", "estimat", "guess", "unknown", "tbd", "typical")
"""Words by which a `source` says that there is no document."""


def package_inductance(board: Board, name: str, rail: Rail) -> PackageInductance:
    """The inductance with its range: that of a documented value, else of what is sold, whatever a guess says."""
    sold = board.catalogue.defaults[f"package-inductance-{rail.load}"]
    own, key = rail.package.inductance, f"rails{under(name)}.package"
    if own is not None and rail.package.source and not _guessed(rail.package.source):
        least = own.value - (own.minus or 0.0)
        return PackageInductance(value=own.value, lo=least, hi=own.value + (own.plus or 0.0),
                                 sold=sold.min if own.value > sold.typical else 0.0)
    span = f"assumed from {show(sold.min, 'pH')} to {show(sold.max, 'pH')}"
    if own is None:
        return PackageInductance(value=sold.min, lo=sold.min, hi=sold.max, key=f"{key}.inductance",
                                 text=f"{key}.inductance not declared: {span}")
    why = "is an assumption" if rail.package.source else "has no `source`"
    return PackageInductance(value=sold.min, lo=sold.min, hi=sold.max, key=f"{key}.inductance", why=why,
                             text=f"{key}.inductance {why}, so it is {span}")


def _guessed(source: str) -> bool:
    return any(word in source.lower() for word in GUESSES)
