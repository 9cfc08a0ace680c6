# SPDX-License-Identifier: MIT
"""Margins of a channel to masks over frequency, by chain matrices and by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from sample_channels import PAIR, Slab
from sample_lines import NVLINK, solve
from scipy.constants import c

from pcbrules.analysis.channel.element_chain import ElementChain, grid
from pcbrules.analysis.channel.fine_grid import _dense
from pcbrules.analysis.channel.ripple import highest, highest_between
from pcbrules.analysis.channel.solve import solve_channel, solve_elements
from pcbrules.analysis.channel.task import ChannelTask, LeastMargin, LineSpec, LossSpec, MaskSpec
from pcbrules.analysis.lines.impedance_tolerance import impedance_doubt, impedance_tolerance
from pcbrules.analysis.lines.modes import modes

NYQUIST = 13e9
INCH = 25.4e-3
LOOSE = (40e-6, 0.3, 0.3, 0.3, 0.0)
"""Tolerances of a line that spread it by more than any class that is ordered here."""


def flat(quantity: str, level: float, start: float = 50e6, stop: float = NYQUIST) -> MaskSpec:
    return MaskSpec(quantity, ((start, stop, level, 0, 0, 0, 0, 0),))


def margins(
    *masks: MaskSpec, z_ref: float = 100.0, length: float = 3 * INCH, ordered: float = 0.0
) -> tuple[LeastMargin, ...]:
    task = ChannelTask((LineSpec(NVLINK, length, LOOSE, ordered),), z_ref, NYQUIST, masks)
    through = solve_channel(task).through
    assert through is not None
    return through.margins


@pytest.mark.parametrize("length", [3 * INCH, 14 * INCH, 40 * INCH])
def test_return_loss_of_a_line_by_its_chain_matrix(length: float) -> None:
    """Of 40 inches a ripple has two points of the even grid: what is least between them counts."""
    (found,) = margins(flat("return-loss", 10.0), z_ref=85.0, length=length)
    f = np.linspace(50e6, NYQUIST, 20_001)
    r, inductance, g, capacitance = solve(NVLINK).rlgc(f, "odd")
    series, shunt = 2 * (r + 2j * np.pi * f * inductance), (g + 2j * np.pi * f * capacitance) / 2
    x, z = np.sqrt(series * shunt) * length, np.sqrt(series / shunt)
    a, b, y = np.cosh(x), z * np.sinh(x) / 85.0, np.sinh(x) / z * 85.0
    echo = np.abs((b - y) / (2 * a + b + y))
    assert found.margin.value == pytest.approx(-20 * math.log10(echo.max()) - 10.0, abs=2e-4)
    assert found.frequency == pytest.approx(f[echo.argmax()], abs=2 * f[1] - f[0])
    assert found.limit == 10.0
    assert found.port == 1


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("last", [False, True])
def test_the_top_of_a_ripple_just_inside_either_end_of_a_mask_counts(share: float, last: bool) -> None:
    """A line without loss, an odd number of quarter waves long, has the steepest echo that its impedance allows."""
    slab, length = Slab(z=50.0, skin=0.0, rough=0.0, df=0.0), 26 * INCH
    ripple = c / (2 * length * math.sqrt(slab.dk))
    top = 20.5 * ripple
    start, stop = (top - 0.7 * ripple, top + share * ripple) if last else (top - share * ripple, top + 0.7 * ripple)
    task = ChannelTask((LineSpec(PAIR, length),), 85.0, NYQUIST, (flat("return-loss", 3.0, start, stop),))
    through = solve_channel(task, solver=lambda _: slab).through
    assert through is not None
    ratio = (100 / 85) ** 2
    assert through.margins[0].margin.value == pytest.approx(-20 * math.log10((ratio - 1) / (ratio + 1)) - 3.0, abs=1e-4)
    assert through.margins[0].frequency == pytest.approx(top, rel=1e-4)


@pytest.mark.parametrize("inches", [10, 26, 60])
def test_every_ripple_is_looked_at_in_four_places(inches: float) -> None:
    slab, length = Slab(skin=0.0, rough=0.0, df=0.0), inches * INCH
    task = ChannelTask((LineSpec(PAIR, length / 4), LossSpec(1.0, 13e9), LineSpec(PAIR, 3 * length / 4)), 85.0, NYQUIST)
    lines, vias, _ = solve_elements(task, lambda _: slab)
    found = _dense(ElementChain(task, lines, vias, grid(NYQUIST, ())))
    assert np.diff(found).max() * 2 * length * math.sqrt(slab.dk) / c <= 0.25 + 1e-9
    assert set(grid(NYQUIST, ())) <= set(found)


def test_a_mask_that_steps_up_holds_from_its_edge_on() -> None:
    step = MaskSpec("return-loss", ((50e6, 1e9, 0.0, 0, 0, 0, 0, 0), (1e9, 1.02e9, 20.0, 0, 0, 0, 0, 0)))
    (found,) = margins(step, z_ref=85.0)
    assert found.limit == 20.0 and 1e9 < found.frequency <= 1.02e9


@examples(30)
@given(points=st.floats(3.0, 40.0), start=st.floats(0, 2 * math.pi), level=st.floats(0.5, 5.0))
def test_a_ripple_is_bounded_between_its_points(points: float, start: float, level: float) -> None:
    f = np.arange(1.0, 200.0)
    found = highest_between(f, level + np.cos(2 * math.pi * f / points + start))
    assert level + 1 - 1e-9 <= found <= level + 1 + (1 - math.cos(2 * math.pi / points)) * 2 / 3 + 1e-9
    assert highest_between(f, f) == 199.0


def test_insertion_loss_to_a_sloped_mask() -> None:
    """A declared loss of 8 dB at 13 GHz goes with the root of frequency; the mask is 1 + 3 sqrt(x) dB, x in GHz."""
    mask = MaskSpec("insertion-loss", ((1e9, 4e9, 1.0, 3.0, 0, 0, 0, 0), (4e9, 13e9, 0.0, 0, 2.0, 0, 0, 0)))
    through = solve_channel(ChannelTask((LossSpec(8.0, 13e9),), 100.0, NYQUIST, (mask,))).through
    assert through is not None
    (found,) = through.margins
    f = np.linspace(1e9, 13e9, 120_001)
    limit = np.where(f <= 4e9, 1 + 3 * np.sqrt(f / 1e9), 2 * f / 1e9)
    loss = 8 * np.sqrt(f / 13e9)
    assert found.margin.value == pytest.approx((limit - loss).min(), abs=1e-9)
    assert found.margin.lo == pytest.approx((limit - 1.1 * loss).min(), abs=1e-9)
    assert found.margin.hi == pytest.approx((limit - 0.9 * loss).min(), abs=1e-9)


def test_a_smooth_loss_has_no_deviation() -> None:
    mask = flat("insertion-loss-deviation", 0.5)
    through = solve_channel(ChannelTask((LossSpec(8.0, 13e9),), 100.0, NYQUIST, (mask,))).through
    assert through is not None
    assert through.margins[0].margin.value == pytest.approx(0.5, abs=1e-6)


def test_an_ordered_class_bounds_the_tolerances_and_never_adds_to_them() -> None:
    bare = impedance_tolerance(NVLINK, LOOSE)
    assert impedance_tolerance(NVLINK, LOOSE, 0.9 * bare) == 0.9 * bare
    assert impedance_tolerance(NVLINK, LOOSE, 1.1 * bare) == bare
    assert impedance_tolerance(NVLINK, (), 0.05) == 0.05
    assert impedance_tolerance(NVLINK, tuple(half / 2 for half in LOOSE)) == pytest.approx(bare / 2)


def test_half_the_doubt_of_dk_is_that_of_the_impedance() -> None:
    """Z goes with one over the root of Dk."""
    assert impedance_doubt(NVLINK, 0.06, 0.0, 0.0) == pytest.approx(0.03)
    top = impedance_doubt(NVLINK, 0.0, 10e-6, 0.0)
    assert 0.005 < top < 0.1
    narrower = replace(NVLINK, width_top=NVLINK.width_top - 10e-6)
    assert top == pytest.approx(modes(narrower).odd.impedance() / modes(NVLINK).odd.impedance() - 1)
    assert impedance_doubt(NVLINK, 0.06, 10e-6, 0.0) == pytest.approx(math.hypot(0.03, top))


def test_fabrication_widens_the_return_loss_alone() -> None:
    mask = flat("return-loss", 0.0)
    (exact,), (loose,), (looser,) = (margins(mask, z_ref=90.0, ordered=t) for t in (0.0, 0.05, 0.10))
    assert exact.margin.value == loose.margin.value == looser.margin.value
    assert exact.margin.lo == exact.margin.value
    assert looser.margin.lo < loose.margin.lo < exact.margin.lo
    assert looser.margin.hi > loose.margin.hi > exact.margin.hi
    echo = 10 ** (-exact.margin.value / 20)
    assert loose.margin.lo == pytest.approx(-20 * math.log10(echo + 0.025 * 2), abs=0.5)


@examples(15)
@given(z_ref=st.floats(60, 140), length=st.floats(0.5, 20), level=st.floats(-5, 30))
def test_margins_keep_their_order_and_follow_the_mask(z_ref: float, length: float, level: float) -> None:
    kinds = ("return-loss", "insertion-loss", "insertion-loss-deviation")
    masks = [flat(kind, at) for kind in kinds for at in (level, level + 1)]
    found = margins(*masks, z_ref=z_ref, length=length * INCH, ordered=0.1)
    assert all(margin.margin.lo <= margin.margin.value <= margin.margin.hi for margin in found)
    for (low, high), kind in zip(zip(found[::2], found[1::2], strict=True), kinds, strict=True):
        assert high.margin.value - low.margin.value == pytest.approx(-1 if kind == "return-loss" else 1, abs=1e-9)


def test_a_channel_turned_round_has_the_same_margins() -> None:
    other = replace(NVLINK, width_foot=1.2 * NVLINK.width_foot, width_top=1.2 * NVLINK.width_top)
    pieces = LineSpec(NVLINK, INCH), LossSpec(1.0, 13e9), LineSpec(other, 2 * INCH)
    masks = flat("return-loss", 12.0), flat("insertion-loss", 9.0)
    there, back = (solve_channel(ChannelTask(way, 100.0, NYQUIST, masks)).through for way in (pieces, pieces[::-1]))
    assert there is not None and back is not None
    for one, two in zip(there.margins, back.margins, strict=True):
        assert one.margin.value == pytest.approx(two.margin.value, abs=1e-9)
    assert {there.margins[0].port, back.margins[0].port} == {1, 2}


@pytest.mark.parametrize(("start", "stop"), [(10e6, 1e9), (50e6, 2 * NYQUIST)])
def test_a_mask_counts_to_its_ends(start: float, stop: float) -> None:
    """Below the first step of the grid and beyond 1.5 times Nyquist: a level mask is met worst where the loss is
    greatest, one that rises from zero at its beginning."""
    (high,) = margins(flat("insertion-loss", 9.0, start, stop))
    assert high.frequency == pytest.approx(stop, rel=1e-9)
    rising = MaskSpec("insertion-loss", ((start, stop, 0.0, 0.0, 900.0, 0, 0, 0),))
    (low,) = margins(rising)
    assert low.frequency == pytest.approx(start, rel=1e-9)


@pytest.mark.parametrize("length", [3 * INCH, 14 * INCH])
def test_least_return_loss_without_a_mask_is_that_of_a_mask(length: float) -> None:
    """The even grid has two to eleven points in a ripple here; what a mask finds between them is within 0.15 dB."""
    line = LineSpec(NVLINK, length, LOOSE, 0.1)
    held, free = (solve_channel(ChannelTask((line,), 85.0, NYQUIST, masks)).through
                  for masks in ((flat("return-loss", 12.0),), ()))
    assert held is not None and free is not None and free.least_return is not None
    assert held.least_return is None
    assert free.least_return.margin.value == pytest.approx(held.margins[0].margin.value + 12, abs=0.15)
    assert free.least_return.margin.lo == pytest.approx(held.margins[0].margin.lo + 12, abs=0.4)
    assert free.least_return.port == 1


def test_summit_between_points() -> None:
    f = np.arange(100.0)
    curve = 2 + np.cos(2 * math.pi * (f - 50.3) / 4.6)
    at, top = highest(f, curve)
    assert curve[at] < top == pytest.approx(3.0, abs=0.05)
    assert highest(f, f) == (99, 99.0)
    uneven = np.where(f < 50, f, f + 0.5)
    assert highest(uneven, np.exp(-((f - 49.6) ** 2)))[1] == pytest.approx(math.exp(-0.16))
