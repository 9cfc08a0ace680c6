# SPDX-License-Identifier: MIT
"""Impedance of power ladders into the nodes that an entry names, and the droop after its load step at the die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.pdn import Branch, rail_impedance
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.pole_response import ramp_response
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, complex_numbers, items, mapping, number, numbers, positive

NAME = "pdn-ladder"


def reads(data: Mapping[str, Any]) -> bool:
    """True for a ladder from a regulator to a die."""
    return data.get("kind") == "pdn_ladder"


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare Z at every frequency and at the peaks, into every node that is listed. Raises Unreadable."""
    data = entry.data
    network = mapping(data, "network")
    frequency = numbers(data, "frequencies_Hz", (-1,))
    ports = [key for key in data if isinstance(data[key], dict) and "port_node_index" in data[key]]
    if not ports:
        raise Unreadable("no mapping with port_node_index")
    for key in ports:
        port = mapping(data, key)
        node = number(port, "port_node_index")
        want = complex_numbers(port, "Z_re_im_ohm", frequency.shape)
        names = [f"{key} at {at:.4g} Hz" for at in frequency]
        yield from deviation.curve("impedance", names, _into(network, node, frequency), want)
        for peak in items(port, "peaks") if "peaks" in port else ():
            at = number(peak, "frequency_Hz")
            got = abs(_into(network, node, np.array([at])).item())
            yield deviation.value("impedance", f"{key} peak at {at:.4g} Hz", got, number(peak, "Zmag_ohm"))
    if "load_step" in data:
        yield from _load_step(network, mapping(data, "load_step"))


def _load_step(network: Mapping[str, Any], step: Mapping[str, Any]) -> Iterator[Deviation]:
    """Voltage at the die, the last node, while a current rises in a straight line; errors relative to the droop."""
    nodes = items(network, "nodes")
    try:
        poles = rail_poles(regulator=_regulator(network), ladder=_towards(nodes, len(nodes) - 1))
    except ValueError as error:
        raise Unreadable(str(error)) from None
    current, rise = number(step, "I0_A"), positive(step, "rise_time_s")
    times = numbers(step, "time_s", (-1,))
    want = numbers(step, "dv_V", times.shape)
    lowest = number(mapping(step, "global_min"), "dv_V") if "global_min" in step else float(want.min())
    got = -current * ramp_response(poles=poles, time=times, rise=rise)
    for at, one, other in zip(times, got, want, strict=True):
        yield deviation.value("load-step", f"voltage at {at:.4g} s", one, other, scale=abs(lowest))
    if "global_min" in step:
        droop = step_extremes(poles=poles, rise=rise).largest
        yield deviation.value("load-step", "lowest voltage", -current * droop, lowest)
    for low in items(step, "local_minima") if "local_minima" in step else ():
        at = number(low, "time_s")
        got_low = -current * ramp_response(poles=poles, time=at, rise=rise).item()
        yield deviation.value("load-step", f"minimum at {at:.4g} s", got_low, number(low, "dv_V"), scale=abs(lowest))
    if "final_dv_V" in step:
        yield deviation.value("load-step", "end", -current * poles.direct, number(step, "final_dv_V"))


def _into(network: Mapping[str, Any], node: float, frequency: Real) -> Complex:
    """Self impedance of a node: what lies towards the regulator in parallel with what lies towards the die."""
    nodes = items(network, "nodes")
    if node not in range(len(nodes)):
        raise Unreadable(f"port_node_index is {node:g}, expected 0 to {len(nodes) - 1}")
    at = int(node)
    near = rail_impedance(frequency=frequency, regulator=_regulator(network), ladder=_towards(nodes, at))
    beyond = nodes[at + 1 :]
    if not beyond:
        return near
    end, *ladder = _shunts(beyond[-1])
    for one in reversed(nodes[at + 1 : -1]):
        ladder += [_link(one), *_shunts(one)]
    ladder.append(_link(nodes[at]))
    far = rail_impedance(frequency=frequency, regulator=end, ladder=ladder)
    return near * far / (near + far)


def _regulator(network: Mapping[str, Any]) -> Branch:
    return Branch(number(network, "vrm_R_ohm"), number(network, "vrm_L_H"))


def _towards(nodes: Sequence[Mapping[str, Any]], at: int) -> list[Branch]:
    """From the regulator to a node, its shunts included."""
    ladder = _shunts(nodes[0])
    for before, after in pairwise(nodes[: at + 1]):
        ladder += [_link(before), *_shunts(after)]
    return ladder


def _link(node: Mapping[str, Any]) -> Branch:
    return Branch(number(node, "link_R_ohm"), number(node, "link_L_H"))


def _shunts(node: Mapping[str, Any]) -> list[Branch]:
    shunts = items(node, "shunts")
    if not shunts:
        raise Unreadable("a node without shunts")
    return [
        Branch(number(s, "R_ohm"), number(s, "L_H"), positive(s, "C_F"), int(positive(s, "count")), shunt=True)
        for s in shunts
    ]
