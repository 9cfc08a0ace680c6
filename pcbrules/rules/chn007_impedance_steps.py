# SPDX-License-Identifier: MIT
"""Impedance steps along the path, as a reflectometer sees them.

What it checks: the impedance along the path for a step whose rise, 20 to 80 %, is 0.4 of the unit interval, seen from
either end with the other end matched. Lines, lines in a ball field (`breakout: true`), and vias, capacitors and
connectors each have a limit on how far they may be from the link's reference impedance. The worst element of each kind
is named.

Lines: a line counts with its own impedance alone; reflections of its neighbours are not added to it, and what the
resistance of the lines adds along the way is left out. What fabrication makes of a line, or the impedance class that is
ordered, is judged by SIG001 alone.

Vias: a via is judged after the shallowest and after the deepest backdrill, and the worse of both counts. A longer stub
lowers the impedance, so of a via that is too high the deepest backdrill is the worse one.

Interval: the errors of the models and what the file does not say; of vias, capacitors and connectors also what
fabrication makes of the lines beside them.

What fails: the 15 % for vias are a round figure of practice, and the model of a via may be off by a third of it. A via
that misses them by no more than the model error (k = 2) is marginal, not failed; the message gives both, and the rest
of the interval is fabrication. By the nominal value fail: a limit from elsewhere, a line, and a path whose vias are not
fully described, so that no verdict gets better by an input that is left out.

Why it matters: every step sends a part of the edge back; two of them make ripple that no equaliser takes off.

How to fix it: bring the lines to the reference impedance; at a via shorten its stubs and open the antipads where it is
too low, close them or bring ground vias nearer where it is too high. For a via that fails the path is solved again with
another stub, antipad, ground-via distance and pitch, none beyond what the fabrication class holds (STK011, VIA002) and
no residual below 5 mil, and no ground via so far that VIA001 is in doubt or beyond 2.5 mm. The fix names the first
change that meets the limit and does not worsen the verdict of CHN004; where none does, it says what each change gives.
Other links with vias of the type are solved with it by both rules: the fix says for which it holds, for which it is not
enough, and which it worsens. Impedance step and return loss can pull apart: a via that is part of a resonance between
two steps may return less where it is off.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import copysign

from pcbrules.results.edits import Fix
from pcbrules.results.facts.tdr import ImpedanceDeviation, ImpedanceProfile
from pcbrules.results.judge import FABRICATION
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._via_cure import OTHERWISE, direction, mismatched, solved
from pcbrules.units import show

META = Meta(
    id="CHN007",
    name="impedance-steps",
    title="Impedance steps in the time domain",
    needs=ImpedanceProfile,
    limits={"line": "ratio", "breakout": "resistance", "transition": "ratio"},
    inputs=("links.*.path", "links.*.impedance", "via_types", "stackup", "fabrication"),
    spares=("CHN004",),
)


OF_A_LINE = ("The impedance of a line is sqrt(L/C) at Nyquist here, with the inductance inside its copper, as a "
             "reflectometer shows it. SIG001 judges the line without loss, which lies 1 % to 3 % lower.")


def check(fact: ImpedanceProfile, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the worst element of each kind with the limit of its kind."""
    kinds = {"line": fact.line, "breakout": fact.breakout, "transition": fact.transition}
    for name, worst in kinds.items():
        if worst is not None and name in limits:
            doubted = FABRICATION if name == "transition" and worst.described else ""
            measured = worst.measured.scaled(fact.reference) if name == "breakout" else worst.measured
            yield Verdict(measured=measured, bound=limits[name], message=_message(fact, worst), part=name,
                          fix=partial(_fix, fact, worst, name, limits[name]), where=worst.where, doubted=doubted,
                          changes=worst.via, otherwise=OTHERWISE if worst.via else "",
                          note=OF_A_LINE if name == "line" else "",
                          offset=copysign(measured.value, worst.impedance - fact.reference))
    if "transition" in limits:
        for name, key, place in fact.unseen:
            yield Skip(f"{name} declares a loss and no reflection: give `{key}`",
                       part=f"path.{name}", where=place, bound=limits["transition"])


def _message(fact: ImpedanceProfile, worst: ImpedanceDeviation) -> str:
    side = "below" if worst.impedance < fact.reference else "above"
    away = f"{show(worst.impedance, 'ohm', 4)}, {worst.measured.value:.1%} {side} {show(fact.reference, 'ohm', 4)}"
    return f"{worst.element} is {away} ({show(fact.rise_time, 'ps')} edge, seen from {worst.end})"


def _fix(fact: ImpedanceProfile, worst: ImpedanceDeviation, kind: str, bound: Bound) -> str | Fix:
    low = worst.impedance < fact.reference
    if kind == "transition":
        limit = bound.limit
        beyond = limit is not None and limit.high is not None and not limit.met_by(worst.measured.value)
        found = (worst.cures(limit, bound.entries) if beyond and limit is not None and worst.cures is not None
                 else ())
        if worst.cures is None:
            return mismatched(worst.element)
        return solved(found, low=low) if found else direction(worst.element, low=low, stub=worst.stub)
    return f"make {worst.element} {'narrower' if low else 'wider'}, or its gap {'wider' if low else 'narrower'}"
