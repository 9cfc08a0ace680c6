# SPDX-License-Identifier: MIT
"""`pcbrules check`."""

from __future__ import annotations

import datetime as dt
import os
import sys
from pathlib import Path

import click

from pcbrules.cli._common import encodable, input_errors, print_problems, write_text
from pcbrules.errors import InputError

EPILOG = """\b
Examples:
  pcbrules check board.yaml --profile training
  pcbrules check boards/ -p edge -o report.json -o junit:results.xml
  cat board.yaml | pcbrules check - -p datacenter-inference --format json
"""


@click.command(epilog=EPILOG)
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...")
@click.option("-p", "--profile", metavar="NAME|FILE", help="training, datacenter-inference, edge, or a ruleset file.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="[FORMAT:]FILE",
              help="Write a report; the suffix chooses the format. Repeatable.")
@click.option("--format", "stdout_format", default="console", show_default=True,
              help="What is printed: console, json, sarif, junit, markdown.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice"]), default="error", show_default=True,
              help="Least severity at which a fail counts.")
@click.option("--select", multiple=True, metavar="RULE", help="Only rules that begin so (SIG, PDN001). Repeatable.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave out rules that begin so. Repeatable.")
@click.option("--waivers", "waiver_file", metavar="FILE", help="Waivers and acceptances.")
@click.option("--today", metavar="YYYY-MM-DD", help="Date at which waivers expire [default: today].")
@click.option("--allow-incomplete", is_flag=True, help="What was not evaluated does not count.")
@click.option("--require-computed", is_flag=True, help="A pass that rests on a declaration is not evaluated.")
@click.option("--require-provenance", type=click.Choice(["any", "public"]), default="any", show_default=True,
              help="public: leave out limits without a public source.")
@click.option("-v", "--verbose", is_flag=True, help="List passes and rules that do not apply, too.")
def command(
    boards: tuple[str, ...],
    profile: str | None,
    outputs: tuple[str, ...],
    stdout_format: str,
    fail_on: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    waiver_file: str | None,
    today: str | None,
    allow_incomplete: bool,
    require_computed: bool,
    require_provenance: str,
    verbose: bool,
) -> None:
    """Judge boards by a profile.

    BOARD is a board file, a directory of board files, or - for standard input.
    """
    from pcbrules import api, reports, rulesets, waivers
    from pcbrules.document import read_yaml
    from pcbrules.results.finding import Severity
    from pcbrules.results.report import InputFile, Report

    if profile is None:
        raise click.UsageError(f"give --profile, one of: {', '.join(rulesets.profiles())}; or a ruleset file.")
    targets = [_target(text, reports.formats(), reports.by_suffix) for text in outputs]
    if stdout_format not in reports.formats():
        raise click.UsageError(f"unknown format '{stdout_format[:40]}': choose from {', '.join(reports.formats())}.")
    options = api.Options(
        fail_on=Severity(fail_on),
        select=select,
        ignore=ignore,
        allow_incomplete=allow_incomplete,
        require_computed=require_computed,
        public_only=require_provenance == "public",
    )
    done: list[Report] = []
    codes: list[int] = []
    with input_errors():
        ruleset = rulesets.load(profile)
        files = _files(boards)
        permissions: tuple[waivers.Permission, ...] = ()
        waiver_input = None
        if waiver_file:
            document = read_yaml(waiver_file)
            permissions = waivers.read_waivers(document)
            waiver_input = InputFile("waivers", document.file, document.sha256)
    date = _date(today) if waiver_file or today else None
    for file in files:
        try:
            loaded = api.resolve(_stdin()) if file == "-" else api.load(file)
            report = api.check(loaded, ruleset, options, permissions=permissions, waiver_file=waiver_input, today=date)
        except InputError as error:
            print_problems(error)
            codes.append(2)
            continue
        done.append(report)
        codes.append(report.exit_code)
    code = api.worst_exit(codes)
    if 2 in codes:
        click.echo(f"nothing was written: {codes.count(2)} of {len(codes)} boards could not be read", err=True)
        sys.exit(2)
    for name, path in targets:
        write_text(path, reports.render(name, done))
    _print(reports.render(
        stdout_format, done, **_terminal(stdout_format, verbose)  # type: ignore[arg-type]
    ))
    sys.exit(code)


def _terminal(stdout_format: str, verbose: bool) -> dict[str, object]:
    if stdout_format != "console":
        return {}
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    try:
        "✗µΩ…".encode(sys.stdout.encoding or "ascii")
        plain = False
    except (UnicodeEncodeError, LookupError):
        plain = True
    return {"colour": colour, "ascii_only": plain, "verbose": verbose}


def _print(text: str) -> None:
    click.echo(encodable(text, sys.stdout.encoding), nl=False)


def _target(text: str, formats: tuple[str, ...], by_suffix: object) -> tuple[str, Path]:
    name, colon, rest = text.partition(":")
    if colon and name in formats:
        path = Path(rest)
    else:
        path = Path(text)
        found = by_suffix(path.name) if callable(by_suffix) else None
        if not found:
            raise click.UsageError(
                f"the suffix of '{text[:80]}' names no format: write FORMAT:FILE with one of {', '.join(formats)}."
            )
        name = found
    if not path.name or path.is_dir():
        raise click.UsageError(f"'{text[:80]}' is no file name.")
    if not path.parent.is_dir():
        raise click.UsageError(f"the folder of '{text[:80]}' does not exist.")
    return name, path


def _files(boards: tuple[str, ...]) -> list[str]:
    from pcbrules.api import is_board_name
    from pcbrules.errors import Problem

    files: list[str] = []
    for text in boards:
        if text != "-" and os.path.isdir(text):
            found = sorted(name for name in os.listdir(text) if is_board_name(name))
            if not found:
                raise InputError([Problem(text, 0, 0, "", "no board file in this directory", expected="*.yaml")])
            files += [f"{text.rstrip('/')}/{name}" for name in found]
        else:
            files.append(text)
    if files.count("-") > 1:
        raise InputError([Problem("-", 0, 0, "", "standard input can be read once")])
    return files


def _stdin() -> object:
    from pcbrules.document import SIZE_LIMIT, parse_yaml

    return parse_yaml(sys.stdin.buffer.read(SIZE_LIMIT + 1), "<stdin>")


def _date(text: str | None) -> dt.date:
    from pcbrules.errors import Problem

    if text is not None:
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            raise click.UsageError(f"--today takes YYYY-MM-DD, not '{text[:40]}'.") from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
        except (ValueError, OverflowError, OSError):
            raise InputError([Problem("SOURCE_DATE_EPOCH", 0, 0, "", "is no number of seconds")]) from None
    return dt.date.today()


