# SPDX-License-Identifier: MIT
"""What CHN007 and CHN004 say of a path whose vias are changed: a cure of the one must not worsen the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf

from pcbrules.analysis.channel.elements import described
from pcbrules.analysis.channel.return_practice import RETURN_LOSS, practice, unlimited_return
from pcbrules.analysis.channel.site import Site, at_balls, tdr_task
from pcbrules.analysis.channel.solve import solve_return
from pcbrules.analysis.channel.task import LeastMargin, LineSpec
from pcbrules.analysis.channel.tdr_solve import TdrReading, least_error, solve_tdr
from pcbrules.analysis.common.once_a_board import is_made, once_a_board
from pcbrules.model.board import Board
from pcbrules.model.link import Trace, Via
from pcbrules.results.applied import applied
from pcbrules.results.facts.base import Fact
from pcbrules.results.finding import Source, Status
from pcbrules.results.judge import FABRICATION, judge
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.profile import WEAK, Entries
from pcbrules.results.rule import Bound, Offer
from pcbrules.ties import TOLERANCE, greatest_of
from pcbrules.units import show

MOST_STEP = 0.15
"""Largest impedance step of a via in every profile [-]: a share beyond it shows with the digits that say so."""

ORDER = {Status.PASS: 0, Status.MARGINAL: 1, Status.NOT_EVALUATED: 2, Status.FAIL: 3}
"""Verdicts from better to worse."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a changed path shows: the larger ``score`` the worse; ``told`` says it."""

    score: float
    told: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A rule that a via decides: ``sign`` is -1 where more is better.

    ``fact`` is what its entries are matched with. ``seen`` gives what the vias of a type show, None where one has no
    model, and ``judged`` the number that the rule judges. ``limit`` of a site is None where the rule does not judge it,
    as long as it is held to no ruleset; ``weak`` says whether it is a figure of practice.
    """

    rule: str
    sign: float
    names: tuple[str, ...]
    fact: Callable[[Site, Mapping[str, str]], Fact]
    seen: Callable[[Site, str], Seen | None]
    judged: Callable[[Site], tuple[Measured, str] | None]
    limit: Callable[[Site], Limit | None] = lambda _: None
    weak: Callable[[Site], bool] = lambda _: True

    def held(self, board: Board, entries: Entries) -> Criterion:
        """The rule held to a ruleset: of each link the first of its limits that an entry sets."""
        own = entries.get(self.rule, ())

        def bound(site: Site) -> Bound | None:
            found = applied(own, self.fact(site, board.link_tags(site.link))).limits
            return next((found[name] for name in self.names if name in found), None)

        def limit(site: Site) -> Limit | None:
            held = bound(site)
            return held.limit if held is not None else None

        def weak(site: Site) -> bool:
            held = bound(site)
            return held is not None and held.source.provenance in WEAK

        return replace(self, limit=limit, weak=weak)

    def _doubted(self, site: Site) -> str:
        """As the rule doubts a number: of fully described vias, under a limit of practice."""
        return FABRICATION if described(site.kept) and self.weak(site) else ""

    def score(self, limit: Limit) -> float:
        """The score of a limit."""
        bound = limit.high if self.sign > 0 else limit.low
        return self.sign * (bound if bound is not None else 0.0)

    def distance(self, site: Site) -> float:
        """How far the number of a link is from its limit, over the limit [-]; infinite where either is missing."""
        limit, found = self.limit(site), self.judged(site)
        share = limit.share(found[0].value) if limit is not None and found is not None else None
        return inf if share is None else abs(share)

    def falls(self, before: Site, after: Site | None) -> str:
        """How a number that is not safely within its limit gets worse although its verdict stays; else empty."""
        was, found, limit = self.judged(before), self.judged(after) if after is not None else None, self.limit(before)
        if was is None or found is None or limit is None or self.sign * (found[0].value - was[0].value) <= 0:
            return ""
        status = judge(found[0], limit, doubted=self._doubted(before))[0]
        return "" if status is Status.PASS else f"{self.rule} stays {status}, from {was[1]} to {found[1]}"

    def becomes(self, after: Site | None, limit: Limit) -> str:
        """The verdict of a changed link; empty where it has none."""
        found = self.judged(after) if after is not None else None
        return "" if after is None or found is None else judge(found[0], limit, doubted=self._doubted(after))[0]

    def worse(self, before: Site, after: Site | None, limit: Limit) -> str:
        """How a change worsens the verdict of a link by a limit, with its number; empty where it does not."""
        was, known = self.judged(before), self._doubted(before)
        old = judge(was[0], limit, doubted=known)[0] if was is not None else Status.FAIL
        if old is Status.FAIL:
            return ""
        found = self.judged(after) if after is not None else None
        if found is None:
            return f"{self.rule}: no model"
        new = judge(found[0], limit, doubted=known)[0]
        return "" if ORDER[new] <= ORDER[old] else f"{self.rule} {old} to {new}, {found[1]}"


def percent(share: float, limit: float) -> str:
    """A share in percent, with as many digits as tell it from a limit: ``15.02%`` beside 15 %."""
    texts = [f"{share:.{digits}%}" for digits in (1, 2, 3)]
    return next((text for text in texts if (float(text[:-1]) > 100 * limit) is (share > limit)), texts[0])


@once_a_board
def vias_seen(site: Site, name: str = "") -> list[TdrReading]:
    """The readings of the vias of a type, or of all that is no line."""
    mine, task = tdr_task(site.kept, site.task.z_ref, site.task.nyquist)
    found = []
    for one in solve_tdr(task).readings:
        part = mine[one.element]
        body = part.step.body
        line = isinstance(body, Trace) and isinstance(part.element, LineSpec)
        if (isinstance(body, Via) and body.type == name) if name else not line:
            found.append(one)
    return found


def too_low(site: Site, name: str) -> bool | None:
    """True if the vias of a type show less than the reference where they are furthest from it; None without one."""
    readings = vias_seen(site, name)
    if not readings:
        return None
    return greatest_of(readings, key=lambda one: one.distance.value, floor=TOLERANCE).impedance < site.task.z_ref


@once_a_board
def _step_seen(site: Site, name: str) -> Seen | None:
    readings = vias_seen(site, name)
    if not readings:
        return None
    worst = greatest_of(readings, key=lambda one: one.distance.value)
    text = f"{show(worst.impedance, 'ohm')}, {percent(worst.distance.value, MOST_STEP)}"
    return Seen(worst.distance.value, lambda: text)


@once_a_board
def _step_judged(site: Site) -> tuple[Measured, str] | None:
    """As the fact of CHN007 has it, for all vias, capacitors and connectors of the path."""
    readings = vias_seen(site)
    if not readings:
        return None
    worst = greatest_of(readings, key=lambda one: one.distance.value, floor=TOLERANCE)
    measured = Measured(
        value=worst.distance.value, lo=max(one.distance.lo for one in readings),
        hi=max(one.distance.hi for one in readings), error=least_error(readings, worst),
        model="impedance over time")
    return measured, f"{show(worst.impedance, 'ohm')}, {percent(worst.distance.value, MOST_STEP)}"


def _step_fact(site: Site, tags: Mapping[str, str]) -> Fact:
    return Fact(subject=site.link.subject, where=site.link.path, tags=tags)


@once_a_board
def _return(site: Site, *, bounds: bool) -> LeastMargin | None:
    masks = tuple(mask for mask in site.task.masks if mask.quantity == RETURN_LOSS)
    task = site.task if masks else at_balls(site).task
    return solve_return(replace(task, masks=masks), bounds=bounds)


def _nominal_return(site: Site) -> LeastMargin | None:
    """The return loss for its value alone: with its bounds where those are known, they leave the value as it is."""
    return _return(site, bounds=is_made(_return, site, bounds=True))


def _return_seen(site: Site, name: str) -> Seen | None:
    least = _nominal_return(site)
    if least is None:
        return None
    value = least.margin.value

    def told() -> str:
        via = _step_seen(site, name)
        return f"{value:.1f} dB at the via's {via.told().split(',')[0] if via else 'place'}"

    return Seen(-value, told)


def _return_judged(site: Site) -> tuple[Measured, str] | None:
    least = _return(site, bounds=True)
    if least is None:
        return None
    margin = least.margin
    error = min(least.error, (practice(site.link).limit.low or 0.0) / 2) if unlimited_return(site.link) else 0.0
    return (Measured(value=margin.value, lo=margin.lo, hi=margin.hi, error=error, model="return loss"),
            f"{margin.value:.2f} dB")


def _return_fact(site: Site, tags: Mapping[str, str]) -> Fact:
    """As the fact of CHN004: a margin to the mask of the standard, or the least return loss where it has none."""
    link = site.link
    if unlimited_return(link):
        offers, exempt = {"return_loss": practice(link)}, {"margin": "no mask"}
    else:
        masked = any(mask.quantity == RETURN_LOSS for mask in site.task.masks)
        mask = Offer(Limit(0.0, None, "dB", ">= 0 dB"), Source("mask of the standard", "standard"))
        offers, exempt = ({"margin": mask} if masked else {}), {"return_loss": ""}
    return Fact(subject=link.subject, where=link.path, tags=tags, offers=offers, exempt=exempt)


STEPS = Criterion("CHN007", 1.0, ("transition",), _step_fact, _step_seen, _step_judged)
RETURNS = Criterion("CHN004", -1.0, ("margin", "return_loss"), _return_fact, _return_seen, _return_judged)
