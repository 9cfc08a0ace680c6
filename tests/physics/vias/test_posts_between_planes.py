# SPDX-License-Identifier: MIT
"""The bound of the via field against circuits with ground vias at given places, solved with all that they scatter.

Between two planes every barrel and every ground via is a round conductor in a cylindrical wave, all orders about each
of them (Graf's theorem). Barrels are four coupled lines with capacitances to the planes alone, so that pairs whose legs
are unlike launch a common mode; it ends in a resistance that no board file states.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.constants import c, mu_0
from scipy.linalg import expm
from scipy.special import h2vp, hankel2, jv, jvp
from test_via_coupling import thick_wires

from pcbrules.physics.vias.via_coupling import largest_mutual_impedance

Complex = NDArray[np.complex128]

PAIR = np.array([1.0, -1.0])
LEG, Z_REF = 49.0, 98.0
"""Impedance of a barrel and differential reference. [ohm]"""


def impedances(frequency: float, dk: float, axes: Complex, radius: float, orders: int = 3) -> Complex:
    """Impedance per metre between the first four cylinders, the rest at the potential of both planes. [ohm/m]"""
    k, n = 2 * np.pi * frequency / c * np.sqrt(dk), np.arange(-orders, orders + 1)
    apart = axes[:, None] - axes[None, :] + np.eye(len(axes))
    order = n[None, :] - n[:, None]
    size, angle = np.abs(apart)[:, :, None, None], np.angle(apart)[:, :, None, None]
    blocks = hankel2(order, k * size) * np.exp(1j * order * angle) * jv(n, k * radius)[:, None]
    for own in range(len(axes)):
        blocks[own, own] = np.diag(hankel2(n, k * radius))
    flat = len(axes) * len(n)
    driven = np.zeros((len(axes), len(n), 4))
    driven[np.arange(4), orders, np.arange(4)] = 1
    waves = np.linalg.solve(blocks.transpose(0, 2, 1, 3).reshape(flat, flat), driven.reshape(flat, 4))
    outgoing = waves.reshape(len(axes), len(n), 4)[:4, orders]
    standing = (np.eye(4) - outgoing * hankel2(0, k * radius)) / jv(0, k * radius)
    turn = 2 * np.pi * k * radius / (2j * np.pi * frequency * mu_0)
    current = turn * (outgoing * h2vp(0, k * radius) + standing * jvp(0, k * radius))
    return np.asarray(-np.linalg.inv(current))


def coupling(frequency: float, series: Complex, depth: float, common: float) -> float:
    """The larger differential crosstalk of two pairs of barrels, each end of a pair closed for both its modes. [-]"""
    omega = 2 * np.pi * frequency
    own = np.array([(series[leg, leg] - series[leg, leg ^ 1]).imag / omega for leg in range(4)])
    shunt = 1j * omega * np.diag(np.repeat([own[:2].mean(), own[2:].mean()], 2)) / LEG**2
    none = np.zeros((4, 4))
    chain = expm(np.block([[none, -series], [-shunt, none]]) * depth)
    a, b, low, d = chain[:4, :4], chain[:4, 4:], chain[4:, :4], chain[4:, 4:]
    inverse = np.linalg.inv(b)
    admittance = np.block([[-inverse @ a, inverse], [d @ inverse @ a - low, -d @ inverse]])
    modes = np.linalg.inv(np.kron(np.eye(4), np.array([[1.0, -1.0], [0.5, 0.5]])))
    root = np.sqrt(np.tile([Z_REF, common], 4))
    normal = root[:, None] * (modes.T @ admittance @ modes) * root
    waves = np.linalg.solve(np.eye(8) + normal, np.eye(8) - normal)
    return float(max(abs(waves[0, 2]), abs(waves[0, 6])))


def bound(frequency: float, dk: float, middle: complex, pitch: float, radius: float, depth: float) -> float:
    """What the tool says of two pairs of matched barrels. [-]"""
    size = largest_mutual_impedance(frequency=frequency, along=abs(middle.real), across=abs(middle.imag), pitch=pitch,
                                    other_pitch=pitch, dk=dk, closest=2 * radius)
    return float(size * depth / (2 * Z_REF))


def pairs(middle: complex, pitch: float, turn: float) -> Complex:
    other = pitch / 2 * np.exp(1j * turn)
    return np.array([-pitch / 2, pitch / 2, middle - other, middle + other])


def test_without_ground_vias_it_is_the_sum_of_four_waves() -> None:
    axes = pairs(2e-3j, 0.8e-3, 0.0)
    series = impedances(16e9, 3.3, axes, 10e-6)
    k = 2 * np.pi * 16e9 / c * np.sqrt(3.3)
    waves = hankel2(0, k * np.abs(axes[:2, None] - axes[None, 2:]))
    wanted = 2 * np.pi * 16e9 * mu_0 / 4 * (PAIR @ waves @ PAIR)
    assert PAIR @ series[:2, 2:] @ PAIR == pytest.approx(wanted, rel=1e-3)
    assert series == pytest.approx(series.T, rel=1e-9)
    assert np.linalg.eigvalsh((series + series.conj().T) / 2).min() > 0


def test_at_rest_thick_barrels_are_thick_wires() -> None:
    axes = pairs(1e-3 + 0.3e-3j, 0.6e-3, 0.5)
    series = impedances(1e8, 3.3, axes, 0.15e-3, 6)
    inductance = (PAIR @ series[:2, 2:] @ -PAIR).imag / (2e8 * np.pi)
    assert abs(inductance) == pytest.approx(abs(thick_wires(axes, 0.15e-3)), rel=1e-3)


def test_orders_beyond_the_third_add_nothing() -> None:
    axes = np.concatenate([pairs(1.2e-3j, 0.8e-3, 0.4), [0.9e-3 + 0.6e-3j, -0.9e-3 + 0.6e-3j, 0.6e-3j]])
    few, many = (impedances(40e9, 3.5, axes, 0.125e-3, orders) for orders in (3, 6))
    assert few == pytest.approx(many, rel=2e-3)


@pytest.mark.long
@pytest.mark.parametrize("common", [
    24.5, *(pytest.param(common, marks=pytest.mark.long) for common in (12.0, 50.0))])
def test_random_ground_vias_keep_the_bound(common: float) -> None:
    """One to three within a quarter wavelength of every barrel; pairs turned, near and far, barrels short and deep."""
    random, over, count = np.random.default_rng(7), [], 0
    while count < 300:
        frequency, dk = random.uniform(8e9, 53e9), random.uniform(3.0, 4.0)
        quarter, radius = c / frequency / np.sqrt(dk) / 4, 0.125e-3
        pitch, turn = random.uniform(0.6e-3, max(min(1e-3, 2 * quarter), 0.6e-3)), random.uniform(0, np.pi)
        middle = random.uniform(1e-3, 4e-3) * np.exp(1j * random.uniform(0, np.pi / 2))
        barrels = pairs(middle, pitch, turn)
        grounds: list[complex] = []
        for barrel in barrels:
            tries, wanted = 200, random.integers(1, 4)
            while tries and sum(abs(one - barrel) < quarter for one in grounds) < wanted:
                tries -= 1
                one = barrel + quarter * np.sqrt(random.uniform()) * np.exp(2j * np.pi * random.uniform())
                if min(abs(other - one) for other in (*barrels, *grounds)) > 0.45e-3:
                    grounds.append(one)
        apart = np.abs(barrels[:2, None] - barrels[None, 2:]).min()
        if apart < 0.5e-3 or any(min(abs(one - barrel) for one in grounds) > quarter for barrel in barrels):
            continue
        count += 1
        depth = random.uniform(0.3e-3, 3e-3)
        series = impedances(frequency, dk, np.array([*barrels, *grounds]), radius)
        exact = coupling(frequency, series, depth, common)
        over.append(20 * np.log10(exact / bound(frequency, dk, middle, pitch, radius, depth)))
    assert np.mean(np.array(over) > 0) < 0.02
    assert max(over) < 3
    assert np.median(over) < -10


@pytest.mark.parametrize(("frequency", "across"), [(5.156e9, 2e-3), (16e9, 2e-3), (26.56e9, 3e-3)])
def test_two_ground_vias_beside_each_pair_take_fifteen_decibels_off(frequency: float, across: float) -> None:
    barrels = pairs(1j * across, 0.8e-3, 0.0)
    grounds = np.array([side * 1.1e-3 + rise for side in (-1, 1) for rise in (0, 1j * across)])
    series = impedances(frequency, 3.3, np.concatenate([barrels, grounds]), 0.125e-3)
    exact = coupling(frequency, series, 1e-3, 24.5)
    below = 20 * np.log10(bound(frequency, 3.3, 1j * across, 0.8e-3, 0.125e-3, 1e-3) / exact)
    assert 14 < below < 21
