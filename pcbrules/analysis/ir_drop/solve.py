# SPDX-License-Identifier: MIT
"""Solves one side of a rail, supply or return, at one ampere: drop, loss, currents of barrels, necks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.power.ampacity import INNER, ipc2152_outer_rise, ipc2221_rise
from pcbrules.physics.power.neck_rise import mouth_resistance, neck_rise
from pcbrules.physics.power.sheet_grid import Contact, GridFlow, Layer, solve_grid
from pcbrules.physics.power.sheet_necks import Necks, necks
from pcbrules.physics.power.sheet_slits import Polygon, inside
from pcbrules.physics.power.sheet_triangles import TriangleFlow, solve_triangles
from pcbrules.physics.power.triangle_necks import triangle_necks
from pcbrules.physics.thermal.thermal_vias import CONDUCTIVITY_COPPER
from pcbrules.solver_cache import solved_once
from pcbrules.ties import greatest_of

CELLS = 12_000
"""Cells of the grid, all layers together; a second grid has a quarter of them and shows the error."""
SPARSE = 4.0
"""Boxes of more than this many times the copper in them are mostly empty. [-]"""
MOST = 120_000
"""Cells of the boxes at most. Those without copper cost memory alone."""
FINER, AGREE = 3, 0.2
"""Grids that are tried, each of half the step, until two agree within this part. [-]"""
FINEST, COARSEST = 0.1e-3, 10e-3
"""Step of the grid. [m]"""
BETTER = 4.0
"""Change from linear to quadratic potentials in the triangles over the error that is left, at least: on the golden
cases and against boundary integrals it is 8 to 14 (docs/physics/ir_drop.md). [-]"""
NECK = 10.16e-3
"""Widest conductor of IPC-2221's charts, 400 mil. Copper that is wider is a plane. [m]"""
SAME = 1e-6
"""Relative difference below which two places are equally bad. [-]"""
TYPICAL = 100.0
"""Load at which the hottest neck is looked for [A]; which one it is hardly depends on it."""
DIRECT = 1e-9
"""Resistance of what has none. [ohm]"""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A field of antipads on one layer: region, pitch, antipad [m].

    ``ratio`` is the sheet resistance with an antipad at every site over that without. [-]
    """

    layer: int
    region: Polygon
    pitch: float
    antipad: float
    ratio: float


@dataclass(frozen=True, slots=True)
class FlowTask:
    """One side of a rail as plain numbers.

    ``thickness`` [m] is by layer. ``links`` are barrels between terminals, or sources' own resistance [ohm].
    ``sources`` and ``balls`` are numbers of terminals; ``shares`` of the current by source, none for one potential of
    all, ``draws`` by ball, none where all draw the same. ``barrels`` gives, for some of the links, by what to multiply
    a current to have the one that heats a barrel of 0.25 mm with 25 um as much [-].
    """

    layers: tuple[Layer, ...]
    thickness: tuple[float, ...]
    lattices: tuple[Lattice, ...]
    terminals: tuple[Contact | None, ...]
    links: tuple[tuple[int, int, float], ...]
    barrels: tuple[tuple[int, float], ...]
    sources: tuple[int, ...]
    shares: tuple[float, ...]
    balls: tuple[int, ...]
    draws: tuple[float, ...]
    sense: int | None


@dataclass(frozen=True, slots=True)
class Neck:
    """A narrow place: its current at one ampere of load [A], width, thickness, middle [m]; ``web`` between antipads.

    ``layer`` is its number in the task. ``length`` is that of a strip of its width with its resistance [m],
    ``resistivity`` that of the warm copper [ohm m].
    """

    current: float
    width: float
    thickness: float
    length: float
    resistivity: float
    place: tuple[float, float]
    layer: int
    web: bool


@dataclass(frozen=True, slots=True)
class Balls:
    """The ball beneath which the sheet is nearest the middle of all: its place [m], how far the lowest ball lies below
    the sheet there and the highest above it, and how far the ``highest`` lies above where the drop counts from. [ohm]
    """

    middle: tuple[float, float] = (0.0, 0.0)
    below: float = 0.0
    above: float = 0.0
    highest: float = 0.0


@dataclass(frozen=True, slots=True)
class Flow:
    """At one ampere of load, so in ohms and parts of the current; or ``fault``, the reason why there is none.

    Attributes
    ----------
    drop : float
        From the sense point to the worst ball; without one from the sources' mean potential. [ohm]
    below, above : float
        How far the potentials of the sources reach below and above that mean; 0 with a sense point. [ohm]
    worst : (float, float)
        Place of the worst ball. [m]
    loss, barrels, pads : float
        Power lost in all, in the barrels alone, and in the sources' own resistances alone. [ohm]
    via : float or None
        Largest current of a barrel, as in 0.25 mm with 25 um. [A/A]
    shares : (float, float)
        Smallest and largest current of a source over its share. [-]
    warm, upper : Neck or None
        Necks that get hottest by the fit to IPC-2152 and by IPC-2221.
    balls : Balls
        How far apart the balls are, and a place for a sense point.
    step : float
        Of the finer grid [m]; 0 where the copper is solved on triangles.
    errors : (float, float, float)
        Relative difference between the two grids of drop, loss and via current, of triangles what is left of it. [-]
    """

    drop: float = 0.0
    below: float = 0.0
    above: float = 0.0
    worst: tuple[float, float] = (0.0, 0.0)
    loss: float = 0.0
    barrels: float = 0.0
    pads: float = 0.0
    via: float | None = None
    shares: tuple[float, float] = (1.0, 1.0)
    warm: Neck | None = None
    upper: Neck | None = None
    errors: tuple[float, float, float] = (0.0, 0.0, 0.0)
    balls: Balls = Balls()
    step: float = 0.0
    fault: str = ""


_Numbers = tuple[float, float, float, float, float, tuple[float, float], Balls]


def solve_flow(task: FlowTask) -> Flow:
    """The flow on a grid, and its difference from the flow on a grid of twice the step; or on triangles.

    Copper that a grid is too coarse for is solved again on finer ones.
    """
    if on_triangles(task):
        return _on_triangles(task)
    step = grid_step(task)
    found = _solved(task, step)
    for finer in (step / 2**k for k in range(1, FINER)):
        if not found.fault and max(found.errors) <= AGREE:
            break
        made = _solved(task, finer)
        found = found if made.fault else made  # a finer grid may have too many cells
    return found


def on_triangles(task: FlowTask) -> bool:
    """True for copper that is no set of rectangles: sides aslant are stairs on a grid, and traces need a fine one.
    Fields of antipads need the grid.
    """
    fields = task.lattices or any(layer.holed for layer in task.layers)
    return not fields and not all(map(_rectangle, (
        shape for layer in task.layers for shape in (*layer.shapes, *layer.cutouts))))


def _rectangle(shape: Polygon) -> bool:
    """True for one along the axes."""
    return len(shape) == 4 and all(
        a[0] == b[0] or a[1] == b[1] for a, b in zip(shape, (*shape[1:], shape[0]), strict=True))


def _on_triangles(task: FlowTask) -> Flow:
    try:
        coarse, fine = (_numbers(task, triangle_flow(task, order)) for order in (1, 2))
    except ValueError as error:
        return Flow(fault=str(error))
    flow = triangle_flow(task, 2)
    found = [neck for layer in range(len(task.layers))
             for neck in _hottest(task, layer, triangle_necks(flow=flow, layer=layer, widest=NECK))]
    return _flow(task, flow, coarse, fine, found, 0.0, BETTER)


def _solved(task: FlowTask, step: float) -> Flow:
    try:
        coarse, fine = _numbers(task, grid_flow(task, 2 * step)), _numbers(task, flow := grid_flow(task, step))
    except ValueError as error:
        return Flow(fault=str(error))
    if not np.isfinite((*coarse[:5], *fine[:5])).all():
        return Flow(fault="the grid is too coarse for the copper")
    return _flow(task, flow, coarse, fine, list(_narrow(task, flow)), step, 1.0)


def _flow(
    task: FlowTask, flow: GridFlow | TriangleFlow, coarse: _Numbers, fine: _Numbers, found: list[Neck], step: float,
    better: float,
) -> Flow:
    """The flow of the finer solution, of which the coarse one shows the error, ``better`` times as large."""
    errors = [abs(b - a) / abs(b) / better if b else 0.0 for a, b in zip(coarse[:3], fine[:3], strict=True)]
    drop, loss, via, below, above, worst = fine[:6]
    mean = [task.shares[k] if task.shares else 1 / len(task.sources) for k in range(len(task.sources))]
    parts = [float(flow.entering[at]) / share for at, share in zip(task.sources, mean, strict=True)]
    return Flow(
        drop, below, above, worst, loss, flow.barrels, _pads(task, flow), via if task.barrels else None,
        (min(parts), max(parts)),
        greatest_of(found, key=lambda one: neck_rises(one, TYPICAL).warm, default=None),
        greatest_of(found, key=lambda one: neck_rises(one, TYPICAL).upper, default=None),
        (errors[0], errors[1], errors[2]), fine[6], step,
    )


def _pads(task: FlowTask, flow: GridFlow | TriangleFlow) -> float:
    """Power lost in the sources' own resistances, each current even over its contact. [ohm]"""
    barrels = {at for at, _ in task.barrels}
    ends = [(at, task.terminals[second]) for at, (_, second, _) in enumerate(task.links) if at not in barrels]
    return float(sum(flow.links[at] ** 2 * end.resistance for at, end in ends if end is not None))


