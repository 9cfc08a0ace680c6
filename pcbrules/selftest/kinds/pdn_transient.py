# SPDX-License-Identifier: MIT
"""Droop of a power ladder in time: step, worst pattern of currents between two bounds, poles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.networks.pdn import Branch
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.physics.common.extremes import first_least
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.pole_response import Poles
from pcbrules.physics.power.worst_pattern import square_wave_droop, worst_pattern, zero_crossings
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, items, mapping, number, numbers, positive
from pcbrules.ties import greatest_of

NAME = "pdn-transient"
UNITS = "ohm, henry, farad"


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry with a ladder and two bounds of its current."""
    inputs = data.get("inputs")
    return isinstance(inputs, dict) and {"ladder", "Imin_A", "Imax_A"} <= inputs.keys()


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare every listed value but those of a shortcut that is known to be wrong. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    poles = _poles(inputs)
    least, most = number(inputs, "Imin_A"), number(inputs, "Imax_A")
    if not least < most:
        raise Unreadable("Imin_A is not below Imax_A")
    if poles.inductance > 0:
        raise Unreadable("an inductance at infinite frequency: a step without rise time has no bound")
    for quantity, key, got in _values(poles, inputs, outputs, least, most):
        if key in outputs:
            yield deviation.value(quantity, key, got, number(outputs, key))
    for peak in items(outputs, "impedance_peaks") if "impedance_peaks" in outputs else ():
        at = positive(peak, "f_Hz")
        got = abs(poles.impedance(frequency=at).item())
        yield deviation.value("impedance", f"peak at {at:.4g} Hz", got, number(peak, "Z_ohm"))
    yield from _lists(poles, outputs)


def _poles(inputs: Mapping[str, Any]) -> Poles:
    ladder = mapping(inputs, "ladder")
    if inputs.get("ladder_units", UNITS) != UNITS:
        raise Unreadable(f"ladder_units, expected {UNITS!r}")
    source = mapping(ladder, "vrm")
    steps = []
    stages = items(ladder, "stages")
    for at, stage in enumerate(stages):
        shunt = mapping(stage, "shunt")
        count = int(positive(shunt, "count")) if "count" in shunt else 1
        steps.append(Branch(number(shunt, "ESR"), number(shunt, "ESL"), positive(shunt, "C"), count, shunt=True))
        if "series" in stage:
            steps.append(Branch(number(mapping(stage, "series"), "R"), number(mapping(stage, "series"), "L")))
        elif at < len(stages) - 1:
            raise Unreadable("a stage without series before the last")
    try:
        return rail_poles(regulator=Branch(number(source, "R"), number(source, "L")), ladder=steps)
    except ValueError as error:
        raise Unreadable(str(error)) from None


def _values(
    poles: Poles, inputs: Mapping[str, Any], outputs: Mapping[str, Any], least: float, most: float
) -> Iterator[tuple[str, str, float]]:
    swing = most - least
    step, pattern = step_extremes(poles=poles), worst_pattern(poles=poles)
    droop, rise = pattern.droop(least=least, most=most), pattern.overshoot(least=least, most=most)
    yield "impedance", "Z_dc_ohm", poles.direct
    yield "impedance", "Z_high_frequency_limit_ohm", poles.resistance
    if {"V_set_V", "ripple_fraction"} <= inputs.keys():
        target = number(inputs, "V_set_V") * number(inputs, "ripple_fraction") / swing
        yield "impedance", "Z_target_ohm", target
    yield "droop", "step_peak_droop_from_Imin_steady_state_V", step.largest * swing
    if np.isfinite(step.at_largest):
        yield "time", "step_peak_time_s", step.at_largest
    yield "droop", "step_initial_jump_V", poles.resistance * swing
    yield "droop", "step_final_V", poles.direct * swing
    yield "impedance", "integral_h_positive_ohm", pattern.positive
    yield "impedance", "integral_h_negative_ohm", pattern.negative
    yield "impedance", "integral_abs_h_ohm", pattern.positive + pattern.negative
    yield "droop", "worst_droop_below_no_load_V", droop
    yield "droop", "worst_droop_below_Imin_steady_state_V", droop - least * poles.direct
    yield "droop", "worst_overshoot_above_no_load_V", rise
    yield "droop", "worst_peak_to_peak_V", droop + rise
    yield "droop", "ratio_worst_droop_to_step_peak", (droop - least * poles.direct) / (step.largest * swing)
    key = "steady_square_wave_at_highest_peak_droop_below_no_load_V"
    if key in outputs and outputs.get("impedance_peaks"):
        highest = greatest_of(items(outputs, "impedance_peaks"), key=lambda one: number(one, "Z_ohm"))
        at = positive(highest, "f_Hz")
        yield "droop", key, square_wave_droop(poles=poles, frequency=at, least=least, most=most)


def _lists(poles: Poles, outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    if outputs.get("sign_changes_s"):
        want = numbers(outputs, "sign_changes_s", (-1,)).tolist()
        got = list(zero_crossings(poles=poles))[: len(want)]
        alive = min(poles.pole.real.min() * -want[-1], 30.0) < 30  # later ones are below rounding
        if len(got) < len(want) and alive:
            yield deviation.value("time", "number of sign changes", float(len(got)), float(len(want)))
        for at, (one, other) in enumerate(zip(got, want, strict=False), 1):
            yield deviation.value("time", f"sign change {at}", one, other)
    if outputs.get("poles_rad_per_s"):
        want_poles = [complex(*pair) for pair in numbers(outputs, "poles_rad_per_s", (-1, 2)).tolist()]
        if len(want_poles) != len(poles.pole):
            yield deviation.value("poles", "number of poles", float(len(poles.pole)), float(len(want_poles)))
        for pole in want_poles:
            nearest = poles.pole[first_least(np.abs(poles.pole - pole))]
            yield deviation.value("poles", f"pole {pole:.4g} rad/s", complex(nearest), pole)
