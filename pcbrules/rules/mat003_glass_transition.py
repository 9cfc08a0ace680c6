# SPDX-License-Identifier: MIT
"""Glass-transition temperature of every laminate.

What it checks: Tg of each laminate of the stackup, as differential scanning calorimetry (DSC) reads it. Where only a
dynamic mechanical value (DMA) is published, DSC is taken as 25 K less, within 10 K; a thermomechanical value (TMA) is
taken as it is. FR4 of the standard class without a Tg is sold with 130 to 140 degC, and the least is judged. Solder
mask and PTFE are left out. Decomposition temperature, time to delamination and z expansion are printed beside it. Where
the board file describes thermal vias with the power of their part, and the air beside the board, the hot spot at that
part is computed and its margin to the lowest Tg judged.

Why it matters: above Tg the resin expands four to eight times as fast in z and pulls at every plated hole, and a board
sees several reflow cycles at 240 to 260 degC. A part that runs near Tg does the same every day.

How to fix it: choose a laminate with a higher Tg, or one whose Tg by DSC is published. A hot spot asks for more thermal
vias, more copper or more air.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.materials import LaminateTg
from pcbrules.results.facts.thermal import HotSpot
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="MAT003",
    name="glass-transition",
    title="Glass-transition temperature of a laminate",
    needs=LaminateTg,
    also=(HotSpot,),
    limits={"tg": "temperature", "advised": "temperature", "margin": "temperature_rise"},
    inputs=(
        "stackup[].material",
        "materials.laminates.*.thermal.tg",
        "thermal.via_arrays.*.power",
        "thermal.board_air",
        "board.size",
    ),
)


def check(fact: LaminateTg | HotSpot, limits: Limits) -> Iterator[Verdict]:
    """Compare Tg with the least that the profile asks for and advises; a hot spot's margin with its limit."""
    if isinstance(fact, HotSpot):
        if "margin" in limits:
            yield Verdict(
                measured=fact.margin,
                bound=limits["margin"],
                part="hot_spot",
                message=f"{fact.under} heats the board to {show(fact.temperature, 'degC')}, "
                f"{show(fact.margin.value, 'K')} below Tg of {fact.laminate} ({show(fact.tg, 'degC', 4)})",
                fix="add thermal vias or copper, move more air, or choose a laminate with a higher Tg",
            )
        return
    for name, part in (("tg", ""), ("advised", "advised")):
        if name in limits:
            yield Verdict(
                measured=fact.tg,
                bound=limits[name],
                part=part,
                message=f"{fact.laminate} has Tg {show(fact.tg.value, 'degC', 4)} ({fact.method})",
                fix="choose a laminate with a higher Tg: `pcbrules library laminates`",
                note="" if part else fact.remarks,
            )
