# SPDX-License-Identifier: MIT
"""Power ladders as networks: independent references, scikit-rf against the chain, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.arrays import Complex, Real
from pcbrules.networks.pdn import (
    Branch,
    LimitedLoop,
    branch_currents,
    impedance_at,
    ladder_network,
    loaded_impedance,
    rail_impedance,
)

REFERENCE = json.loads((Path(__file__).parent / "data" / "pdn_ladders.json").read_text("utf-8"))
GRID = np.geomspace(100.0, 1e9, 141)

branches = st.builds(
    Branch,
    resistance=st.floats(1e-6, 1),
    inductance=st.floats(1e-13, 1e-8),
    capacitance=st.floats(1e-9, 1e-2),
    count=st.integers(1, 500),
    shunt=st.just(True),
) | st.builds(Branch, resistance=st.floats(1e-7, 1e-2), inductance=st.floats(1e-13, 1e-9))
regulators = st.builds(Branch, resistance=st.floats(1e-6, 1e-2), inductance=st.floats(1e-12, 1e-7))
ladders = st.lists(branches, min_size=1, max_size=8)


def shunt(part: dict[str, Any]) -> Branch:
    return Branch(
        resistance=part["R_ohm"], inductance=part["L_H"], capacitance=part["C_F"], count=part["count"], shunt=True
    )


def reference_ladder(network: dict[str, Any], port: int) -> tuple[Branch, list[Branch]]:
    """Regulator and steps up to the port node; a die beyond the port hangs there as one branch with its link."""
    ladder: list[Branch] = []
    nodes = network["nodes"]
    for node in nodes[: port + 1]:
        ladder += [shunt(part) for part in node["shunts"]]
        if node is not nodes[port]:
            ladder.append(Branch(resistance=node["link_R_ohm"], inductance=node["link_L_H"]))
    if port == len(nodes) - 2:
        (die,) = nodes[-1]["shunts"]
        ladder.append(
            Branch(
                resistance=die["R_ohm"] + nodes[port]["link_R_ohm"],
                inductance=die["L_H"] + nodes[port]["link_L_H"],
                capacitance=die["C_F"],
                shunt=True,
            )
        )
    return Branch(resistance=network["vrm_R_ohm"], inductance=network["vrm_L_H"]), ladder


def rail_by_network(frequency: Real, regulator: Branch, ladder: list[Branch]) -> Complex:
    network = ladder_network(frequency=frequency, ladder=ladder)
    return loaded_impedance(network, load=regulator.impedance(frequency))


@pytest.mark.parametrize("place", ["die_node", "board_hf_node"])
@pytest.mark.parametrize("entry", REFERENCE["ladders"], ids=lambda entry: entry["id"])
def test_ladder_against_independent_reference(entry: dict[str, Any], place: str) -> None:
    expected = np.array(entry[place]["Z_re_im_ohm"]) @ [1, 1j]
    regulator, ladder = reference_ladder(entry["network"], entry[place]["port_node_index"])
    frequency = np.array(entry["frequencies_Hz"])
    found = rail_by_network(frequency, regulator, ladder)
    assert np.max(abs(found / expected - 1)) < 2e-9  # held to 1e-6; the file has ten digits


@pytest.mark.parametrize("entry", REFERENCE["ladders"], ids=lambda entry: entry["id"])
def test_chain_equals_scikit_rf(entry: dict[str, Any]) -> None:
    regulator, ladder = reference_ladder(entry["network"], 2)
    chain = rail_impedance(frequency=GRID, regulator=regulator, ladder=ladder)
    assert np.max(abs(rail_by_network(GRID, regulator, ladder) / chain - 1)) < 1e-12


def nodal_impedance(frequency: float, regulator: Branch, ladder: list[Branch]) -> complex:
    """Third opinion: node admittances, the regulator's source grounded, 1 A into the last node."""
    at = np.array([frequency])
    count = 1 + sum(not branch.shunt for branch in ladder)
    matrix = np.zeros((count, count), dtype=complex)
    matrix[0, 0] = 1 / regulator.impedance(at)[0]
    node = 0
    for branch in ladder:
        admittance = 1 / branch.impedance(at)[0]
        matrix[node, node] += admittance
        if not branch.shunt:
            matrix[node, node + 1] = matrix[node + 1, node] = -admittance
            matrix[node + 1, node + 1] += admittance
            node += 1
    return complex(np.linalg.inv(matrix)[-1, -1])


