# SPDX-License-Identifier: MIT
"""The YAML board description: file → document → checked tree → resolved board."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError, Problem, Problems
from pcbrules.model.board import Board
from pcbrules.model.board_file import BoardFile
from pcbrules.readers.resolve import resolve
from pcbrules.readers.schema_errors import add_problems


def read_board(path: str, shown_as: str | None = None) -> tuple[Document, Board, tuple[Problem, ...]]:
    """Read a board file. Returns its document, the resolved board, and warnings.

    Raises InputError with every fault of the file.
    """
    document = read_yaml(path, shown_as)
    board, warnings = board_of(document)
    return document, board, warnings


def board_of(document: Document) -> tuple[Board, tuple[Problem, ...]]:
    """Check a document against the board schema and resolve its names.

    Raises InputError with every fault: of the schema first; names and heights are checked once the schema holds.
    """
    problems = Problems(document.file)
    if not isinstance(document.tree, dict):
        raise InputError([document.problem((), "a board file is a mapping that begins with `schema: 1`")])
    try:
        file = BoardFile.model_validate(_frozen(document.tree))
    except ValidationError as error:
        add_problems(error, document, BoardFile, problems)
        raise InputError(problems.all()) from None
    board = resolve(file, document, problems)
    problems.check()
    if board is None:
        raise AssertionError("resolve gave no board and no problem")
    return board, problems.all()


def _frozen(value: Any) -> Any:
    """Lists become tuples, so that the model needs no conversion and may be strict."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return value
