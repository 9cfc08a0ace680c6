# SPDX-License-Identifier: MIT
"""`pcbrules yield`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from pcbrules.cli._common import check_targets, load_board, print_problems, watch, write_files
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import PICTURES, answer, format_option, profile_option, targets_of

EPILOG = """\b
Examples:
  pcbrules yield board.yaml -p edge --samples 10000 --seed 1
  pcbrules yield board.yaml -p edge --show SIG001,CHN001 --fail-on warning \\
      --min-yield 99 -o yield.csv -o yield.svg

\b
Exit codes:
  0  the boards were judged, and the yield is not below --min-yield
  1  the yield is below --min-yield
  2  the input or the command is wrong
  3  nothing was judged, or not all and --min-yield is met
"""
ENDINGS = (".csv", ".json", *PICTURES)


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@profile_option("the limits come from")
@click.option("--samples", type=click.IntRange(2), default=10_000, show_default=True, metavar="N",
              help="Boards that are sampled: a Latin hypercube.")
@click.option("--seed", type=click.IntRange(0, 2**31), default=1, show_default=True, metavar="N",
              help="The same seed gives the same answer.")
@click.option("--show", multiple=True, metavar="RULES",
              help="Judge these rules alone: SIG001, SIG001:links.up. Repeatable, or with commas "
              "[default: CHN, PDN, SIG, THM, VIA].")
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice"]), default="error", show_default=True,
              help="Least severity at which a fail fails a board.")
@click.option("--min-yield", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit with 1 below it.")
@click.option("--exact", is_flag=True, help="Solve every sample instead of surrogates.")
@click.option("--checks", type=click.IntRange(2, 1000), default=12, show_default=True, metavar="N",
              help="Samples that are solved to measure the surrogates' error.")
@click.option("--overlay", metavar="FILE", help="Overlay of a layout.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help=f"Also write a table or a picture, by its ending: {', '.join(ENDINGS)}. Repeatable.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that solve at the same time. The answer does not depend on it.")
@click.option("--scheduler", metavar="ADDRESS",
              help="Solve on a cluster of Dask in their place: tcp://host:8786. Needs the extra `cluster`.")
@click.option("-v", "--verbose", is_flag=True, help="Show the factors and every number that varies.")
@format_option()
def command(
    board: str, profile: str | None, samples: int, seed: int, show: tuple[str, ...], fail_on: str,
    min_yield: float | None, exact: bool, checks: int, overlay: str | None, outputs: tuple[str, ...], jobs: int,
    scheduler: str | None, verbose: bool, style: str,
) -> None:
    """Find the share of boards that pass, as fabrication and material spread.

    Heights, Dk and Df of a press lot, etch of a layer, copper, drill depths and parts vary by the tolerances of the
    board file and its fabrication class. Of each number: quantiles, Cpk, the share that fails, and what moves it.
    """
    from pcbrules import api
    from pcbrules.api._variants import cluster
    from pcbrules.reports._png import png
    from pcbrules.studies.spread import yield_picture, yield_text

    targets = targets_of(outputs, ENDINGS, jobs, scheduler)
    loaded = load_board(board, overlay)
    ruleset = ruleset_for(profile, loaded)
    check_targets(targets, [name for name in (board, overlay, profile) if name])
    print_problems(loaded.warnings)
    shown = [name.strip() for text in show for name in text.split(",")]
    with cluster(scheduler) if scheduler else nullcontext() as executor:
        found = api.board_yield(loaded, ruleset, samples=samples, seed=seed, show=shown, fail_on=fail_on, exact=exact,
                                checks=checks, jobs=jobs, executor=executor, watch=watch())
    least = None if min_yield is None else min_yield / 100
    files: list[tuple[Path, str | bytes]] = []
    for target in targets:
        ending = target.suffix.lower()
        if ending == ".csv":
            files.append((target, yield_text.csv_text(found)))
        elif ending == ".json":
            files.append((target, yield_text.json_text(found, least)))
        else:
            drawn = yield_picture.svg(found)
            files.append((target, png(drawn) if ending == ".png" else drawn))
    write_files(files)
    text = yield_text.json_text(found, least) if style == "json" else yield_text.console(
        found, least, every=verbose, details=bool(show))
    answer(text, style, found.missed(least))
