# SPDX-License-Identifier: MIT
"""The notes of a fabrication drawing in plain English: what is ordered, what is not specified, what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pcbrules.constants import INCH
from pcbrules.results.board_verdict import BoardVerdict
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.report import Report
from pcbrules.studies.fab.open_points import assumed, not_specified, questions
from pcbrules.studies.fab.order import NOT_SPECIFIED, FabOrder, OrderedSheet, Tolerance
from pcbrules.units import show
from pcbrules.version import VERSION

LISTED = 40
"""Findings that the notes list; the others are counted."""


def notes(order: FabOrder, report: Report | None) -> str:
    """The notes as Markdown; the verdict comes first where the board was judged."""
    lines = [f"# Fabrication notes: {order.board}", "",
             f"Made by pcbrules {VERSION} from `{order.file}` (SHA-256 {order.sha256}).",
             "The tables beside this file belong to it. A figure that the board file does not hold stands as "
             f"*{NOT_SPECIFIED}*.", "", "## Verdict", "", *_verdict(report), "", "## Notes", ""]
    lines += [f"{number}. {text}" for number, text in enumerate(_notes(order), 1)]
    for title, texts in (("To settle before production", questions(order)), ("Not specified", not_specified(order)),
                         ("Assumed by the check, not ordered", assumed(order))):
        lines += ["", f"## {title}", "", *([f"- {text}" for text in texts] or ["- nothing"])]
    return "\n".join(lines) + "\n"


WORDS = {
    BoardVerdict.FAIL: "fails",
    BoardVerdict.INCOMPLETE: "is incomplete",
    BoardVerdict.WITH_WARNINGS: "passes with warnings",
    BoardVerdict.PASS: "passes",
}
"""The verdict in a sentence: the same as the check's."""


def _verdict(report: Report | None) -> Iterator[str]:
    if report is None:
        yield "The board was not judged: no profile was given."
        return
    failed = [one for one in report.findings if one.status is Status.FAIL]
    counts = {severity: sum(one.severity is severity for one in failed) for severity in Severity}
    open_ = sum(one.status is Status.NOT_EVALUATED for one in report.findings)
    word = WORDS[report.verdict]
    parts = (_count(counts[Severity.ERROR], "error"), _count(counts[Severity.WARNING], "warning"),
             f"{counts[Severity.ADVICE]} advice")
    yield (f"Profile {report.profile.name} {report.profile.version}: the board **{word}**. Fail: {', '.join(parts)}. "
           f"Not evaluated: {_count(open_, 'check')}.")
    if failed:
        yield ""
        yield from map(_finding, failed[:LISTED])
    if len(failed) > LISTED:
        yield f"- and {len(failed) - LISTED} more"


def _finding(one: Finding) -> str:
    return f"- {one.rule} {one.severity.value}, `{one.subject}`: {one.message}"


def _notes(order: FabOrder) -> Iterator[str]:
    coppers = [one for one in order.sheets if one.kind == "copper"]
    yield f"**Board.** {order.board}, {len(coppers)} copper layers, {_size(order)}."
    yield (f"**Class.** IPC class {order.ipc_class or NOT_SPECIFIED}; "
           f"fabrication class {order.fab_class or NOT_SPECIFIED}.")
    yield f"**Thickness.** {_thickness(order)} over {_over(order)}."
    yield f"**Surface finish.** {_finish(coppers)}"
    yield f"**Solder mask.** {_mask(order)} Colour and legend: {NOT_SPECIFIED}."
    yield ("**Stackup.** `stackup.csv` and `stackup.xml` (IPC-2581C, no dates in it). Thicknesses are those after "
           "pressing and plating.")
    yield f"**Materials.** {_materials(order)}."
    yield ("**Or equal.** The verdict holds for these materials. Offer another one with its Dk and Df at the "
           "frequencies of `loss.csv`; it is accepted once the links were judged with it "
           "(`pcbrules fab BOARD --returned FILE`). This rule comes with the package, not from the board file.")
    yield f"**Glass.** {_glass(order)}."
    yield f"**Copper.** {_copper(coppers)}."
    yield from _impedance(order)
    yield from _loss(order)
    yield f"**Holes.** `drill.csv`: {_count(len(order.holes), 'kind')} of plated holes. Places and counts: drill file."
    yield from _backdrill(order)
    yield ("**Widths.** Width is that of the wider face of a finished trace, top width that of the other one. Return "
           "every changed thickness, material, width and gap before production: `stackup.csv` and `impedance.csv` with "
           "the new figures, or an IPC-2581 file.")
    if order.note:
        yield f"**Of the board file.** {order.note}"


def _size(order: FabOrder) -> str:
    if order.size is None:
        return f"size {NOT_SPECIFIED}"
    return f"{show(order.size.width.value, 'mm', 5)} by {show(order.size.height.value, 'mm', 5)}"


def _thickness(order: FabOrder) -> str:
    value = order.thickness.value.value if order.thickness else order.total
    given = "" if order.thickness else f" (sum of the layers; the board's thickness is {NOT_SPECIFIED})"
    return f"{show(value, 'mm', 4)} {_plus_minus(order.thickness_tolerance)}{given}"


