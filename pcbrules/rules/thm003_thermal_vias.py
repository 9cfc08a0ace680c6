# SPDX-License-Identifier: MIT
"""Thermal vias under the parts of regulators.

What it checks: that a board with regulators has fields of thermal vias; the pitch of each, the web of laminate that is
left between the drilled walls, and the temperature rise from the part's pad to the far face, for the power and against
the rise that the board file gives. Without these two the resistance is printed and not judged. The resistance is that
of a cell with barrel, fill and laminate and with the spreading in its foils, without which it comes out 4 to 16 % low;
how the far face gets rid of the heat is not part of it (MAT003 has the hot spot).

Why it matters: a power stage gives half its heat to the board; laminate alone lets no more than milliwatts through.

How to fix it: more vias, thicker plating, solid copper fill, a thinner board. A finer pitch than drill and web allow
breaks drills; a wider one leaves copper out.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.thermal import ThermalViaFields, ThermalVias
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="THM003",
    name="thermal-vias",
    title="Thermal vias under regulators",
    needs=ThermalVias,
    also=(ThermalViaFields,),
    limits={"present": "number", "pitch": "length", "web": "length", "rise": "temperature_rise"},
    inputs=("thermal.via_arrays", "stackup[].thickness", "rails.*.vrm"),
)


def check(fact: ThermalVias | ThermalViaFields, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the number of fields; pitch, web and rise of each."""
    if isinstance(fact, ThermalViaFields):
        if "present" in limits:
            number = int(fact.number.value)
            yield Verdict(
                measured=fact.number,
                bound=limits["present"],
                message=f"{number or 'no'} {'field' if number == 1 else 'fields'} of thermal vias",
                fix="put thermal vias under the power stages and describe them in `thermal.via_arrays`",
            )
        return
    if "pitch" in limits:
        yield Verdict(
            measured=fact.pitch,
            bound=limits["pitch"],
            part="pitch",
            message=f"{fact.count} vias under {fact.under} at a pitch of {show(fact.pitch.value, 'mm')}"
            f"{_printed(fact)}",
            fix="take another pitch",
        )
    if "web" in limits:
        yield Verdict(
            measured=fact.web,
            bound=limits["web"],
            part="web",
            message=f"{show(fact.web.value, 'mm')} of laminate between the drilled walls under {fact.under}",
            fix="drill smaller holes or widen the pitch",
        )
    if "rise" not in limits:
        return
    if fact.rise is None:
        yield Skip(fact.unsolved, part="rise", bound=limits["rise"])
        return
    yield Verdict(
        measured=fact.rise,
        bound=limits["rise"],
        part="rise",
        message=f"{show(fact.rise.value, 'K')} through the vias under {fact.under}{_printed(fact)}",
        fix="add vias, fill them with copper, or plate them thicker",
    )


def _printed(fact: ThermalVias) -> str:
    if fact.resistance is None:
        return f" (resistance not computed: {fact.unsolved})"
    return f": {show(fact.resistance.value, 'K/W')} ({show(fact.parallel, 'K/W')} without the spreading in the foils)"
