# SPDX-License-Identifier: MIT
"""Droop and overshoot of a rail at its load step.

What it checks: how far the voltage at the balls falls when the load current rises by its step, and how far it rises
when the load lets go, against the AC part of the rail's tolerance. The current moves in a straight line, with the slew
of the load, at most 1 kA/us at the balls. The step is that of the board file, else the profile's: from idle to peak
current, or a share of the peak. Where they differ the note gives both. The droop is the exact response of the ladder,
or of the planes of a `layout`, with the regulator's loop closed; the share of a load line is no droop. The overshoot is
the largest of that network's, of L dI^2 / (2 C V), and of the network with all phases off, where the load falls faster
than the current of the phases' inductors can, V / L. L is the inductors of all phases in parallel
(`vrm.phase_inductance` / `vrm.phases`), not the output inductance of the closed loop: without it the overshoot is not
evaluated, unless the closed loop alone is beyond the limit. The network is linear: a fall or a rise beyond the rail's
own voltage counts as that voltage, and the message says so. Die and worst pattern of currents are printed where package
and die are modelled, never judged.

Why it matters: below its least voltage the load's logic is too slow, above its highest it ages. An overshoot is no
mirror of a droop: no control can empty an inductor faster than the output voltage does.

How to fix it: a droop within the rise is inductance near the balls, one within microseconds asks for more capacitance
of the middle tier, one that stays is resistance. An overshoot of the inductors asks for more capacitance, more phases
or smaller inductors. Where a rail misses the limit the fix names the bank that meets it with the fewest pieces more,
solved again, of a `layout` with their place and distance from the balls, or says that no bank alone does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import isinf

from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.power import RailTransient
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._more_pieces import more_pieces
from pcbrules.units import show, show_hz, show_ohm, show_volt

META = Meta(
    id="PDN005",
    name="rail-load-step",
    title="Droop and overshoot of a rail at its load step",
    needs=RailTransient,
    limits={"droop": "voltage", "overshoot": "voltage"},
    inputs=(
        "rails.*.tolerance.ac",
        "rails.*.current.step",
        "rails.*.current.peak",
        "rails.*.current.idle",
        "rails.*.current.slew",
        "rails.*.vrm",
        "rails.*.vrm.phase_inductance",
        "rails.*.crossover",
        "rails.*.ladder",
        "rails.*.layout",
    ),
)
NEARLY = 1.1
"""A droop within this factor of what the resistances leave is theirs; practice."""


def check(fact: RailTransient, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare droop and overshoot with their limits."""
    if "droop" in limits:
        yield _droop(fact, limits["droop"])
    if "overshoot" in limits:
        yield _overshoot(fact, limits["overshoot"])


def _droop(fact: RailTransient, bound: Bound) -> Verdict:
    settled = fact.direct - fact.load_line * fact.step
    if isinf(fact.lowest_at):
        when, fix = "once all has settled, after", "less resistance of regulator and planes"
    elif fact.droop.value <= NEARLY * settled:
        when, fix = f"{_seconds(fact.lowest_at)} from the start of", "less resistance of regulator and planes"
    elif fact.lowest_at <= 1.2 * fact.step / fact.slew:
        when = f"{_seconds(fact.lowest_at)} from the start of"
        fix = "reduce the inductance between the last banks and the balls"
    else:
        when = f"{_seconds(fact.lowest_at)} from the start of"
        fix = f"add capacitors, or mount them closer, in the tier that acts near {show_hz(1 / (4 * fact.lowest_at))}"
    message = f"the balls droop by {_volts(fact, fact.droop.value)} {when} {_step(fact)}"
    if fact.load_line:
        message += f", {show_volt(fact.load_line * fact.step)} of the load line not counted"
    if fact.die is not None:
        message += f"; the die droops by {_volts(fact, fact.die)} (not judged)"
    if fact.worst_at_die is not None:
        worst = _volts(fact, fact.worst_at_die)
        message += f", by {worst} under the worst pattern of currents up to the step, however fast (not judged)"
    measured = replace(fact.droop, derivation=partial(_droop_steps, fact))
    return Verdict(measured=measured, bound=bound, message=message, part="droop", where=fact.droop.reads[0],
                   fix=partial(_fix, fact, measured, bound, fix), note=fact.step_note)


def _fix(fact: RailTransient, measured: Measured, bound: Bound, how: str, *, overshoot: bool = False) -> str:
    """More pieces of a bank where the limit is missed; else the direction.

    Where the resistance of regulator and planes alone is beyond the limit, no capacitor helps: how much less is said.
    """
    limit = bound.limit
    if limit is None or limit.high is None or limit.met_by(measured.value):
        return how
    settled = 0.0 if overshoot else fact.direct - fact.load_line * fact.step
    if settled > limit.high:
        most = (limit.high + fact.load_line * fact.step) / fact.step
        return (f"bring regulator and planes from {show_ohm(fact.direct / fact.step, 4)} to "
                f"{show_ohm(most, 4)} or less together: no capacitor helps, {_volts(fact, settled)} stay once all "
                "has settled")
    return how if fact.cure is None else more_pieces(
        fact.cure(limit.high, overshoot=overshoot), partial(_volts, fact), how)


