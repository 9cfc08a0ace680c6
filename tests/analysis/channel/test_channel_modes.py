# SPDX-License-Identifier: MIT
"""Channels whose legs differ: closed form, scikit-rf's four-ports, laws, from the board to the report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import skrf
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from sample_channels import PAIR, Sample, Slab, samples
from scipy.constants import c, pi
from signal_board import board
from test_channel_binding import facts

from pcbrules.analysis.channel.element_chain import even_grid
from pcbrules.analysis.channel.solve import channel_network, channel_pair, mean_loss, solve_channel
from pcbrules.analysis.channel.task import BlockSpec, ChannelSolution, ChannelTask, LineSpec, LossSpec, SeriesCap, Skew
from pcbrules.analysis.lines import skew as skews_of
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.model.conditions import Conditions
from pcbrules.networks.coupled import coupled_lines
from pcbrules.networks.mode_chain import to_legs
from pcbrules.results.facts.signal import BoardLoss, PairSkew
from pcbrules.results.facts.tdr import ImpedanceProfile

Real = NDArray[np.float64]
GRID = np.linspace(0.2e9, 80e9, 41)
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
RUN = ("links", "nvl", "path", 2, "trace")


def solved(task: ChannelTask, slab: Slab) -> ChannelSolution:
    made = solve_channel(task, solver=lambda _: slab).through
    assert made is not None
    return made


@examples(50)
@given(delay=st.floats(0.05e-12, 8e-12), nyquist=st.sampled_from([8e9, 16e9, 26.5625e9, 53.125e9]),
       length=st.floats(0.02, 0.2))
def test_one_difference_costs_its_cosine(delay: float, nyquist: float, length: float) -> None:
    """SIG002's closed form: -20 log cos(pi f dtau), without echoes of the common mode."""
    slab = Slab(skin=0.0, df=0.0, even=1.0)
    plain = ChannelTask((LineSpec(PAIR, length),), 100.0, nyquist)
    difference = delay * c / slab.dk**0.5
    made = solved(replace(plain, skews=(Skew(0, length=difference),)), slab)
    lost = -20 * np.log10(abs(np.cos(pi * nyquist * delay)))
    assert made.loss == pytest.approx(lost, abs=1e-6)
    assert {row.part: row.loss for row in made.ledger}["skew"] == pytest.approx(lost, abs=1e-6)
    assert made.over_phase.value == pytest.approx(lost, abs=1e-6)
    found = made.conversion
    assert found is not None
    assert found.loss == pytest.approx(lost, abs=1e-6)
    for at, (worst, where) in ((found.to_common, found.worst_common),
                               (found.to_differential, found.worst_differential)):
        assert at == pytest.approx(20 * np.log10(np.sin(pi * nyquist * delay)), abs=1e-6)
        assert (worst, where) == (pytest.approx(at), nyquist)
    timed = ChannelTask((LineSpec(PAIR, length), LossSpec(0.0, 1e9)), 100.0, nyquist, skews=(Skew(1, time=-delay),))
    assert solved(timed, slab).loss == pytest.approx(lost, abs=1e-6)
    assert mean_loss(timed, solver=lambda _: slab) == pytest.approx(lost, abs=1e-6)


@st.composite
def skewed(draw: st.DrawFn, *, vias: bool = True) -> Sample:
    sample = draw(samples(least=1))
    if not vias:
        kept = tuple(one for one in sample.task.elements if isinstance(one, LineSpec | SeriesCap | LossSpec))
        sample = replace(sample, task=replace(sample.task, elements=kept))
    found = []
    for place, one in enumerate(sample.task.elements):
        if isinstance(one, LineSpec):
            found.append(Skew(place, length=draw(st.floats(-1, 1)) * min(one.length, 3e-3)))
        elif draw(st.booleans()):
            found.append(Skew(place, time=draw(st.floats(-5e-12, 5e-12))))
    return replace(sample, task=replace(sample.task, skews=tuple(found)))


