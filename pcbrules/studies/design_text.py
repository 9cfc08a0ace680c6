# SPDX-License-Identifier: MIT
"""A design for readers (80 columns) and for programs (JSON, ``schemas/design.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.constants import INCH
from pcbrules.studies.columns import ColumnTable, decimal, engineering
from pcbrules.studies.design import GAPS, SOUGHT, Candidate, Design, End, ToleranceEffect
from pcbrules.studies.pages import document, page, wrapped
from pcbrules.studies.texts import (
    PARTS,
    coupling,
    delay_text,
    line_tree,
    loss_table,
    loss_trees,
    mil,
    nine,
    section_text,
    seven,
    shape_tree,
    spread_text,
    z_text,
)
from pcbrules.units import convert, show


def console(found: Design, profile: str) -> str:
    """What was asked, the trace or the table of traces, or how far off the layer is."""
    return page(_console(found, profile))


def _console(found: Design, profile: str) -> Iterator[str]:
    yield from wrapped(f"{found.board}, {found.wanted.layer}: {_asked(found)} (profile {profile})", 0)
    yield from wrapped(f"etch {mil(found.etch)} a side: {found.etched}")
    of = f", Nyquist of {found.fastest}" if found.fastest else ""
    yield from wrapped(f"loss at {show(found.frequency, 'GHz', 6)}{of}")
    for text in found.assumptions:
        yield from wrapped(f"assumed: {text}")
    yield ""
    if found.why:
        yield from wrapped(f"not evaluated: {found.why}", 0)
    elif not found.candidates:
        yield from _off(found)
    elif _is_table(found):
        yield from _table(found)
    else:
        yield from _one(found, found.candidates[0])
    if found.no_loss and not found.why:
        yield from wrapped(f"loss not evaluated: {found.no_loss}")


def _asked(found: Design) -> str:
    wanted = found.wanted
    name = "Zdiff" if wanted.pair else "Z0"
    given = [f"{key} {mil(value)}" for key in ("width", "gap", "pitch") if (value := getattr(wanted, key)) is not None]
    given += [f"ground {mil(wanted.coplanar)} beside"] if wanted.coplanar is not None else []
    return " with ".join([f"{name} {wanted.impedance:g} ohm", *given])


def _is_table(found: Design) -> bool:
    wanted = found.wanted
    return wanted.pair and wanted.width is None and wanted.gap is None and wanted.pitch is None


def _one(found: Design, one: Candidate) -> Iterator[str]:
    line = one.line
    gap = f", gap {mil(one.gap)}" if one.gap is not None else ""
    yield from wrapped(f"width {mil(one.width)}{gap}", 0)
    yield from wrapped(section_text(line.task))
    name = "Zdiff" if found.wanted.pair else "Z0"
    yield from wrapped(f"{name} {z_text(line.z_diff)}, {spread_text(line.z_diff, one.spread)}")
    yield from wrapped(f"nominal +-{100 * found.error:.2g} % by model and data", 6)
    if found.wanted.pair:
        yield from wrapped(f"Zcommon {line.z_common:.2f} ohm, coupling {100 * coupling(line):.2f} %, "
                           f"{delay_text(line)}")
    else:
        yield from wrapped(delay_text(line))
    yield from _sensitivities(line.z_diff, one.parts)
    if one.losses:
        yield from loss_table(one.losses)


def _sensitivities(z: float, parts: tuple[ToleranceEffect, ...]) -> Iterator[str]:
    table = ColumnTable(18, ((10, 2), (10, 2), (20, 3)), indent=4)
    yield table.row("tolerance", "+-", "ohm", "size of slope")
    for part in parts:
        half, slope = _slope(z, part)
        yield table.row(PARTS[part.name], half, z * part.change, slope)


def _slope(z: float, part: ToleranceEffect) -> tuple[str, str]:
    """A tolerance, and the size of the slope of the impedance, the width at constant pitch."""
    if part.name == "width":
        half, unit = convert(part.half, "mil"), "mil"
    else:
        half, unit = 100 * part.half, "%"
    return f"{engineering(half, 3)} {unit}", f"{decimal(z * part.change / half, 3, 12)} ohm/{unit}" if half else "-"


def _table(found: Design) -> Iterator[str]:
    hottest = max((row.temperature for one in found.candidates for row in one.losses), default=0.0)
    at = f"dB/in {show(hottest, 'degC')}" if not found.no_loss else ""
    table = ColumnTable(3, ((11, 2), (10, 2), (11, 2), (10, 2), (12, 2), (15, 3)))
    yield table.row("", "width mil", "gap mil", "pitch mil", "spread %", "coupling %", at)
    for one, gap in ((one, one.gap) for one in found.candidates if one.gap is not None):
        lengths = (convert(one.width, "mil"), convert(gap, "mil"), convert(one.width + gap, "mil"))
        loss = one.losses[-1].total * INCH if one.losses else ""
        yield table.row("", *lengths, 100 * one.spread, 100 * coupling(one.line), loss)
    left = len(GAPS) - len(found.candidates)
    if left:
        yield from wrapped(f"{left} other gaps have no width between {mil(SOUGHT[0])} and {mil(SOUGHT[1])}")


def _off(found: Design) -> Iterator[str]:
    low, high = found.ends
    target = found.wanted.impedance
    yield from wrapped(f"no such trace: sought between {_end(low)} and {_end(high)}", 0)
    near = low if target < low.impedance else high
    yield from wrapped(f"the nearest is {near.impedance - target:+.2f} ohm off "
                       f"({100 * (near.impedance / target - 1):+.2g} %)")


def _end(end: End) -> str:
    gap = f", gap {mil(end.gap)}" if end.gap is not None else ""
    return f"{end.impedance:.2f} ohm (width {mil(end.width)}{gap})"


def json_text(found: Design, profile: str) -> str:
    """The same as JSON: lengths in metres, the rest in the unit that a key names."""
    wanted = found.wanted
    return document(found.board, profile, {
        "exit_code": found.exit_code,
        "wanted": {
            "layer": wanted.layer,
            "kind": "pair" if wanted.pair else "single",
            "impedance_ohm": nine(wanted.impedance),
            "width_m": _length(wanted.width),
            "gap_m": _length(wanted.gap),
            "pitch_m": _length(wanted.pitch),
            "coplanar_m": _length(wanted.coplanar),
        },
        "etch_m": nine(found.etch),
        "etch_from": found.etched,
        "frequency_hz": nine(found.frequency),
        "frequency_from": found.fastest,
        "found": [_tree(found, one) for one in found.candidates],
        "sought": [
            {"width_m": seven(end.width), "gap_m": _length(end.gap), "impedance_ohm": seven(end.impedance)}
            for end in found.ends
        ],
        "not_evaluated": found.why,
        "loss_not_evaluated": found.no_loss,
        "assumptions": list(found.assumptions),
    })


def _length(value: float | None) -> float | None:
    return None if value is None else nine(value)


def _tree(found: Design, one: Candidate) -> dict[str, Any]:
    parts = [(part.name, part.change) for part in one.parts]
    return {
        **shape_tree(one.line.task),
        **line_tree(one.line, error=found.error, spread=one.spread, parts=parts),
        "tolerances": {part.name + ("_m" if part.name == "width" else ""): seven(part.half) for part in one.parts},
        "loss_db_per_inch": loss_trees(one.losses),
    }
