# SPDX-License-Identifier: MIT
"""Boards of the rules' cases, edited."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pcbrules import api
from pcbrules.document import Document, read_yaml
from pcbrules.model.board import Board

BASE = Path(__file__).parents[1] / "rules" / "base"


@cache
def document(name: str = "signal.yaml") -> Document:
    return read_yaml(str(BASE / name), name)


def board(edits: dict[tuple[str | int, ...], Any] | None = None, *, without: tuple[tuple[str | int, ...], ...] = (),
          name: str = "signal.yaml") -> Board:
    edited = document(name)
    for path in without:
        edited = edited.without(path)
    for path, value in (edits or {}).items():
        edited = edited.edited(path, value)
    return api.resolve(edited).board
