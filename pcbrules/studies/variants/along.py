# SPDX-License-Identifier: MIT
"""What moves along with an input that is varied, so that the board stays one.

A value keeps the tolerance that the board file gives it, a wider trace its etch, a longer one the difference of its
legs, the shares of its lanes, the share that lies beside its neighbours and the places of the loads on it, and a
thicker layer makes a thicker board. What is varied itself, or not declared, is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.studies.variants.axes import Edits
from pcbrules.ties import steady
from pcbrules.units import NUMBER, UnitError, convert, parse, unit_of

DIGITS = 12
"""Digits of a number that moves along."""

Moved = Callable[[float, float, float], float]
"""Of an input: what it was, and what it was and is that it follows, in SI units."""


def by_difference(own: float, was: float, now: float) -> float:
    """Return what has moved by as much as another input."""
    return own + now - was


def _in_proportion(own: float, was: float, now: float) -> float:
    return own * now / was


FOLLOWERS: dict[str, tuple[tuple[Path, Moved, str], ...]] = {
    "width": ((("top_width",), by_difference, "etch kept"),),
    "length": (
        (("length_p",), by_difference, "skew kept"),
        (("length_n",), by_difference, "skew kept"),
        (("lane_lengths", "max"), _in_proportion, "share of the length kept"),
        (("lane_lengths", "min"), _in_proportion, "share of the length kept"),
        (("neighbours", "coupled_length"), _in_proportion, "share of the length kept"),
    ),
}
"""By key of a trace: what stands beside it, how it moves, and why."""

TOLERANCE = re.compile(r"[+\-±]")
"""How a tolerance begins behind a number and its unit."""

THICKNESS: Path = ("board", "thickness", "value")


def with_what_moves(document: Document, edits: Edits) -> tuple[Edits, tuple[str, ...]]:
    """Return the edits with those of what moves along, and for each kind of it what is kept.

    Parameters
    ----------
    document : Document
        The board file as it is.
    edits : sequence of (Path, value)

    Returns
    -------
    (Edits, tuple of str)
        The second are texts such as ``top_width (etch kept)``, each once.
    """
    taken = {path for path, _ in edits}
    more: dict[Path, str] = {}
    kept: list[tuple[Path, Any]] = []
    said: dict[str, None] = {}
    for path, value in edits:
        kept.append((path, _with_tolerance(document.get(path, None), value)))
        if kept[-1][1] != value:
            said["tolerance (as in the board file)"] = None
        for place, moved, why in _followers(document, path):
            if place in taken:
                continue
            text = moved_text(more.get(place, document.get(place)), document.get(path, None), value, moved)
            if text:
                more[place] = text
                said[f"{_key(place)} ({why})"] = None
    return (*kept, *more.items()), tuple(said)


def _with_tolerance(was: object, now: object) -> object:
    """A value with the tolerance that it had, where it brings none of its own."""
    if not (isinstance(was, str) and isinstance(now, str)):
        return now
    old, new = (NUMBER.match(text) for text in (was, now))
    if old is None or new is None or TOLERANCE.search(now, new.end()):
        return now
    sign = TOLERANCE.search(was, old.end())
    return f"{now} {was[sign.start():]}" if sign else now


def _followers(document: Document, path: Path) -> Iterator[tuple[Path, Moved, str]]:
    """The declared inputs that follow one."""
    if len(path) >= 2 and path[-2] == "trace":
        for keys, moved, why in FOLLOWERS.get(str(path[-1]), ()):
            for place in _declared(document, path[:-1], keys):
                yield place, moved, why
        for place in _loads(document, path) if path[-1] == "length" else ():
            yield place, _in_proportion, "share of the length kept"
    if path[0] == "via_types" and path[-2:] == ("antipad", "width"):
        for place in _declared(document, path[:-1], ("length",)):
            yield place, by_difference, "as far beside the barrels as between them"
    if path[:1] == ("stackup",) and path[-1] == "thickness" and document.get(THICKNESS, None) is not None:
        mask = document.get((*path[:-1], "kind"), None) == "mask"
        if not mask or document.get((*THICKNESS[:-1], "over"), None) == "mask":
            yield THICKNESS, by_difference, "sum of the layers kept"


def _loads(document: Document, path: Path) -> Iterator[Path]:
    """Where the loads on a trace stand back from its end."""
    *steps, at, _, _ = path
    for place in range(int(at) + 1, len(document.get(tuple(steps)))):
        here = (*steps, place, "load")
        if document.get(here, None) is None:
            return
        if document.get((*here, "back"), None) is not None:
            yield (*here, "back")


def _declared(document: Document, base: Path, keys: Path) -> Iterator[Path]:
    """Where a key stands below a place, in each item of a list."""
    if not keys:
        yield base
        return
    here = document.get((*base, keys[0]), None)
    if isinstance(here, list):
        for item in range(len(here)):
            yield from _declared(document, (*base, keys[0], item), keys[1:])
    elif here is not None:
        yield from _declared(document, (*base, keys[0]), keys[1:])


def moved_text(own: object, was: object, now: object, moved: Moved) -> str:
    """Return the text of an input that has moved, in its own unit and with its own tolerance; empty where it cannot."""
    if not (isinstance(own, str) and isinstance(was, str) and isinstance(now, str)):
        return ""
    start = NUMBER.match(own)
    try:
        value = moved(*(parse(text, "length").value for text in (own, was, now)))
    except (UnitError, ZeroDivisionError):
        return ""
    if start is None or not value > 0:
        return ""
    return f"{steady(convert(value, unit_of(own), 'length')):.{DIGITS}g}{own[start.end():]}"


def _key(path: Path) -> str:
    """The keys of a place below its list, such as ``lane_lengths.max``."""
    words = [step for step in path if isinstance(step, str)]
    inside = next((words.index(one) + 1 for one in ("trace", "load") if one in words), 0)
    return ".".join(words[inside:])
