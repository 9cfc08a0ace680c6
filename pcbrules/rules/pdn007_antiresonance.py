# SPDX-License-Identifier: MIT
"""Anti-resonance peaks of a power rail.

What it checks: every parallel resonance of the rail at its balls, die and package taken off. Each is named with the
element whose inductance and the one whose capacitance swing against each other, and with the resistance
R = sqrt(L/C) of their loop that would damp it. In the band in which the board acts (see PDN001) a peak above the limit
fails, and a peak with a quality above 2 that reaches 70 % of the limit is a warning: a pattern of currents at its
frequency builds up on it, step by step. A peak above the figure of the NextPCB guide for the core of an accelerator is
a warning too. Beyond the band peaks are reported, not judged; a package whose inductance is assumed takes no peak out
of the band. The interval holds the same peak of all variants of the rail: ESR x0.6 and x1.4, ESL +10 %, stated
tolerances and the range of what was assumed.
A rail with a `layout` is judged on its planes, as in PDN001: the two elements are then those that hold most energy of
the currents that circulate, and planes and vias between all places are one of them.

Why it matters: a rail whose |Z| is flat answers a load step once. One with a sharp peak rings, and a load that switches
in its rhythm sees a multiple of step times |Z|.

How to fix it: capacitors with more ESR, of a size between the two tiers, or shorter mounting of the inductive one. A
bank damps a peak if it has some four times the capacitance that rings, an ESR near R and little inductance. The fix is
solved again with all variants of the rail, with pieces as the rail's own banks have them, mounted as they are there: it
gives count and ESR, and the largest mounted inductance with which the bank still damps, to its last digit. Where no
such bank does, it gives the ESR of the bank that rings with which the peak is damped, or says that none was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import pi

from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.power import BEHIND, PLANES, REGULATOR, MoreResistance, RailPeak, RailPeaks
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.units import show, show_hz, show_ohm

META = Meta(
    id="PDN007",
    name="rail-antiresonance",
    title="Anti-resonance peaks of a rail",
    needs=RailPeaks,
    limits={"z": "resistance", "guide": "resistance", "quality": "number", "share": "ratio"},
    inputs=(
        "rails.*.vrm",
        "rails.*.ladder",
        "rails.*.layout",
        "rails.*.package.inductance",
        "rails.*.target",
        "rails.*.tolerance.ac",
    ),
)
SHORTEST = 100e3
"""A band that ends below this frequency [Hz] holds the regulator alone; practice."""
RESISTIVE = 4.0
"""R over the reactance of a damping bank at the peak from which on it is a resistance: 14 degrees; practice [-]."""
DAMPER = 4.0
"""A bank that damps has this many times the capacitance that rings (Middlebrook, 1978: damped filters) [-]."""


def check(fact: RailPeaks, limits: Limits) -> Iterator[Verdict | Skip]:
    """Judge every peak of the board's band, report the others."""
    bound = limits.get("z") or limits.get("guide")
    if bound is None:
        return
    limit = bound.limit.high if bound.limit else None
    if limit is None:
        yield Skip("an impedance needs an upper limit", bound=bound)
        return
    _, end, widest = fact.package.ends(limit, fact.top)
    if end <= max(fact.start, SHORTEST):
        yield Skip(f"`{fact.subject}.package.inductance` leaves the board no band of its own", bound=bound)
        return
    for peak in fact.peaks:
        if peak.frequency <= end:
            yield from (one for one in _judge(fact, peak, limits, end) if peak.apparent or _reaches(one))
        elif peak.frequency <= widest and max(_magnitudes(peak)) > limit:
            doubt = f"the board's band holds this peak where `{fact.subject}.package.inductance` is at its low end"
            yield Skip(f"{doubt}; {_text(peak)}", part=f"peaks.{peak.name}", bound=bound)
        elif peak.apparent:
            beyond = f"above the board's band, which ends at {show_hz(end)}: the package's territory"
            yield Skip(f"{beyond}; {_text(peak)}", applicable=False, part=f"peaks.{peak.name}", bound=bound)
    if not any(peak.apparent and peak.frequency <= end for peak in fact.peaks):
        yield Verdict(measured=None, bound=bound, ok=True, part="peaks", where=fact.reads[0],
                      message=f"no parallel resonance between {show_hz(fact.start)} and {show_hz(end)}",
                      note=fact.step_note)


