# SPDX-License-Identifier: MIT
"""A connector or a package from its Touchstone file: the two-port of a pair, or why the file does not give one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import grid
from pcbrules.analysis.channel.task import BlockSpec
from pcbrules.missing import Missing
from pcbrules.model.block import Block
from pcbrules.networks.extrapolation import reach
from pcbrules.networks.mixed_mode import modes
from pcbrules.networks.mode_chain import of_legs
from pcbrules.networks.pairing import Pairing, pairing
from pcbrules.networks.quality import Quality, quality
from pcbrules.solver_cache import solved_once
from pcbrules.units import show

USABLE = ("acceptable", "good")
"""Bands of the quality metrics with which data serve; IEEE 370 calls the next one inconclusive."""


CONVERTS = 1e-3
"""Conversion between the modes from which on the legs of a block count as different [-]: -60 dB."""


@dataclass(frozen=True, slots=True)
class ConnectorBlock:
    """The two-port of a block and what was taken for granted on the way to it."""

    spec: BlockSpec
    assumptions: tuple[str, ...]


@solved_once
def connector_block(block: Block, nyquist: float, edges: tuple[float, ...] = ()) -> ConnectorBlock | Missing:
    """The differential two-port of a block's four-port for a channel of a Nyquist frequency [Hz], or a reason.

    ``edges`` are where masks of the channel begin and end [Hz].
    """
    ports = len(block.z_ref)
    frequency = np.frombuffer(block.frequency)
    s = np.frombuffer(block.s, dtype=complex).reshape(-1, ports, ports)
    if ports != 4:
        return Missing(f"it has {ports} ports, and a block in a pair has four single-ended ones")
    if len(set(block.z_ref)) > 1:
        return Missing("its ports refer to different impedances, and the modes of a pair need one")
    found = pairing(frequency, s)
    if isinstance(found, Missing):
        return Missing(f"which port leads to which is open: {found.reason}")
    both = modes(s, ports=found.pair())
    differential = both.differential
    need = grid(nyquist, (), edges)
    f_min, f_max = float(need[0]), float(need[-1])
    reached = reach(frequency, differential, f_max=f_max, f_min=f_min)
    if not reached.enough:
        return Missing(reached.reason)
    band = frequency <= f_max * (1 + 1e-9)
    if np.count_nonzero(band) < 3:
        return Missing(f"it has {np.count_nonzero(band)} points up to {show(f_max, 'GHz')}; at least 3 are needed")
    judged = quality(differential[band])
    bad = [f"{name} {getattr(judged, name):.3g} %, {level}" for name, level in judged.levels.items()
           if level not in USABLE]
    if bad:
        return Missing(f"the quality of its data up to {show(f_max, 'GHz')} is too low by IEEE 370: {'; '.join(bad)}")
    spec = BlockSpec(block.frequency, np.ascontiguousarray(differential).tobytes(), 2 * block.z_ref[0])
    assumptions = [*_assumptions(found, judged, reached.to_zero)]
    if both.converted > CONVERTS:
        pair = of_legs(s, ports=found.pair())
        size = f"up to {20 * np.log10(both.converted):.0f} dB of one mode turns into the other"
        whole = reach(frequency, pair, f_max=f_max, f_min=f_min)
        if whole.enough:
            spec = replace(spec, pair=np.ascontiguousarray(pair).tobytes())
        assumptions.append(size if whole.enough else f"{size}, which is left out: {whole.reason}")
    return ConnectorBlock(spec, tuple(assumptions))


def turned_round(spec: BlockSpec) -> BlockSpec:
    """The same block with its ends changed over."""
    s = np.frombuffer(spec.s, dtype=complex).reshape(-1, 2, 2)[:, ::-1, ::-1]
    pair = np.frombuffer(spec.pair, dtype=complex).reshape(-1, 4, 4)[:, [2, 3, 0, 1]][:, :, [2, 3, 0, 1]]
    return replace(spec, s=np.ascontiguousarray(s).tobytes(), pair=np.ascontiguousarray(pair).tobytes())


def _assumptions(paths: Pairing, judged: Quality, to_zero: str) -> list[str]:
    assumptions = [
        f"legs from port {paths.text}: they stand out by {paths.low:.0f} dB at low frequencies, {paths.mean:.0f} dB by "
        "mean power; near ends are the lower ports",
        f"IEEE 370 quality: passivity {judged.passivity:.4g} %, reciprocity {judged.reciprocity:.4g} %, causality "
        f"{judged.causality:.4g} %",
        "data taken as they are at every temperature; cubic between the points, without the mean delay",
    ]
    return assumptions + ([to_zero] if to_zero else [])
