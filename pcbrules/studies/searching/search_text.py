# SPDX-License-Identifier: MIT
"""A search for readers (a page), for spreadsheets (CSV) and for programs (JSON, ``schemas/search.schema.json``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.errors import clip
from pcbrules.studies.moves.costs import PARTS, shown
from pcbrules.studies.pages import document, page, total, wrapped
from pcbrules.studies.searching.exploring import BEATEN
from pcbrules.studies.searching.part_outcome import BlockedBy, CountedMargin
from pcbrules.studies.searching.stackup_search import LAYERS, SearchPoint, StackupSearch, axis_values, warnings_text
from pcbrules.studies.texts import nine
from pcbrules.studies.variants.sweep_text import harmless

MOST_CUTS = 8
"""Causes that a page names; the others are told as so many."""

MOST_TEXT = 300
"""Characters of the values of an axis."""

COST = "cost: index over the starting board; 1 is one percent of the price of its bare board"


def console(found: StackupSearch) -> str:
    """The axes, what cut how many candidates, and the stackups of the front, each with what it changes."""
    return page(_console(found))


def _console(found: StackupSearch) -> Iterator[str]:
    labels = _labels(found)
    yield from wrapped(f"{found.board} under profile {found.profile}: {found.space.count:,} candidates, "
                       f"{len(labels)} {'axis' if len(labels) == 1 else 'axes'}", 0)
    for letter, (label, texts) in zip(_letters(), labels.items(), strict=False):
        yield from wrapped(f"{letter} = {label}: {_span(texts)}")
    yield from wrapped(COST)
    yield from wrapped(_margin_text(found))
    if found.start_blocked:
        yield from wrapped(f"the starting board does not pass: {found.start_blocked}")
    elif found.start is not None:
        yield from wrapped(f"the starting board: cost 0, margin {_margin(found.start)}, {_deciding(found.start)}")
    yield ""
    yield from _work(found)
    yield ""
    yield from _points(found)
    if found.explored.disputed:
        yield from wrapped(f"{found.explored.disputed} candidates were judged otherwise by the full check than by its "
                           "parts; the full check counts. Please report the design space.", 0)
        yield ""
    count = len(found.points)
    passing, checks = found.explored.passing, found.parts_judged
    yield total(found.exit_code, f"{count} {'stackup' if count == 1 else 'stackups'}",
                f"{passing:,} {'candidate passes' if passing == 1 else 'candidates pass'}",
                f"{checks:,} {'check' if checks == 1 else 'checks'}",
                "nothing judged by the rules in `objectives`" if found.exit_code == 3 else "")


def _labels(found: StackupSearch) -> dict[str, list[str]]:
    """The axes with their values, the number of layers first."""
    frames = found.space.frames
    first = {LAYERS: [one.text for one in frames]} if frames[0].text else {}
    return first | {axis.label: [one.text for one in axis.points] for axis in found.space.axes}


def _letters() -> Iterator[str]:
    number = 0
    while True:
        yield chr(ord("A") + number) if number < 26 else f"A{number}"
        number += 1


def _span(texts: Sequence[str]) -> str:
    if len(texts) <= 6:
        return clip(", ".join(texts), MOST_TEXT)
    return clip(f"{texts[0]} to {texts[-1]}, {len(texts)} values", MOST_TEXT)


def _margin_text(found: StackupSearch) -> str:
    if found.pinned:
        return "margin: no axis moves the margin of an error, so cost alone counts; name rules in `objectives`"
    whose = "of the rules in `objectives`" if found.shown else "of all errors that an axis moves"
    return f"margin: the least {whose}, {f'in {found.unit}' if found.unit else 'as a share of the limit'}"


def _work(found: StackupSearch) -> Iterator[str]:
    """How often each group of rules was judged, and what cut candidates."""
    yield "Judged, the cheap rules first:"
    works = found.explored.works
    for step in dict.fromkeys(one.group.step for one in works):
        mine = [one for one in works if one.group.step == step]
        judged, whole = sum(one.judged for one in mine), sum(one.combinations for one in mine)
        yield from wrapped(f"{mine[0].group.name}: {mine[0].came:,} candidates came in, {judged:,} of {whole:,} "
                           f"combinations judged, {mine[-1].went:,} candidates went out", 4, 4)
    yield from wrapped(f"all rules on one board, as proof: {found.explored.proofs:,} candidates", 4, 4)
    if found.explored.cut:
        yield "Cut:"
        for why, count in found.explored.cut[:MOST_CUTS]:
            yield from wrapped(f"{count:>9,}  {_cut(why)}", 4, 11)
        rest = found.explored.cut[MOST_CUTS:]
        if rest:
            yield from wrapped(f"{sum(count for _, count in rest):>9,}  {len(rest)} other causes", 4, 11)


def _cut(why: BlockedBy) -> str:
    if why.what == BEATEN:
        return "cannot be better than a proven stackup: dearer, and no more margin left"
    return f"{why.what} {why.subject}".strip()


def _points(found: StackupSearch) -> Iterator[str]:
    if not found.points:
        yield "No candidate passes."
        if found.explored.cut:
            why, count = found.explored.cut[0]
            yield from wrapped(f"Most are cut by {_cut(why)}: {count:,} of {found.space.count:,}.", 0)
        yield ""
        return
    letters = dict(zip(_labels(found), _letters(), strict=False))
    yield f"{'cost':>8}  {'margin':>9}  changes, and the finding that decides"
    for one in found.points:
        changes = ", ".join(f"{letters[label]} = {text}" for label, text in one.changes) or "none"
        margin = _margin(one.deciding) if one.deciding else "-"
        first = f"{shown(one.cost):>8}  {margin:>9}  "
        lines = wrapped(clip(changes, MOST_TEXT), len(first), 0)
        yield first + lines[0].lstrip()
        yield from lines[1:]
        if one.deciding:
            yield from wrapped(_deciding(one.deciding), len(first), 2)
        if one.warnings:
            yield from wrapped(f"new warnings: {warnings_text(one)}", len(first), 2)
    yield ""


def _margin(one: CountedMargin) -> str:
    return f"{one.margin:.3g} {one.unit}" if one.unit else f"{100 * one.margin:.3g} %"


def _deciding(one: CountedMargin) -> str:
    limit = one.limit.partition(" (")[0]  # without where it comes from
    return f"{one.rule} {one.subject} {one.measured}{f', limit {clip(limit, 60)}' if limit else ''}"


def csv_text(found: StackupSearch) -> str:
    """One row a stackup with the columns of ``StackupSearch.to_rows``; the head alone where none passes."""
    rows = found.to_rows()
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]) if rows else ["candidate", "cost", "margin"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    return stream.getvalue()


def json_text(found: StackupSearch) -> str:
    """The same as JSON; costs as an index, margins as a share of the limit or in its unit."""
    explored = found.explored
    return document(found.board, found.profile, {
        "exit_code": found.exit_code,
        "candidates": found.space.count,
        "axes": [{"label": label, "values": texts} for label, texts in _labels(found).items()],
        "margin_unit": found.unit or "share",
        "start": {"passes": not found.start_blocked, "blocked": found.start_blocked,
                  "margin": _finding(found.start) if found.start else None},
        "judged": [{"rules": list(one.group.rules), "judged": one.judged, "combinations": one.combinations,
                    "left": one.came, "went": one.went} for one in explored.works],
        "cut": [{"what": why.what, "subject": why.subject, "count": count} for why, count in explored.cut],
        "passing": explored.passing,
        "checks": found.parts_judged,
        "proofs": explored.proofs,
        "disputed": explored.disputed,
        "stackups": [_stackup(found, one) for one in found.points],
    })


def _stackup(found: StackupSearch, one: SearchPoint) -> dict[str, Any]:
    return {"candidate": one.number, "cost": one.cost / PARTS,
            "margin": None if one.margin is None else nine(one.margin),
            "values": dict(axis_values(found, one)), "changes": dict(one.changes),
            "deciding": _finding(one.deciding) if one.deciding else None,
            "new_warnings": [{"rule": rule, "count": count} for rule, count in one.warnings]}


def _finding(one: CountedMargin) -> dict[str, Any]:
    return {"rule": one.rule, "subject": one.subject, "margin": nine(one.margin), "measured": one.measured,
            "limit": one.limit}