def grid_step(task: FlowTask) -> float:
    """Step at which the boxes round the shapes have about `CELLS` cells; of copper that is thin in its boxes, such as
    traces, `SPARSE` times the area of its shapes counts. [m]
    """
    boxes = copper = 0.0
    for layer in task.layers:
        corners = np.array([corner for shape in layer.shapes for corner in shape])
        boxes += float(np.prod(np.ptp(corners, axis=0)))
        copper += sum(_size(shape) for shape in layer.shapes)
    step = np.sqrt(min(boxes, SPARSE * copper) / CELLS)
    return float(np.clip(max(step, np.sqrt(boxes / MOST)), FINEST, COARSEST))


def _size(shape: Polygon) -> float:
    """Area of a polygon. [m2]"""
    x, y = np.array(shape).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


@solved_once
def grid_flow(task: FlowTask, step: float) -> GridFlow:
    """The flow at one ampere: of a rail that is drawn, it is asked for again."""
    entering, held = _driven(task)
    return solve_grid(layers=task.layers, terminals=task.terminals, links=task.links, held=held, entering=entering,
                      step=step)


@solved_once
def triangle_flow(task: FlowTask, order: int) -> TriangleFlow:
    """The flow at one ampere on triangles, with potentials of an ``order``."""
    entering, held = _driven(task)
    return solve_triangles(layers=task.layers, terminals=task.terminals, links=task.links, held=held, entering=entering,
                           order=order)


