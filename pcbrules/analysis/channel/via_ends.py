# SPDX-License-Identifier: MIT
"""Return loss and loss ripple of a channel with its heaviest and its lightest vias: the worse of both.

A drill's depth, and a construction that is not declared, leave the impedance of a via open. A via that is too low is
best at the one end, one that is too high at the other, and a resonance between two vias may go either way: both are
solved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.element_chain import ElementChain
from pcbrules.analysis.channel.insertion_loss_deviation import fom_ild
from pcbrules.analysis.channel.mask_margins import least_return, margins
from pcbrules.analysis.channel.task import ChannelTask, LeastMargin
from pcbrules.analysis.common.interval import Interval


@dataclass(frozen=True, slots=True)
class Ripple:
    """Margins to the masks, least return loss where no mask is for it, and FOM_ILD, as in ``ChannelSolution``."""

    margins: tuple[LeastMargin, ...]
    least_return: LeastMargin | None
    fom_ild: Interval


def ripple(task: ChannelTask, row: ElementChain, error: float, lightest: Callable[[], ElementChain | None]) -> Ripple:
    """The worse of a channel and of the same with its lightest vias, which ``lightest`` gives.

    ``error`` is the model error of the insertion loss as a part of it [-].
    """
    heavy = _of(task, row, error)
    other = lightest() if task.lightest is not task else None
    if other is None:
        return heavy
    light = _of(task.lightest, other, error)
    least, merits = heavy.least_return, (heavy.fom_ild, light.fom_ild)
    if least is not None and light.least_return is not None:
        least = worse_margin(least, light.least_return)
    return Ripple(
        tuple(worse_margin(*two) for two in zip(heavy.margins, light.margins, strict=True)), least,
        Interval(lo=min(one.lo for one in merits), value=max(one.value for one in merits),
                 hi=max(one.hi for one in merits)),
    )


def _of(task: ChannelTask, row: ElementChain, error: float) -> Ripple:
    masked = any(mask.quantity == "return-loss" for mask in task.masks)
    return Ripple(margins(task, row, error), None if masked else least_return(task, row), fom_ild(task, row))


def worse_margin(heavy: LeastMargin, light: LeastMargin) -> LeastMargin:
    """Of two least margins the smaller; its interval reaches down as far as either."""
    less = light.margin.value < heavy.margin.value - 1e-9
    worse = replace(light, light=True) if less else heavy
    return replace(worse, margin=replace(worse.margin, lo=min(heavy.margin.lo, light.margin.lo)))
