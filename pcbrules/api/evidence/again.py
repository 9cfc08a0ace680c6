# SPDX-License-Identifier: MIT
"""Check what an archive holds again, and tell what differs."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

from pcbrules import reports, rulesets, waivers
from pcbrules.api._judging import Options, check
from pcbrules.api._loaded import load
from pcbrules.api.evidence.archive import unpacked
from pcbrules.document import read_yaml
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.results.report import InputFile
from pcbrules.version import VERSION

DIGITS = 1e-5
"""Share within which two numbers are equal: more than processors differ by, less than a report shows."""

COMPARED = ("status", "severity", "basis", "unit")
NUMBERS = ("measured", "lo", "hi", "limit", "margin")


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


def verify(path: str) -> tuple[EvidenceDifference, ...]:
    """Return what differs where the board of an archive is checked again; empty if nothing does.

    Raises
    ------
    InputError
        The archive cannot be read, is not whole, or its inputs cannot be checked by this version.
    """
    manifest, files = unpacked(path)
    try:
        old = json.loads(files["report.json"])
        settings, inputs = manifest["settings"], [(str(role), str(name)) for role, name in manifest["inputs"]]
        _check_names(path, settings, inputs, files)
        with tempfile.TemporaryDirectory() as folder:
            for name, data in files.items():
                target = Path(folder) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            new = _again(folder, settings, inputs)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError([Problem(path, 0, 0, "", "the archive lacks what a check needs",
                                  expected="an archive that `pcbrules bundle` wrote")]) from None
    return tuple(_differences(manifest, old, new))


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


def _again(folder: str, settings: Mapping[str, Any], inputs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The report of the unpacked inputs, as a tree."""
    named = dict(reversed(inputs))  # of several files of a role the first
    with chdir(folder):  # places of findings are relative to it
        loaded = load(Path(named["board"]), overlay=named.get("overlay"))
        permissions: tuple[waivers.Permission, ...] = ()
        waiver_file = None
        if "waivers" in named:
            document = read_yaml(named["waivers"])
            permissions = waivers.read_waivers(document)
            waiver_file = InputFile("waivers", document.file, document.sha256)
        today = dt.date.fromisoformat(settings["today"]) if settings.get("today") else None
        report = check(loaded, settings["profile"], Options(), permissions=permissions, waiver_file=waiver_file,
                       today=today)
        return dict(json.loads(reports.render("json", [report])))


def _differences(
    manifest: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[EvidenceDifference]:
    if manifest.get("tool") != f"pcbrules {VERSION}":
        yield EvidenceDifference("program", str(manifest.get("tool")), f"pcbrules {VERSION}")
    for name in sorted({*old["libraries"], *new["libraries"]}):
        one, other = (tree["libraries"].get(name, "not there") for tree in (old, new))
        if one != other:
            yield EvidenceDifference(f"version of {name}", one, other)
    if manifest.get("verdict") != old["verdict"]:
        yield EvidenceDifference("verdict of the manifest", str(manifest.get("verdict")), new["verdict"])
    if old["verdict"] != new["verdict"]:
        yield EvidenceDifference("verdict", old["verdict"], new["verdict"])
    before, after = ({(f["rule"], f["subject"]): f for f in tree["findings"]} for tree in (old, new))
    for key in sorted({*before, *after}):
        name = " ".join(key)
        if key not in before or key not in after:
            there = [tree[key]["status"] if key in tree else "not there" for tree in (before, after)]
            yield EvidenceDifference(name, *there)
            continue
        for part in (*COMPARED, *NUMBERS):
            was, now = before[key].get(part), after[key].get(part)
            if not _equal(was, now):
                yield EvidenceDifference(f"{name}, {part}", str(was), str(now))


def _equal(was: Any, now: Any) -> bool:
    if isinstance(was, int | float) and isinstance(now, int | float):
        return isclose(was, now, rel_tol=DIGITS, abs_tol=1e-12)
    return bool(was == now)


