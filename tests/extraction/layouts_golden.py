# SPDX-License-Identifier: MIT
"""The reference of six real boards: figures of another author, beside the folder of real boards."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from real_boards import folder

from pcbrules.layout.layout import Layout
from pcbrules.readers.kicad.board import read_kicad

SMALL = ("hub", "hdmimipi")
"""Boards that every run reads."""


def reference() -> list[Any]:
    """A parameter for each board; none without the folder."""
    place = folder()
    golden = place.parent / "golden" / "layouts.json" if place else None
    boards = json.loads(golden.read_text("utf-8"))["boards"] if golden is not None and golden.is_file() else []
    return [pytest.param(one, id=one["id"], marks=[] if one["id"] in SMALL else pytest.mark.long) for one in boards]


def layout_of(board: dict[str, Any]) -> Layout:
    """The layout of a board of the reference."""
    return _read(board["repository"].replace("/", "+"), Path(board["path"]).name)


@cache
def _read(repository: str, name: str) -> Layout:
    place = folder()
    assert place is not None
    (path,) = [one for one in place.joinpath("kicad").rglob(name) if repository in str(one)]
    return read_kicad(path, path.name)
