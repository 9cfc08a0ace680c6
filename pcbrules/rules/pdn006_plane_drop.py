# SPDX-License-Identifier: MIT
"""Direct-current drop, loss, via current and necks of a rail's copper.

What it checks: over the shapes that the board file draws (`rails.*.copper`), with the copper warm and the planes
perforated under the package: the drop from the regulator's sense point to the worst ball over the rail's voltage, at
the sustained current or at the peak, as the profile says; at the sustained current the power lost in the copper over
the rail's power, the largest current of a via, scaled to a barrel of 0.25 mm with 25 um that gets as hot, and the
temperature rise of the hottest neck above the copper at its ends. A neck is a fin: it loses its heat through its
surfaces like a trace, and along the copper to both ends, J2 rho l2 / 8 k where it is short. The surfaces are those of
the fit of Brooks and Adam to the charts of IPC-2152 for outer traces; the interval reaches up to those of the formula
of IPC-2221 with the constant 0.024 for inner conductors, and to ends that are warmed by what flows out of them. (Pages
which print the constants 0.048 and 0.024 as IPC-2152 are wrong: IPC-2152 has charts and no formula.) Neither standard
covers planes: copper wider than 10 mm (400 mil) is no neck, and what a whole plane rises by is not judged here. The
charts alone say 5 to 20 K of webs of half a millimetre, which finite differences show to be a few hundredths.

What the board file does not say is judged only if it cannot turn the verdict; its worst end is what is shown. A return
that is not drawn takes from nothing to what the supply's shapes take on the ground planes above and below them, at
least as much as the supply. A sheet under a ball field without `perforated` has from no antipads to antipads over 60 %
of the area; `perforated: []` says that there are none. A source without `resistance` has pins of
up to 30 mohm, one for every 1.5 A, and on inner layers vias down to the planes, one for every 10 A.

Why it matters: at 500 A a tenth of a milliohm is 50 mV and 25 W. Current takes the near vias and the near balls first:
the first via of a row may carry several times its share.

How to fix it: move the sense point into the middle of the balls, add planes or heavier copper, bring current in from
more sides, spread the vias across the flow, thin out the antipads or widen the webs between them. The loss is advice:
the regulator makes up for it, it costs heat and efficiency alone, and an accelerator's core rail seldom meets 1 % with
any stackup that is built (4 % take four times the copper). The fix says how much copper meets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil

from pcbrules.model.foil_weights import PLANES, sold_weight
from pcbrules.results.applied import applied
from pcbrules.results.edits import NO_FIX
from pcbrules.results.facts.plane_flow import PlaneFlow
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN006",
    name="plane-drop",
    title="Direct-current drop over the planes",
    needs=PlaneFlow,
    limits={"drop": "ratio", "peak_drop": "ratio", "loss": "ratio", "via": "current", "rise": "temperature_rise"},
    inputs=("rails.*.copper", "rails.*.current", "rails.*.voltage", "stackup"),
    spares=("STK003",),
)
PAIR = 2
"""Planes that a stackup is given more, without another board [-]: practice, one pair."""

SENSED = "the sense point"
MORE = "add planes or heavier copper, or bring current in from more sides"


def check(fact: PlaneFlow, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare drop, loss, the current of the busiest via and the rise of the hottest neck with their limits."""
    if "drop" in limits:
        yield _drop(fact, fact.drop, fact.current, limits["drop"], "drop")
    if "peak_drop" in limits and (fact.peak_drop is None or fact.peak is None):
        rail = fact.subject.removesuffix(".copper")
        yield Skip(f"the load's peak current is not declared: give `{rail}.current.peak`", part="drop",
                   bound=limits["peak_drop"])
    elif "peak_drop" in limits and fact.peak_drop is not None and fact.peak is not None:
        yield _drop(fact, fact.peak_drop, fact.peak, limits["peak_drop"], "drop")
    if "loss" in limits:
        watts = fact.loss.value * fact.voltage * fact.current
        yield Verdict(
            measured=fact.loss, bound=limits["loss"], part="loss",
            message=f"{show(watts, 'W')} lost in the {_copper(fact)}, {show(fact.loss.value, '%')} of the rail's "
            f"power; {_fixed(fact)}", fix=partial(_more_copper, fact, limits["loss"]),
        )
    if "via" in limits and fact.via is None:
        yield Skip("no via or ball has a barrel that carries current", applicable=False, part="via",
                   bound=limits["via"])
    elif "via" in limits and fact.via is not None:
        low, high = fact.shares
        yield Verdict(
            measured=fact.via, bound=limits["via"], part="via",
            message=f"the busiest via carries {show(fact.via.value, 'A')}, as one of 0.25 mm with 25 um",
            fix="add vias across the flow, or larger ones",
            note="" if high - low < 0.01 else f"The sources carry {low:.2f} to {high:.2f} times their share.",
        )
    if "rise" in limits:
        yield _rise(fact, limits["rise"])


