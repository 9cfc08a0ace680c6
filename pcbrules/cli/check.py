# SPDX-License-Identifier: MIT
"""`pcbrules check`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import (
    check_targets,
    columns,
    complain,
    emit,
    load_board,
    print_problems,
    refuse_profiles,
    rule_names,
    terminal,
    watch,
    write_files,
)
from pcbrules.cli._folders import board_files, left_out_below
from pcbrules.cli._format_option import FormatOption
from pcbrules.cli._profile import proposal_text
from pcbrules.cli._revision import revision_of
from pcbrules.cli._waivers import permitted_by
from pcbrules.errors import InputError, Problem, clip, quoted

if TYPE_CHECKING:
    from pcbrules.api import Loaded
    from pcbrules.baseline import Comparison
    from pcbrules.lengths import Units
    from pcbrules.results.finding import Severity
    from pcbrules.results.profile import Ruleset
    from pcbrules.results.report import Report

EPILOG = """\b
Examples:
  pcbrules check board.yaml --profile training
  pcbrules check design.kicad_pcb --profile edge
  pcbrules check boards/ -p edge -o report.json -o junit:results.xml
  cat board.yaml | pcbrules check - -p datacenter-inference --format json
  pcbrules check board.yaml -p edge --baseline old.json --regression 0.2dB

\b
Exit codes:
  0  no finding at or above --fail-on (default: error) fails; with --baseline,
     no new one does and no margin was lost. Warnings and advice may fail
  1  a finding at or above --fail-on fails
  2  the input or the command is wrong; no report is written
  3  none of them fails, but something at or above --fail-on was not evaluated
     (--allow-incomplete clears it), a rule crashed, or nothing was judged
