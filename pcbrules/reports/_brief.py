# SPDX-License-Identifier: MIT
"""Shorter forms of a sentence for a narrow page, each a whole sentence: nothing is cut within a part of it.

A fix begins with its imperative and a message with its fact, so the beginning is what a reader needs most. Left out
are, as far as the room asks: what stands in parentheses, later sentences and parts, alternatives, and at last the
reason behind a colon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pcbrules.ties import ordered

ENDS = (". ", "; ", ", or ", ", else ")
"""Where a sentence may end sooner; the first one also at a colon."""

PARTS = (". ", "; ", ": ")
"""Where another part of a text begins."""

ALTERNATIVE = ", or "

LEAST = 10
"""Characters of a shorter form at least: less says nothing."""

GIVE = "give `"
"""How a fix begins that names the keys which are not declared."""


def shorter(text: str) -> tuple[str, ...]:
    """Return a text and its shorter forms, the longest first."""
    plain = _without_asides(text)
    found = {text, plain, *_starts(text), *_starts(plain), *_keys(text)}
    return tuple(ordered((one for one in found if len(one) >= LEAST or one == text), key=lambda one: (-len(one), one)))


def fitting(text: str, most: int) -> str:
    """Return the longest form of a text with so many characters at most; empty where none is so short."""
    return next((one for one in shorter(text) if len(one) <= most), "")


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Each place outside quotes with the parentheses that are open there."""
    depth, quoted = 0, False
    for at, char in enumerate(text):
        if char == "`":
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
        if not quoted:
            yield at, depth


def _without_asides(text: str) -> str:
    """A text without what stands in parentheses behind a blank."""
    starts = [at for (_, before), (at, depth) in pairwise(((-1, 0), *_depths(text))) if (before, depth) == (0, 1)]
    ends = [at + 1 for (_, before), (at, depth) in pairwise(((-1, 0), *_depths(text))) if (before, depth) == (1, 0)]
    kept, done = "", 0
    for start, end in zip(starts, ends, strict=False):
        if text[start - 1 : start] == " ":
            kept, done = kept + text[done : start - 1], end
    return kept + text[done:]


def _starts(text: str) -> Iterator[str]:
    """The beginnings of a text that are sentences; of alternatives that are a list the first ones."""
    whole = {at for at, depth in _depths(text) if depth == 0}
    commas: list[int] = []
    for at in sorted(whole):
        if text.startswith(PARTS, at):
            commas = []
        if text.startswith(ALTERNATIVE, at) and commas:
            yield from _fewer(text, [*commas, at])
        elif any(text.startswith(end, at) for end in ENDS) or (text.startswith(": ", at) and ". " not in text[:at]):
            yield text[:at].rstrip()
        elif text.startswith(", ", at):
            commas.append(at)


def _fewer(text: str, commas: Sequence[int]) -> Iterator[str]:
    """Of a list of alternatives that ends at the last comma, the first ones: ``widen the trace or shorten the route``.
    """
    yield text[: commas[0]]
    yield from (f"{text[:last]} or {text[last + 2 : end]}" for last, end in pairwise(commas))


def _keys(text: str) -> Iterator[str]:
    """Of keys that are to be given, the first ones and how many more there are."""
    keys = text.removeprefix("give ").split(", ")
    if not text.startswith(GIVE) or not all(one.startswith("`") and one.endswith("`") for one in keys):
        return
    for most in range(len(keys) - 1, 0, -1):
        left = len(keys) - most
        made = f"give {', '.join(keys[:most])} and {left} more key{'s' if left > 1 else ''}"
        if len(made) < len(text):
            yield made
