# SPDX-License-Identifier: MIT
"""`pcbrules lines`."""

from __future__ import annotations

from pathlib import Path

import click

from pcbrules.cli._common import Failure, print_problems, write_files
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, format_option, profile_option

EPILOG = """\b
Examples:
  pcbrules lines boards/hgx-h100-baseboard.yaml
  pcbrules lines board.yaml --layer L5 --format json
  pcbrules lines board.yaml --link pcie_up --touchstone models

\b
Exit codes:
  0  every trace was evaluated
  2  the input or the command is wrong
  3  a trace, or its loss, was not evaluated, or there was none
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@profile_option()
@click.option("--layer", metavar="NAME", help="Only traces on this copper layer.")
@click.option("--link", metavar="NAME", help="Only traces of this link.")
@format_option()
@click.option("--touchstone", "folder", metavar="DIR",
              help="Also write one inch of each geometry there: .s4p of a pair (ports 1, 2 near, 3, 4 far), .s2p of a"
              " single trace; 50 ohm at every port, the colder temperature.")
def command(
    board: str, profile: str | None, layer: str | None, link: str | None, style: str, folder: str | None
) -> None:
    """Show every trace geometry of a board.

    Identical cross-sections stand once, with the segments that have them: impedance and its range over fabrication
    (root of squares), coupling (Ze - Zo) / (Ze + Zo), delay, and loss at the Nyquist frequencies of the links. A pair's
    Zdiff is its nominal on the cold board; whether it meets its target is for `check` to say.
    """
    from pcbrules import api
    from pcbrules.studies import lines_text

    loaded = api.load(board)
    ruleset = ruleset_for(profile, loaded)
    found = api.lines(loaded, ruleset, layer=layer, link=link)
    print_problems(loaded.warnings)
    if folder is not None:
        from pcbrules.studies.lines_touchstone import files

        place = _folder(folder)
        write_files([(place / name, text) for name, text in files(found)])
    text = lines_text.json_text if style == "json" else lines_text.console
    answer(text(found, ruleset.name), style, found.exit_code, loaded)


def _folder(name: str) -> Path:
    """The folder for the files; made if it is missing and its parent is there."""
    path = Path(name)
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot write into '{path}': {error.strerror}") from None
    return path