def _driven(task: FlowTask) -> tuple[dict[int, float], tuple[int, ...]]:
    """Current that enters at terminals, and terminals of one potential."""
    draws = task.draws or (1 / len(task.balls),) * len(task.balls)
    entering = {ball: -draw / sum(draws) for ball, draw in zip(task.balls, draws, strict=True)}
    for at, share in zip(task.sources, task.shares, strict=False):
        entering[at] = entering.get(at, 0.0) + share
    return entering, () if task.shares else task.sources


@dataclass(frozen=True, slots=True)
class NeckRises:
    """Rise of a neck above the copper round it [K], as a fin whose surfaces lose what a trace loses.

    ``warm`` by the fit to IPC-2152, its ends as cool as the copper round it; ``upper`` by IPC-2221 with the inner
    constant, its ends warmed by what flows out of them. ``endless`` is that of an endless trace by the fit.
    """

    warm: float
    upper: float
    endless: float


def neck_rises(neck: Neck, current: float) -> NeckRises:
    """Rises of a neck at a current of the load [A]."""
    warm, upper, endless = (float(one) for one in _rises(
        neck.current * current, neck.width, neck.thickness, neck.length, neck.resistivity))
    return NeckRises(warm, upper, endless)


def _rises(
    current: Real | float, width: Real | float, thickness: float, length: Real | float, resistivity: float
) -> tuple[Real, Real, Real]:
    """Rises of necks: warm, upper and endless, as of ``NeckRises``. [K]"""
    endless = ipc2152_outer_rise(current=current, width=width, thickness=thickness)
    most = ipc2221_rise(current=current, area=np.asarray(width) * thickness, constant=INNER)
    mouth = mouth_resistance(width=width, thickness=thickness, healing=_healing(thickness, resistivity),
                             conductivity=CONDUCTIVITY_COPPER)
    warm, upper = (
        neck_rise(trace_rise=rise, current=current, width=width, thickness=thickness, length=length,
                  resistivity=resistivity, conductivity=CONDUCTIVITY_COPPER, mouth=foot)
        for rise, foot in ((endless, 0.0), (most, mouth)))
    return warm, np.maximum(upper, warm), endless


