# SPDX-License-Identifier: MIT
"""How messages repeat what a user wrote: short, escaped, quoted."""

from __future__ import annotations

import re

SCALAR_LIMIT = 200  # characters of the user's text that one message repeats

# Characters that a terminal or an editor obeys instead of showing: C0 and C1 controls, line and paragraph
# separators, zero-width and bidirectional marks, surrogates, byte order mark, non-characters, tags.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_WORD = re.compile(r"[\w+-]{1,200}")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

Path = tuple[str | int, ...]  # the keys and list indices that lead to a value


def show_path(path: Path) -> str:
    """Return `links.a.path[2].via` for ("links", "a", "path", 2, "via"); unusual keys are quoted."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{quoted(step)}]"
    return text


def escape(text: str) -> str:
    """Return `text` with every unseen character written as an escape; harmless to repeat."""
    return _UNSEEN.sub(lambda found: _SHORT.get(found[0]) or _code(ord(found[0])), text)


def clip(text: str, limit: int = SCALAR_LIMIT) -> str:
    """Return at most `limit` characters of `text`, escaped, with `...` where something was cut."""
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    short = escape(text)
    return short if len(short) <= limit else short[: limit - 3] + "..."


def quoted(value: object) -> str:
    """Return the phrase for the `found` of a problem: `'text'`, `12`, `true`, `nothing`, `a list`."""
    if isinstance(value, str):
        return f"'{clip(value)}'"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a number of more than 40 digits"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return clip(str(value))


def _code(point: int) -> str:
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
