# SPDX-License-Identifier: MIT
"""`pcbrules reach`."""

from __future__ import annotations

import click

from pcbrules.cli._common import load_board, print_problems, watch
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, format_option, profile_option

EPILOG = """\b
Examples:
  pcbrules reach board.yaml -p training
  pcbrules reach board.yaml -p edge --link up --layer '*' --laminate megtron6

\b
Exit codes:
  0  every link reaches as far as it is routed
  1  a link is longer than it reaches
  2  the input or the command is wrong
  3  no link is too long, but a reach is not known
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@profile_option("the budgets and the two temperatures come from")
@click.option("--link", "links", multiple=True, metavar="NAME", help="Link to look at. Repeatable [default: all].")
@click.option("--layer", "layers", multiple=True, metavar="NAME",
              help="Signal layer to try, * for all. Repeatable [default: where the link is drawn].")
@click.option("--laminate", "laminates", multiple=True, metavar="NAME",
              help="Laminate to try around the layer. Repeatable [default: the board's].")
@click.option("--foil", "foils", multiple=True, metavar="NAME",
              help="Foil to try on the layer. Repeatable [default: the board's].")
@click.option("--overlay", metavar="FILE", help="Overlay of a layout.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that solve at the same time. The answer does not depend on it.")
@format_option()
def command(
    board: str, profile: str | None, links: tuple[str, ...], layers: tuple[str, ...], laminates: tuple[str, ...],
    foils: tuple[str, ...], overlay: str | None, jobs: int, style: str,
) -> None:
    """Find the longest route of every link whose loss keeps its budget.

    Hot, and at the unfavourable end of what is not certain. On another layer, laminate or foil the longest trace has
    the width for the link's impedance. Where a link is too long, the retimer that would help is named.
    """
    from pcbrules import api
    from pcbrules.studies.variants import reach_text

    loaded = load_board(board, overlay)
    ruleset = ruleset_for(profile, loaded)
    print_problems(loaded.warnings)
    found = api.reach(loaded, ruleset, links=links, layers=layers, laminates=laminates, foils=foils, jobs=jobs,
                      watch=watch())
    text = reach_text.json_text if style == "json" else reach_text.console
    answer(text(found), style, found.exit_code)
