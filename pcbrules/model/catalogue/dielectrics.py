# SPDX-License-Identifier: MIT
"""Laminates and solder masks. Frequencies in Hz, temperatures in degC, the rest in SI units."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from pcbrules.model.catalogue.base import Sourced, SourcedValue
from pcbrules.model.catalogue.fields import (
    Celsius,
    Conductivity,
    Drift,
    Hertz,
    Id,
    Label,
    LibraryRecord,
    Minutes,
    Number,
    PerKelvin,
    Ratio,
    Text,
)

LaminateClass = Literal["standard", "mid-loss", "low-loss", "very-low-loss", "ultra-low-loss", "rf", "mask"]
LOSS_ORDER: Final[tuple[LaminateClass, ...]] = (
    "standard",
    "mid-loss",
    "low-loss",
    "very-low-loss",
    "ultra-low-loss",
)
"""The classes of digital laminates, most lossy first."""


class Slope(NamedTuple):
    """d ln Df / d ln f outside the data: usual, least and greatest. [-]"""

    usual: float
    least: float
    most: float


ANY_RESIN: Final = Slope(0.13, -0.04, 0.35)
FAMILY_SLOPES: Final[Mapping[str, Slope]] = {
    "epoxy": Slope(0.08, -0.04, 0.11),
    "ppe": Slope(0.24, 0.10, 0.35),
    "hydrocarbon-ceramic": Slope(0.13, -0.04, 0.35),
}
"""By resin: the median and the range of the library's own sets of several points, from 1 GHz up. Of hydrocarbon-ceramic
there are two sets, of other resins none or few: theirs is the range of all."""


GLASS_SLOPES: Final[Mapping[str, Slope]] = {"e": Slope(0.70, 0.52, 0.81), "low-dk": Slope(0.41, 0.35, 0.51)}
"""By glass: -d ln Dk / d (resin content by weight), median and range of the makers' tables of Dk by construction. [-]

E glass: Isola 370HR 0.52, FR408HR 0.59, I-Tera MT40 0.70, MEGTRON 6 0.65, N4000-13EP 0.71, N4000-6 0.72, S1000-2M
0.81. Low-Dk glass: MEGTRON 7(N) 0.41, 8(N) 0.41, 8(U) 0.35, N4000-13EPSI 0.42, ThunderClad 3+ 0.44, Tachyon 100G 0.51.
A mixture by volume gives the same: glass of Dk 5.2 to 6.8 (E) or 4.0 to 4.8 in resin of Dk 2.6 to 3.2 meets each table
to 0.3 %, that of S1000-2M to 1 %.
"""
SOLD_RESIN: Final[Mapping[str, tuple[float, float]]] = {"e": (0.43, 0.77), "low-dk": (0.53, 0.78)}
"""By glass: resin content by weight of the cores and prepregs in those tables. [-]"""


ANY_GROWTH: Final = 0.005
FAMILY_GROWTHS: Final[Mapping[str, float]] = {"ppe": 0.0035, "hydrocarbon-ceramic": 0.0035, "ptfe": 0.003}
"""Most that Df grows from 23 degC on, by resin, over Df at 23 degC. [1/K] Practice: an interval, no nominal value.

That Df grows is measured (S. Hinaga and others, Thermal effects on PCB laminate material dielectric constant and
dissipation factor, IPC APEX 2010; J. Hsu, C. J. Ong, X. Ye, Characterization of insertion loss of striplines as a
function of temperature, EMC Sapporo 2019), and that it counts for more than the copper's resistance (DesignCon 2024);
the figures are recalled."""

ANY_WATER: Final = 0.0025
FAMILY_WATERS: Final[Mapping[str, float]] = {"ppe": 0.0015, "hydrocarbon-ceramic": 0.0006, "ptfe": 0.0002}
"""Most water that a laminate takes up, by weight, by resin. [-] Practice.

