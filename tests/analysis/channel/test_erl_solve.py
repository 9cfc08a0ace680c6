# SPDX-License-Identifier: MIT
"""ERL of a channel: the same as from its networks, of its worse end, with an interval."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from sample_channels import LAMINATE, PAIR, Slab
from scipy.constants import c, mil

from pcbrules.analysis.channel.element_chain import ElementChain
from pcbrules.analysis.channel.erl_solve import ErlTask, solve_erl
from pcbrules.analysis.channel.solve import solve_elements
from pcbrules.analysis.channel.task import ChannelTask, Element, LineSpec, SeriesCap
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.missing import Missing
from pcbrules.networks.cascade import reflection
from pcbrules.networks.effective_return_loss import ErlSettings, effective_return_loss

NYQUIST = 26.5625e9
C2C = ErlSettings(symbol_rate=2 * NYQUIST, transition=10e-12, receiver=0.75, reach=6, permitted=0.618, loss_slope=0.0,
                  count=2000, fixture=0.0, levels=4, error_ratio=1e-5)
VIA = ViaSpec(through_length=0.6e-3, port1_stub=0.0, port2_stub=9 * mil, drill_diameter=0.25e-3,
              antipad_diameter=0.8e-3, dk=3.3, df_points=LAMINATE)
RUN = LineSpec(PAIR, 0.1)


def solver(task: LineTask) -> Slab | Missing:
    """The width stands for the impedance: 4.8 mil is 50 ohm a leg. Thick copper has no model."""
    return Missing("no model") if task.thickness > 1e-3 else Slab(z=50.0 * task.width_foot / (4.8 * mil))


def line(ohm: float, length: float) -> LineSpec:
    return LineSpec(replace(PAIR, width_foot=4.8 * mil * ohm / 100), length)


def task(*elements: Element) -> ErlTask:
    return ErlTask(ChannelTask(elements, 100.0, NYQUIST), C2C)


@pytest.mark.parametrize("elements", [
    (VIA, RUN, replace(VIA, port1_stub=9 * mil, port2_stub=0.0)),
    (RUN, VIA, line(85.0, 0.02), VIA, RUN),
    (line(110.0, 0.05), SeriesCap(220e-9, 0.0, 0.1e-9, loss=0.1, frequency=16e9), line(92.0, 0.1)),
])
def test_it_is_that_of_the_networks(elements: tuple[Element, ...]) -> None:
    given = task(*elements)
    found = solve_erl(given, solver=solver)
    symbols = 2 * found.symbols
    frequency = np.arange(symbols + 1) * 2 * NYQUIST / symbols
    frequency[0] = frequency[1] * 1e-3
    lines, vias, _ = solve_elements(given.channel, solver)
    row = [made.s for made in ElementChain(given.channel, lines, vias, frequency).elements()]
    turned = [s[:, ::-1, ::-1] for s in reversed(row)]
    want = effective_return_loss(reflection=np.array([reflection(row), reflection(turned)]), symbols=symbols,
                                 settings=C2C)
    assert found.ends == pytest.approx(want, abs=0.05)
    assert found.erl.value == pytest.approx(min(found.ends), rel=1e-9)


def test_one_step_far_away() -> None:
    """Two steps: of each g of a pulse comes back, 0.871, 0.105 and few hundredths of it at the worst phase."""
    def lossless(section: LineTask) -> Slab:
        return Slab(z=50.0 * section.width_foot / (4.8 * mil), skin=0.0, df=0.0)

    far = solve_erl(task(LineSpec(PAIR, 0.05), line(150.0, 0.4)), solver=lossless).ends[0]
    g = (150 - 100) / (150 + 100)
    near = -20 * math.log10(g * (0.871 + 0.105 + 0.015))
    other = -20 * math.log10((g + g * (1 - g**2)) * (0.871 + 0.105 + 0.015))
    assert other - 0.5 < far < near


def test_of_two_ends_that_are_equal_the_beginning_is_named() -> None:
    assert solve_erl(task(VIA, RUN, replace(VIA, port1_stub=9 * mil, port2_stub=0.0)), solver=solver).port == 1


def test_the_worse_end_counts() -> None:
    long, turned = (replace(VIA, port1_stub=a * mil, port2_stub=b * mil) for a, b in ((0, 25), (25, 0)))
    run = line(100.0, 0.3)
    first, last = (solve_erl(task(*row), solver=solver) for row in ((run, long), (turned, run)))
    assert {first.port, last.port} == {1, 2}
    assert first.ends == pytest.approx(last.ends[::-1], abs=1e-6)
    assert max(first.ends) > first.erl.value + 0.3


def test_vias_and_fabrication_widen_the_interval() -> None:
    loose = LineSpec(PAIR, 0.1, (0.0, 0.0, 0.0, 0.0, 0.0), 0.1)
    exact, with_via, spread = (solve_erl(task(*row), solver=solver).erl for row in (
        (line(80.0, 0.1),), (VIA, RUN), (replace(loose, task=line(80.0, 0.1).task),)))
    assert exact.lo == exact.value == exact.hi
    assert with_via.lo < with_via.value < with_via.hi
    assert spread.value == exact.value
    assert spread.lo < exact.value < spread.hi


def test_a_line_without_a_model() -> None:
    found = solve_erl(task(LineSpec(replace(PAIR, thickness=2e-3), 0.1)), solver=solver)
    assert found.unsupported == ((0, "no model"),)


def test_the_record_holds_two_round_trips() -> None:
    found = solve_erl(task(line(100.0, 0.5)), solver=solver)
    assert found.symbols >= 4 * 0.5 * math.sqrt(Slab().dk) / c * 2 * NYQUIST
