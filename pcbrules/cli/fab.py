# SPDX-License-Identifier: MIT
"""`pcbrules fab`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from pcbrules.cli._common import Failure, complain, print_problems, refuse_profiles, say, write_files
from pcbrules.cli._profile import proposal_text
from pcbrules.cli._studies import answer

if TYPE_CHECKING:
    from pcbrules.api import Loaded
    from pcbrules.studies.fab.order import FabOrder

EPILOG = """\b
Examples:
  pcbrules fab board.yaml -o order -p training
  pcbrules fab board.yaml --returned order/stackup.xml -p training

\b
Exit codes:
  0  the package was written; with --returned, no verdict got worse to fail
  1  with --returned: a verdict at or above --fail-on got worse to fail
  2  the input or the command is wrong; no file is written
  3  the package was written, but an impedance or a loss was not evaluated
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@click.option("-o", "--output", "folder", metavar="DIR", help="Folder for the package; an existing file is kept.")
@click.option("--returned", "files", multiple=True, metavar="FILE",
              help="What the fabricator returns, to be compared: IPC-2581, or CSV as in the package. Repeatable.")
@click.option("-p", "--profile", metavar="NAME|FILE",
              help="State the verdict of this profile in the notes; with --returned, judge by it.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice"]), default="warning", show_default=True,
              help="With --returned: least severity at which a fail counts.")
def command(board: str, folder: str | None, files: tuple[str, ...], profile: str | None, fail_on: str) -> None:
    """Write the fabrication package of a board, or compare what comes back with it.

    The package: tables (CSV) of stackup, impedances, losses, drills and backdrills, the stackup as IPC-2581C, and
    notes. Nothing is ordered that the board file does not hold: what is missing stands as "not specified".

    With --returned: every difference of thickness, material, Dk, Df, copper, width and gap, and the verdicts that
    change when the board is judged with them.
    """
    from pcbrules import api

    refuse_profiles([board])
    if (folder is None) == (not files):
        raise click.UsageError("give either -o DIR, for the package, or --returned FILE, to compare.")
    loaded = api.load(board)
    if folder is None:
        _compare(loaded, board, files, profile, fail_on)
    order = api.fab_order(loaded)
    print_problems(loaded.warnings)
    _package(order, loaded, folder, profile)


def _compare(loaded: Loaded, board: str, names: tuple[str, ...], profile: str | None, fail_on: str) -> NoReturn:
    """Compare the returned files with the order and end."""
    from pcbrules import api, rulesets
    from pcbrules.readers.returned.file import read_returned
    from pcbrules.results.finding import Severity
    from pcbrules.studies.fab.returned_text import console

    if profile is None:
        raise click.UsageError(proposal_text([(board, loaded)]))
    ruleset = rulesets.load(profile)
    found = api.fab_returned(loaded, ruleset, [read_returned(name) for name in names], Severity(fail_on))
    print_problems((*loaded.warnings, *found.told))
    answer(console(found), "console", found.exit_code)


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