PTFE 0.02 %, hydrocarbon with ceramic 0.06 %, FR4 0.1 % and more (RF Essentials, How does the moisture absorption of a
substrate affect its long term RF performance, 2026); PPE as recalled from data sheets."""


class Point(NamedTuple):
    """Permittivity and loss tangent at one frequency (Hz)."""

    f: Hertz
    dk: Annotated[Number, Field(gt=0)]
    df: Annotated[Number, Field(ge=0)]


Range = tuple[Number, Number]


class DataSet(Sourced):
    """Points of one measuring method on one construction from one source, in ascending frequency.

    ``design`` marks values meant for impedance work where the maker also prints process values. ``dk_range`` and
    ``df_range`` are the least and greatest value that parts of this name have over all of the points, for a name that
    stands for several products; every point lies inside. ``resin`` is the resin content of the construction by weight
    (ratio).
    """

    method: Label = "unstated"
    construction: Text = ""
    resin: Annotated[Ratio, Field(gt=0, lt=1)] | None = None
    note: Text = ""
    design: bool = False
    dk_range: Range | None = None
    df_range: Range | None = None
    points: Annotated[tuple[Point, ...], Field(min_length=1, max_length=1000)]

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if any(above.f <= below.f for below, above in pairwise(self.points)):
            raise ValueError("points must ascend in frequency, each frequency once")
        for name, ends in (("dk", self.dk_range), ("df", self.df_range)):
            if ends and not all(ends[0] <= getattr(point, name) <= ends[1] for point in self.points):
                raise ValueError(f"`{name}_range` is the least and the greatest {name}: every point lies inside")
        return self


class ResinPoint(NamedTuple):
    """Permittivity at a resin content by weight (ratio)."""

    resin: Annotated[Ratio, Field(gt=0, lt=1)]
    dk: Annotated[Number, Field(gt=0)]


class DkByResin(Sourced):
    """Permittivity by resin content at one frequency (Hz), in ascending resin content; ``glass`` is its kind.

    Between the points Dk is straight. Beyond them, or from a lone point, it goes on by the slope of the glass.
    """

    at: Hertz
    glass: Literal["e", "low-dk"]
    points: Annotated[tuple[ResinPoint, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _falling(self) -> Self:
        if any(above.resin <= below.resin or above.dk > below.dk for below, above in pairwise(self.points)):
            raise ValueError("points must ascend in resin content, and Dk must not rise with it")
        return self

    @property
    def sold(self) -> tuple[float, float]:
        """Least and greatest resin content of the constructions that are sold. [-]"""
        least, most = SOLD_RESIN[self.glass]
        return min(least, self.points[0].resin), max(most, self.points[-1].resin)


class GlassTransition(Sourced):
    """A glass-transition temperature (degC) and how it was measured."""

    value: Celsius
    method: Literal["DSC", "DMA", "TMA", "unstated"]
    at_least: bool = False
    note: Text = ""


class LaminateThermal(LibraryRecord):
    """Thermal data.

    ``td`` decomposition (degC); ``cte_z_below``, ``cte_z_above`` z-axis expansion below and above Tg (1/K);
    ``expansion_50_260`` z expansion from 50 to 260 degC (ratio); ``t288`` time to delamination at 288 degC
    (s); ``k`` thermal conductivity (W/(m K)).
    """

    tg: tuple[GlassTransition, ...] = ()
    td: SourcedValue[Celsius] | None = None
    cte_z_below: SourcedValue[PerKelvin] | None = None
    cte_z_above: SourcedValue[PerKelvin] | None = None
    expansion_50_260: SourcedValue[Ratio] | None = None
    t288: SourcedValue[Minutes] | None = None
    k: SourcedValue[Conductivity] | None = None


DF_DATA_AT = 23.0
"""Temperature at which data sheets give Df (degC): standard laboratory conditions of IPC-TM-650."""


def along(points: tuple[tuple[float, float], ...], at: float) -> float:
    """Return what lies on the straight lines through points of rising ``x``; the outer ones go on."""
    places = [i for i, (x, _) in enumerate(points[1:-1], 1) if x < at]
    (x0, y0), (x1, y1) = points[max(places, default=0)], points[max(places, default=0) + 1]
    return y0 + (y1 - y0) / (x1 - x0) * (at - x0)


class DfAtTemperature(LibraryRecord):
    """The loss tangent at one temperature (degC), at one frequency for all of a table."""

    temperature: Celsius
    df: Annotated[Number, Field(gt=0)]


class Laminate(LibraryRecord):
    """A laminate with its prepreg, or a solder mask. Board files use the same record.

    A board file may write ``dk``, ``df`` and ``at`` instead of ``sets``: one declared point.
    """

    id: Id
    name: Label = "unnamed"
    aliases: tuple[Label, ...] = ()
    vendor: Label = "unstated"
    loss_class: LaminateClass | None = Field(default=None, alias="class")
    family: Literal["epoxy", "ppe", "ptfe", "hydrocarbon-ceramic", "resist"] | None = None
    halogen_free: bool = False
    note: Text = ""
    df_slope: Annotated[Number, Field(ge=-0.2, le=1)] | None = None
    df_temperature: Drift | tuple[DfAtTemperature, ...] | None = None
    water_absorption: Ratio | None = None
    sets: tuple[DataSet, ...] = ()
    by_resin: DkByResin | None = None
    thermal: LaminateThermal = LaminateThermal()

    @property
    def slope(self) -> Slope:
        """How Df goes on outside the data: the laminate's own slope if it is given, else that of its resin."""
        if self.df_slope is not None:
            return Slope(self.df_slope, self.df_slope, self.df_slope)
        return FAMILY_SLOPES.get(self.family or "", ANY_RESIN)

    @model_validator(mode="after")
    def _table_rises(self) -> Self:
        table = self.df_temperature
        if isinstance(table, tuple) and (
                len(table) < 2 or any(one.temperature >= other.temperature for one, other in pairwise(table))):
            raise ValueError("the table of `df_temperature` needs two temperatures or more, rising")
        return self

    @property
    def df_factors(self) -> tuple[tuple[float, float], ...]:
        """Temperatures (degC) and Df there over Df at ``DF_DATA_AT``, rising; empty where the file does not say it."""
        given = self.df_temperature
        if given is None or given == 0:
            return ()
        if isinstance(given, float):
            return (DF_DATA_AT, 1.0), (DF_DATA_AT + 100, 1 + 100 * given)
        points = tuple((one.temperature, one.df) for one in given)
        usual = along(points, DF_DATA_AT)
        return tuple((temperature, df / usual) for temperature, df in points)

    @property
    def growth(self) -> float:
        """Most that Df may grow beyond what is modelled, over Df at 23 degC; none where the file says it. [1/K]"""
        return 0.0 if self.df_temperature is not None else FAMILY_GROWTHS.get(self.family or "", ANY_GROWTH)

    @property
    def water(self) -> float:
        """Water that the laminate takes up at most, by weight. [-]"""
        if self.water_absorption is not None:
            return self.water_absorption
        return FAMILY_WATERS.get(self.family or "", ANY_WATER)

    def __hash__(self) -> int:
        """Of the id: what is read from a laminate is kept by laminate, and equal ones have one id."""
        return hash(self.id)

    @model_validator(mode="before")
    @classmethod
    def _single_point(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not data.keys() & {"dk", "df", "at"}:
            return data
        missing = {"dk", "df", "at"} - data.keys()
        if missing or "sets" in data:
            raise ValueError("write either sets, or all of dk, df and at (the frequency they hold for)")
        used = ("dk", "df", "at", "method", "source")
        rest = {key: value for key, value in data.items() if key not in used}
        point = {
            "method": data.get("method", "unstated"),
            "source": data.get("source", "declared in the board file"),
            "confidence": "declared",
            "points": [[data["at"], data["dk"], data["df"]]],
        }
        return {**rest, "sets": [point]}
