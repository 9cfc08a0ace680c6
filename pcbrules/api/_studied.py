# SPDX-License-Identifier: MIT
"""Sections of a report that answer a question when they are asked: what would make it pass, how far links reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.api._fixing import fix
from pcbrules.api._loaded import Loaded
from pcbrules.api._reach import reach
from pcbrules.results.exhibit import StudySection, StudyTable
from pcbrules.results.finding import Severity, Status
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import Report
from pcbrules.studies.fixing.fix_text import BASIS as FIX_BASIS
from pcbrules.studies.fixing.proposal import FixEffect, FixProposal
from pcbrules.studies.moves.costs import shown
from pcbrules.studies.variants.reach import ReachTable
from pcbrules.studies.variants.reach_text import BASIS as REACH_BASIS
from pcbrules.studies.variants.reach_text import DRAWN, HEAD, budgets, name_of, others_of, retimed, row_of


def with_studies(
    report: Report, loaded: Loaded, ruleset: Ruleset, *, reaching: bool = False, fixing: bool = False,
    costs: str | None = None, jobs: int = 1
) -> Report:
    """Return a report with the sections that are asked, before all that it draws.

    Parameters
    ----------
    report : Report
    loaded : Loaded
        Its board.
    ruleset : Ruleset
        The profile that it was judged by.
    reaching, fixing : bool
        True to look for the reach of each link, and for the cheapest changes after which nothing fails: warnings too
        where no error does.
    costs : str, optional
        File of costs that replace those of the library.
    jobs : int
        Processes that judge.

    Raises
    ------
    InputError
        A fix of a board that no board file holds, or a file of costs with faults.
    """
    made: list[StudySection] = []
    if fixing:
        errors = any(one.status is Status.FAIL and one.severity is Severity.ERROR for one in report.findings)
        made.append(_fix_section(fix(loaded, ruleset, costs=costs, warnings=not errors, jobs=jobs)))
    if reaching:
        made.append(_reach_section(reach(loaded, ruleset, jobs=jobs)))
    return replace(report, exhibits=(*made, *report.exhibits))


def _fix_section(found: FixProposal) -> StudySection:
    words = "errors and warnings" if found.level is Severity.WARNING else "errors"
    text = (f"No {'error or warning' if found.level is Severity.WARNING else 'error'} fails: there is nothing to fix."
            if not found.failing else f"Today's fails, {words}: {len(found.failing)}. {FIX_BASIS}")
    return StudySection(key="fix", subject="fix", title="What would make it pass", note=text,
                        tables=tuple(_fix_tables(found)), patch=found.patch)


def _fix_tables(found: FixProposal) -> Iterator[StudyTable]:
    if found.changes:
        cured = len(found.failing) - len(found.left)
        head = f"these cure {cured} of {len(found.failing)}" if found.left else "nothing fails with them"
        yield StudyTable(f"Changes, cost {shown(found.cost)}: {head}", ("Change", "Cost"),
                         tuple((one.text, shown(one.cost)) for one in found.changes))
    if found.effects or found.costs_margin:
        yield StudyTable("Findings before and after", ("Finding", "Before", "After", "Limit"),
                         tuple(map(_effect, (*found.effects, *found.costs_margin))))
    if found.left:
        yield StudyTable("In the way", ("Finding", "Why"),
                         tuple((" ".join(one.key), one.why) for one in found.left))


def _effect(one: FixEffect) -> tuple[str, ...]:
    return (f"{one.was.rule} {one.was.subject}", one.was.told, one.becomes.told if one.becomes else "gone",
            one.was.limit)


def _reach_section(found: ReachTable) -> StudySection:
    known = [one for one in found if one.longest is not None]
    missing = dict.fromkeys((one.route.link, one.why) for one in found if one.longest is None)
    rows = [row_of(one) for one in known]
    kept = [at for at in range(len(HEAD)) if any(row[at] != DRAWN for row in rows)]
    heads = tuple(HEAD[at].capitalize() or "Verdict" for at in kept)
    tables = [StudyTable("", heads, tuple(tuple(row[at] for at in kept) for row in rows))]
    tables = tables if known else []
    for title, heads, told in (
        ("Budgets of the loss", ("Links", "Budget"), budgets(found)),
        ("Other rules of the links, up to the reach", ("Route", "What they say"),
         ((name_of(one), said) for one in known if (said := others_of(one)))),
        ("With retimers", ("Route", "Retimers"), ((name_of(one), retimed(one)) for one in known if one.retimers())),
    ):
        lines = tuple(told)
        tables += [StudyTable(title, heads, lines)] if lines else []
    tables += [StudyTable("No reach", ("Link", "Why"), tuple(missing))] if missing else []
    note = (f"{REACH_BASIS[:1].upper()}{REACH_BASIS[1:]} The tables below tell the budgets, and the other rules of a "
            "link that fail, or are no longer judged, before the loss fails.")
    return StudySection(key="reach", subject="reach", title="How far the links reach", note=note, tables=tuple(tables))
