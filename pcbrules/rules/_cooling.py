# SPDX-License-Identifier: MIT
"""How power is judged against a limit that holds for air cooling."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Skip, Verdict
from pcbrules.units import show

STILL_AIR = 60.0
"""Power up to which heat may leave without moved air [W]: NextPCB (2026), passive or a small fan at the edge."""


def judge_air(
    *, power: Measured, kind: str, way: str, bound: Bound, unit: str, fix: str, part: str = "", note: str = ""
) -> Verdict | Skip:
    """A verdict against a limit for air: liquid meets it at any power, still air does not above ``STILL_AIR``."""
    limit = bound.limit
    message = f"{show(power.value, unit)}, cooling: {way}"
    if limit is None:
        return Skip("a power needs a limit", part=part, bound=bound)
    if kind == "liquid":
        text = f"{message}; the limit for air ({limit.text}) does not apply"
        free = replace(bound, limit=limit.lifted("cooled by liquid"))
        return Verdict(measured=power, bound=free, message=text, part=part, note=note)
    if kind == "passive" and power.hi > STILL_AIR and limit.met_by(power.value):
        reason = f"{message}; the limit ({limit.text}) is for moved air: name `forced-air` if the chassis moves it"
        return Skip(reason, part=part, bound=bound)
    return Verdict(measured=power, bound=bound, message=message, fix=fix, part=part, note=note)