@examples(100)
@given(sample=skewed())
def test_laws_of_a_channel_with_unequal_legs(sample: Sample) -> None:
    s = channel_pair(sample.task, GRID, solver=sample.solver)
    assert np.abs(s - s.transpose(0, 2, 1)).max() < 1e-9
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + 1e-9
    quiet = channel_pair(replace(sample.task, skews=()), GRID, solver=sample.solver)
    assert np.abs(quiet[:, ::2, 1::2]).max() == 0
    assert np.abs(quiet[:, ::2, ::2] - channel_network(sample.task, GRID, solver=sample.solver).s).max() < 1e-9


@examples(60)
@given(sample=skewed(), share=st.floats(0, 1))
def test_power_is_conserved_without_loss(sample: Sample, share: float) -> None:
    slabs = tuple(replace(slab, skin=0.0, df=0.0) for slab in sample.slabs)
    elements = tuple(
        replace(one, loss=0.0) if isinstance(one, LossSpec | SeriesCap) or hasattr(one, "die_last") else one
        for one in sample.task.elements if not isinstance(one, ViaSpec | BlockSpec)
    )
    places = [i for i, one in enumerate(sample.task.elements) if not isinstance(one, ViaSpec | BlockSpec)]
    found = tuple(replace(one, element=places.index(one.element)) for one in sample.task.skews if one.element in places)
    one = Sample(replace(sample.task, elements=elements, skews=found), slabs)
    s = channel_pair(one.task, GRID, solver=one.solver)
    assert np.abs((np.abs(s) ** 2).sum(axis=1) - 1).max() < 1e-8


def four_port(sample: Sample) -> Any:
    """The same channel by scikit-rf: coupled lines, delays and capacitors of single legs as four-ports."""
    half, whole = sample.task.z_ref / 2, None
    late = {one.element: one for one in sample.task.skews}

    def network(s: NDArray[np.complex128]) -> Any:
        return skrf.Network(f=GRID, f_unit="hz", s=s, z0=half)

    def legs(p: NDArray[np.complex128], n: NDArray[np.complex128]) -> Any:
        s = np.zeros((len(GRID), 4, 4), dtype=complex)
        for leg, one in ((0, p), (1, n)):
            for to, row in ((0, 0), (1, 2)):
                for of, column in ((0, 0), (1, 2)):
                    s[:, leg + row, leg + column] = one[:, to, of]
        return network(s)

    def delay(time: Real) -> NDArray[np.complex128]:
        s = np.zeros((len(GRID), 2, 2), dtype=complex)
        s[:, 0, 1] = s[:, 1, 0] = np.exp(-2j * pi * GRID * time)
        return s

    parts = []
    for place, spec in enumerate(sample.task.elements):
        one = late.get(place)
        if isinstance(spec, LineSpec):
            matrices = []
            for k in (0, 1):
                values = []
                for mode in ("odd", "even"):
                    r, inductance, g, capacitance = sample.solver(spec.task).rlgc(GRID, mode)
                    omega = 2j * pi * GRID
                    values.append((r + omega * inductance, g + omega * capacitance)[k])
                odd, even = values
                own, other = (even + odd) / 2, (even - odd) / 2
                matrices.append(np.moveaxis(np.array([[own, other], [other, own]]), -1, 0))
            piece = network(coupled_lines(series=matrices[0], shunt=matrices[1], length=spec.length / 2, z_ref=half))
            r, inductance, g, capacitance = sample.solver(spec.task).rlgc(GRID, "odd")
            omega = 2j * pi * GRID
            slow = np.sqrt((r + omega * inductance) * (g + omega * capacitance)).imag / (2 * pi * GRID)
            time = one.length * slow / 2 if one else 0 * GRID
            parts += [piece, legs(delay(time), delay(-time)), piece]
            continue
        if isinstance(spec, SeriesCap):
            z = spec.resistance + 2j * pi * GRID * spec.inductance + 1 / (2j * pi * GRID * spec.capacitance)
            s = np.moveaxis(np.array([[z, 2 * half + 0 * z], [2 * half + 0 * z, z]]) / (z + 2 * half), -1, 0)
            parts.append(legs(s, s))
        assert isinstance(spec, SeriesCap | LossSpec)
        nepers = spec.loss * np.log(10) / 20 * np.sqrt(GRID / spec.frequency)
        s = delay(0 * GRID) * np.exp(-(1 + 1j) * nepers)[:, np.newaxis, np.newaxis]
        parts.append(legs(s, s))
        if one is not None:
            parts.append(legs(delay(max(one.time, 0.0) + 0 * GRID), delay(max(-one.time, 0.0) + 0 * GRID)))
    for part in parts:
        whole = part if whole is None else whole**part
    return whole


