# SPDX-License-Identifier: MIT
"""Leaves out and nulls every key of a board, one at a time, and tells which verdict betters.

A tool for developers; the suite runs a slice of it (see test_left_out.py)::

    python tests/left_out_search.py                          # every key of every example board; takes long
    python tests/left_out_search.py workstation-card --under rails.vdd_core

The order is fail, not evaluated, marginal, pass. Leaving out an input may turn a fail into *not evaluated* where
nothing bounds the input; then it gates at the same severity. Whole subjects are no inputs (a link, a rail, an entry of
a list), nor are limits that the board brings along, nor documents.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fuzz_boards import FOLDERS, declared_profile, free, paths

from pcbrules import api, engine, rulesets
from pcbrules.document import Document, read_yaml, show_path
from pcbrules.errors import InputError
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Status
from pcbrules.results.place import Location

BOARDS = FOLDERS["boards"]
RANK = {Status.FAIL: 0, Status.CRASHED: 0, Status.NOT_EVALUATED: 1, Status.MARGINAL: 2, Status.PASS: 3}
SUBJECTS = frozenset({"links", "rails", "accelerators", "evidence"})
"""Top keys and lists whose entries are whole subjects."""
BROUGHT = frozenset({"target", "budget", "workload"})
"""Limits that a board brings along, and what it is for."""

LABELS = frozenset({"name", "note"})
"""Keys by which a report calls a thing."""

Place = tuple[str | int, ...]
Findings = dict[tuple[str, str], Finding]


@dataclass(frozen=True, slots=True)
class Gain:
    """A verdict that betters where a key is left out or nulled."""

    board: str
    key: str
    how: str
    rule: str
    subject: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.board} {self.how} {self.key}: {self.rule} {self.subject} {self.before} becomes {self.after}"


def inputs(document: Document, under: Place = ()) -> Iterator[Place]:
    """Every key that describes the board: of mappings, not the entries of lists, nor whole subjects."""
    for path in paths(document.tree):
        if path[: len(under)] != under or isinstance(path[-1], int) or set(path) & BROUGHT or path[0] == "evidence":
            continue
        if path[-1] in SUBJECTS or path[-1] in LABELS or free(path[:-1]):
            continue
        yield path


def gains(board: Path, under: Place = (), *rules: str) -> Iterator[Gain]:
    """What betters, key by key, of some rules or of all."""
    document = read_yaml(str(board), board.name)
    profile = declared_profile(board)
    for path in inputs(document, under):
        part = alone(document, path)
        before = judged(part, profile, *rules)
        last: object = None
        for how, edited in (("without", part.without(path)), ("null at", part.edited(path, None))):
            try:
                loaded = api.resolve(edited)
            except InputError:
                continue
            if loaded.board == last:
                continue
            last = loaded.board
            for rule, subject, was, now in better(before, findings(edited, profile, *rules)):
                yield Gain(board.stem, show_path(path), how, rule, subject, was, now)


def alone(document: Document, path: Place) -> Document:
    """The board with the one link or rail in which a key stands, if it stands in one: the others have no part in it."""
    for kind in ("links", "rails"):
        names = document.get((kind,)) if kind in document.tree else {}
        for name in [*names] if isinstance(names, dict) else ():
            if path[0] in ("links", "rails") and path[:2] != (kind, name):
                document = document.without((kind, name))
    try:
        api.resolve(document)
    except InputError:
        return document
    return document


_JUDGED: dict[tuple[str, tuple[str, ...], str], Findings] = {}


def judged(document: Document, profile: str, *rules: str) -> Findings:
    """The findings of a board, kept for the next key of the same part."""
    key = (profile, rules, repr(document.tree))
    if key not in _JUDGED:
        _JUDGED.clear()
        _JUDGED[key] = findings(document, profile, *rules)
    return _JUDGED[key]


@cache
def ruleset(profile: str) -> rulesets.Ruleset:
    return rulesets.load(profile)


def findings(of: Document, profile: str, *rules: str) -> Findings:
    """The findings of a board by rule and subject."""
    def locate(path: Place) -> Location:
        return Location(of.file, *of.at(path))

    found = engine.evaluate(api.resolve(of).board, ruleset(profile), locate, rules=rules or None, fixes=False)
    return {(one.rule, one.subject): one for one in found}


def better(before: Findings, after: Findings) -> Iterator[tuple[str, str, str, str]]:
    """Rule, subject, and both statuses of each finding that is better, or that nothing stands for any more."""
    for (rule, subject), was in before.items():
        if was.status not in RANK:
            continue
        now = after.get((rule, subject))
        if now is None:
            if was.status is not Status.PASS and not any(stands(one, was) for one in after.values()):
                yield rule, subject, text(was), "nothing"
        elif now.status not in RANK:
            if was.status is not Status.PASS:
                yield rule, subject, text(was), text(now)
        elif RANK[now.status] > RANK[was.status] and not gates(now, was):
            yield rule, subject, text(was), text(now)


def gates(now: Finding, was: Finding) -> bool:
    """True for a fail that is not evaluated now, and weighs as much."""
    return now.status is Status.NOT_EVALUATED and SEVERITY_ORDER[now.severity] <= SEVERITY_ORDER[was.severity]


def stands(now: Finding, was: Finding) -> bool:
    """True if a finding of the same rule stands for one that there is no more: about the whole, or another peak.

    The names of peaks are those of their elements, which other inputs may change.
    """
    peaks = [one.subject.partition(".peaks.")[0] for one in (was, now) if ".peaks." in one.subject]
    whole = (was.subject.startswith(now.subject) or now.subject in ("board", _limit(was), _every(was))
             or peaks[:1] == peaks[1:] != [])
    worse = now.status in RANK and RANK[now.status] <= RANK[was.status]
    return now.rule == was.rule and whole and (worse or gates(now, was))


def _limit(of: Finding) -> str:
    """The subject of a limit of a rail that could not be had: ``rails.core.z``."""
    return f"{'.'.join(of.subject.split('.')[:2])}.z"


def _every(of: Finding) -> str:
    """The subject of one answer for all of a kind: ``stackup.resin``."""
    first, *_, last = of.subject.split(".")
    return f"{first}.{last}"


def text(one: Finding) -> str:
    return f"{one.status.value} ({one.severity.value})"


def main() -> None:
    """Search boards and print each gain."""
    parser = argparse.ArgumentParser()
    parser.add_argument("boards", nargs="*", help="names of example boards; all if none is given")
    parser.add_argument("--under", default="", help="only keys below this one, a.b.0.c")
    arguments = parser.parse_args()
    under = tuple(int(part) if part.isdecimal() else part for part in arguments.under.split(".") if part)
    files = [BOARDS / f"{name}.yaml" for name in arguments.boards] or sorted(BOARDS.glob("*.yaml"))
    count, begun = 0, time.monotonic()
    for file in files:
        for gain in gains(file, under):
            count += 1
            print(gain, flush=True)
        print(f"# {file.stem} after {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