def _overshoot(fact: RailTransient, bound: Bound) -> Verdict | Skip:
    limit, linear = bound.limit, fact.linear
    closed = f"the balls rise by {_volts(fact, linear.value)} when {_step(fact)} is released with the loop closed"
    if fact.overshoot is None:
        if limit is not None and limit.met_by(linear.value):
            return Skip(f"{fact.overshoot_gap}; {closed}", part="overshoot", bound=bound)
        seen, why = linear, closed
    else:
        seen, why = fact.overshoot, closed
        if fact.release:
            larger = max(fact.release.bound, fact.release.rise)
            why += (f", by {_volts(fact, larger)} while the {show(fact.release.inductance, 'nH')} of phase inductors "
                    "discharge")
        elif fact.inductor_slew:
            why += f"; the inductors fall faster, {show(fact.inductor_slew, 'A/us')}"
    release = fact.release
    limited = release if release and max(release.bound, release.rise) >= linear.value else None
    return Verdict(
        measured=replace(seen, derivation=partial(_overshoot_steps, fact)),
        bound=bound,
        message=why,
        part="overshoot",
        note=fact.step_note,
        where=limited.where if limited else seen.reads[0],
        fix=partial(_fix, fact, seen, bound, "more capacitance on the output, more phases, or smaller inductors"
                    if limited else "more capacitance near the balls with less inductance, or a regulator that follows "
                    "faster", overshoot=True),
    )


def _droop_steps(fact: RailTransient) -> Derivation:
    steps = [
        *_load(fact),
        Step("drop over the resistances of regulator and planes", fact.direct, "mV"),
        Step("share of the load line", fact.load_line * fact.step, "mV"),
        Step("droop: nominal", fact.droop.value, "mV", "judged"),
        Step("droop: least of the variants", fact.droop.lo, "mV"),
        Step("droop: largest of the variants", fact.droop.hi, "mV"),
    ]
    if not isinf(fact.lowest_at):
        steps.insert(-3, Step("lowest, from the start of the step", fact.lowest_at, "us"))
    if fact.die is not None and fact.worst_at_die is not None:
        steps += [Step("droop at the die", fact.die, "mV", "not judged"),
                  Step("droop at the die, worst pattern", fact.worst_at_die, "mV", "any currents up to the step")]
    formulas = ("droop = largest of step x (response to a rise from 0 to 1 A - load line)",
                "response = sum over the poles of the network, exact")
    return Derivation(formulas, fact.droop.model, tuple(steps))


def _overshoot_steps(fact: RailTransient) -> Derivation:
    steps = [*_load(fact), Step("capacitance of all banks", fact.stored, "uF")]
    if fact.inductor_slew:
        coils = fact.voltage / fact.inductor_slew
        steps += [Step("inductors of all phases in parallel, L", coils, "nH", "vrm.phase_inductance / vrm.phases"),
                  Step("their current falls by V / L", fact.inductor_slew, "A/us")]
    if fact.release:
        steps += [Step("they discharge within", fact.release.fall, "us"),
                  Step("L dI^2 / (2 C V)", min(fact.release.bound, fact.voltage), "mV"),
                  Step("network with all phases off", min(fact.release.rise, fact.voltage), "mV",
                       "above the voltage after the release")]
    steps.append(Step("network with the regulator's loop closed", fact.linear.value, "mV"))
    formulas = ("overshoot = the largest of these rises",
                "those of the inductors count where the load falls faster than V / L")
    return Derivation(formulas, fact.linear.model, tuple(steps))


def _load(fact: RailTransient) -> list[Step]:
    return [
        Step("voltage", fact.voltage, "V", "the board file"),
        Step("load step", fact.step, "A", fact.step_origin),
        Step("slew at the balls", fact.slew, "A/us"),
        Step("duration of the rise", fact.step / fact.slew, "us"),
    ]


def _step(fact: RailTransient) -> str:
    return f"a step of {show(fact.step, 'A')} at {show(fact.slew, 'A/us')}"


def _volts(fact: RailTransient, value: float) -> str:
    """A voltage of the linear network, up to that of the rail. [V]"""
    return show_volt(value) if value < fact.voltage else f"more than the {show_volt(fact.voltage)} of the rail"


def _seconds(time: float) -> str:
    return show(time, "ns" if time < 0.9995e-6 else "us" if time < 0.9995e-3 else "ms")

