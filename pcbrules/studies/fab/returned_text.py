# SPDX-License-Identifier: MIT
"""What came back, for readers (80 columns)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pcbrules.phrases import under
from pcbrules.results.finding import Finding, Status
from pcbrules.studies.fab.difference import Difference
from pcbrules.studies.fab.rejudged import FabComparison, VerdictChange
from pcbrules.studies.pages import page, total, wrapped
from pcbrules.units import show

WORDS = {Status.NOT_EVALUATED: "not evaluated", Status.NOT_APPLICABLE: "not applicable"}

SHOWN = 0.005
"""Impedances that differ by less are equal. [ohm]"""


def console(found: FabComparison) -> str:
    """Differences beyond their tolerance, those within, impedances, verdicts, links, the count."""
    return page(_console(found))


def _console(found: FabComparison) -> Iterator[str]:
    profile = found.before.profile.name
    yield from wrapped(f"{found.ordered.board}: as returned, against the order (profile {profile})", 0)
    beyond = [one for one in found.differences if not one.within]
    within = [one for one in found.differences if one.within]
    yield from _differences("Beyond tolerance:", beyond)
    yield from _differences("Within tolerance:", within)
    if not found.differences:
        yield from ("", "Nothing differs.")
    yield from _impedances(found)
    fails = [one for one in found.changes if one.newly_fails(found.fail_on)]
    rest = [one for one in found.changes if one not in fails]
    yield from _verdicts("Newly fails:", fails)
    yield from _verdicts("Got worse:", [one for one in rest if one.worse])
    yield from _verdicts("Got better:", [one for one in rest if not one.worse])
    yield from _verdicts("Fails as before, with another figure:", found.still)
    yield from _links(found)
    yield ""
    yield total(found.exit_code, f"{len(beyond)} differences beyond tolerance", f"{len(within)} within",
                f"{len(found.changes)} verdicts changed", f"{len(fails)} newly fail")


def _differences(title: str, found: Sequence[Difference]) -> Iterator[str]:
    """Those that say the same of several layers are one."""
    if found:
        yield from ("", title)
    groups: dict[tuple[str, ...], list[Difference]] = {}
    for one in found:
        groups.setdefault((one.what, one.ordered, one.tolerance, one.returned, one.file), []).append(one)
    for (what, ordered, tolerance, returned, file), same in groups.items():
        allowed = f", {tolerance}" if tolerance else ""
        lines = ", ".join(str(one.place[0]) for one in same)
        yield from wrapped(f"{', '.join(one.subject for one in same)}, {what}: ordered {ordered}{allowed}, "
                           f"returned {returned} ({file}:{lines})")


def _impedances(found: FabComparison) -> Iterator[str]:
    rows = []
    returned = {address: line for line in found.returned.lines for address in line.addresses}
    for mine in found.ordered.lines:
        theirs = returned[mine.addresses[0]]
        if mine.computed is None or theirs.computed is None or abs(theirs.computed - mine.computed) < SHOWN:
            continue
        target = f", target {show(mine.target, 'ohm', 4)}" if mine.target is not None else ""
        rows.append(f"{mine.name} on {mine.layer}: {mine.computed:.2f} ohm -> {theirs.computed:.2f} ohm{target}")
    if rows:
        yield from ("", "Impedances, computed as ordered -> as returned:")
    for text in rows:
        yield from wrapped(text)


def _verdicts(title: str, found: Iterable[VerdictChange]) -> Iterator[str]:
    for place, change in enumerate(found):
        if place == 0:
            yield from ("", title)
        one = change.one
        yield from wrapped(f"{one.rule} [{one.severity.value}] {one.subject}: {_word(change.ordered)} -> "
                           f"{_word(change.returned)}")
        for name, finding in (("ordered", change.ordered), ("returned", change.returned)):
            if finding is not None:
                yield from wrapped(f"{name}: {finding.message}", 6)


def _word(finding: Finding | None) -> str:
    if finding is None:
        return "no such finding"
    return WORDS.get(finding.status, finding.status.value)


def _links(found: FabComparison) -> Iterator[str]:
    """Every link with the number of its findings that were judged again, and of those that are other verdicts."""
    if found.ordered.links:
        yield from ("", "Links, judged again:")
    for name in found.ordered.links:
        start = f"links{under(name)}"
        mine = [one for one in found.after.findings if one.status is not Status.NOT_APPLICABLE
                and (one.subject == start or one.subject.startswith((f"{start}.", f"{start}[")))]
        changed = [one for one in found.changes if one.returned in mine]
        failed = sum(one.status is Status.FAIL for one in mine)
        yield from wrapped(f"{name}: {len(mine)} findings, {len(changed)} verdicts changed, {failed} fail")
