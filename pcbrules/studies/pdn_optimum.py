# SPDX-License-Identifier: MIT
"""The fewest capacitors of a rail as a variant of its board file, and what the rules say of that variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf, log10
from typing import Any

import numpy as np

from pcbrules import library
from pcbrules.analysis.common.parabola import top
from pcbrules.analysis.power.closed_loop import regulator_band
from pcbrules.analysis.power.ladder import Bank
from pcbrules.analysis.power.layout import bind_layout
from pcbrules.analysis.power.layout_curves import LayoutTask, heights
from pcbrules.analysis.power.package_band import package_inductance
from pcbrules.analysis.power.rail_task import BoundRail, LadderBank, bank_text, bind_rail, named_banks, rail_target
from pcbrules.brief import brief
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under, within
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.results.finding import STATUS_ORDER, Finding, Status
from pcbrules.studies.decoupling import DENSITY, Counts, DecouplingTask, Optimum, fewest
from pcbrules.studies.decoupling_planes import fewest_on_planes
from pcbrules.studies.names import known, refusal
from pcbrules.studies.pdn import RULE
from pcbrules.ties import ordered

MOST_TIMES, MOST_AT_LEAST = 4, 40
"""Pieces that a bank may have at most: so many times what it has, and so many in any case."""
HOLDS_AT = 1 - 1e-9
"""A corner of the limit belongs to what lies below it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bank and how many pieces of it are there and suffice."""

    name: str
    now: int
    needed: int


@dataclass(frozen=True, slots=True)
class WorseAnswer:
    """A rule whose answer for a subject gets worse with the choice."""

    rule: str
    subject: str
    before: Status
    after: Status
    message: str


@dataclass(frozen=True, slots=True)
class Decoupling:
    """The fewest capacitors of a rail.

    ``choices`` is empty where no set holds the limit with the margin [dB]. ``spare`` [dB] is what the worst variant
    leaves of the limit, the margin included; ``status`` what the rule says of the board with the choice. A rail with a
    ``layout`` is searched on its planes; ``fixed`` are the banks of which each piece has a place of its own.
    """

    rail: str
    margin: float
    choices: tuple[Choice, ...]
    spare: float | None
    status: Status | None
    worse: tuple[WorseAnswer, ...]
    layout: bool = False
    fixed: tuple[str, ...] = ()

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 a set was found, 1 none holds the limit, or the rule says that it does not."""
        return 0 if self.choices and self.status is not Status.FAIL else 1


@dataclass(frozen=True, slots=True)
class WantedRail:
    """What is looked for: a margin to the limit [dB], further library parts, most pieces a bank (None: the default)."""

    margin: float = 0.0
    parts: tuple[str, ...] = ()
    most: int | None = None


Judge = Callable[[Document], tuple[Board, tuple[Finding, ...]]]
"""Resolves a document and says what the power rules find."""
Resolve = Callable[[Document], Board]


def decoupling(
    document: Document, judged: Judge, resolved: Resolve, conditions: Conditions, rail: str, wanted: WantedRail
) -> Decoupling:
    """The fewest capacitors of one rail.

    Parameters
    ----------
    document : Document
        The board file.
    judged : function
        Gives the board of a document and its findings.
    resolved : function
        Gives the board alone.
    conditions : Conditions
        Of the profile.
    rail : str
        Name of the rail.
    wanted : WantedRail

    Raises
    ------
    InputError
        No such rail or part, a rail that is not evaluated, or one without a bank or limit.
    """
    board, before = judged(document)
    known("RAIL", rail, board.rails or {}, "rail")
    for part in wanted.parts:
        _check_part(part)
    larger = _with_parts(document, board, rail, wanted.parts)
    board, found = judged(larger) if wanted.parts else (board, before)
    assert board.rails is not None  # the rail is known
    spec = board.rails[rail]
    bound = bind_rail(board, rail, spec, conditions, planes=spec.layout is None)
    if not isinstance(bound, BoundRail):
        why = "; ".join(dict.fromkeys(f"{item.reason} (`{item.key}`)" for item in bound))
        raise refusal("--optimize", f"rail {rail} cannot be evaluated", why)
    if not bound.banks:
        raise refusal("--optimize", f"rail {rail} has no capacitors", fix="describe them in its `ladder`")
    finding = next((one for one in found if one.rule == RULE and one.subject == f"rails{under(rail)}"), None)
    limit = finding.limit.high if finding and finding.limit else rail_target(spec, rail, conditions).value
    if limit is None:
        raise refusal("--optimize", f"rail {rail} has no limit", fix=rail_target(spec, rail, conditions).gap)
    task = _task(board, rail, spec, bound, limit, wanted)
    if spec.layout is None:
        optimum = fewest(task)
    else:
        optimum = _on_planes(larger, resolved, conditions, rail, bound.banks, task)
    if optimum is None:
        return Decoupling(rail, wanted.margin, (), None, None, ())
    chosen = _with_counts(larger, rail, bound.banks, optimum.counts)
    _, after = judged(chosen)
    new = {bank.index for bank in bound.banks[len(bound.banks) - len(wanted.parts):]} if wanted.parts else set()
    return Decoupling(
        rail=rail,
        margin=wanted.margin,
        choices=tuple(
            Choice(bank_text(board, bank.name, bank.spec).partition(" (")[0], 0 if bank.index in new else now, needed)
            for bank, now, needed in zip(bound.banks, task.present, optimum.counts, strict=True)
        ),
        spare=wanted.margin - 20 * log10(optimum.ratio),
        status=next((one.status for one in after if one.rule == RULE and one.subject == f"rails{under(rail)}"), None),
        worse=tuple(_worse(before, after, rail)),
        layout=spec.layout is not None,
        fixed=_fixed(larger, rail, bound.banks),
    )


