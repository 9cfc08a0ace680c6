# SPDX-License-Identifier: MIT
"""What is to be told of the input itself: not read, nobody's entry, most often a slip, easier than the profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules import engine
from pcbrules.analysis.power.load_step import relaxed
from pcbrules.api._loaded import Loaded
from pcbrules.errors import Problem
from pcbrules.model.board import Board
from pcbrules.phrases import read_path
from pcbrules.results.answers import OWN
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.results.profile import Ruleset
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import DEFAULTED, ENGINE_RULES, NOT_READ, UNLIKELY

UNREAD_CURES = {
    "links": "write the path of the link into the overlay, or leave the link out",
    "rails": "fill the zones and join the copper, or leave `net` of the rail out",
}
"""By section of the board file."""


def not_read(loaded: Loaded, chosen: Sequence[str]) -> Iterator[Finding]:
    """What the chosen rules need of a layout and nobody could read: the check is incomplete."""
    needed = _sections(chosen)
    for one in loaded.unread:
        if one.subject.partition(".")[0].partition("[")[0] not in needed:
            continue
        yield Finding(rule=NOT_READ, title=ENGINE_RULES[NOT_READ][0], subject=one.subject, status=Status.NOT_EVALUATED,
                      severity=Severity.ERROR, message=one.reason, where=loaded.at(one.where), source=OWN,
                      fix=one.fix or UNREAD_CURES[one.subject.partition(".")[0].partition("[")[0]])


def _sections(chosen: Sequence[str]) -> set[str]:
    """Sections of a board file that rules read."""
    return {key.partition(".")[0] for rule in chosen for key in all_rules()[rule].META.inputs}


def not_entered(loaded: Loaded, chosen: Sequence[str]) -> Iterator[Finding]:
    """A warning of a build-up that nobody entered, where the chosen rules read it."""
    found = loaded.board.default_build_up
    if found is not None and "stackup" in _sections(chosen):
        yield Finding(rule=DEFAULTED, title=ENGINE_RULES[DEFAULTED][0], subject="stackup", status=Status.FAIL,
                      severity=Severity.WARNING, message=f"the layout has KiCad's default build-up: {found.text}",
                      where=loaded.at(("stackup",)), source=OWN,
                      fix="enter the build-up of your fabricator in the layout, or its thicknesses as `stackup` of the "
                          "overlay, before you believe an impedance")


MEANT = "correct the number or its unit; if it is meant, accept it in the waiver file"
"""Fix of an unlikely input of which nothing better is known."""


def unlikely(loaded: Loaded, chosen: Sequence[str]) -> Iterator[Finding]:
    """A warning of each input that is most often a slip, of the sections that the chosen rules read."""
    sections = {*_sections(chosen), "board", "materials"}
    for one in loaded.warnings:
        if slip(one) and (read_path(one.path) or ("",))[0] in sections:
            yield Finding(rule=UNLIKELY, title=ENGINE_RULES[UNLIKELY][0], subject=one.path, status=Status.FAIL,
                          severity=Severity.WARNING, message=one.message, source=OWN, fix=one.fix or MEANT,
                          where=Location(one.file, one.line, one.column))


def relaxed_values(board: Board, ruleset: Ruleset, chosen: Sequence[str]) -> Iterator[str]:
    """What the board declares easier than the profile's conditions, where a chosen rule reads rails."""
    if "rails" in _sections(chosen):
        conditions = engine.conditions_of(ruleset)
        for name, rail in (board.rails or {}).items():
            if text := relaxed(rail, name, conditions):
                yield text


def slip(problem: Problem) -> bool:
    """True for an unlikely value that somebody wrote; of what was read of a layout the receipt tells."""
    return problem.level == "unlikely" and problem.line > 0
