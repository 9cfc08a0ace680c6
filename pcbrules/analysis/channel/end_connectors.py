# SPDX-License-Identifier: MIT
"""Connectors at the ends of a path: no part of the board's loss, but the signal has passed them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.element_chain import block_network, even_grid, loss_network
from pcbrules.analysis.channel.elements import Part, end_connectors
from pcbrules.analysis.channel.facts import reference_impedance
from pcbrules.analysis.channel.task import BlockSpec, LossSpec
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.results.facts.signal import BoardLoss
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


def with_connectors(board: Board, link: BoardLink, loss: BoardLoss) -> tuple[BoardLoss, str]:
    """The loss of the board's part with that of the connectors at the ends of the path, and what it does not hold.

    Matched loss at Nyquist, from a connector's Touchstone file or from its declared loss. One of unknown loss, or with
    a file that does not serve, is left out: the signal then loses more, and the text names the reason and the key.
    """
    found = list(end_connectors(board, link))
    known = [_known(link, one) for one in found if isinstance(one, Part)]
    lost = [one for one in found if isinstance(one, Missing)]
    unknown = tuple(_left_out(link, one) for one in lost)
    rest = f"the signal loses more than that: {', '.join(missing_text(one) for one in lost)}" if lost else ""
    total = sum(one.loss for one in known)
    own = loss.loss
    made: Measured = replace(own, assumptions=tuple(dict.fromkeys((*own.assumptions, *unknown))))
    if not known:
        return replace(loss, loss=made), rest
    value = own.value + total
    texts = [text for one in known for text in one.part.assumptions]
    made = replace(
        made,
        value=value,
        lo=value - math.hypot(own.value - own.lo, *(one.minus for one in known)),
        hi=value + math.hypot(own.hi - own.value, *(one.plus for one in known)),
        model=f"{own.model}, {CONNECTORS} matched",
        reads=tuple(dict.fromkeys((*own.reads, *(path for one in known for path in one.part.reads)))),
        assumptions=tuple(dict.fromkeys((*made.assumptions, *texts))),
    )
    return replace(loss, loss=made, ledger=(*loss.ledger, (CONNECTORS, total))), rest


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


def _left_out(link: BoardLink, lost: Missing) -> str:
    step = link.step_at(lost.where)
    return f"{step.name if step else 'a connector'}: its loss is left out of the signal, {lost.reason}"


def missing_text(lost: Missing) -> str:
    """Why an element is not known, and the key that would say it."""
    return f"{lost.reason}: give `{lost.key}`" if lost.key else lost.reason
