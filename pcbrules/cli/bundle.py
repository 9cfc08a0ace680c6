# SPDX-License-Identifier: MIT
"""`pcbrules bundle`."""

from __future__ import annotations

from pathlib import Path

import click

from pcbrules.cli._common import check_targets, emit, load_board, write_files
from pcbrules.cli._profile import proposal_text

EPILOG = """\b
Examples:
  pcbrules bundle board.yaml --profile training -o evidence.zip
  pcbrules bundle board.yaml -p edge --waivers waivers.yaml --no-selftest
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@click.option("-p", "--profile", metavar="NAME|FILE", help="training, datacenter-inference, edge, or a ruleset file.")
@click.option("--overlay", metavar="FILE", help="What a layout does not know.")
@click.option("--waivers", "waiver_file", metavar="FILE", help="Waivers and acceptances.")
@click.option("--today", metavar="YYYY-MM-DD", help="Date at which waivers expire [default: today].")
@click.option("-o", "--output", metavar="FILE", default="evidence.zip", show_default=True, help="The archive.")
@click.option("--no-selftest", is_flag=True, help="Leave out the errors of the self-test, which takes some seconds.")
def command(
    board: str, profile: str | None, overlay: str | None, waiver_file: str | None, today: str | None, output: str,
    no_selftest: bool,
) -> None:
    """Check a board and put all that counts into one archive.

    Board, overlay, waivers, ruleset file, Touchstone files and used library entries, the report as JSON and HTML, the
    versions and a digest. The same inputs give the same digest. `pcbrules verify` checks it again.
    """
    from pcbrules import api, reports, rulesets, waivers
    from pcbrules.api.evidence import evidence
    from pcbrules.cli.check import day
    from pcbrules.document import read_yaml
    from pcbrules.results.report import InputFile

    loaded = load_board(board, overlay)
    if profile is None:
        raise click.UsageError(proposal_text([(board, loaded)]))
    permissions: tuple[waivers.Permission, ...] = ()
    waiver_input = None
    if waiver_file is not None:
        document = read_yaml(waiver_file)
        permissions = waivers.read_waivers(document)
        waiver_input = InputFile("waivers", document.file, document.sha256)
    date = day(today) if waiver_input or today is not None else None
    path = Path(output)
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise click.UsageError(f"'{output}' is no file in a folder that exists.")
    ruleset = rulesets.load(profile)
    check_targets([path], [board, *(one.file for one in ruleset.inputs),
                           *(name for name in (overlay, waiver_file) if name)])
    report = api.check(loaded, ruleset, permissions=permissions, waiver_file=waiver_input, today=date, exhibits=True)
    settings = {"profile": profile, "today": date.isoformat() if date else ""}
    write_files([(path, evidence(loaded, report, settings, selftest=not no_selftest))])
    emit(reports.verdicts([report], colour=False, ascii_only=False))
    raise click.exceptions.Exit(report.exit_code)
