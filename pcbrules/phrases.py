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
# Blanks that look like the plain one: a message on what was found must tell them apart.
_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_WORD = re.compile(r"[\w+-]{1,200}")
_STEP = re.compile(
    r"\.(?P<word>[\w+-]{1,200})|\['(?P<name>[^'\[\]]{1,200})'\]|\[(?P<index>[0-9]{1,9})\]|(?P<first>[\w+-]{1,200})"
)
_COMMAND = re.compile(r"^(\s*:)(?=:)|(##)(?=\[|vso\[|teamcity\[)", re.MULTILINE)
"""How a line begins, or what it holds, that a CI system obeys where it reads the output of a job.

GitHub (`::name::`, behind blanks too; `##[name]` anywhere), Azure Pipelines (`##vso[`, `##[`) and TeamCity
(`##teamcity[`) do.
"""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

Path = tuple[str | int, ...]  # the keys and list indices that lead to a value


def show_path(path: Path) -> str:
    """Return `links.a.path[2].via` for ("links", "a", "path", 2, "via"); names with a dot stand as `['F.Cu']`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{quoted(step)}]"
    return text


def under(*names: str) -> str:
    """Return what follows a path that leads to these names: `.up`, `['F.Cu']`."""
    return "".join(f".{name}" if _WORD.fullmatch(name) else f"[{quoted(name)}]" for name in names)


def read_path(text: str) -> Path | None:
    """Return the path that `show_path` writes as `text`; None for a text that is no path.

    >>> read_path("links.up.path[2].via"), read_path("stackup['F.Cu']"), read_path("stackup.['x']")
    (('links', 'up', 'path', 2, 'via'), ('stackup', 'F.Cu'), None)
    """
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or found["word" if not steps else "first"] is not None:
            return None
        index = found["index"]
        steps.append(int(index) if index is not None else found["name"] or found["word"] or found["first"])
        at = found.end()
    return tuple(steps) if steps else None


def within(subject: str, whole: str) -> bool:
    """Return True if a path, as `show_path` writes it, is another one or lies below it."""
    return subject == whole or subject.startswith((f"{whole}.", f"{whole}["))


def parts_of(subject: str) -> tuple[str, ...]:
    """Return the steps of a path as texts; of a text that is no path, the text alone."""
    path = read_path(subject)
    return (subject,) if path is None else tuple(str(step) for step in path)


def escape(text: str) -> str:
    """Return `text` with every unseen character written as an escape; harmless to repeat."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda found: _SHORT.get(found[0]) or _code(ord(found[0])), text)


def uncommanded(text: str) -> str:
    """Return `text` with a blank in what a CI system would take for a command; harmless to repeat.

    >>> uncommanded("::error::x"), uncommanded("a ##vso[task.complete]x"), uncommanded("a::b")
    (': :error::x', 'a ## vso[task.complete]x', 'a::b')
    """
    return _COMMAND.sub(lambda found: f"{found[0]} ", text) if "::" in text or "##" in text else text


def uncommanded_markup(text: str) -> str:
    """Return the same for XML and HTML, which read as before: a sign of each command is written by its number."""
    return _COMMAND.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", text)


def uncommanded_json(text: str) -> str:
    """Return the same for JSON, which reads as before; none of its lines begins with a colon."""
    return _COMMAND.sub(lambda found: found[0] if found[1] else "#\\u0023", text) if "##" in text else text


def clip(text: str, limit: int = SCALAR_LIMIT) -> str:
    """Return at most `limit` characters of `text`, escaped, with `...` where something was cut."""
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    short = escape(text)
    return short if len(short) <= limit else short[: limit - 3] + "..."


def quoted(value: object) -> str:
    """Return the phrase for the `found` of a problem: `'text'`, `12`, `true`, `nothing`, `a list`."""
    if isinstance(value, str):
        return f"'{clip(_BLANK.sub(lambda found: _code(ord(found[0])), value[: SCALAR_LIMIT + 1]))}'"
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
