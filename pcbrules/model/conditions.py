# SPDX-License-Identifier: MIT
"""What the profile itself brings: temperatures, load step, duty."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions under which a profile judges a board.

    Attributes
    ----------
    cold, hot : float
        Board temperatures of the two corners [degC]; budgets are judged hot.
    plane_temperature : float
        Temperature of the planes of a rail [degC].
    plane_temperature_spread : float
        How far it may be off, half width [K].
    slew : float
        Fastest change of a load current at the balls; a rail may give a slower one [A/s].
    duty : float
        Least sustained share of the peak current where the rail gives no sustained current [-].
    load_step : float
        Step of the load current over the peak current where the rail gives no step [-].
    load_step_from : str
        ``idle``: where the rail gives its idle current, the step is from there to the peak; ``share``: it is
        ``load_step`` in any case.
    fabrication_class : str
        Fabrication class where the board names none.
    workload_duty : float or None
        Duty by the board's workload, in place of the profile's; None where the board has none that says it [-].
    require_computed : bool
        A declaration that stands in for a computed value is not used.
    """

    cold: float
    hot: float
    plane_temperature: float
    slew: float
    duty: float
    load_step: float
    plane_temperature_spread: float = 0.0
    load_step_from: str = "share"
    fabrication_class: str = "standard"
    workload_duty: float | None = None
    require_computed: bool = False
