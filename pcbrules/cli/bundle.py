# SPDX-License-Identifier: MIT
"""`pcbrules bundle`."""

from __future__ import annotations

from pathlib import Path

import click

from pcbrules.cli._common import check_targets, emit, load_board, say, write_files
from pcbrules.cli._profile import proposal_text
from pcbrules.cli._waivers import permitted_by

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
    from pcbrules import api, reports, rulesets
    from pcbrules.api.evidence import digest_of, evidence

    loaded = load_board(board, overlay)
    if profile is None:
        raise click.UsageError(proposal_text([(board, loaded)]))
    permitted = permitted_by(waiver_file, today)
    path = Path(output)
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise click.UsageError(f"'{output}' is no file in a folder that exists.")
    ruleset = rulesets.load(profile)
    check_targets([path], [board, *(one.file for one in ruleset.inputs),
                           *(name for name in (overlay, waiver_file) if name)])
    report = api.check(loaded, ruleset, permissions=permitted.entries, waiver_file=permitted.file,
                       today=permitted.today)
    settings = {"profile": profile, "today": permitted.today.isoformat() if permitted.today else ""}
    archive = evidence(loaded, report, settings, selftest=not no_selftest)
    write_files([(path, archive)])
    emit(reports.verdicts([report], colour=False, ascii_only=False))
    say(f"digest {digest_of(archive)}")
    say("Keep it apart from the archive: `pcbrules verify` prints that of the archive it reads.")
    raise click.exceptions.Exit(report.exit_code)
