# SPDX-License-Identifier: MIT
"""Check what an archive holds again, make all of its files anew, and tell what differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isclose
from typing import Any

from pcbrules import rulesets
from pcbrules.api.evidence.archive import unpacked
from pcbrules.api.evidence.inside import checked_inside
from pcbrules.api.evidence.making import SELFTEST, about, members, worst_errors_json
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.phrases import show_path

DIGITS = 1e-5
"""Share within which two numbers are equal: more than processors differ by, less than a report shows."""

TOLD = 20
"""Differences of one file that are told; the others are counted."""

FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class EvidenceDifference:
    """One thing that is not as it was: what, then and now."""

    what: str
    then: str
    now: str

    @property
    def text(self) -> str:
        """The same for a reader."""
        return f"{self.what}: {self.then} in the archive, {self.now} now"


def verify(path: str, *, selftest: bool = True) -> tuple[EvidenceDifference, ...]:
    """Return what differs where the board of an archive is checked again; empty if nothing does.

    Every file but ``machine.json`` is made anew: the report in both forms, the library entries, the manifest, and, if
    the archive has them and ``selftest`` is true, the errors of the self-test.

    Raises
    ------
    InputError
        The archive cannot be read, is not whole, or its inputs cannot be checked by this version.
    """
    manifest, files = unpacked(path)
    try:
        settings, inputs = manifest["settings"], [(str(role), str(name)) for role, name in manifest["inputs"]]
        _check_names(path, settings, inputs, files)
        loaded, report = checked_inside(files, settings, inputs)
        found = list(_of_manifest(manifest, about(report, settings, inputs)))
        for name, data in members(loaded, report).items():
            if name not in files:
                raise KeyError(name)
            found += _of_file(name, files[name], data)
        if SELFTEST in files and selftest:
            found += _of_file(SELFTEST, files[SELFTEST], worst_errors_json())
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError([Problem(path, 0, 0, "", "the archive lacks what a check needs",
                                  expected="an archive that `pcbrules bundle` wrote")]) from None
    return tuple(found)


def _check_names(
    path: str, settings: Mapping[str, Any], inputs: Sequence[tuple[str, str]], files: Mapping[str, bytes]
) -> None:
    """Raise InputError for an input that the archive does not hold: nothing beside it is read."""
    profile = settings["profile"]
    own = [] if profile in rulesets.profiles() else [profile]
    for name in (*(name for _, name in inputs), *own):
        if name not in files:
            raise InputError([Problem(path, 0, 0, "", "the archive does not hold an input", quoted(clip(name, 80)),
                                      "a file of the archive")])


def _of_manifest(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[EvidenceDifference]:
    """What the manifest says of the check, beside what it would say now; digests are compared already."""
    for key, value in now.items():
        was = then.get(key)
        if key == "libraries" and isinstance(was, dict):
            for name in sorted({*was, *value}):
                if was.get(name) != value.get(name):
                    yield EvidenceDifference(f"version of {name}", str(was.get(name, "not there")),
                                             str(value.get(name, "not there")))
        elif was != value:
            name = {"tool": "program"}.get(key, f"{key} of the manifest")
            yield EvidenceDifference(name, clip(str(was), 80), clip(str(value), 80))


def _of_file(name: str, then: bytes, now: bytes) -> list[EvidenceDifference]:
    """What differs between two states of a file: values of a JSON file by their place, else lines."""
    if then == now:
        return []
    found = list(_of_json(name, json.loads(then), json.loads(now)) if name.endswith(".json")
                 else _of_lines(name, then.decode(), now.decode()))
    more = len(found) - TOLD
    return found[:TOLD] + ([EvidenceDifference(name, f"{more} more differences", "left out")] if more > 0 else [])


def _of_json(name: str, then: Any, now: Any) -> Iterator[EvidenceDifference]:
    if name == "report.json":
        before, after = ({(f["rule"], f["subject"]): f for f in tree[FINDINGS]} for tree in (then, now))
        for key in sorted({*before, *after}):
            label = " ".join(key)
            if key not in before or key not in after:
                there = [tree[key]["status"] if key in tree else "not there" for tree in (before, after)]
                yield EvidenceDifference(label, *there)
            else:
                yield from _values(before[key], now=after[key], label=f"{label}, ", place=())
        then, now = ({key: value for key, value in tree.items() if key != FINDINGS} for tree in (then, now))
        yield from _values(then, now, "", ())
    else:
        yield from _values(then, now, f"{name}, ", ())


def _values(then: Any, now: Any, label: str, place: tuple[str | int, ...]) -> Iterator[EvidenceDifference]:
    """The values of two trees that are not equal, by place."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in {**then, **now}:
            yield from _values(then.get(key), now.get(key), label, (*place, key))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, pair in enumerate(zip(then, now, strict=True)):
            yield from _values(*pair, label, (*place, number))
    elif not _equal(then, now):
        yield EvidenceDifference(f"{label}{show_path(place)}", clip(str(then), 80), clip(str(now), 80))


def _of_lines(name: str, then: str, now: str) -> Iterator[EvidenceDifference]:
    for number, (was, line) in enumerate(zip_longest(then.splitlines(), now.splitlines(), fillvalue=""), 1):
        if was != line:
            at = next((i for i, (a, b) in enumerate(zip(was, line, strict=False)) if a != b), min(len(was), len(line)))
            start = max(at - 20, 0)
            yield EvidenceDifference(f"{name}, line {number}", *(quoted(clip(one[start:], 60)) for one in (was, line)))


def _equal(was: Any, now: Any) -> bool:
    numbers = [type(one) in (int, float) for one in (was, now)]
    return isclose(was, now, rel_tol=DIGITS, abs_tol=1e-12) if all(numbers) else bool(was == now)
