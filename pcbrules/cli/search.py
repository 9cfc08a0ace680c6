# SPDX-License-Identifier: MIT
"""`pcbrules search`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import Failure, check_targets, watch, write_files
from pcbrules.cli._studies import PICTURES, answer, targets_of

if TYPE_CHECKING:
    from pcbrules.studies.searching.stackup_search import StackupSearch

EPILOG = """\b
Examples:
  pcbrules search space.yaml
  pcbrules search space.yaml --picture front.svg -o stackups -j 4

\b
Exit codes:
  0  a candidate passes
  1  no candidate passes: what cuts most of them is named
  2  the input or the command is wrong
  3  candidates pass, but the rules in `objectives` judge none of them
"""


@click.command(epilog=EPILOG)
@click.argument("spec", metavar="SPEC")
@click.option("--picture", metavar="FILE", help=f"Also draw margin over cost: {' or '.join(PICTURES)}.")
@click.option("-o", "--output", metavar="DIR", help="Write the board files of the answer; comments stay.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that judge candidates at the same time. The answer does not depend on it.")
@click.option("--scheduler", metavar="ADDRESS",
              help="Judge on a cluster of Dask in their place: tcp://host:8786. Needs the extra `cluster`.")
@click.option("--resume", "kept", metavar="FILE",
              help="File that keeps what was judged, line by line: an interrupted run goes on where it was.")
@click.option("--format", "style", type=click.Choice(["console", "json", "csv"]), default="console", show_default=True)
def command(
    spec: str, picture: str | None, output: str | None, force: bool, jobs: int, scheduler: str | None,
    kept: str | None, style: str,
) -> None:
    """Find the stackups that give most margin for their cost.

    SPEC names a starting board, a profile, and axes with their values: laminates, foils, thicknesses, layers, via
    technology, any key of the board file (`pcbrules schema search-spec`). Candidates are all combinations; cheap rules
    cut first. Every stackup of the answer is proven by a full check. The board file is not changed.
    """
    from pcbrules import api
    from pcbrules.api._variants import cluster
    from pcbrules.studies.searching.part_outcome import PartOutcome
    from pcbrules.studies.variants.kept import Kept

    pictures = targets_of([picture] if picture else [], PICTURES, jobs, scheduler)
    check_targets([*pictures, *([Path(kept)] if kept else [])], [spec])
    if output is not None and Path(output).exists() and not Path(output).is_dir():
        raise click.UsageError(f"'{output}' is no folder.")
    with cluster(scheduler) if scheduler else nullcontext() as executor:
        found = api.search(spec, jobs=jobs, executor=executor,
                           kept=Kept(kept, PartOutcome.of_row) if kept else None, watch=watch())
    boards = _boards(found, Path(output), force=force) if output is not None else []
    drawn = [(target, _picture(found, target)) for target in pictures]
    check_targets([path for path, _ in (*boards, *drawn)], [spec, found.document.file])
    if output is not None and boards:
        Path(output).mkdir(parents=True, exist_ok=True)
    write_files([*boards, *drawn])
    answer(_text(found, style), style if style == "console" else "json", found.exit_code)


def _text(found: StackupSearch, style: str) -> str:
    from pcbrules.studies.searching import search_text

    makers = {"json": search_text.json_text, "csv": search_text.csv_text, "console": search_text.console}
    return makers[style](found)


def _picture(found: StackupSearch, target: Path) -> str | bytes:
    from pcbrules.reports._png import png
    from pcbrules.studies.searching.search_picture import svg

    drawn = svg(found)
    return png(drawn) if target.suffix.lower() == ".png" else drawn


def _boards(found: StackupSearch, folder: Path, *, force: bool) -> list[tuple[Path, str | bytes]]:
    """The board file of every stackup, named by its place in the answer."""
    from pcbrules.document.rewrite import RewriteRefused, rewritten

    stem = Path(found.document.file).stem
    made: list[tuple[Path, str | bytes]] = []
    for place, one in enumerate(found.points, 1):
        path = folder / f"{stem}.{place}.yaml"
        if path.exists() and not force:
            raise click.UsageError(f"'{path}' exists: choose another folder, or add --force.")
        try:
            made.append((path, rewritten(found.document, one.document)))
        except RewriteRefused as error:
            raise Failure(f"cannot write {path}: {error}") from None
    return made
