# SPDX-License-Identifier: MIT
"""What brings a via within a limit: stub, antipad, ground vias, pitch, each solved again, for all links of its type.

One dimension is changed at a time, for all vias of the type, within what can be made. The path is solved anew by the
solver that judged it; where no dimension alone meets the limit, all are changed together. A change that worsens the
other rule of the same link (CHN004 beside CHN007) is no cure; what it worsens at other links with vias of the type is
named, and a change that worsens nothing goes before. Values are eighths of the way, the same for all links and for both
rules, so that each is solved once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.elements import Part, via_part
from pcbrules.analysis.channel.link_verdicts import Criterion, Seen, too_low
from pcbrules.analysis.channel.site import Site, at_heaviest
from pcbrules.analysis.channel.via_knobs import Knob, knobs
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.vias.drill_order import drill_order
from pcbrules.analysis.vias.hole_dk import DkAlong, dk_along
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Via
from pcbrules.model.via import ViaType
from pcbrules.physics.lines.wavelength import quarter_wavelength
from pcbrules.results.edits import Edits, Proposal
from pcbrules.results.facts.tdr import ViaChange
from pcbrules.results.limit import Limit
from pcbrules.results.profile import Entries
from pcbrules.ties import least_of, ordered
from pcbrules.units import as_declared, show, unit_of

PARTS = 8
"""Steps in which a dimension is moved to its end."""

SHARES = (0.25, 0.5, 0.75, 1.0)
"""Parts of the way to their ends that all dimensions are moved together, the least change first [-]."""

BESIDE = 12
"""Other links with vias of the type that a change is solved for at most: those that are nearest to their limits."""

Others = Callable[[], Iterator[Site]]
"""Gives the other links of a board that can be solved."""


@dataclass(frozen=True)
class ViaCures:
    """The search for one via of a link: called with the limit of its rule and the entries of both rules.

    ``judged`` is the rule that the search is for, ``beside`` the other one that a via decides. ``low``: the via
    is too low, so its heaviest end decides; what meets the limit there is solved at the lightest too.
    """

    board: Board
    site: Site
    part: Part
    judged: Criterion
    beside: Criterion
    others: Others
    low: bool = False

    def __call__(self, limit: Limit, entries: Entries) -> tuple[ViaChange, ...]:
        """What `search` finds, other links and the other rule held to the ruleset's own limits."""
        held = [rule.held(self.board, entries) for rule in (self.judged, self.beside)]
        return replace(self, judged=held[0], beside=held[1]).search(limit)

    def search(self, limit: Limit) -> tuple[ViaChange, ...]:
        """Last the change that cures, before it what was tried; the last does not cure where nothing does.

        Empty where no dimension can be changed.
        """
        body = self.part.step.body
        kind = (self.board.via_types or {}).get(body.type) if isinstance(body, Via) else None
        if not isinstance(body, Via) or kind is None or not isinstance(self.part.element, ViaSpec):
            return ()
        name = body.type
        before, low = self.judged.seen(self.site, name), too_low(self.site, name)
        if before is None or low is None:
            return ()
        if low and not self.low:
            return replace(self, low=True).search(limit)
        tried: list[ViaChange] = []
        moved: list[Knob] = []
        for knob in knobs(self.board, kind, self.part, name, low=low, far=self._far(name, kind)):
            change = self._search(name, knob, limit, before)
            if change is None:
                continue
            if change.cures and not change.worsens:
                return (change,)
            tried.append(change)
            if change.better:
                moved.append(knob)
        if len(moved) > 1:
            tried += self._together(name, tuple(moved), limit)
        cured = [one for one in tried if one.cures]
        if not cured:
            return tuple(tried)
        best = least_of(cured, key=lambda one: len(one.worsens))
        return (*(one for one in tried if one is not best), best)

    def _far(self, name: str, kind: ViaType) -> float:
        """The largest nominal distance of ground vias with which VIA001 passes for every link of the type. [m]"""
        distance = kind.return_vias.distance if kind.return_vias is not None else None
        slack = (distance.plus or 0.0) if distance is not None else 0.0
        fastest = max(site.task.nyquist for site in (self.site, *self._sharing(name)))
        along = dk_along(self.board, kind.span, fastest)
        if not isinstance(along, DkAlong):
            return 0.0
        return float(quarter_wavelength(frequency=fastest, dk=along.dk.hi)) - slack

    def _sharing(self, name: str) -> Iterator[Site]:
        return (site for site in self.others() if site.has(name))

    def _together(self, name: str, moved: tuple[Knob, ...], limit: Limit) -> Iterator[ViaChange]:
        """All dimensions moved together: as little as meets the limit for most links, else the best for this one."""
        tried: list[tuple[ViaChange, Mapping[Knob, float]]] = []
        for share in SHARES:
            values = {knob: knob.part_way(share) for knob in moved}
            seen = self._seen(name, values)
            if seen is None:
                break
            tried.append((self._change(name, values, seen, limit), values))
            if tried[-1][0].meets and (tried[-1][0].harms or not tried[-1][0].misses):
                break  # what is moved further worsens more
        if tried:
            best, there = least_of(tried, key=lambda one: (
                0 if one[0].cures else 1, len(one[0].worsens), len(one[0].misses) if one[0].cures else one[0].score))
            yield replace(best, becomes=self.judged.becomes(self._with(name, there, self.site), limit))

    def _search(self, name: str, knob: Knob, limit: Limit, before: Seen) -> ViaChange | None:
        """The least change of a dimension that meets the limit, or its end; None where that has no model.

        Further changes that worsen nothing go before where they are enough for more links of the type.
        """
        ends = self._seen(name, {knob: knob.end})
        if ends is None:
            return None
        most = self.judged.score(limit)
        if ends.score > most:
            found = self._change(name, {knob: knob.end}, ends, limit)
            return replace(found, better=ends.score < before.score - 1e-6 * abs(before.score))
        missed, met, seen = 0, PARTS, ends
        while met - missed > 1:
            middle = (missed + met) // 2
            there = self._seen(name, {knob: knob.part_way(middle / PARTS)})
            if there is not None and there.score <= most:
                met, seen = middle, there
            else:
                missed = middle
        found = self._change(name, {knob: self._value(knob, met)}, seen, limit)
        further = ((met + PARTS) // 2, PARTS) if found.cures and found.misses and not found.worsens else ()
        cured = [found]
        for place in further:
            there = self._seen(name, {knob: self._value(knob, place)})
            if there is not None and there.score <= most:
                other = self._change(name, {knob: self._value(knob, place)}, there, limit)
                cured += [other] if other.cures and not other.worsens else []
        return least_of(cured, key=lambda one: len(one.misses))

    @staticmethod
    def _value(knob: Knob, place: int) -> float:
        return knob.end if place == PARTS else knob.part_way(place / PARTS)

    def _change(self, name: str, values: Mapping[Knob, float], seen: Seen, limit: Limit) -> ViaChange:
        """The record of a change; where it meets its own limit, with what it does to the rest."""
        stubs = [show(value, unit_of(knob.was.text)) for knob, value in values.items() if knob.shorter]
        change = ViaChange(self._edits(name, values), seen.told, seen.score, self._meets(name, values, seen, limit),
                           stub="".join(stubs), together=len(values) > 1)
        harms = self._worse(self.site, self.beside, name, values) if change.meets else ""
        falls = self.beside.falls(self.site, self._with(name, values, self.site)) if change.meets and not harms else ""
        change = replace(change, harms=harms, falls=falls)
        if change.cures:
            change = replace(change, becomes=self.judged.becomes(self._with(name, values, self.site), limit))
        if not change.cures or any(knob.shorter for knob in values):
            return change
        holds, misses, worsens = [], [], []
        sharing = list(self._sharing(name))
        for site in self._nearest(sharing):
            worse = ", ".join(filter(None, (self._worse(site, rule, name, values)
                                            for rule in (self.judged, self.beside))))
            asked = self.judged.limit(site)
            there = None if worse or asked is None else self._seen(name, values, site)
            if worse:
                worsens.append(f"{site.link.name} ({worse})")
            elif asked is not None and there is not None and there.score <= self.judged.score(asked):
                holds.append(site.link.name)
            elif asked is not None:
                misses.append(f"{site.link.name} ({there.told() if there else 'no model'})")
        return replace(change, holds=tuple(holds), misses=tuple(misses), worsens=tuple(worsens),
                       unsolved=max(len(sharing) - BESIDE, 0))

    def _nearest(self, sites: list[Site]) -> list[Site]:
        """Of many links those that are nearest to a limit of either rule, in the order of the file."""
        if len(sites) <= BESIDE:
            return sites
        rules = (self.judged, self.beside)
        near = ordered(range(len(sites)), key=lambda at: min(rule.distance(sites[at]) for rule in rules))
        return [sites[at] for at in sorted(near[:BESIDE])]

    def _meets(self, name: str, values: Mapping[Knob, float], seen: Seen, limit: Limit) -> bool:
        """True if a change meets the limit, with the lightest vias too."""
        if self.low and seen.score <= self.judged.score(limit):
            site = self._with(name, values, self.site)
            both = self.judged.seen(site, name) if site is not None else None
            return both is not None and both.score <= self.judged.score(limit)
        return seen.score <= self.judged.score(limit)

    def _worse(self, site: Site, rule: Criterion, name: str, values: Mapping[Knob, float]) -> str:
        """What a change makes of a verdict of a link where it worsens it; else empty."""
        limit = rule.limit(site)
        return "" if limit is None else rule.worse(site, self._with(name, values, site), limit)

    def _edits(self, name: str, values: Mapping[Knob, float]) -> Edits:
        """What the board file says then; the length of an oval antipad moves along."""
        edits: list[Proposal] = []
        for knob, value in values.items():
            if not knob.shorter:
                edits.append(Proposal(knob.path, knob.text(value)))
                continue
            ends = [end for part in self.site.kept if part.via_type == name for end in part.ends]
            edits += drill_order(self.board, name, ends, value)
        old, new = (self.board.via_types or {})[name].antipad, _changed(self.board, name, tuple(values.items())).antipad
        if old and old.length and new and new.length and new.length.value != old.length.value:
            length = as_declared(float(new.length.value), old.length)
            after = next((at for at, one in enumerate(edits, 1) if one.path[-1] == "width"), len(edits))
            edits.insert(after, Proposal(("via_types", name, "antipad", "length"), length))
        return tuple(edits)

    def _seen(self, name: str, values: Mapping[Knob, float], site: Site | None = None) -> Seen | None:
        """What a link shows with the change; None where a via has no model."""
        made = self._with(name, values, site or self.site)
        if made is None:
            return None
        return self.judged.seen(at_heaviest(made) if self.low else made, name)

    def _with(self, name: str, values: Mapping[Knob, float], site: Site) -> Site | None:
        """A link with the change; None where a via has no model."""
        return _changed_site(self.board, site, name, tuple(values.items()))


@once_a_board
def _changed_site(board: Board, site: Site, name: str, values: tuple[tuple[Knob, float], ...]) -> Site | None:
    """A link with a change of a via type; None where a via has no model."""
    old, kind = (board.via_types or {})[name], _changed(board, name, values)
    changed = _with_type(board, name, kind)
    stubs = [value for knob, value in values if knob.shorter]
    kept = []
    for part in site.kept:
        body = part.step.body
        if isinstance(body, Via) and body.type == name:
            made = _via(changed, site.link, part.step, body) if kind is not old else part
            if made is None or not isinstance(made.element, ViaSpec):
                return None
            spec = made.element
            for most in stubs:
                spec = spec.with_stubs_up_to(most)
            part = replace(made, element=spec)
        kept.append(part)
    return Site(site.link, tuple(kept), replace(site.task, elements=tuple(part.element for part in kept)))


@once_a_board
def _changed(board: Board, name: str, values: tuple[tuple[Knob, float], ...]) -> ViaType:
    """The via type with its dimensions at other values."""
    kind = (board.via_types or {})[name]
    for knob, value in values:
        kind = knob.kind(kind, value)
    return kind


@once_a_board
def _with_type(board: Board, name: str, kind: ViaType) -> Board:
    """The board with another via type of a name."""
    return replace(board, via_types={**(board.via_types or {}), name: kind})


@once_a_board
def _via(board: Board, link: BoardLink, step: PathStep, body: Via) -> Part | None:
    """A via of a path of a changed board; None where it has no model."""
    made = via_part(board, link, step, body)
    return made if isinstance(made, Part) else None
