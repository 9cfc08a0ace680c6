# SPDX-License-Identifier: MIT
"""Make the archive of a check."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from pcbrules import reports
from pcbrules.api._loaded import Loaded
from pcbrules.api.evidence.archive import packed
from pcbrules.api.evidence.inside import checked_inside
from pcbrules.errors import InputError, Problem
from pcbrules.results.report import InputFile, Report
from pcbrules.version import VERSION

SELFTEST = "selftest.json"


def evidence(loaded: Loaded, report: Report, settings: Mapping[str, Any], *, selftest: bool = True) -> bytes:
    """Return the archive of a report: inputs, used library entries, the report as JSON and HTML, versions.

    Parameters
    ----------
    loaded : Loaded
        The board that was checked.
    report : Report
        What came out.
    settings : mapping
        What `verify` needs to check again: ``profile``, a name or the path of a ruleset file, and ``today``.
    selftest : bool
        Run the self-test, and tell the worst error of each model as the report does.

    Raises
    ------
    InputError
        An input is no file any more, or not the one that was checked; or the files alone give other findings.
    """
    if not any(one.role == "board" for one in _files(report)):
        raise InputError([Problem(loaded.document.file, 0, 0, "", "is no file that an archive can hold",
                                  expected="a board file, or a layout that is one file")])
    own = next((one for one in _files(report) if one.role == "ruleset" and one.file == settings["profile"]), None)
    settings = {**settings, "profile": place(own, report) if own else settings["profile"]}
    files, inputs = _inputs(report), [(one.role, place(one, report)) for one in _files(report)]
    board, inside = checked_inside(files, settings, inputs)
    if [(one.rule, one.subject, one.status) for one in inside.findings] != [
            (one.rule, one.subject, one.status) for one in report.findings]:
        raise InputError([Problem(loaded.document.file, 0, 0, "", "the check rests on a file that no input names",
                                  fix="put it beside the board file, or into it")])
    files |= members(board, inside)
    if selftest:
        files[SELFTEST] = worst_errors_json()
    machine = {"python": platform.python_version(), "system": sys.platform, "processor": platform.machine()}
    return packed(files, about(inside, settings, inputs), machine)


def about(report: Report, settings: Mapping[str, Any], inputs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return what the manifest says of a check."""
    return {"tool": f"pcbrules {VERSION}", "board": report.board, "revision": report.revision, "date": report.date,
            "verdict": report.verdict.value, "libraries": dict(report.libraries), "settings": dict(settings),
            "inputs": [list(one) for one in inputs]}


def members(loaded: Loaded, report: Report) -> dict[str, bytes]:
    """Return the files that a check makes, by name."""
    files = {"library.json": _library(loaded)}
    for name in ("json", "html"):
        data = reports.render(name, [report])
        files[f"report.{name}"] = data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace")
    return files


def place(one: InputFile, report: Report) -> str:
    """Name of an input in the archive: below what all inputs have in common, so that one finds the others."""
    return f"inputs/{os.path.relpath(os.path.abspath(one.file), _root(report)).replace(os.sep, '/')}"


def _files(report: Report) -> list[InputFile]:
    """The inputs that are files; a ruleset that comes along is none: the version of the program stands for it."""
    return [one for one in report.inputs if Path(one.file).is_file()]


def _root(report: Report) -> str:
    return os.path.commonpath([os.path.dirname(os.path.abspath(one.file)) for one in _files(report)])


def _inputs(report: Report) -> dict[str, bytes]:
    """The inputs that are files, as they were checked."""
    found = {}
    for one in _files(report):
        data = Path(one.file).read_bytes()
        if sha256(data).hexdigest() != one.sha256:
            raise InputError([Problem(one.file, 0, 0, "", "the file has changed since it was checked")])
        found[place(one, report)] = data
    return found


def _library(loaded: Loaded) -> bytes:
    """The entries of the library that the board uses."""
    catalogue = loaded.board.catalogue
    tree = {}
    for part in fields(catalogue):
        entries = getattr(catalogue, part.name)
        if isinstance(entries, Mapping):
            tree[part.name] = {name: _plain(entries[name]) for name in sorted(entries) if entries[name] is not None}
    return _json(tree)


def _plain(entry: Any) -> Any:
    return to_jsonable_python(entry, fallback=str)


def worst_errors_json() -> bytes:
    """Return the worst error of each model, of a run of the self-test."""
    from pcbrules.selftest.golden import read
    from pcbrules.selftest.recorded import worst_errors, written
    from pcbrules.selftest.runner import run

    return written(worst_errors(run(read(None)))).encode()


def _json(tree: Any) -> bytes:
    return (json.dumps(tree, indent=2, ensure_ascii=False) + "\n").encode()
