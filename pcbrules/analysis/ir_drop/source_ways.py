# SPDX-License-Identifier: MIT
"""What pads, pins and vias of a regulator or connector may take down to the planes where the board file is silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.model.rail_copper import CopperSide, CopperSource
from pcbrules.model.stack import Stack
from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.vias.barrel_resistance import tube_resistance

DRILL, PLATING = 0.2e-3, 20e-6
"""The barrel of the highest resistance that is usual: IPC-6012 class 2 asks 20 um on average. [m]"""
MOST = 10.0
"""Current that a single via is trusted with at most [A]; practice."""
PIN, PIN_MOST = 30e-3, 1.5
"""Contact resistance of a pin at most [ohm], and the current that one is trusted with at most [A].

The resistance is that of size 20 of MIL-DTL-26482, as Lectromec quotes it (lectromec.com, contact resistance); fine
connectors are rated 0.5 A (FCI GS-12-1195, M.2) to 1.5 A a pin, practice. Soldered joints are fractions of a milliohm
(inter-connection.eu, connector resistance).
"""


@dataclass(frozen=True, slots=True)
class Ways:
    """Sources without a resistance.

    ``key`` names the first; of each ``sides`` holds the side, the share of the current and the resistance of one
    via [ohm], which is 0 on an outer layer. ``sensed`` where the drop counts from behind them.
    """

    key: str
    sides: tuple[tuple[int, float, float], ...]
    sensed: bool

    def most(self, current: float) -> tuple[float, float]:
        """Largest drop [V] and loss [W] over them at a current of the load [A]: pins and vias as the current needs."""
        drops = [(side, _drop(current * share, one), current * share) for side, share, one in self.sides]
        volts = sum(max((drop for of, drop, _ in drops if of == side), default=0.0) for side in (0, 1))
        return 0.0 if self.sensed else volts, sum(drop * own for _, drop, own in drops)


def _drop(current: float, via: float) -> float:
    """Largest drop [V] of a source at its current [A]."""
    return min(current, PIN_MOST) * PIN + min(current, MOST) * via


def undrawn_ways(sides: Sequence[CopperSide], stack: Stack, at: str, *, sensed: bool, temperature: float) -> Ways:
    """Of supply and return: sources whose resistance is not declared.

    ``at`` is the key of the copper in the board file, ``temperature`` that of the copper [degC].
    """
    rho, keys, found = float(resistivity(temperature=temperature)), [], []
    for number, side in enumerate(sides):
        for i, source in enumerate(side.sources):
            if source.resistance is None:
                found.append((number, source.share.value if source.share else 1 / len(side.sources),
                              _via(source, stack, rho)))
                keys.append(f"{at}{'.return' if number else ''}.sources[{i}].resistance")
    return Ways(keys[0] if keys else "", tuple(found), sensed)


def _via(source: CopperSource, stack: Stack, rho: float) -> float:
    """Resistance of one via from the nearer face down to the layers of a source [ohm]; none on an outer layer."""
    if any(stack.outer(name) for name in source.layers):
        return 0.0
    top, bottom = stack.coppers[0], stack.coppers[-1]
    placed = [stack.copper(name) for name in source.layers]
    depth = max(min(one.top - top.bottom, bottom.top - one.bottom) for one in placed)
    return float(tube_resistance(resistivity=rho, length=abs(depth), drill=DRILL, plating=PLATING))
