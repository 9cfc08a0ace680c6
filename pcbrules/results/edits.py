# SPDX-License-Identifier: MIT
"""Edits of a board file that a fix asks for, in words: each key with its value as it is to be typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.phrases import show_path
from pcbrules.results.place import Address


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit of the board file: the key at ``path`` gets ``value``, a text in the unit that the key has there."""

    path: Address
    value: str

    __repr__ = brief

    @property
    def key(self) -> str:
        """The key as messages name it."""
        return show_path(self.path)


Edits = tuple[Proposal, ...]
"""Edits that belong together: all of them are to be made."""

@dataclass(frozen=True, slots=True)
class Fix:
    """What would cure a finding: ``text`` names the keys of ``ways``, the edits of each of which alone are enough.

    ``cures`` is False for edits that are the best of what was tried and do not meet the limit; ``otherwise`` says what
    is left then. ``lead`` says what the edits do, where they do not say it themselves. ``shorter`` are texts for a page
    without room, the longest first.
    """

    text: str
    ways: tuple[Edits, ...] = ()
    lead: str = ""
    cures: bool = True
    otherwise: str = ""
    shorter: tuple[str, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A fix that has to be solved: ``run`` does it. ``changes`` names the via type that it looks at, ``otherwise`` what
    is left where that does not help.
    """

    run: Callable[[], str | Fix]
    changes: str = ""
    otherwise: str = ""

    __repr__ = brief

    def __call__(self) -> Fix:
        """Solve it."""
        made = self.run()
        return Fix(made) if isinstance(made, str) else made


NO_FIX = "no fix found"
"""How the text of a fix begins where nothing that was tried meets the limit."""


def labelled(fix: str) -> str:
    """Return the text of a fix as it reads behind the label *fix*: ``none found: the best edits reach ...``."""
    return f"none found{fix.removeprefix(NO_FIX)}" if fix.startswith(NO_FIX) else fix


WHOLE = "side"
"""A key that only a new record of a backdrill is given: the record is then written as one."""

Tree = dict[str | int, "str | Tree"]


def asked(edits: Sequence[Proposal]) -> str:
    """Return what is to be done: keys that are there are set, a new record is written."""
    return f"{'write' if any(one.path[-1] == WHOLE for one in edits) else 'set'} {said(edits)}"


def said(edits: Sequence[Proposal]) -> str:
    """Return edits as they are to be typed: ```antipad.width: 1.07 mm` and `pitch: 0.95 mm` in `via_types.fast```."""
    if len(edits) == 1:
        return f"`{edits[0].key}: {edits[0].value}`"
    place = _shared([one.path[:-1] for one in edits])
    if place[:1] == ("via_types",):
        place = place[:2]
    if not place:
        return listed([f"`{one.key}: {one.value}`" for one in edits])
    return f"{listed(_typed(place, edits))} in `{show_path(place)}`"


def keys(edits: Sequence[Proposal]) -> str:
    """Return what edits change, without values: ``antipad and pitch of `via_types.fast```."""
    place = _shared([one.path[:-1] for one in edits])[:2]
    return f"{listed(list(dict.fromkeys(str(one.path[len(place)]) for one in edits)))} of `{show_path(place)}`"


def _shared(paths: Sequence[Address]) -> Address:
    """The beginning that all paths share."""
    shared: Address = paths[0]
    for path in paths[1:]:
        same = 0
        while same < min(len(shared), len(path)) and shared[same] == path[same]:
            same += 1
        shared = shared[:same]
    return shared


def listed(texts: Sequence[str]) -> str:
    """Return texts as a list of a sentence: ``a, b and c``."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


def _typed(place: Address, edits: Sequence[Proposal]) -> list[str]:
    """Edits below one place, a new record as one."""
    tree: Tree = {}
    for one in edits:
        here = tree
        for step in one.path[len(place):-1]:
            below = here.setdefault(step, {})
            here = below if isinstance(below, dict) else here
        here[one.path[-1]] = one.value
    texts = []
    for key, value in tree.items():
        if isinstance(value, dict) and not _new(value):
            texts += [f"`{show_path(path)}: {text}`" for path, text in _leaves((key,), value)]
        else:
            texts.append(f"`{show_path((key,))}: {_flow(value)}`")
    return texts


def _new(value: Tree) -> bool:
    return WHOLE in value or any(isinstance(below, dict) and _new(below) for below in value.values())


def _leaves(path: Address, value: str | Mapping[str | int, str | Tree]) -> list[tuple[Address, str]]:
    if isinstance(value, str):
        return [(path, value)]
    return [leaf for key, below in value.items() for leaf in _leaves((*path, key), below)]


def _flow(value: str | Tree) -> str:
    """A value as YAML on one line."""
    if isinstance(value, str):
        return value
    if all(isinstance(key, int) for key in value):
        return f"[{', '.join(_flow(one) for one in value.values())}]"
    return f"{{{', '.join(f'{key}: {_flow(one)}' for key, one in value.items())}}}"
