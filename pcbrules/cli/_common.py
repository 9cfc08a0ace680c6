# SPDX-License-Identifier: MIT
"""What commands share: printing problems, writing files whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pcbrules.errors import InputError


@contextmanager
def input_errors() -> Iterator[None]:
    """Print the problems of an InputError to stderr and leave with 2."""
    try:
        yield
    except InputError as error:
        print_problems(error)
        sys.exit(2)


def print_problems(error: InputError) -> None:
    """One line a problem, on stderr."""
    for problem in error.problems:
        click.echo(encodable(problem.text(), sys.stderr.encoding), err=True)


def encodable(text: str, encoding: str | None) -> str:
    """The text with characters that the stream cannot write escaped."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def write_text(path: Path, text: str) -> None:
    """Write beside the target and rename into place. Raises click.ClickException with exit code 2."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        failure = click.ClickException(f"cannot write {path}: {error.strerror}")
        failure.exit_code = 2
        raise failure from None
