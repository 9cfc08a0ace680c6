# SPDX-License-Identifier: MIT
"""Laws of every kind of network over its whole range: passive, reciprocal, causal, and lossless ones keep all power.

Causal: an answer does not come before its cause. Of S, known on a comb from zero on and tapered to its end, the
response in time must lie behind the time of flight; the energy before it is measured against that of the incident
pulse. That the measure sees a fault is a test of its own: a loss without its phase fails it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.analysis.channel.element_chain import ElementChain
from pcbrules.analysis.channel.mode_conversion import pair_network
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask
from pcbrules.networks.cascade import cascade
from pcbrules.networks.coupled import coupled_lines
from pcbrules.networks.line import line
from pcbrules.networks.lumped import ac_capacitor, declared_loss, rlc_impedance, series, shunt
from pcbrules.networks.mode_chain import joined, symmetric, unequal_legs
from pcbrules.networks.package import package
from pcbrules.networks.pair import pair
from pcbrules.networks.pdn import Branch, ladder_network
from pcbrules.networks.two_port import TwoPort
from pcbrules.networks.via import via

Complex = NDArray[np.complex128]
Real = NDArray[Any]

STEP, POINTS = 10e6, 10001
"""The comb goes from zero to 100 GHz; its period is 100 ns, and the taper spreads a response over some 40 ps. [Hz]"""
COMB = np.arange(POINTS) * STEP
GUARD = 45e-12
"""What the taper may put before an arrival. [s]"""

EARLY = 1e-6
"""Largest energy before its cause, over that of the incident pulse. [-]"""

ohms = st.floats(30, 130)
losses = st.floats(0, 6)


def early(s: Complex, arrival: float = 0.0) -> float:
    """Energy before the arrival [s] over that of the incident pulse, of one entry on ``COMB``."""
    taper = np.kaiser(2 * POINTS - 1, 12)[POINTS - 1 :]
    response = np.fft.irfft(s * taper)
    count = len(response)
    time = np.arange(count) / (count * STEP)
    time = np.where(time > 0.5 / STEP, time - 1 / STEP, time)
    # of the time before zero the last third: farther back lie the tails of what came a period earlier
    before = (time < arrival - GUARD) & (time > -0.15 / STEP)
    return float((response[before] ** 2).sum() / (np.fft.irfft(taper + 0j) ** 2).sum())


def made_line(z: float, length: float, loss: float, df: float, z_ref: float) -> TwoPort:
    """A line of skin effect with its inductance, and of a dielectric of one pole at 200 GHz."""
    omega = 2j * pi * COMB
    skin = loss / 8.686 * 2 * z / max(length, 1e-3) * np.sqrt(COMB / 20e9) * (1 + 1j)
    dk = 3.3 + 3.3 * 4 * df / (1 + 1j * COMB / 200e9)
    return line(COMB, series=omega * z * np.sqrt(3.3) / c + skin, shunt=omega * dk / (np.sqrt(3.3) * c * z),
                length=length, z_ref=z_ref)


def made_via(z: float, through: float, port1: float, port2: float, z_ref: float, lossless: bool) -> TwoPort:
    dk = 4.8 + (0.0 if lossless else 4.8 * 4 * 0.01) / (1 + 1j * COMB / 200e9)
    return via(COMB, through_length=through, port1_end=port1, port2_end=port2, impedance=z * np.sqrt(4.8 / dk.real),
               dk=dk.real, loss_tangent=-dk.imag / dk.real, z_ref=z_ref)


def made_capacitor(farad: float, ohm: float, henry: float, legs: int, z_ref: float) -> TwoPort:
    return ac_capacitor(COMB, capacitance=farad, resistance=ohm, inductance=henry, legs=legs, z_ref=z_ref)


def made_shunt(farad: float, z_ref: float) -> TwoPort:
    return shunt(COMB, admittance=2j * pi * COMB * farad, z_ref=z_ref)


def made_series(ohm: float, henry: float, z_ref: float) -> TwoPort:
    return series(COMB, impedance=rlc_impedance(COMB, resistance=ohm, inductance=henry), z_ref=z_ref)


def made_package(z: float, delay: float, loss: float, die: float, ball: float, z_ref: float) -> TwoPort:
    return package(COMB, impedance=z, delay=delay, loss=loss, at=26.5625e9, first_capacitance=die,
                   last_capacitance=ball, z_ref=z_ref)


TWO_PORTS: dict[str, st.SearchStrategy[tuple[TwoPort, float]]] = {
    "line": st.builds(lambda z, length, loss, df, z_ref: (made_line(z, length, loss, df, z_ref),
                                                         length * np.sqrt(3.3) / c),
                      ohms, st.floats(1e-3, 0.3), losses, st.floats(0, 0.02), ohms),
    "via": st.builds(lambda *numbers: (made_via(*numbers, lossless=False), numbers[1] * np.sqrt(4.8) / c),
                     ohms, st.floats(0, 3e-3), st.floats(0, 2.5e-3), st.floats(0, 2.5e-3), ohms),
    "series": st.builds(lambda *numbers: (made_series(*numbers), 0.0), st.floats(0, 100), st.floats(0, 2e-9), ohms),
    "shunt": st.builds(lambda *numbers: (made_shunt(*numbers), 0.0), st.floats(0, 1e-12), ohms),
    "capacitor": st.builds(lambda *numbers: (made_capacitor(*numbers), 0.0), st.floats(1e-12, 1e-10), st.floats(0, 1),
                           st.floats(0, 1e-9), st.sampled_from([1, 2]), ohms),
    "declared loss": st.builds(lambda loss, z_ref: (declared_loss(COMB, loss=loss, at=16e9, z_ref=z_ref), 0.0),
                               losses, ohms),
    "package": st.builds(lambda *numbers: (made_package(*numbers), numbers[1]), ohms, st.floats(5e-12, 300e-12), losses,
                         st.floats(0, 150e-15), st.floats(0, 150e-15), ohms),
}


@pytest.mark.parametrize("kind", TWO_PORTS)
@examples(40)
@given(data=st.data())
def test_a_two_port_is_passive_reciprocal_and_causal(kind: str, data: st.DataObject) -> None:
    network, arrival = data.draw(TWO_PORTS[kind])
    assert np.all(np.isfinite(network.s))
    assert np.array_equal(network.s[:, 0, 1], network.s[:, 1, 0])
    assert np.linalg.svd(network.s, compute_uv=False).max() <= 1 + 1e-9
    assert early(network.s[:, 1, 0], arrival) < EARLY
    for reflection in (network.s[:, 0, 0], network.s[:, 1, 1]):
        assert early(reflection) < EARLY


def test_a_loss_without_its_phase_would_be_seen() -> None:
    made = declared_loss(COMB, loss=3.0, at=16e9, z_ref=100)
    assert early(np.abs(made.s[:, 1, 0]) + 0j) > 10 * EARLY
    assert early(made.s[:, 1, 0]) < EARLY / 10
    assert early(made.s[:, 1, 0] * np.exp(2j * pi * COMB * 100e-12)) > 0.1  # a tenth of a nanosecond early


@pytest.mark.parametrize("loss", [0.5, 2.0, 6.0])
def test_a_declared_loss_has_the_phase_of_its_size(loss: float) -> None:
    """Minimum phase: the Hilbert transform of the nepers, which for a root of frequency is the same root."""
    made = declared_loss(COMB, loss=loss, at=16e9, z_ref=100)
    nepers, phase = -np.log(np.abs(made.s[:, 1, 0])), -np.unwrap(np.angle(made.s[:, 1, 0]))
    assert phase == pytest.approx(nepers, abs=1e-9)
    assert -20 * np.log10(np.abs(made.s[1600, 1, 0])) == pytest.approx(loss)
    # Kramers and Kronig by quadrature: (2 f / pi) int (A(x) - A(f)) / (x^2 - f^2) dx, on a logarithmic comb
    f, x = 1e9, np.geomspace(1e3, 1e15, 400001)
    near = np.abs(x / f - 1) > 1e-9
    x = x[near]
    size = loss * np.log(10) / 20 * np.sqrt(x / 16e9)
    own = loss * np.log(10) / 20 * np.sqrt(f / 16e9)
    assert 2 * f / pi * np.trapezoid((size - own) / (x**2 - f**2), x) == pytest.approx(own, rel=5e-3)


LOSSLESS: dict[str, st.SearchStrategy[TwoPort]] = {
    "line": st.builds(lambda z, length, z_ref: made_line(z, length, 0.0, 0.0, z_ref), ohms, st.floats(1e-3, 0.3), ohms),
    "via": st.builds(lambda *numbers: made_via(*numbers, lossless=True), ohms, st.floats(0, 3e-3), st.floats(0, 2.5e-3),
                     st.floats(0, 2.5e-3), ohms),
    "series": st.builds(lambda henry, z_ref: made_series(0.0, henry, z_ref), st.floats(0, 2e-9), ohms),
    "shunt": st.builds(made_shunt, st.floats(0, 1e-12), ohms),
    "capacitor": st.builds(lambda farad, henry, z_ref: made_capacitor(farad, 0.0, henry, 2, z_ref),
                           st.floats(1e-12, 1e-6), st.floats(0, 1e-9), ohms),
    "declared loss": st.builds(lambda z_ref: declared_loss(COMB, loss=0.0, at=16e9, z_ref=z_ref), ohms),
    "package": st.builds(lambda *n: made_package(n[0], n[1], 0.0, *n[2:]), ohms, st.floats(5e-12, 300e-12),
                         st.floats(0, 150e-15), st.floats(0, 150e-15), ohms),
}


@pytest.mark.parametrize("kind", LOSSLESS)
@examples(30)
@given(data=st.data())
def test_a_lossless_two_port_keeps_all_power(kind: str, data: st.DataObject) -> None:
    network = data.draw(LOSSLESS[kind])
    assert np.abs((np.abs(network.s) ** 2).sum(axis=1) - 1).max() < 1e-9


# Four-ports


def pair_numbers(even: float, loss: float, df: float) -> tuple[Complex, Complex]:
    """Series impedance and shunt admittance per metre of a pair of 50 ohm odd impedance, shapes (n, 2, 2)."""
    omega = 2j * pi * COMB
    skin = loss * np.sqrt(COMB / 20e9) * (1 + 1j)
    dk = 3.3 + 3.3 * 4 * df / (1 + 1j * COMB / 200e9)
    odd_z, even_z = (omega * z * np.sqrt(3.3) / c + skin for z in (50.0, 50.0 * even))
    odd_y, even_y = (omega * dk / (np.sqrt(3.3) * c * z) for z in (50.0, 50.0 * even))

    def matrix(odd: Complex, even_: Complex) -> Complex:
        own, other = (even_ + odd) / 2, (even_ - odd) / 2
        return np.moveaxis(np.array([[own, other], [other, own]]), -1, 0)

    return matrix(odd_z, even_z), matrix(odd_y, even_y)


def coupled_pair(even: float, loss: float, df: float, length: float) -> Complex:
    z, y = pair_numbers(even, loss, df)
    return coupled_lines(series=z, shunt=y, length=length, z_ref=50.0)


def mode_pair(even: float, loss: float, df: float, length: float) -> Complex:
    """The same by the two-ports of the modes of a leg."""
    z, y = pair_numbers(even, loss, df)
    found = [line(COMB, series=z[:, 0, 0] + sign * z[:, 0, 1], shunt=y[:, 0, 0] + sign * y[:, 0, 1], length=length,
                  z_ref=50.0) for sign in (1, -1)]
    return pair(even=found[0], odd=found[1])


def unequal_pair(even: float, loss: float, df: float, length: float) -> Complex:
    """Two such pairs in their modes with a leg late between them by a tenth of the delay."""
    z, y = pair_numbers(even, loss, df)
    two = [line(COMB, series=legs * (z[:, 0, 0] + sign * z[:, 0, 1]), shunt=(y[:, 0, 0] + sign * y[:, 0, 1]) / legs,
                length=length / 2, z_ref=z_ref).s for sign, legs, z_ref in ((-1, 2.0, 100.0), (1, 0.5, 25.0))]
    half = symmetric(differential=two[0], common=two[1])
    late = 2 * pi * COMB * 0.1 * length * np.sqrt(3.3) / c
    return joined([half, unequal_legs(positive=late, negative=0 * late), half])


FOUR_PORTS: dict[str, Callable[..., Complex]] = {
    "coupled lines": coupled_pair, "pair of modes": mode_pair, "unequal legs": unequal_pair,
}
numbers = {"even": st.floats(1.0, 1.7), "loss": st.floats(0, 200), "df": st.floats(0, 0.02),
           "length": st.floats(2e-3, 0.2)}


@pytest.mark.parametrize("kind", FOUR_PORTS)
@examples(8)
@given(**numbers)
def test_a_four_port_is_passive_reciprocal_and_causal(kind: str, **how: Any) -> None:
    s = FOUR_PORTS[kind](**how)
    assert np.abs(s - s.transpose(0, 2, 1)).max() < 1e-10
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + 1e-9
    arrival = how["length"] * np.sqrt(3.3) / c
    for i in range(4):
        for j in range(4):
            assert early(s[:, i, j], arrival if (i < 2) != (j < 2) else 0.0) < EARLY


@pytest.mark.parametrize("kind", FOUR_PORTS)
@examples(8)
@given(even=st.floats(1.0, 1.7), length=st.floats(2e-3, 0.2))
def test_a_lossless_four_port_keeps_all_power(kind: str, even: float, length: float) -> None:
    s = FOUR_PORTS[kind](even=even, loss=0.0, df=0.0, length=length)
    assert np.abs((np.abs(s) ** 2).sum(axis=1) - 1).max() < 1e-8


# Blocks: tables of scattering parameters, as connectors and packages come in files, read between their points

FINE = 5.0
"""Largest turn of what comes through from one point of a table to the next, of the tables here. [degrees]"""
BETWEEN = 1e-3
"""What reading between the points of such a table may add to a wave. [-]"""


@dataclass(frozen=True)
class Table:
    """Two lines of one length with a pad between them; the table has every ``every``-th point of ``COMB``."""

    first: float
    second: float
    length: float
    pad: float
    loss: float
    df: float
    every: int
    from_zero: bool

    @property
    def arrival(self) -> float:
        """Time of flight. [s]"""
        return float(2 * self.length * np.sqrt(3.3) / c)

    @property
    def fine(self) -> bool:
        return 360 * self.arrival * self.every * STEP < FINE

    @property
    def points(self) -> Real:
        return np.arange(0 if self.from_zero else self.every, POINTS, self.every)

    def whole(self) -> Complex:
        """What the table is taken from, on ``COMB``, over 100 ohm."""
        lines = [made_line(z, self.length, self.loss, self.df, 100.0) for z in (self.first, self.second)]
        return np.asarray(cascade([lines[0], made_shunt(self.pad, 100.0), lines[1]]).s)

    def read(self, z_ref: float) -> Complex:
        """The block on ``COMB``."""
        table = np.ascontiguousarray(self.whole()[self.points])
        spec = BlockSpec(COMB[self.points].tobytes(), table.tobytes(), 100.0)
        return np.asarray(read_on_comb(spec, z_ref).fixed[0].s)


def tables(loss: st.SearchStrategy[float], df: st.SearchStrategy[float]) -> st.SearchStrategy[Table]:
    """Blocks whose tables are fine enough."""
    lines = st.floats(60, 130)
    return st.builds(Table, lines, lines, st.floats(1e-3, 0.03), st.floats(0, 0.15e-12), loss, df,
                     st.sampled_from([1, 2, 4, 5]), st.booleans()).filter(lambda table: table.fine)


references = st.sampled_from([85.0, 92.0, 100.0])


def read_on_comb(spec: BlockSpec, z_ref: float) -> ElementChain:
    return ElementChain(ChannelTask((spec,), z_ref, 26.5625e9), {}, {}, COMB)


@examples(20)
@given(table=tables(st.floats(0, 1), st.floats(0, 0.02)), z_ref=references)
def test_a_block_is_passive_reciprocal_and_causal_between_its_points(table: Table, z_ref: float) -> None:
    s = table.read(z_ref)
    assert np.abs(s[:, 0, 1] - s[:, 1, 0]).max() < 1e-7  # scikit-rf nudges what is singular at zero frequency
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + BETWEEN
    assert early(s[:, 1, 0], table.arrival) < EARLY
    assert max(early(s[:, 0, 0]), early(s[:, 1, 1])) < EARLY


@examples(20)
@given(table=tables(st.just(0.0), st.just(0.0)), z_ref=references)
def test_a_block_without_loss_keeps_all_power_at_its_points_and_nearly_between(table: Table, z_ref: float) -> None:
    off = np.abs((np.abs(table.read(z_ref)) ** 2).sum(axis=1) - 1)
    assert off[table.points].max() < 1e-7 and off.max() < 2 * BETWEEN
    away = np.abs(table.read(100.0) - table.whole())
    assert away[table.points].max() < 1e-12 and away.max() < BETWEEN


@pytest.mark.long
@examples(8)
@given(every=st.sampled_from([1, 2, 5]), z_ref=references, even=st.floats(1.0, 1.7), loss=st.floats(0, 200),
       length=st.floats(2e-3, 0.03))
def test_a_block_of_a_pair_that_converts_obeys_them_too(
    every: int, z_ref: float, even: float, loss: float, length: float
) -> None:
    whole, points = unequal_pair(even, loss, 0.005, length), np.arange(0, POINTS, every)
    spec = BlockSpec(COMB[points].tobytes(), np.ascontiguousarray(whole[points][:, ::2, ::2]).tobytes(), 100.0,
                     np.ascontiguousarray(whole[points]).tobytes())
    row = read_on_comb(spec, z_ref)
    s = pair_network(row)
    assert np.abs(s - s.transpose(0, 2, 1)).max() < 1e-12
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + BETWEEN
    arrival = 0.95 * length * np.sqrt(3.3) / c
    for i in range(4):
        for j in range(4):
            assert early(s[:, i, j], arrival if (i < 2) != (j < 2) else 0.0) < EARLY


def test_a_table_that_answers_early_is_refused() -> None:
    made = np.exp(2j * pi * COMB * 100e-12)
    table = np.zeros((POINTS, 2, 2), dtype=complex)
    table[:, 0, 1] = table[:, 1, 0] = made
    with pytest.raises(ValueError, match="not causal"):
        read_on_comb(BlockSpec(COMB.tobytes(), table.tobytes(), 100.0), 85.0)


# Power ladders, on their own frequencies


branches = st.builds(Branch, resistance=st.floats(1e-5, 1e-2), inductance=st.floats(1e-13, 1e-9),
                     capacitance=st.floats(1e-9, 1e-3), count=st.integers(1, 100), shunt=st.just(True)) | st.builds(
    Branch, resistance=st.floats(1e-6, 1e-3), inductance=st.floats(1e-12, 1e-10), capacitance=st.just(1e6))


@examples(60)
@given(ladder=st.lists(branches, min_size=1, max_size=6))
def test_a_power_ladder_is_passive_reciprocal_and_causal(ladder: list[Branch]) -> None:
    f = np.geomspace(100.0, 1e9, 200)
    network = ladder_network(frequency=f, ladder=ladder)
    assert np.abs(network.s[:, 0, 1] - network.s[:, 1, 0]).max() < 1e-12
    assert np.linalg.svd(network.s, compute_uv=False).max() <= 1 + 1e-9
    # lumped: S is that of a rational function with real coefficients and no pole to the right, so that it is finite
    # and passive for every frequency with a negative imaginary part (a growing exponential)
    growing = f * (1 - 1j)
    s = ladder_network(frequency=growing, ladder=ladder).s
    assert np.all(np.isfinite(s)) and np.linalg.svd(s, compute_uv=False).max() <= 1 + 1e-9


@examples(60)
@given(ladder=st.lists(branches, min_size=1, max_size=6))
def test_a_power_ladder_without_resistance_keeps_all_power(ladder: list[Branch]) -> None:
    bare = [Branch(0.0, one.inductance, one.capacitance, one.count, one.shunt) for one in ladder]
    s = ladder_network(frequency=np.geomspace(100.0, 1e9, 200), ladder=bare).s
    assert np.abs((np.abs(s) ** 2).sum(axis=1) - 1).max() < 1e-6
