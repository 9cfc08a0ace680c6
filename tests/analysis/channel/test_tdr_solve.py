# SPDX-License-Identifier: MIT
"""A channel seen by a reflectometer: flat lines, named elements, ends and bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sample_lines import NVLINK
from sample_lines import solve as solve_section
from scipy.constants import c, inch, mil

from pcbrules.analysis.channel import tdr_chain as tdr_row
from pcbrules.analysis.channel import tdr_solve
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, Element, LineSpec, LossSpec, SeriesCap
from pcbrules.analysis.channel.tdr_solve import TdrReading, TdrResult, least_error, profile, rise_time, solve_tdr
from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.missing import Missing
from pcbrules.solver_cache import SolverCache

Real = NDArray[np.float64]
NEPER = 20 / math.log(10)
NYQUIST = 16e9
LAMINATE = DielectricPoints(((1e9, 3.3, 0.002), (26e9, 3.3, 0.003)))
VIA = ViaSpec(through_length=0.6e-3, port1_stub=0.0, port2_stub=9 * mil, drill_diameter=0.25e-3,
              antipad_diameter=0.8e-3, dk=3.3, df_points=LAMINATE)
PAIR = LineTask(width_foot=1e-4, width_top=1e-4, thickness=15e-6, gap=1e-4, foot_up=False, below=(), above=(),
                cover=None, cover_over_trace=None, rz=(1e-6,) * 4, resistivity_trace=1.8e-8,
                resistivity_plane=1.7e-8, temperature=20.0)


@dataclass(frozen=True)
class Slab:
    """Stand-in for a solved cross-section: impedance of the pair, and a loss [dB/in] at 16 GHz, of the copper alone."""

    z: float = 100.0
    loss: float = 0.8
    u_loss: float = 0.05
    u_z: float = 0.0

    def rlgc(self, f: Real, mode: str = "odd") -> tuple[Real, Real, Real, Real]:
        slow = 3.3**0.5 / c
        resistance = self.z * self.loss / NEPER / inch * np.sqrt(f / 16e9)
        return resistance, np.full_like(f, self.z / 2 * slow), np.zeros_like(f), np.full_like(f, slow / (self.z / 2))

    def loss_parts(self, frequency: float) -> dict[str, float]:
        return {"conductor": self.loss / inch * math.sqrt(frequency / 16e9)}


def solver(task: LineTask) -> Slab | Missing:
    """The width stands for the impedance: 0.1 mm is 100 ohm. Thick copper has no model."""
    return Missing("no model") if task.thickness > 1e-3 else Slab(task.width_foot * 1e6)


def line(length: float, z: float = 100.0, tolerance: float = 0.0) -> LineSpec:
    return LineSpec(replace(PAIR, width_foot=z * 1e-6), length, (), tolerance)


def seen(*elements: Element, z_ref: float = 100.0, nyquist: float = NYQUIST) -> dict[int, TdrReading]:
    result = solve_tdr(ChannelTask(elements, z_ref, nyquist), solver=solver)
    assert result.unsupported == ()
    return {one.element: one for one in result.readings}


def worst(*elements: Element) -> TdrReading:
    return max(seen(*elements).values(), key=lambda one: one.distance.value)


def test_the_rise_times_of_the_standards() -> None:
    for nyquist, picoseconds in ((8e9, 25), (16e9, 12.5), (26.5625e9, 7.529), (53.125e9, 3.765)):
        assert rise_time(nyquist) * 1e12 == pytest.approx(picoseconds, rel=1e-3)


@given(length=st.floats(0.1 * inch, 20 * inch))
def test_a_line_of_the_reference_impedance_is_flat_whatever_it_loses(length: float) -> None:
    reading = seen(line(length))[0]
    assert reading.distance.value < 1e-3
    assert reading.impedance == pytest.approx(100.0, rel=1e-3)


@given(z=st.floats(70, 140), length=st.floats(0.5 * inch, 20 * inch))
def test_a_line_shows_its_impedance(z: float, length: float) -> None:
    reading = seen(line(length, z))[0]
    assert reading.impedance == pytest.approx(z, rel=2e-3)
    assert reading.distance.value == pytest.approx(abs(z / 100 - 1), abs=2e-3)


@given(before=st.floats(0.05, 12.0), after=st.floats(0.05, 12.0))
def test_a_lone_via_is_named_wherever_it_stands(before: float, after: float) -> None:
    found = seen(line(before * inch), VIA, line(after * inch))
    via = found.pop(1)
    assert all(other.distance.value < 0.02 * via.distance.value for other in found.values())
    near = min(before, after) * inch
    assert via.port == (1 if before < after else 2) or abs(before - after) < 0.3
    assert via.time == pytest.approx(2 * near * 3.3**0.5 / c, abs=2.5 * rise_time(NYQUIST))
    # it is the same via; what lies before it takes off the edge, and no more than that
    alone = seen(line(0.05 * inch), VIA, line(1 * inch))[1]
    assert via.distance.value <= alone.distance.value * 1.05


@given(before=st.floats(0.05, 12.0), after=st.floats(0.05, 12.0), z=st.sampled_from([80.0, 90.0, 115.0]))
def test_a_lone_neck_is_named_wherever_it_stands(before: float, after: float, z: float) -> None:
    found = seen(line(before * inch), line(60 * mil, z), line(after * inch))
    neck = found.pop(1)
    assert neck.distance.value > 0.15 * abs(z / 100 - 1)
    assert all(other.distance.value < 0.8 * neck.distance.value for other in found.values())


def test_a_via_is_not_blamed_for_the_lines_beside_it() -> None:
    matched = seen(line(2 * inch), VIA, line(2 * inch))[1]
    small = replace(VIA, through_length=0.1e-3, port2_stub=0.0)
    alone = seen(line(2 * inch), small, line(2 * inch))[1]
    between = seen(line(2 * inch, 118), small, line(2 * inch, 118))
    assert between[1].distance.value == pytest.approx(alone.distance.value, rel=0.15)
    assert between[0].distance.value == pytest.approx(0.18, abs=0.005)
    assert between[2].distance.value == pytest.approx(0.18, abs=0.005)
    # where it makes the larger part of what is seen, all of that counts
    low = seen(line(2 * inch, 96), VIA, line(2 * inch, 96))[1]
    assert low.distance.value > matched.distance.value + 0.015


impedances = st.sampled_from([60.0, 82.0, 95.0, 100.0, 104.0, 118.0, 130.0])
rows = st.lists(st.builds(line, st.floats(0.05 * inch, 5 * inch), impedances) | st.just(VIA)
                | st.builds(lambda loss: LossSpec(loss, 16e9), st.floats(0.2, 4.0))
                | st.builds(lambda henry: SeriesCap(220e-9, inductance=henry), st.floats(5e-12, 300e-12)),
                min_size=1, max_size=6)


@given(row=rows)
def test_no_line_is_blamed_for_its_neighbours(row: list[Element]) -> None:
    """Whatever stands around it, a line is no further off than its impedance and to that side; a matched one is not."""
    for place, reading in seen(*row).items():
        spec = row[place]
        if isinstance(spec, LineSpec):
            own = spec.task.width_foot * 1e6 / 100 - 1
            assert reading.distance.value <= abs(own) + 1e-9
            assert (reading.impedance - 100) * own >= -1e-6


def test_a_matched_line_between_two_low_ones_is_not_named() -> None:
    """The step is smeared over a line that is shorter than its rise; behind two mismatches a reflectometer errs."""
    short = seen(line(1 * inch, 82), line(60 * mil), line(1 * inch, 82))
    between = seen(line(1 * inch, 60), line(2 * inch), line(1 * inch, 130))
    assert short[1].distance.value == between[1].distance.value == pytest.approx(0.0, abs=1e-9)
    shown = [one.distance.value for one in (short[0], between[0], between[2])]
    assert shown == pytest.approx([0.18, 0.4, 0.3], abs=3e-3)


def test_a_line_that_its_neighbours_hide_counts_by_its_impedance() -> None:
    """One of 104 ohm shorter than the rise between two of 82: nothing above 100 ohm is to be seen."""
    found = seen(line(1 * inch, 82), line(40 * mil, 104), line(1 * inch, 82))
    assert found[1].impedance == pytest.approx(104.0)
    open_to_one = seen(line(1 * inch, 60), LossSpec(6.0, 16e9), line(40 * mil, 108), line(1 * inch))
    assert 0 < open_to_one[2].distance.value < 0.08


def test_a_path_read_backwards_shows_the_same_from_the_other_end() -> None:
    path: tuple[Element, ...] = (VIA, line(1 * inch, 95), LossSpec(0.5, 16e9), line(3 * inch, 104),
                                 replace(VIA, port2_stub=20 * mil))
    turned = tuple(replace(one, port1_stub=one.port2_stub, port2_stub=one.port1_stub) if isinstance(one, ViaSpec)
                   else one for one in reversed(path))
    there, back = seen(*path), seen(*turned)
    for place, one in there.items():
        other = back[len(path) - 1 - place]
        assert other.distance.value == pytest.approx(one.distance.value, rel=1e-6)
        assert other.port == 3 - one.port


def test_a_coupling_capacitor_is_through_and_its_inductance_is_an_element() -> None:
    plain = seen(line(1 * inch), line(2 * inch))
    with_part = seen(line(1 * inch), SeriesCap(220e-9, loss=0.15, frequency=16e9), line(2 * inch))
    assert set(with_part) == {0, 2}
    assert with_part[0].distance.value == pytest.approx(plain[0].distance.value, abs=1e-4)
    found = seen(line(1 * inch), SeriesCap(220e-9, inductance=30e-12), line(2 * inch))
    # L / (2 Z) times the steepest slope of the step, both legs in series
    depth = 2 * 30e-12 / 200 * 1.6832 / (rise_time(NYQUIST) * math.sqrt(2 * math.pi))
    impedance = 100 * (1 + depth) / (1 - depth)
    assert found[1].impedance == pytest.approx(impedance, rel=0.02)
    assert worst(line(1 * inch), SeriesCap(220e-9, inductance=30e-12), line(2 * inch)).element == 1


def test_a_declared_loss_delays_and_never_answers_early() -> None:
    plain = seen(line(2 * inch), VIA)[1]
    behind = seen(line(1 * inch), LossSpec(3.0, 16e9), line(1 * inch), VIA, line(4 * inch))[3]
    assert behind.distance.value < 0.6 * plain.distance.value
    alone = seen(line(1 * inch), LossSpec(3.0, 16e9), line(1 * inch), VIA)
    assert alone[3].distance.value == pytest.approx(plain.distance.value, rel=0.02)  # seen from the end beside it
    # behind 6 dB; the lines here lose nothing
    path = (line(1 * inch), LossSpec(6.0, 16e9), line(1 * inch), VIA, line(9 * inch))
    made = profile(ChannelTask(path, 100.0, NYQUIST), solver=lambda _: Slab(loss=0.0))
    assert made is not None
    early = np.array(made.time) < 2 * 2 * inch * 3.3**0.5 / c - 1.5 * rise_time(NYQUIST)
    assert np.abs(np.array(made.from_1)[early] - 100).max() < 0.1


def test_a_small_via_is_its_excess_capacitance() -> None:
    """Barrel and stub of one impedance: C of all of it less what a line of 100 ohm would have for its inductance."""
    via = replace(VIA, through_length=0.25e-3, port2_stub=10 * mil)
    slow = seen(line(1 * inch), via, line(1 * inch), nyquist=5e9)[1]
    barrel, dk = 2 * 3e8 * 366e-9 / math.sqrt(1.47 * 3.3), 1.47 * 3.3
    delay = math.sqrt(dk) / c
    extension = 0.8 * 0.275e-3
    across = (0.25e-3 + 10 * mil + 2 * extension) * delay / barrel
    along = 0.25e-3 * delay * barrel
    excess = across - along / 100**2
    depth = excess * 100 / 2 * 1.6832 / (rise_time(5e9) * math.sqrt(2 * math.pi))
    assert slow.impedance == pytest.approx(100 * (1 - depth) / (1 + depth), rel=0.03)


def test_tolerances_widen_the_interval_of_vias_alone_and_the_model_that_of_all() -> None:
    narrow, wide = seen(line(2 * inch, 95))[0], seen(line(2 * inch, 95, 0.08))[0]
    assert narrow.distance.hi - narrow.distance.value < 2e-3
    assert wide.distance == narrow.distance
    exact, loose = (seen(line(2 * inch, 100, t), VIA, line(2 * inch, 100, t))[1].distance for t in (0.0, 0.08))
    assert loose.value == exact.value
    assert loose.hi > exact.hi
    via = seen(line(2 * inch), VIA, line(2 * inch))[1]
    # the impedance of a typical via is known to 31 %
    assert 0.05 < via.error < 0.2
    assert via.distance.lo < via.distance.value < via.distance.hi


def test_the_error_of_a_long_via_does_not_hang_on_which_of_two_equal_peaks_is_read() -> None:
    """The peak at its entrance is the larger one up to a stub of some 1.6 mil, that at its exit beyond."""
    def read(stub: float) -> TdrReading:
        via = replace(VIA, through_length=3.6e-3, port2_stub=stub)
        return seen(line(0.05 * inch), via, line(3 * inch), nyquist=53.125e9)[1]

    short, long = 1.5 * mil, 2.0 * mil
    assert read(short).time < 20e-12 < 70e-12 < read(long).time
    for _ in range(8):
        middle = (short + long) / 2
        short, long = (middle, long) if read(middle).time < 20e-12 else (short, middle)
    assert read(long).error == pytest.approx(read(short).error, rel=2e-3)


OPEN = {"open_dk": 0.02, "port2_removed": 6 * mil}
"""Dk may be 2 % less, the drill 6 mil deeper: either raises the impedance of a via."""


@pytest.mark.parametrize("key", OPEN)
def test_a_via_that_is_too_low_is_judged_at_its_heaviest(key: str) -> None:
    sure, left_open = (seen(line(2 * inch), via, line(2 * inch))[1] for via in (VIA, replace(VIA, **{key: OPEN[key]})))
    assert sure.impedance < 100
    assert left_open == sure and not left_open.light


@pytest.mark.parametrize("key", OPEN)
def test_a_via_that_is_too_high_is_judged_at_its_lightest(key: str) -> None:
    """The reading is that of the via with the least Dk, 1 % higher, or with the stub of the deepest drill."""
    other = {"open_dk": replace(VIA, dk=VIA.dk * 0.98), "port2_removed": replace(VIA, port2_stub=3 * mil)}[key]
    row = [seen(line(2 * inch, 50.0), via, line(2 * inch, 50.0), z_ref=50.0)[1]
           for via in (VIA, other, replace(VIA, **{key: OPEN[key]}))]
    sure, lightest, left_open = row
    assert sure.impedance > 50 and lightest.distance.value > sure.distance.value
    assert left_open.light and replace(left_open, light=False, distance=lightest.distance) == lightest
    assert left_open.distance.value == lightest.distance.value
    assert left_open.distance.hi == max(lightest.distance.hi, sure.distance.hi)


def test_a_drill_that_may_go_deeper_never_betters_a_via() -> None:
    """Of a via within 4 % of the reference either end of the drill may be the worse one."""
    def reading(removed: float) -> TdrReading:
        via = replace(VIA, port2_removed=removed)
        return seen(line(2 * inch, 70.0), via, line(2 * inch, 70.0), z_ref=70.0)[1]

    found = [reading(removed * mil).distance for removed in (0.0, 2.0, 4.0, 6.0, 8.0)]
    for less, more in pairwise(found):
        assert more.value >= less.value and more.hi >= less.hi
    assert found[-1].value > found[0].value


def test_of_equal_readings_the_surest_one_gives_the_error() -> None:
    def reading(value: float, error: float) -> TdrReading:
        return TdrReading(0, Interval(lo=0.0, value=value, hi=1.0), error, 80.0, 1, 0.0)

    worst, sure, far = reading(0.204, 0.052), reading(0.201, 0.035), reading(0.1, 0.01)
    assert least_error([worst, sure, far], worst) == pytest.approx(0.038)
    assert least_error([worst], worst) == pytest.approx(0.052)


def table(highest: float, length: float = 5e-3, z: float = 90.0) -> BlockSpec:
    """A lossless connector of 5 mm, as a file would hold it."""
    f = np.arange(10e6, highest + 1, 10e6)
    turn, r = 2j * math.pi * f * 1.9 * length / c, (z - 100) / (z + 100)
    s = np.empty((len(f), 2, 2), dtype=complex)
    below = 1 - r**2 * np.exp(-2 * turn)
    s[:, 0, 0] = s[:, 1, 1] = r * (1 - np.exp(-2 * turn)) / below
    s[:, 0, 1] = s[:, 1, 0] = (1 - r**2) * np.exp(-turn) / below
    return BlockSpec(f.tobytes(), s.tobytes(), 100.0)


def test_a_connector_shows_its_impedance_as_far_as_its_table_reaches() -> None:
    found = seen(line(2 * inch), table(70e9), line(2 * inch))[1]
    assert found.impedance == pytest.approx(90.0, rel=0.02)
    shorter = seen(line(2 * inch), table(45e9), line(2 * inch))[1]
    assert shorter.impedance == pytest.approx(found.impedance, abs=100 * shorter.error)
    assert shorter.error > found.error
    result = solve_tdr(ChannelTask((line(1 * inch), table(30e9)), 100.0, NYQUIST), solver=solver)
    assert result.readings == ()
    assert result.unsupported == ((1, "its table ends at 30 GHz, too low for a step of 12.5 ps"),)


def test_an_element_without_a_model_leaves_no_reading() -> None:
    thick = LineSpec(replace(PAIR, thickness=2e-3), 1 * inch)
    task = ChannelTask((line(1 * inch), thick), 100.0, NYQUIST)
    assert solve_tdr(task, solver=solver) == TdrResult((), ((1, "no model"),))
    assert profile(task, solver=solver) is None


def test_a_longer_record_and_finer_points_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two strong mismatches: third echoes must not come round to the beginning."""
    path = (line(1 * inch, 70), VIA, line(3 * inch, 130), VIA, line(0.5 * inch, 70))
    before = seen(*path)
    monkeypatch.setattr(tdr_solve, "ROUND_TRIPS", 8.0)
    monkeypatch.setattr(tdr_row, "POINTS", 400)
    with SolverCache().used():
        after = seen(*path)
    for place, one in before.items():
        assert after[place].distance.value == pytest.approx(one.distance.value, abs=3e-3)


