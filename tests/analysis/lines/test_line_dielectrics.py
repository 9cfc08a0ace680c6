# SPDX-License-Identifier: MIT
"""Dielectric loss of a line: conductance over susceptance is the loss tangent, weighed by where the field is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray

from pcbrules import api
from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.polygons import draw
from pcbrules.analysis.lines.section import TraceSection, section
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.document import read_yaml
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.dielectric import permittivity

um = 1e-6
FREQUENCY = np.array([1e6, 1e9, 5e9, 16e9, 50e9, 85e9])
REFERENCE = 5e9
"""Frequency at whose permittivities the field of a line is solved."""

LOW_LOSS = DielectricPoints(
    tuple((f * 1e9, 3.34, df) for f, df in ((13, 0.0037), (24, 0.004), (36, 0.0042), (47, 0.0044), (58, 0.0046)))
)
LOSSY = DielectricPoints(((10e9, 3.65, 0.0095),))
MASK = DielectricPoints(((1e9, 3.9, 0.03),))
STRIPLINE = LineTask(
    width_foot=110 * um,
    width_top=100 * um,
    thickness=15 * um,
    gap=150 * um,
    foot_up=False,
    below=(Ply(100 * um, LOW_LOSS),),
    above=(Ply(120 * um, LOSSY),),
    cover=None,
    cover_over_trace=None,
    rz=(0.0,) * 4,
    resistivity_trace=1.7e-8,
    resistivity_plane=1.7e-8,
    temperature=20.0,
)
MICROSTRIP = replace(STRIPLINE, above=(), cover=Ply(20 * um, MASK), cover_over_trace=15 * um)


def tangent(frequency: NDArray[np.float64] | float, material: DielectricPoints) -> NDArray[np.float64]:
    eps = permittivity(frequency=frequency, points=material.points)
    return np.asarray(-eps.imag / eps.real)


def line_tangent(task: LineTask, mode: str, frequency: NDArray[np.float64]) -> NDArray[np.float64]:
    line = solve_line(task)
    assert isinstance(line, LineResult)
    _, _, g, c = line.rlgc(frequency, mode)
    return g / (2 * np.pi * frequency * c)


@examples(15)
@given(
    dk=st.floats(2, 10), df=st.floats(1e-4, 0.04), width=st.floats(60, 300), gap=st.none() | st.floats(60, 400),
    above=st.floats(60, 300),
)
def test_homogeneous_line_has_the_tangent_of_its_material(
    dk: float, df: float, width: float, gap: float | None, above: float
) -> None:
    made = DielectricPoints(((10e9, dk, df),))
    task = replace(
        STRIPLINE, width_foot=(width + 10) * um, width_top=width * um, gap=None if gap is None else gap * um,
        below=(Ply(100 * um, made),), above=(Ply((above + 15) * um, made),),
    )
    for mode in ("odd", "even"):
        np.testing.assert_allclose(line_tangent(task, mode, FREQUENCY), tangent(FREQUENCY, made), rtol=1e-9)


@pytest.mark.parametrize("frequency", [REFERENCE, 16e9, 50e9])
@pytest.mark.parametrize("mode", ["odd", "even"])
@pytest.mark.parametrize(
    ("task", "elsewhere"),
    [pytest.param(STRIPLINE, 1e-4, id="stripline"), pytest.param(MICROSTRIP, 1e-2, id="microstrip under mask")],
)
def test_layered_line_has_the_sum_of_tangents_by_their_shares(
    task: LineTask, elsewhere: float, mode: str, frequency: float
) -> None:
    """Exact where the field is solved; away from it the weights are still those of the permittivities there, which
    costs up to 1 % of the loss under a mask whose Dk falls by 7 % from 1 to 50 GHz."""
    drawn = draw(task, lambda made: float(permittivity(frequency=frequency, points=made.points).real))
    fields = solve(drawn.section)
    drive = np.array([1.0, -1.0 if mode == "odd" else 1.0])
    shares = [float(drive @ part @ drive) / float(drive @ fields.c @ drive) for part in fields.parts]
    assert sum(shares) == pytest.approx(1, rel=1e-9)
    summed = sum(share * float(tangent(frequency, made)) for share, made in zip(shares, drawn.materials, strict=False))
    error = 1e-9 if frequency == REFERENCE else elsewhere
    line = solve_line(task)
    assert isinstance(line, LineResult)
    quasi_static = complex({"odd": line.modes.odd, "even": line.modes.even}[mode].permittivity(frequency))
    assert -quasi_static.imag / quasi_static.real == pytest.approx(summed, rel=error)
    dispersed = float(line_tangent(task, mode, np.array([frequency]))[0])
    if task.above:
        assert dispersed == pytest.approx(summed, rel=error)
    else:  # the field is drawn from air and mask into the laminate
        assert dispersed == pytest.approx(summed, rel=0.05)


@pytest.mark.parametrize("laminate", ["vt-481", "megtron7n", "fr408hr"])
def test_one_section_is_one_line_whatever_link_runs_there(laminate: str) -> None:
    """VT-481 is known at 1 GHz only, which says nothing above 5 GHz; the others have several sets of data."""
    document = read_yaml(str(Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"))
    for index, layer in enumerate(document.get(("stackup",))):
        if layer["kind"] == "dielectric":
            document = document.edited(("stackup", index, "material"), laminate)
    run = {"layer": "L3", "width": "4.8 mil", "gap": "7.2 mil", "length": "4 in"}
    speeds = {"usb3-gen1": 2.5e9, "usb3-gen2": 5e9, "pcie4": 8e9, "pcie6": 16e9}
    links = {f"link{k}": {"standard": name, "path": [{"trace": {"name": "run", **run}}]}
             for k, name in enumerate(speeds)}
    board = api.resolve(document.edited(("links",), links)).board
    found = []
    for link in board.links or ():
        made = section(board, link, link.steps[0], 20.0)
        assert isinstance(made, TraceSection)
        line = solve_line(made.task)
        assert isinstance(line, LineResult)
        found.append(line.z_diff)
    assert [link.standard.nyquist for link in board.links or ()] == list(speeds.values())
    assert found == pytest.approx([found[0]] * len(speeds), rel=1e-9)


def test_resin_fills_the_copper_that_is_left_out_but_not_the_outermost() -> None:
    """L2 and L1 above a trace on L3 are no planes: the resin of P1 fills the 30 um of L2, L1 is etched away."""
    document = read_yaml(str(Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"))
    document = document.edited(("stackup", 2, "role"), "signal")
    trace = {"name": "run", "layer": "L3", "width": "4.8 mil", "gap": "7.2 mil", "length": "4 in"}
    document = document.edited(("links",), {"one": {"standard": "pcie4", "path": [{"trace": trace}]}})
    board = api.resolve(document).board
    link = next(iter(board.links or ()))
    made = section(board, link, link.steps[0], 20.0)
    assert isinstance(made, TraceSection)
    assert [ply.thickness for ply in made.task.below] == pytest.approx([127 * um])
    assert [ply.thickness for ply in made.task.above] == pytest.approx([15 * um, 127 * um, (76 + 30) * um])
