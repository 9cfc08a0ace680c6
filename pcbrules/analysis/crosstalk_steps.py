# SPDX-License-Identifier: MIT
"""How the crosstalk of a link came about: every aggressor, the envelope, the power sum, signal over crosstalk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.analysis.crosstalk_solve import CouplingTask
from pcbrules.analysis.crosstalk_sum import Aggressor, PowerSum, level
from pcbrules.analysis.end_connectors import CONNECTORS
from pcbrules.model.board import BoardLink
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.signal import BoardLoss
from pcbrules.units import show

FORMULAS = (
    "coupling = largest |S_dd| over f0 - v / (4 L) to f0 + v / (4 L), L the coupled length, v the wave's velocity",
    "power sum = 10 log10 of the sum of |S|^2, each neighbour by the largest of its own window",
    "signal over crosstalk = -(power sum) - loss of the signal at Nyquist",
)
SOURCE = "multiconductor lines, matrices of the field solver"


def derivation(
    link: BoardLink, aggressors: Sequence[Aggressor], total: PowerSum, *, judged: bool, ratio: tuple[Step, ...]
) -> Derivation:
    """The coupling of every neighbour, how they add up, and what the signal is above them.

    Parameters
    ----------
    link : BoardLink
    aggressors : sequence of Aggressor
        Those that count, the loudest first.
    total : PowerSum
        Their sum.
    judged : bool
        True if the sum is the number that is judged, false if the signal over it is.
    ratio : tuple of Step
        From the sum to signal over crosstalk; empty where the loss is not known.
    """
    declared = link.spec.crosstalk_elsewhere
    steps = [step for one in aggressors for step in _aggressor(one, total.centre)]
    if total.lines is not None:
        steps.append(Step("power sum of the lines", total.lines, "dB"))
    if declared:
        steps.append(Step("via field and connector, at most", -declared.bound.value, "dB",
                          f"declared, not computed: {declared.source}"))
    steps += [
        Step("power sum", total.value, "dB", "judged" if judged else ""),
        Step("power sum: model error (k = 2)", total.error, "dB"),
        *ratio,
    ]
    return Derivation(FORMULAS if ratio else FORMULAS[:2], SOURCE, tuple(steps))


def _aggressor(one: Aggressor, centre: int) -> Iterator[Step]:
    """Inputs and coupling of one neighbour at both ends, around one of the centres."""
    task, name, result = one.coupled.task, one.coupled.name, one.result
    at, peak = task.centres[centre], one.peaks[centre]
    low, high = max(at - result.reach, 0.0), max(min(at + result.reach, task.highest), at)
    window = f"largest from {show(low, 'GHz', 4)} to {show(high, 'GHz', 4)}"
    yield from inputs(name, task)
    for end, found in (("near", result.near), ("far", result.far)):
        counts = one.coupled.near_end == (end == "near")
        yield Step(f"{name}: {end}-end coupling, {window}", level(found[centre].power), "dB",
                   "coupled lines" if counts else "coupled lines; counts at the other end")
    yield Step(f"{name}: model error (k = 2)", peak.error, "dB")
    yield Step(f"{name}: spread by fabrication", peak.spread, "dB", "tolerances of dielectrics, traces, spacing")


def inputs(name: str, task: CouplingTask) -> Iterator[Step]:
    """Where a neighbour runs, and how far."""
    if task.over is None:
        yield Step(f"{name}: spacing", task.spacing, "mil", "the board file")
    else:
        yield Step(f"{name}: centre lines apart", task.over.shift, "mil", "the board file")
        yield Step(f"{name}: dielectric between the layers", task.over.between, "um", "the board file")
    yield Step(f"{name}: coupled length", task.length, "in", "the board file")


def ratio_steps(total: PowerSum, loss: BoardLoss, *, both_ends: bool, judged: bool) -> tuple[Step, ...]:
    """From a power sum to the signal over it."""
    over = "crosstalk of both ends" if both_ends else "crosstalk"
    sums = (Step("power sum of both ends", total.value, "dB"),) if both_ends and not judged else ()
    ends = [Step(f"of it: {CONNECTORS}", of_ends, "dB") for name, of_ends in loss.ledger if name == CONNECTORS]
    return (
        *sums,
        Step("loss of the signal at Nyquist, hot", loss.loss.value, "dB", loss.loss.model),
        *ends,
        Step(f"signal over {over}", -total.value - loss.loss.value, "dB", "judged" if judged else ""),
    )
