# SPDX-License-Identifier: MIT
"""The rails of a board for readers (80 columns) and for programs (JSON, ``schemas/pdn.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.analysis.power.impedance import MODEL, PLANES_MODEL
from pcbrules.results.curve import SMALL_CHANGE
from pcbrules.studies import pdn_bare
from pcbrules.studies.columns import ColumnTable, engineering
from pcbrules.studies.names import reason
from pcbrules.studies.pages import document, page, section, total, wrapped
from pcbrules.studies.pdn import Element, Rails, RailView, Ringing
from pcbrules.studies.pdn_optimum import Decoupling
from pcbrules.studies.texts import decibels, nine, seven
from pcbrules.units import convert, show, show_hz

RAILS = ColumnTable(14, ((6, 3), (8, 3), (9, 3), (9, 3), (9, 3), (8, 3), (8, 1), (8, 1)))
ELEMENTS = ColumnTable(38, ((8, 1),) * 5, indent=4)


def console(found: Rails, profile: str, best: Decoupling | None = None, *, detail: bool) -> str:
    """A table of all rails, or of one rail with its elements and peaks, and its fewest capacitors if asked for."""
    return page(_console(found, profile, best, detail))


def _console(found: Rails, profile: str, best: Decoupling | None, detail: bool) -> Iterator[str]:
    yield from wrapped(f"{found.board}: rails (profile {profile})", 0)
    if found.rails:
        yield ""
        yield RAILS.row("rail", "V", "limit", "|Z|", "best", "worst", "at", "margin", "worst")
        yield RAILS.row("", "", "mohm", "mohm", "mohm", "mohm", "MHz", "dB", "dB")
    for one in found.rails:
        yield _row(one)
    for one in found.rails if detail else ():
        yield from _detail(one)
    for bare in found.bare:
        yield from pdn_bare.lines(bare)
    if best:
        yield from _fewest(best)
    missing = [(rail, reason(*why)) for rail, why in found.missing]
    missing += [(one.name, one.message) for one in found.rails if not one.evaluated]
    yield from section("Not evaluated:", missing)
    yield ""
    yield from wrapped("|Z|: largest in the band in which the board acts, nominal; best, worst: over the ranges of "
                       "ESR, inductance and capacitance; margin: limit over |Z|, nominal and worst", 0, 0)
    for model in dict.fromkeys(PLANES_MODEL if one.planes else MODEL for one in found.rails):
        yield from wrapped(f"model: {model}", 0, 0)
    count = len(found.rails) + len(found.missing)
    yield total(_exit_code(found, best), f"{count} rail{'s' * (count != 1)}",
                f"{len(missing)} not evaluated" if missing else "")


def _exit_code(found: Rails, best: Decoupling | None) -> int:
    return best.exit_code if best and best.exit_code else found.exit_code


def _row(one: RailView) -> str:
    return RAILS.row(
        one.name, engineering(one.rail.voltage.value, 3), _milli(one.limit), _milli(one.value), _milli(one.low),
        _milli(one.high), engineering(convert(one.place, "MHz"), 3), one.margin, one.worst_margin,
    )


def _milli(value: float | None) -> str:
    return engineering(None if value is None else convert(value, "mohm"))


def _detail(one: RailView) -> Iterator[str]:
    yield ""
    verdict = f": {one.status}" if one.status else ""
    yield from wrapped(f"{one.name}{verdict}", 0)
    yield from wrapped(f"limit: {one.limit_text}")
    if one.formula is not None:
        yield from wrapped(f"voltage x AC tolerance / load step: {show(one.formula, 'mohm', 4)}")
    yield from wrapped(f"band of the board: {show_hz(one.start, 4)} to {show_hz(one.end, 4)}{_why(one)}")
    lowest = "100 Hz" if one.planes else "DC"
    yield from wrapped(f"largest |Z|: {show(one.value, 'mohm', 4)} ({show(one.low, 'mohm', 4)} .. "
                       f"{show(one.high, 'mohm', 4)}) at {show_hz(one.place, 4)}; "
                       f"{show(one.dc_resistance, 'mohm', 4)} at {lowest}")
    if one.curves.die:
        place, value = one.curves.die
        yield from wrapped(f"the die sees {show(value, 'mohm', 4)} at {show_hz(place, 4)}: the package's, not judged")
    yield ""
    title = "banks, on planes at their places" if one.planes else "from the regulator to the balls"
    yield ELEMENTS.row(title, "R mohm", "L nH", "C uF", "SRF MHz", "dB")
    for element in one.elements:
        yield _element(element)
    yield from wrapped("numbers of one piece, mounted, at bias, temperature and age; dB: rise of the largest |Z| "
                       "without the bank", 4, 0)
    idle = [element.name for element in one.elements if element.idle]
    if idle:
        yield from wrapped(f"left out alone, each of these {SMALL_CHANGE}: {', '.join(idle)}")
    raising = [f"{element.name} ({-element.effect:.2g} dB)" for element in one.elements
               if element.raises and element.effect is not None]
    if raising:
        yield from wrapped(f"left out alone, each of these lowers the largest |Z|: {', '.join(raising)}")
    yield from _peaks(one.ringing)
    for text in one.assumptions:
        yield from wrapped(f"assumed: {text}")


def _why(one: RailView) -> str:
    guess = ", assumed," if one.package.key else ""
    return f", where the package of {show(one.package.value, 'pH')}{guess} alone reaches the limit" if one.limit else ""


def _element(element: Element) -> str:
    return ELEMENTS.row(
        element.name, engineering(convert(element.resistance, "mohm")), engineering(convert(element.inductance, "nH")),
        engineering(None if element.capacitance is None else convert(element.capacitance, "uF"), unknown=""),
        engineering(None if element.resonance is None else convert(element.resonance, "MHz"), 3, ""),
        "" if element.effect is None else element.effect,
    )


def _peaks(ringing: Sequence[Ringing]) -> Iterator[str]:
    yield ""
    if not ringing:
        yield "    no peak rings between elements"
    for one in ringing:
        peak = one.peak
        where = "" if one.inside else ", outside of the board's band"
        yield from wrapped(f"peak {show(peak.magnitude, 'mohm', 4)} at {show_hz(peak.frequency, 4)}, "
                           f"Q {peak.quality:.2g}: {one.inductive} against {one.capacitive}; "
                           f"{show(peak.damping, 'mohm', 4)} in their loop would damp it{where}")


def _fewest(best: Decoupling) -> Iterator[str]:
    yield ""
    held = f"in every variant, {best.margin:g} dB of margin" if best.margin else "in every variant"
    if not best.choices:
        yield from wrapped(f"no set of these capacitors holds the limit {held}", 0)
        return
    now, needed = (sum(getattr(one, key) for one in best.choices) for key in ("now", "needed"))
    yield from wrapped(f"fewest capacitors that hold the limit {held}: {needed} instead of {now}", 0)
    yield ELEMENTS.row("bank", "now", "needed")
    for one in best.choices:
        yield ELEMENTS.row(one.name, str(one.now), str(one.needed))
    if best.spare is not None:
        yield from wrapped(f"the worst variant then stays {best.spare:.2f} dB below the limit")
    if best.status:
        yield from wrapped(f"the rule on this board with these capacitors: {best.status}")
    for change in best.worse:
        yield from wrapped(f"{change.rule} {change.subject}: {change.before} becomes {change.after}: {change.message}")
    how = "found by steps of one or two banks at a time"
    if best.layout:
        how = "every set was placed and solved on the planes, in steps of a thirty-second of a bank"
    yield from wrapped(f"{how}; no proof that no smaller set holds")
    if best.fixed:
        yield from wrapped(f"as many as before, for each piece has a place of its own: {', '.join(best.fixed)}")


def json_text(found: Rails, profile: str, best: Decoupling | None = None) -> str:
    """The same as JSON, with the curves over frequency."""
    return document(found.board, profile, {
        "exit_code": _exit_code(found, best),
        "rails": [_tree(one) for one in found.rails],
        "not_evaluated": [{"rail": rail, "reason": reason(*why)} for rail, why in found.missing] + [
            {"rail": one.name, "reason": one.message} for one in found.rails if not one.evaluated],
        "bare_planes": [pdn_bare.tree(one) for one in found.bare],
        "fewest": best and _fewest_tree(best),
    })


def _tree(one: RailView) -> dict[str, Any]:
    return {
        "rail": one.name,
        "voltage_v": nine(one.rail.voltage.value),
        "status": str(one.status) if one.status else None,
        "limit_ohm": None if one.limit is None else nine(one.limit),
        "limit": one.limit_text,
        "formula_target_ohm": _maybe(one.formula),
        "band_hz": {"start": nine(one.start), "end": nine(one.end)},
        "largest": {
            "frequency_hz": seven(one.place), "nominal_ohm": seven(one.value), "min_ohm": seven(one.low),
            "max_ohm": seven(one.high),
        },
        "margin_db": {"nominal": _or_none(one.margin), "worst": _or_none(one.worst_margin)},
        "dc_resistance_ohm": seven(one.dc_resistance),
        "model": "layout" if one.planes else "ladder",
        "die": one.curves.die and {
            "frequency_hz": seven(one.curves.die[0]), "largest_ohm": seven(one.curves.die[1]),
        },
        "elements": [
            {
                "name": element.name, "count": element.count, "resistance_ohm": seven(element.resistance),
                "inductance_h": seven(element.inductance), "capacitance_f": _maybe(element.capacitance),
                "resonance_hz": _maybe(element.resonance), "effect_db": _or_none(element.effect),
            }
            for element in one.elements
        ],
        "peaks": [
            {
                "frequency_hz": seven(ring.peak.frequency), "magnitude_ohm": seven(ring.peak.magnitude),
                "quality": seven(ring.peak.quality), "damping_ohm": seven(ring.peak.damping),
                "inductive": ring.inductive, "capacitive": ring.capacitive, "in_band": ring.inside,
            }
            for ring in one.ringing
        ],
        "curves": {
            "frequency_hz": [seven(value) for value in one.curves.frequencies],
            "nominal_ohm": [seven(value) for value in one.curves.nominal],
            "min_ohm": [seven(min(values)) for values in _together(one)],
            "max_ohm": [seven(max(values)) for values in _together(one)],
        },
        "assumptions": list(one.assumptions),
    }


def _fewest_tree(best: Decoupling) -> dict[str, Any]:
    return {
        "rail": best.rail,
        "margin_db": nine(best.margin),
        "found": bool(best.choices),
        "banks": [{"name": one.name, "now": one.now, "needed": one.needed} for one in best.choices],
        "spare_db": _or_none(best.spare),
        "status": str(best.status) if best.status else None,
        "worse": [
            {"rule": one.rule, "subject": one.subject, "before": str(one.before), "after": str(one.after),
             "message": one.message}
            for one in best.worse
        ],
    }


def _together(one: RailView) -> Iterator[tuple[float, ...]]:
    return zip(one.curves.nominal, *one.curves.corners, strict=True)


def _or_none(loss: float | None) -> float | None:
    return None if loss is None else decibels(loss)


def _maybe(value: float | None) -> float | None:
    return None if value is None else seven(value)
