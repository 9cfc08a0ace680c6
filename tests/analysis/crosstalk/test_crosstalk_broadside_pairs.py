# SPDX-License-Identifier: MIT
"""Broadside pairs beside what runs on the layer of one of their legs: a mirror law, and from the board file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sample_lines import lossless

from pcbrules import api
from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.crosstalk.coplanar_section import CoupledSection, solve_coupled_section
from pcbrules.analysis.crosstalk.neighbours import Coupled, neighbours
from pcbrules.analysis.crosstalk.solve import CouplingTask, coupling_over
from pcbrules.analysis.lines.task import LineTask, SecondLeg
from pcbrules.arrays import Complex
from pcbrules.document import read_yaml
from pcbrules.missing import Missing

UM = 1e-6
PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
FREQUENCY = np.linspace(1e9, 20e9, 39)
HEIGHT, COPPER, BETWEEN = 100.0, 17.0, 200.0


def line(above: float, second: SecondLeg | None, *, gap: float | None = None) -> LineTask:
    """Square copper over a plane, in one dielectric; lengths in micrometres."""
    return LineTask(
        width_foot=110 * UM, width_top=110 * UM, thickness=COPPER * UM, gap=None if gap is None else gap * UM,
        foot_up=False, below=(Ply(HEIGHT * UM, lossless(3.6)),), above=(Ply(above * UM, lossless(3.6)),), cover=None,
        cover_over_trace=None, rz=(0.0,) * 4, resistivity_trace=1.8e-8, resistivity_plane=1.8e-8, temperature=20.0,
        second=second,
    )


def between(
    victim: LineTask, other: LineTask, z_victim: float, z_other: float, spacing: float
) -> tuple[Complex, Complex]:
    found = coupling_over(
        CouplingTask(victim=victim, other=other, spacing=spacing * UM, length=0.05, z_victim=z_victim, z_other=z_other,
                     centres=(8e9,), highest=20e9, heights=0.1, width=10 * UM), FREQUENCY)
    assert not isinstance(found, Missing), found
    return found


SECOND = SecondLeg((COPPER + BETWEEN) * UM, 0.0, COPPER * UM, foot_up=False)
PAIR = line(2 * COPPER + BETWEEN + HEIGHT, SECOND)


@pytest.mark.parametrize("spacing", [100.0, 250.0])
def test_legs_over_each_other_are_lines_over_the_plane_of_symmetry(spacing: float) -> None:
    half = line(COPPER + BETWEEN / 2, None)
    pairs, lines = (solve_coupled_section(one, one, spacing * UM) for one in (PAIR, half))
    assert isinstance(pairs, CoupledSection) and isinstance(lines, CoupledSection)
    modes = np.array(pairs.weights)
    for of_pairs, of_lines in ((sum(pairs.parts), sum(lines.parts)), (pairs.inductance, lines.inductance)):
        assert modes @ of_pairs @ modes.T == pytest.approx(of_lines, rel=1e-4, abs=1e-5 * np.max(of_lines))


def test_victim_and_aggressor_may_change_places() -> None:
    beside = line(2 * COPPER + BETWEEN + HEIGHT, None, gap=150.0)
    one, other = between(PAIR, beside, 80.0, 95.0, 200.0), between(beside, PAIR, 95.0, 80.0, 200.0)
    for a, b in zip(one, other, strict=True):
        assert np.abs(a) == pytest.approx(np.abs(b), rel=1e-5, abs=1e-6 * np.abs(one[0]).max())


def copper(name: str, role: str) -> dict[str, Any]:
    return {"kind": "copper", "name": name, "thickness": "17 um", "role": role, "foil": "hvlp2"}


def ply(thickness: str, form: str) -> dict[str, Any]:
    return {"kind": "dielectric", "thickness": thickness, "material": "megtron7n", "form": form}


STACK = [copper("G1", "ground"), ply("100 um", "core"), copper("A", "signal"), ply("180 um", "prepreg"),
         copper("B", "signal"), ply("120 um", "core"), copper("G2", "ground")]


def of_board(offset: str = "0 mil", **more: Any) -> Coupled | Missing:
    """What stands beside a broadside pair on A and B."""
    near = {"spacing": "200 um", "coupled_length": "3 in", "direction": "opposite"} | more
    run = {"name": "run", "layer": "A", "width": "100 um", "top_width": "100 um", "length": "4 in",
           "broadside": {"layer": "B", "offset": offset}, "neighbours": [near]}
    links = {"a": {"standard": "pcie5", "path": [{"trace": run}]}}
    document = read_yaml(str(PLACE), PLACE.name).edited(("links",), links).edited(("stackup",), STACK)
    made = api.resolve(document.without(("via_types",))).board
    (link,) = made.links or ()
    (found,) = neighbours(made, link, 20.0)
    assert isinstance(found, Coupled | Missing)
    return found


@pytest.mark.parametrize("single", [False, True])
def test_from_the_board_file(single: bool) -> None:
    found = of_board(**({"single_ended": True} if single else {}))
    assert isinstance(found, Coupled), found
    assert found.task.victim.second is not None and (found.task.other.second is None) is single
    near, far = between(found.task.victim, found.task.other, found.task.z_victim, found.task.z_other, 200.0)
    assert 1e-4 < np.abs(near).max() < 0.2 and np.abs(far).max() < 0.5


def test_on_another_layer_there_is_no_model() -> None:
    found = of_board(layer="B")
    assert isinstance(found, Missing) and "another layer than A" in found.reason


def test_an_offset_counts_between_equal_pairs_and_leaves_others_open() -> None:
    straight, shifted = of_board(), of_board("2 mil")
    assert isinstance(straight, Coupled) and isinstance(shifted, Coupled)
    assert shifted.task.victim is shifted.task.other
    alone = of_board("2 mil", single_ended=True)
    assert isinstance(alone, Missing) and "the side of the pair decides" in alone.reason
