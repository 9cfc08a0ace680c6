# SPDX-License-Identifier: MIT
"""The elements of a channel as a reflectometer's step meets them: lines of real impedance, capacitors through."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.channel.element_chain import (
    ChannelLine,
    Corner,
    block_network,
    loss_network,
    package_network,
    via_network,
)
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, LineSpec, LossSpec, PackageSpec, SeriesCap
from pcbrules.analysis.vias.task import ViaResult, ViaSpec
from pcbrules.arrays import Complex, Real
from pcbrules.networks.cascade import cascade_s
from pcbrules.networks.line import matched_wave
from pcbrules.networks.lumped import series
from pcbrules.solver_cache import solved_once

POINTS = 64
"""Points between which the wave on a line is interpolated: within 0.06 % of its delay above 0.2 GHz [-]."""


def line_legs(task: ChannelTask, place: int) -> int:
    """Legs in series in the mode of a line."""
    spec = task.elements[place]
    return 1 if isinstance(spec, LineSpec) and spec.task.gap is None else 2


@dataclass(frozen=True)
class LineWave:
    """A line in its mode: impedance without losses at Nyquist [ohm], and its propagation constant at some points.

    At ``frequency`` [Hz]: attenuation over the root of frequency, and delay [s/m], both even there.
    """

    impedance: float
    delay: float
    frequency: Real
    attenuation: Real
    delays: Real

    def along(self, frequency: Real) -> Complex:
        """Propagation constant between the points. [1/m]"""
        root = np.sqrt(frequency)
        attenuation = np.interp(root, np.sqrt(self.frequency), self.attenuation) * root
        turn = np.interp(root, np.sqrt(self.frequency), self.delays) * frequency
        return np.asarray(attenuation + 2j * np.pi * turn)


@solved_once
def wave(made: ChannelLine, nyquist: float, top: float, legs: int) -> LineWave:
    """The wave on a line up to an end of the band [Hz], at points that lie close where it bends."""
    points = np.unique(np.append((np.linspace(0.02, 1, POINTS) ** 2) * top, nyquist))
    resistance, inductance, conductance, capacitance = made.rlgc(points, "odd")
    omega = 2 * np.pi * points
    gamma = np.sqrt(resistance + 1j * omega * inductance) * np.sqrt(conductance + 1j * omega * capacitance)
    delays, at = gamma.imag / omega, int(np.searchsorted(points, nyquist))
    impedance = legs * math.sqrt(inductance[at] / capacitance[at])
    return LineWave(impedance, float(delays[at]), points, gamma.real / np.sqrt(points), delays)


@solved_once
def _propagation(key: bytes, made: ChannelLine, nyquist: float, legs: int) -> Complex:
    """Propagation constant of a line on a grid. [1/m]"""
    frequency = np.frombuffer(key)
    return wave(made, nyquist, float(frequency[-1]), legs).along(frequency)


def matrices(
    task: ChannelTask, key: bytes, waves: Mapping[int, LineWave], lines: Mapping[int, ChannelLine],
    vias: Mapping[int, ViaResult],
) -> list[Complex]:
    """Scattering parameters of the elements from port 1 to port 2."""
    frequency = np.frombuffer(key)
    found: list[Complex] = []
    for place, spec in enumerate(task.elements):
        if isinstance(spec, LineSpec):
            along = _propagation(key, lines[place], task.nyquist, line_legs(task, place))
            impedance = waves[place].impedance
            reflected = (impedance - task.z_ref) / (impedance + task.z_ref)
            found.append(matched_wave(turned=along * spec.length, reflected=reflected))
        elif isinstance(spec, ViaSpec):
            found.append(via_network(key, spec, vias[place], corner="value", without_stubs=False, z_ref=task.z_ref).s)
        elif isinstance(spec, BlockSpec):
            found.append(block_network(key, spec, z_ref=task.z_ref, f_max=float(frequency[-1])).s)
        elif isinstance(spec, PackageSpec):
            found.append(package_network(frequency, spec, z_ref=task.z_ref).s)
        else:
            found.append(_lumped(frequency, spec, task.z_ref))
    return found


def with_vias(
    nominal: Sequence[Complex], task: ChannelTask, key: bytes, vias: Mapping[int, ViaResult], corner: Corner
) -> list[Complex]:
    """The same with all vias at a bound of their model."""
    found = list(nominal)
    for place, made in vias.items():
        spec = task.elements[place]
        if isinstance(spec, ViaSpec):
            found[place] = via_network(key, spec, made, corner=corner, without_stubs=False, z_ref=task.z_ref).s
    return found


def _lumped(frequency: Real, spec: LossSpec | SeriesCap, z_ref: float) -> Complex:
    """A part without length: inductance and resistance of a capacitor that is through, and a declared loss."""
    lost = loss_network(frequency, LossSpec(spec.loss, spec.frequency), z_ref=z_ref).s
    if isinstance(spec, LossSpec):
        return lost
    impedance = spec.legs * (spec.resistance + 2j * np.pi * frequency * spec.inductance)
    return cascade_s([series(frequency, impedance=impedance, z_ref=z_ref).s, lost])
