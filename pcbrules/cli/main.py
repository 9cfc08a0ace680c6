# SPDX-License-Identifier: MIT
"""The command group. A command's module is imported when it is run, so that `--help` is instant."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import StringIO
from keyword import iskeyword
from typing import Any

import click

from pcbrules.cli._common import complain, delivered, misplaced, print_problems, reader_may_leave
from pcbrules.cli._signals import Stopped, obey
from pcbrules.errors import InputError, clip
from pcbrules.version import VERSION

COMMANDS = {
    "bundle": "Put a check and all that it rests on into one archive.",
    "channel": "Show loss, budget, notch and return loss of every link.",
    "check": "Judge boards by a profile; the exit code gates CI.",
    "design": "Find the trace that has an impedance on a layer.",
    "explain": "What a rule checks, why, and how to fix it.",
    "fab": "Write what a fabricator needs; compare what returns.",
    "fix": "Find the cheapest changes after which nothing fails.",
    "import": "Write a board file of a layout.",
    "init": "Write a commented board file to start from.",
    "layout": "Show what a layout holds: layers, nets, pairs.",
    "library": "List and show laminates, foils, links and more.",
    "lines": "Show impedance, delay and loss of every trace geometry.",
    "pdn": "Show |Z| of every power rail, its banks and peaks.",
    "platform": "Find the accelerators and the board that a model needs.",
    "reach": "Find the longest route whose loss keeps its budget.",
    "report": "Write a report to look at: HTML, or PDF.",
    "rules": "List the rules with the limits of a profile.",
    "schema": "Print the JSON Schema of the board file or a JSON output.",
    "search": "Find the stackups with most margin for their cost.",
    "selftest": "Compute golden reference values anew; print errors.",
    "sweep": "Judge a board over ranges of its values.",
    "yield": "Find the share of boards that pass, as fabrication spreads.",
    "verify": "Check an archive of `bundle` again; print what differs.",
}

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of mallopt, malloc.h."""

KEPT = 32 << 20
"""Bytes of one block that are kept for the next: the most that glibc takes."""

EPILOG = """\b
Example:
  pcbrules init --example hgx-h100-baseboard
  pcbrules check hgx-h100-baseboard.yaml --profile training

\b
Exit codes of check:
  0  no finding at or above --fail-on (default: error) fails
  1  a finding at or above --fail-on fails
  2  the input or the command is wrong
  3  none of them fails, but something was not evaluated
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
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = import_module(f"pcbrules.cli.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest the nearest command where there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from pcbrules.spelling import look_alikes

            near = look_alikes(args[0], COMMANDS, most=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            if args[0].lower().endswith((".yaml", ".yml")) or os.path.exists(args[0]):
                hint = f" To check a board: pcbrules check {clip(args[0], 60)} --profile NAME"
            if args[0].lower().endswith((".kicad_pcb", ".xml", ".cvg", ".tgz", ".gbrjob")):
                name = clip(args[0], 60)
                hint = (f" To check a layout: pcbrules check {name} --profile NAME; to see what it holds: "
                        f"pcbrules layout {name}")
            ctx.fail(f"No such command '{clip(args[0], 60)}'.{hint}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line."""
        with reader_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a faulty input is told on stderr and ends with 2."""
        gc.disable()  # a run leaves next to no cycles: looking for them takes a tenth of its time
        _keep_memory()
        try:
            with reader_may_leave():
                return super().invoke(ctx)
        except click.UsageError as error:
            hint = misplaced(error)
            if not hint:
                raise
            raise click.UsageError(f"{error.message}{hint}", error.ctx) from None
        except InputError as error:
            print_problems(error.problems)
            sys.exit(2)


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
    """Entry point.

    Nobody ever sees a traceback: an interrupt ends with 130, another signal that asks to end with 128 and its number, a
    fault of ours with 3 (the input may be right, but it was not judged), and with 141 a success whose reader of stdout
    has left.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # other numbers of threads round differently
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # none is used, and to look for them takes time
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (closed by the end of the process)
    try:
        obey()
        code = delivered(_ran())
        if code:
            sys.exit(code)
    except click.ClickException as error:
        shown = StringIO()
        error.show(file=shown)
        complain(shown.getvalue().rstrip("\n"))
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        complain(_interrupted(sys.argv[1:]))
        sys.exit(130)
    except Stopped as stop:
        with suppress(OSError):  # the terminal may be gone
            complain(stop.text)
        sys.exit(128 + stop.number)
    except OSError as error:
        complain(f"Error: {clip(str(error))}")
        sys.exit(2)
    except Exception as error:
        complain(_internal(error))
        sys.exit(3)


def _interrupted(words: list[str]) -> str:
    """What is said of an interrupt: how a study that can goes on where it was."""
    if not words or words[0] not in ("sweep", "search"):
        return "interrupted"
    if any(word.partition("=")[0] == "--resume" for word in words):
        return "interrupted: the same command goes on where it was"
    return "interrupted: nothing is kept; with --resume FILE a run goes on where it was"


def _ran() -> int:
    """Run the command that the process was asked for; its exit code."""
    try:
        code = cli.main(prog_name="pcbrules", standalone_mode=False)
    except SystemExit as end:
        code = end.code
    return code if isinstance(code, int) else 0  # what `click.exceptions.Exit` carries comes back as a value


def _keep_memory() -> None:
    """Ask the GNU allocator to keep what is freed: matrices come and go, and their pages cost a tenth of a run."""
    with suppress(Exception):  # elsewhere there is no such call, and nothing is lost
        from ctypes import CDLL

        allocator = CDLL(None)
        allocator.mallopt(M_TRIM_THRESHOLD, KEPT)
        allocator.mallopt(M_MMAP_THRESHOLD, KEPT)


def _internal(error: Exception) -> str:
    from traceback import extract_tb

    last = extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(last.filename)}:{last.lineno}"
    return (
        f"internal error: {type(error).__name__}: {clip(str(error))} ({place}). "
        "This is a fault of pcbrules, not of the board: please report it with the board file."
    )
