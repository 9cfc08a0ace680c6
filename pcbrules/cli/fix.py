# SPDX-License-Identifier: MIT
"""`pcbrules fix`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from pcbrules.cli._common import (
    check_targets,
    emit,
    for_reader,
    load_board,
    print_problems,
    rule_names,
    write_files,
)
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, format_option, profile_option
from pcbrules.cli._waivers import permitted_by

if TYPE_CHECKING:
    from pcbrules.studies.fixing.proposal import FixProposal
    from pcbrules.studies.saving.savings import CheaperBoard

EPILOG = """\b
Examples:
  pcbrules fix board.yaml -p training --patch fix.patch
  pcbrules fix board.yaml -p edge --warnings -o new.yaml
  pcbrules fix board.yaml -p edge --cheaper

\b
Exit codes:
  0  nothing fails after the proposed changes, or nothing failed
  1  no set of changes was found that passes: what is in the way is named
  2  the input or the command is wrong
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@profile_option("the limits come from")
@click.option("--warnings", is_flag=True, help="Warnings may not fail either.")
@click.option("--select", multiple=True, metavar="RULE", help="Only rules that begin so. Repeatable.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave out rules that begin so. Repeatable.")
@click.option("--waivers", "waiver_file", metavar="FILE", help="Waivers: what they cover does not fail.")
@click.option("--today", metavar="YYYY-MM-DD", help="Date at which waivers expire [default: today].")
@click.option("--cheaper", is_flag=True, help="Find what is dearer than the profile needs: advice, exit code 0.")
@click.option("--costs", metavar="FILE", help="Costs that replace those of the library: NAME: INDEX.")
@click.option("-o", "--output", metavar="FILE", help="Write the changed board file; comments stay.")
@click.option("--patch", metavar="FILE", help="Write the unified diff, as git apply takes it.")
@click.option("--partial", is_flag=True, help="Write them too where some findings still fail.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("--tries", type=click.IntRange(1, 100_000), default=200, show_default=True, metavar="N",
              help="Sets of changes that are judged at most for one group of fails.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that judge at the same time. The answer does not depend on it.")
@format_option()
def command(
    board: str, profile: str | None, warnings: bool, select: tuple[str, ...], ignore: tuple[str, ...],
    waiver_file: str | None, today: str | None, cheaper: bool, costs: str | None,
    output: str | None, patch: str | None, partial: bool, force: bool, tries: int, jobs: int, style: str,
) -> None:
    """Find the cheapest changes after which nothing fails.

    Every set of changes is judged by a check of the changed board file. The board file itself is not changed.
    """
    from pcbrules import api
    from pcbrules.studies.fixing import fix_text

    targets = [Path(name) for name in (output, patch) if name]
    loaded = load_board(board)
    ruleset = ruleset_for(profile, loaded)
    check_targets(targets, [board, *(name for name in (profile, costs, waiver_file) if name)])
    for target in targets:
        if target.exists() and not force:
            raise click.UsageError(f"'{target}' exists: choose another name, or add --force.")
    print_problems(loaded.warnings)
    if cheaper and (select or ignore or waiver_file):
        raise click.UsageError("--cheaper looks at the whole profile: leave out --select, --ignore and --waivers.")
    permitted = permitted_by(waiver_file, today)
    if cheaper:
        _cheaper(api.cheaper(loaded, ruleset, costs=costs, jobs=jobs), style, output, patch)
    found = api.fix(loaded, ruleset, costs=costs, warnings=warnings, tries=tries, jobs=jobs, select=rule_names(select),
                    ignore=rule_names(ignore), waivers=permitted)
    if found.text and (partial or not found.left):
        _write(found, output, patch)
    if style == "json":
        answer(fix_text.json_text(found), style, found.exit_code)
    _show(fix_text.console(found), found.patch)
    answer(fix_text.last_line(found), style, found.exit_code)


def _cheaper(found: CheaperBoard, style: str, output: str | None, patch: str | None) -> NoReturn:
    """Show and write what a board could save."""
    from pcbrules.studies.saving import saving_text

    if found.text:
        _write(found, output, patch)
    if style == "json":
        answer(saving_text.json_text(found), style, 0)
    _show(saving_text.console(found), found.patch)
    answer(saving_text.last_line(found), style, 0)


def _write(found: CheaperBoard | FixProposal, output: str | None, patch: str | None) -> None:
    write_files([(Path(name), text) for name, text in ((output, found.text), (patch, found.patch)) if name])


def _show(text: str, patch: str) -> None:
    """Print a page, and the diff as it is: its numbers and signs are those of the file."""
    encoding = sys.stdout.encoding or "utf-8"
    emit(for_reader(text), encoding)
    if patch:
        emit(f"{patch}\n", encoding)
