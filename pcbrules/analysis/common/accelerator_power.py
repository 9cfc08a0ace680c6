# SPDX-License-Identifier: MIT
"""Power of the accelerators that the board file names."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.common.interval import interval
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.system import Accelerator
from pcbrules.results.measured import Basis, Measured
from pcbrules.results.place import Address
from pcbrules.units import Quantity, show

PEAK_DOUBT = 0.1
"""How far an accelerator's peak may lie from its rated power, as the supplies see it; practice."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Power of one device [W], and what a reader should know of it."""

    power: Measured
    note: str = ""


def sustained_power(board: Board, index: int, device: Accelerator) -> Draw | Missing:
    """Declared sustained power; else the rated power of the library."""
    at: Address = ("system", "accelerators", index)
    if device.power.sustained is not None:
        declared = _declared(device.power.sustained, (*at, "power", "sustained"))
        return Draw(declared, _beside(board, device, declared.value))
    rated = board.catalogue.accelerators[device.type].power if device.type else None
    if rated is None:
        reason = f"the power of {device.name} is neither given nor in the library"
        return Missing(reason, f"system.accelerators[{index}].power.sustained")
    model = f"rated power, {rated.source}"
    note = ""
    if rated.min is not None and rated.max is not None and rated.min < rated.max:
        note = f"Can be set from {show(rated.min, 'W')} to {show(rated.max, 'W')}."
    most = max(rated.value, rated.max or rated.value)  # what it is set to is not declared
    assumptions = (f"{device.name}: power not declared, from the rated {show(rated.value, 'W')} to {show(most, 'W')}",)
    power = Measured(value=rated.value, lo=rated.value, hi=most, model=model, basis="table", reads=((*at, "type"),),
                     assumptions=assumptions if most > rated.value else ())
    return Draw(power, note)


def peak_power(board: Board, index: int, device: Accelerator) -> Draw | Missing:
    """Declared peak; else the larger one of rated and sustained power, with its doubt."""
    at: Address = ("system", "accelerators", index)
    if device.power.peak is not None:
        return Draw(_declared(device.power.peak, (*at, "power", "peak")))
    base = sustained_power(board, index, device)
    if isinstance(base, Missing):
        return Missing(base.reason, f"system.accelerators[{index}].power.peak")
    rated = board.catalogue.accelerators[device.type].power if device.type else None
    highest = max(base.power.value, (rated.max or rated.value) if rated else 0.0)
    basis: Basis = "table" if rated else "declared"
    text = f"peak of {device.name} taken as {show(highest, 'W')} +- {PEAK_DOUBT:.0%}"
    return Draw(
        Measured(
            value=highest,
            lo=highest * (1 - PEAK_DOUBT),
            hi=highest * (1 + PEAK_DOUBT),
            model="rated power of the library" if rated else "sustained power of the board file",
            basis=basis,
            reads=base.power.reads,
            assumptions=(text,),
        )
    )


def _declared(quantity: Quantity, path: Address) -> Measured:
    span = interval(quantity)
    return span.measured("power of the board file", basis="declared", reads=(path,))


def _beside(board: Board, device: Accelerator, declared: float) -> str:
    rated = board.catalogue.accelerators[device.type].power if device.type else None
    if rated is None or abs(rated.value - declared) <= 1e-9 * rated.value:
        return ""
    return f"The library rates {device.type} at {show(rated.value, 'W')}."