def _over(order: FabOrder) -> str:
    return {"mask": "solder mask", "copper": "copper", "laminate": "laminate"}[order.over]


def _plus_minus(one: Tolerance) -> str:
    if one.assumed:
        return f"(tolerance {NOT_SPECIFIED})"
    return f"± {show(one.half, 'mm')} ({one.source})"


def _finish(coppers: list[OrderedSheet]) -> str:
    top, bottom = coppers[0], coppers[-1]
    if top.finish == bottom.finish:
        return f"{top.finish or NOT_SPECIFIED}, both sides."
    return f"{top.name}: {top.finish or NOT_SPECIFIED}; {bottom.name}: {bottom.finish or NOT_SPECIFIED}."


def _mask(order: FabOrder) -> str:
    masks = [one for one in order.sheets if one.kind == "mask"]
    if not masks:
        return "The stackup has none."
    texts = [f"{one.role}: {one.material or f'material {NOT_SPECIFIED}'}, {show(one.thickness, 'um')} on the laminate, "
             + (f"{show(one.over_trace, 'um')} over traces" if one.over_trace is not None else
                f"over traces {NOT_SPECIFIED}") for one in masks]
    return "; ".join(texts) + "."


def _materials(order: FabOrder) -> str:
    found = _grouped((one.material or NOT_SPECIFIED, one.name) for one in order.sheets if one.kind == "dielectric")
    hybrid = f". {len(found)} materials in one press: the fabricator has to qualify it" if len(found) > 1 else ""
    return "; ".join(f"{material}: {', '.join(names)}" for material, names in found.items()) + hybrid


def _glass(order: FabOrder) -> str:
    found = _grouped((" + ".join(one.glass) or f"style {NOT_SPECIFIED}", one.name)
                     for one in order.sheets if one.kind == "dielectric")
    return "; ".join(f"{style}: {', '.join(names)}" for style, names in found.items())


def _copper(coppers: list[OrderedSheet]) -> str:
    found = _grouped((_foil(one), one.name) for one in coppers)
    return "; ".join(f"{foil}: {', '.join(names)}" for foil, names in found.items())


def _foil(one: OrderedSheet) -> str:
    both = (("upper face", one.rz_top), ("lower face", one.rz_bottom))
    faces = [f"{side} {show(rz, 'um')}" for side, rz in both if rz is not None]
    if one.rz_top is not None and one.rz_top == one.rz_bottom:
        faces = [f"{show(one.rz_top, 'um')} on both faces"]
    rough = f"Rz after bonding {', '.join(faces)}" if faces else f"roughness {NOT_SPECIFIED}"
    weight = show(one.base_weight, "oz") if one.base_weight is not None else f"weight {NOT_SPECIFIED}"
    return f"{weight}, foil {one.foil or NOT_SPECIFIED}, bond treatment {one.bond or NOT_SPECIFIED}, {rough}"


def _impedance(order: FabOrder) -> Iterator[str]:
    if not order.lines:
        yield "**Impedance.** No controlled impedance: the board file has no links with traces."
        return
    ordered = f"± {show(order.impedance_class, '%')}" if order.impedance_class is not None else NOT_SPECIFIED
    coupon = {True: "required", False: "not required", None: NOT_SPECIFIED}[order.coupon]
    controlled = _count(sum(not one.neck for one in order.lines), "controlled impedance")
    yield (f"**Impedance.** `impedance.csv`: {controlled}, tolerance {ordered}, impedance coupon {coupon}.")
    found = [one.resistance * INCH for one in order.lines if one.resistance is not None]
    if found:
        low, high = (f"{value:.2g}" for value in (min(found), max(found)))
        span = low if low == high else f"{low} to {high}"
        yield ("**TDR.** Targets are impedances without the resistance of the trace. A reflectometer reads it too: the "
               f"reading climbs by {span} ohm per inch along a coupon. Do not correct the width for it.")


def _loss(order: FabOrder) -> Iterator[str]:
    if order.lines and not any(one.losses for one in order.lines):
        yield f"**Loss.** Not evaluated: {order.lines[0].no_loss}."
    elif order.lines:
        yield (f"**Loss.** `loss.csv`: insertion loss in dB/inch at {order.temperature:g} °C, dry, as computed, and "
               "its upper end by model and material data (k = 2). Measure by IPC-TM-650 2.5.5.14. Frequencies: 4, 8, "
               "12.89 and 16 GHz, which are practice, and the Nyquist frequencies of the links. Limit and loss coupon: "
               f"{NOT_SPECIFIED}.")


def _backdrill(order: FabOrder) -> Iterator[str]:
    if not order.backdrills:
        yield "**Backdrill.** None."
        return
    depths = _count(len(order.backdrills), "depth")
    yield (f"**Backdrill.** `backdrill.csv`: {depths}. Depth counts from the outer face of the layer where the drill "
           "enters, at nominal thicknesses; the layer that must not be cut wins over the depth. The drill files say "
           f"which holes are drilled. Backdrill coupon: {NOT_SPECIFIED}.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, name in pairs:
        found.setdefault(key, []).append(name)
    return found
