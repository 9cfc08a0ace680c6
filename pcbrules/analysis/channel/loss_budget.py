# SPDX-License-Identifier: MIT
"""Which loss budget a link is held to: the standard's for this part of the channel, or the board's own."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.channel.elements import DIE_TO_DIE
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import (
    ENDPOINT,
    NO_BOARD,
    PACKAGES,
    PART_ALIASES,
    LinkStandard,
    LossBudget,
)
from pcbrules.phrases import under
from pcbrules.results.facts.signal import OpenPart
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer
from pcbrules.ties import greatest_of, least_of
from pcbrules.units import show

DEFAULT_BUDGET = {"baseboard": "baseboard", "card": "add-in-card", "carrier": "carrier-board"}
"""Budget by kind of form factor where the link names no segment."""

SAME_FREQUENCY = 0.06
"""A budget holds if its frequency is within this share of Nyquist: customary figures are rounded."""

OWN_BUDGET = "the board's own budget"


def channel_budget(board: Board, link: BoardLink) -> tuple[LossBudget | None, dict[str, Offer], dict[str, str]]:
    """The standard's budget for this part of the channel, and the smaller of it and the board's own as the limit.

    A budget at another frequency leaves the link without a limit: a slip of the pen must not loosen it.
    """
    segment = link.spec.segment
    known = [budget.name for budget in link.standard.budgets if budget.name not in NO_BOARD]
    name = PART_ALIASES.get(segment, segment) if segment else DEFAULT_BUDGET.get(board.form_kind, "")
    nyquist = link.standard.nyquist
    own = link.spec.budget
    if own is not None and own.at is not None and abs(own.at.value / nyquist - 1) > SAME_FREQUENCY:
        reason = f"`links{under(link.name)}.budget` holds at {show(own.at.value, 'GHz', 4)}, and Nyquist is at"
        return None, {}, {"loss": f"{reason} {show(nyquist, 'GHz', 4)}"}
    standard: LossBudget | None = link.standard.budget(name) if name in known else None
    if standard is not None and abs(standard.at / nyquist - 1) > SAME_FREQUENCY:
        standard = None
    part = open_part(board, link)
    if part is not None:
        text = f"<= {part.least:.4g} dB ({part.least_part}, the least of {link.standard.name})"
        return None, {"loss": Offer(Limit(None, part.least, "dB", text), part.source)}, {}
    offers = [*_of_standard(standard), *_of_board(link)]
    if offers:
        return standard, {"loss": least_of(offers, key=lambda o: o.limit.high or 0.0)}, {}
    reason = (f"no public loss budget of {link.standard.name} for this board: give `links{under(link.name)}.budget`, "
              f"the loss that the data sheets of both chips allow for the board, as {wanted_budget(nyquist)}")
    if known:
        reason += f"; or `links{under(link.name)}.segment`, one of {', '.join(known)}"
    return None, {}, {"loss": reason}


def wanted_budget(nyquist: float) -> str:
    """A budget of the board's own as it is written, at this frequency [Hz], with its loss and source left open."""
    return f"{{loss: '? dB', at: {show(nyquist, 'GHz', 4)}, source: '?'}}"


def has_budget(standard: LinkStandard) -> bool:
    """True for a standard with a public loss budget of any part that is a board."""
    return any(budget.name not in NO_BOARD for budget in standard.budgets)


def open_part(board: Board, link: BoardLink) -> OpenPart | None:
    """The range of the standard's budgets where neither the link nor the form factor says which part this board is.

    Its low end is the smallest that a budget leaves for the board, less the packages that the budget holds. A budget of
    the board's own is the limit of a form that is no part of the standard's channel, such as a module; where no form is
    declared either it is the high end.
    """
    standard, nyquist, own = link.standard, link.standard.nyquist, link.spec.budget
    if link.spec.segment or DEFAULT_BUDGET.get(board.form_kind, "") in {
            budget.name for budget in standard.budgets}:
        return None
    parts = [budget for budget in standard.budgets
             if budget.name not in NO_BOARD and abs(budget.at / nyquist - 1) <= SAME_FREQUENCY]
    if not parts:
        return None
    packages = {budget.name: budget.loss for budget in standard.budgets if budget.name in PACKAGES}
    least = least_of(parts, key=lambda part: _for_board(part, packages))
    most = greatest_of(parts, key=lambda part: part.limit)
    low, high, most_part = max(_for_board(least, packages), 0.0), most.limit, most.name
    if own is not None:
        if board.form_factor or own.loss.value <= low:
            return None
        if own.loss.value < high:
            high, most_part = own.loss.value, OWN_BUDGET
    return OpenPart(
        key=f"links{under(link.name)}.segment", least=low, least_part=least.name,
        most=high, most_part=most_part, own=own is not None, parts=tuple(part.name for part in parts),
        source=Source(least.source, least.provenance),
    )


def _for_board(budget: LossBudget, packages: dict[str, float]) -> float:
    """What a budget leaves for the board, after the packages of its ends [dB]; of a card that of the endpoint."""
    if not budget.with_package:
        return budget.limit
    if budget.name in DIE_TO_DIE:
        return budget.limit - sum(packages.values())
    largest = max(packages.values(), default=0.0)
    return budget.limit - (packages.get(ENDPOINT, largest) if budget.name.startswith("add-in-card") else largest)


def _of_standard(budget: LossBudget | None) -> Iterator[Offer]:
    if budget is not None:
        text = f"<= {budget.limit:g} dB ({budget.name}, {budget.planes}"
        text += f"; {budget.loss:g} less {budget.reserve:g} in reserve)" if budget.reserve else ")"
        yield Offer(Limit(None, budget.limit, "dB", text), Source(budget.source, budget.provenance))


def _of_board(link: BoardLink) -> Iterator[Offer]:
    own = link.spec.budget
    if own is not None:
        text = f"<= {own.loss.value:g} dB ({OWN_BUDGET})"
        yield Offer(Limit(None, own.loss.value, "dB", text), Source(own.source, "declared"))
