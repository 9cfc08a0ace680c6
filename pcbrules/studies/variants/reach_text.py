# SPDX-License-Identifier: MIT
"""How far links reach, for readers (a table) and for programs (JSON, ``schemas/reach.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.errors import clip
from pcbrules.studies.pages import document, page, total, wrapped
from pcbrules.studies.texts import nine
from pcbrules.studies.variants.reach import RULE, ReachTable, RouteReach
from pcbrules.units import show

DRAWN = "as drawn"
"""A laminate or a foil that is not asked for."""

HEAD = ("link", "layer", "laminate", "foil", "width", "reach", "today", "")

BASIS = (
    f"reach: the longest trace at which the loss keeps its budget ({RULE}) with its whole interval, hot; the rest of "
    "the path as it is. On another layer, laminate or foil the width is the one that has the link's impedance at the "
    "drawn gap."
)

BELOW = "A line below a route tells other rules of the link that fail, or are no longer judged, before the loss fails."


def console(found: ReachTable) -> str:
    """A line a route, then what a retimer would do, and why some have no reach."""
    return page(_console(found))


def _console(found: ReachTable) -> Iterator[str]:
    count = len({one.route.link for one in found})
    many = f"{count} link{'s' if count != 1 else ''}"
    yield from wrapped(f"{found.board} under profile {found.profile}: reach of {many}", 0)
    yield from wrapped(f"{BASIS} {BELOW}")
    yield ""
    known = [one for one in found if one.longest is not None]
    rows = [HEAD, *map(row_of, known)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    for row, one in zip(rows, [None, *known], strict=True) if known else ():
        yield f"    {'  '.join(text.ljust(width) for text, width in zip(row, widths, strict=True))}".rstrip()
        yield from wrapped(said, 8) if one is not None and (said := others_of(one)) else ()
    for links, limit in budgets(found):
        yield from wrapped(f"{links}: {limit}")
    helped = [one for one in known if one.retimers()]
    if helped:
        yield ""
        for one in helped:
            yield from wrapped(f"{name_of(one)}: {retimed(one)}", 0)
    missing = [one for one in found if one.longest is None]
    if missing:
        yield ""
        for why in dict.fromkeys(one.why for one in missing):
            yield from wrapped(f"no reach of {', '.join(name_of(one) for one in missing if one.why == why)}: {why}", 0)
    yield ""
    yield total(found.exit_code, f"{len(known)} known", f"{sum(one.short for one in found)} too short",
                f"{len(missing)} not known" if missing else "")


def name_of(one: RouteReach) -> str:
    """Return a route in words: ``usb on L3 megtron6``."""
    route = one.route
    return " ".join(filter(None, (route.link, route.layer and f"on {route.layer}", route.laminate, route.foil)))


def budgets(found: ReachTable) -> Iterator[tuple[str, str]]:
    """Yield the links of each standard, with its name, and the budget of their loss."""
    known = [one for one in found if one.longest is not None]
    for standard, limit in dict.fromkeys((one.standard, one.limit) for one in known):
        links = dict.fromkeys(one.route.link for one in known if (one.standard, one.limit) == (standard, limit))
        yield f"{', '.join(links)} ({standard})", limit


def row_of(one: RouteReach) -> tuple[str, ...]:
    """Return the cells of a route that has a reach, as of ``HEAD``."""
    assert one.longest is not None
    route = one.route
    word = "beyond this board" if one.beyond else "too short" if one.short else "reaches"
    return (route.link, route.layer, clip(route.laminate or DRAWN, 24), clip(route.foil or DRAWN, 16),
            show(one.width, "mil", 3) if one.width is not None else "-",
            f"{show(one.longest, 'mm', 4)} ({show(one.longest, 'in', 3)})", f"{show(one.today, 'mm', 4)}", word)


def others_of(one: RouteReach) -> str:
    """Return what the other rules say up to the reach of the loss."""
    others = one.others
    first = f"{_verb(others.first, 'fail')} first, from {show(others.at, 'mm', 3)} on" if others.at is not None else ""
    already = f"{_verb(others.already, 'fail')} at {show(others.start, 'mm', 3)} already" if others.already else ""
    silent = ""
    if others.unjudged_at is not None:
        are = "is" if len(others.unjudged) == 1 else "are"
        silent = (f"{' and '.join(others.unjudged)} {are} not evaluated from {show(others.unjudged_at, 'mm', 3)} on"
                  f"{_lacking(one, others.unjudged)}")
    left = f"not evaluated there: {', '.join(others.left)}{_lacking(one, others.left)}" if others.left else ""
    return "; ".join(filter(None, (silent, first, already, left)))


def _lacking(one: RouteReach, rules: tuple[str, ...]) -> str:
    """Return what some rules lack, each cause once."""
    causes = dict.fromkeys(cause for rule, cause in one.others.lacks if rule in rules)
    return f" ({'; '.join(causes)})" if causes else ""


def _verb(rules: tuple[str, ...], verb: str) -> str:
    return f"{' and '.join(rules)} {verb}{'s' if len(rules) == 1 else ''}"


def retimed(one: RouteReach) -> str:
    """Return what a retimer would do, in words."""
    found = one.retimers()
    assert found is not None
    count, first, last = found
    if count == 1:
        place = f"one retimer, {show(first, 'mm', 3)} to {show(last, 'mm', 3)} from an end"
    else:
        place = f"{count} retimers, at most {show(last, 'mm', 3)} apart"
    return f"{place} (each part with the budget, the vias and the connectors of the whole link)"


def json_text(found: ReachTable) -> str:
    """The same as JSON: lengths in metres, loss in dB."""
    return document(found.board, found.profile, {
        "exit_code": found.exit_code,
        "reach": [_tree(one) for one in found],
    })


def _tree(one: RouteReach) -> dict[str, Any]:
    retimed = one.retimers()
    route = one.route
    return {
        "link": route.link, "standard": one.standard, "layer": route.layer, "laminate": route.laminate,
        "foil": route.foil, "today_m": nine(one.today), "width_m": _nine(one.width), "reach_m": _seven(one.longest),
        "beyond": one.beyond, "too_short": one.short, "loss_db": _seven(one.loss), "loss_high_db": _seven(one.high),
        "limit": one.limit, "why": one.why, "fails_first": list(one.others.first),
        "fails_first_m": _seven(one.others.at), "fails_already": list(one.others.already),
        "not_evaluated": list(one.others.open),
        "lacks": [{"rule": rule, "cause": cause} for rule, cause in one.others.lacks],
        "unjudged_first": list(one.others.unjudged),
        "unjudged_first_m": _seven(one.others.unjudged_at),
        "retimers": None if retimed is None else {"count": retimed[0], "from_m": _seven(retimed[1]),
                                                  "to_m": _seven(retimed[2])},
    }


def _nine(value: float | None) -> float | None:
    return None if value is None else nine(value)


def _seven(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")
