# SPDX-License-Identifier: MIT
"""The command group. A command's module is imported when it is run, so that `--help` is instant."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from pcbrules.version import VERSION

COMMANDS = {
    "check": "Judge boards by a profile; the exit code gates CI.",
    "explain": "What a rule checks, why, and how to fix it.",
    "init": "Write a commented board file to start from.",
    "library": "List and show laminates, foils, links and more.",
    "rules": "List the rules with the limits of a profile.",
    "schema": "Print the JSON Schema of the board file or the report.",
}

EPILOG = """\b
Example:
  pcbrules init --example hgx-h100-baseboard
  pcbrules check hgx-h100-baseboard.yaml --profile training

\b
Exit codes of check:
  0  nothing failed
  1  something failed (see --fail-on)
  2  the input or the command is wrong
  3  nothing failed, but something was not evaluated
"""


class LazyGroup(click.Group):
    """Knows the names of its commands and imports them one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"pcbrules.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest the nearest command where there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command '{args[0][:60]}'.{hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    invoke_without_command=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(VERSION, "--version", prog_name="pcbrules", message="%(prog)s %(version)s")
def cli() -> None:
    """Check a PCB stackup and its signal and power integrity before tapeout."""


def main() -> None:
    """Entry point. A closed pipe ends quietly; an interrupt ends with 130."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        cli(prog_name="pcbrules")
    except BrokenPipeError:
        sys.stderr.close()
        os._exit(141)
