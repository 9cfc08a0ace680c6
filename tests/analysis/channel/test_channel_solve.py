# SPDX-License-Identifier: MIT
"""Channels: closed forms, sums, orderings, and the figures of two example boards."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from sample_channels import LAMINATE, PAIR
from scipy.constants import c, inch, mil, pi

from pcbrules.analysis.channel.element_chain import loss_tangent
from pcbrules.analysis.channel.loss_fit import fitted_loss, fitted_value
from pcbrules.analysis.channel.solve import WHOLE, channel_curves, channel_network, solve_channel
from pcbrules.analysis.channel.task import (
    ChannelResult,
    ChannelSolution,
    ChannelTask,
    Element,
    LineSpec,
    LossSpec,
    SeriesCap,
)
from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.missing import Missing
from pcbrules.networks.cascade import insertion_loss

Real = NDArray[np.float64]
NEPER = 20 / math.log(10)

VIA = ViaSpec(
    through_length=0.58e-3,
    port1_stub=0.0,
    port2_stub=9 * mil,
    drill_diameter=0.25e-3,
    antipad_diameter=0.8e-3,
    dk=3.31,
    df_points=LAMINATE,
)

@dataclass(frozen=True)
class Slab:
    """Stand-in for a solved cross-section: per-leg impedance, Dk, and a loss [dB/m] at one frequency."""

    z: float = 50.0
    dk: float = 3.28
    loss: float = 1.16 / inch
    frequency: float = 26.5625e9
    u_loss: float = 0.05

    def rlgc(self, f: Real, mode: str = "odd") -> tuple[Real, Real, Real, Real]:
        assert mode == "odd"
        alpha = self.loss / NEPER
        slow = self.dk**0.5 / c
        return (
            2 * self.z * 0.75 * alpha * np.sqrt(f / self.frequency),
            np.full_like(f, self.z * slow),
            2 / self.z * 0.25 * alpha * f / self.frequency,
            np.full_like(f, slow / self.z),
        )

    def loss_parts(self, frequency: float) -> dict[str, float]:
        x = frequency / self.frequency
        return {
            "conductor": 0.5 * self.loss * x**0.5,
            "roughness": 0.25 * self.loss * x**0.5,
            "dielectric": 0.25 * self.loss * x,
        }


def nvlink(*, stub: float = 9 * mil, length: float = 8.5 * inch) -> ChannelTask:
    via = replace(VIA, port2_stub=stub)
    return ChannelTask(elements=(via, LineSpec(PAIR, length), via), z_ref=100.0, nyquist=26.5625e9)


def solve(task: ChannelTask, slab: Slab | Missing = Slab()) -> ChannelResult:
    return solve_channel(task, solver=lambda _: slab)


def through(task: ChannelTask, slab: Slab | Missing = Slab()) -> ChannelSolution:
    made = solve(task, slab).through
    assert made is not None
    return made


def test_nvlink_of_a_baseboard() -> None:
    result = solve(nvlink())
    assert result.through is not None
    assert result.through.loss == pytest.approx(10.8, abs=0.4)
    assert result.through.loss >= result.through.without_stubs
    assert result.stub_loss is not None
    assert 0.16 < result.stub_loss.loss.value < 0.54
    for cost in result.vias:
        assert cost.alone is not None
        assert cost.stub_loss is not None
        assert 0.08 < cost.alone.loss.value < 0.27
        assert 15 < cost.stubs[0].return_loss < 18
    assert result.unsupported == ()


def test_undrilled_pcie_channel_is_dead() -> None:
    slab = Slab(z=42.5, loss=0.73 / inch, frequency=16e9)
    via = replace(VIA, port2_stub=82 * mil)
    elements = (via, SeriesCap(220e-9, loss=0.15, frequency=16e9), LineSpec(PAIR, 9 * inch), via)
    task = ChannelTask(elements=elements, z_ref=85.0, nyquist=16e9)
    result = solve(task, slab)
    assert result.through is not None
    assert result.through.loss == pytest.approx(29, abs=2)
    assert result.worst is not None
    assert result.worst.stub.loaded.value / 1e9 == pytest.approx(14.7, abs=0.2)
    assert result.stub_loss is not None
    assert result.stub_loss.loss.lo > 15
    assert result.stub_loss.frequency == pytest.approx(result.worst.stub.loaded.value)
    drilled = tuple(replace(one, port2_stub=9 * mil) if one is via else one for one in elements)
    assert through(replace(task, elements=drilled), slab).loss == pytest.approx(6.95, abs=0.15)


def test_thin_board_with_two_through_vias() -> None:
    """A 1.27 mm stub at 8 GHz: about 21 GHz loaded, return loss 11 dB, 0.9 dB for both."""
    laminate = DielectricPoints(((1e9, 4.1, 0.018), (10e9, 4.1, 0.021)))
    via = replace(VIA, port2_stub=1.27e-3, through_length=0.25e-3, antipad_diameter=0.75e-3, dk=4.1, df_points=laminate)
    task = ChannelTask(elements=(via, LineSpec(PAIR, 70e-3), via), z_ref=85.0, nyquist=8e9)
    result = solve(task, Slab(z=42.4, dk=4.1, loss=1.4 / inch, frequency=8e9))
    assert result.through is not None
    assert result.through.without_stubs == pytest.approx(3.9, abs=0.1)
    assert result.through.loss == pytest.approx(4.8, abs=0.3)
    assert result.worst is not None
    assert result.worst.stub.loaded.value / 1e9 == pytest.approx(21, abs=0.3)
    assert result.worst.return_loss == pytest.approx(11, abs=0.5)


def test_the_worst_stub_is_the_one_that_may_resonate_lowest() -> None:
    """Of a via whose fill is not known the bounds are wider: its shorter stub may resonate lower."""
    sure, unsure = replace(VIA, port2_stub=30 * mil), replace(VIA, port2_stub=29 * mil, hole_fill_known=False)
    task = ChannelTask(elements=(sure, LineSpec(PAIR, 0.1), unsure), z_ref=100.0, nyquist=8e9)
    result = solve(task)
    (one,), (other,) = (cost.stubs for cost in result.vias)
    assert one.stub.loaded.value < other.stub.loaded.value and one.stub.loaded.lo > other.stub.loaded.lo
    assert result.worst == other


def test_ledger_adds_up() -> None:
    elements: tuple[Element, ...] = (
        replace(VIA, port1_stub=5 * mil),
        LineSpec(PAIR, 0.1),
        SeriesCap(220e-9, loss=0.15, frequency=16e9),
        LossSpec(1.5, 16e9),
        VIA,
    )
    task = ChannelTask(elements=elements, z_ref=85.0, nyquist=16e9)
    made = through(task)
    assert sum(part.loss for part in made.ledger) == pytest.approx(made.over_phase.value, rel=1e-12)
    causes = [part.part for part in made.ledger if part.part != "steps"]
    assert causes == [
        "barrel", "stubs", "conductor", "roughness", "dielectric", "declared", "declared", "barrel", "stubs",
        "reflections",
    ]  # fmt: skip
    loss = {(part.element, part.part): part.loss for part in made.ledger}
    assert made.ledger[-1].element == WHOLE
    cost = solve(task).vias[1].alone
    assert cost is not None
    assert cost.frequency == 16e9
    assert loss[3, "declared"] == pytest.approx(1.5)
    assert loss[2, "declared"] == pytest.approx(0.15, rel=1e-4)


def test_line_alone_is_its_loss() -> None:
    made = through(ChannelTask(elements=(LineSpec(PAIR, 0.2),), z_ref=100.0, nyquist=26.5625e9))
    assert made.loss == pytest.approx(0.2 * 1.16 / inch, rel=2e-4)
    assert made.without_stubs == made.loss
    assert made.fitted == pytest.approx(made.loss, rel=1e-3)
    assert made.error == pytest.approx(0.05 * made.loss, rel=1e-3)
    assert min(made.curves.return_loss_1) > 25


def test_single_ended_line_is_one_leg() -> None:
    task = ChannelTask(elements=(LineSpec(replace(PAIR, gap=None), 0.1),), z_ref=50.0, nyquist=4e9)
    assert min(through(task).curves.return_loss_1) > 30


def test_grid_holds_nyquist_and_every_notch() -> None:
    task = ChannelTask(elements=(replace(VIA, port2_stub=2e-3),), z_ref=100.0, nyquist=16e9)
    result = solve(task)
    assert result.through is not None
    curve = result.through.curves
    assert {16e9, 24e9, *result.vias[0].stubs[0].stub.loaded.all} <= set(curve.frequency)
    assert max(curve.loss) == curve.loss[curve.frequency.index(result.vias[0].stubs[0].stub.loaded.value)]
    assert 300 <= len(curve.frequency) <= 600
    assert all(np.isfinite(curve.loss))


def test_channel_against_closed_form() -> None:
    """Declared loss, matched line and one stub without a barrel: all by hand at Nyquist."""
    via = replace(VIA, through_length=0.0)
    task = ChannelTask(elements=(LossSpec(2.0, 13e9), via), z_ref=100.0, nyquist=26e9)
    result = solve(task)
    assert result.through is not None
    made = result.vias[0].via
    lossy = np.sqrt(1 - 1j * float(loss_tangent(LAMINATE, np.array([26e9]).tobytes())[0]))
    y = [
        np.tanh(2j * pi * 26e9 / c * np.sqrt(made.dk.value) * lossy * length) * lossy / (2 * made.impedance.value)
        for length in (9 * mil + 0.22e-3, 0.22e-3)
    ]
    shunt = [NEPER * np.log(abs(1 + 100 * sum(ends) / 2)) for ends in ((y[0], y[1]), (y[1], y[1]))]
    assert result.through.loss == pytest.approx(2 * 2**0.5 + shunt[0], rel=1e-9)
    assert result.through.without_stubs == pytest.approx(2 * 2**0.5 + shunt[1], rel=1e-9)
    assert result.vias[0].alone is not None
    alone = NEPER * np.log(abs(1 + 100 * (y[0] - y[1]) / 2))
    assert result.vias[0].alone.loss.value == pytest.approx(alone, rel=1e-9)
    assert result.vias[0].stub_loss is not None
    assert result.vias[0].stub_loss.loss.value == pytest.approx(shunt[0] - shunt[1], rel=1e-9)


def test_unsupported_line_leaves_what_is_known_of_the_stubs() -> None:
    known, unknown = solve(nvlink()), solve(nvlink(), Missing("mask present"))
    assert unknown.through is None
    assert unknown.unsupported == ((1, "mask present"),)
    assert [cost.stubs for cost in unknown.vias] == [cost.stubs for cost in known.vias]
    assert [cost.alone for cost in unknown.vias] == [cost.alone for cost in known.vias]
    assert all(cost.stub_loss == cost.alone for cost in unknown.vias)
    assert unknown.stub_loss is not None
    assert unknown.vias[0].alone is not None
    assert unknown.stub_loss.loss.value == pytest.approx(2 * unknown.vias[0].alone.loss.value)
    assert any("matched line" in text for text in unknown.assumptions)


def test_unsupported_via_does_not_hide_the_other() -> None:
    task = nvlink()
    odd = replace(VIA, antipad_diameter=0.3e-3)
    result = solve(replace(task, elements=(odd, *task.elements[1:])))
    assert result.through is None
    assert [cost.element for cost in result.vias] == [2]
    assert result.unsupported[0][0] == 0
    assert "0.025 mm, is below 0.1 mm" in result.unsupported[0][1]


def test_vias_without_stubs_cost_nothing_extra() -> None:
    result = solve(nvlink(stub=0.0))
    assert result.stub_loss is None
    assert result.worst is None
    assert all(cost.alone is None and cost.stub_loss is None for cost in result.vias)
    assert result.through is not None
    assert result.through.loss == result.through.without_stubs


@examples(25)
@given(stub=st.floats(0.05e-3, 0.5e-3), more=st.floats(1.05, 1.6), length=st.floats(0.02, 0.3))
def test_longer_stubs_and_lines_cost_more(stub: float, more: float, length: float) -> None:
    short = solve(nvlink(stub=stub, length=length))
    long = solve(nvlink(stub=more * stub, length=length))
    for one, other in zip(short.vias, long.vias, strict=True):
        assert one.alone is not None
        assert other.alone is not None
        assert one.alone.loss.value < other.alone.loss.value
        assert one.alone.loss.lo < one.alone.loss.value < one.alone.loss.hi
        assert one.stubs[0].return_loss > other.stubs[0].return_loss
    line, longer = (
        through(ChannelTask(elements=(LineSpec(PAIR, size),), z_ref=100.0, nyquist=26.5625e9)).loss
        for size in (length, more * length)
    )
    assert line < longer


def test_turning_the_channel_round_changes_nothing() -> None:
    elements = (VIA, LineSpec(PAIR, 0.05), replace(VIA, port2_stub=0.6e-3, port1_stub=0.2e-3), LossSpec(1.0, 16e9))
    there = ChannelTask(elements=elements, z_ref=100.0, nyquist=16e9)
    back = tuple(
        replace(one, port1_stub=one.port2_stub, port2_stub=one.port1_stub) if isinstance(one, ViaSpec) else one
        for one in reversed(elements)
    )
    one, other = through(there), through(replace(there, elements=back))
    assert one.loss == pytest.approx(other.loss, rel=1e-12)
    assert one.curves.return_loss_1 == pytest.approx(other.curves.return_loss_2, rel=1e-9)


def test_network_is_the_channel_on_any_grid() -> None:
    task = nvlink()
    curve = through(task).curves
    f = np.array(curve.frequency[::7])
    made = channel_network(task, f, solver=lambda _: Slab())
    assert insertion_loss(made) == pytest.approx(np.array(curve.loss[::7]), abs=1e-9)
    with pytest.raises(ValueError, match="element 1: mask present"):
        channel_network(task, f, solver=lambda _: Missing("mask present"))


@pytest.mark.parametrize("between", [(), (VIA,), (LineSpec(PAIR, 0.05),)])
def test_zero_frequency_is_defined_behind_capacitors(between: tuple[Element, ...]) -> None:
    part, f = SeriesCap(220e-9, loss=0.15, frequency=16e9), np.array([0.0, 1e7, 1e9])
    for elements in ((part, *between), (part, *between, part), (VIA, part, *between, part, VIA)):
        task = ChannelTask(elements, 100.0, 16e9)
        s = channel_network(task, f, solver=lambda _: Slab()).s
        assert np.all(np.isfinite(s)) and abs(s[0, 1, 0]) < 1e-6 and abs(s[0, 0, 0]) == pytest.approx(1, abs=1e-5)
        curves = channel_curves(task, f, solver=lambda _: Slab())
        assert curves.frequency == (0.0, 1e7, 1e9) and min(curves.loss[0], 200) > 100 and curves.loss[2] < 3


def test_same_task_same_numbers() -> None:
    assert repr(solve(nvlink())) == repr(solve(nvlink()))


def test_above_35_ghz_the_fence_is_mentioned() -> None:
    assert any("35 GHz" in text for text in solve(replace(nvlink(), nyquist=53.125e9)).assumptions)
    assert not any("35 GHz" in text for text in solve(nvlink()).assumptions)


@given(a=st.tuples(*[st.floats(0, 5)] * 4), f_max=st.floats(4e9, 60e9))
def test_fit_finds_its_own_curve(a: tuple[float, ...], f_max: float) -> None:
    f = np.arange(1, 321) / 320 * f_max
    x = f / f_max
    loss = a[0] + a[1] * np.sqrt(x) + a[2] * x + a[3] * x**2
    fit = fitted_loss(f, loss, f_min=50e6, f_max=f_max)
    assert fitted_value(fit, f_max) == pytest.approx(sum(a), abs=1e-8)
    assert fitted_value(fit, f_max / 2) == pytest.approx(a[0] + a[1] * 0.5**0.5 + a[2] / 2 + a[3] / 4, abs=1e-8)


def test_fit_is_weighted_by_what_comes_through() -> None:
    """A notch that lets nothing through hardly moves the fit; the weights are those of 802.3."""
    f = np.arange(1, 321) * 50e6
    smooth = 3 * np.sqrt(f / 16e9) + 4 * f / 16e9
    notched = smooth + 60 * np.exp(-(((f - 12e9) / 0.2e9) ** 2))
    fit = fitted_loss(f, notched, f_min=50e6, f_max=16e9)
    assert fitted_value(fit, 12e9) == pytest.approx(
        fitted_value(fitted_loss(f, smooth, f_min=50e6, f_max=16e9), 12e9), abs=0.7
    )
    weight = 10 ** (-notched / 20)
    terms = np.stack([np.ones_like(f), np.sqrt(f / 16e9), f / 16e9, (f / 16e9) ** 2], axis=1)
    residual = notched - terms @ (np.array(fit) * 16e9 ** np.array([0, 0.5, 1, 2]))
    assert terms.T @ (weight**2 * residual) == pytest.approx(np.zeros(4), abs=1e-6)