def _drop(fact: PlaneFlow, drop: Measured, current: float, bound: Bound, part: str) -> Verdict:
    above = fact.balls.highest * current
    return Verdict(
        measured=drop, bound=bound, part=part,
        message=f"{show(drop.value * fact.voltage, 'mV')} at {show(current, 'A')} from {fact.start} to the worst ball "
        f"{_at(fact.worst)} over the {_copper(fact)}, {show(drop.value, '%')}",
        fix=partial(_sense, fact, drop.value, current, bound),
        note=f"The highest ball lies {show(above, 'mV')} above {fact.start}." if above > 0 else "",
    )


def _sense(fact: PlaneFlow, drop: float, current: float, bound: Bound) -> str:
    """The sense point in the middle of the balls: the drop from there is solved already, since it moves no current."""
    most = bound.limit.high if bound.limit is not None else None
    below, above = (part * current / fact.voltage for part in (fact.balls.below, fact.balls.above))
    keys = (f"`{fact.subject}.sense`", f"`{fact.subject}.return.sense`")
    places = " and ".join(f"{key} at {_at(place)}" for key, place in zip(keys, fact.balls.middle, strict=False))
    up = f", {show(above, '%')} up to the highest" if above > 0 else ""
    gives = f"{show(below, '%')} to the worst ball{up}"
    now = _enough(fact, drop, current, bound, sensed=fact.start == SENSED)
    then = _enough(fact, below, current, bound, sensed=True)
    more = MORE
    if now:
        more = MORE.replace(",", f" ({now:g} times the copper meets the limit: {_ordered(fact, now, bound)}),", 1)
    if most is not None and below <= most:
        return f"move the sense point into the middle of the balls: {places} (re-solved: {gives}); else {more}"
    with_it = f"; with it {then:g} times the copper meets the limit, {_ordered(fact, then, bound)}" if then else ""
    return f"{more}; the sense point alone does not cure it (re-solved: {places} gives {gives}{with_it})"


def _enough(fact: PlaneFlow, drop: float, current: float, bound: Bound, *, sensed: bool) -> float:
    """How many times the copper of all sheets brings a drop within its limit, the vias left alone; 0 if none does.

    The balls draw the same, so each has the mean drop of the vias; where nothing is sensed the sources' pads count too.
    """
    most = bound.limit.high if bound.limit is not None else None
    fixed = (fact.barrels + (0.0 if sensed else fact.pads)) / fact.current**2 * current / fact.voltage
    if most is None or fact.drop.undeclared or drop <= most or fixed >= most:
        return 0.0
    return _times(drop, most, fixed)


def _times(value: float, most: float, fixed: float) -> float:
    """How many times the copper meets a limit, of which a part is taken whatever the copper; rounded up."""
    return ceil(20 * (value - fixed) / (most - fixed) - 1e-9) / 20


def _foils(fact: PlaneFlow, bound: Bound) -> tuple[tuple[float, ...], str]:
    """The foils that planes may be ordered in, and why none is heavier: STK003 limits those of a core rail."""
    weight = None
    if fact.tags.get("rail_role") == "core":
        weight = applied(bound.entries.get("STK003", ()), fact).limits.get("weight")
    most = weight.limit.high if weight is not None and weight.limit is not None else None
    allowed = tuple(foil for foil in PLANES if most is None or foil <= most * (1 + 1e-9))
    if not allowed or allowed == PLANES:
        return PLANES, "no plane is sold heavier"
    return allowed, f"STK003 allows a core rail no foil above {show(allowed[-1], 'oz')}"


