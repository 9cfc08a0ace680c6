# SPDX-License-Identifier: MIT
"""How hot may each laminate become before its resin softens?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.board.laminates import LaminateUse, Uses
from pcbrules.analysis.common.interval import Interval, around
from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.catalogue.records import Laminate
from pcbrules.model.conditions import Conditions
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.materials import LaminateTg
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.ties import least_of
from pcbrules.units import show

PROVIDES = (LaminateTg,)

UNCERTAINTY = 5.0
"""Of a Tg by DSC, or by TMA, which reads lower and is taken as it is [K, k = 2]: practice."""

DMA_OFFSET, DMA_UNCERTAINTY = 25.0, 10.0
"""DMA reads 15 to 35 K above DSC [K]: laminates of which both are published."""


@dataclass(frozen=True, slots=True)
class TgByDsc:
    """A Tg as DSC would read it [degC], and how it was read."""

    tg: Interval
    method: str
    source: str
    assumption: str = ""
    sold: bool = False
    """The range of what is sold, since no Tg is given."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Tg of every laminate of the stackup. Solder mask has none that matters, PTFE none at all."""
    yield from stackup_gaps(board, LaminateTg)
    uses = Uses(board)
    for placed in board.stack.dielectrics if board.stack else ():
        if isinstance(placed.spec, Dielectric):
            use = uses.of(placed.spec.material)
            use.places.append(("stackup", placed.index, "material"))
    if board.stack and not uses.found:
        yield Gap(fact=LaminateTg, subject="stackup", where=("stackup",), applicable=False, tags=board.tags,
                  reason="the stackup has no dielectric")
    for use in uses.found:
        yield _of(board, use)


def _of(board: Board, use: LaminateUse) -> Item:
    subject, where = f"stackup{under(use.name)}", use.places[0]
    if use.laminate.family == "ptfe":
        return Gap(fact=LaminateTg, subject=subject, where=where, tags=board.tags, applicable=False,
                   reason=f"{use.laminate.name} is PTFE: it has no glass transition that limits soldering")
    reading = by_dsc(use.laminate) or _by_class(board, use.laminate)
    if reading is None:
        return Gap(fact=LaminateTg, subject=subject, where=where, tags=board.tags,
                   reason=f"the glass-transition temperature of {use.laminate.name} is not known",
                   key=_key(use))
    return LaminateTg(
        subject=subject,
        where=where,
        tags=board.tags,
        tg=Measured(
            value=reading.tg.value,
            lo=reading.tg.lo,
            hi=reading.tg.hi,
            error=0.0 if reading.sold else max(reading.tg.minus, reading.tg.plus),
            model=f"{reading.method}, {reading.source}",
            basis="assumed" if reading.sold else "table",
            reads=tuple(use.places),
            assumptions=(reading.assumption,) if reading.assumption else (),
            undeclared=Undeclared(key=_key(use), lo=reading.tg.lo, hi=reading.tg.hi) if reading.sold else None,
        ),
        laminate=use.laminate.name,
        method=reading.method,
        remarks=_remarks(use.laminate),
    )


def _key(use: LaminateUse) -> str:
    return f"materials.laminates{under(use.written)}.thermal.tg"


def _by_class(board: Board, laminate: Laminate) -> TgByDsc | None:
    """The range in which FR4 of the standard class is sold, for one without a Tg; its least value is judged."""
    if laminate.family != "epoxy" or laminate.loss_class != "standard":
        return None
    sold = board.catalogue.defaults["tg-standard-fr4"]
    ends = f"{show(sold.min, 'degC', 4)} to {show(sold.max, 'degC', 4)}"
    return TgByDsc(Interval(lo=sold.min, value=sold.min, hi=sold.max), "DSC, of the standard class", sold.source,
                   f"Tg of {laminate.name} not declared: FR4 of the standard class is sold with {ends}", sold=True)


def by_dsc(laminate: Laminate) -> TgByDsc | None:
    """Tg of a laminate as differential scanning calorimetry reads it, or None without any.

    Of several methods the one that needs least conversion: DSC, TMA, DMA, unstated. Of several values by one method
    the lowest. A value whose method nobody states may be by DMA: the interval reaches down that far.
    """
    for method in ("DSC", "TMA", "DMA", "unstated"):
        stated = [tg for tg in laminate.thermal.tg if tg.method == method]
        if not stated:
            continue
        lowest = least_of(stated, key=lambda tg: tg.value)
        value, source = lowest.value, lowest.source
        if method == "DMA":
            return TgByDsc(around(value - DMA_OFFSET, minus=DMA_UNCERTAINTY, plus=DMA_UNCERTAINTY), method, source,
                           f"DMA reads {show(value, 'degC', 4)}; DSC is taken as 25 K less, +- 10 K")
        if method == "unstated":
            return TgByDsc(around(value, minus=DMA_OFFSET + DMA_UNCERTAINTY, plus=UNCERTAINTY), "method not stated",
                           source, "the method of this Tg is not stated: by DMA it would be 15 to 35 K lower")
        return TgByDsc(around(value, minus=UNCERTAINTY, plus=UNCERTAINTY), method, source,
                       "TMA is taken as DSC, which reads higher" if method == "TMA" else "")
    return None


def _remarks(laminate: Laminate) -> str:
    """What else an assembler asks about: decomposition, time at 288 degC, expansion."""
    thermal = laminate.thermal
    td = f"Td {show(thermal.td.value, 'degC', 4)} (usual demand: 340 degC)" if thermal.td else "Td not known"
    t288 = f"T288 {thermal.t288.value / 60:g} min" if thermal.t288 else "T288 not known"
    if thermal.expansion_50_260:
        growth = f"z expansion {show(thermal.expansion_50_260.value, '%')} from 50 to 260 degC"
    elif thermal.cte_z_below:
        growth = f"z expansion {show(thermal.cte_z_below.value, 'ppm/K')} below Tg"
    else:
        growth = "z expansion not known"
    return f"Also: {td}, {t288}, {growth}."
