# SPDX-License-Identifier: MIT
"""Impedance of a power rail at the balls of its load.

What it checks: the largest |Z| looking into the board at the balls, all supply balls tied together and all ground
balls tied together, die and package taken off.

Limit (`z`): voltage x AC tolerance / load step, or the `target` of the board file where that is lower. A load line is
by design: up to the regulator's crossover its resistance is the limit where that is larger.

Band: from 100 Hz to where the package alone reaches the limit, Z / (2 pi L), at most 100 MHz. Above it the board cannot
help: |Z| there and what the die sees are printed, not judged.

Other limits: `guide` is the figure of the NextPCB guide for the core of an accelerator, a warning over the same band:
above some 1 MHz no board meets it through a package. `profile_step` is advice for a rail that declares a smaller load
step than the profile's: |Z| beside voltage x AC tolerance / the profile's step, in the band of that limit. A step that
the maker of the part states is better founded. `spreading` compares the drawn copper of the rail (`rails.*.copper`: its
resistance from the sense point to the balls and back, its inductance over the ground planes beside it) with all
`spreading` of the ladder. From twice as much on they contradict each other: a warning, and the drawn copper is judged.
The ladder may have more: vias and contacts.

What leaves the verdict open: a package inductance without a document (`package.source` absent, or an assumption). Then
the band of the least inductance that is sold is judged; where |Z| meets the limit there, it must meet it in the band of
the largest that is sold too. Of a bank without ESR or mounted inductance both ends of its tier's range must pass.

Interval: ESR x0.6 and x1.4, ESL +10 %, stated tolerances, and the regulator as its inductors alone above its crossover
(`vrm.phase_inductance`, 10 uH where it is not declared).

Model: a ladder; of a rail with a `layout` its planes as cavities, with package, regulator and capacitors at their
places.

Why it matters: a load step times |Z| is the voltage that the load loses. The NextPCB guide asks for its figure up to
100 MHz at the package, which would take a package of a fraction of a picohenry.

How to fix it: more or better placed capacitors of the tier whose range holds the peak (PDN007 names it), shorter
mounting, a thinner dielectric between the planes; a bank that changes the largest |Z| by less than 0.5 dB is named and
may go. A bank without which the largest |Z| is lower is named with that |Z|: it rings with another element. Where a
rail misses the limit the fix names the bank that meets it with the fewest pieces more, solved again, of a `layout` with
their place and distance from the balls, or says that no bank alone does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import pi

from pcbrules.results.curve import SMALL_CHANGE, change_of_largest, changes_nothing, largest
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.power import RailImpedance, SpreadingRatio
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._more_pieces import more_pieces
from pcbrules.units import show, show_hz, show_ohm

META = Meta(
    id="PDN001",
    name="rail-impedance",
    title="Rail impedance at the balls",
    needs=RailImpedance,
    limits={"z": "resistance", "guide": "resistance", "advised": "resistance", "profile_step": "resistance",
            "spreading": "number"},
    counts={"spreading": "x the ladder"},
    inputs=("rails.*.vrm", "rails.*.ladder", "rails.*.layout", "rails.*.package.inductance", "rails.*.target",
            "rails.*.tolerance.ac", "rails.*.current.step", "rails.*.current.peak", "rails.*.current.idle",
            "rails.*.crossover", "rails.*.vrm.phase_inductance", "rails.*.copper"),
)
SHORTEST = 100e3
"""A band that ends below this frequency [Hz] holds the regulator alone; practice."""


def check(fact: RailImpedance, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the largest |Z| of the board's band with each limit."""
    own = limits["z"].limit if "z" in limits else None
    for name, part in (("z", ""), ("guide", "guide"), ("advised", "advised"), ("profile_step", "profile_step")):
        if name in limits:
            yield from _judge(fact, limits[name], part, own.high if own and name != "profile_step" else None)
    if "spreading" in limits and fact.spreading:
        yield _spreading(fact, fact.spreading, limits["spreading"])