def _ordered(fact: PlaneFlow, times: float, bound: Bound) -> str:
    """The copper as it is ordered: the lightest foil that is enough in every plane, else more planes of the heaviest.
    """
    allowed, why = _foils(fact, bound)
    foils = [foil for _, foil in fact.planes]
    today = list(dict.fromkeys(show(sold_weight(ends), "oz", 2) for ends in (min(foils), max(foils))))
    layers = list(dict.fromkeys(layer for layer, _ in fact.planes))
    on = f"on {', '.join(layers)}"
    need = times * max(fact.copper)
    enough = next((foil for foil in allowed if foil > need * (1 - 1e-9)), 0.0)
    if enough:
        return f"{show(enough, 'oz')} in place of {' to '.join(today)} {on}"
    count = ceil(need / allowed[-1] * (1 - 1e-9))
    more = (count - 1) * len(layers)
    if more > PAIR:
        return f"{more} planes of {show(allowed[-1], 'oz')} more than the {len(layers)} of today, as {why}"
    return f"{count} planes of {show(allowed[-1], 'oz')} in place of each one of {' to '.join(today)} {on}, as {why}"


def _buildable(fact: PlaneFlow, times: float, bound: Bound) -> bool:
    """True if a plane pair more is enough for so many times the copper."""
    count = ceil(times * max(fact.copper) / _foils(fact, bound)[0][-1] * (1 - 1e-9))
    return (count - 1) * len({layer for layer, _ in fact.planes}) <= PAIR


def _more_copper(fact: PlaneFlow, bound: Bound) -> str:
    """How much more copper meets the limit, the vias left alone: the current spreads so that it loses least."""
    most = bound.limit.high if bound.limit is not None else None
    power = fact.voltage * fact.current
    if most is None or fact.loss.value <= most or fact.loss.undeclared:
        return MORE
    fixed = fact.barrels + fact.pads
    if fixed >= most * power:
        cure = "more vias" if fact.barrels >= fact.pads else "more sources, or pads and pins of less resistance"
        return f"{cure}: {_fixed(fact)}, {show(fixed / power, '%')} of the rail's power whatever the planes"
    kept = "the vias and sources" if fact.pads else "the vias"
    times = _times(fact.loss.value, most, fixed / power)
    if not _buildable(fact, times, bound):
        return (f"{NO_FIX}: no practical copper meets the limit; it takes {times:g} times the copper, {kept} "
                f"unchanged, which is {_ordered(fact, times, bound)}; allow for the loss in supply and cooling")
    return f"use {times:g} times the copper, {kept} unchanged: {_ordered(fact, times, bound)}"


def _fixed(fact: PlaneFlow) -> str:
    """What is lost whatever the thickness of the planes."""
    sources = f", {show(fact.pads, 'W')} in the resistance of the sources" if fact.pads else ""
    return f"{show(fact.barrels, 'W')} of it in vias{sources}"


def _at(place: tuple[float, float]) -> str:
    """A place on the board, to 10 um where it is less than a metre away."""
    return f"({', '.join(show(one, 'mm', 5) for one in place)})"


def _copper(fact: PlaneFlow) -> str:
    return "supply and return planes" if fact.returned else "supply planes and an assumed return"


def _rise(fact: PlaneFlow, bound: Bound) -> Verdict | Skip:
    neck = fact.neck
    if neck is None:
        return Skip("no copper is narrow: neither IPC-2152 nor IPC-2221 has a figure for planes", applicable=False,
                    part="neck", bound=bound)
    what = "between two antipads" if neck.web else "wide"
    return Verdict(
        measured=neck.rise, bound=bound, part="neck",
        message=f"{show(neck.rise.value, 'K')} in a neck of {neck.layer}, {show(neck.width, 'mm')} {what} at "
        f"{_at(neck.place)}, with {show(neck.current, 'A')}, above the copper at its ends {show(neck.length, 'mm')} "
        f"apart; at most {show(neck.upper, 'K')}",
        fix="widen the neck, take antipads out of its way, or add a layer",
        note=f"An endless trace of this width would rise by {show(neck.endless, 'K')} (fit to IPC-2152).",
    )
