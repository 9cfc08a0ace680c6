# SPDX-License-Identifier: MIT
"""Parts of a board that a study names behind a rule, `SIG001:links.up`: one that the board does not have is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.api._edited import judged
from pcbrules.api._loaded import Loaded
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.model.board import Board
from pcbrules.phrases import parts_of, under, within
from pcbrules.results.profile import Ruleset
from pcbrules.spelling import cure, look_alikes
from pcbrules.studies.variants.judged import ShownRule

MOST = 20
"""Known parts that a message lists."""


def refuse_unknown_parts(option: str, shown: Sequence[ShownRule], loaded: Loaded, ruleset: Ruleset) -> None:
    """Raise InputError where a part is neither in the board file nor one that its rules have a finding of.

    Parameters
    ----------
    option : str
        The option or key in which the parts stand: `--show`.
    shown : sequence of ShownRule
        The rules, each with its part; without one nothing is asked.
    loaded : Loaded
        The board as it is. It is judged only by rules with a part that the board file does not have under its name.
    ruleset : Ruleset
    """
    board = loaded.board
    stated = tuple(_stated(loaded))
    asked: dict[str, list[str]] = {}
    for one in shown:
        if one.part and one.part not in stated:
            asked.setdefault(one.part, []).append(one.rule)
    for part in asked:
        section, _, rest = part.partition(".")
        names = _named(board).get(section)
        if rest and names is not None and not any(within(part, f"{section}{under(name)}") for name in names):
            raise _refusal(option, part, [f"{section}{under(name)}" for name in names])
    for part, rules in asked.items():
        subjects = tuple(dict.fromkeys(one.subject for one in judged(loaded.document, ruleset, tuple(rules))))
        if not any(within(subject, part) for subject in subjects):
            head = parts_of(part)[:2]
            near = [one for one in subjects if parts_of(one)[:2] == head]
            raise _refusal(option, part, near or list(subjects))


def _named(board: Board) -> dict[str, tuple[str, ...]]:
    """The sections whose keys the user chose, with these keys."""
    return {"links": tuple(one.name for one in board.links or ()), "rails": tuple(board.rails or ())}


def _stated(loaded: Loaded) -> Iterator[str]:
    """The parts of a board file: its sections, its links with their steps, its rails."""
    board = loaded.board
    yield from (section for section in loaded.document.tree if isinstance(section, str))
    for link in board.links or ():
        yield link.subject
        yield from (f"{link.subject}.path{under(step.name)}" for step in link.steps)
    yield from (f"rails{under(name)}" for name in board.rails or ())


def _refusal(option: str, part: str, known: Sequence[str]) -> InputError:
    near = look_alikes(part, known)
    fix = cure(part, known) or (f"did you mean {' or '.join(near)}?" if near else "")
    more = f" and {len(known) - MOST} more" if len(known) > MOST else ""
    return InputError([Problem(option, 0, 0, "", "the board has no such part", quoted(part),
                               clip(", ".join(known[:MOST]) + more, 400) or "there is none", fix)])
