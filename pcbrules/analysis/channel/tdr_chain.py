# SPDX-License-Identifier: MIT
"""The elements of a channel over time: lines by their waves, capacitors through.

A reflectometer's step meets lines of real impedance; what a pulse sends back is computed with their own, complex one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.channel.element_chain import (
    ChannelLine,
    Corner,
    block_network,
    load_network,
    loss_network,
    package_network,
    via_network,
)
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, LineSpec, LossSpec, PackageSpec, SeriesCap, ShuntCap
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
    return 1 if isinstance(spec, LineSpec) and not spec.task.pair else 2


@dataclass(frozen=True)
class LineWave:
    """A line in its mode: impedance without losses at Nyquist [ohm], and its propagation constant at some points.

    At ``frequency`` [Hz]: attenuation over the root of frequency, and delay [s/m], both even there, and the impedance
    with its losses over that without [-]. The last point is the end of the band.
    """

    impedance: float
    delay: float
    frequency: Real
    attenuation: Real
    delays: Real
    lossy: Complex

    def along(self, frequency: Real) -> Complex:
        """Propagation constant between the points. [1/m]"""
        root = np.sqrt(frequency)
        attenuation = np.interp(root, np.sqrt(self.frequency), self.attenuation) * root
        turn = np.interp(root, np.sqrt(self.frequency), self.delays) * frequency
        return np.asarray(attenuation + 2j * np.pi * turn)

    def seen(self, frequency: Real) -> Complex:
        """Impedance with its losses; below the first point that of the first. [ohm]"""
        root, points = np.sqrt(frequency), np.sqrt(self.frequency)
        share = np.interp(root, points, self.lossy.real) + 1j * np.interp(root, points, self.lossy.imag)
        return np.asarray(self.impedance * share)


@solved_once
def wave(made: ChannelLine, nyquist: float, top: float, legs: int) -> LineWave:
    """The wave on a line up to an end of the band [Hz], at points that lie close where it bends."""
    points = np.unique(np.append((np.linspace(0.02, 1, POINTS) ** 2) * top, nyquist))
    resistance, inductance, conductance, capacitance = made.rlgc(points, "odd")
    omega = 2 * np.pi * points
    gamma = np.sqrt(resistance + 1j * omega * inductance) * np.sqrt(conductance + 1j * omega * capacitance)
    delays, at = gamma.imag / omega, int(np.searchsorted(points, nyquist))
    lossless = math.sqrt(inductance[at] / capacitance[at])
    lossy = np.asarray(gamma / (conductance + 1j * omega * capacitance) / lossless, dtype=complex)
    return LineWave(legs * lossless, float(delays[at]), points, gamma.real / np.sqrt(points), delays, lossy)


@solved_once
def propagation(key: bytes, made: ChannelLine, nyquist: float, top: float, legs: int) -> Complex:
    """Propagation constant of a line on a grid that ends at ``top`` [Hz] or below it. [1/m]"""
    return wave(made, nyquist, top, legs).along(np.frombuffer(key))


def matrices(
    task: ChannelTask, key: bytes, waves: Mapping[int, LineWave], lines: Mapping[int, ChannelLine],
    vias: Mapping[int, ViaResult],
) -> list[Complex]:
    """Scattering parameters of the elements from port 1 to port 2."""
    found: list[Complex] = []
    for place, spec in enumerate(task.elements):
        if isinstance(spec, LineSpec):
            top = float(waves[place].frequency[-1])
            along = propagation(key, lines[place], task.nyquist, top, line_legs(task, place))
            impedance = waves[place].impedance
            reflected = (impedance - task.z_ref) / (impedance + task.z_ref)
            found.append(matched_wave(turned=along * spec.length, reflected=reflected))
        else:
            found.append(short_element(task, key, place, vias))
    return found


def short_element(
    task: ChannelTask, key: bytes, place: int, vias: Mapping[int, ViaResult], corner: Corner = "value"
) -> Complex:
    """Scattering parameters of an element that is no line."""
    spec, frequency = task.elements[place], np.frombuffer(key)
    if isinstance(spec, LineSpec):
        raise TypeError(f"element {place} is a line")
    if isinstance(spec, ViaSpec):
        return via_network(key, spec, vias[place], corner=corner, without_stubs=False, z_ref=task.z_ref).s
    if isinstance(spec, BlockSpec):
        return block_network(key, spec, z_ref=task.z_ref, f_max=float(frequency[-1])).s
    if isinstance(spec, ShuntCap):
        return load_network(frequency, spec, z_ref=task.z_ref).s
    if isinstance(spec, PackageSpec):
        return package_network(frequency, spec, z_ref=task.z_ref).s
    return _lumped(frequency, spec, task.z_ref)


def with_vias(
    nominal: Sequence[Complex], task: ChannelTask, key: bytes, vias: Mapping[int, ViaResult], corner: Corner
) -> list[Complex]:
    """The same with all vias at a bound of their model."""
    found = list(nominal)
    for place in vias:
        found[place] = short_element(task, key, place, vias, corner)
    return found


def _lumped(frequency: Real, spec: LossSpec | SeriesCap, z_ref: float) -> Complex:
    """A part without length: inductance and resistance of a capacitor that is through, and a declared loss."""
    lost = loss_network(frequency, LossSpec(spec.loss, spec.frequency), z_ref=z_ref).s
    if isinstance(spec, LossSpec):
        return lost
    impedance = spec.legs * (spec.resistance + 2j * np.pi * frequency * spec.inductance)
    return cascade_s([series(frequency, impedance=impedance, z_ref=z_ref).s, lost])
