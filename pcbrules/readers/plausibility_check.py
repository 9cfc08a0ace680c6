# SPDX-License-Identifier: MIT
"""What no single value tells: two that are legal each, and unlikely together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pcbrules.constants import INCH
from pcbrules.library import load as library
from pcbrules.missing import Missing
from pcbrules.model.board import BoardLink, PathStep
from pcbrules.model.board_file import BoardFile, Materials
from pcbrules.model.catalogue.records import Laminate
from pcbrules.model.catalogue.select import df_at
from pcbrules.model.link import Trace, Via
from pcbrules.model.stackup import Dielectric, Layer
from pcbrules.model.via import ViaType
from pcbrules.readers.names import Names
from pcbrules.readers.written import like
from pcbrules.units import show

APART = 2.0
"""Df of one laminate in two sources, greatest over least [-]: methods and constructions differ by less."""
MANY = 16
"""Lanes from which on one lane runs beside the next; practice: no board has room to keep so many apart."""
SHORT = 1 * INCH
"""Length up to which a trace may stand alone on its way out of the pins [m]; practice."""
CLOSER = 50e-6
"""How far a finished hole may be from the drill less twice its plating [m]: tolerances of plating and finish."""
FULLER = 1.5
"""Resin that fills copper over the pressed thickness of its prepreg [-]; practice: the glass alone takes a third."""
OFF_NYQUIST = 2.0
"""Frequency of a budget over the Nyquist frequency of its standard, or the other way round [-]; practice."""
RATED = 1.1
"""Power that a core rail delivers for ever over what its accelerators are rated for [-]; practice."""


def check_plausible(
    file: BoardFile, links: Iterable[BoardLink], accelerators: Mapping[str, Any], names: Names
) -> None:
    """Keep what is unlikely: replaced laminates, lanes that stand alone, lines wider than their vias, currents."""
    _check_laminates(file.materials, names)
    _check_holes(file.via_types or {}, names)
    _check_resin(file.stackup or (), names)
    for link in links:
        _check_budget(link, names)
        for at, step in enumerate(link.steps):
            if isinstance(step.body, Trace):
                _check_alone(link, step, step.body, names)
                near = [link.steps[i].body for i in (at - 1, at + 1) if 0 <= i < len(link.steps)]
                _check_width(step, step.body, near, file.via_types or {}, names)
    _check_power(file, accelerators, names)


def _check_laminates(own: Materials | None, names: Names) -> None:
    """A laminate of a known name has about the Df that its maker publishes."""
    for name, mine in (own.laminates if own else {}).items():
        if library.find("laminates", name) is None:
            continue
        known = library.laminate(name)
        found = _both(mine, known)
        if found is None:
            continue
        at, df, usual = found
        if max(df, usual) > APART * min(df, usual):
            names.doubt(("materials", "laminates", name), f"a Df of {df:.4g} at {show(at, 'GHz', 4)} is "
                        f"{max(df, usual) / min(df, usual):.2g} times {'above' if df > usual else 'below'} that of "
                        f"`{known.id}` in the library, {usual:.4g}",
                        "check Df and name, or give the laminate a name of its own")


def _both(mine: Laminate, known: Laminate) -> tuple[float, float, float] | None:
    """Where the data of a laminate begin [Hz], its Df there, and that of the library's."""
    at = mine.sets[0].points[0].f if mine.sets else None
    found = [df_at(one, at) for one in (mine, known)] if at is not None else []
    if at is None or any(isinstance(one, Missing) for one in found):
        return None
    df, usual = (0.0 if isinstance(one, Missing) else one.value for one in found)
    return (at, df, usual) if df > 0 and usual > 0 else None


def _check_holes(types: Mapping[str, ViaType], names: Names) -> None:
    """A finished hole is its drill less the plating of both sides, unless it is filled and capped."""
    for name, via in types.items():
        if via.finished is None or via.plating is None or via.drill is None:
            continue
        left = via.drill.value - 2 * via.plating.value
        if abs(via.finished.value - left) > CLOSER * (1 + 1e-9):
            names.doubt(("via_types", name, "finished"), f"the finished hole, {via.finished.text}, is not what "
                        f"{via.plating.text} of plating leave of {via.drill.text}, {like(via.finished, left)}",
                        "check drill, plating and finished hole")


def _check_resin(layers: Iterable[Layer], names: Names) -> None:
    """A pressed prepreg holds its glass beside the resin that fills copper."""
    for index, layer in enumerate(layers):
        if isinstance(layer, Dielectric) and layer.resin_height is not None and (
                layer.resin_height.value > FULLER * layer.thickness.value):
            names.doubt(("stackup", index, "resin_height"), f"{layer.resin_height.text} of resin are much for a "
                        f"prepreg that is {layer.thickness.text} thick when pressed", "check the units of both")


def _check_budget(link: BoardLink, names: Names) -> None:
    """A budget of loss is given at about the Nyquist frequency of its standard."""
    budget, nyquist = link.spec.budget, link.standard.nyquist
    if budget is None or budget.at is None:
        return
    at = budget.at.value
    if max(at, nyquist) > OFF_NYQUIST * min(at, nyquist) * (1 + 1e-9):
        names.doubt((*link.path, "budget", "at"), f"a budget at {budget.at.text} is far from the Nyquist frequency of "
                    f"{link.standard.name}, {show(nyquist, 'GHz', 4)}", "check the decimal point and the standard")


def _check_alone(link: BoardLink, step: PathStep, trace: Trace, names: Names) -> None:
    """Of many lanes one runs beside the next."""
    if trace.neighbours == () and (link.spec.lanes or 1) >= MANY and trace.length.value > SHORT:
        names.doubt((*step.path, "neighbours"), f"nothing runs beside {trace.length.text} of a link of "
                    f"{link.spec.lanes} lanes: from {MANY} lanes on one runs beside the next",
                    "enter the next lanes with `spacing` and `coupled_length`, unless all of them are kept apart")


def _check_width(
    step: PathStep, trace: Trace, near: Iterable[Any], types: Mapping[str, ViaType], names: Names
) -> None:
    """A pair is drawn narrower than its vias stand apart."""
    for via in near:
        kind = types.get(via.type) if isinstance(via, Via) else None
        if trace.gap is not None and kind is not None and kind.pitch and trace.width.value > kind.pitch.value:
            names.doubt((*step.path, "width"), f"each trace of the pair, {trace.width.text}, is wider than its vias "
                        f"stand apart, {kind.pitch.text} (`pitch` of {via.type})", "check the units of both")
            return


def _check_power(file: BoardFile, accelerators: Mapping[str, Any], names: Names) -> None:
    """The core rails of a board deliver for ever what its accelerators are rated for, and no more."""
    rated = 0.0
    for device in (file.system.accelerators if file.system else None) or ():
        entry = accelerators.get(device.type) if device.type else None
        given = device.power.sustained or (entry.power if entry is not None else None)
        if not device.on_board or given is None:
            return
        rated += device.count * given.value
    for name, rail in (file.rails or {}).items():
        current = rail.current.sustained
        if not rated or current is None or (rail.role, rail.load) != ("core", "accelerator"):
            continue
        power = rail.voltage.value * current.value
        if power > RATED * rated:
            most = like(current, RATED * rated / rail.voltage.value)
            names.doubt(("rails", name, "current", "sustained"), f"{rail.voltage.text} and {current.text} are "
                        f"{show(power, 'W', 3)}, and the accelerators of the board are rated for "
                        f"{show(rated, 'W', 3)}: at most {most} is likely", "check voltage and unit")
