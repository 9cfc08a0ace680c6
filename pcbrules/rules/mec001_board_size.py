# SPDX-License-Identifier: MIT
"""Size of the board for its form factor.

What it checks: the long and the short side of the outline, in either orientation, against the range of the form factor;
for boards of servers also against the usable size of a production panel.

Why it matters: a module or card that is not of its size fits no socket and no slot; a board that is larger than a
panel has no fabricator.

How to fix it: correct the outline, or the form factor that the board file names.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import BoardSide
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="MEC001",
    name="board-size",
    title="Board size for the form factor",
    needs=BoardSide,
    limits={"short": "length", "long": "length", "panel_short": "length", "panel_long": "length"},
    inputs=("board.size", "board.form_factor"),
)


def check(fact: BoardSide, limits: Limits) -> Iterator[Verdict]:
    """Compare one side with the form factor's range, and with the panel."""
    form = fact.tags.get("form_factor", "")
    for name, part, against in ((fact.side, "", f"form factor {form}"), (f"panel_{fact.side}", "panel", "one panel")):
        if name in limits:
            yield Verdict(
                measured=fact.length,
                bound=limits[name],
                part=part,
                message=f"the {fact.side} side is {show(fact.length.value, 'mm', 4)}, judged for {against}",
                fix="correct the outline or the form factor",
            )
