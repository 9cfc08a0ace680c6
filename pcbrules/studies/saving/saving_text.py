# SPDX-License-Identifier: MIT
"""What a board could save, for readers and for programs (JSON, ``schemas/cheaper.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.finding import Status
from pcbrules.results.program_text import ProgramText
from pcbrules.rules._over_spec import WITNESSES
from pcbrules.studies.fixing.outcome import SeenFinding
from pcbrules.studies.moves.costs import PARTS, shown
from pcbrules.studies.pages import document, page, total, wrapped
from pcbrules.studies.saving.savings import CheaperBoard

BASIS = (
    "Advice, never a fail. Each line is judged by a check of the changed board: no finding of severity error "
    "or warning gets a worse status, and no fail loses margin. "
    "Behind it stands the finding that loses most margin. The index: 1 is one "
    "percent of the price of the bare board."
)


def console(found: CheaperBoard) -> str:
    """A line a saving, those that go together marked; without the diff."""
    return page(_console(found))


def last_line(found: CheaperBoard) -> str:
    """The total, which stands behind the diff."""
    return total(0, f"{len(found.alone)} savings alone", f"{len(found.together)} together save {shown(found.saved)}",
                 f"{found.judged} sets judged") + "\n"


def _console(found: CheaperBoard) -> Iterator[str]:
    yield from wrapped(f"{found.board} under profile {found.profile}: what is dearer than it needs", 0)
    yield from wrapped(BASIS)
    yield ""
    for one in found.alone:
        mark = "*" if one.at in found.together else " "
        yield from wrapped(f"{mark} {shown(one.saved):>6}  {one.text}{told(one.nearest)}", 2, 12)
    yield from wrapped("* goes together with the others that are marked" if found.alone else
                       "nothing that pcbrules knows saves cost without a worse verdict")
    for family in found.unproven:
        yield from wrapped(f"{family}: not known, {' and '.join(WITNESSES[family])} judge nothing of this board")
    for family in found.unmoved:
        yield from wrapped(f"{family}: not known, no number that is judged depends on it")
    yield ""


def told(nearest: tuple[SeenFinding, SeenFinding] | None) -> str:
    """Return what is said of the finding that loses most margin by a saving."""
    if nearest is None:
        return "; no verdict gets worse"
    was, now = nearest
    left = "still passes" if now.status is Status.PASS else f"stays {now.status.value}"
    return f"; {was.rule} {was.subject} {was.measured} -> {now.measured} (limit {was.limit}), {left}"


def json_text(found: CheaperBoard) -> str:
    """The same as JSON; savings as an index."""
    return document(found.board, found.profile, {
        "exit_code": 0,
        "savings": [{
            "text": one.text, "saved": one.saved / PARTS, "together": one.at in found.together,
            "nearest": None if one.nearest is None else {
                "rule": one.nearest[0].rule, "subject": one.nearest[0].subject, "was": one.nearest[0].measured,
                "becomes": one.nearest[1].measured, "limit": one.nearest[0].limit},
        } for one in found.alone],
        "saved": found.saved / PARTS,
        "judged": found.judged,
        "not_known": [*found.unproven, *found.unmoved],
        "patch": ProgramText(found.patch),
    })
