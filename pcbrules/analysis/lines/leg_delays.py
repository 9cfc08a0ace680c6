# SPDX-License-Identifier: MIT
"""The delays of the legs of a broadside pair, whose surroundings may differ."""

from __future__ import annotations

import math
from dataclasses import replace

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.lines.mode_fields import reference_dk
from pcbrules.analysis.lines.modes import COPPER, MOST
from pcbrules.analysis.lines.polygons import draw
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.fields import Fields
from pcbrules.solver_cache import solved_once

EQUAL = 1e-9
"""Difference of delays over their mean that is rounding of the charges: in one dielectric the legs are equal [-]."""


def unequal_delay(task: LineTask, *, dk: float) -> Interval | Missing:
    """Delay of the first leg of a broadside pair less that of the second, over their mean [-].

    By the charges of both legs at opposite voltages: each leg has the permittivity C / C0 of its own charge. The
    interval reaches to the legs by themselves, the other one grounded, as of legs that hardly couple. The dielectrics
    of either leg come from lots of their own, with a tolerance ``dk`` each [-], so that delays differ by dk / sqrt(2).
    """
    found = _solved(replace(task, **COPPER))
    return found if isinstance(found, Missing) else Interval(
        lo=found.lo - dk / math.sqrt(2), value=found.value, hi=found.hi + dk / math.sqrt(2))


@solved_once
def _solved(task: LineTask) -> Interval | Missing:
    try:
        fields = solve(draw(task, reference_dk).section, most=2 * MOST)
    except ValueError as error:
        return Missing(str(error))
    opposite, alone = (_apart(fields, other=other) for other in (-1.0, 0.0))
    return Interval(lo=min(opposite, alone), value=opposite, hi=max(opposite, alone))


def _apart(fields: Fields, *, other: float) -> float:
    """The difference for one leg at 1 V and the ``other`` one at that voltage."""
    first, second = (
        math.sqrt((fields.c[leg, leg] + other * fields.c[0, 1]) / (fields.c0[leg, leg] + other * fields.c0[0, 1]))
        for leg in (0, 1)
    )
    apart = 2 * (first - second) / (first + second)
    return apart if abs(apart) > EQUAL else 0.0
