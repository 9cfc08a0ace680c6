# SPDX-License-Identifier: MIT
"""The file of a design space: YAML → document → checked spec."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from pydantic import ValidationError

from pcbrules.document import Document, Path, read_yaml, show_path
from pcbrules.errors import InputError, Problem, Problems, quoted
from pcbrules.model.search_spec import AXIS, SearchSpec, search_schema
from pcbrules.readers.board_yaml import frozen
from pcbrules.readers.schema_errors import add_problems


def read_search_spec(file: str | os.PathLike[str]) -> tuple[Document, SearchSpec]:
    """Read a design space.

    Raises
    ------
    InputError
        Every fault of the file, with its place.
    """
    document = read_yaml(file)
    if not isinstance(document.tree, dict):
        raise InputError([document.problem((), "a design space is a mapping that begins with `schema: 1`")])
    problems = Problems(document.file)
    try:
        return document, SearchSpec.model_validate(frozen(document.tree))
    except ValidationError as error:
        add_problems(error, document, search_schema(), problems)
    problems.check()
    raise InputError(problems.all())


@contextmanager
def placed(document: Document, path: Path, within: Callable[[Problem], Path] | None = None) -> Iterator[None]:
    """Tell faults of the block where a spec says what is wrong.

    Parameters
    ----------
    document : Document
        The spec.
    path : Path
        Its key.
    within : function, optional
        From a fault to the part of the key that it is of.
    """
    try:
        yield
    except InputError as error:
        raise InputError([_at(document, (*path, *(within(one) if within else ())), one)
                          for one in error.problems]) from None


def _at(document: Document, path: Path, problem: Problem) -> Problem:
    if problem.line:  # of a file that the spec names
        return problem
    file, line, column = document.place(path)
    fix = "" if problem.fix.startswith("write --") else problem.fix  # an option of a command
    named = problem.file.startswith("--") or problem.file == AXIS
    found = problem.found or ("" if named else quoted(problem.file))
    return replace(problem, found=found, file=file, line=line, column=column, path=show_path(path), fix=fix)
