# SPDX-License-Identifier: MIT
"""Where the ends of a channel's loss lie: each error moves the ends that it can move, and no other."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcbrules import api
from pcbrules.analysis.channel.element_chain import CORNERS, ElementChain
from pcbrules.analysis.channel.facts import Prepared, board_loss, prepare, solve_pair
from pcbrules.analysis.channel.mode_conversion import losses
from pcbrules.analysis.channel.solve import solve_channel, solve_elements
from pcbrules.analysis.channel.task import ChannelResult, ChannelSolution
from pcbrules.analysis.common.df_drift import NO_DRIFT, DfDrift
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.document import Document, read_yaml
from pcbrules.model.board import Board, BoardLink
from pcbrules.results.facts.signal import BoardLoss
from pcbrules.results.measured import Measured

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"

Solved = tuple[Board, BoardLink, Prepared, ChannelResult, float]


@cache
def solved() -> Solved:
    """A pair on L3 between two vias with a stub each, and no errors of its own but those that a test gives it."""
    board = api.resolve(read_yaml(str(PLACE), PLACE.name)).board
    link = next(one for one in board.links or () if one.name == "nvl")
    made = prepare(board, link, cold=20.0, hot=85.0)
    hot, cold = solve_pair(made.task)
    assert hot.through is not None
    assert cold is not None
    mean = hot.through.over_phase
    still = replace(mean, lo=mean.value, hi=mean.value)
    exact = replace(hot.through, line_error=0.0, via_error=(0.0, 0.0), over_phase=still)
    kept = [replace(part, tolerance=(0.0, 0.0), u_df=0.0, drift=NO_DRIFT) for part in made.kept]
    return board, link, replace(made, kept=kept), replace(hot, through=exact), cold


def loss(u_df: float = 0.0, **errors: Any) -> Measured:
    """The loss with these errors."""
    board, link, made, hot, cold = solved()
    assert hot.through is not None
    kept = [replace(part, u_df=u_df) for part in made.kept]
    results = replace(hot, through=replace(hot.through, **errors)), cold
    found = board_loss(board, link, replace(made, kept=kept), results)
    assert isinstance(found, BoardLoss)
    return found.loss


def ends(one: Measured) -> tuple[float, float]:
    """How far both ends lie from the value. [dB]"""
    return one.value - one.lo, one.hi - one.value


def dielectric(through: ChannelSolution | None) -> float:
    """Loss of all dielectrics. [dB]"""
    assert through is not None
    return sum(row.loss for row in through.ledger if row.part == "dielectric")


@pytest.mark.parametrize("error", [(0.2, 3.0), (3.0, 0.2), (0.0, 4.0)])
def test_the_error_of_vias_upwards_moves_the_upper_end_and_that_downwards_the_lower(error: tuple[float, float]) -> None:
    lot = ends(loss())
    for found, own, bare in zip(ends(loss(via_error=error)), error, lot, strict=True):
        assert found == pytest.approx(hypot(own, bare))


def test_another_lot_of_boards_loses_a_tenth_more_or_less() -> None:
    through = solved()[3].through
    assert through is not None
    assert ends(loss()) == pytest.approx((0.1 * through.over_phase.value, 0.1 * through.over_phase.value))


def test_the_phase_of_the_reflections_moves_each_end_to_its_own() -> None:
    through = solved()[3].through
    assert through is not None
    mean = through.over_phase
    band = replace(mean, lo=mean.value - 2.0, hi=mean.value + 3.0)
    for found, bare, own in zip(ends(loss(over_phase=band)), ends(loss()), (2.0, 3.0), strict=True):
        assert found == pytest.approx(hypot(own, bare))


def test_a_loss_tangent_that_is_not_sure_moves_both_ends_by_its_part_of_the_loss() -> None:
    lot, part = ends(loss()), dielectric(solved()[3].through)
    assert part > 1
    for found, bare in zip(ends(loss(u_df=0.4)), lot, strict=True):
        assert found == pytest.approx(hypot(0.4 * part, bare))
    assert loss(u_df=0.4).error == pytest.approx(0.4 * part)
    assert loss(u_df=0.4).value == loss().value


def test_the_error_of_the_lines_moves_both_ends() -> None:
    for found, bare in zip(ends(loss(line_error=1.5)), ends(loss()), strict=True):
        assert found == pytest.approx(hypot(1.5, bare))


def test_a_laminate_whose_df_is_a_range_spans_more_than_one_that_is_measured() -> None:
    document = read_yaml(str(PLACE), PLACE.name)
    rows = document.get(("stackup",))
    for index, entry in enumerate(rows):
        if entry["kind"] == "dielectric":
            document = document.edited(("stackup", index, "material"), "generic-fr4")
    known, guessed = (_spread(one) for one in (read_yaml(str(PLACE), PLACE.name), document))
    # Df 0.015 to 0.025: a quarter of the loss of the dielectric, where nothing else of the line is as unsure
    assert guessed > known + 0.1


def _spread(document: Document) -> float:
    """How far the upper end of a pair's loss lies above its value. [-]"""
    board = api.resolve(document).board
    link = next(one for one in board.links or () if one.name == "nvl")
    made = prepare(board, link, cold=20.0, hot=85.0)
    found = board_loss(board, link, made, solve_pair(made.task))
    assert isinstance(found, BoardLoss)
    return found.loss.hi / found.loss.value - 1


