# SPDX-License-Identifier: MIT
"""A cause in three lines of a terminal: severity, rule and number; place and title; fix. Nothing is cut off.

One of several rules or kinds has a fourth line, which counts them as the verdict does.

Where a text is too long for its line a shorter form of it stands there, and the title gives way to the fix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from pcbrules.errors import escape
from pcbrules.reports._brief import GIVE, shorter
from pcbrules.reports._causes import UNKNOWN, Cause
from pcbrules.reports._console_page import ConsolePage
from pcbrules.reports._text import lead, place
from pcbrules.results.finding import Finding
from pcbrules.ties import least_of, ordered

INDENT = 4
"""Columns before what belongs to the line above."""

ROOM = 2
"""Lines below the first; one more where the cause stands for what several links or rails lack."""

ELSEWHERE = "in full: -v"
"""In place of texts that no form brings into the room."""

NAMED = 2
"""Other rules and links that a title names where not all have room."""


def write_cause(page: ConsolePage, cause: Cause) -> None:
    """Write the first line, and the longest texts that fit on the lines below it."""
    first, word = cause.first, lead(cause.first)
    told = [f"{cause.subjects}: {text}" for text in cause.compared]
    whole = any(page.fits(word, first, text) for text in told)
    page.lead(word, first, *told if whole else (cause.subjects,))
    page.lines += _below(page, cause, ("",) if whole else tuple(_seen(cause)))
    if cause.mixed:
        page.text(f"the {len(cause.findings) - 1} more: {cause.mixed}", indent=INDENT, hang=2)


def _seen(cause: Cause) -> Iterator[str]:
    """What did not fit on the first line; the fix says it too where it names the keys that are missing."""
    if cause.numbers is not None:
        yield from cause.compared
        return
    yield from shorter(cause.first.message)
    if cause.first.status in UNKNOWN and cause.first.fix.startswith(GIVE):
        yield ""


def _below(page: ConsolePage, cause: Cause, seen: Sequence[str]) -> list[str]:
    """The lines below the first: the longest texts of all that fit, else where they stand."""
    titles = tuple(_titles(cause))
    room = ROOM + bool(cause.lacking_too)
    forms = [*product(cause.cures, seen), (ELSEWHERE, least_of(seen, key=len)), (ELSEWHERE, "")]
    able = ordered((one for one in forms if len(one[0]) + len(one[1]) <= room * page.width),
                   key=lambda one: (one[0] == ELSEWHERE, -len(one[0]) - len(one[1])))
    found: list[list[str]] = []
    for (cure, text), where, title in product(able, _places(cause.first), titles):
        layouts = [[page.wrapped(one, INDENT, start) for start, one in lines]
                   for lines in _layouts(text, where, title, cure)]
        found = [[line for part in parts for line in part]
                 for parts in ordered(layouts, key=lambda parts: sum(map(len, parts)) > len(parts))]
        fits = next((lines for lines in found if len(lines) <= room), None)
        if fits is not None:
            return fits
    return found[0]


def _places(finding: Finding) -> tuple[str, ...]:
    """Where it stands; in a drawing also without the file, which a note names, and without what the subject names."""
    where = finding.where
    spot = escape(where.spot)
    point = spot.rpartition(" at ")[2] if where.at is not None else ""
    short = (spot, f"{where.layer} at {point}" if where.layer else f"at {point}") if where.item else ()
    return (place(finding), *(short if point else short[:1]))


def _layouts(seen: str, where: str, title: str, cure: str) -> Iterator[list[tuple[str, str]]]:
    """The texts as lines, each with its beginning, the clearest first."""
    yield [(where, _joined(": ", title, seen)), *([("", cure)] if cure else [])]
    if seen:
        yield [("", seen), (where, _joined(". ", title, cure))]
    if not title:
        yield [(where, _joined("; ", seen, cure))]


def _joined(sign: str, *texts: str) -> str:
    return sign.join(filter(None, texts))


def _titles(cause: Cause) -> Iterator[str]:
    """The title with the other rules and links of the cause, all, some or none of them."""
    others = cause.others
    if others:
        yield f"{cause.title}; also {', '.join(others)}"
    if len(others) > NAMED:
        yield f"{cause.title}; also {', '.join(others[:NAMED])} and {len(others) - NAMED} more"
    yield from (cause.title, "")
