# SPDX-License-Identifier: MIT
"""The stackup to scale: materials, foils, roles, and the traces in their cross-section with their impedance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, replace

from pcbrules.analysis.lines.section import section, turned_over
from pcbrules.analysis.lines.solve import solve_line
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Trace as PathTrace
from pcbrules.model.stackup import Copper, Dielectric, Mask
from pcbrules.model.stackup import Layer as FileLayer
from pcbrules.results.exhibit import DrawnLayer, DrawnTrace, Exhibit, Stackup, Table
from pcbrules.studies.exhibits import Scene
from pcbrules.ties import gathered, ordered
from pcbrules.units import show

RULES = (*(f"STK00{n}" for n in range(1, 9)), "MAT002", "MAT003", "MAT004")


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """The stackup, where the board file has one, and what its traces are."""
    board = scene.board
    if board.layers is None or board.stack is None:
        return
    traces = tuple(_traces(board, scene.conditions.cold))
    given = (scene.declared or board).layers or ()
    layers = tuple(_layer(board, layer, number) for number, layer in enumerate(given))
    yield Stackup(
        key="stackup:section", subject="stackup", title="Stackup, to scale", rules=RULES, layers=layers, traces=traces,
        note="copper and dielectric thickness to scale; traces to the same scale, their pairs in the middle of the "
             f"layer; impedances by the field solver at {show(scene.conditions.cold, 'degC')}"
             + ("" if scene.declared in (None, board) else "; what the file leaves open is taken as it was judged"),
    )
    if traces:
        rows = tuple(_row(layers, trace) for trace in traces)
        yield Table(key="stackup:traces", subject="stackup", title="Traces", rules=("STK007",), rows=rows,
                    heads=("Layer", "Width (narrow face)", "Gap", "Impedance", "Target", "Links"))


def _traces(board: Board, cold: float) -> Iterator[DrawnTrace]:
    """Every geometry once, in the order of layers and links."""
    found: list[DrawnTrace] = []
    for link in board.links or ():
        for step, trace in link.traces():
            made = section(board, link, step, cold)
            line = None if isinstance(made, Missing) else solve_line(made.task)
            if line is None or isinstance(line, Missing) or board.stack is None:
                continue
            task = line.task
            flip = turned_over(board.stack, trace.layer, trace.planes)
            leg = DrawnTrace(board.stack.copper(trace.layer).index, task.width_foot, task.width_top, task.gap,
                             task.foot_up != flip, line.z_diff, _target(link, trace), (link.name,),
                             None if task.ground is None else task.ground.gap)
            if trace.broadside is None or task.second is None:
                found.append(leg)
                continue
            there = trace.broadside.layer
            found += [replace(leg, other=there), replace(leg, layer=board.stack.copper(there).index,
                                                         wide_up=task.second.foot_up != flip, other=trace.layer)]
    alike = gathered(found, key=lambda one: astuple(replace(one, links=())))
    for first, *others in ordered(alike, key=lambda group: group[0].layer):
        names = (name for one in (first, *others) for name in one.links)
        yield replace(first, links=tuple(dict.fromkeys(names)))


def _target(link: BoardLink, trace: PathTrace) -> float:
    own, public = link.spec.impedance, link.standard.impedance
    if own is not None:
        return float(own.value)
    return float(public.value.value) if public is not None else 0.0


def _layer(board: Board, layer: FileLayer, number: int) -> DrawnLayer:
    if isinstance(layer, Copper):
        foil = layer.foil
        top, bottom = ("", "") if foil is None else (foil, foil) if isinstance(foil, str) else (foil.top, foil.bottom)
        base = f", {show(layer.base_weight.value, 'oz')} base" if layer.base_weight is not None else ""
        return DrawnLayer(layer.name, "copper", layer.thickness.value, layer.role, f"copper{base}",
                          (_foil(board, top), _foil(board, bottom)))
    if isinstance(layer, Mask):
        material = _material(board, layer.material or "")
        return DrawnLayer(layer.name or "mask", "mask", layer.thickness.value, "", material)
    assert isinstance(layer, Dielectric)
    glass = layer.glass if isinstance(layer.glass, str) else " + ".join(layer.glass or ())
    material = ", ".join(filter(None, (_material(board, layer.material), glass and f"glass {glass}")))
    return DrawnLayer(layer.name or f"dielectric{number}", "dielectric", layer.thickness.value, layer.form or "",
                      material)


def _foil(board: Board, name: str) -> str:
    return board.catalogue.foils[name].name if name else ""


def _material(board: Board, name: str) -> str:
    return board.catalogue.laminates[name].name if name in board.catalogue.laminates else name


def _row(layers: tuple[DrawnLayer, ...], trace: DrawnTrace) -> tuple[str, ...]:
    links = ", ".join(trace.links[:6]) + (f" and {len(trace.links) - 6} more" if len(trace.links) > 6 else "")
    return (
        layers[trace.layer].name,
        f"{show(trace.width, 'mil')} ({show(trace.top_width, 'mil')})",
        (f"broadside with {trace.other}" if trace.other else "single" if trace.gap is None else show(trace.gap, "mil"))
        + (f", ground {show(trace.ground, 'mil')} beside" if trace.ground is not None else ""),
        f"{trace.impedance:.1f} ohm",
        f"{trace.target:g} ohm" if trace.target else "none",
        links,
    )