@examples(40)
@given(regulator=regulators, ladder=ladders)
def test_network_equals_chain_equals_node_equations(regulator: Branch, ladder: list[Branch]) -> None:
    network = rail_by_network(GRID, regulator, ladder)
    chain = rail_impedance(frequency=GRID, regulator=regulator, ladder=ladder)
    scale = np.maximum(1, np.maximum(1e-4 / abs(chain), abs(chain)))  # a digit goes with every decade beyond
    assert np.max(abs(network / chain - 1) / scale) < 1e-10
    for place in (0, 70, 140):
        assert nodal_impedance(GRID[place], regulator, ladder) == pytest.approx(chain[place], rel=1e-6)


@examples(40)
@given(regulator=regulators, ladder=ladders)
def test_a_ladder_is_passive(regulator: Branch, ladder: list[Branch]) -> None:
    scattering = ladder_network(frequency=GRID, ladder=ladder).s
    assert np.linalg.norm(scattering, ord=2, axis=(1, 2)).max() < 1 + 1e-12
    assert np.all(rail_by_network(GRID, regulator, ladder).real > 0)


@examples(40)
@given(regulator=regulators, ladder=ladders, frequency=st.floats(100, 1e9), crossover=st.floats(1e3, 1e8))
def test_one_frequency_is_as_many(
    regulator: Branch, ladder: list[Branch], frequency: float, crossover: float
) -> None:
    """Numbers of Python give what arrays give, the loop of a regulator that ends at its crossover too."""
    limited = LimitedLoop(regulator.resistance, regulator.inductance, coils=3e-9, crossover=crossover)
    for one in (regulator, limited):
        chain = rail_impedance(frequency=np.array([frequency]), regulator=one, ladder=ladder).item()
        assert impedance_at(frequency, regulator=one, ladder=ladder) == pytest.approx(chain, rel=1e-9)
    own = limited.at(frequency).imag / (2 * np.pi * frequency)
    assert own == pytest.approx(regulator.inductance if frequency < crossover else 3e-9)


@examples(40)
@given(ladder=ladders)
def test_a_cascade_is_reciprocal(ladder: list[Branch]) -> None:
    whole = ladder_network(frequency=GRID, ladder=ladder)
    assert np.allclose(whole.s[:, 0, 1], whole.s[:, 1, 0], rtol=1e-9, atol=1e-15)


@examples(40)
@given(regulator=regulators, ladder=ladders, frequency=st.floats(100, 1e9))
def test_currents_dissipate_what_the_port_takes_in(regulator: Branch, ladder: list[Branch], frequency: float) -> None:
    currents = branch_currents(frequency=frequency, regulator=regulator, ladder=ladder)
    loss = sum(abs(i) ** 2 * b.resistance / b.count for i, b in zip(currents, [regulator, *ladder], strict=True))
    port = rail_impedance(frequency=np.array([frequency]), regulator=regulator, ladder=ladder)[0]
    assert loss == pytest.approx(port.real, rel=1e-6)


def test_ten_microohm_keeps_its_digits() -> None:
    regulator, plane = Branch(resistance=8e-6, inductance=0.0), Branch(resistance=2e-6, inductance=0.0)
    found = rail_by_network(np.array([1e3, 1e6]), regulator, [plane])
    assert found == pytest.approx([1e-5, 1e-5], rel=1e-13)
