# SPDX-License-Identifier: MIT
"""Touchstone text and the four-port of a pair."""

from __future__ import annotations

import io

import numpy as np
import pytest
import skrf

from pcbrules.networks.pair import pair
from pcbrules.networks.touchstone import touchstone
from pcbrules.networks.two_port import network

F = np.array([0.0, 1e9, 2.5e9])


@pytest.mark.parametrize("ports", [2, 4])
def test_what_is_written_is_read_back(ports: int) -> None:
    values = np.arange(2 * len(F) * ports**2, dtype=float).reshape(len(F), ports, ports, 2) / 321.0
    s = values[..., 0] - 1j * values[..., 1]
    text = touchstone(F, s, z_ref=50.0, comments=("one", "two"))
    assert text.startswith("! one\n! two\n# Hz S RI R 50\n") and text.endswith("\n")
    stream = io.StringIO(text)
    stream.name = f"x.s{ports}p"
    back = skrf.Network()
    back.read_touchstone(stream)
    assert np.array_equal(back.f, F) and np.all(back.z0 == 50)
    assert np.allclose(back.s, s, rtol=1e-11, atol=1e-14)


def test_rounding_noise_and_signed_zeros_are_plain_zeros() -> None:
    s = np.full((1, 2, 2), -1e-18 - 0.0j)
    assert touchstone(F[:1], s, z_ref=50.0).splitlines()[1] == "0" + " 0" * 8


def test_both_ways_through_a_reciprocal_network_are_one_number() -> None:
    """Either side of where the twelfth digit turns."""
    s = np.array([[[0.1, 0.1234567890125 + 2e-15], [0.1234567890125 - 2e-15, 0.2]]], dtype=complex)
    there, back = touchstone(F[:1], s, z_ref=50.0).splitlines()[1].split()[3:7:2]
    assert there == back


def test_other_ports_and_comments_of_two_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="one, two or four"):
        touchstone(F, np.zeros((3, 3, 3), dtype=complex), z_ref=50.0)
    with pytest.raises(ValueError, match="one line"):
        touchstone(F, np.zeros((3, 2, 2), dtype=complex), z_ref=50.0, comments=("a\n# Hz",))


def test_equal_modes_are_two_legs_that_do_not_see_each_other() -> None:
    leg = network(F, s11=0.1j, s21=0.9, s22=0.2, z_ref=50.0)
    s = pair(even=leg, odd=leg)
    assert np.array_equal(s[:, ::2, ::2], leg.s) and np.array_equal(s[:, 1::2, 1::2], leg.s)
    assert not s[:, ::2, 1::2].any() and not s[:, 1::2, ::2].any()


def test_the_modes_come_back_from_the_four_port() -> None:
    even, odd = (network(F, s11=a, s21=b, s22=-a, z_ref=50.0) for a, b in ((0.1, 0.9j), (-0.3j, 0.7)))
    s = pair(even=even, odd=odd)
    for sign, mode in ((1, even), (-1, odd)):
        drive = np.array([[1, 0], [sign, 0], [0, 1], [0, sign]])
        assert np.allclose(s @ drive, np.einsum("ij,njk->nik", drive, mode.s))
