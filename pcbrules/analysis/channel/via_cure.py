# SPDX-License-Identifier: MIT
"""What brings a via within a limit: stub, antipad, ground vias, pitch, each solved again, for all links of its type.

One dimension is changed at a time, for all vias of the type, within what can be made. The path is solved anew by the
solver that judged it; where no dimension alone meets the limit, all are changed together. Other links with vias of
the type are solved with the change too: it is moved on until it holds for them, or they are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.elements import Part, via_part
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.analysis.channel.via_knobs import Knob, key_of, knobs
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Via
from pcbrules.model.via import ViaType
from pcbrules.results.facts.tdr import TOGETHER, ViaChange
from pcbrules.ties import least_of
from pcbrules.units import show

SHARES = (0.25, 0.5, 0.75, 1.0)
"""Parts of the way to their ends that all dimensions are moved together, the least change first [-]."""

TRIES = 3
"""Times that a value is moved on towards the end of its range."""

ONWARDS = (1 / 3, 2 / 3, 1.0)
"""Parts of the rest of its way that a value is moved on, so that it holds for other links too [-]."""


@dataclass(frozen=True)
class Site:
    """A link whose elements are all made, ready to be solved: its parts and the task of them.

    ``limit`` is its own in the measure of a search, or None for the one that is searched for.
    """

    link: BoardLink
    kept: tuple[Part, ...]
    task: ChannelTask
    limit: float | None = None

    def has(self, name: str) -> bool:
        """True if it has vias of a type."""
        return any(via.type == name for _, via in self.link.vias())


@dataclass(frozen=True)
class Seen:
    """What a changed path shows: the larger ``score`` the worse; ``told`` says it, and whether its via is too low."""

    score: float
    told: Callable[[], tuple[str, bool]]


Measure = Callable[[Site, str], Seen | None]
"""What judges a path by the vias of a type; None where a via has no model."""


@dataclass(frozen=True)
class ViaCures:
    """The search for one via of a link: called with the limit of its score.

    ``others`` gives the other links of the board that can be solved.
    """

    board: Board
    site: Site
    part: Part
    measure: Measure
    others: Callable[[], Iterator[Site]]

    def __call__(self, limit: float) -> tuple[ViaChange, ...]:
        """The first dimension that meets the limit; else each at its end, and last all of them together."""
        body = self.part.step.body
        kind = (self.board.via_types or {}).get(body.type) if isinstance(body, Via) else None
        if not isinstance(body, Via) or kind is None or not isinstance(self.part.element, ViaSpec):
            return ()
        name, before = body.type, self.measure(self.site, body.type)
        if before is None:
            return ()
        found: list[ViaChange] = []
        ends: dict[Knob, float] = {}
        for knob in knobs(self.board.fabrication, kind, self.part, name, low=before.told()[1],
                          nyquist=self.site.task.nyquist):
            change = self._search(name, knob, limit, before)
            if change is None:
                continue
            if change.meets:
                return (change,)
            found.append(change)
            ends[knob] = knob.end
        return (*found, *self._together(name, tuple(ends), limit)) if len(ends) > 1 else tuple(found)

    def _together(self, name: str, moved: tuple[Knob, ...], limit: float) -> Iterator[ViaChange]:
        """All dimensions moved together: as little as meets the limit for most links, else the best for this one."""
        tried: list[ViaChange] = []
        for share in SHARES:
            values = {knob: knob.part_way(share) for knob in moved}
            seen = self._seen(self.site, name, values)
            if seen is None:
                break
            tried.append(self._change(TOGETHER, name, values, seen, limit))
            if tried[-1].meets and not tried[-1].misses:
                break
        if tried:
            yield least_of(tried, key=lambda one: (0 if one.meets else 1, len(one.misses) if one.meets else one.score))

    def _search(self, name: str, knob: Knob, limit: float, before: Seen) -> ViaChange | None:
        """The least change of a dimension that meets the limit, or its end."""
        seen = self._seen(self.site, name, {knob: knob.end})
        if seen is None or seen.score >= before.score - 1e-6 * abs(before.score):
            return None
        value = knob.end
        if seen.score <= limit:
            share = (before.score - limit) / (before.score - seen.score)
            for attempt in range(TRIES):
                near = knob.part_way(min(share * (1 + 0.05 * (2**attempt - 1)), 1.0))
                nearer = self._seen(self.site, name, {knob: near})
                if nearer is not None and nearer.score <= limit:
                    value, seen = near, nearer
                    break
        found = self._change(knob.key, name, {knob: value}, seen, limit)
        if not found.meets or not found.misses:
            return found
        for share in ONWARDS:
            near = replace(knob, now=value).part_way(share)
            further = self._seen(self.site, name, {knob: near})
            if further is not None and further.score <= limit:
                other = self._change(knob.key, name, {knob: near}, further, limit)
                if not other.misses:
                    return other
        return found

    def _change(self, key: str, name: str, values: Mapping[Knob, float], seen: Seen, limit: float) -> ViaChange:
        """The record of a change, with the other links that it holds for or misses where it meets its own limit."""
        text = ", ".join(f"{knob.key} {knob.text(value)}" if key == TOGETHER else knob.text(value)
                         for knob, value in values.items())
        meets, holds, misses = seen.score <= limit, [], []
        for site in self.others() if meets and not any(knob.shorter for knob in values) else ():
            if not site.has(name):
                continue
            there = self._seen(site, name, values)
            if there is not None and there.score <= (limit if site.limit is None else site.limit):
                holds.append(site.link.name)
            else:
                misses.append(f"{site.link.name} ({there.told()[0] if there else 'no model'})")
        return ViaChange(key, text + self._length(name, values), seen.told()[0], seen.score, meets, tuple(holds),
                         tuple(misses))

    def _changed(self, name: str, values: Mapping[Knob, float]) -> ViaType:
        """The via type with its dimensions at other values."""
        kind = (self.board.via_types or {})[name]
        for knob, value in values.items():
            kind = knob.kind(kind, value)
        return kind

    def _length(self, name: str, values: Mapping[Knob, float]) -> str:
        """The length of an oval antipad, where it moves along."""
        old, new = (self.board.via_types or {})[name].antipad, self._changed(name, values).antipad
        before, after = (pad.length.value if pad and pad.length else 0.0 for pad in (old, new))
        return "" if after == before else f" with {key_of('via_types', name, 'antipad', 'length')} {show(after, 'mm')}"

    def _seen(self, site: Site, name: str, values: Mapping[Knob, float]) -> Seen | None:
        """What a link shows with the change; None where a via has no model."""
        old, kind = (self.board.via_types or {})[name], self._changed(name, values)
        board = replace(self.board, via_types={**(self.board.via_types or {}), name: kind})
        stubs = [value for knob, value in values.items() if knob.shorter]
        kept = []
        for part in site.kept:
            body = part.step.body
            if isinstance(body, Via) and body.type == name:
                made = via_part(board, site.link, part.step, body) if kind is not old else part
                if not isinstance(made, Part) or not isinstance(made.element, ViaSpec):
                    return None
                spec = made.element
                for most in stubs:
                    spec = replace(spec, port1_stub=min(spec.port1_stub, most), port2_stub=min(spec.port2_stub, most))
                part = replace(made, element=spec)
            kept.append(part)
        task = replace(site.task, elements=tuple(part.element for part in kept))
        return self.measure(replace(site, kept=tuple(kept), task=task), name)
