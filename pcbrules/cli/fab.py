# SPDX-License-Identifier: MIT
"""`pcbrules fab`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import Failure, complain, print_problems, refuse_profiles, say, write_files

if TYPE_CHECKING:
    from pcbrules.api import Loaded
    from pcbrules.studies.fab.order import FabOrder

EPILOG = """\b
Examples:
  pcbrules fab board.yaml -o order -p training

\b
Exit codes:
  0  the package was written
  2  the input or the command is wrong; nothing was written
  3  the package was written, but an impedance or a loss was not evaluated
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@click.option("-o", "--output", "folder", required=True, metavar="DIR",
              help="Folder for the package; an existing file is kept.")
@click.option("-p", "--profile", metavar="NAME|FILE", help="State the verdict of this profile in the notes.")
def command(board: str, folder: str, profile: str | None) -> None:
    """Write the fabrication package of a board.

    Tables (CSV) of stackup, impedances, losses, drills and backdrills, the stackup as IPC-2581C, and notes.
    Nothing is ordered that the board file does not hold: what is missing stands as "not specified".
    """
    from pcbrules import api

    refuse_profiles([board])
    loaded = api.load(board)
    order = api.fab_order(loaded)
    print_problems(loaded.warnings)
    _package(order, loaded, folder, profile)


def _package(order: FabOrder, loaded: Loaded, folder: str, profile: str | None) -> None:
    """Write the package and end."""
    from pcbrules import api
    from pcbrules.studies.fab.package import files

    report = api.check(loaded, profile, fixes=False) if profile is not None else None
    place = Path(folder)
    made = files(order, report)
    for name in made:
        if os.path.lexists(place / name):
            raise click.UsageError(f"{place / name} exists; name another folder.")
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot write into '{place}': {error.strerror}") from None
    write_files([(place / name, text) for name, text in made.items()])
    say(f"wrote {', '.join(made)} into {place}")
    if not order.complete:
        complain("an impedance or a loss was not evaluated: see the notes")
    sys.exit(0 if order.complete else 3)