def _judge(fact: RailImpedance, bound: Bound, part: str, own: float | None) -> Iterator[Verdict | Skip]:
    """Compare in the band of the rail's ``own`` limit [ohm], where it has one."""
    limit = bound.limit
    if limit is None or limit.high is None:
        yield Skip("an impedance needs an upper limit", part=part, bound=bound)
        return
    start, top = fact.frequencies[0], fact.frequencies[-1]
    ends = fact.package.ends(own or limit.high, top)
    _, end, high_end = ends
    gap = f"`{fact.subject}.package.inductance` leaves the board no band of its own" if end < SHORTEST else ""
    if end <= start:
        yield Skip(f"{gap} above {show_hz(start)}", part=part, bound=bound)
        return
    seen = fact.regulator_band
    usual = min(top, limit.high / (2 * pi * fact.package.sold)) if fact.package.sold else end
    fact = fact.through(*ends, usual, min(seen.value, end), min(seen.lo, end))
    if fact.load_line > limit.high and seen.value > start:
        yield _load_line(fact, bound, part, start, min(seen.value, end))
        if end <= seen.value:
            yield Skip("the whole band lies below the regulator's crossover", part=part, bound=bound)
            return
        measured, place = _largest(fact, (seen.value, ends), (max(start, seen.lo), high_end), seen)
        start = seen.value
    else:
        measured, place = _largest(fact, (start, ends), (start, high_end), None)
    measured = replace(measured, derivation=partial(_steps, fact, measured, limit.high, place, (start, end)))
    band = f"between {show_hz(start)} and {show_hz(end)}"
    message = f"|Z| reaches {show_ohm(measured.value)} at {show_hz(place)} {band}"
    if gap and limit.met_by(measured.value):
        yield Skip(f"{gap}; {message}", part=part, bound=bound)
        return
    formula, die = fact.formula_target, fact.die
    if formula and part == "profile_step":
        message += f"; the profile's step asks for {show_ohm(limit.high)}, that of the board for {show_ohm(formula)}"
    elif formula:
        message += f"; V x ripple / load step is {show_ohm(formula)}"
    if die:
        message += f"; the die sees {show_ohm(die[1])} at {show_hz(die[0])} (not judged)"
    yield Verdict(
        measured=measured,
        bound=bound,
        message=message,
        part=part,
        note=" ".join(filter(None, (_notes(fact, limit.high, start, end), _wider(fact, start, end, usual)))),
        where=fact.reads[0],
        fix=partial(_fix, fact, measured, limit, (start, end, high_end)),
    )


def _fix(fact: RailImpedance, measured: Measured, limit: Limit, band: tuple[float, float, float]) -> str:
    """More pieces of a bank where the limit is missed; else the direction."""
    how = "capacitors in the range of the peak, shorter mounting, or planes closer together"
    if fact.cure is None or limit.high is None or limit.met_by(measured.value):
        return f"use {how}"
    return more_pieces(fact.cure(*band, limit.high), show_ohm, f"use {how}")


def _spreading(fact: RailImpedance, seen: SpreadingRatio, bound: Bound) -> Verdict:
    """The ladder's planes against the drawn copper."""
    least, ratio = seen.least / seen.ladder, seen.drawn / seen.ladder
    measured = Measured(value=ratio, lo=least, hi=ratio, model="drawn copper over the ladder's `spreading`",
                        reads=((*fact.where, "ladder"), (*fact.where, "copper")))
    if least < ratio:
        missing = Undeclared(key=f"{fact.subject}.copper", why="leaves out return or antipads", lo=least, hi=ratio)
        measured = replace(measured, basis="assumed", undeclared=missing)
    drawn, ladder = (show(one, seen.unit) for one in (seen.drawn, seen.ladder))
    return Verdict(
        measured=measured, bound=bound, part="spreading", where=fact.reads[0],
        message=f"the drawn copper has {drawn} of {seen.quantity}, the `spreading` of the ladder {ladder}: "
        f"{ratio:.3g} times as much",
        fix=f"give the steps of `{fact.subject}.ladder` the {seen.quantity} of the planes as drawn, or draw them anew",
        note="The worse of the two is judged.",
    )


def _largest(
    fact: RailImpedance, band: tuple[float, tuple[float, float, float]], widest: tuple[float, float],
    regulator: Measured | None,
) -> tuple[Measured, float]:
    """The largest |Z| from a frequency to the judged end of the band, with its interval, and where that is. [Hz]

    Where the package or an input of a bank is assumed, the limit has to lie beyond all that they may be.
    """
    start, (least, end, _) = band
    place, value = largest(fact.frequencies, fact.nominal, start, end)
    curves = (fact.nominal, *fact.corners)
    sure = max(least, min(SHORTEST, end), start)
    low = min(largest(fact.frequencies, curve, start, sure)[1] for curve in curves)
    high = max(value, *(largest(fact.frequencies, curve, *widest)[1] for curve in curves))
    assumptions = (*fact.assumptions, *(regulator.assumptions if regulator else ()))
    measured = Measured(value=value, lo=low, hi=high, model=fact.model, reads=fact.reads, assumptions=assumptions)
    missing = None
    if fact.package.key:
        least_seen = largest(fact.frequencies, fact.nominal, start, sure)[1]
        missing = Undeclared(key=fact.package.key, why=fact.package.why, lo=least_seen, hi=value)
    if fact.undeclared:
        missing = Undeclared(key=fact.undeclared, lo=low, hi=high)
    return replace(measured, basis="assumed" if missing else "computed", undeclared=missing), place


