# SPDX-License-Identifier: MIT
"""Is a link's path one path? Traces lie on signal layers, vias join them."""

from __future__ import annotations

from collections.abc import Mapping

from pcbrules.errors import quoted
from pcbrules.model.board import Path, PathStep
from pcbrules.model.link import Load, Neighbour, Package, Stretch, Trace, Via
from pcbrules.model.stack import PLANE_ROLES, Stack
from pcbrules.model.stackup import Copper
from pcbrules.model.via import ViaType
from pcbrules.readers.broadside_check import check_broadside
from pcbrules.readers.coplanar_check import check_coplanar
from pcbrules.readers.names import Names
from pcbrules.readers.neighbour_check import LONGER, check_trace_neighbours
from pcbrules.units import Quantity, show

UNIT_SLIP = 15
"""Ratio of two lengths of one trace beyond which a unit was mistaken: millimetres for inches give 25."""

LEG_SHARE, LEG_AT_LEAST = 0.1, 1e-3
"""By how much of a trace's length, and by how many metres at least, a leg or the longest lane may differ from it [-],
[m]; practice: legs are matched to well below a millimetre."""
LANE_SHARE = 0.75
"""By how much of a trace's length its shortest lane may be shorter [-]; practice: links between modules that stand at
different distances reach half."""


def check_path(steps: list[PathStep], stack: Stack | None, via_types: Mapping[str, ViaType], names: Names) -> None:
    """Check layers, via types and continuity of one path; every fault becomes a problem."""
    at: str | None = None
    following: list[PathStep | None] = [*steps[1:], None]
    for step, after in zip(steps, following, strict=False):
        body = step.body
        if isinstance(body, Package) and step not in (steps[0], steps[-1]):
            names.fault(step.path, "a package is an end of the channel", found=f"{step.name} in the middle of the path",
                        expected="it at the beginning or the end", fix="describe what lies beyond it as another link")
        if isinstance(body, Load) and body.back:
            _check_back(step, body.back, steps[:steps.index(step)], names)
        if isinstance(body, Stretch):
            at = _along_stretch(step, body, at, stack, names)
            continue
        if not isinstance(body, Trace | Via):
            continue
        if stack is None:
            names.fault(step.path, "a path lies on layers, but there is no `stackup`", fix="add the stackup")
            return
        known = [p.name for p in stack.coppers]
        if isinstance(body, Trace):
            _check_trace(step, body, stack, names)
            check_broadside(body, step.path, stack, names)
            entered = left = body.layer
        else:
            ok = [names.known(body.type, via_types, (*step.path, "type"), "via type")]
            ok += [names.layer(body.enter, (*step.path, "enter"))]
            ok += [names.layer(body.leave, (*step.path, "leave"))]
            for i, plane in enumerate(body.plane_change.planes if body.plane_change else ()):
                names.layer(plane, (*step.path, "plane_change", "planes", i))
            if all(ok):
                _check_via(step, body, via_types[body.type], stack, names, _layer_of(after))
            entered, left = body.enter, body.leave
        if at is not None and entered != at and entered in known and at in known:
            key = "layer" if isinstance(body, Trace) else "enter"
            names.fault((*step.path, key), "the path jumps between layers", found=f"{at} to {entered}",
                        expected=f"a via from {at} to {entered} before this element")
        at = None if isinstance(body, Via) and entered == left else left


def _check_back(step: PathStep, back: Quantity, before: list[PathStep], names: Names) -> None:
    """A load stands back in the trace before it, or before other loads on that trace."""
    trace = next((one.body for one in reversed(before) if not isinstance(one.body, Load)), None)
    others = [one.body.back.value for one in before if isinstance(one.body, Load) and one.body.back]
    if not isinstance(trace, Trace) or trace.table is not None:
        names.fault((*step.path, "back"), "no trace stands before the load, in which it could stand back",
                    found=back.text, fix="leave `back` out")
    elif back.value > trace.length.value:
        names.fault((*step.path, "back"), "the trace before the load is shorter", found=back.text,
                    expected=f"at most {trace.length.text}")
    elif others and isinstance(before[-1].body, Load) and back.value > others[-1]:
        names.fault((*step.path, "back"), "the load before it stands nearer to the end of the trace",
                    found=back.text, fix="write the loads in the order of the path")


def _along_stretch(step: PathStep, body: Stretch, at: str | None, stack: Stack | None, names: Names) -> str | None:
    """The layer on which the signal leaves a stretch, None if not said; it enters where the path has come to."""
    for key, layer in (("enter", body.enter), ("leave", body.leave)):
        if layer is not None and stack is not None:
            names.layer(layer, (*step.path, key))
    if at is not None and body.enter is not None and body.enter != at:
        names.fault((*step.path, "enter"), "the path jumps between layers", found=f"{at} to {body.enter}",
                    expected=f"a via from {at} to {body.enter} before this element")
    return body.leave