def _healing(thickness: float, resistivity: float) -> float:
    """Length over which the widest trace of the charts loses its heat [m]: a plane loses less on its area."""
    rise = ipc2152_outer_rise(current=1.0, width=NECK, thickness=thickness)
    return float(np.sqrt(CONDUCTIVITY_COPPER * rise / resistivity) * NECK * thickness)


def _numbers(task: FlowTask, flow: GridFlow | TriangleFlow) -> _Numbers:
    """Drop, loss, via current, sources below and above their mean, place of the worst ball, how the balls differ."""
    volts = flow.terminals
    sources = volts[list(task.sources)]
    weights = flow.entering[list(task.sources)]
    mean = float(sources @ weights) / float(weights.sum())
    start = mean if task.sense is None else float(volts[task.sense])
    balls = volts[list(task.balls)]
    beneath = _beneath(task, flow)
    place, centre = _place(task, first(-balls)), first(-abs(beneath - (balls.max() + balls.min()) / 2))
    middle = float(beneath[centre])
    apart = Balls(_place(task, centre), middle - float(balls.min()), float(balls.max()) - middle,
                  float(balls.max()) - start)
    via = max((abs(float(flow.links[at])) * scale for at, scale in task.barrels), default=0.0)
    free = task.sense is None
    return (start - float(balls.min()), flow.loss, via, mean - float(sources.min()) if free else 0.0,
            float(sources.max()) - mean if free else 0.0, place, apart)


def _beneath(task: FlowTask, flow: GridFlow | TriangleFlow) -> Real:
    """Potentials of a sheet at the balls: that of the sense point, or the first one that a ball touches; those of the
    balls themselves where that sheet has no copper beneath them. [V]
    """
    some = task.sense if task.sense is not None else task.balls[0]
    layer = next(one.layer for one in task.terminals[some:] if one is not None)
    places = np.array([_place(task, ball) for ball in range(len(task.balls))])
    with np.errstate(invalid="ignore"):
        found = flow.at(layer, places[:, 0], places[:, 1])
    return np.where(np.isfinite(found), found, flow.terminals[list(task.balls)])


def _place(task: FlowTask, ball: int) -> tuple[float, float]:
    """Place of a ball. [m]"""
    return next(one.place for one in task.terminals[task.balls[ball]:] if one is not None)


def first(values: Real) -> int:
    """Place of the largest value; of several that rounding alone tells apart the first."""
    largest = float(values.max())
    return int(np.flatnonzero(values >= largest - SAME * abs(largest))[0])


def _spot(x: float, y: float) -> tuple[float, float]:
    """A place to a nanometre: rounding makes no -4e-16 mm of zero. [m]"""
    return round(float(x), 9) + 0.0, round(float(y), 9) + 0.0


def _hottest(task: FlowTask, layer: int, cuts: Necks) -> Iterator[Neck]:
    """The hottest neck of a layer by either formula."""
    if not len(cuts.width):
        return
    square, thickness = task.layers[layer].square, task.thickness[layer]
    length = cuts.drop / (cuts.current * square) * cuts.width
    rises = _rises(TYPICAL * cuts.current, cuts.width, thickness, length, square * thickness)
    for k in dict.fromkeys(first(one) for one in rises[:2]):
        yield Neck(float(cuts.current[k]), float(cuts.width[k]), thickness, float(length[k]),
                   square * thickness, _spot(cuts.x[k], cuts.y[k]), layer, web=False)


def _narrow(task: FlowTask, flow: GridFlow) -> Iterator[Neck]:
    """The hottest neck of each layer by either formula, and the hottest web of each field of antipads."""
    for layer in range(len(task.layers)):
        yield from _hottest(task, layer, necks(flow=flow, layer=layer, widest=NECK))
    x, y = (flow.x[1:] + flow.x[:-1]) / 2, (flow.y[1:] + flow.y[:-1]) / 2
    for one in task.lattices:
        density = np.hypot(*flow.density(one.layer))
        density = np.where(inside(polygon=one.region, x=x[None, :], y=y[:, None]), density, 0.0)
        row, column = np.unravel_index(first(density.ravel()), density.shape)
        if density[row, column] > 0:
            web, thickness = one.pitch - one.antipad, task.thickness[one.layer]
            yield Neck(float(density[row, column]) * one.pitch, web, thickness, one.ratio * web,
                       task.layers[one.layer].square * thickness, _spot(x[column], y[row]), one.layer, web=True)
