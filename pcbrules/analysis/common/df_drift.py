# SPDX-License-Identifier: MIT
"""By how much Df may be above the data of a laminate, because the board is hot or the laminate took up water."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.model.catalogue.dielectrics import DF_DATA_AT, Laminate
from pcbrules.phrases import under
from pcbrules.physics.lines.humidity import water_share
from pcbrules.units import show

DF_BY_WATER = 1.0
"""Rise of Df over the water taken up, by weight [-]: at most 0.010 for each percent; practice (RF Essentials, How does
moisture absorption affect the dielectric constant and loss tangent of a PCB substrate, 2026)."""


@dataclass(frozen=True, slots=True)
class DfDrift:
    """What is not known of Df at a temperature, upwards only.

    ``growth``: most that it grows beyond what is modelled, over Df at ``DF_DATA_AT`` [1/K]. ``wet``: rise by the water
    that the laminate takes up at most, over Df, of a line that is open to the air [-]. ``key`` would give the growth;
    empty where it is given.
    """

    growth: float = 0.0
    wet: float = 0.0
    key: str = ""

    __repr__ = brief

    def warm(self, temperature: float) -> float:
        """Most that Df is above the model because the board is at a temperature [degC], relative. [-]"""
        return self.growth * max(temperature - DF_DATA_AT, 0.0)

    def more(self, temperature: float) -> float:
        """Most that Df is above the model at a board temperature [degC], with the room's water, relative. [-]"""
        return self.warm(temperature) + self.wet * float(water_share(temperature=temperature))

    def with_other(self, other: DfDrift) -> DfDrift:
        """The worse of two laminates beside one trace."""
        key = self.key if self.growth >= other.growth and self.key else other.key or self.key
        return DfDrift(max(self.growth, other.growth), max(self.wet, other.wet), key)


NO_DRIFT = DfDrift()


def df_drift(laminate: Laminate, name: str, df: float, *, outside: bool) -> DfDrift:
    """Drift of a laminate that the board file calls ``name``, of loss tangent ``df`` [-], on an outer layer or not."""
    key = f"materials.laminates{under(name)}.df_temperature" if laminate.df_temperature is None else ""
    wet = DF_BY_WATER * laminate.water / df if outside and df > 0 else 0.0
    return DfDrift(laminate.growth, wet, key)


def drift_texts(laminate: Laminate, *, outside: bool) -> Iterator[str]:
    """What is assumed of Df over temperature, and over water on an outer layer."""
    resin = laminate.family or "any resin"
    at = show(DF_DATA_AT, "degC")
    given = laminate.df_temperature
    if isinstance(given, float):
        yield f"Df of {laminate.name} grows by {show(given, '%/K')} above {at} (declared)"
    elif given is not None:
        table = ", ".join(f"{one.df:g} at {show(one.temperature, 'degC')}" for one in given)
        yield f"Df of {laminate.name} goes with temperature as {table} (declared)"
    else:
        most = show(laminate.growth, "%/K")
        yield f"Df of {laminate.name} above {at}: `df_temperature` not declared, 0 to {most} ({resin}, practice)"
    if outside:
        origin = "declared" if laminate.water_absorption is not None else f"{resin}, practice"
        most = f"0 to {show(laminate.water, '%')} ({origin}), Df up to {DF_BY_WATER * laminate.water:.2g} higher"
        yield f"water in {laminate.name} on an outer layer: {most}; less when warm"