def _check_trace(step: PathStep, trace: Trace, stack: Stack, names: Names) -> None:
    if names.layer(trace.layer, (*step.path, "layer")):
        spec = stack.copper(trace.layer).spec
        if isinstance(spec, Copper) and spec.role in ("ground", "power"):
            names.fault((*step.path, "layer"), f"{trace.layer} is a {spec.role} plane",
                        expected="a layer with role signal or mixed")
    if trace.top_width and trace.top_width.value > trace.width.value * (1 + 1e-9):
        names.fault((*step.path, "top_width"), "`width` is the wider face", found=trace.top_width.text,
                    expected=f"at most {trace.width.text}")
    if (trace.length_p is None) != (trace.length_n is None):
        names.fault(step.path, "give both of `length_p` and `length_n`, or none")
    for key in ("length_p", "length_n"):
        leg = getattr(trace, key)
        if leg is not None and not 1 / UNIT_SLIP <= leg.value / trace.length.value <= UNIT_SLIP:
            names.fault((*step.path, key), "this leg does not belong to a trace of this length", found=leg.text,
                        expected=f"about {trace.length.text}", fix="check the unit")
        elif leg is not None:
            _warn_of_length(leg, trace, LEG_SHARE, "this leg", (*step.path, key), names)
    check_coplanar(trace, step.path, names)
    _check_gaps(step, trace, names)
    for i, near in enumerate(trace.neighbours or ()):
        _check_neighbour(trace, near, stack, (*step.path, "neighbours", i), names)
    check_trace_neighbours(trace, step.path, names)
    lanes = trace.lane_lengths
    if lanes and lanes.min.value > lanes.max.value:
        names.fault((*step.path, "lane_lengths"), "`min` is longer than `max`")
    if lanes and lanes.max.value > trace.length.value * LONGER:
        names.fault((*step.path, "lane_lengths", "max"), "`length` is that of the longest lane",
                    found=lanes.max.text, expected=f"at most {trace.length.text}")
    elif lanes and lanes.max.value * UNIT_SLIP < trace.length.value:
        names.fault((*step.path, "lane_lengths", "max"), "`length` is that of the longest lane",
                    found=lanes.max.text, expected=f"about {trace.length.text}", fix="check the unit")
    elif lanes:
        _warn_of_length(lanes.max, trace, LEG_SHARE, "the longest lane", (*step.path, "lane_lengths", "max"), names)
        _warn_of_length(lanes.min, trace, LANE_SHARE, "the shortest lane", (*step.path, "lane_lengths", "min"), names)


def _check_gaps(step: PathStep, trace: Trace, names: Names) -> None:
    """Planes and gaps lie in another layer than the trace, and gaps along it."""
    for i, plane in enumerate(trace.planes or ()):
        if names.layer(plane, (*step.path, "planes", i)) and plane == trace.layer:
            names.fault((*step.path, "planes", i), "this is the trace's own layer", found=plane,
                        expected="the plane above or below it")
    for i, gap in enumerate(trace.reference_gaps or ()):
        names.layer(gap.layer, (*step.path, "reference_gaps", i, "layer"))
        if gap.layer == trace.layer:
            names.fault((*step.path, "reference_gaps", i, "layer"), "this is the trace's own layer",
                        found=gap.layer, expected="the plane above or below it")
        if gap.at is not None and gap.at.value > trace.length.value * LONGER:
            names.fault((*step.path, "reference_gaps", i, "at"), "the trace ends before this gap", found=gap.at.text,
                        expected=f"at most the length, {trace.length.text}", fix="count from one end of the trace")


def _warn_of_length(length: Quantity, trace: Trace, share: float, what: str, path: Path, names: Names) -> None:
    """A length of a leg or lane that somebody wrote, far from that of its trace."""
    off = abs(length.value - trace.length.value)
    if off > max(share * trace.length.value, LEG_AT_LEAST) and not names.document.measured(path):
        names.doubt(path, f"{what}, {length.text}, is {show(off / trace.length.value, '%')} off the trace's length, "
                   f"{trace.length.text}; up to {show(share, '%')} is usual")


def _check_neighbour(
    trace: Trace, near: Neighbour, stack: Stack, path: Path, names: Names
) -> None:
    """A neighbour runs on a layer for signals; centre lines are told apart from one layer to another only."""
    if near.layer and names.layer(near.layer, (*path, "layer")):
        spec = stack.copper(near.layer).spec
        if isinstance(spec, Copper) and spec.role in PLANE_ROLES:
            names.fault((*path, "layer"), f"{near.layer} is a {spec.role} plane",
                        expected="a layer with role signal or mixed")
    if near.offset is not None and near.layer in (None, trace.layer):
        names.fault((*path, "offset"), "a neighbour on the same layer has a spacing", found=near.offset.text,
                    expected="`spacing` from edge to edge, or another `layer`")


def _layer_of(step: PathStep | None) -> str:
    """The layer of the trace or via that an element is; empty for anything else."""
    body = step.body if step else None
    return body.layer if isinstance(body, Trace) else body.enter if isinstance(body, Via) else ""


def _check_via(step: PathStep, via: Via, kind: ViaType, stack: Stack, names: Names, after: str) -> None:
    if via.enter == via.leave:
        names.fault((*step.path, "leave"), "the via enters and leaves on one layer", found=quoted(via.leave),
                    expected=f"another layer than {via.enter}",
                    fix=f"write {after}, on which the path goes on" if after not in ("", via.enter) else "")
    if not all(stack.has(layer) for layer in kind.span):
        return
    low, high = stack.order(kind.span[0]), stack.order(kind.span[1])
    for key, layer in (("enter", via.enter), ("leave", via.leave)):
        if not low <= stack.order(layer) <= high:
            names.fault((*step.path, key), f"via type {via.type} does not reach this layer", found=quoted(layer),
                        expected=f"a layer from {kind.span[0]} to {kind.span[1]}")
