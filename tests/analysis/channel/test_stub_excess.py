# SPDX-License-Identifier: MIT
"""No stub betters a budget that is read at Nyquist."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.analysis.channel.facts import board_loss, prepare
from pcbrules.analysis.channel.solve import solve_channel
from pcbrules.analysis.channel.stub_excess import none_better
from pcbrules.analysis.channel.task import ChannelSolution, LedgerLine, StubExcess
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.document import read_yaml
from pcbrules.results.facts.signal import BoardLoss

MIL = 25.4e-6
PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
BOARD = api.resolve(read_yaml(str(PLACE), PLACE.name)).board
LINK = next(one for one in BOARD.links or () if one.name == "nvl")
MADE = prepare(BOARD, LINK, cold=20.0, hot=85.0)


@cache
def solved(stub: float) -> tuple[ChannelSolution, BoardLoss]:
    """The link with stubs of this length [mil] at both vias: its solution and the loss that is judged."""
    long = stub * MIL
    elements = tuple(
        replace(one, port1_stub=long if one.port1_stub else 0.0, port2_stub=long if one.port2_stub else 0.0)
        if isinstance(one, ViaSpec) else one for one in MADE.task.hot.elements)
    found = solve_channel(replace(MADE.task.hot, elements=elements))
    assert found.through is not None
    loss = board_loss(BOARD, LINK, MADE, (found, found.through.over_phase.value - 0.4))
    assert isinstance(loss, BoardLoss)
    return found.through, loss


def test_a_longer_stub_never_has_less_loss() -> None:
    """At 90 mil the stub is half a wave long at Nyquist and nearly gone there; the signal still meets its resonance."""
    lengths = (5, 15, 25, 35, 45, 60, 75, 90)
    judged = [solved(stub)[1].loss.value for stub in lengths]
    # beyond the resonance at Nyquist all stop all: only its depth differs
    assert all(more >= less or less > 60 for less, more in pairwise(judged))
    assert judged[-1] > 60 > 14 > judged[0]
    at_nyquist, loss = solved(90)
    assert at_nyquist.over_phase.value < 14
    assert loss.resonance is not None and loss.resonance < LINK.standard.nyquist
    assert loss.loss.lo > 14 and loss.shorter is None
    assert dict(loss.ledger)["resonance"] == pytest.approx(at_nyquist.stub_excess.loss)
    assert loss.cold == pytest.approx(loss.loss.value - 0.4)


def test_without_a_resonance_in_band_the_loss_is_that_at_nyquist() -> None:
    at_nyquist, loss = solved(9)
    assert at_nyquist.stub_excess == StubExcess()
    assert loss.resonance is None and loss.loss.value == at_nyquist.over_phase.value


def test_what_stubs_give_back_counts_as_none() -> None:
    lines = [LedgerLine(0, "stubs", -0.3), LedgerLine(2, "stubs", 0.1), LedgerLine(0, "barrel", -0.5)]
    assert none_better(StubExcess(), lines) == StubExcess(pytest.approx(0.2))
    assert none_better(StubExcess(40.0, 12e9), lines) == StubExcess(40.0, 12e9)
    assert none_better(StubExcess(), lines[1:]) == StubExcess()
