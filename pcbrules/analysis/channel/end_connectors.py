# SPDX-License-Identifier: MIT
"""Connectors at the ends of a path: no part of the board's loss, but the signal has passed them.

One of unknown loss takes between nothing and the standard's whole share for a connector; where the standard has none,
the largest loss of what is sold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import block_network, even_grid, loss_network
from pcbrules.analysis.channel.elements import Part, end_connectors
from pcbrules.analysis.channel.task import BlockSpec, LossSpec
from pcbrules.analysis.common.reference_impedance import reference_impedance
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.results.facts.signal import BoardLoss, OpenLoss
from pcbrules.results.measured import Measured

CONNECTORS = "connectors at the ends"
"""Their row in the ledger of a loss."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Loss at Nyquist [dB], and by how much it may be less and more."""

    part: Part
    loss: float
    minus: float
    plus: float


def with_connectors(board: Board, link: BoardLink, loss: BoardLoss) -> tuple[BoardLoss, OpenLoss | None]:
    """The loss of the board's part with that of the connectors at the ends of the path, and those it does not hold.

    Matched loss at Nyquist, from a connector's Touchstone file or from its declared loss. One of unknown loss, or with
    a file that does not serve, is left out.
    """
    found = list(end_connectors(board, link))
    known = [_known(link, one) for one in found if isinstance(one, Part)]
    lost = [one for one in found if isinstance(one, Missing)]
    unknown = _unknown(board, link, lost) if lost else None
    total = sum(one.loss for one in known)
    own = loss.loss
    if not known:
        return loss, unknown
    value = own.value + total
    texts = [text for one in known for text in one.part.assumptions]
    made: Measured = replace(
        own,
        value=value,
        lo=value - math.hypot(own.value - own.lo, *(one.minus for one in known)),
        hi=value + math.hypot(own.hi - own.value, *(one.plus for one in known)),
        model=f"{own.model}, {CONNECTORS} matched",
        reads=tuple(dict.fromkeys((*own.reads, *(path for one in known for path in one.part.reads)))),
        assumptions=tuple(dict.fromkeys((*own.assumptions, *texts))),
        undeclared=own.undeclared and replace(
            own.undeclared, lo=own.undeclared.lo + total, hi=own.undeclared.hi + total),
    )
    return replace(loss, loss=made, ledger=(*loss.ledger, (CONNECTORS, total))), unknown


def _unknown(board: Board, link: BoardLink, lost: list[Missing]) -> OpenLoss:
    """Bound connectors of unknown loss by the share that the standard has for each, else by what is sold."""
    nyquist, budget = link.standard.nyquist, link.standard.budget("connector")
    if budget is not None:
        each, at, share = budget.loss, budget.at, f"the whole share of {link.standard.name}"
    else:
        sold = board.catalogue.defaults["connector-loss"]
        each, at, share = sold.max, sold.at or nyquist, "assumed: the largest loss on the market"
    each *= math.sqrt(nyquist / at)
    steps = [link.step_at(one.where) for one in lost]
    return OpenLoss(
        most=each * len(lost),
        names=" and ".join(step.name if step else "a connector" for step in steps),
        keys=tuple(one.key for one in lost),
        share=f"{each:.1f} dB each, {share}" if len(lost) > 1 else share,
        reason="; ".join(missing_text(one) for one in lost),
    )


def _known(link: BoardLink, part: Part) -> _Known:
    nyquist, z_ref, spec = link.standard.nyquist, reference_impedance(link), part.element
    at = np.array([nyquist])
    if isinstance(spec, BlockSpec):
        made = block_network(at.tobytes(), spec, z_ref=z_ref, f_max=float(even_grid(nyquist)[-1]))
    elif isinstance(spec, LossSpec):
        made = loss_network(at, spec, z_ref=z_ref)
    else:
        raise TypeError(part.step.name)
    loss = -20 * math.log10(abs(made.s[0, 1, 0]))
    return _Known(part, loss, loss * part.tolerance[0], loss * part.tolerance[1])


def missing_text(lost: Missing) -> str:
    """Why an element is not known, and the key that would say it."""
    return f"{lost.reason}: give `{lost.key}`" if lost.key else lost.reason
