# SPDX-License-Identifier: MIT
"""The lines of a board for readers (80 columns) and for programs (JSON, ``schemas/lines.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import show_path
from pcbrules.studies.lines import Geometry, Lines
from pcbrules.studies.names import reason
from pcbrules.studies.pages import document, page, section, total, wrapped
from pcbrules.studies.texts import (
    PARTS,
    coupling,
    delay_text,
    line_tree,
    loss_table,
    loss_trees,
    nine,
    section_text,
    shape_tree,
    spread_text,
    z_text,
)
from pcbrules.units import show


def console(found: Lines, profile: str) -> str:
    """One paragraph a geometry, then what was not evaluated, then the count."""
    return page(_console(found, profile))


def _console(found: Lines, profile: str) -> Iterator[str]:
    at = f"{show(found.cold, 'degC')} and {show(found.hot, 'degC')}"
    yield from wrapped(f"{found.board}: lines at {at} (profile {profile})", 0)
    for one in found.geometries:
        yield ""
        yield from _geometry(one)
    yield from section("Not evaluated:", [(f"{use.link}.{use.step} on {use.layer}", reason(why))
                                          for use, why in found.missing])
    segments = sum(len(one.uses) for one in found.geometries)
    without = sum(bool(one.no_loss) for one in found.geometries)
    yield ""
    yield total(found.exit_code, f"{len(found.geometries)} geometries of {segments} traces",
                f"{without} without loss" if without else "",
                f"{len(found.missing)} traces not evaluated" if found.missing else "")


def _geometry(one: Geometry) -> Iterator[str]:
    line = one.line
    kind = "pair" if one.pair else "single trace"
    yield from wrapped(f"{one.number:<3} {kind} on {' '.join(one.layers)}", 0, 4)
    yield from wrapped(section_text(line.task))
    name = "Zdiff" if one.pair else "Z0"
    targets = " and ".join(f"{value:g}" for value in one.targets)
    target = f"target {targets} ohm" if targets else "no target"
    yield from wrapped(f"{name} {z_text(line.z_diff)}, {spread_text(line.z_diff, one.spread)}, {target}")
    parts = ", ".join(f"{PARTS[part]} {100 * value:.2g} %" for part, value in one.parts)
    yield from wrapped(f"{parts}; nominal +-{100 * one.error:.2g} %", 6)
    if one.pair:
        yield from wrapped(f"Zcommon {line.z_common:.2f} ohm, coupling {100 * coupling(line):.2f} %, "
                           f"{delay_text(line)}")
    else:
        yield from wrapped(delay_text(line))
    if one.no_loss:
        yield from wrapped(f"loss not evaluated: {one.no_loss}")
    else:
        yield from loss_table(one.losses)
    yield from wrapped("used by " + ", ".join(f"{use.link}.{use.step}" for use in one.uses))
    for text in one.assumptions:
        yield from wrapped(f"assumed: {text}")


def json_text(found: Lines, profile: str) -> str:
    """The same as JSON: lengths in metres, the rest in the unit that a key names."""
    return document(found.board, profile, {
        "temperatures_degc": {"cold": nine(found.cold), "hot": nine(found.hot)},
        "exit_code": found.exit_code,
        "geometries": [_tree(one) for one in found.geometries],
        "not_evaluated": [
            {"link": use.link, "segment": use.step, "layer": use.layer, "path": show_path(why.where),
             "reason": why.reason, "key": why.key}
            for use, why in found.missing
        ],
    })


def _tree(one: Geometry) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": "pair" if one.pair else "single",
        "layers": list(one.layers),
        **shape_tree(one.line.task),
        **line_tree(one.line, error=one.error, spread=one.spread, parts=one.parts),
        "targets_ohm": [nine(value) for value in one.targets],
        "loss_db_per_inch": loss_trees(one.losses),
        "loss_not_evaluated": one.no_loss,
        "uses": [
            {"link": use.link, "segment": use.step, "layer": use.layer, "nyquist_hz": nine(use.nyquist),
             "target_ohm": nine(use.target) if use.target is not None else None}
            for use in one.uses
        ],
        "assumptions": list(one.assumptions),
    }
