# SPDX-License-Identifier: MIT
"""An element of a path, or a whole stretch, from its Touchstone file: a two-port, or why the file does not give one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import grid
from pcbrules.analysis.channel.task import BlockSpec
from pcbrules.arrays import Complex, Real
from pcbrules.missing import Missing
from pcbrules.model.block import Block
from pcbrules.networks.extrapolation import interpolated_loss, reach
from pcbrules.networks.mixed_mode import PairPorts, modes
from pcbrules.networks.mode_chain import of_legs
from pcbrules.networks.pairing import pairing
from pcbrules.networks.quality import Quality, quality
from pcbrules.solver_cache import solved_once
from pcbrules.units import show

USABLE = ("acceptable", "good")
"""Bands of the quality metrics with which data serve; IEEE 370 calls the next one inconclusive."""


CONVERTS = 1e-3
"""Conversion between the modes from which on the legs of a block count as different [-]: -60 dB."""


@dataclass(frozen=True, slots=True)
class BlockUse:
    """How a file stands in a path: its ``ports`` from 1 (near P, near N, far P, far N, or near and far), empty where
    the data tell; what a ``two_port`` of a pair is; whether the link is a ``pair``.
    """

    ports: tuple[int, ...] = ()
    two_port: str | None = None
    pair: bool = True


@dataclass(frozen=True, slots=True)
class TouchstoneBlock:
    """The two-port of a block, what was taken for granted on the way to it, and the relative error (k = 2) of its loss
    at Nyquist by interpolation [-].
    """

    spec: BlockSpec
    assumptions: tuple[str, ...]
    error: float


@dataclass(frozen=True, slots=True)
class _Ways:
    """Two-ports (n, 2, 2) of the mode of the link over ``z_ref`` [ohm], of both modes (n, 4, 4) or None; in words."""

    through: Complex
    z_ref: float
    both: Complex | None
    converted: float
    text: str


@solved_once
def touchstone_block(
    block: Block, nyquist: float, edges: tuple[float, ...] = (), use: BlockUse = BlockUse()
) -> TouchstoneBlock | Missing:
    """The two-port of a file for a channel of a Nyquist frequency [Hz], or a reason.

    ``edges`` are where masks of the channel begin and end [Hz].
    """
    frequency = np.frombuffer(block.frequency)
    ways = _ways(block, frequency, use)
    if isinstance(ways, Missing):
        return ways
    need = grid(nyquist, (), edges)
    f_min, f_max = float(need[0]), float(need[-1])
    reached = reach(frequency, ways.through, f_max=f_max, f_min=f_min)
    if not reached.enough:
        return Missing(reached.reason)
    band = frequency <= f_max * (1 + 1e-9)
    if np.count_nonzero(band) < 3:
        return Missing(f"it has {np.count_nonzero(band)} points up to {show(f_max, 'GHz')}; at least 3 are needed")
    judged = quality(ways.through[band])
    bad = [f"{name} {getattr(judged, name):.3g} %, {level}" for name, level in judged.levels.items()
           if level not in USABLE]
    if bad:
        return Missing(f"the quality of its data up to {show(f_max, 'GHz')} is too low by IEEE 370: {'; '.join(bad)}")
    spec = BlockSpec(block.frequency, np.ascontiguousarray(ways.through).tobytes(), ways.z_ref)
    loss, error = interpolated_loss(frequency, ways.through, nyquist)
    assumptions = [ways.text, *_assumptions(judged, reached.to_zero, error, nyquist)]
    if ways.both is not None and ways.converted > CONVERTS:
        size = f"up to {20 * np.log10(ways.converted):.0f} dB of one mode turns into the other"
        whole = reach(frequency, ways.both, f_max=f_max, f_min=f_min)
        if whole.enough:
            spec = replace(spec, pair=np.ascontiguousarray(ways.both).tobytes())
        assumptions.append(size if whole.enough else f"{size}, which is left out: {whole.reason}")
    return TouchstoneBlock(spec, tuple(assumptions), error / loss if loss > error else min(error, 1.0))


def _ways(block: Block, frequency: Real, use: BlockUse) -> _Ways | Missing:
    """The modes of a file by the ports that are given, or that the data tell."""
    count = len(block.z_ref)
    s = np.frombuffer(block.s, dtype=complex).reshape(-1, count, count)
    chosen = [port - 1 for port in use.ports] or list(range(count))
    if len(chosen) not in (2, 4):
        return Missing(f"it has {count} ports; give the ports of this element", "ports")
    if len({block.z_ref[port] for port in chosen}) > 1:
        return Missing("its ports refer to different impedances, and the modes of a pair need one")
    z_ref, own = block.z_ref[chosen[0]], np.ascontiguousarray(s[:, chosen][:, :, chosen])
    if len(chosen) == 2:
        return _two_port(own, z_ref, use, chosen)
    if not use.pair:
        return Missing("it has 4 ports, and this link is single-ended: give `ports: [near, far]` of its line", "ports")
    told = pairing(frequency, own)
    if use.ports:
        paths = {frozenset((1, 3)), frozenset((2, 4))}
        if not isinstance(told, Missing) and {frozenset(path) for path in told.paths} != paths:
            ends = ", ".join(f"{use.ports[a - 1]} to {use.ports[b - 1]}" for a, b in told.paths)
            return Missing(f"by `ports` {use.ports[0]} leads to {use.ports[2]}, and by the data {ends}", "ports")
        legs, text = PairPorts(0, 1, 2, 3), f"legs from port {use.ports[0]} to {use.ports[2]}, " \
                                            f"{use.ports[1]} to {use.ports[3]}, as given"
    elif isinstance(told, Missing):
        return Missing(f"which port leads to which is open: {told.reason}", "ports")
    else:
        legs, text = told.pair(), (f"legs from port {told.text}: they stand out by {told.low:.0f} dB at low "
                                   f"frequencies, {told.mean:.0f} dB by mean power; near ends are the lower ports")
    both = modes(own, ports=legs)
    return _Ways(both.differential, 2 * z_ref, of_legs(own, ports=legs), both.converted, text)


def _two_port(s: Complex, z_ref: float, use: BlockUse, chosen: list[int]) -> _Ways | Missing:
    ends = f"from port {chosen[0] + 1} to {chosen[1] + 1}"
    if not use.pair:
        return _Ways(s, z_ref, None, 0.0, f"line {ends}")
    if use.two_port is None:
        return Missing("a two-port of a pair is its differential mode or one leg: give `two_port`", "two_port")
    if use.two_port == "leg":
        return _Ways(s, 2 * z_ref, None, 0.0, f"each leg {ends}, no coupling between the legs")
    return _Ways(s, z_ref, None, 0.0, f"differential mode {ends}; its common mode is taken to pass alike")


def turned_round(spec: BlockSpec) -> BlockSpec:
    """The same block with its ends changed over."""
    s = np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)[:, ::-1, ::-1]
    pair = np.frombuffer(spec.pair, dtype=complex).reshape(-1, 4, 4)[:, [2, 3, 0, 1]][:, :, [2, 3, 0, 1]]
    return replace(spec, s=np.ascontiguousarray(s).tobytes(), pair=np.ascontiguousarray(pair).tobytes())


def _assumptions(judged: Quality, to_zero: str, error: float, nyquist: float) -> list[str]:
    between = f"cubic between the points, without the mean delay: {error:.2g} dB of error at {show(nyquist, 'GHz')}"
    assumptions = [
        f"IEEE 370 quality: passivity {judged.passivity:.4g} %, reciprocity {judged.reciprocity:.4g} %, causality "
        f"{judged.causality:.4g} %",
        f"data taken as they are at every temperature; {between}",
    ]
    return assumptions + ([to_zero] if to_zero else [])
