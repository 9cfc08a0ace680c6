# SPDX-License-Identifier: MIT
"""Form factor for the profile.

What it checks: that the board's form factor is one of those that the profile is for.

Why it matters: the limits of a profile are made for its kind of board; a carrier for an edge module that is judged as a
training baseboard, or the other way round, gets answers that mean little.

How to fix it: choose the profile that the board is for, or correct its form factor.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import BoardFormFactor
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="MEC002",
    name="form-factor",
    title="Form factor for the profile",
    needs=BoardFormFactor,
    limits={"form_factor": "choice"},
    inputs=("board.form_factor",),
)


def check(fact: BoardFormFactor, limits: Limits) -> Iterator[Verdict]:
    """Is the form factor on the profile's list?"""
    bound = limits["form_factor"]
    ok = fact.form_factor in bound.choices
    yield Verdict(
        measured=None,
        bound=bound,
        ok=ok,
        message=f"{fact.form_factor} ({fact.name}) is {'one' if ok else 'none'} of the profile's form factors: "
        f"{', '.join(bound.choices)}",
        fix="choose the profile that the board is for, or correct `board.form_factor`",
    )