def test_the_end_of_the_band_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    path = (VIA, line(3 * inch, 92), VIA)
    before = seen(*path)
    monkeypatch.setattr(tdr_solve, "BAND", 1.4)
    after = seen(*path)
    for place, one in before.items():
        assert after[place].distance.value == pytest.approx(one.distance.value, abs=1.5e-3)


def test_beyond_the_range_of_the_dielectrics_it_says_so() -> None:
    slow, fast = (solve_tdr(ChannelTask((line(1 * inch),), 100.0, f), solver=solver) for f in (16e9, 53.125e9))
    assert slow.assumptions == ()
    assert any("85 GHz" in text for text in fast.assumptions)
    assert fast.readings[0].error > 10 * slow.readings[0].error


def test_the_curves_run_from_the_step_to_the_far_end() -> None:
    made = profile(ChannelTask((line(1 * inch, 90), line(2 * inch, 105)), 100.0, NYQUIST), solver=solver)
    assert made is not None
    time = np.array(made.time)
    late = 2 * 2 * inch * 3.3**0.5 / c
    assert np.interp(0.5e-10, time, made.from_1) == pytest.approx(90, abs=0.3)
    assert np.interp(0.5 * late, time, made.from_2) == pytest.approx(105, abs=0.3)
    assert made.time[0] < 0
    assert made.time[-1] == pytest.approx(1.5 * late + 3 * rise_time(NYQUIST), rel=0.02)
    assert [one.element for one in made.readings] == [0, 1]


@pytest.mark.parametrize("top", [20e9, 80e9])
def test_between_its_points_the_wave_on_a_line_has_the_delay_of_the_line(top: float) -> None:
    """Within 0.06 % above 0.2 GHz."""
    line = solve_section(NVLINK)
    frequency = np.geomspace(0.2e9, top, 200)
    r, inductance, g, capacitance = line.rlgc(frequency, "odd")
    exact = np.sqrt((r + 2j * np.pi * frequency * inductance) * (g + 2j * np.pi * frequency * capacitance))
    found = tdr_row.wave(line, 8e9, top, 2).along(frequency)
    assert found.imag == pytest.approx(exact.imag, rel=6e-4)
    assert found.real == pytest.approx(exact.real, rel=2e-2)
