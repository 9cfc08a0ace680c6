# SPDX-License-Identifier: MIT
"""`pcbrules verify`."""

from __future__ import annotations

import click

from pcbrules.cli._common import say

EPILOG = """\b
Example:
  pcbrules bundle board.yaml -p training -o evidence.zip --no-selftest
  pcbrules verify evidence.zip

\b
Exit codes:
  0  the archive is whole, and the check gives the same again
  1  something differs: it is printed
  2  the archive cannot be read or is not whole
"""


@click.command(epilog=EPILOG)
@click.argument("archive", metavar="FILE")
@click.option("--no-selftest", is_flag=True, help="Do not run the self-test again, which takes some seconds.")
def command(archive: str, no_selftest: bool) -> None:
    """Check again what `pcbrules bundle` put into an archive, and print what differs.

    Report, library entries, self-test and manifest are made anew and compared; only machine.json is left out.
    """
    from pcbrules.api.evidence import verify

    found = verify(archive, selftest=not no_selftest)
    for one in found:
        say(one.text)
    say(f"{len(found)} differences" if found else "the archive is whole, and the check gives the same again")
    raise click.exceptions.Exit(1 if found else 0)
