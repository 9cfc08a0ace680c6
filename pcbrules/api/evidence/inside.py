# SPDX-License-Identifier: MIT
"""Check a board in a folder that holds its inputs alone: the report names them as the archive does, wherever it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pcbrules import waivers
from pcbrules.api._judging import check
from pcbrules.api._loaded import Loaded, load
from pcbrules.api._options import Options
from pcbrules.document import read_yaml
from pcbrules.results.report import InputFile, Report


def checked_inside(
    files: Mapping[str, bytes], settings: Mapping[str, Any], inputs: Sequence[tuple[str, str]]
) -> tuple[Loaded, Report]:
    """Return the board and its report, with pictures, made from files alone.

    Parameters
    ----------
    files : mapping
        Bytes by name.
    settings : mapping
        ``profile``, a name or the name of a file, and ``today``.
    inputs : sequence of (str, str)
        Role and name of each file that went in; of several of a role the first counts.

    Raises
    ------
    InputError
        A file is faulty, or there is no such profile.
    """
    named = dict(reversed(inputs))
    with TemporaryDirectory() as folder:
        for name, data in files.items():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        with chdir(folder):
            loaded = load(Path(named["board"]), overlay=named.get("overlay"))
            permissions: tuple[waivers.Permission, ...] = ()
            waiver_file = None
            if "waivers" in named:
                document = read_yaml(named["waivers"])
                permissions = waivers.read_waivers(document)
                waiver_file = InputFile("waivers", document.file, document.sha256)
            today = dt.date.fromisoformat(settings["today"]) if settings.get("today") else None
            report = check(loaded, settings["profile"], Options(), permissions=permissions, waiver_file=waiver_file,
                           today=today, exhibits=True)
    return loaded, report
