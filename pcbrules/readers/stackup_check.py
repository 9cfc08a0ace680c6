# SPDX-License-Identifier: MIT
"""Do the layers make a board, and do the via types fit into it?"""

from __future__ import annotations

from itertools import pairwise

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Dielectric, Mask
from pcbrules.model.via import USED_LAYER
from pcbrules.readers.names import Names

DK = (1.0, 20.0)
"""Least and greatest Dk of a layer [-]: those of a library entry."""


def check_stackup(file: BoardFile, names: Names) -> None:
    """Names of layers, the order of copper and dielectric, masks outside."""
    layers = file.stackup or ()
    seen: dict[str, int] = {}
    for index, layer in enumerate(layers):
        if layer.name and layer.name in seen:
            names.fault(("stackup", index, "name"), "two layers have this name", found=quoted(layer.name),
                        fix=f"rename one; the other is entry {seen[layer.name] + 1} of the stackup")
        elif layer.name:
            seen[layer.name] = index
        dk = getattr(layer, "dk", None)
        if dk is not None and not DK[0] <= dk.value <= DK[1]:
            names.fault(("stackup", index, "dk"), "no laminate has this Dk", found=dk.text,
                        expected=f"{DK[0]:g} to {DK[1]:g}")
        if isinstance(layer, Mask) and index not in (0, len(layers) - 1):
            names.fault(("stackup", index, "kind"), "solder mask lies only on the outside",
                        fix="put it first or last")
    if layers and not any(isinstance(layer, Copper) for layer in layers):
        names.fault(("stackup",), "there is no copper layer")
    inner = [(i, layer) for i, layer in enumerate(layers) if not isinstance(layer, Mask)]
    for (i, a), (j, b) in pairwise(inner):
        if isinstance(a, Copper) and isinstance(b, Copper):
            names.fault(("stackup", j), "two copper layers touch",
                        expected=f"a dielectric between entries {i + 1} and {j + 1}")
    for position, (i, layer) in ((0, inner[0]), (-1, inner[-1])) if inner else ():
        if isinstance(layer, Dielectric):
            where = "begins" if position == 0 else "ends"
            names.fault(("stackup", i), f"the stackup {where} with a dielectric",
                        expected="copper outside (or solder mask on copper)")


def check_via_types(file: BoardFile, stack: Stack | None, names: Names) -> None:
    """Holes, antipads, spans and backdrills."""
    for name, via in (file.via_types or {}).items():
        at: Path = ("via_types", name)
        if via.finished and via.finished.value > via.drill.value:
            names.fault((*at, "finished"), "the finished hole is wider than its drill", found=via.finished.text,
                        expected=f"at most {via.drill.text}")
        if via.antipad and via.antipad.width.value <= via.drill.value:
            names.fault((*at, "antipad", "width"), "the antipad is not wider than the drill",
                        found=via.antipad.width.text, expected=f"more than {via.drill.text}")
        if via.antipad and via.antipad.shape == "oval" and via.antipad.length is None:
            names.fault((*at, "antipad", "shape"), "an oval antipad has no `length`", found="oval",
                        expected="`length` beside `width`", fix="give the length of the oval, or `shape: round`")
        if via.antipad and via.antipad.shape == "round" and via.antipad.length is not None:
            names.fault((*at, "antipad", "length"), "a round antipad has no `length`",
                        found=via.antipad.length.text, fix="take it out, or write `shape: oval`")
        if via.pitch and via.pitch.value <= via.drill.value:
            names.fault((*at, "pitch"), "the two holes of a pair overlap", found=via.pitch.text,
                        expected=f"more than the drill, {via.drill.text}")
        if stack is None:
            names.fault((*at, "span"), "a via type spans layers, but there is no `stackup`", fix="add the stackup")
            continue
        known = [p.name for p in stack.coppers]
        ok = [names.layer(layer, (*at, "span", i)) for i, layer in enumerate(via.span)]
        for place, drill in via.backdrills_at(at):
            if drill.must_not_cut and drill.must_not_cut != USED_LAYER:
                ok.append(names.layer(drill.must_not_cut, (*place, "must_not_cut")))
            stated = drill.residual or drill.depth
            if stated is not None and stated.plus is not None and stated.plus + (stated.minus or 0.0) == 0:
                key = "residual" if drill.residual else "depth"
                names.fault((*place, key), "no drill has a depth tolerance of zero", found=stated.text,
                            expected="the fabricator's tolerance, e.g. '6 mil +- 3 mil'")
            if (drill.residual is None) == (drill.depth is None):
                names.fault(place, "a backdrill has either `residual` or `depth`")
        if all(ok) and stack.order(via.span[0]) >= stack.order(via.span[1]):
            names.fault((*at, "span"), "the span runs from the upper to the lower layer",
                        found=f"{via.span[0]} to {via.span[1]}")
        if all(ok) and via.kind == "through" and not (stack.outer(via.span[0]) and stack.outer(via.span[1])):
            names.fault((*at, "span"), "a through via spans the whole board", found=f"{via.span[0]} to {via.span[1]}",
                        expected=f"{known[0]} to {known[-1]}", fix="write `kind: blind` or `kind: buried`")
        if all(ok) and via.kind != "through" and stack.outer(via.span[0]) and stack.outer(via.span[1]):
            names.fault((*at, "kind"), "this via spans the whole board", found=quoted(via.kind),
                        fix="write `kind: through`")
