# SPDX-License-Identifier: MIT
"""What the way from the pads of a regulator down to inner planes may take where the board file does not say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.model.rail_copper import CopperSide
from pcbrules.model.stack import Stack
from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.vias.barrel_resistance import tube_resistance

DRILL, PLATING = 0.2e-3, 20e-6
"""The barrel of the highest resistance that is usual: IPC-6012 class 2 asks 20 um on average. [m]"""
MOST = 10.0
"""Current that a single via is trusted with at most [A]; practice."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Sources that stand on inner layers only, without a resistance.

    ``key`` names the first; of each ``sides`` holds the side, the share of the current and the resistance of one
    via [ohm]. ``sensed`` where the drop counts from behind them.
    """

    key: str
    sides: tuple[tuple[int, float, float], ...]
    sensed: bool

    def most(self, current: float) -> tuple[float, float]:
        """Largest drop [V] and loss [W] over them at a current of the load [A]: as many vias as the current needs."""
        drops = [(side, min(current * share, MOST) * one, current * share) for side, share, one in self.sides]
        volts = sum(max((drop for of, drop, _ in drops if of == side), default=0.0) for side in (0, 1))
        return 0.0 if self.sensed else volts, sum(drop * own for _, drop, own in drops)


def undrawn_ways(sides: Sequence[CopperSide], stack: Stack, at: str, *, sensed: bool, temperature: float) -> Ways:
    """Of supply and return: sources whose resistance is neither given nor none, since no layer of theirs is outer.

    ``at`` is the key of the copper in the board file, ``temperature`` that of the copper [degC].
    """
    rho, keys, found = float(resistivity(temperature=temperature)), [], []
    top, bottom = stack.coppers[0], stack.coppers[-1]
    for number, side in enumerate(sides):
        for i, source in enumerate(side.sources):
            if source.resistance is not None or any(stack.outer(name) for name in source.layers):
                continue
            placed = [stack.copper(name) for name in source.layers]
            depth = max(min(one.top - top.bottom, bottom.top - one.bottom) for one in placed)
            via = float(tube_resistance(resistivity=rho, length=abs(depth), drill=DRILL, plating=PLATING))
            found.append((number, source.share.value if source.share else 1 / len(side.sources), via))
            keys.append(f"{at}{'.return' if number else ''}.sources[{i}].resistance")
    return Ways(keys[0] if keys else "", tuple(found), sensed)
