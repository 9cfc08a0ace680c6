# SPDX-License-Identifier: MIT
"""Where every dB goes: the parts add up over whole ranges of channels, and each moves with what it is the part of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from law_examples import examples
from sample_channels import PAIR, Sample, Slab, samples

from pcbrules.analysis.channel.loss_breakdown import SMALL
from pcbrules.analysis.channel.mean_over_phase import turned_lines
from pcbrules.analysis.channel.solve import solve_channel
from pcbrules.analysis.channel.task import ChannelSolution, ChannelTask, LineSpec, LossSpec, PackageSpec, SeriesCap
from pcbrules.analysis.vias.task import ViaSpec

Ledger = dict[tuple[int, str], float]


def solved(sample: Sample) -> ChannelSolution:
    made = solve_channel(sample.task, solver=sample.solver).through
    assert made is not None
    return made


def ledger(sample: Sample) -> Ledger:
    return {(row.element, row.part): row.loss for row in solved(sample).ledger}


def echo(made: ChannelSolution, nyquist: float) -> float:
    """Return loss at Nyquist of the worse end. [dB]"""
    at = made.curves.frequency.index(nyquist)
    return min(made.curves.return_loss_1[at], made.curves.return_loss_2[at])


@examples(120)
@given(sample=samples())
def test_the_parts_add_up_to_the_mean_over_phase(sample: Sample) -> None:
    """The mean is had by trying phases, the parts one by one: what is left is 0.05 dB or 2 % at most."""
    made = solved(sample)
    assert sum(row.loss for row in made.ledger) == pytest.approx(made.over_phase.value, rel=1e-12, abs=1e-12)
    assume(echo(made, sample.task.nyquist) > 15)
    assert made.ledger[-1].part == "reflections"
    assert abs(made.ledger[-1].loss) <= max(0.05, 0.02 * made.over_phase.value)
    # what is left is but the steps that are too small for a line of their own
    assert abs(made.ledger[-1].loss) <= SMALL * len(sample.task.elements) + 1e-9


@examples(50)
@given(sample=samples(least=1, calm=True))
def test_what_interferes_is_bounded_by_the_phases(sample: Sample) -> None:
    made = solved(sample)
    assert made.over_phase.lo - 0.02 <= made.loss <= made.over_phase.hi + 0.02
    assert made.over_phase.lo <= made.over_phase.value <= made.over_phase.hi


@examples(80)
@given(sample=samples())
def test_what_interferes_is_that_of_the_lines(sample: Sample) -> None:
    """Parts and what reflections over the lines give or take are the cascade: 0.05 dB or 2 % at most are left."""
    made = solved(sample)
    assert {row.element for row in made.echoes} == set(turned_lines(sample.task))
    rest = made.loss - made.over_phase.value - sum(row.loss for row in made.echoes)
    assume(echo(made, sample.task.nyquist) > 15)
    assert abs(rest) <= 1e-3
    parts = sum(row.loss for row in made.ledger if row.part != "reflections")
    left = made.loss - parts - sum(row.loss for row in made.echoes)
    assert abs(left) <= SMALL * len(sample.task.elements) + 1e-3


def test_interference_of_a_matched_line_is_none() -> None:
    """Only what is reflected at both ends of a line interferes: the second one ends in its own impedance."""
    slab = Slab(z=46.0, skin=1e-6, rough=0.0, df=0.0)
    task = ChannelTask((LineSpec(PAIR, 0.1), LossSpec(1.0, 16e9), LineSpec(PAIR, 0.05)), 92.0, 16e9)
    made = solved(Sample(task, (slab, slab)))
    assert [row.element for row in made.echoes] == [0, 2]
    assert all(abs(row.loss) < 1e-4 for row in made.echoes)
    other = solved(Sample(replace(task, z_ref=112.0), (slab, slab)))
    rho = (112 - 92) / (112 + 92)
    matched = sum(row.loss for row in other.ledger if row.part in ("conductor", "dielectric", "roughness", "declared"))
    assert 0 < abs(sum(row.loss for row in other.echoes)) <= 20 * np.log10(1 + rho**2 * 10 ** (-matched / 10)) + 0.01


def test_no_split_without_phase_adds_up_at_one_phase() -> None:
    """Two equal steps a quarter and a half of a wave apart: parts alike, return loss above 15 dB, cascades 0.1 dB
    apart. So what interferes has a line of its own and no part."""

    def loss(quarters: float) -> tuple[float, float]:
        slab = Slab(z=46.0, skin=1e-6, rough=0.0, df=0.0)
        length = quarters * 299792458.0 / (4 * 16e9 * slab.dk**0.5)
        task = ChannelTask((LossSpec(1.0, 16e9), LineSpec(PAIR, length), LossSpec(1.0, 16e9)), 112.0, 16e9)
        made = solved(Sample(task, (slab,)))
        assert echo(made, 16e9) > 15
        return made.loss, made.over_phase.value

    (odd, mean), (even, same) = loss(1), loss(2)
    assert mean == pytest.approx(same, abs=1e-6)
    rho = (112 - 92) / (112 + 92)
    assert odd - even == pytest.approx(20 * np.log10((1 + rho**2) / (1 - rho**2)), abs=1e-3)
    assert odd - even > 0.15


@examples(40)
@given(sample=samples(least=1, calm=True), what=st.sampled_from(["df", "rough"]), which=st.integers(0, 5))
def test_doubling_a_cause_doubles_its_part(sample: Sample, what: str, which: int) -> None:
    place = sample.lines[which % len(sample.lines)]
    spec = sample.task.elements[place]
    assert isinstance(spec, LineSpec)
    slab = sample.solver(spec.task)
    before = ledger(sample)
    after = ledger(sample.with_slab(place, replace(slab, **{what: 2 * getattr(slab, what)})))
    own = {"df": "dielectric", "rough": "roughness"}[what]
    assert after[place, own] == pytest.approx(2 * before[place, own], rel=0.05, abs=1e-3)
    for key, loss in before.items():
        if key != (place, own) and key[1] != "steps":
            assert after.get(key, 0.0) == pytest.approx(loss, rel=0.05, abs=0.03), key


@examples(40)
@given(sample=samples(least=1), share=st.floats(1.01, 3))
def test_a_longer_line_moves_its_own_parts_alone(sample: Sample, share: float) -> None:
    place = turned_lines(sample.task)[0]
    spec = sample.task.elements[place]
    assert isinstance(spec, LineSpec)
    before = ledger(sample)
    after = ledger(sample.with_element(place, replace(spec, length=share * spec.length)))
    for key, loss in before.items():
        factor = share if key[0] == place and key[1] != "steps" else 1.0
        if key[1] != "reflections":
            assert after[key] == pytest.approx(factor * loss, rel=1e-6, abs=1e-6), key


@examples(40)
@given(sample=samples(least=1), more=st.floats(0.1, 3))
def test_a_declared_loss_moves_its_own_part_alone(sample: Sample, more: float) -> None:
    spec, place = LossSpec(1.5, 16e9), len(sample.task.elements)
    sample = replace(sample, task=replace(sample.task, elements=(*sample.task.elements, spec)))
    before, after = ledger(sample), ledger(sample.with_element(place, replace(spec, loss=spec.loss + more)))
    scale = (sample.task.nyquist / spec.frequency) ** 0.5
    assert after[place, "declared"] == pytest.approx(before[place, "declared"] + more * scale, abs=1e-9)
    for key, loss in before.items():
        if key[0] >= 0 and key[0] != place and key[1] in ("conductor", "roughness", "dielectric", "declared"):
            assert after[key] == pytest.approx(loss, abs=1e-9)


@examples(40)
@given(sample=samples())
def test_the_parts_are_the_same_from_the_other_end(sample: Sample) -> None:
    last = len(sample.task.elements) - 1

    def turned(one: object) -> object:
        if isinstance(one, ViaSpec):
            return replace(one, port1_stub=one.port2_stub, port2_stub=one.port1_stub)
        return replace(one, die_last=not one.die_last) if isinstance(one, PackageSpec) else one

    # a capacitor and the loss of its body lie one behind the other
    same = tuple(replace(one, loss=0.0) if isinstance(one, SeriesCap) else one for one in sample.task.elements)
    sample = replace(sample, task=replace(sample.task, elements=same))
    elements = tuple(turned(one) for one in reversed(same))
    lengths = [one.length for one in sample.task.elements if isinstance(one, LineSpec)]
    assume(len(set(lengths)) == len(lengths))
    before = ledger(sample)
    after = ledger(replace(sample, task=replace(sample.task, elements=elements)))
    for (place, part), loss in before.items():
        if place >= 0 and part != "steps":
            assert after[last - place, part] == pytest.approx(loss, abs=1e-9)
