# SPDX-License-Identifier: MIT
"""What the commands that show a study share: their options, the files that they write, and their answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pcbrules.cli._common import check_targets, emit, for_reader, write_files

if TYPE_CHECKING:
    from pcbrules.api import Loaded

PICTURES = (".svg", ".png")

TEMPERATURES = "the two temperatures come from, and the fabrication class of a board that names none"

Command = Callable[..., Any]


def profile_option(gives: str = TEMPERATURES) -> Callable[[Command], Command]:
    """Return ``--profile``, for what a study takes of it."""
    return click.option("-p", "--profile", metavar="NAME|FILE",
                        help=f"Where {gives} [default: the one that form factor and platform of the board "
                        "point to, if it is one].")


def format_option() -> Callable[[Command], Command]:
    """Return ``--format``."""
    return click.option("--format", "style", type=click.Choice(["console", "json"]), default="console",
                        show_default=True)


def check_endings(picture: str | None, model: str | None, models: Sequence[str]) -> None:
    """Raise UsageError where a picture or a Touchstone file has none of its endings."""
    for name, endings in ((picture, PICTURES), (model, models)):
        if name is not None and Path(name).suffix.lower() not in endings:
            raise click.UsageError(f"'{name}' has to end in {' or '.join(endings)}")


def targets_of(outputs: Sequence[str], endings: Sequence[str], jobs: int, scheduler: str | None) -> list[Path]:
    """Return the files that a study of many boards writes.

    Raises UsageError for one without an ending of these, and where both processes and a cluster are to solve.
    """
    targets = [Path(name) for name in outputs]
    for target in targets:
        if target.suffix.lower() not in endings:
            raise click.UsageError(f"'{target}' has to end in {', '.join(endings)}.")
    if scheduler and jobs > 1:
        raise click.UsageError("--jobs and --scheduler: name one of them.")
    return targets


def check_outputs(outputs: Sequence[str | None], loaded: Loaded, board: str, profile: str | None) -> None:
    """Raise UsageError where a file to be written is one that was read: board, ruleset, Touchstone files."""
    blocks = (str(Path(board).parent / name) for name in loaded.board.blocks)
    check_targets([Path(name) for name in outputs if name], [board, profile or board, *blocks])


def write_outputs(
    picture: str | None, model: str | None, draw: Callable[[], str], touchstone: Callable[[str], str]
) -> None:
    """Write what was asked for: the drawing as SVG or PNG, the Touchstone file of an ending."""
    from pcbrules.reports._png import png

    files: list[tuple[Path, str | bytes]] = []
    if picture:
        drawn = draw()
        files.append((Path(picture), png(drawn) if Path(picture).suffix.lower() == ".png" else drawn))
    if model:
        files.append((Path(model), touchstone(Path(model).suffix.lower())))
    write_files(files)


def answer(text: str, style: str, exit_code: int, loaded: Loaded | None = None) -> NoReturn:
    """Print the text of a study, JSON as UTF-8, and end; a page for readers in the units of the board file."""
    from pcbrules.lengths import lengths, units_of

    if style == "json":
        emit(text)
    else:
        page = lengths(text, units_of(loaded.document.tree)) if loaded else text
        emit(for_reader(page), sys.stdout.encoding or "utf-8")
    sys.exit(exit_code)