def _load_line(fact: RailImpedance, bound: Bound, part: str, start: float, end: float) -> Verdict:
    own = Limit(None, fact.load_line, "mohm", f"<= {show(fact.load_line, 'mohm')}")
    measured, place = _largest(fact, (start, (end, end, end)), (start, end), fact.regulator_band)
    measured = replace(measured, derivation=partial(_steps, fact, measured, fact.load_line, place, (start, end)))
    return Verdict(
        measured=measured,
        bound=replace(bound, limit=own),
        message=f"|Z| reaches {show_ohm(measured.value)} at {show_hz(place)} below the regulator's crossover "
        f"at {show_hz(end)}, where the load line is the limit",
        part=f"{part}_load_line" if part else "load_line",
        where=fact.reads[0],
        fix="regulator and planes together must not exceed the load line",
    )


def _wider(fact: RailImpedance, start: float, end: float, usual: float) -> str:
    """What |Z| the board has in the band that the least package inductance of what is sold would leave it."""
    if usual <= end:
        return ""
    place, value = largest(fact.frequencies, fact.nominal, start, usual)
    own = fact.package
    return (f"`{fact.subject}.package.inductance` of {show(own.value, 'pH')} ends the band at {show_hz(end)}; with "
            f"{show(own.sold, 'pH')}, the least that is sold, it would end at {show_hz(usual)}, and |Z| would reach "
            f"{show_ohm(value)} at {show_hz(place)}.")


def _steps(
    fact: RailImpedance, measured: Measured, limit: float, place: float, band: tuple[float, float]
) -> Derivation:
    start, end = band
    steps = [Step("limit", limit, "mohm")]
    if fact.formula_target:
        steps.append(Step("target by the load step", fact.formula_target, "mohm", "V x AC tolerance / load step"))
    origin = "least of what is sold, assumed" if fact.package.key else "the board file"
    steps.append(Step("inductance of the package", fact.package.value, "pH", origin))
    steps.append(Step("the package alone reaches the limit at", limit / (2 * pi * fact.package.value), "MHz"))
    if fact.load_line:
        steps.append(Step("load line", fact.load_line, "mohm", "the board file"))
        steps.append(Step("crossover of the regulator", fact.regulator_band.value, "kHz", fact.regulator_band.model))
    steps += [
        Step("the band begins at", start, "kHz"),
        Step("the band ends at", end, "MHz"),
        Step("peak: frequency", place, "MHz"),
        Step("peak: nominal |Z|", measured.value, "mohm", "judged"),
        Step("peak: least of the variants", measured.lo, "mohm", f"{len(fact.corners)} variants"),
        Step("peak: largest of the variants", measured.hi, "mohm", "over the widest band"),
    ]
    for name, curve in fact.without:
        steps.append(Step(f"largest |Z| of the band without {name}",
                          largest(fact.frequencies, curve, start, end)[1], "mohm"))
    if fact.die:
        steps.append(Step("the die sees", fact.die[1], "mohm", f"at {show_hz(fact.die[0])}, not judged"))
    formulas = ("value = largest |Z| of the board between the ends of the band",
                "end of the band = limit / (2 pi x inductance of the package), at most the top of the curve",
                "target by the load step = voltage x AC tolerance / load step")
    return Derivation(formulas, fact.model, tuple(steps))


def _notes(fact: RailImpedance, limit: float, start: float, end: float) -> str:
    notes = []
    changes = [(name, curve, change_of_largest(fact.frequencies, fact.nominal, curve, start, end))
               for name, curve in fact.without]
    idle = [name for name, _, change in changes if changes_nothing(change)]
    if idle:
        notes.append(f"Left out alone, each of these {SMALL_CHANGE}: {', '.join(idle)}.")
    for name, curve, change in changes:
        if change < 0 and not changes_nothing(change):
            lower = show_ohm(largest(fact.frequencies, curve, start, end)[1])
            notes.append(f"The largest |Z| is lower without {name}: {lower}.")
    if fact.formula_target and fact.formula_target < limit * (1 - 1e-9):
        notes.append(f"V x ripple / load step asks for less: {show_ohm(fact.formula_target)}.")
    if end < fact.frequencies[-1]:
        top = f"{show_ohm(fact.nominal[-1])} at {show_hz(fact.frequencies[-1])}"
        notes.append(f"Above the band the package decides, and |Z| is not judged: {top}.")
    return " ".join([*notes, *fact.remarks])

