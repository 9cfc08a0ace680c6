# SPDX-License-Identifier: MIT
"""A proposal for readers (a page, with the diff behind it) and for programs (JSON, ``schemas/fix.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.errors import clip
from pcbrules.results.finding import Severity, Status
from pcbrules.results.program_text import ProgramText
from pcbrules.studies.fixing.outcome import SeenFinding
from pcbrules.studies.fixing.proposal import FixEffect, FixProposal
from pcbrules.studies.moves.costs import PARTS, shown
from pcbrules.studies.pages import document, page, total, wrapped

MOST_COSTS = 8
"""Findings that lose margin which a page shows."""

BASIS = (
    "Costs are an index: 1 is one percent of the price of the bare board. The proposal is a set of the changes "
    "that pcbrules knows; a full check of the changed board file gives the numbers below."
)


def console(found: FixProposal) -> str:
    """What fails, the changes with their costs, and what becomes of the findings; without the diff."""
    return page(_console(found))


def last_line(found: FixProposal) -> str:
    """The total, which stands behind the diff."""
    if not found.failing:
        return total(0, "nothing to fix") + "\n"
    return total(found.exit_code, f"{len(found.changes)} {_word('change', len(found.changes))}",
                 f"cost {shown(found.cost)}", f"{found.judged} {_word('set', found.judged)} judged") + "\n"


def _console(found: FixProposal) -> Iterator[str]:
    words = "errors and warnings" if found.level is Severity.WARNING else "errors"
    count = len(found.failing)
    yield from wrapped(f"{found.board} under profile {found.profile}: {count} {_word('finding', count)} fail"
                       f"{'s' if count == 1 else ''} ({words})", 0)
    if not found.failing:
        yield ""
        return
    yield from wrapped(BASIS)
    yield ""
    if found.changes:
        yield _head(found)
        for one in found.changes:
            yield from wrapped(f"{shown(one.cost):>6}  {one.text}", 4, 8)
        yield ""
        yield "Findings, before and after:"
        for effect in found.effects:
            yield from wrapped(_effect(effect))
        for lead, costs in (("More than half of the margin is spent", _costs(found, fails=False)),
                            ("What fails already misses its limit by more", _costs(found, fails=True))):
            if costs:
                yield ""
                yield f"{lead}:"
                for effect in costs[:MOST_COSTS]:
                    yield from wrapped(_effect(effect))
                if len(costs) > MOST_COSTS:
                    yield f"    and {len(costs) - MOST_COSTS} more"
    if found.left:
        if found.changes:
            yield ""
        yield from wrapped(_stays(found), 0)
        for blocked in found.left:
            rule, subject = blocked.key
            yield from wrapped(f"{rule} {subject}: {blocked.why}")
    if found.bounded:
        yield from wrapped(f"The search ended at its bound, {found.judged} sets of changes in all: a larger --tries "
                           "may find a cheaper set, or one more.")
    yield ""


def _costs(found: FixProposal, *, fails: bool) -> list[FixEffect]:
    return [one for one in found.costs_margin if (one.was.status is Status.FAIL) is fails]


def _head(found: FixProposal) -> str:
    if not found.left and found.bounded:
        return f"Changes after which nothing fails (cost {shown(found.cost)}, not proven the cheapest):"
    if not found.left:
        return f"Cheapest changes after which nothing fails (cost {shown(found.cost)}):"
    cured = len(found.failing) - len(found.left)
    return f"These changes cure {cured} of {len(found.failing)} (cost {shown(found.cost)}):"


def _stays(found: FixProposal) -> str:
    """What stands in the way; that no set passes is said only where a search came to its end."""
    stand = f"{len(found.left)} {_stand(len(found.left))} in the way"
    if any(one.proven for one in found.left):
        return f"No set of changes passes: {stand}."
    sets = f"{found.judged} {_word('set', found.judged)} of changes"
    return f"No answer found in {sets} (not proven that there is none): {stand}."


def _effect(one: FixEffect) -> str:
    after = one.becomes.told if one.becomes else "gone"
    limit = f", limit {one.was.limit}" if one.was.limit else ""
    return f"{one.was.rule} {one.was.subject}: {one.was.told} -> {after}{clip(limit, 100)}"


def _word(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _stand(count: int) -> str:
    return "finding stands" if count == 1 else "findings stand"


def json_text(found: FixProposal) -> str:
    """The same as JSON; costs as an index."""
    return document(found.board, found.profile, {
        "exit_code": found.exit_code,
        "level": found.level.value,
        "failing": [_seen(one) for one in found.failing],
        "changes": [{"family": one.family, "text": one.text, "cost": one.cost / PARTS, "source": one.source}
                    for one in found.changes],
        "cost": found.cost / PARTS,
        "edits": [{"key": one.key, "was": one.was, "becomes": one.becomes} for one in found.edits],
        "effects": [{"was": _seen(one.was), "becomes": _seen(one.becomes) if one.becomes else None}
                    for one in found.effects],
        "costs_margin": [{"was": _seen(one.was), "becomes": _seen(one.becomes) if one.becomes else None}
                         for one in found.costs_margin],
        "left": [{"rule": one.key[0], "subject": one.key[1], "why": one.why} for one in found.left],
        "judged": found.judged,
        "bounded": found.bounded,
        "patch": ProgramText(found.patch),
    })


def _seen(one: SeenFinding) -> dict[str, Any]:
    return {"rule": one.rule, "subject": one.subject, "status": Status(one.status).value,
            "severity": one.severity.value, "measured": one.measured, "limit": one.limit}
