# SPDX-License-Identifier: MIT
"""Differential impedance of every segment, nominal and across the fabrication tolerance.

What it checks: the lossless high-frequency impedance of each pair segment against its target, and the spread that
width, dielectric heights, copper thickness and Dk give it (root of squares). Offset and spread are two limits, each of
the same size: a board at the edge of both is off by their sum, and each finding names the other number. Where an
impedance class with a coupon is ordered, and its tolerance is smaller than the spread, that tolerance is judged in
place of the spread, and the spread is printed. A link whose own target is not the profile's must meet both. Segments
shorter than a sixth of the rise are necks: listed, not judged.

Why it matters: a step of impedance reflects; a pair off its target reflects at both ends.

How to fix it: change width or gap; order the impedance class with a coupon. Where the limit is missed the fix names the
width that has the target, gap and etch as they are, no narrower than the fabrication class holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.results.edits import Fix, asked
from pcbrules.results.facts.signal import PairImpedance
from pcbrules.results.finding import Source
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.ties import least_of
from pcbrules.units import show

META = Meta(
    id="SIG001",
    name="pair-impedance",
    title="Differential impedance",
    needs=PairImpedance,
    limits={"target": "resistance", "deviation": "ratio", "spread": "ratio"},
    inputs=("links.*.path[].trace", "stackup", "links.*.impedance", "fabrication"),
)

LOSSLESS = "Lossless at high frequency: CHN007 shows a higher impedance, with the inductance inside the copper."

DECLARED = "declared"
"""Provenance of a figure of the board file."""


def check(fact: PairImpedance, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the deviation from the target, and the spread or the ordered class, with their limits."""
    if fact.neck:
        text = f"a neck: shorter than a sixth of the rise ({show(fact.impedance.value, 'ohm', 4)})"
        yield Skip(text, applicable=False)
        return
    aim = limits["target"].source if "target" in limits else None
    target = limits["target"].limit if "target" in limits else None
    if "deviation" in limits and target is not None and target.high is not None:
        z = target.high
        measured = deviation(fact.impedance, z)
        side = "above" if fact.impedance.value >= z else "below"
        yield Verdict(
            measured=measured,
            bound=_aimed(limits["deviation"], aim),
            message=f"{show(fact.impedance.value, 'ohm', 4)} differential at {show(fact.at, 'GHz')} is "
            f"{show(measured.value, '%')} {side} the target of {show(z, 'ohm', 4)}{_apart(fact, limits)}",
            fix=partial(_fix, fact, measured, limits["deviation"], z),
            note=_note(fact, z),
            offset=fact.impedance.value / z - 1,
        )
        own = fact.declared
        if own is not None and abs(own / z - 1) > 1e-9:
            yield Verdict(
                measured=deviation(fact.impedance, own),
                bound=_aimed(limits["deviation"], Source("the board file", DECLARED)),
                part="declared",
                message=f"{show(fact.impedance.value, 'ohm', 4)} differential; the board file's own target is "
                f"{show(own, 'ohm', 4)}, the profile's {show(z, 'ohm', 4)}",
                offset=fact.impedance.value / own - 1,
                fix="one target only: correct the link's `impedance`, or the traces",
            )
    if "spread" in limits:
        parts = ", ".join(f"{name} {show(value, '%', 2)}" for name, value in fact.parts)
        text = f"fabrication spreads it by +-{show(fact.spread.value, '%', 2)} ({parts})"
        offset = ""
        if target is not None and target.high is not None and "deviation" in limits:
            offset = f"; the offset of {show(fact.impedance.value / target.high - 1, '%', 2)} is judged apart"
        ordered = fact.ordered_class
        if ordered is not None and least_of((fact.spread, ordered), key=lambda one: one.value) is ordered:
            yield Verdict(
                measured=ordered,
                bound=limits["spread"],
                part="spread",
                message=f"impedance class {show(ordered.value, '%')} ordered with a coupon; {text}{offset}",
                fix="order a closer impedance class",
            )
        else:
            yield Verdict(
                measured=fact.spread,
                bound=limits["spread"],
                part="spread",
                message=text + (
                    "" if ordered is None else f", less than the class of {show(ordered.value, '%')}") + offset,
                fix="order the impedance class with a coupon: `fabrication.impedance_control`",
            )


def _apart(fact: PairImpedance, limits: Limits) -> str:
    """That the spread, or the class in its place, is a limit of its own."""
    if "spread" not in limits:
        return ""
    spread = least_of((fact.spread, *([fact.ordered_class] if fact.ordered_class else [])), key=lambda one: one.value)
    return f"; the spread of +-{show(spread.value, '%', 2)} is judged apart"


def _fix(fact: PairImpedance, measured: Measured, bound: Bound, target: float) -> str | Fix:
    """The direction, and where the limit is missed the width that has the target with the gap as it is."""
    low = fact.impedance.value < target
    way = ("narrow the traces, widen the gap or choose a thicker dielectric" if low else
           "widen the traces, narrow the gap or choose a thinner dielectric")
    missed = bound.limit is not None and not bound.limit.met_by(measured.value)
    found = fact.width(target) if missed and fact.width is not None else None
    if not found:
        return way
    return Fix(f"{asked(found.edits)} (re-solved: {show(found.impedance, 'ohm', 4)}); or {way}", (found.edits,))


def _aimed(bound: Bound, aim: Source | None) -> Bound:
    """A deviation from a target that the board file declares rests on that declaration, whoever sets the deviation."""
    if aim is None or aim.provenance != DECLARED:
        return bound
    return replace(bound, source=Source(f"target: {aim.text}; deviation: {bound.source.text}", DECLARED))


def _note(fact: PairImpedance, target: float) -> str:
    text = f"{LOSSLESS} The model error is {show(fact.impedance.error, 'ohm', 2)}."
    if fact.replaced is None or target == fact.replaced:
        return text
    return f"{text} The board file's own target replaces the standard's {show(fact.replaced, 'ohm', 4)}."


def deviation(impedance: Measured, target: float) -> Measured:
    """|Z - target| / target with the interval of the model error, and what a missing input may make of it."""
    ends = [(impedance.lo - target) / target, (impedance.hi - target) / target]
    value = abs(impedance.value - target) / target
    inside = ends[0] <= 0 <= ends[1]
    return Measured(
        value=value,
        lo=0.0 if inside else min(abs(e) for e in ends),
        hi=max(abs(e) for e in ends),
        error=impedance.error / target,
        model=impedance.model,
        basis=impedance.basis,
        reads=impedance.reads,
        assumptions=impedance.assumptions,
        derivation=impedance.derivation,
        undeclared=_either(impedance.undeclared, target),
    )


def _either(missing: Undeclared | None, target: float) -> Undeclared | None:
    """The deviations between which a missing input decides; none where it moves the impedance over the target."""
    if missing is None:
        return None
    ends = [abs(end - target) / target for end in (missing.lo, missing.hi)]
    across = missing.lo <= target <= missing.hi
    return replace(missing, lo=0.0 if across else min(ends), hi=max(ends))
