# SPDX-License-Identifier: MIT
"""Boards that a baseline has and that are gone: each has a report of its own, so that every format tells it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from pcbrules import waivers
from pcbrules.api._judging import NotebookReport
from pcbrules.api._options import Options
from pcbrules.api._required import unjudged
from pcbrules.baseline import Baseline, BaselineReport, Comparison, acceptance, counted, meant
from pcbrules.results.answers import OWN
from pcbrules.results.finding import Change, Finding, Severity, Status, worst_first
from pcbrules.results.gate import weight
from pcbrules.results.place import Location
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import InputFile, Profile, Report
from pcbrules.rules._engine_rules import ENGINE_RULES, GONE
from pcbrules.waivers import Permission

ROLE = "board"


def gone_boards(
    files: Sequence[str],
    done: Sequence[Report],
    ruleset: Ruleset,
    options: Options,
    *,
    against: Comparison | None = None,
    hold: bool = False,
    permissions: Sequence[Permission] = (),
    held: Sequence[Permission] | None = None,
    today: dt.date | None = None,
) -> list[Report]:
    """Return a report for each board that is gone.

    Parameters
    ----------
    files : sequence of str
        Board files that are gone, as the baseline names them.
    done : sequence of Report
        Reports of the boards that are there.
    ruleset : Ruleset
    options : Options
    against : Comparison, optional
        The baseline. A board of it that a report of ``done`` was compared with is not gone, whatever its file is.
    hold : bool
        A board that is gone is an error, not a warning; and so is one of the baseline that nobody checked.
    permissions : sequence of Permission
        Entries of a waiver file; needs ``today``. An acceptance takes a board that was meant to go.
    held : sequence of Permission, optional
        Those of the target branch. Where checks are held, one of ``permissions`` counts for what these cover.
    today : date, optional
        Date at which they expire.
    """
    baseline = against.baseline if against else None
    known = _places(baseline)
    matched = set(_matched(baseline, done))
    left = dict.fromkeys(place for place in known if place not in matched) if hold else {}
    places = dict.fromkeys([*(place for file in files for place in _of_file(file, known, matched)), *left])
    merged = () if held is None and hold else held
    done_today = today or dt.date.max
    result = []
    for file, name in places:
        lost = _lost(file, name, known.get((file, name)), hold=hold)
        mine = [one for one in permissions if one.rule == GONE and one.board == name]
        kept = None if merged is None else [one for one in merged if one.board == name]
        findings = waivers.apply((lost,), mine, done_today, kept)
        result.append(_report(file, name, findings, ruleset, options, baseline))
    return result


def _places(baseline: Baseline | None) -> dict[tuple[str, str], BaselineReport]:
    """The reports of a baseline by board file and name of the board."""
    return {(one.board_file, one.board): one for one in baseline.reports} if baseline else {}


def _matched(baseline: Baseline | None, done: Sequence[Report]) -> Iterator[tuple[str, str]]:
    """The reports of the baseline that boards were compared with."""
    for report in done if baseline else ():
        file = next((one.file for one in report.inputs if one.role == ROLE), "")
        old = baseline.report_of(report.board, file) if baseline else None
        if old is not None:
            yield old.board_file, old.board


def _of_file(
    file: str, known: dict[tuple[str, str], BaselineReport], matched: set[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The boards that a file held and that nobody took over; without a report of it one that has the file's name."""
    held = [place for place in known if place[0] == file]
    return [place for place in held if place not in matched] if held else [(file, file)]


def _lost(file: str, name: str, old: BaselineReport | None, *, hold: bool) -> Finding:
    """The finding of a board that is gone."""
    was = counted(one.status for one in old.findings) if old else ""
    return Finding(
        rule=GONE, title=ENGINE_RULES[GONE][0], subject="baseline.board", status=Status.FAIL,
        severity=Severity.ERROR if hold else Severity.WARNING, where=Location(file, 1, 1), source=OWN,
        counts_as_fail=True, fix=f"put it back; {meant('it was meant to go')}",
        message=f"board file {file} is gone, or is not checked now"
                + (f"; the baseline judged it ({was})" if was else ""),
        change=Change(False, None, "new: gone since the baseline", (acceptance(GONE, "baseline.board"),)))


def _report(
    file: str, name: str, lost: Sequence[Finding], ruleset: Ruleset, options: Options, baseline: Baseline | None
) -> Report:
    asked_of = () if any(one.status is Status.ACCEPTED for one in lost) else options.require
    findings = tuple(worst_first((*lost, *unjudged((), asked_of, Location(file, 1, 1)))))
    asked = {weight(one, options.fail_on, options.allow_incomplete) for one in findings}
    inputs: tuple[InputFile, ...] = (baseline.input,) if baseline else ()
    return NotebookReport(
        board=name, profile=Profile(ruleset.name, ruleset.version, ruleset.title), inputs=inputs, conditions=(),
        findings=findings, fail_on=options.fail_on, allow_incomplete=options.allow_incomplete,
        exit_code=1 if 1 in asked else 3 if 3 in asked else 0)
