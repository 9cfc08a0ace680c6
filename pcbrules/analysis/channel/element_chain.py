# SPDX-License-Identifier: MIT
"""The elements of a channel as networks on one grid, with any choice of vias freed of their stubs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, LineSpec, LossSpec, PackageSpec, SeriesCap, ShuntCap
from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.vias.task import Port, ViaResult, ViaSpec
from pcbrules.arrays import Complex, Real
from pcbrules.networks.cascade import cascade_s, renormalised, row_loss
from pcbrules.networks.extrapolation import on_grid
from pcbrules.networks.line import line
from pcbrules.networks.lumped import ac_capacitor, declared_loss, shunt
from pcbrules.networks.package import package
from pcbrules.networks.two_port import TwoPort, network
from pcbrules.networks.via import PassedBarrel
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.solver_cache import solved_once

Corner = Literal["value", "hi", "lo"]
"""All vias at once: nominal; dearest (resonance and impedance at their lower bounds); cheapest."""


class ChannelLine(Protocol):
    """What a channel needs of a solved cross-section (``LineResult``)."""

    @property
    def u_loss(self) -> float:
        """Relative model error (k = 2) of the loss."""

    @property
    def u_z(self) -> float:
        """Relative model error (k = 2) of the impedance."""

    def rlgc(self, frequency: Real, mode: str = ...) -> tuple[Real, Real, Real, Real]:
        """R, L, G, C per metre of one leg."""

    def loss_parts(self, frequency: float) -> Mapping[str, float]:
        """Parts of the matched loss [dB/m] by cause."""

    def __hash__(self) -> int:
        """Equal lines have one hash: what is made of them is kept."""


CORNERS: tuple[Corner, ...] = ("value", "hi", "lo")
_OPPOSITE: Mapping[Corner, Corner] = {"value": "value", "hi": "lo", "lo": "hi"}

STEPS = 320
"""Equal steps up to Nyquist. The grid goes on to 1.5 times Nyquist and holds the notches as points."""

_AROUND_A_NOTCH = 1 + np.array([-0.02, -0.01, -0.004, 0.0, 0.004, 0.01, 0.02])


def even_grid(nyquist: float) -> Real:
    """Equal steps from the first above zero to 1.5 times Nyquist [Hz]; Nyquist is one of the points."""
    return np.arange(1, 3 * STEPS // 2 + 1) / STEPS * nyquist


def grid(nyquist: float, vias: Iterable[ViaResult], edges: Iterable[float] = ()) -> Real:
    """``even_grid`` with every notch that falls into it, at its bounds too, and points close by. [Hz]

    It reaches down and up to the ``edges`` of masks, which are points of it.
    """
    even, ends = even_grid(nyquist), np.array([*edges])
    step = even[0]
    up = np.arange(len(even) + 1, int(np.max(ends, initial=0.0) / step) + 1) * step
    down = np.geomspace(ends.min(), step, 6)[:-1] if np.min(ends, initial=step) < step else ends
    notches = [f for made in vias for stub in made.stubs for f in stub.loaded.all]
    extra = np.outer(notches, _AROUND_A_NOTCH).ravel()
    top = max(even[-1], np.max(ends, initial=0.0))
    return np.unique(np.concatenate([even, up, down, ends, extra[extra < top]]))


@solved_once
def evenly(key: bytes, nyquist: float) -> NDArray[np.bool_]:
    """Which points of a grid are those of ``even_grid``."""
    return np.isin(_points(key), even_grid(nyquist))


def _points(key: bytes) -> Real:
    """The grid behind a key, which is its bytes: many links share grid, vias and lines, and what is made of them."""
    return np.frombuffer(key)


@solved_once
def loss_tangent(dielectric: DielectricPoints, key: bytes) -> Real:
    """Df of a laminate on a grid by the same causal model as in the lines. [-]"""
    eps = permittivity(frequency=_points(key), points=dielectric.points)
    return np.asarray(-eps.imag / eps.real)


def legs(spec: ViaSpec) -> int:
    """Legs that carry the mode: two in series for the differential one."""
    return 1 if spec.single_ended else 2


def end_length(made: ViaResult, port: Port, corner: Corner) -> tuple[float, float]:
    """Open line at one port of a barrel, with its stub and without: an open end remains where a stub is gone. [m]"""
    for stub in made.stubs:
        if stub.port == port:
            reach: float = getattr(stub.reach, corner)
            return reach, max(reach - stub.length, 0.0)
    return made.extension, made.extension


@solved_once
def _barrel(key: bytes, through_length: float, dielectric: DielectricPoints, made: ViaResult) -> PassedBarrel:
    """One leg of the vias that have a barrel in common, on a grid: a port without a stub ends in its extension."""
    dk, impedance = made.line(_points(key))
    return PassedBarrel.of(_points(key), through_length=through_length, end_length=made.extension, impedance=impedance,
                           dk=dk, loss_tangent=loss_tangent(dielectric, key))


def _over_leg(spec: ViaSpec, made: ViaResult, corner: Corner) -> float:
    """Impedance in the mode of the link over that of one leg. [-]"""
    bound: float = getattr(made.impedance, _OPPOSITE[corner])
    return legs(spec) * bound / made.impedance.value


@solved_once
def via_network(
    key: bytes, spec: ViaSpec, made: ViaResult, *, corner: Corner, without_stubs: bool, z_ref: float
) -> TwoPort:
    """One via on a grid, with its stubs or without."""
    pad: float = getattr(made.pad, corner) / legs(spec)
    return _barrel(key, spec.through_length, spec.df_points, made).via(
        port1_end=end_length(made, 1, corner)[without_stubs],
        port2_end=end_length(made, 2, corner)[without_stubs],
        pad=pad,
        loss_tangent=loss_tangent(spec.df_points, key),
        times=_over_leg(spec, made, corner),
        z_ref=z_ref,
    )


@solved_once
def stub_admittance(key: bytes, spec: ViaSpec, made: ViaResult, *, corner: Corner, port: Port | None) -> Complex:
    """Shunt admittance that the stubs of one via, or the stub at one port, add to the line. [S]"""
    barrel = _barrel(key, spec.through_length, spec.df_points, made)
    total = np.zeros(len(barrel.frequency), dtype=complex)
    for stub in made.stubs:
        if port in (None, stub.port):
            with_stub, without = map(barrel.open_line, end_length(made, stub.port, corner))
            total += (with_stub - without) / _over_leg(spec, made, corner)
    return total


@solved_once
def per_metre(key: bytes, made: ChannelLine, mode: str = "odd") -> tuple[Complex, Complex]:
    """Series impedance [ohm/m] and shunt admittance [S/m] of one leg of a line in a mode on a grid."""
    omega = 2j * np.pi * _points(key)
    resistance, inductance, conductance, capacitance = made.rlgc(_points(key), mode)
    return np.asarray(resistance + omega * inductance), np.asarray(conductance + omega * capacitance)


def line_network(key: bytes, spec: LineSpec, made: ChannelLine, *, z_ref: float) -> TwoPort:
    """One line in the mode of its link: of a pair both legs in series."""
    series, shunt = per_metre(key, made)
    count = 2 if spec.task.pair else 1
    return line(_points(key), series=count * series, shunt=shunt / count, length=spec.length, z_ref=z_ref)


@solved_once
def line_losses(made: ChannelLine, frequency: float) -> Mapping[str, float]:
    """Parts of the matched loss of a line [dB/m] at one frequency [Hz]."""
    return made.loss_parts(frequency)


def loss_network(frequency: Real, spec: LossSpec, *, z_ref: float) -> TwoPort:
    """A declared loss that grows with the square root of frequency."""
    return declared_loss(frequency, loss=spec.loss, at=spec.frequency, z_ref=z_ref)


def capacitor_network(frequency: Real, spec: SeriesCap, *, z_ref: float) -> TwoPort:
    """The capacitors of all legs and the declared loss of their bodies."""
    part = ac_capacitor(
        frequency,
        capacitance=spec.capacitance,
        resistance=spec.resistance,
        inductance=spec.inductance,
        legs=spec.legs,
        z_ref=z_ref,
    )
    lossy = loss_network(frequency, LossSpec(spec.loss, spec.frequency), z_ref=z_ref)
    return replace(part, s=cascade_s([part.s, lossy.s]))


def load_network(frequency: Real, spec: ShuntCap, *, z_ref: float) -> TwoPort:
    """A load of all legs: a pair sees those of both in series. The common mode of a quarter of the impedance sees four
    times the admittance, hence the same two-port.
    """
    return shunt(frequency, admittance=2j * np.pi * frequency * spec.capacitance / spec.legs, z_ref=z_ref)


def package_network(frequency: Real, spec: PackageSpec, *, z_ref: float) -> TwoPort:
    """A package, turned to where its die is."""
    return package(
        frequency,
        impedance=spec.impedance,
        delay=spec.delay,
        loss=spec.loss,
        at=spec.frequency,
        first_capacitance=spec.ball_capacitance if spec.die_last else spec.die_capacitance,
        last_capacitance=spec.die_capacitance if spec.die_last else spec.ball_capacitance,
        z_ref=z_ref,
    )


@solved_once
def block_network(key: bytes, spec: BlockSpec, *, z_ref: float, f_max: float) -> TwoPort:
    """A table on a grid; of the two directions, which quality demands to be nearly equal, the mean."""
    table = np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)
    s = on_grid(np.frombuffer(spec.frequency), table, _points(key), f_max=f_max)
    through = (s[:, 1, 0] + s[:, 0, 1]) / 2
    made = network(_points(key), s11=s[:, 0, 0], s21=through, s22=s[:, 1, 1], z_ref=spec.z_ref)
    return renormalised(made, z_ref=z_ref)


class ElementChain:
    """All elements of a channel that could be solved, as networks.

    ``key`` is the grid as bytes, ``lines`` are the solved cross-sections. ``fixed`` holds all but the vias,
    ``with_stubs`` names the vias that have stubs; keys are places in the task. ``pairs`` and ``differential`` keep what
    ``mode_conversion`` makes of it: the pair in its modes, and losses of the differential one. ``higher`` is the part
    by which the impedance of a line is taken higher than it is solved [-].
    """

    def __init__(
        self,
        task: ChannelTask,
        lines: Mapping[int, ChannelLine],
        vias: Mapping[int, ViaResult],
        frequency: Real,
        *,
        higher: Mapping[int, float] | None = None,
    ) -> None:
        self.task = task
        self.frequency = frequency
        self.key = np.ascontiguousarray(frequency).tobytes()
        self.lines = lines
        self._made = dict(vias)
        self._vias: dict[tuple[int, Corner, bool], TwoPort] = {}
        self._losses: dict[tuple[Corner, tuple[int, ...]], Real] = {}
        self.pairs: dict[tuple[Corner, tuple[int, ...]], Complex] = {}
        self.differential: dict[tuple[Corner, tuple[int, ...]], tuple[Real, Real, Real]] = {}
        self.with_stubs = tuple(place for place, via in vias.items() if via.stubs)
        self.fixed: dict[int, TwoPort] = {}
        for place, spec in enumerate(task.elements):
            if isinstance(spec, LossSpec):
                self.fixed[place] = loss_network(frequency, spec, z_ref=task.z_ref)
            elif isinstance(spec, SeriesCap):
                self.fixed[place] = capacitor_network(frequency, spec, z_ref=task.z_ref)
            elif isinstance(spec, ShuntCap):
                self.fixed[place] = load_network(frequency, spec, z_ref=task.z_ref)
            elif isinstance(spec, PackageSpec):
                self.fixed[place] = package_network(frequency, spec, z_ref=task.z_ref)
            elif isinstance(spec, BlockSpec):
                f_max = float(even_grid(task.nyquist)[-1])
                self.fixed[place] = block_network(self.key, spec, z_ref=task.z_ref, f_max=f_max)
            elif isinstance(spec, LineSpec) and place in lines:
                against = task.z_ref / (1 + (higher or {}).get(place, 0.0))  # waves see the ratio of both impedances
                self.fixed[place] = line_network(self.key, spec, lines[place], z_ref=against)
        self._places = sorted({*self.fixed, *self._made})

    def on(self, frequency: Real) -> ElementChain:
        """The same channel on another grid [Hz]."""
        return ElementChain(self.task, self.lines, self._made, frequency)

    def with_lines(self, higher: Mapping[int, float]) -> ElementChain:
        """The same channel with lines of a higher impedance."""
        return ElementChain(self.task, self.lines, self._made, self.frequency, higher=higher)

    def via(self, place: int, corner: Corner, *, without_stubs: bool) -> TwoPort:
        """One via, with its stubs or without."""
        if (place, corner, without_stubs) not in self._vias:
            self._vias[place, corner, without_stubs] = via_network(
                self.key, self._spec(place), self._made[place], corner=corner, without_stubs=without_stubs,
                z_ref=self.task.z_ref)
        return self._vias[place, corner, without_stubs]

    def stub_admittance(self, place: int, corner: Corner, port: Port | None = None) -> Complex:
        """Shunt admittance that the stubs of one via, or the stub at one port, add to the line. [S]"""
        return stub_admittance(self.key, self._spec(place), self._made[place], corner=corner, port=port)

    def _spec(self, place: int) -> ViaSpec:
        spec = self.task.elements[place]
        if not isinstance(spec, ViaSpec):
            raise TypeError(f"element {place} is no via")
        return spec

    def chain(self, place: int, at: int, *, without_stubs: bool = False) -> tuple[complex, complex, complex, complex]:
        """Chain parameters of one element at one point, impedances over the reference: A, B, C, D."""
        made = self.fixed[place] if place in self.fixed else self.via(place, "value", without_stubs=without_stubs)
        (s11, s12), (s21, s22) = made.s[at].tolist()
        a = ((1 + s11) * (1 - s22) + s12 * s21) / (2 * s21)
        b = ((1 + s11) * (1 + s22) - s12 * s21) / (2 * s21)
        c = ((1 - s11) * (1 - s22) - s12 * s21) / (2 * s21)
        d = ((1 - s11) * (1 + s22) + s12 * s21) / (2 * s21)
        return a, b, c, d

    def loss(self, corner: Corner = "value", without_stubs: tuple[int, ...] = ()) -> Real:
        """Insertion loss of all elements in a row; ``without_stubs`` are the places of vias without theirs. [dB]"""
        if (corner, without_stubs) not in self._losses:
            self._losses[corner, without_stubs] = row_loss([made.s for made in self.elements(corner, without_stubs)])
        return self._losses[corner, without_stubs]

    def elements(self, corner: Corner = "value", without_stubs: Collection[int] = ()) -> list[TwoPort]:
        """The networks in order; ``without_stubs`` are the places of vias without theirs."""
        return [self.fixed[place] if place in self.fixed
                else self.via(place, corner, without_stubs=place in without_stubs)
                for place in self._places]
