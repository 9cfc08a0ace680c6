# SPDX-License-Identifier: MIT
"""`pcbrules selftest`."""

from __future__ import annotations

import sys

import click

from pcbrules.cli._common import emit, for_reader

EPILOG = """\b
Examples:
  pcbrules selftest
  pcbrules selftest --golden my/golden --kind cross-section --format json

\b
Exit codes:
  0  every case is within the tolerance of its kind
  1  a case is outside
  2  a golden file or the command is wrong
  3  none is outside, but a case was not evaluated, or there was none
"""


@click.command(epilog=EPILOG)
@click.option("--golden", metavar="DIR", help="Golden files (a directory or one file) in place of the shipped ones.")
@click.option(
    "--kind", "kinds", metavar="KIND", multiple=True,
    help="Only entries of this kind: a group of the output (cross-section), a kind or section that the files name, or"
    " a file's name without suffix. May be given more than once.",
)
@click.option("--format", "style", type=click.Choice(["console", "json"]), default="console", show_default=True)
def command(golden: str | None, kinds: tuple[str, ...], style: str) -> None:
    """Compute golden reference values anew and print the errors.

    Without --kind, entries of kinds that this version has no model for are left out and listed at the end; selected by
    --kind they are not evaluated. Line geometry is read by its polygons, never by a label.
    """
    from pcbrules.selftest.golden import read
    from pcbrules.selftest.runner import run
    from pcbrules.selftest.text import console, json_text

    outcome = run(read(golden), kinds)
    if style == "json":
        emit(json_text(outcome))
    else:
        emit(for_reader(console(outcome)), sys.stdout.encoding or "utf-8")
    sys.exit(outcome.exit_code)
