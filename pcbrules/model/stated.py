# SPDX-License-Identifier: MIT
"""Values of a board file that set a limit, a bound or a condition of the check, rather than describe copper or a part.

A change of one of them can make a board pass of which nothing was built otherwise, so a comparison of two reports
tells it. A tolerance of any value is one of them: the worst case rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from math import isclose
from typing import Any, NamedTuple

from pcbrules.phrases import Path, show_path
from pcbrules.units import NUMBER, UnitError, dimension_of, parse


class Easier(StrEnum):
    """Which change of a value makes a check easier to pass."""

    HIGHER = "higher"
    LOWER = "lower"
    RATING = "rating"
    UNKNOWN = "unknown"


HIGHER, LOWER, UNKNOWN = Easier.HIGHER, Easier.LOWER, Easier.UNKNOWN
RATING = Easier.RATING
"""A higher one makes it easier; it says what a part can do, so that another part has another one."""

Terms = Mapping[str, "Easier | Terms"]

_POWER: Terms = {"sustained": LOWER, "peak": LOWER}

TERMS: Terms = {
    "board": {"platform": UNKNOWN, "form_factor": UNKNOWN},
    "fabrication": {
        "class": UNKNOWN, "aspect_ratio": HIGHER, "min_dielectric": LOWER, "ipc_class": LOWER, "tolerances": LOWER,
        "impedance_control": {"tolerance": UNKNOWN, "coupon": UNKNOWN},
    },
    "materials": UNKNOWN,
    "via_types": {"*": {"backdrill": {"tolerance": LOWER, "*": {"tolerance": LOWER}}}},
    "links": {"*": {
        "standard": UNKNOWN, "lanes": UNKNOWN, "segment": UNKNOWN, "impedance": UNKNOWN, "lane_skew": HIGHER,
        "budget": {"loss": HIGHER, "at": UNKNOWN, "planes": UNKNOWN, "source": UNKNOWN},
        "crosstalk_elsewhere": {"bound": HIGHER, "source": UNKNOWN},
        "path": {"*": {"crosstalk": {"bound": HIGHER, "source": UNKNOWN}, "loss": LOWER, "at": UNKNOWN, "skew": LOWER,
                       "touchstone": UNKNOWN}},
    }},
    "rails": {"*": {
        "role": UNKNOWN, "load": UNKNOWN, "voltage": UNKNOWN, "tolerance": HIGHER, "load_line": UNKNOWN,
        "target": HIGHER, "crossover": UNKNOWN,
        "current": {"sustained": LOWER, "peak": LOWER, "step": LOWER, "slew": LOWER, "idle": HIGHER},
        "ladder": {"*": {"touchstone": UNKNOWN}},
        "vrm": {"rated_continuous": RATING, "rated_peak": RATING, "over_current_limit": RATING, "phase_rating": RATING,
                "rated_at": UNKNOWN, "ambient": LOWER, "thermal_evidence": UNKNOWN, "touchstone": UNKNOWN},
    }},
    "thermal": {
        "cooling": UNKNOWN, "inlet": LOWER, "board_air": {"temperature": LOWER, "top": HIGHER, "bottom": HIGHER},
        "via_arrays": {"*": {"power": LOWER, "allowed_rise": HIGHER}},
    },
    "power": {
        "supplies": {"count": RATING, "redundant": LOWER, "capacity": RATING}, "system_peak": LOWER,
        "card": {"connectors": UNKNOWN, "peak": LOWER},
    },
    "system": {
        "accelerators": {"*": {"type": UNKNOWN, "count": LOWER, "power": _POWER, "on_board": UNKNOWN}},
        "rack": {"power": LOWER, "cooling": UNKNOWN},
    },
    "workload": UNKNOWN,
    "evidence": UNKNOWN,
    "conditions": {"hot": LOWER, "plane_temperature": LOWER, "slew": LOWER, "duty": LOWER, "load_step": LOWER,
                   "*": UNKNOWN},
}
"""By place in the board file, `*` for any name; of what holds others, for all in it. The rest describes the board.
`conditions` are those of the profile."""

TOLERANCE = re.compile(r"\+/?-|±|(?<=\S)\s*\+\s*[0-9]")


class Stated(NamedTuple):
    """A value, the name of its place, which holds where a list grows, and the place itself."""

    key: str
    value: str
    path: Path


def stated(tree: Any) -> Iterator[Stated]:
    """Yield the values of a board file that set a limit, a bound or a condition, and those with a tolerance."""
    yield from _stated(tree, TERMS, (), ())


def conditions(texts: Iterable[tuple[str, str]]) -> Iterator[Stated]:
    """Yield the conditions of a profile, given as name and text."""
    return (Stated(f"conditions.{name}", text, ()) for name, text in texts)


def easier(key: Path) -> Easier | None:
    """Return which change of the value with this name makes a check easier; None where only its tolerance counts."""
    terms: Easier | Terms | None = TERMS
    for step in key:
        if isinstance(terms, Easier) or terms is None:
            break
        terms = terms.get(str(step), terms.get("*"))
    return terms if isinstance(terms, Easier) else None


def loosened(key: Path, was: str, now: str) -> bool | None:
    """Return whether a change makes a check easier to pass; None where nobody can say.

    >>> loosened(("links", "up", "crosstalk_elsewhere", "bound"), "40 dB", "60 dB")
    True
    >>> loosened(("links", "up", "path", "trace1", "width"), "4 mil +- 10 %", "5 mil +- 0.3 mil")
    True
    """
    sense, before, after = easier(key), _amount(was), _amount(now)
    if sense is UNKNOWN or before is None or after is None or before[0] != after[0]:
        return None
    if sense is not None and not isclose(before[1], after[1]):
        return after[1] < before[1] if sense is LOWER else after[1] > before[1]
    if before[2] is None or after[2] is None:
        return None if before[2] is not after[2] else False
    return after[2] < before[2] and not isclose(before[2], after[2])


def _stated(tree: Any, terms: Easier | Terms | None, name: Path, path: Path) -> Iterator[Stated]:
    if isinstance(tree, dict):
        for key, below in tree.items():
            yield from _stated(below, _below(terms, str(key)), (*name, str(key)), (*path, key))
    elif isinstance(tree, list):
        for label, at, below in _labelled(tree):
            yield from _stated(below, _below(terms, str(label)), (*name, label), (*path, *at))
    elif tree is not None and name[-1:] != ("note",):
        text = str(tree)
        if isinstance(terms, Easier) or TOLERANCE.search(text):
            yield Stated(show_path(name), text, path)


def _below(terms: Easier | Terms | None, key: str) -> Easier | Terms | None:
    return terms.get(key, terms.get("*")) if isinstance(terms, Mapping) else terms


def _labelled(entries: list[Any]) -> Iterator[tuple[str | int, Path, Any]]:
    """The entries of a list by name; a step of a path by its kind and the number of its kind, as findings call it."""
    seen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        kind = next(iter(entry)) if isinstance(entry, dict) and len(entry) == 1 else ""
        body = entry[kind] if kind else entry
        held = isinstance(body, dict)
        if kind and held:
            seen[kind] = seen.get(kind, 0) + 1
        known = body.get("name") if held else None
        label = known if isinstance(known, str) else f"{kind}{seen[kind]}" if kind and held else place
        yield label, (place, kind) if kind and held else (place,), body if held else entry


def _amount(text: str) -> tuple[str, float, float | None] | None:
    """Dimension, value and tolerance of a quantity in SI; None of what is none."""
    start = NUMBER.match(text)
    if start is None:
        return None
    sign = TOLERANCE.search(text)
    unit = text[start.end() : sign.start() if sign else None].strip()
    try:
        dimension = dimension_of(unit)
        found = parse(text, dimension)
    except UnitError:
        return None
    least = None if found.minus is None or found.plus is None else found.minus + found.plus
    return dimension, found.value, least