def drifting(drift: DfDrift, cold: float) -> tuple[Measured, float]:
    """The loss with a drift of every laminate and a cold loss [dB], and that of all dielectrics [dB]."""
    board, link, made, hot, _ = solved()
    kept = [replace(part, drift=drift) for part in made.kept]
    found = board_loss(board, link, replace(made, kept=kept), (hot, cold))
    assert isinstance(found, BoardLoss)
    return found.loss, dielectric(hot.through)


def test_what_temperature_may_add_to_df_moves_the_upper_end_alone_and_names_its_key() -> None:
    found, part = drifting(DfDrift(growth=0.004, key="k"), 0.0)
    lower, upper = ends(loss())
    spread = 1 + upper / loss().value  # of what is added too
    assert ends(found) == pytest.approx((lower, upper + part * 0.004 * 62 * spread))
    assert found.undeclared is not None
    assert (found.undeclared.key, found.undeclared.lo) == ("k", found.value)
    assert found.undeclared.hi == pytest.approx(found.value + part * 0.004 * 62)


def test_water_counts_cold_where_a_board_keeps_it() -> None:
    value = loss().value
    spread = 1 + ends(loss())[1] / value
    warm, part = drifting(DfDrift(wet=0.5), value - 10)
    more = part * 0.5 * 0.0508 * spread  # 2985 Pa of 58.8 kPa
    assert ends(warm)[1] - ends(loss())[1] == pytest.approx(more, rel=0.01)
    cold, _ = drifting(DfDrift(wet=0.5), value - 0.2)
    assert ends(cold)[1] - ends(loss())[1] == pytest.approx((part * 0.5 - 0.2) * spread)
    assert cold.undeclared is None


@pytest.mark.parametrize("z_ref", [70.0, 80.0, 90.0, 100.0])
def test_the_error_of_a_return_loss_is_the_larger_change_that_a_bound_of_the_vias_makes(z_ref: float) -> None:
    """Each bound has its own worst frequency; where both are worse than the nominal vias, that is an error too."""
    task = replace(solved()[2].task.hot, z_ref=z_ref, masks=())
    through = solve_channel(task).through
    assert through is not None
    assert through.least_return is not None
    lines, vias, _ = solve_elements(task, solve_lossy)
    row = ElementChain(task, lines, vias, np.linspace(50e6, task.nyquist, 1500))
    least = [float(losses(row, corner)[through.least_return.port].min()) for corner in CORNERS]
    changes = [abs(bound - least[0]) for bound in least[1:]]
    between = 0.15  # what a parabola between the points of the grid may be off
    assert through.least_return.error == pytest.approx(max(changes), abs=between)
    assert through.least_return.margin.lo <= least[0] - max(changes) + between
    assert through.least_return.margin.hi >= least[0] + max(changes) - between