def _magnitudes(peak: RailPeak) -> list[float]:
    """Nominal and of the variants. [ohm]"""
    return [peak.magnitude, *(magnitude for _, magnitude, _ in peak.variants)]


def _judge(fact: RailPeaks, peak: RailPeak, limits: Limits, end: float) -> Iterator[Verdict | Skip]:
    magnitudes = _magnitudes(peak)
    if "guide" in limits:
        most = limits["guide"].limit.high if limits["guide"].limit else None
        guide = _verdict(fact, peak, limits["guide"], (magnitudes, end), ".guide", (most or 0.0, 0.0))
        yield from [guide] if _reaches(guide) else []
    if "z" not in limits:
        return
    bound, limit = limits["z"], limits["z"].limit
    high = limit.high if limit and limit.high is not None else 0.0
    if fact.load_line > high and peak.frequency <= fact.regulator_band.value:
        if peak.frequency > fact.regulator_band.lo and high < max(magnitudes) and min(magnitudes) <= fact.load_line:
            yield Skip(f"the load line of `{fact.subject}.load_line` counts below the regulator's crossover, which may "
                       f"lie below this peak: give `{fact.subject}.crossover`; {_text(peak)}",
                       part=f"peaks.{peak.name}", bound=bound)
            return
        high = fact.load_line
        bound = replace(bound, limit=Limit(None, high, "mohm", f"<= {show(high, 'mohm')}"))
    yield _verdict(fact, peak, bound, (magnitudes, end), "", (high, 0.0))
    quality, share = limits.get("quality"), limits.get("share")
    if not (quality and quality.limit and quality.limit.high and share and share.limit and share.limit.high):
        return
    least, floor = quality.limit.high, share.limit.high * high
    damped = [(peak.magnitude, peak.quality), *((magnitude, q) for _, magnitude, q in peak.variants)]
    if quality.limit.met_by(peak.quality):
        # what stays below the share of the limit does not count, however sharp it is
        qualities = [q if magnitude > floor else min(q, least) for magnitude, q in damped]
        yield _verdict(fact, peak, quality, ([peak.quality, *qualities[1:]], end), ".damping", (floor, least))
        return
    heights = [magnitude if q > least else min(magnitude, floor) for magnitude, q in damped]
    own = Limit(None, floor, "mohm", f"<= {show(floor, 'mohm')}")
    yield _verdict(fact, peak, replace(quality, limit=own), ([peak.magnitude, *heights[1:]], end), ".damping",
                   (floor, least))


def _reaches(verdict: Verdict | Skip) -> bool:
    """True where some variant is beyond the limit; else a peak that only variants have is not worth a line."""
    if isinstance(verdict, Skip):
        return True
    measured, limit = verdict.measured, verdict.bound.limit
    return measured is not None and limit is not None and not limit.met_by(measured.hi)


def _verdict(
    fact: RailPeaks, peak: RailPeak, bound: Bound, seen: tuple[list[float], float], part: str,
    own: tuple[float, float] = (0.0, 0.0),
) -> Verdict:
    """One verdict of a peak; ``own`` are height [ohm] and quality, of which a cure has to meet one."""
    values, end = seen
    measured = Measured(value=values[0], lo=min(values), hi=max(values), model=fact.model, reads=fact.reads,
                        assumptions=fact.assumptions)
    missing = _missing(fact, peak, bound, values)
    if missing:
        measured = replace(measured, basis="assumed", undeclared=missing)
    rings = 1 / (2 * pi * peak.frequency * peak.damping)
    return Verdict(
        measured=replace(measured, derivation=partial(_steps, fact, peak, end)),
        bound=bound,
        message=_text(peak),
        part=f"peaks.{peak.name}{part}",
        where=fact.reads[0],
        note=" ".join(filter(None, [
            f"Resonating capacitance: {show(rings, 'uF' if rings >= 0.9995e-6 else 'nF')}.", fact.step_note])),
        fix=partial(_fix, peak, own),
    )


def _missing(fact: RailPeaks, peak: RailPeak, bound: Bound, values: list[float]) -> Undeclared | None:
    """The assumed input that may take the peak out of the band, or change its size."""
    if fact.undeclared:
        return Undeclared(key=fact.undeclared, lo=min(values), hi=max(values))
    limit = bound.limit
    least = fact.package.ends(limit.high, fact.top)[0] if limit and limit.high else fact.top
    if fact.package.key and peak.frequency > least:
        return Undeclared(key=fact.package.key, why=fact.package.why, lo=0.0, hi=values[0],
                          gone="at the other end of its range the peak lies above the board's band")
    return None


