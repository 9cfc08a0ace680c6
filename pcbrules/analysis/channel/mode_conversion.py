# SPDX-License-Identifier: MIT
"""A channel whose legs differ: its differential and its common mode, and what turns from one into the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from pcbrules.analysis.channel.element_chain import ChannelLine, Corner, ElementChain, even_grid, per_metre, via_network
from pcbrules.analysis.channel.task import BlockSpec, Conversion, LineSpec, Skew
from pcbrules.analysis.vias.solve import typical_via
from pcbrules.analysis.vias.task import ViaResult, ViaSpec
from pcbrules.arrays import Complex, Real
from pcbrules.constants import LOWEST_FITTED
from pcbrules.networks.cascade import cascade_losses, cascade_s, row_return_losses
from pcbrules.networks.extrapolation import on_grid
from pcbrules.networks.line import line
from pcbrules.networks.mode_chain import EqualLegs, LateLegs, differential, joined, renormalised
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.solver_cache import solved_once
from pcbrules.ties import greatest_of

NEAR_D, NEAR_C, FAR_D, FAR_C = range(4)
"""Ports of a pair in its modes."""

SILENT = 1e-15
"""Conversion below which there is none [-]."""

DARK = np.pi / 2 * (1 - 1e-6)
"""Half of the difference of the legs up to which the cosine is taken [rad]."""

SINGLE_VIAS = "common mode of a via: two barrels in parallel, each with the constants of a single one from the table"
"""What is assumed of vias where legs differ."""


def pair_network(row: ElementChain, corner: Corner = "value", without_stubs: Collection[int] = ()) -> Complex:
    """The channel as a pair in its modes.

    Parameters
    ----------
    row : ElementChain
        Its networks; every element must be solved.
    corner, bare
        As in ``ElementChain.elements``.

    Returns
    -------
    ndarray of complex, shape (n, 4, 4)
        Near end differential and common, far end differential and common; the common mode over a quarter of the
        reference of the differential one. [-]
    """
    key = (corner, tuple(without_stubs))
    if key not in row.pairs:
        row.pairs[key] = _pair_network(row, corner, without_stubs)
    return row.pairs[key]


def _pair_network(row: ElementChain, corner: Corner, without_stubs: Collection[int]) -> Complex:
    s = joined([part if isinstance(part, np.ndarray) else part.four_port()
                for part in _parts(row, corner, without_stubs)])
    # rounding tells one direction from the other
    return np.asarray((s + s.transpose(0, 2, 1)) / 2)


def _parts(
    row: ElementChain, corner: Corner, without_stubs: Collection[int]
) -> Iterator[EqualLegs | LateLegs | Complex]:
    """The pair in a row: stretches of equal legs, what makes them differ, and tables of both modes (n, 4, 4)."""
    equal: list[tuple[Complex, Complex]] = []

    def closed() -> Iterator[EqualLegs]:
        if equal:
            yield EqualLegs(*(cascade_s([modes[i] for modes in equal]) for i in (0, 1)))
            equal.clear()

    skews = {skew.element: skew for skew in row.task.skews}
    side = _side(row)
    for place, made in zip(range(len(row.task.elements)), row.elements(corner, without_stubs), strict=True):
        spec, skew = row.task.elements[place], skews.get(place)
        if isinstance(spec, BlockSpec) and spec.pair:
            yield from closed()
            yield _block_pair(row.key, spec, z_ref=row.task.z_ref, f_max=float(even_grid(row.task.nyquist)[-1]))
        elif isinstance(spec, LineSpec):
            count = 1 if skew is None else 2
            equal.append(_line_modes(row.key, replace(spec, length=spec.length / count), row.lines[place],
                                     row.task.z_ref))
            if skew is not None:  # in the middle: nobody says where along it the legs part
                half = equal[-1]
                yield from closed()
                yield _late_lines(row, skew, side)
                equal.append(half)
            continue
        elif isinstance(spec, ViaSpec):
            equal.append((made.s, _via_common(row, spec, corner, without_stubs=place in without_stubs)))
        else:
            equal.append((made.s, made.s))
        if skew is not None:
            yield from closed()
            late = 2 * np.pi * row.frequency * skew.time
            yield LateLegs(np.maximum(late, 0.0), np.maximum(-late, 0.0))
    yield from closed()


def losses(row: ElementChain, corner: Corner = "value", without_stubs: Collection[int] = ()) -> tuple[Real, Real, Real]:
    """Insertion loss of the differential mode, and its return loss at port 1 and port 2, shapes (n,). [dB]"""
    if not row.task.unequal:
        return cascade_losses(row.elements(corner, without_stubs))
    key = (corner, tuple(without_stubs))
    if key not in row.differential:
        row.differential[key] = _differential(row, corner, without_stubs)
    return row.differential[key]


def _differential(row: ElementChain, corner: Corner, without_stubs: Collection[int]) -> tuple[Real, Real, Real]:
    """Losses of the differential mode of legs that differ. [dB]"""
    parts = list(_parts(row, corner, without_stubs))
    plain = [part for part in parts if not isinstance(part, np.ndarray)]
    if len(plain) == len(parts):
        through, front, back = differential(plain)
    else:
        s = pair_network(row, corner, without_stubs)
        through, front, back = (s[:, to, of] for to, of in ((FAR_D, NEAR_D), (NEAR_D, NEAR_D), (FAR_D, FAR_D)))
    return _loss(through), _loss(front), _loss(back)


def through_loss(row: ElementChain, without_stubs: Collection[int] = (), corner: Corner = "value") -> Real:
    """The first of ``losses``. [dB]"""
    return losses(row, corner, without_stubs)[0] if row.task.unequal else row.loss(corner, tuple(without_stubs))


def return_losses(row: ElementChain, corner: Corner = "value") -> tuple[Real, Real]:
    """The other two of ``losses``. [dB]"""
    if row.task.unequal:
        return losses(row, corner)[1:]
    return row_return_losses([made.s for made in row.elements(corner)])


def conversion(row: ElementChain, at: int, loss: float) -> Conversion:
    """What turns from one mode into the other; Nyquist is the point ``at`` of the grid, ``loss`` what it costs [dB]."""
    s = pair_network(row)
    band = np.nonzero((row.frequency >= min(LOWEST_FITTED, row.task.nyquist)) & (row.frequency <= row.task.nyquist))[0]
    found = []
    for to, of in ((FAR_C, NEAR_D), (FAR_D, NEAR_C)):
        curve = -_loss(s[:, to, of])
        worst = int(band[first_greatest(curve[band])])
        found.append((float(curve[at]), (float(curve[worst]), float(row.frequency[worst]))))
    (common, worst_common), (differential, worst_differential) = found
    return Conversion(common, differential, worst_common, worst_differential, loss, _tolerance(row))


def _tolerance(row: ElementChain) -> float:
    """What tolerances of the legs may add to the loss at Nyquist [dB], by the cosine of the largest difference."""
    at = np.array([row.task.nyquist]).tobytes()
    tolerance = sum(skew.tolerance * (float(_phase(row.lines[skew.element], at)[0]) if skew.element in row.lines
                              else 2 * np.pi * row.task.nyquist) for skew in row.task.skews)
    nominal = max(abs(sum_) for sum_ in _running(row, _side(row)))
    small, large = (min(phase / 2, DARK) for phase in (nominal, nominal + tolerance))
    return float(20 * np.log10(np.cos(small) / np.cos(large)))


def _loss(s: Complex) -> Real:
    return np.asarray(-20 * np.log10(np.maximum(np.abs(s), SILENT)))


@solved_once
def _line_modes(key: bytes, spec: LineSpec, made: ChannelLine, z_ref: float) -> tuple[Complex, Complex]:
    """Two-ports of a line in its differential and its common mode, each over its reference."""
    found = []
    for mode, legs, reference in (("odd", 2.0, z_ref), ("even", 0.5, z_ref / 4)):
        series, shunt = per_metre(key, made, mode)
        found.append(line(np.frombuffer(key), series=legs * series, shunt=shunt / legs, length=spec.length,
                          z_ref=reference).s)
    return found[0], found[1]


def _via_common(row: ElementChain, spec: ViaSpec, corner: Corner, *, without_stubs: bool) -> Complex:
    """Two barrels in parallel over a quarter of the reference: one barrel over half of it."""
    single, made = _single(spec)
    return via_network(row.key, single, made, corner=corner, without_stubs=without_stubs, z_ref=row.task.z_ref / 2).s


@solved_once
def _single(spec: ViaSpec) -> tuple[ViaSpec, ViaResult]:
    """One barrel of a pair, with the constants of a typical via."""
    single = replace(spec, single_ended=True, surroundings=None)
    return single, typical_via(single)


@solved_once
def _block_pair(key: bytes, spec: BlockSpec, *, z_ref: float, f_max: float) -> Complex:
    table = np.frombuffer(spec.pair, dtype=complex).reshape(-1, 4, 4)
    s = on_grid(np.frombuffer(spec.frequency), table, np.frombuffer(key), f_max=f_max)
    return renormalised((s + s.transpose(0, 2, 1)) / 2, before=spec.z_ref, after=z_ref)


@solved_once
def _phase(made: ChannelLine, key: bytes) -> Real:
    """Phase of a leg per metre on a grid, without loss. [rad/m]"""
    series, shunt = per_metre(key, made)
    return np.asarray((np.sqrt(series) * np.sqrt(shunt)).imag)


def _late_lines(row: ElementChain, skew: Skew, side: int) -> LateLegs:
    """The legs of a line are by half of the difference longer and shorter than the line."""
    late = (skew.length + side * skew.turns) / 2 * _phase(row.lines[skew.element], row.key)
    return LateLegs(late, -late)


def _side(row: ElementChain) -> int:
    """1 or -1: the outer leg of the bends that makes the larger difference along the path."""
    if not any(skew.turns for skew in row.task.skews):
        return 1
    return greatest_of((1, -1), key=lambda side: max(abs(sum_) for sum_ in _running(row, side)))


def _running(row: ElementChain, side: int) -> Iterator[float]:
    """Sum of the differences up to every element at Nyquist [rad]."""
    sum_, at = 0.0, np.array([row.task.nyquist]).tobytes()
    yield sum_
    for skew in row.task.skews:
        if skew.element in row.lines:
            sum_ += (skew.length + side * skew.turns) * float(_phase(row.lines[skew.element], at)[0])
        sum_ += 2 * np.pi * row.task.nyquist * skew.time
        yield sum_
