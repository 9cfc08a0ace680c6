# SPDX-License-Identifier: MIT
"""The outcome of a self-test for readers (80 columns) and for programs (JSON)."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import Any

from pcbrules.errors import clip, escape
from pcbrules.results.program_text import dump
from pcbrules.selftest.runner import Case, CaseStatus, Outcome, SummaryLine
from pcbrules.version import VERSION

WIDTH = 80
WORDS = {CaseStatus.OK: "ok", CaseStatus.FAIL: "FAIL", CaseStatus.NOT_EVALUATED: "not evaluated",
         CaseStatus.CRASHED: "crashed"}


def console(outcome: Outcome) -> str:
    """One line a case, then median and worst by quantity and by kind, then what was left out and the count."""
    return "\n".join(line.rstrip() for line in _lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    group = None
    for case in outcome.cases:
        if case.group != group:
            group = case.group
            yield from ("", group) if case is not outcome.cases[0] else (group,)
        yield from _case(case)
    if any(case.worst for case in outcome.cases):
        yield ""
        yield f"{'error over its tolerance, by kind':48}{'cases':>5}{'median':>11}{'worst':>11}"
        yield from (_summary(line, 48) for line in outcome.by_kind())
        yield ""
        yield f"{'error, by quantity':39}{'cases':>5}{'median':>11}{'worst':>11}{'tolerance':>11}"
        yield from (f"{_summary(line, 39)} {_percent(line.limit):>10}" for line in outcome.by_quantity())
    counts = {word: sum(case.status is status for case in outcome.cases) for status, word in WORDS.items()}
    yield ""
    yield f"{len(outcome.cases)} cases: " + ", ".join(f"{count} {word}" for word, count in counts.items() if count)


def _case(case: Case) -> Iterator[str]:
    worst = case.decisive
    head = f"  {clip(case.entry.id, 19):19} {clip(case.entry.kind, 12):12}"
    if worst:
        end = WORDS[case.status] if case.status in (CaseStatus.OK, CaseStatus.FAIL) else "part"
        name = clip(worst.name, 20)
        error = _percent(worst.error) if worst.error < 10 else "> 1000 %"
        yield f"{head} {error:>9} {name:20} {_percent(worst.limit):>9} {end}"
    if case.reason:
        word = "also not evaluated" if case.status is CaseStatus.FAIL else WORDS[case.status]
        lead = "    " if worst else f"{head} "
        yield from textwrap.wrap(f"{word}: {escape(case.reason)}", WIDTH, initial_indent=lead, subsequent_indent="    ")
    for reason in case.beyond:
        yield from textwrap.wrap(f"not evaluated: {escape(reason)}", WIDTH, initial_indent="    ",
                                 subsequent_indent="    ")


def _summary(line: SummaryLine, width: int) -> str:
    head = clip(f"  {line.group}  {line.what}", width)
    return f"{head:{width}} {line.cases:>4} {_percent(line.median):>10} {_percent(line.worst):>10}"


def _percent(fraction: float) -> str:
    percent = 100 * fraction
    return f"{percent:.1e} %" if 0 < percent < 1e-3 else f"{percent:.3g} %"


def json_text(outcome: Outcome) -> str:
    """The same as JSON; errors and limits are fractions, an error that is no number is null."""
    return dump(
        {
            "schema_version": 1,
            "tool": {"name": "pcbrules", "version": VERSION},
            "exit_code": outcome.exit_code,
            "cases": [_tree(case) for case in outcome.cases],
            "by_quantity": [
                {"group": line.group, "quantity": line.what, "cases": line.cases, "median_error": _number(line.median),
                 "worst_error": _number(line.worst), "limit": line.limit}
                for line in outcome.by_quantity()
            ],
            "by_kind": [
                {"group": line.group, "kind": line.what, "cases": line.cases,
                 "median_share_of_limit": _number(line.median), "worst_share_of_limit": _number(line.worst)}
                for line in outcome.by_kind()
            ],
        },
        ascii_only=False,
    )


def _tree(case: Case) -> dict[str, Any]:
    return {
        "id": case.entry.id,
        "file": case.entry.file,
        "group": case.group,
        "kind": case.entry.kind,
        "status": case.status.value,
        "reason": case.reason,
        "beyond": list(case.beyond),
        "quantities": [
            {"quantity": one.quantity, "values": one.values, "worst_error": _number(one.error), "of": one.name,
             "limit": one.limit}
            for one in case.worst
        ],
    }


def _number(value: float) -> float | None:
    return float(f"{value:.4g}") if math.isfinite(value) else None