@examples(40)
@given(sample=skewed(vias=False))
def test_a_channel_with_unequal_legs_is_the_cascade_of_four_ports(sample: Sample) -> None:
    own = to_legs(channel_pair(sample.task, GRID, solver=sample.solver))
    assert np.abs(own - four_port(sample).s).max() < 1e-8


def test_a_difference_taken_back_at_once_costs_less_than_one_that_stays() -> None:
    slab = Slab(even=1.3)
    lines = (LineSpec(PAIR, 0.05), LineSpec(PAIR, 0.05))
    task = ChannelTask(lines, 100.0, 16e9)
    there, both = Skew(0, length=1e-3), Skew(1, length=-1e-3)
    one, back, more = (
        solved(replace(task, skews=found), slab).conversion
        for found in ((there,), (there, both), (there, replace(both, length=1e-3)))
    )
    assert one is not None and back is not None and more is not None
    assert back.loss < one.loss < more.loss
    assert back.to_common < one.to_common < more.to_common
    assert back.to_common > -60  # between the two the common mode has its own velocity and impedance


def test_the_outer_leg_of_a_bend_is_the_worse_one() -> None:
    """Which leg a bend lengthens is not said: the larger sum along the path counts."""
    slab = Slab(even=1.0)
    task = ChannelTask((LineSpec(PAIR, 0.1),), 100.0, 16e9)
    for turns in (0.4e-3, -0.4e-3):
        made = solved(replace(task, skews=(Skew(0, length=-0.6e-3, turns=turns),)), slab).conversion
        same = solved(replace(task, skews=(Skew(0, length=1e-3),)), slab).conversion
        assert made is not None and same is not None
        assert made.loss == pytest.approx(same.loss, rel=1e-9)


# From the board file


def loss(edits: dict[tuple[str | int, ...], Any] | None = None) -> BoardLoss:
    found = facts(board(edits))["BoardLoss links.nvl"]
    assert isinstance(found, BoardLoss), found
    return found


def skew(edits: dict[tuple[str | int, ...], Any]) -> PairSkew:
    (found,) = (one for one in skews_of.facts(board(edits), CONDITIONS) if one.subject == "links.nvl")
    assert isinstance(found, PairSkew)
    return found


EQUAL = {(*RUN, "length_p"): "8.5 in", (*RUN, "length_n"): "8.5 in", (*RUN, "bends"): 0}


@pytest.mark.parametrize("edits", [
    {(*RUN, "length_p"): "8.53 in"},
    {(*RUN, "length_n"): "8.52 in", ("links", "nvl", "path", 1, "via", "skew"): "-1.5 ps"},
    {(*RUN, "bends"): 2},
    {("links", "nvl", "path", 3, "via", "skew"): "4 ps"},
])
def test_the_loss_counts_what_the_rule_of_the_skew_prints(edits: dict[tuple[str | int, ...], Any]) -> None:
    without, with_skew = loss(EQUAL), loss(EQUAL | edits)
    printed = skew(EQUAL | edits).loss_db
    assert dict(with_skew.ledger)["skew"] == pytest.approx(printed, rel=0.15, abs=0.02)
    assert with_skew.loss.value - without.loss.value == pytest.approx(dict(with_skew.ledger)["skew"], abs=1e-9)
    assert with_skew.cold > without.cold
    assert "skew" not in dict(without.ledger)
    assert set(edits) <= set(with_skew.loss.reads)