"""

SOURCE_URL = re.compile(r"https?://(?=.*\{file\})(?=.*\{line\})[A-Za-z0-9._~:/?#@!$&+,;=%{}-]{1,2000}", re.ASCII)


@click.command(epilog=EPILOG)
@click.argument("boards", nargs=-1, metavar="BOARD...")
@click.option("-p", "--profile", metavar="NAME|FILE", help="training, datacenter-inference, edge, or a ruleset file.")
@click.option("--overlay", metavar="FILE",
              help="What the layout does not know [default: NAME.overlay.yaml beside it, if there is one].")
@click.option("-o", "--output", "outputs", multiple=True, metavar="[FORMAT:]FILE",
              help="Write a report; the suffix chooses the format. Repeatable.")
@click.option("--format", "stdout_format", cls=FormatOption, default="console", show_default=True)
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice"]), default="error", show_default=True,
              help="Least severity at which a fail counts.")
@click.option("--select", multiple=True, metavar="RULE",
              help="Only rules that begin so (SIG, PDN001). Repeatable, or SIG,PDN001.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave out rules that begin so. Repeatable.")
@click.option("--require", multiple=True, metavar="RULE",
              help="Rules that must judge something; else the check is incomplete. Repeatable, or SIG001,PDN001.")
@click.option("--over-spec", is_flag=True,
              help="Find what is dearer than the profile needs too: advice (OVR rules), a check of each cheaper board.")
@click.option("--costs", metavar="FILE", help="Costs that replace those of the library, for --over-spec: NAME: INDEX.")
@click.option("--waivers", "waiver_file", metavar="FILE", help="Waivers and acceptances.")
@click.option("--held-waivers", metavar="FILE",
              help="Waiver file of the target branch: an entry of --waivers counts for what this file covers too.")
@click.option("--unchecked", multiple=True, metavar="FILE",
              help="Board file that is not checked now: no board has its name, and a waiver that may be of it is not "
              "unused. Repeatable.")
@click.option("--left-out", is_flag=True,
              help="Check nothing: print the files below the directories BOARD that a check leaves out and that could "
              "be checked by their names, each with a NUL behind it.")
@click.option("--today", metavar="YYYY-MM-DD", help="Date at which waivers expire [default: today].")
@click.option("--baseline", "baseline_file", metavar="FILE",
              help="JSON report of an earlier check: only what is new or has lost margin counts.")
@click.option("--regression", multiple=True, metavar="BOUND",
              help="Margin that may be lost: '0.2dB' (findings in dB), '1 mil' (lengths), '5 %' of the limit (all "
              "others). Repeatable [default: none].")
@click.option("--force-baseline", is_flag=True, help="Compare with another profile, ruleset or version too.")
@click.option("--hold-checks", is_flag=True,
              help="What the baseline judged and is gone, switched off or relaxed now is an error, not a warning.")
@click.option("--gone", multiple=True, metavar="FILE",
              help="Board file that is gone since the baseline: it has a report which says so. Repeatable.")
@click.option("--renamed", nargs=2, multiple=True, metavar="OLD NEW",
              help="Board file and its name since the baseline, where the board has another name too. Repeatable.")
@click.option("--allow-incomplete", is_flag=True, help="What was not evaluated does not count.")
@click.option("--require-computed", is_flag=True, help="A pass that is only declared or assumed is not evaluated.")
@click.option("--require-provenance", type=click.Choice(["any", "public"]), default="any", show_default=True,
              help="public: leave out limits without a public source.")
@click.option("--limit-source", "limit_sources", multiple=True, metavar="CLASS=SEVERITY",
              help="Limits of a class of source weigh no more than that: guide=warning. Repeatable.")
@click.option("--revision", metavar="TEXT",
              help="Revision of the design, in place of that of the board file; git adds the commit of the board file.")
@click.option("--source-url", metavar="URL",
              help="Where the files can be seen, with {file} and {line}: for links in Markdown.")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that solve at the same time, 61 at most. The reports do not depend on it.")
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict only.")
@click.option("-v", "--verbose", is_flag=True,
              help="Print each finding in full: model, source, assumptions and fix, and why a rule does not apply.")
@click.option("--units", type=click.Choice(["mm", "mil"]), default=None,
              help="Lengths in texts for people [default: those of the board file, if it keeps to one of the two].")
@click.option("--show", type=click.Choice(["pass"]), help="pass: print every passed number with its margin too.")
def command(
    boards: tuple[str, ...],
    profile: str | None,
    overlay: str | None,
    outputs: tuple[str, ...],
    stdout_format: str,
    fail_on: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    require: tuple[str, ...],
    over_spec: bool,
    costs: str | None,
    waiver_file: str | None,
    held_waivers: str | None,
    unchecked: tuple[str, ...],
    left_out: bool,
    today: str | None,
    baseline_file: str | None,
    regression: tuple[str, ...],
    force_baseline: bool,
    hold_checks: bool,
    gone: tuple[str, ...],
    renamed: tuple[tuple[str, str], ...],
    allow_incomplete: bool,
    require_computed: bool,
    require_provenance: str,
    limit_sources: tuple[str, ...],
    revision: str | None,
    source_url: str | None,
    jobs: int,
    quiet: bool,
    verbose: bool,
    units: Units | None,
    show: str | None,
    reach: bool = False,
    fix: bool = False,
) -> None:
    """Judge boards by a profile.

    BOARD is a board file, a layout (KiCad, IPC-2581, ODB++, Gerber job), the overlay of a layout, a directory of board
    files (its subfolders are left out), or - for standard input.
    """
    from pcbrules import api, reports, rulesets
    from pcbrules.results.finding import Severity

    _check_format(stdout_format, printed=True)
    _boards_given(boards, gone, left_out=left_out)
    if costs and not (over_spec or fix):
        raise click.UsageError("--costs needs --over-spec; `pcbrules report` has --fix for it too.")
    if source_url is not None and not SOURCE_URL.fullmatch(source_url):
        raise click.UsageError("--source-url takes 'https://HOST/PATH/{file}#L{line}', without blanks and brackets.")
    options = api.Options(
        fail_on=Severity(fail_on),
        select=rule_names(select),
        ignore=rule_names(ignore),
        allow_incomplete=allow_incomplete,
        require_computed=require_computed,
        public_only=require_provenance == "public",
        limit_sources=_limit_sources(limit_sources),
        require=rule_names(require),
        over_spec=over_spec,
        costs=costs or "",
        units=units or "",
    )
    targets = [_target(text) for text in outputs]
    refuse_profiles(boards)
    files, notes = board_files(boards)
    for text in notes:
        complain(text)
    if overlay is not None and len(files) > 1:
        raise click.UsageError("--overlay belongs to one layout: check each by itself.")
    if profile is None:
        raise click.UsageError(proposal_text((file, load_board(file, overlay)) for file in files))
    ruleset = rulesets.load(profile)
    permitted = permitted_by(waiver_file, today)
    if held_waivers and not waiver_file:
        raise click.UsageError("--held-waivers needs --waivers FILE.")
    held = permitted_by(held_waivers, today).entries if held_waivers else None
    against = _comparison(baseline_file, regression, forced=force_baseline, hold=hold_checks, lost=bool(gone))
    if against and renamed:
        against = replace(against, baseline=replace(against.baseline, renamed={new: old for old, new in renamed}))
    others = [name for name in (costs, overlay, waiver_file, held_waivers, baseline_file) if name]
    made_from = [*files, *(i.file for i in ruleset.inputs), *others]
    check_targets([path for _, path in targets], made_from)
    drawn = any(reports.draws(name) for name in (stdout_format, *(name for name, _ in targets)))
    with api.workers(jobs) as pool:
        judge = partial(api.check, profile=ruleset, options=options, permissions=permitted.entries,
                        waiver_file=permitted.file, held=held, today=permitted.today, against=against, exhibits=drawn,
                        executor=pool, watch=watch())
        if reach or fix:
            judge = partial(_studied, judge, ruleset=ruleset, reach=reach, fix=fix, costs=costs, jobs=jobs)
        done = _judged(files, overlay, judge, written=bool(targets))
    if revision is not None:
        done = [replace(one, revision=revision_of(one, file, revision)) for one, file in zip(done, files, strict=True)]
    lost = api.gone_boards(gone, done, ruleset, options, against=against, hold=hold_checks,
                           permissions=permitted.entries, held=held, today=permitted.today)
    left = {file: _tree(file) for file in unchecked}
    judged = {one.subject for report in done for one in report.findings}
    before = {one.subject for report in against.baseline.reports for one in report.findings} if against else set()
    api.known_parts(options.require, judged | before, list(left.values()))
    if against or unchecked:
        checked = [(one.board, _file_of(one)) for one in done]
        _one_name_each(checked, [(_name(tree), file) for file, tree in left.items()])
    if against:
        _tell_unchecked([*lost, *done], against)
    done = [*lost, *api.settle(done, permitted.entries, options, list(left.values()))]
    done = [replace(one, source_url=source_url or "") for one in done]
    write_files([(path, reports.render(name, done)) for name, path in targets])
    for _, path in targets if quiet else ():
        complain(f"written: {path}")
    _print(done, stdout_format, quiet=quiet, verbose=verbose, passes=show == "pass")
    sys.exit(api.worst_exit(report.exit_code for report in done))


def _boards_given(boards: tuple[str, ...], gone: tuple[str, ...], *, left_out: bool) -> None:
    """UsageError without a board; ends with 0, and the list, where what a check leaves out was asked for."""
    if not boards and not gone:
        raise click.UsageError("Missing argument 'BOARD...'.")
    if left_out:
        sys.stdout.buffer.write(b"".join(os.fsencode(file) + b"\0" for file in left_out_below(boards)))
        sys.exit(0)


def _studied(
    judge: Callable[[Loaded], Report], loaded: Loaded, *, ruleset: Ruleset, reach: bool, fix: bool, costs: str | None,
    jobs: int,
) -> Report:
    """A report with the sections that `report` was asked for."""
    from pcbrules import api

    return api.with_studies(judge(loaded), loaded, ruleset, reaching=reach, fixing=fix, costs=costs, jobs=jobs)


def _tree(file: str) -> object:
    """The contents of a board file; None of one that cannot be read."""
    try:
        return load_board(file).document.tree
    except InputError:
        return None


def _limit_sources(texts: Sequence[str]) -> tuple[tuple[str, Severity], ...]:
    """Class of source and severity of each `--limit-source`; of a class that is named twice the last."""
    from pcbrules.results.finding import Severity
    from pcbrules.results.profile import PROVENANCES

    found: dict[str, Severity] = {}
    severities = [severity.value for severity in Severity]
    for text in texts:
        name, _, most = text.partition("=")
        if name not in PROVENANCES or most not in severities:
            raise click.UsageError(f"--limit-source takes CLASS=SEVERITY (guide=warning), not '{clip(text, 60)}'. "
                                   f"Classes: {', '.join(PROVENANCES)}. Severities: {', '.join(severities)}.")
        found[name] = Severity(most)
    return tuple(found.items())


def _comparison(
    file: str | None, regression: tuple[str, ...], *, forced: bool, hold: bool, lost: bool
) -> Comparison | None:
    """What the boards are compared with, if anything."""
    from pcbrules import baseline

    if file is None:
        if regression or forced or (hold and not lost):
            raise click.UsageError("--regression, --force-baseline and --hold-checks need --baseline FILE.")
        return None
    bounds = baseline.read_bounds(regression)
    return baseline.Comparison(baseline.read_baseline(file, forced=forced), bounds, forced, hold)


def _judged(
    files: Sequence[str], overlay: str | None, judge: Callable[[Loaded], Report], *, written: bool
) -> list[Report]:
    """The report of every board; ends with 2, and the faults of all, where one cannot be read."""
    done: list[Report] = []
    for file in files:
        try:
            done.append(judge(load_board(file, overlay)))
        except InputError as error:
            print_problems(error.problems)
    unread = len(files) - len(done)
    if unread:
        if len(files) > 1:
            complain(f"{unread} of {len(files)} boards could not be judged: there is no verdict on any of them")
        if written:
            complain("no report was written")
        sys.exit(2)
    return done


def _print(done: Sequence[Report], style: str, *, quiet: bool, verbose: bool, passes: bool) -> None:
    from pcbrules import reports

    if style != "console":
        emit(reports.text(style, done))
        return
    shown = terminal()
    text = (reports.verdicts(done, **shown) if quiet else
            reports.text(style, done, width=columns(), verbose=verbose, passes=passes, **shown))
    emit(text, sys.stdout.encoding or "utf-8")


def _file_of(report: Report) -> str:
    return next((one.file for one in report.inputs if one.role == "board"), "")


def _name(tree: object) -> str:
    """The name of a board that is not checked; empty where there is none."""
    board = tree.get("board") if isinstance(tree, dict) else None
    name = board.get("name") if isinstance(board, dict) else None
    return name if isinstance(name, str) else ""


def _one_name_each(checked: Sequence[tuple[str, str]], left: Sequence[tuple[str, str]]) -> None:
    """Boards of one name cannot be told apart in a baseline: refused as soon as one of them is checked.

    A board that is not checked keeps its name, else the first.
    """
    files: dict[str, list[str]] = {}
    for name, file in (*left, *checked):
        files.setdefault(name, []).append(file)
    problems = []
    for name in dict.fromkeys(name for name, _ in checked):
        kept, *others = files[name]
        free = _free_names(name, files)
        problems += [
            Problem(*_place_of_name(file), "board.name",
                    f"the board has the name of {clip(kept, 100)}, and a baseline knows a board by its name",
                    found=quoted(name), expected="a name of its own", fix=f"write '{next(free)}'")
            for file in others]
    if problems:
        raise InputError(problems)


def _place_of_name(file: str) -> tuple[str, int, int]:
    """Where a board file gives its name."""
    line, column = load_board(file).document.at(("board", "name"))
    return file, line, column


def _free_names(name: str, taken: Collection[str]) -> Iterator[str]:
    """Names like one that no board has."""
    return (f"{name}-{number}" for number in count(2) if f"{name}-{number}" not in taken)


def _tell_unchecked(done: Sequence[Report], against: Comparison) -> None:
    """Boards that a baseline has and nobody checked are told, but what has another name now."""
    names = {report.board for report in done}
    taken = [against.baseline.report_of(one.board, _file_of(one)) for one in done if _file_of(one)]
    left = sorted({one.board for one in against.baseline.reports if all(one is not old for old in taken)} - names)
    if left:
        complain(f"note: in the baseline, not checked now: {', '.join(clip(name, 60) for name in left[:20])}")


def _check_format(name: str, *, printed: bool = False) -> None:
    from pcbrules.reports import formats, text_formats

    known = text_formats() if printed else formats()
    if printed and name in formats() and name not in known:
        raise click.UsageError(f"a {name} cannot be printed: write it with -o report.{name}.")
    if name not in known:
        raise click.UsageError(f"unknown format '{clip(name, 40)}': choose from {', '.join(known)}.")


def _target(text: str) -> tuple[str, Path]:
    """Format and file of an `--output`."""
    from pcbrules import reports

    prefix = re.match(r"([A-Za-z]\w+):", text)
    if prefix:
        _check_format(prefix[1])
    name, file = reports.target(text)
    path = Path(file)
    if file == "-":
        raise click.UsageError(f"write --format {name} to print a report.")
    if not path.name or path.is_dir():
        raise click.UsageError(f"'{clip(text, 80)}' is no file name.")
    if not path.parent.is_dir():
        raise click.UsageError(f"the folder of '{clip(text, 80)}' does not exist.")
    return name, path
