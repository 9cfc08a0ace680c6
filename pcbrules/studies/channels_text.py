# SPDX-License-Identifier: MIT
"""The channels of a board for readers (80 columns) and for programs (JSON, ``schemas/channel.schema.json``)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.analysis.channel.task import Conversion
from pcbrules.errors import clip
from pcbrules.missing import Missing
from pcbrules.studies.channels import INTERFERENCE, Channel, Channels, JudgedReturn
from pcbrules.studies.channels_grid import wide_curves
from pcbrules.studies.columns import ColumnTable
from pcbrules.studies.names import reason
from pcbrules.studies.pages import document, page, section, total, wrapped
from pcbrules.studies.texts import decibels, nine, seven
from pcbrules.units import convert, show

LINKS = ColumnTable(18, ((6, 2), (7, 2), (7, 2), (7, 2), (7, 2), (7, 2), (7, 1), (7, 1), (7, 1)))
LEDGER = ColumnTable(45, ((9, 3),), indent=4)


def console(found: Channels, profile: str, *, ledger: bool) -> str:
    """A table of all links, or of one link with where every dB goes."""
    return page(_console(found, profile, ledger))


def _console(found: Channels, profile: str, ledger: bool) -> Iterator[str]:
    at = f"{show(found.hot, 'degC')}, {show(found.cold, 'degC')} beside it"
    yield from wrapped(f"{found.board}: channels at {at} (profile {profile})", 0)
    if found.channels:
        yield ""
        yield LINKS.row("link", "GHz", "loss", "from", "to", "limit", "margin", "notch", "return", "xtalk")
        yield LINKS.row("", "", "dB", "dB", "dB", "dB", "dB", "GHz", "dB", "dB")
    for one in found.channels:
        yield _row(one)
    for one in found.channels if ledger else ():
        yield from _ledger(one)
    yield from section("Not evaluated:", [(link, reason(why)) for link, why in found.missing])
    yield from section("Not applicable:", [(link, reason(why)) for link, why in found.exempt])
    yield ""
    yield from wrapped("loss: hot, mean over the phase of the reflections; from, to: its interval by models, materials "
                       "and tolerances; margin: limit less loss; notch: lower bound of the lowest stub resonance; "
                       "return: lowest return loss from 50 MHz to Nyquist at the worse end, the other one matched, "
                       "vias at the worse end of their tolerances; "
                       "xtalk: power sum of the crosstalk at the louder end", 0, 0)
    for model in dict.fromkeys(one.loss.loss.model for one in found.channels):
        yield from wrapped(f"model of the loss: {model}", 0, 0)
    links = f"{len(found.channels)} link{'s' * (len(found.channels) != 1)}"
    yield total(found.exit_code, links, f"{len(found.missing)} not evaluated" if found.missing else "")


def _row(one: Channel) -> str:
    return LINKS.row(
        one.link, convert(one.nyquist, "GHz"), one.loss.loss.value, one.loss.loss.lo, one.loss.loss.hi, one.limit,
        one.margin,
        convert(one.notch.lowest, "GHz") if one.notch else None, one.echo.loss,
        None if isinstance(one.crosstalk, Missing) else one.crosstalk.level,
    )


def _ledger(one: Channel) -> Iterator[str]:
    loss = one.loss.loss
    yield ""
    yield from wrapped(f"{one.link}: {one.standard}, Nyquist {show(one.nyquist, 'GHz', 6)}", 0)
    yield from wrapped(f"budget: {one.limit_text}")
    yield from wrapped(f"loss {loss.value:.2f} dB ({loss.lo:.2f} .. {loss.hi:.2f}) hot, {one.loss.cold:.2f} cold, over "
                       f"{show(one.loss.length, 'in')} of line: mean over the phase of the reflections"
                       + (", and what stubs cost beside it" if one.more_by_stubs else ""))
    if one.notch:
        yield from wrapped(f"lowest notch: {show(one.notch.frequency, 'GHz')} at {one.notch.via} "
                           f"(lower bound {show(one.notch.lowest, 'GHz')})")
    yield from _returns(one)
    if isinstance(one.crosstalk, Missing):
        yield from wrapped(f"crosstalk not known: {one.crosstalk.reason}")
    else:
        rest = ", of the lines alone: via field and connector come on top" if one.crosstalk.lines_only else ""
        yield from wrapped(f"crosstalk: {one.crosstalk.level:.1f} dB at the {one.crosstalk.end} end around "
                           f"{show(one.crosstalk.frequency, 'GHz')}{rest}")
    made = one.conversion
    if made:
        for name, at, (worst, where) in (("differential to common (SCD21)", made.to_common, made.worst_common),
                                         ("common to differential (SDC21)", made.to_differential,
                                          made.worst_differential)):
            yield from wrapped(f"{name}: {at:.1f} dB at Nyquist, at most {worst:.1f} dB at {show(where, 'GHz')}")
    yield ""
    yield _entry("element", "part", "dB")
    for interferes in (False, True):
        for part in one.rows:
            if (part.part == INTERFERENCE) is interferes:
                yield _entry(part.element, part.part, round(part.loss, 3))
        if not interferes:
            yield _entry("all", "mean over phase", one.mean)
            if one.more_by_stubs:
                yield _entry("all", "more by stubs", round(one.more_by_stubs, 3))
                yield _entry("all", "loss against the limit", loss.value)
    yield _entry("all", "at these lengths", sum(part.loss for part in one.rows))
    if any(part.part == "stubs" for part in one.rows):
        yield from wrapped("stubs: their loss at Nyquist; CHN003 judges the largest loss up to Nyquist, at the worst "
                           "backdrill depth")
    for text in loss.assumptions:
        yield from wrapped(f"assumed: {text}")


def _returns(one: Channel) -> Iterator[str]:
    """The lowest return loss, and what CHN004 judges."""
    judged = one.judged_return
    if judged is None:
        yield from wrapped(f"lowest return loss: {one.echo.loss:.1f} dB at {show(one.echo.frequency, 'GHz')}, at the "
                           f"{one.echo.end} (not judged)")
        return
    corner = f", {judged.corner}" if judged.corner else ""
    where = f"at {show(judged.frequency, 'GHz')}, at {judged.end}{corner}"
    if not judged.to_mask and not judged.at_balls:
        yield from wrapped(f"lowest return loss: {judged.value:.1f} dB {where} (judged by CHN004)")
        return
    yield from wrapped(f"lowest return loss: {one.echo.loss:.1f} dB at {show(one.echo.frequency, 'GHz')}, at the "
                       f"{one.echo.end}")
    what = "margin to the mask of the return loss" if judged.to_mask else "lowest return loss between the balls"
    yield from wrapped(f"judged by CHN004: {what}, {judged.value:.1f} dB {where}")


def _entry(element: str, part: str, loss: float | str) -> str:
    return LEDGER.row(f"{clip(element, 23):23} {part}", loss)


def json_text(found: Channels, profile: str) -> str:
    """The same as JSON, with the curves over frequency."""
    return document(found.board, profile, {
        "temperatures_degc": {"cold": nine(found.cold), "hot": nine(found.hot)},
        "exit_code": found.exit_code,
        "channels": [_tree(one) for one in found.channels],
        "not_evaluated": [{"link": link, "reason": reason(why)} for link, why in found.missing],
        "not_applicable": [{"link": link, "reason": reason(why)} for link, why in found.exempt],
    })


def _tree(one: Channel) -> dict[str, Any]:
    loss, curves = one.loss.loss, wide_curves(one.task)
    return {
        "link": one.link,
        "standard": one.standard,
        "nyquist_hz": nine(one.nyquist),
        "length_m": nine(one.loss.length),
        "loss_db": {
            "nominal": decibels(loss.value), "min": decibels(loss.lo), "max": decibels(loss.hi),
            "cold": decibels(one.loss.cold),
        },
        "limit_db": None if one.limit is None else nine(one.limit),
        "limit": one.limit_text,
        "margin_db": None if one.margin is None else decibels(one.margin),
        "notch": one.notch and {
            "via": one.notch.via, "frequency_hz": seven(one.notch.frequency), "lower_bound_hz": seven(one.notch.lowest),
        },
        "return_loss": {
            "least_db": decibels(one.echo.loss), "frequency_hz": nine(one.echo.frequency), "end": one.echo.end,
            "judged": one.judged_return and _judged(one.judged_return),
        },
        "crosstalk": None if isinstance(one.crosstalk, Missing) else {
            "level_db": decibels(one.crosstalk.level), "end": one.crosstalk.end,
            "frequency_hz": nine(one.crosstalk.frequency), "lines_only": one.crosstalk.lines_only,
        },
        "crosstalk_unknown": one.crosstalk.reason if isinstance(one.crosstalk, Missing) else None,
        "ledger_db": [{"element": row.element, "part": row.part, "loss": decibels(row.loss)} for row in one.rows],
        "more_by_stubs_db": decibels(one.more_by_stubs),
        "mode_conversion": one.conversion and _conversion(one.conversion),
        "curves": {
            "frequency_hz": [nine(value) for value in curves.frequency],
            "loss_db": _finite(curves.loss),
            "loss_without_stubs_db": _finite(curves.loss_without_stubs),
            "return_loss_beginning_db": _finite(curves.return_loss_1),
            "return_loss_end_db": _finite(curves.return_loss_2),
        },
        "assumptions": list(loss.assumptions),
    }


def _judged(found: JudgedReturn) -> dict[str, Any]:
    return {
        "quantity": "margin-to-mask" if found.to_mask else "return-loss", "value_db": decibels(found.value),
        "frequency_hz": nine(found.frequency), "end": found.end.removeprefix("the "), "corner": found.corner,
        "between_balls": found.at_balls,
    }


def _conversion(made: Conversion) -> dict[str, Any]:
    return {
        key: {"nyquist_db": decibels(at), "worst_db": decibels(worst), "worst_hz": nine(where)}
        for key, at, (worst, where) in (
            ("differential_to_common", made.to_common, made.worst_common),
            ("common_to_differential", made.to_differential, made.worst_differential),
        )
    } | {"loss_db": decibels(made.loss)}


def _finite(losses: Sequence[float]) -> list[float | None]:
    """Numbers; nothing where nothing comes through or back."""
    return [decibels(loss) if math.isfinite(loss) else None for loss in losses]
