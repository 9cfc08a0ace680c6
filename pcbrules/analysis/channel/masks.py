# SPDX-License-Identifier: MIT
"""The masks of a link's standard: insertion loss, its deviation, return loss, as facts with names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pcbrules.analysis.channel.elements import figures_of_class, unknown_reflections
from pcbrules.analysis.channel.insertion_loss_deviation import fom_steps, margin_steps
from pcbrules.analysis.channel.return_cure import FurthestElement
from pcbrules.analysis.channel.return_loss import return_loss
from pcbrules.analysis.channel.return_practice import RETURN_LOSS, unlimited_return
from pcbrules.analysis.channel.site import Site, at_balls
from pcbrules.analysis.channel.solve import solve_channel
from pcbrules.analysis.channel.task import ChannelSolution, LeastMargin, MaskSpec
from pcbrules.analysis.common.every_link import link_gap
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.common.reference_impedance import no_reference
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import LossBudget, StandardMask
from pcbrules.model.link import Connector, Package
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.channel import LossDeviation, LossMask, ReturnLoss
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer

FACTS: dict[str, type[LossMask | ReturnLoss]] = {"insertion-loss": LossMask, RETURN_LOSS: ReturnLoss}
"""Fact of the least margin by the quantity of its mask."""

DEVIATION = "insertion-loss-deviation"
"""Quantity that is computed of every channel, with a mask or without."""

WHOLE = frozenset({"channel", "backplane", "chip-to-chip", "total", "die-to-die"})
"""Budgets of a whole channel, from device to device."""

TO_MODULE = frozenset({"chip-to-module", "host"})
"""Budgets from a host through a connector to a module or a fixture."""


def mask_specs(link: BoardLink) -> tuple[MaskSpec, ...]:
    """The standard's masks as plain numbers, in their order."""
    return tuple(MaskSpec(mask.quantity, _pieces(mask)) for mask in _masks(link))


def no_masks(board: Board, link: BoardLink) -> Iterator[Gap]:
    """What a link is not held to, since its standard has no mask, or none for this part of a channel."""
    known = {mask.quantity for mask in _masks(link)}
    for quantity in sorted(FACTS.keys() - known):
        if unlimited_return(link) and quantity == RETURN_LOSS:
            continue  # judged by practice
        reason, key = no_mask(link, quantity), ""
        others = [mask for mask in link.standard.masks if mask.quantity == quantity]
        if others:
            names = ", ".join(others[0].segments)
            reason = f"the mask of {quantity.replace('-', ' ')} of {link.standard.name} is one of {names}"
            if link.spec.segment is None:
                reason = f"{reason}: which part of a channel this is, is not declared"
                key = f"{link.subject}.segment"
        none = Missing(reason, key, (*link.path, "standard"))
        yield link_gap(board, link, FACTS[quantity], none, applicable=bool(key))


def unknown_masks(board: Board, link: BoardLink, missing: Missing) -> Iterator[Gap]:
    """What cannot be held to its masks, since the channel is not known."""
    known = {mask.quantity for mask in _masks(link)}
    for quantity in sorted((known | ({RETURN_LOSS} if unlimited_return(link) else set())) & FACTS.keys()):
        yield link_gap(board, link, FACTS[quantity], missing)
    yield replace(link_gap(board, link, LossDeviation, missing), exempt=unpublished(link, has_mask=DEVIATION in known))


def no_mask(link: BoardLink, quantity: str) -> str:
    """That the standard of a link has no mask of a quantity."""
    return f"{link.standard.name} has no public mask of {quantity.replace('-', ' ')}"


def unpublished(link: BoardLink, *, has_mask: bool, found: str = "") -> dict[str, str]:
    """Which limits of the deviation nobody has published for a link, with what was ``found`` instead.

    Where a standard has amplitudes for crosstalk noise, that is a fact of its own.
    """
    noise = "" if link.standard.noise else "no public amplitudes to compute integrated crosstalk noise with"
    exempt = {"fom_ild": f"no public limit of FOM_ILD{found}", "icn": noise}
    return exempt if has_mask else {"margin": no_mask(link, DEVIATION), **exempt}


