# SPDX-License-Identifier: MIT
"""Number of copper layers for the platform.

What it checks: the copper layers of the stackup against the range that the profile gives for the board's platform.

Why it matters: too few layers leave no room for references and power; too many cost money, thickness and via stubs. The
count is an outcome of routing and power, not a goal: either way it is a warning at most.

How to fix it: below the range, ask whether every fast link has its two ground planes and every core rail its copper;
above it, ask what the extra layers are for.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import LayerCount
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="STK001",
    name="layer-count",
    title="Copper layers for the platform",
    needs=LayerCount,
    limits={"layers": "number"},
    counts={"layers": "layers"},
    inputs=("stackup", "board.platform"),
)


def check(fact: LayerCount, limits: Limits) -> Iterator[Verdict]:
    """Compare the number of copper layers with the platform's range."""
    bound = limits["layers"]
    limit = bound.limit
    above = limit is not None and limit.high is not None and fact.count.value > limit.high
    yield Verdict(
        measured=fact.count,
        bound=bound,
        message=f"{fact.count.value:g} copper layers on a board of platform {fact.tags.get('platform', '')}",
        fix="say what the extra layers are for, or leave them out" if above
        else "check that fast links have their ground planes and core rails their copper",
        note="More layers than the platform asks for: over-specified." if above else "",
    )
