# SPDX-License-Identifier: MIT
"""How the crosstalk of a link came about: every aggressor, the envelope, the power sum, signal over crosstalk."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pcbrules.analysis.channel.end_connectors import CONNECTORS
from pcbrules.analysis.crosstalk.other_sources import ViaAggressor
from pcbrules.analysis.crosstalk.power_sum import Aggressor, PowerSum, Sources, level
from pcbrules.analysis.crosstalk.solve import CouplingTask
from pcbrules.analysis.crosstalk.via_field_solve import U_BOUND, ViaFieldTask
from pcbrules.constants import DECIBEL
from pcbrules.physics.vias.via_coupling import pair_mutual_impedance
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.signal import BoardLoss
from pcbrules.units import show

FORMULAS = (
    "coupling = largest |S_dd| over f0 - v / (4 L) to f0 + v / (4 L), L the coupled length, v the wave's velocity",
    "power sum = 10 log10 of the sum of |S|^2, each neighbour by the largest of its own window",
)
VIAS = "vias: |S| <= |Z_m| h i_1 i_2 / (2 sqrt(Z_1 Z_2)), h the depth in common, i over the current of a matched line"
RATIO = (
    "signal over crosstalk = -(power sum) - loss of the signal at Nyquist",
)
SOURCE = "multiconductor lines, matrices of the field solver"


def derivation(
    sources: Sources, total: PowerSum, *, judged: bool, ratio: tuple[Step, ...]
) -> Derivation:
    """The coupling of every neighbour, how they add up, and what the signal is above them.

    Parameters
    ----------
    sources : Sources
        Those that count, the loudest of each kind first.
    total : PowerSum
        Their sum.
    judged : bool
        True if the sum is the number that is judged, false if the signal over it is.
    ratio : tuple of Step
        From the sum to signal over crosstalk; empty where the loss is not known.
    """
    steps = [step for one in sources.lines for step in _aggressor(one, total.centre)]
    if total.lines is not None:
        steps.append(Step("power sum of the lines", total.lines, "dB"))
    steps += [step for beside in sources.vias for step in _via(beside, total.centre)]
    if total.vias is not None:
        steps.append(Step("power sum of the via field, at most", total.vias, "dB", "no credit for shielding"))
    steps += [Step(f"{bound.name}, at most", bound.level, "dB", f"declared, not computed: {bound.source}")
              for bound in sources.bounds]
    steps += [
        Step("power sum", total.total.value, "dB", "judged" if judged else ""),
        Step("power sum: model error (k = 2)", total.error, "dB"),
        *ratio,
    ]
    formulas = (*FORMULAS, *((VIAS,) if sources.vias else ()), *(RATIO if ratio else ()))
    source = f"{SOURCE}; {pair_mutual_impedance.card.source}" if sources.vias else SOURCE
    return Derivation(formulas, source, tuple(steps))


def _via(one: ViaAggressor, centre: int) -> Iterator[Step]:
    """Inputs and bound of one pair beside the vias, at one of the centres."""
    name, task, result = one.coupled.name, one.coupled.task, one.result
    yield from via_inputs(name, task)
    yield Step(f"{name}: mutual impedance per mm", result.mutual[centre] / 1e3, "ohm",
               f"at {show(task.centres[centre], 'GHz', 4)}, the larger axis of the field")
    yield Step(f"{name}: product of the currents over those of matched lines", result.standing[centre], "",
               "mean along the common depth")
    yield Step(f"{name}: coupling of the vias, at most", level(result.power[centre]), "dB", "either end")
    yield Step(f"{name}: model error (k = 2)", DECIBEL * math.log1p(U_BOUND), "dB")
    if result.spread:
        yield Step(f"{name}: spread by the stated tolerance of its place", result.spread, "dB")


def via_inputs(name: str, task: ViaFieldTask) -> Iterator[Step]:
    """Where the vias of a pair stand, and how far they run beside those of the link."""
    yield Step(f"{name}: across the pair", task.across, "mm", "the board file")
    yield Step(f"{name}: along the pair", task.along, "mm", "the board file")
    yield Step(f"{name}: depth in common", task.depth, "mil", "layers in use and residual stubs")


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
    if task.broadside is None:
        yield Step(f"{name}: spacing", task.spacing, "mil", "the board file")
    else:
        yield Step(f"{name}: centre lines apart", task.broadside.offset, "mil", "the board file")
        yield Step(f"{name}: dielectric between the layers", task.broadside.spacing, "um", "the board file")
    yield Step(f"{name}: coupled length", task.length, "in", "the board file")


def ratio_steps(
    total: PowerSum, loss: BoardLoss, most: float, *, both_ends: bool, judged: bool
) -> tuple[Step, ...]:
    """From a power sum to the signal over it, after the most that connectors of unknown loss take [dB]."""
    over = "crosstalk of both ends" if both_ends else "crosstalk"
    sums = (Step("power sum of both ends", total.total.value, "dB"),) if both_ends and not judged else ()
    ends = [Step(f"of it: {CONNECTORS}", of_ends, "dB") for name, of_ends in loss.ledger if name == CONNECTORS]
    return (
        *sums,
        Step("loss of the signal at Nyquist, hot", loss.loss.value, "dB", loss.loss.model),
        *ends,
        *([Step("connectors of unknown loss take at most", most, "dB")] if most else ()),
        Step(f"signal over {over}", -total.total.value - loss.loss.value - most, "dB", "judged" if judged else ""),
    )
