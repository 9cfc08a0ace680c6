# SPDX-License-Identifier: MIT
"""Facts of a board whose build-up is the one that a CAD program puts in: nobody said what will be built."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace
from typing import Any

from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.facts.channel import CrosstalkNoise, LossDeviation, LossMask, ReturnLoss
from pcbrules.results.facts.signal import BoardLoss, FarEndCrosstalk, NearEndCrosstalk, PairImpedance, StubNotch
from pcbrules.results.facts.tdr import ImpedanceProfile
from pcbrules.results.measured import Measured, Undeclared

BY_HEIGHT = (PairImpedance, ReturnLoss, ImpedanceProfile, NearEndCrosstalk, FarEndCrosstalk, CrosstalkNoise)
"""Facts whose numbers the heights of the sheets decide."""

BESIDE = (BoardLoss, LossMask, LossDeviation, StubNotch)
"""Facts whose numbers they move."""

RECORDS = "pcbrules.results."
"""Where the records of facts are."""


def on_default_build_up(item: Fact | Gap, sheets: str, *, built: bool) -> Fact | Gap:
    """A fact of lines, with all that was computed on the basis *assumed*.

    Where no fabricator builds such sheets, numbers that their heights decide say nothing of the board: none of these
    can be judged.

    Parameters
    ----------
    item : Fact or Gap
    sheets : str
        The build-up in words.
    built : bool
        True where a fabricator may build one like it.
    """
    if not isinstance(item, (*BY_HEIGHT, *BESIDE)):
        return item
    made: Fact = _resting(item, sheets, built or not isinstance(item, BY_HEIGHT))
    return made


def _resting(value: Any, sheets: str, built: bool) -> Any:
    if isinstance(value, Measured):
        return _assumed(value, sheets, built) if value.basis in ("computed", "assumed") else value
    if type(value) is tuple:
        return tuple(_resting(one, sheets, built) for one in value)
    if isinstance(value, dict):
        return {key: _resting(one, sheets, built) for key, one in value.items()}
    if not is_dataclass(value) or not type(value).__module__.startswith(RECORDS):
        return value
    moved = {part.name: new for part in fields(value) if part.init
             if (new := _resting(old := getattr(value, part.name), sheets, built)) is not old}
    return replace(value, **moved)  # type: ignore[type-var]


def _assumed(one: Measured, sheets: str, built: bool) -> Measured:
    made = one.resting_on((f"stackup: KiCad's default, {sheets}",))
    if built:
        return made
    nobody = Undeclared(key="stackup", lo=-math.inf, hi=math.inf, why="is KiCad's default, which no fabricator builds",
                        gone="enter the build-up of your fabricator")
    return replace(made, undeclared=nobody)
