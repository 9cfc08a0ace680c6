# SPDX-License-Identifier: MIT
"""Peaks of a rail and of its variants: which belongs to which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask, solve_rail
from pcbrules.analysis.power.peak_spread import APART, PeakTask, rail_peaks, solve_peaks

RAIL = RailTask(
    vrm_resistance=20e-6,
    vrm_inductance=0.06e-9,
    ladder=(
        Bank(48, 376e-6, 4.5e-3, 1.4e-9),
        LadderPlane(8e-6, 3e-12),
        Bank(240, 35.25e-6, 2.5e-3, 0.6e-9),
        LadderPlane(2e-6, 1e-12),
        Bank(300, 3.525e-6, 5e-3, 0.4e-9),
        LadderPlane(2e-6, 1.5e-12),
    ),
)


def scaled(rail: RailTask, esr: float = 1.0, inductance: float = 1.0) -> RailTask:
    return replace(rail, ladder=tuple(
        replace(one, esr=one.esr * esr, inductance=one.inductance * inductance) if isinstance(one, Bank) else one
        for one in rail.ladder
    ))


def test_peaks_are_those_of_the_curve() -> None:
    found = solve_peaks(PeakTask(RAIL, ()))
    assert [peak.nominal for peak in found] == list(solve_rail(RAIL).peaks)
    assert all(peak.apparent and not peak.variants for peak in found)


@examples(40)
@given(st.floats(1e2, 1e8), st.floats(1.0, 1e3))
def test_peaks_of_a_part_of_the_band_are_those_of_the_whole(least: float, factor: float) -> None:
    most = least * factor
    assert rail_peaks(RAIL, least, most) == tuple(
        peak for peak in rail_peaks(RAIL) if least <= peak.frequency <= most)


def test_a_peak_follows_its_variants() -> None:
    sharp, late = scaled(RAIL, esr=0.6), scaled(RAIL, inductance=1.1)
    found = solve_peaks(PeakTask(RAIL, (sharp, late)))
    highest = max(found, key=lambda peak: peak.nominal.frequency)
    assert (highest.nominal.inductive, highest.nominal.capacitive) == (2, 4)
    one, two = highest.variants
    assert one.magnitude > 1.3 * highest.nominal.magnitude and one.quality > highest.nominal.quality
    assert two.frequency == pytest.approx(highest.nominal.frequency / np.sqrt(1.1), rel=0.04)


def test_a_peak_that_only_a_variant_has_is_not_lost() -> None:
    flat = scaled(RAIL, esr=6.0)
    found = solve_peaks(PeakTask(flat, (RAIL,)))
    hidden = [peak for peak in found if not peak.apparent]
    assert hidden and all(len(peak.variants) == 1 for peak in hidden)
    seen = {round(p.frequency) for peak in found for p in peak.variants}
    assert seen == {round(p.frequency) for p in solve_rail(RAIL).peaks}


def test_no_bank_no_peak() -> None:
    assert solve_peaks(PeakTask(replace(RAIL, ladder=(LadderPlane(1e-6, 1e-12),)), ())) == ()


@examples(25)
@given(factors=st.lists(st.tuples(st.floats(0.3, 3.0), st.floats(0.7, 1.5)), min_size=1, max_size=4))
def test_every_peak_of_every_variant_is_counted_once(factors: list[tuple[float, float]]) -> None:
    variants = tuple(scaled(RAIL, *pair) for pair in factors)
    found = solve_peaks(PeakTask(RAIL, variants))
    assert sum(peak.apparent for peak in found) == len(solve_rail(RAIL).peaks)
    assert sum(len(peak.variants) for peak in found) == sum(len(solve_rail(one).peaks) for one in variants)
    assert [p.nominal.frequency for p in found] == sorted(p.nominal.frequency for p in found)
    for peak in found:
        assert all(1 / APART <= one.frequency / peak.nominal.frequency <= APART for one in peak.variants)
