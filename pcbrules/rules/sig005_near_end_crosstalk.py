# SPDX-License-Identifier: MIT
"""Near-end crosstalk of a pair.

What it checks: the power sum of what each neighbour in the opposite direction couples into the pair at its near end,
from the field solver's matrices of both pairs together, the largest value around Nyquist (and around 25 GHz for
NVLink), with the via field and the connectors. A neighbour may run on another layer of the cavity. The via field is an
upper bound, computed from where pairs stand beside the vias, or declared; a connector is declared. Beside the level
that a guide asks for (NVLink), the signal over all crosstalk of every link: the signal has lost what the board's part
of the channel takes at Nyquist, hot (up to Nyquist the most, where a stub resonates there: CHN001), and what connectors
at the ends of the path take. Where the loss of one is not known, or its Touchstone file does not serve, it takes at
most the standard's whole share for a connector, or the most of what is sold: the ratio is judged after that, and not
evaluated where it decides. The message says which loss would break the limit. Every verdict shows that ratio, and says
whether its limit is normative or informative.

Why it matters: at its own end a transmitter is not attenuated, while the signal that arrives there is weak by the whole
loss of the channel.

How to fix it: space pairs in opposite directions further apart, best on layers of their own, and keep them apart in the
pin field of the connector. Where lines decide, the fix says how far from the pair its loudest neighbour has to run, as
solved again with all else as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.signal import NearEndCrosstalk
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.rules._crosstalk import INPUTS, judge

META = Meta(
    id="SIG005",
    name="near-end-crosstalk",
    title="Near-end crosstalk",
    needs=NearEndCrosstalk,
    limits={"crosstalk": "loss", "ratio": "loss"},
    inputs=INPUTS,
)


def check(fact: NearEndCrosstalk, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the power sum at the near end, and signal over crosstalk, with their limits."""
    return judge(fact, limits)
