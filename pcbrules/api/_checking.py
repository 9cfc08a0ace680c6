# SPDX-License-Identifier: MIT
"""A check as Python asks for it: files by path, text or mapping, and every option of the command line by its name."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pcbrules import engine
from pcbrules.api import _judging
from pcbrules.api._arguments import File, FileGiven, ProfileGiven, kind, names, ruleset_of
from pcbrules.api._judging import settle
from pcbrules.api._loaded import BoardGiven, read_board
from pcbrules.api._options import DEFAULT, Options
from pcbrules.api._permitted import permitted
from pcbrules.api._required import known_parts
from pcbrules.lengths import Units
from pcbrules.results.finding import Severity
from pcbrules.results.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pcbrules.baseline import Comparison


def check(
    board: BoardGiven,
    profile: ProfileGiven,
    options: Options | None = None,
    *,
    select: Sequence[str] | str | None = None,
    ignore: Sequence[str] | str | None = None,
    require: Sequence[str] | str | None = None,
    fail_on: Severity | str | None = None,
    waivers: FileGiven | None = None,
    held_waivers: FileGiven | None = None,
    today: dt.date | str | None = None,
    baseline: File | Report | None = None,
    regression: Sequence[str] | str = (),
    force_baseline: bool = False,
    hold_checks: bool = False,
    allow_incomplete: bool | None = None,
    require_computed: bool | None = None,
    public_only: bool | None = None,
    limit_sources: Mapping[str, Severity | str] | None = None,
    over_spec: bool | None = None,
    costs: str | os.PathLike[str] | None = None,
    units: Units | None = None,
    exhibits: bool = False,
    fixes: bool = True,
    jobs: int = 1,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> Report:
    """Judge a board by a profile: what ``pcbrules check`` judges, with the same findings.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    options : Options, optional
        How to judge, for several calls; an option that is named in the call counts in its place.
    select, ignore : sequence of str, or str
        Ids, or beginnings of ids (``SIG``), of the rules to judge or to leave out.
    require : sequence of str, or str
        Rules that must judge something: else the check is incomplete.
    fail_on : Severity or str
        Least severity at which a fail counts: ``error``, ``warning``, ``advice``.
    waivers : path, str or mapping
        Waiver file, its text, or what it holds.
    held_waivers : path, str or mapping
        Waiver file of the target branch: an entry of ``waivers`` counts for what this one covers too.
    today : date or str
        Day at which waivers expire, ``2026-03-31``; if not given SOURCE_DATE_EPOCH, else the clock.
    baseline : path, str or Report
        JSON report of an earlier check, its text, or the report itself: only what is new or has lost margin counts.
    regression : sequence of str, or str
        Margin that may be lost: ``0.2dB``, ``1 mil``, ``5 %`` of the limit for all else.
    force_baseline : bool
        Compare with another profile, ruleset or version too.
    hold_checks : bool
        What the baseline judged and is gone, switched off or relaxed now is an error, not a warning.
    allow_incomplete, require_computed, public_only, limit_sources, over_spec, costs, units
        As of ``Options``.
    exhibits : bool
        Add what reports in HTML and PDF draw: curves, ledgers, the stackup.
    fixes : bool
        False where nobody reads them, as in a study of many variants: fixes that have to be solved are left out, and
        all else is the same.
    jobs : int
        Processes that solve the tasks. The report is the same whatever their number. A script that asks for more than
        one has its own code under ``if __name__ == "__main__":``.
    executor : Executor, optional
        Solves the tasks in place of them.
    watch : function, optional
        Is handed the results as they come, and their number: a progress bar.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        Unknown profile or rule, a faulty file, a profile of which no rule applies, or a baseline that is not
        comparable.
    TypeError
        An argument that is something else: the message says how to call.
    ValueError
        A number of processes below one or above 61.
    """
    loaded = read_board(board, "check")
    if not isinstance(options, Options | None):
        raise TypeError(f"check() takes pcbrules.Options(...) as its options, not {kind(options)}; or name an option: "
                        "check(board, profile, select='SIG')")
    given: dict[str, Any] = {
        "select": select, "ignore": ignore, "require": require, "fail_on": fail_on,
        "allow_incomplete": allow_incomplete, "require_computed": require_computed, "public_only": public_only,
        "limit_sources": limit_sources, "over_spec": over_spec, "costs": costs, "units": units,
    }
    options = replace(options or DEFAULT, **{name: value for name, value in given.items() if value is not None})
    ruleset = ruleset_of(profile)
    allowed = permitted(waivers, today)
    if held_waivers is not None and waivers is None:
        raise TypeError("held_waivers needs waivers")
    held = None if held_waivers is None else permitted(held_waivers, today, "held_waivers").entries
    against = _comparison(baseline, names(regression, "regression"), forced=force_baseline, hold=hold_checks)
    report = _judging.check(
        loaded, ruleset, options, permissions=allowed.entries, waiver_file=allowed.file, held=held,
        today=allowed.today, against=against, exhibits=exhibits, fixes=fixes, jobs=jobs, executor=executor,
        watch=watch,
    )
    subjects = {one.subject for one in report.findings}
    subjects |= {one.subject for before in against.baseline.reports for one in before.findings} if against else set()
    known_parts(options.require, subjects)
    (settled,) = settle([report], allowed.entries, options)
    return settled


def _comparison(
    baseline: File | Report | None, regression: tuple[str, ...], *, forced: bool, hold: bool
) -> Comparison | None:
    """What the board is compared with, if anything."""
    if baseline is None:
        if regression or forced or hold:
            raise TypeError("regression, force_baseline and hold_checks need a baseline")
        return None
    from pcbrules.baseline import Comparison, read_baseline, read_bounds
    from pcbrules.baseline.json_text import JsonText, parse_json, read_json
    from pcbrules.reports import text

    source: JsonText
    if isinstance(baseline, Report):
        source = parse_json(text("json", [baseline]).encode(), "<baseline>")
    elif isinstance(baseline, str) and baseline.lstrip().startswith("{"):
        source = parse_json(baseline.encode(), "<baseline>")
    elif isinstance(baseline, str | os.PathLike):
        source = read_json(baseline)
    else:
        raise TypeError(f"baseline takes a report, the path of a JSON report or its text, not {kind(baseline)}")
    return Comparison(read_baseline(source, forced=forced), read_bounds(regression), forced, hold)
