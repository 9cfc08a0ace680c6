# SPDX-License-Identifier: MIT
"""Direct current over planes: error against the reference, drop along a plane, rise of a neck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pcbrules import api
from pcbrules.analysis.ir_drop.maps import flow_maps
from pcbrules.analysis.ir_drop.solve import FlowTask
from pcbrules.analysis.ir_drop.undeclared import drawn_sides, side_tasks
from pcbrules.document import read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.physics.power.ampacity import INNER, ipc2152_outer_rise, ipc2221_rise
from pcbrules.physics.power.neck_rise import neck_rise
from pcbrules.physics.power.sheet_grid import Contact, Layer, Polygon, solve_grid
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

STEPS = (2.0, 1.4, 1.0, 0.7, 0.5, 0.35)
"""Steps of the grid. [mm]"""
WEB, THICKNESS = 0.4e-3, 70e-6
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
BOARDS = Path(__file__).resolve().parents[2] / "boards"


def box(width: float, height: float) -> Polygon:
    """A rectangle from the origin, in millimetres."""
    return (0.0, 0.0), (width * 1e-3, 0.0), (width * 1e-3, height * 1e-3), (0.0, height * 1e-3)


def contact(x: float, y: float, *size: float, layer: int = 0) -> Contact:
    """A contact in millimetres."""
    return Contact(layer, (x * 1e-3, y * 1e-3), tuple(one * 1e-3 for one in size))


def errors() -> dict[str, list[float]]:
    """Relative error of the drop over the steps [%], by golden case."""
    cases: dict[str, Any] = {entry.id: entry.data for entry in golden.shipped()}
    plane = [Layer((box(100, 60),), 1.0)]
    squares = contact(20, 30, 2, 2), contact(80, 30, 2, 2)
    discs = contact(15, 20, 3), contact(85, 45, 3)
    vias, pins = cases["IR07"]["inputs"], cases["IR08"]["inputs"]
    rho = vias["resistivity_ohm_m"]
    barrel = float(tube_resistance(resistivity=rho, length=400e-6, drill=300e-6, plating=25e-6))
    ends: list[Contact | None] = [contact(0.01, 25, 0.02, 50), contact(68, 25, 6, layer=1)]
    links = []
    for x, y in vias["via_centres_mm"]:
        links.append((len(ends), len(ends) + 1, barrel))
        ends += [contact(x, y, 0.3), contact(x, y, 0.3, layer=1)]
    field: list[Contact | None] = [
        contact(0.01, 35, 0.02, 70), *(contact(x, y, 0.3) for x, y in pins["pin_centres_mm"])]
    found: dict[str, list[float]] = {name: [] for name in ("IR02", "IR03", "IR07", "IR08")}
    for step in STEPS:
        size = step * 1e-3
        for name, pair in (("IR02", squares), ("IR03", discs)):
            flow = solve_grid(layers=plane, terminals=pair, held=[0], entering={1: -1.0}, step=size)
            found[name].append(-float(flow.terminals[1]) / cases[name]["outputs"]["R_squares"] - 1)
        flow = solve_grid(layers=[Layer((box(80, 50),), rho / 70e-6)] * 2, terminals=ends, links=links, held=[0],
                          entering={1: -60.0}, step=size)
        found["IR07"].append(-float(flow.terminals[1]) / cases["IR07"]["outputs"]["V_drop_at_sinks_V"]["load@1"] - 1)
        flow = solve_grid(layers=[Layer((box(100, 70),), pins["sheet_resistance_ohm_per_sq"])], terminals=field,
                          held=[0], entering=dict.fromkeys(range(1, 101), -8.0), step=size)
        found["IR08"].append(-float(flow.terminals.min()) / cases["IR08"]["outputs"]["worst_pin_drop_V"] - 1)
    return {name: [100 * one for one in values] for name, values in found.items()}


def example(name: str, rail: str) -> tuple[FlowTask, float]:
    """Supply side of a rail of an example board, and its sustained current."""
    board = api.resolve(read_yaml(str(BOARDS / f"{name}.yaml"), name)).board
    own = (board.rails or {})[rail]
    if own.copper is None or board.stack is None or own.current.sustained is None:
        raise ValueError(name)
    return side_tasks(drawn_sides(own.copper), own.copper, board.stack, CONDITIONS)[0], own.current.sustained.value


def picture() -> str:
    """Error over the step, the drop across a module, the rise of a web."""
    error = Panel("Grid against the golden cases", "step of the grid [mm]", "error of the drop [%]", (0, 2.2), (-2, 6),
                  [Curve(name, STEPS, values, k) for k, (name, values) in enumerate(errors().items())])
    curves = []
    for k, (name, rail) in enumerate((("sxm-accelerator-module", "vdd_core"), ("nvlink-switch-board", "nvsw_core"),
                                      ("l40s-pcie-card", "vdd_core"))):
        task, current = example(name, rail)
        shown = flow_maps(task, current=current, columns=80)[0]
        row = shown.drop[len(shown.y) // 2]
        middle = (shown.x[0] + shown.x[-1]) / 2
        at = [(1e3 * (x - middle), 1e3 * drop) for x, drop in zip(shown.x, row, strict=True) if drop is not None]
        curves.append(Curve(name, [x for x, _ in at], [drop for _, drop in at], k))
    drop = Panel("Drop below the sense point, middle line of a plane", "from the package's middle [mm]", "drop [mV]",
                 (-60, 60), (-25, 15), curves)
    current = np.linspace(0.05, 2.5, 50)
    lines = [
        Curve("IPC-2221, k = 0.024", current.tolist(),
              ipc2221_rise(current=current, area=WEB * THICKNESS, constant=INNER).tolist(), 1),
        Curve("fit to IPC-2152, outside", current.tolist(),
              ipc2152_outer_rise(current=current, width=WEB, thickness=THICKNESS).tolist(), 0),
        Curve("web, heat leaves at both ends", current.tolist(),
              neck_rise(trace_rise=ipc2152_outer_rise(current=current, width=WEB, thickness=THICKNESS), current=current,
                        width=WEB, thickness=THICKNESS, length=1.79 * WEB, resistivity=2.06e-8,
                        conductivity=385).tolist(), 2),
        Curve("limit", [0, 2.5], [20, 20], 5, dashed=True),
    ]
    rise = Panel("Web of 0.4 mm in 70 um between antipads", "current [A]", "rise [K]", (0, 2.5), (0, 60), lines)
    return draw([error, drop, rise], title="Direct current over planes", columns=3)