def masked(
    board: Board, site: Site, budget: LossBudget | None, through: ChannelSolution, assumptions: tuple[str, ...],
    others: Callable[[], Iterator[Site]], *, more: float,
) -> Iterator[Item]:
    """One fact per mask of the standard; the deviation and the return loss in any case.

    ``others`` gives the other links of the board, for a cure that holds for them too; ``more`` is what temperature and
    water may add to the loss at Nyquist [dB], in proportion to frequency elsewhere.
    """
    link, kept = site.link, list(site.kept)
    base = _base(site, assumptions)
    whole, hidden = is_whole(link, budget), unknown_reflections(kept)
    deviation: tuple[StandardMask, LeastMargin] | None = None
    returned: tuple[StandardMask, LeastMargin] | None = None
    for mask, least in zip(_masks(link), through.margins, strict=True):
        if mask.quantity == DEVIATION:
            deviation = mask, least
            continue
        if mask.quantity == RETURN_LOSS:
            returned = mask, least
            continue
        yield LossMask(
            subject=link.subject,
            where=link.path,
            tags=board.link_tags(link),
            offers={"margin": mask_offer(mask)},
            margin=replace(base, value=least.margin.value, hi=least.margin.hi,
                           lo=least.margin.lo - more * least.frequency / link.standard.nyquist),
            frequency=least.frequency,
            limit=least.limit,
            whole=whole,
            unseen=hidden,
        )
    yield replace(_deviation(board, link, deviation, through, base, whole=whole), unseen=hidden)
    if returned:
        furthest = FurthestElement(board, site, others)
        yield from return_loss(board, site, base, mask_offer(returned[0]), returned[1], furthest, whole=whole,
                               unseen=hidden)
    elif unlimited_return(link) and (target := no_reference(link)) is not None:
        yield link_gap(board, link, ReturnLoss, target)
    elif unlimited_return(link):
        bare = at_balls(site)
        practised = partial(_by_practice, board, bare, others, whole=whole)
        if bare is site:
            yield from practised((), through, assumptions)
        else:
            packages = [part.step.name for part in kept if isinstance(part.step.body, Package)]
            yield Planned(bare.task, solve_channel, lambda found: practised(packages, found.through, found.assumptions),
                          gives=ReturnLoss)


def _by_practice(
    board: Board, bare: Site, others: Callable[[], Iterator[Site]], packages: Sequence[str],
    through: ChannelSolution | None, assumptions: tuple[str, ...], *, whole: bool,
) -> Iterator[Item]:
    """The return loss where no mask is for it: between the balls, where the figure of practice holds."""
    if through is not None and through.least_return is not None:
        left_out = [f"{name} left out: the figure of practice holds at its balls" for name in packages]
        yield from return_loss(
            board, bare, _base(bare, (*left_out, *assumptions)), None, through.least_return,
            FurthestElement(board, bare, others), whole=whole, unseen=unknown_reflections(bare.kept),
        )


def _base(site: Site, assumptions: tuple[str, ...]) -> Measured:
    """What the numbers of a solved channel have in common."""
    own = [text for part in site.kept for text in part.assumptions]
    return Measured(
        value=0.0, lo=0.0, hi=0.0, model="cascade of solved lines, via and lumped models",
        reads=tuple(dict.fromkeys(path for part in site.kept for path in part.reads)),
        assumptions=tuple(dict.fromkeys((*own, *assumptions))),
    ).resting_on(figures_of_class(site.kept))


def _deviation(
    board: Board, link: BoardLink,
    held: tuple[StandardMask, LeastMargin] | None, through: ChannelSolution, base: Measured, *, whole: bool
) -> LossDeviation:
    """The deviation with its margin to a mask, where there is one."""
    merit = through.fom_ild
    found = f" ({merit.value:.2f} dB from 50 MHz to 1.5 times Nyquist)"
    least = None if held is None else held[1]
    return LossDeviation(
        subject=link.subject,
        where=link.path,
        tags=board.link_tags(link),
        offers={"margin": mask_offer(held[0])} if held else {},
        exempt=unpublished(link, has_mask=held is not None, found=found),
        margin=None if least is None else replace(
            base, value=least.margin.value, lo=least.margin.lo, hi=least.margin.hi,
            derivation=partial(margin_steps, link.standard.nyquist, through, least),
        ),
        frequency=link.standard.nyquist if least is None else least.frequency,
        limit=0.0 if least is None else least.limit,
        fom_ild=replace(base, value=merit.value, lo=merit.lo, hi=merit.hi,
                        derivation=partial(fom_steps, link.standard, through)),
        whole=whole,
    )


def _masks(link: BoardLink) -> list[StandardMask]:
    """Masks that the tool computes and that hold for this part of a channel, the first of each quantity."""
    kinds: dict[str, StandardMask] = {}
    for mask in link.standard.masks:
        here = not mask.segments or link.spec.segment in mask.segments
        if here and (mask.quantity in FACTS or mask.quantity == DEVIATION):
            kinds.setdefault(mask.quantity, mask)
    return list(kinds.values())


def _pieces(mask: StandardMask) -> tuple[tuple[float, ...], ...]:
    return tuple(
        (p.start, p.stop, p.constant, p.root, p.linear, p.square, p.cube, p.decade) for p in mask.pieces
    )


def mask_offer(mask: StandardMask) -> Offer:
    """The limit that a mask is: no margin below zero."""
    text = f">= 0 dB to the mask ({mask.planes}, {'normative' if mask.normative else 'informative'})"
    return Offer(Limit(0.0, None, "dB", text), Source(mask.source, mask.provenance))


def is_whole(link: BoardLink, budget: LossBudget | None) -> bool:
    """True if the path runs from device to device: no connector at an end, and no budget of a part of the channel."""
    if budget is not None and budget.name in TO_MODULE:
        return reaches_module(link)
    return not leaves_board(link) and (budget is None or budget.name in WHOLE)


def reaches_module(link: BoardLink) -> bool:
    """True if a connector stands within the path and none at its ends: what follows it is described."""
    return not leaves_board(link) and any(isinstance(step.body, Connector) for step in link.steps[1:-1])


def leaves_board(link: BoardLink) -> bool:
    """True if a connector stands at an end of the path."""
    return any(isinstance(step.body, Connector) for step in (link.steps[0], link.steps[-1]))
