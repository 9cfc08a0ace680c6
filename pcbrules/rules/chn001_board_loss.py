# SPDX-License-Identifier: MIT
"""Insertion loss of the board's part of the channel at Nyquist.

What it checks: the cascade of the path between the planes of the budget, hot and for the longest lane, at Nyquist,
against the standard's split of the budget less its reserve, or the board's own budget. The value is the mean over the
phase of the reflections, which differs from lane to lane; the interval holds the best and the worst phase, the model's
error and the spread from lot to lot. Where the legs of the pair differ in length, what turns into the common mode is
lost too. Where the growth of Df with temperature is not declared (`df_temperature` of a laminate), the interval holds
the range of the resin, and that of the water in outer layers. No stub betters the loss: where one resonates up to
Nyquist the largest loss up to there counts, and what stubs give back at Nyquist is not counted. A package counts where
the budget runs from the die: by its Touchstone file, its line, or its loss. A path that leaves the board at a connector
can break a budget which holds more than the board (a whole channel's, from chip to module, from TP0 to TP2), but not
meet it. Where neither `segment` nor the form factor says which part of a channel the board is, the smallest and the
largest budget of the standard both decide.

Why it matters: what the board spends, package, connector and the far end cannot have.

How to fix it: shorten the route, widen the trace, choose a smoother foil or a laminate of lower loss, add a retimer.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.signal import BoardLoss
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="CHN001",
    name="board-loss",
    title="Insertion loss of the board at Nyquist",
    needs=BoardLoss,
    limits={"loss": "loss"},
    inputs=("links.*.path", "links.*.segment", "links.*.budget", "stackup"),
)


def check(fact: BoardLoss, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the loss at Nyquist with the budget."""
    parts = ", ".join(f"{name} {value:.2f}" for name, value in fact.ledger)
    at = f"at {show(fact.resonance or fact.nyquist, 'GHz', 4)}"
    text = f"{fact.loss.value:.2f} dB {at} hot ({fact.cold:.2f} dB cold) over {show(fact.length, 'in')}: {parts}"
    if fact.resonance:
        text += (f"; a stub resonates below Nyquist ({show(fact.nyquist, 'GHz', 4)}), so the largest loss up to there "
                 "counts (CHN003)")
    bound = limits["loss"]
    if fact.partial and (bound.limit is None or bound.limit.met_by(fact.loss.value)):
        yield Skip(f"{text}; {fact.partial}", bound=bound)
        return
    part = fact.open_part
    given = bound.limit is not None and part is not None and bound.limit.high == part.least
    if part is not None and given and part.least < fact.loss.hi and fact.loss.value <= part.most:
        span = f"{part.least:.4g} dB ({part.least_part}) to {part.most:.4g} dB ({part.most_part})"
        reason = f"`{part.key}` is not declared, and the budget may be {span}"
        other = "" if part.own else f"`{fact.subject}.budget`, or "
        cure = f"give {other}`{part.key}`, one of {', '.join(part.parts)}"
        yield Skip(f"{text}; cannot be judged: {reason}; {cure}", bound=bound)
        return
    yield Verdict(
        measured=fact.loss,
        bound=bound,
        message=text,
        fix="backdrill until no stub resonates up to Nyquist" if fact.resonance else
        "shorten the route, widen the trace, choose a smoother foil or a laminate of lower loss, or add a retimer",
        proposal=fact.shorter,
    )