def test_tolerances_of_the_legs_widen_the_loss() -> None:
    exact, loose = loss(EQUAL), loss(EQUAL | {(*RUN, "length_p"): "8.5 in +- 0.04 in"})
    assert loose.loss.value == pytest.approx(exact.loss.value, abs=1e-9)
    assert loose.loss.lo == pytest.approx(exact.loss.lo)
    far = dict(loss(EQUAL | {(*RUN, "length_p"): "8.54 in"}).ledger)["skew"]
    spread = [one.loss.hi - one.loss.value - one.loss.error for one in (exact, loose)]
    assert np.sqrt(spread[1] ** 2 - spread[0] ** 2) == pytest.approx(far, rel=0.2)
    via = ("links", "nvl", "path", 1, "via", "skew")
    assert loss(EQUAL | {via: "0 ps +- 4 ps"}).loss.hi > exact.loss.hi


def test_legs_that_are_not_given_are_taken_as_equal_and_said_to_be() -> None:
    bare = board(without=((*RUN, "length_p"), (*RUN, "length_n")))
    found = facts(bare)["BoardLoss links.nvl"]
    assert isinstance(found, BoardLoss)
    assert any(text.startswith("run: legs assumed equal in length") for text in found.loss.assumptions)
    assert not any("legs assumed equal in length" in text for text in loss(EQUAL).loss.assumptions)


def test_a_pair_of_unequal_legs_is_shown_with_its_conversion() -> None:
    from pcbrules.studies.channels import channels
    from pcbrules.studies.channels_text import console, json_text

    made = channels(board(EQUAL | {(*RUN, "length_p"): "8.53 in"}), cold=20, hot=85, link="nvl")
    text = console(made, "training", ledger=True)
    assert "differential to common (SCD21): -1" in text and "    channel                 skew" in text
    assert '"differential_to_common": {' in json_text(made, "training")
    quiet = channels(board(EQUAL), cold=20, hot=85, link="nvl")
    assert "SCD21" not in console(quiet, "training", ledger=True)
    assert '"mode_conversion": null' in json_text(quiet, "training")


@pytest.mark.parametrize("delay", [2e-12, 6e-12])
def test_the_deviation_from_a_fit_is_that_of_the_pair_as_it_is(delay: float) -> None:
    """A line without loss whose legs differ loses -20 log cos(pi f dtau), which the fit does not follow."""
    slab, nyquist = Slab(skin=0.0, df=0.0, even=1.0), 26.5625e9
    plain = ChannelTask((LineSpec(PAIR, 0.1),), 100.0, nyquist)
    made = solved(replace(plain, skews=(Skew(0, length=delay * c / slab.dk**0.5),)), slab)
    at = even_grid(nyquist)[even_grid(nyquist) >= 50e6]
    lost = -20 * np.log10(np.cos(pi * at * delay))
    size = 10 ** (-lost / 20)
    terms = np.stack([np.ones_like(at), np.sqrt(at / nyquist), at / nyquist, (at / nyquist) ** 2], axis=1)
    fit = terms @ np.linalg.lstsq(terms * size[:, None], lost * size, rcond=None)[0]
    weight = np.sinc(at / (2 * nyquist)) ** 2 / (1 + (at / (1.5 * nyquist)) ** 8)
    expected = np.sqrt(np.mean(weight * (lost - fit) ** 2))
    assert expected > 1e-5
    assert made.fom_ild.value == pytest.approx(expected, rel=1e-3)
    assert solved(plain, slab).fom_ild.value < 1e-9


def test_impedance_steps_say_that_they_take_the_legs_as_equal() -> None:
    def assumed(edits: dict[tuple[str | int, ...], Any]) -> tuple[str, ...]:
        found = facts(board(edits))["ImpedanceProfile links.nvl"]
        assert isinstance(found, ImpedanceProfile) and found.line is not None and found.transition is not None
        assert found.line.measured.assumptions[-1:] == found.transition.measured.assumptions[-1:]
        return found.line.measured.assumptions

    named = [text for text in assumed(EQUAL | {(*RUN, "length_p"): "8.53 in"}) if "assumed equal in length" in text]
    assert named == ["legs of run assumed equal in length"]
    assert not any("assumed equal in length" in text for text in assumed(EQUAL))
