# SPDX-License-Identifier: MIT
"""Which loss budget a link is held to: the standard's for this part of the channel, or the board's own."""

from __future__ import annotations

from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import LossBudget
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer

DEFAULT_BUDGET = {"baseboard": "baseboard", "card": "add-in-card", "carrier": "carrier-board"}
"""Budget by kind of form factor where the link names no segment."""

SAME_FREQUENCY = 0.06
"""A budget holds if its frequency is within this share of Nyquist: customary figures are rounded."""


def channel_budget(board: Board, link: BoardLink) -> tuple[LossBudget | None, dict[str, Offer], dict[str, str]]:
    """The standard's budget for this part of the channel, and the smaller of it and the board's own as the limit."""
    name = link.spec.segment or DEFAULT_BUDGET.get(board.form_factor.kind, "")
    standard: LossBudget | None = link.standard.budget(name)
    if standard is not None and abs(standard.at / link.standard.nyquist - 1) > SAME_FREQUENCY:
        standard = None
    own = link.spec.budget
    offers = []
    if standard is not None:
        text = f"<= {standard.limit:g} dB ({standard.name}, {standard.planes}"
        text += f"; {standard.loss:g} less {standard.reserve:g} in reserve)" if standard.reserve else ")"
        offers.append(Offer(Limit(None, standard.limit, "dB", text), Source(standard.source, standard.provenance)))
    if own is not None and (own.at is None or abs(own.at.value / link.standard.nyquist - 1) <= SAME_FREQUENCY):
        text = f"<= {own.loss.value:g} dB (the board's own budget)"
        offers.append(Offer(Limit(None, own.loss.value, "dB", text), Source(own.source, "declared")))
    if offers:
        return standard, {"loss": min(offers, key=lambda o: o.limit.high or 0.0)}, {}
    known = ", ".join(b.name for b in link.standard.budgets)
    reason = f"no public loss budget of {link.standard.name} for this board: give `links.{link.name}.budget`"
    if known:
        reason += f", or `links.{link.name}.segment`, one of {known}"
    return None, {}, {"loss": reason}
