# SPDX-License-Identifier: MIT
"""The JSON Schema that editors use accepts what the reader accepts, and knows the keys."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest

from pcbrules.document import read_yaml
from pcbrules.model.board_schema import board_schema

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "boards").rglob("*.yaml")), *sorted((ROOT / "pcbrules" / "templates").glob("*.yaml"))]
SCHEMA = jsonschema_rs.Draft202012Validator(board_schema())


@pytest.mark.long
def test_it_is_a_schema() -> None:
    jsonschema_rs.meta.validate(board_schema())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_accepts_every_board(file: Path) -> None:
    assert [e.message for e in SCHEMA.iter_errors(read_yaml(str(file)).tree)] == []


@pytest.mark.parametrize(
    "own",
    [
        {"laminates": {"mine": {"dk": 3.3, "df": 0.002, "at": "14 GHz"}}},
        {"laminates": {"mine": {"sets": [{"source": "s", "confidence": "seen", "points": [["14 GHz", 3.3, 0.002]]}]}}},
        {"foils": {"mine": {"rank": 5, "rz": {"typical": "1.5 um", "min": "1 um", "max": "2 um"}}}},
    ],
)
def test_it_accepts_entries_of_a_boards_own_library(own: dict[str, object]) -> None:
    board = {"name": "b", "platform": "ubb", "form_factor": "ubb"}
    assert [e.message for e in SCHEMA.iter_errors({"schema": 1, "board": board, "materials": own})] == []


def test_it_refuses_an_unknown_key() -> None:
    board = {"name": "b", "platform": "ubb", "form_factor": "ubb", "colour": "green"}
    assert list(SCHEMA.iter_errors({"schema": 1, "board": board}))
