# SPDX-License-Identifier: MIT
"""The reference of what `import pcbrules` offers, from signatures and docstrings."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pcbrules

LEAD = """# Python

What `import pcbrules` offers; [how to use it](../how-to/use_from_python.md). Numbers are in
SI units unless a unit stands beside them.

In the signatures `FileGiven` is the path of a file, its text (which has more than one line) or the mapping that it
holds. `BoardGiven` is that or a board from `load`; `ProfileGiven` is that, the name of a shipped profile or a
`Ruleset`.
"""

LINE = 100
"""Characters of a signature in one line."""

SECTION = re.compile(r"^(Parameters|Returns|Raises|Attributes|Examples)\n-+$", re.MULTILINE)


def pages() -> dict[str, str]:
    """The page of all public names: functions, then classes with their public methods."""
    named = [(name, getattr(pcbrules, name)) for name in pcbrules.__all__ if not name.startswith("__")]
    parts = [LEAD]
    for name, thing in sorted(named, key=lambda one: (inspect.isclass(one[1]), one[0])):
        parts += _class(name, thing) if inspect.isclass(thing) else _part("##", f"pcbrules.{name}", thing)
    return {"reference/python.md": "\n".join(parts)}


def _class(name: str, thing: type[Any]) -> Iterator[str]:
    yield f"## pcbrules.{name}\n"
    yield _text(thing)
    if issubclass(thing, enum.Enum):
        yield "Values: " + ", ".join(f"`{one.value}`" for one in thing) + "\n"
        return
    for method, member in vars(thing).items():
        if method.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"### {name}.{method}\n"
            yield _text(member)
        elif inspect.isfunction(member):
            yield from _part("###", f"{name}.{method}", member)


def _part(level: str, name: str, thing: Any) -> Iterator[str]:
    yield f"{level} {name}\n"
    signature = re.sub(r"<\w+\.(\w+): '\w+'>", r"\1", str(inspect.signature(thing)))
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature).replace("(self, ", "(").replace("(self)", "()")
    yield f"```python\n{_broken(name.rpartition('.')[2] + signature)}\n```\n"
    yield _text(thing)


def _broken(call: str) -> str:
    """A signature that is longer than a line with one argument a line."""
    head, rest = call.split("(", 1)
    inside, tail = rest.rsplit(") -> ", 1) if ") -> " in rest else (rest.removesuffix(")"), "")
    if len(call) <= LINE:
        return call
    parts = re.split(r", (?=\*|\w+: |\w+=|\w+$)", inside)
    return head + "(\n" + "".join(f"    {part},\n" for part in parts) + ")" + (f" -> {tail}" if tail else "")


def _text(thing: Any) -> str:
    """A docstring with its sections as bold words, entries as lists."""
    text = SECTION.sub(lambda found: f"**{found[1]}**\n", inspect.getdoc(thing) or "")
    lines, inside = [], False
    for line in text.replace("``", "`").splitlines():
        inside = inside or line.startswith("**")
        entry = inside and line and not line.startswith((" ", "**", ">>>", "'"))
        lines.append(f"- `{line}`" if entry else f"  {line.strip()}" if inside and line.startswith(" ") else line)
    return "\n".join(lines) + "\n"
