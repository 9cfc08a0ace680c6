# SPDX-License-Identifier: MIT
"""`pcbrules verify`."""

from __future__ import annotations

from pathlib import Path

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

    The digest that it prints must be the one that `pcbrules bundle` printed: whoever makes an archive anew changes it.
    Report, library entries, self-test and manifest are made anew and compared; only machine.json is left out.
    """
    from pcbrules.api.evidence import digest_of, verify

    found = verify(archive, selftest=not no_selftest)
    for one in found:
        say(one.text)
    count = "1 difference" if len(found) == 1 else f"{len(found)} differences"
    say(count if found else "the archive is whole, and the check gives the same again")
    say(f"digest {digest_of(Path(archive).read_bytes())}")
    raise click.exceptions.Exit(1 if found else 0)
