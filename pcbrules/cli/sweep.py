# SPDX-License-Identifier: MIT
"""`pcbrules sweep`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import Failure, check_targets, load_board, print_problems, watch, write_files
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import PICTURES, answer, format_option, profile_option, targets_of

if TYPE_CHECKING:
    from pcbrules.studies.variants.sweep import Sweep

EPILOG = """\b
Examples:
  pcbrules sweep board.yaml -p edge --show SIG001:links.up,CHN001:links.up \\
      --vary 'links.up.path.run.width=4mil:8mil:9'
  pcbrules sweep board.yaml --vary 'stackup[2].material=megtron6,fr408hr' \\
      --vary 'links.*.path.run.length=50mm:150mm:5' --show CHN001 -o loss.svg

\b
Exit codes:
  0  the variants were judged, whatever came out
  2  the input or the command is wrong, or no variant is a board
  3  a rule that --show names judged nothing in any variant
"""
ENDINGS = (".csv", ".json", ".parquet", *PICTURES)


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@profile_option("the limits come from")
@click.option("--vary", multiple=True, required=True, metavar="KEY=VALUES",
              help="FROM:TO:POINTS, or values with commas between. * stands for every key or item. Repeatable: every "
              "combination is judged.")
@click.option("--show", multiple=True, metavar="RULES",
              help="Judge these rules alone and show the finding that decides: CHN001, CHN001:links.up. Repeatable, or "
              "with commas [default: all rules, the verdict alone].")
@click.option("--overlay", metavar="FILE", help="Overlay of a layout.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help=f"Also write a table or a picture, by its ending: {', '.join(ENDINGS)}. Repeatable.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that judge variants at the same time. The answer does not depend on it.")
@click.option("--scheduler", metavar="ADDRESS",
              help="Judge on a cluster of Dask in their place: tcp://host:8786. Needs the extra `cluster`.")
@click.option("--resume", "kept", metavar="FILE",
              help="File that keeps what was judged, line by line: an interrupted run goes on where it was.")
@format_option()
def command(
    board: str, profile: str | None, vary: tuple[str, ...], show: tuple[str, ...], overlay: str | None,
    outputs: tuple[str, ...], jobs: int, scheduler: str | None, kept: str | None, style: str,
) -> None:
    """Judge a board over ranges of its values.

    What stands beside a value moves with it: a wider trace keeps its etch, a longer one the difference of its legs, a
    thicker layer makes a thicker board. The board file is not changed.
    """
    from pcbrules import api
    from pcbrules.api._variants import cluster
    from pcbrules.studies.variants import sweep_text
    from pcbrules.studies.variants.judged import Tried
    from pcbrules.studies.variants.kept import Kept

    targets = targets_of(outputs, ENDINGS, jobs, scheduler)
    loaded = load_board(board, overlay)
    ruleset = ruleset_for(profile, loaded)
    read = [name for name in (board, overlay, profile) if name]
    check_targets([*targets, *([Path(kept)] if kept else [])], read)
    print_problems(loaded.warnings)
    shown = [name.strip() for text in show for name in text.split(",")]
    with cluster(scheduler) if scheduler else nullcontext() as executor:
        found = api.sweep(loaded, ruleset, vary, show=shown, jobs=jobs, executor=executor,
                          kept=Kept(kept, Tried.of_row) if kept else None, watch=watch())
    write_files([(target, _written(found, target.suffix.lower())) for target in targets])
    answer(sweep_text.json_text(found) if style == "json" else sweep_text.console(found), style, found.exit_code)


def _written(found: Sweep, ending: str) -> str | bytes:
    """The sweep as the file of an ending."""
    from pcbrules.reports._png import png
    from pcbrules.studies.variants import sweep_picture, sweep_text

    makers: dict[str, Callable[[Sweep], str | bytes]] = {
        ".csv": sweep_text.csv_text, ".json": sweep_text.json_text, ".parquet": sweep_text.parquet,
        ".svg": sweep_picture.svg, ".png": lambda sweep: png(sweep_picture.svg(sweep)),
    }
    try:
        return makers[ending](found)
    except ImportError as error:
        raise Failure(str(error)) from None