def _check_part(part: str) -> None:
    try:
        library.resolve("capacitors", part)
    except library.UnknownEntry:
        known("--part", part, library.ids("capacitors"), "library capacitor")


def _with_parts(document: Document, board: Board, rail: str, parts: Sequence[str]) -> Document:
    """The document with a bank of each part beside the bank nearest to the balls, mounted and placed as that one."""
    assert board.rails is not None  # the rail is known
    banks = named_banks(board.rails[rail])
    if not parts or not banks:
        return document
    last, nearest, _ = banks[-1]
    ladder: list[Any] = list(document.get(("rails", rail, "ladder")))
    like = {key: value for key, value in ladder[last]["bank"].items() if key in ("mounting", "distance")}
    taken = {name for _, name, _ in banks}
    more = []
    for part in parts:
        name = next(name for name in (part, *(f"{part}-{n}" for n in range(2, 99))) if name not in taken)
        taken.add(name)
        more.append({"bank": {"name": name, "part": part, "count": 1, **like}})
    document = document.edited(("rails", rail, "ladder"), [*ladder[: last + 1], *more, *ladder[last + 1 :]])
    place = document.get(("rails", rail, "layout", "banks", nearest), None)
    for one in more if place is not None else ():
        document = document.edited(("rails", rail, "layout", "banks", one["bank"]["name"]), place)
    return document


def _task(
    board: Board, name: str, rail: Rail, bound: BoundRail, limit: float, wanted: WantedRail
) -> DecouplingTask:
    """In the band of the limit itself; the margin takes from the limit alone."""
    end = max(package_inductance(board, name, rail).ends(limit, bound.task.f_max)[2], bound.task.f_min)
    left = 10 ** (-wanted.margin / 20)
    limits = [(end, limit * left)]
    load_line = rail.load_line.value if rail.load_line else 0.0
    crossover = regulator_band(board, name, rail).lo
    if load_line > limit and bound.task.f_min < crossover < end:
        limits.insert(0, (crossover, load_line * left))
    present = [step.count for step in bound.task.ladder if isinstance(step, Bank)]
    return DecouplingTask(
        rails=(bound.task, *bound.over_frequency().variants),
        banks=tuple(bank.index for bank in bound.banks),
        most=tuple(wanted.most or max(MOST_TIMES * count, MOST_AT_LEAST) for count in present),
        limits=tuple(limits),
    )


def _on_planes(
    document: Document, resolved: Resolve, conditions: Conditions, rail: str, banks: Sequence[LadderBank],
    task: DecouplingTask,
) -> Optimum | None:
    """As ``fewest``, every set placed on the planes anew. Banks with a place for each piece stay as they are."""
    edges, limits = np.array(task.limits).T

    def ratio(counts: Counts) -> float:
        try:
            board = resolved(_with_counts(document, rail, banks, counts))
        except InputError:  # more pieces than their region holds
            return inf
        assert board.rails is not None  # the rail is known
        spec = board.rails[rail]
        bound = bind_rail(board, rail, spec, conditions, planes=False)
        layout = bind_layout(board, rail, spec, conditions, bound.over_frequency()) if isinstance(
            bound, BoundRail) else bound
        if isinstance(layout, tuple):
            return inf
        frequency = np.geomspace(layout.rail.f_min, edges[-1], ceil(DENSITY * log10(edges[-1] / layout.rail.f_min)))
        limit = limits[np.minimum(np.searchsorted(edges, frequency * HOLDS_AT), len(limits) - 1)]
        rows = heights(LayoutTask(layout.rail, layout.variants), frequency) / limit
        return max(top(row, first_greatest(row)) for row in rows)

    fixed = _fixed(document, rail, banks)
    free = tuple(bank.name not in fixed for bank in banks)
    found = fewest_on_planes(task.present, task.most, free, ratio)
    return Optimum(*found) if found else None


def _fixed(document: Document, rail: str, banks: Sequence[LadderBank]) -> tuple[str, ...]:
    """Banks of which each piece has a place of its own."""
    places = document.get(("rails", rail, "layout", "banks"), None) or {}
    return tuple(bank.name for bank in banks if "at" in places.get(bank.name, {}))


def _with_counts(document: Document, rail: str, banks: Sequence[LadderBank], counts: Sequence[int]) -> Document:
    for bank, count in ordered(zip(banks, counts, strict=True), key=lambda one: -one[0].index):
        place = ("rails", rail, "ladder", bank.index)
        if count:
            document = document.edited((*place, "bank", "count"), count)
            continue
        document = document.without(place)
        spot = ("rails", rail, "layout", "banks", bank.name)
        if document.get(spot, None) is not None:
            document = document.without(spot)
    return document


def _worse(before: Sequence[Finding], after: Sequence[Finding], rail: str) -> list[WorseAnswer]:
    was = {(one.rule, one.subject): one for one in before}
    found = []
    for one in after:
        old = was.get((one.rule, one.subject))
        mine = within(one.subject, f"rails{under(rail)}")
        if mine and old and STATUS_ORDER[one.status] < STATUS_ORDER[old.status]:
            found.append(WorseAnswer(one.rule, one.subject, old.status, one.status, one.message))
    return ordered(found, key=lambda change: (change.rule, change.subject))
