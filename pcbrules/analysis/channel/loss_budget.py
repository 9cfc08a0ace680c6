# SPDX-License-Identifier: MIT
"""Which loss budget a link is held to: the standard's for this part of the channel, or the board's own."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import LossBudget
from pcbrules.phrases import under
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer
from pcbrules.ties import least_of
from pcbrules.units import show

DEFAULT_BUDGET = {"baseboard": "baseboard", "card": "add-in-card", "carrier": "carrier-board"}
"""Budget by kind of form factor where the link names no segment."""

SAME_FREQUENCY = 0.06
"""A budget holds if its frequency is within this share of Nyquist: customary figures are rounded."""


NO_BOARD = frozenset({"root-package", "endpoint-package", "connector", "cable-assembly"})
"""Parts of a channel that are no board: no link of a board can be held to them."""

ALIASES = {"system-board": "baseboard"}
"""Words of a standard's lane skew for a part that its loss budget calls otherwise."""


def channel_budget(board: Board, link: BoardLink) -> tuple[LossBudget | None, dict[str, Offer], dict[str, str]]:
    """The standard's budget for this part of the channel, and the smaller of it and the board's own as the limit.

    A segment that the standard does not have, or a budget at another frequency, leaves the link without a limit: a
    slip of the pen must not loosen it.
    """
    segment = link.spec.segment
    known = [budget.name for budget in link.standard.budgets if budget.name not in NO_BOARD]
    name = ALIASES.get(segment, segment) if segment else DEFAULT_BUDGET.get(board.form_factor.kind, "")
    parts = {*known, *(figure.where for figure in link.standard.lane_skew)}
    if segment and known and segment not in parts and name not in parts:
        reason = f"`links{under(link.name)}.segment` is {segment}, which is no part of {link.standard.name} for a board"
        return None, {}, {"loss": f"{reason}: write one of {', '.join(known)}"}
    nyquist = link.standard.nyquist
    own = link.spec.budget
    if own is not None and own.at is not None and abs(own.at.value / nyquist - 1) > SAME_FREQUENCY:
        reason = f"`links{under(link.name)}.budget` holds at {show(own.at.value, 'GHz', 4)}, and Nyquist is at"
        return None, {}, {"loss": f"{reason} {show(nyquist, 'GHz', 4)}"}
    standard: LossBudget | None = link.standard.budget(name) if name in known else None
    if standard is not None and abs(standard.at / nyquist - 1) > SAME_FREQUENCY:
        standard = None
    offers = [*_of_standard(standard), *_of_board(link)]
    if offers:
        return standard, {"loss": least_of(offers, key=lambda o: o.limit.high or 0.0)}, {}
    reason = f"no public loss budget of {link.standard.name} for this board: give `links{under(link.name)}.budget`"
    if known:
        reason += f", or `links{under(link.name)}.segment`, one of {', '.join(known)}"
    return None, {}, {"loss": reason}


def _of_standard(budget: LossBudget | None) -> Iterator[Offer]:
    if budget is not None:
        text = f"<= {budget.limit:g} dB ({budget.name}, {budget.planes}"
        text += f"; {budget.loss:g} less {budget.reserve:g} in reserve)" if budget.reserve else ")"
        yield Offer(Limit(None, budget.limit, "dB", text), Source(budget.source, budget.provenance))


def _of_board(link: BoardLink) -> Iterator[Offer]:
    own = link.spec.budget
    if own is not None:
        text = f"<= {own.loss.value:g} dB (the board's own budget)"
        yield Offer(Limit(None, own.loss.value, "dB", text), Source(own.source, "declared"))