def _bank(peak: RailPeak, height: float, quality: float) -> str:
    """A bank that damps the peak, solved again with all variants of the rail and of its own ESR."""
    place = f"place a bank beside {peak.capacitive}"
    if peak.damper is None:
        reach = peak.damping / (2 * pi * peak.frequency) / RESISTIVE
        return (f"{place} with an ESR of about R, {DAMPER:g} times the capacitance that rings and at most "
                f"{show(reach, 'pH')} of inductance in all, planes and vias counted")
    found = peak.damper(height, quality)
    if found is None:
        return (f"{_less(peak.inductive)}: no bank of the rail's own capacitors damps "
                f"the peak, nor does more ESR in {peak.capacitive} (solved)")
    if isinstance(found, MoreResistance):
        return (f"raise the ESR of each piece of {peak.capacitive} from {show_ohm(found.before)} to "
                f"{show_ohm(found.esr)} (re-solved; check PDN001 with it): no bank of the rail's own "
                "capacitors damps the peak")
    return (f"{place}: {found.count} pieces like those of {found.like}, {show(found.capacitance, 'uF')} (effective) "
            f"and {show(found.inductance, 'nH')} mounted, each with an ESR of {show_ohm(found.esr)} "
            f"including a series resistor (re-solved; up to {show(found.most, 'nH')} mounted still damps the peak)")


def _less(inductive: str) -> str:
    """What lowers the inductance of an element of a peak."""
    if inductive == REGULATOR:
        return "lower the inductance of the regulator with smaller coils, more phases or a faster loop"
    if inductive.startswith(BEHIND):
        return f"bring {inductive} nearer to their return, or shorten them"
    return f"add pieces to {inductive} or mount them shorter"


def _fix(peak: RailPeak, own: tuple[float, float]) -> str:
    damper = _bank(peak, *own)
    if peak.inductive == PLANES:
        return (f"bring the ESR of {peak.capacitive} closer to R, place the next larger tier closer to the balls or "
                f"the planes closer together, or {damper}")
    bank = peak.inductive != REGULATOR and not peak.inductive.startswith(BEHIND)
    whose = f"{peak.inductive} and {peak.capacitive} together" if bank else peak.capacitive
    return f"bring the ESR of {whose} closer to R, or {damper}"


def _text(peak: RailPeak) -> str:
    seen = "peak of" if peak.apparent else "a peak in some variants, nominal"
    return (
        f"{seen} {show_ohm(peak.magnitude)} at {show_hz(peak.frequency)}, Q {peak.quality:.2f}, between the "
        f"inductance of {peak.inductive} and the capacitance of {peak.capacitive}; a resistance "
        f"R = sqrt(L/C) = {show_ohm(peak.damping)} would damp it"
    )


def _steps(fact: RailPeaks, peak: RailPeak, end: float) -> Derivation:
    omega = 2 * pi * peak.frequency
    steps = [
        Step("the board's band ends at", end, "MHz"),
        Step("peak: frequency", peak.frequency, "MHz", f"{peak.inductive} against {peak.capacitive}"),
        Step("peak: nominal |Z|", peak.magnitude, "mohm"),
        Step("peak: quality", peak.quality),
        Step("damping resistance R", peak.damping, "mohm"),
        Step("inductance that swings, R / (2 pi f)", peak.damping / omega, "pH"),
        Step("capacitance that swings, 1 / (2 pi f R)", 1 / (omega * peak.damping), "uF"),
    ]
    if fact.load_line:
        steps.append(Step("load line, the limit below the crossover", fact.load_line, "mohm"))
    for place, (frequency, magnitude, quality) in enumerate(peak.variants, 1):
        steps.append(Step(f"variant {place}: |Z|", magnitude, "mohm", f"{show_hz(frequency)}, Q {quality:.2f}"))
    driven = "of what circulates" if fact.planes else "1 A at the balls"
    formulas = (
        f"Q = sqrt(reactive power of all inductances x that of all capacitances) / dissipated power, {driven}",
        "R = sqrt(L / C) = that reactive power / the square of the current of the capacitive element",
        "end of the band = limit / (2 pi x inductance of the package)",
    )
    return Derivation(formulas, fact.model, tuple(steps))

