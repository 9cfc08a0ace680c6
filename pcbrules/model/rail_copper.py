# SPDX-License-Identifier: MIT
"""The copper of a rail between regulator and package: shapes of its planes, where current enters, barrels, balls.

Places are (x, y) in one frame of the board, the same for all layers.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from pcbrules.model.corner_text import MOST, corners_of
from pcbrules.model.shapes import Coordinate, Length, Name, PositiveRatio, Record, Resistance
from pcbrules.units import Quantity

Place = tuple[Coordinate, Coordinate]
Layers = Annotated[tuple[Name, ...], Field(min_length=1, max_length=40)]


def _readable(text: str) -> str:
    corners_of(text)
    return text


class Region(Record):
    """A rectangle between two opposite corners, or a polygon with its corners in order."""

    start: Place | None = Field(default=None, alias="from")
    end: Place | None = Field(default=None, alias="to")
    corners: Annotated[tuple[Place, ...], Field(min_length=3, max_length=MOST)] | None = None
    outline: Annotated[str, AfterValidator(_readable)] | None = None

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        ways = (self.start, self.corners, self.outline)
        if (self.start is None) != (self.end is None) or ways.count(None) != 2:
            raise ValueError("give a rectangle by `from` and `to`, or a polygon by `corners` or `outline`")
        places = self.polygon
        twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(places, (*places[1:], places[0]), strict=True))
        if abs(twice) < 1e-14:
            raise ValueError("the shape has no area")
        if self.start is None:
            from pcbrules.model.crossing_sides import crosses_itself  # numpy, which a light command does not load

            if crosses_itself(places):
                raise ValueError("two sides of the polygon cross")
        return self

    @cached_property
    def polygon(self) -> tuple[tuple[float, float], ...]:
        """Corners in order. [m]"""
        if self.outline is not None:
            return corners_of(self.outline)
        if self.corners is not None:
            return tuple((x.value, y.value) for x, y in self.corners)
        if self.start is None or self.end is None:
            return ()
        (x0, y0), (x1, y1) = ((x.value, y.value) for x, y in (self.start, self.end))
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


class Perforation(Region):
    """A region with a square lattice of sites, a share of which is an antipad: the field under a ball grid."""

    pitch: Length
    antipad: Length = Field(description="diameter of the hole in the plane, backdrill included")
    share: PositiveRatio = Field(description="of the sites that have one: those of other nets")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.antipad.value >= 0.99 * self.pitch.value:
            raise ValueError("the antipads touch: no copper is left between them")
        if self.share.value > 1:
            raise ValueError("`share` is above 100 %")
        return self


class CopperSheet(Record):
    """The shapes of one layer: together, less their cut-outs."""

    layer: Name
    shapes: Annotated[tuple[Region, ...], Field(min_length=1, max_length=400)]
    cutouts: Annotated[tuple[Region, ...], Field(max_length=4000)] = ()
    perforated: Annotated[tuple[Perforation, ...], Field(max_length=20)] | None = Field(
        default=None, description="fields of antipads, `[]` for none; not declared, balls may stand in up to 60 %"
    )


class CopperSource(Record):
    """Where current enters: the pad of a phase, or a pin. A round place, or a rectangle."""

    layers: Layers
    at: Place | None = None
    diameter: Length | None = None
    start: Place | None = Field(default=None, alias="from")
    end: Place | None = Field(default=None, alias="to")
    share: PositiveRatio | None = Field(default=None, description="of the current; equal shares where none is given")
    resistance: Resistance | None = Field(
        default=None, description="of its pad, vias or pin, down to the planes, evenly over its area")

    @model_validator(mode="after")
    def _placed(self) -> Self:
        round_, square = (self.at, self.diameter), (self.start, self.end)
        if None in (round_ if square == (None, None) else square) or (round_ != (None, None) != square):
            raise ValueError("give a round place by `at` and `diameter`, or a rectangle by `from` and `to`")
        if self.start and self.end and any(a.value == b.value for a, b in zip(self.start, self.end, strict=True)):
            raise ValueError("the rectangle has no area")
        return self

    @property
    def place(self) -> tuple[float, float]:
        """Its middle. [m]"""
        ends = (self.at, self.at) if self.at else (self.start, self.end)
        (x0, y0), (x1, y1) = ((x.value, y.value) for x, y in (one for one in ends if one))
        return (x0 + x1) / 2, (y0 + y1) / 2

    @property
    def size(self) -> tuple[float, ...]:
        """Diameter, or the two sides of the rectangle. [m]"""
        if self.start and self.end:
            return tuple(abs(b.value - a.value) for a, b in zip(self.start, self.end, strict=True))
        return (self.diameter.value,) if self.diameter else ()


class BarrelGrid(Record):
    """A rectangular field of plated holes: the first one, pitch, columns along x, rows along y, layers joined."""

    layers: Layers
    first: Place
    pitch: Length
    columns: Annotated[int, Field(ge=1, le=100)]
    rows: Annotated[int, Field(ge=1, le=100)]
    drill: Length
    plating: Length

    @model_validator(mode="after")
    def _countable(self) -> Self:
        if self.columns * self.rows > 2500:
            raise ValueError("a field has at most 2500 holes: describe fewer, larger ones")
        return self

    @property
    def is_drilled(self) -> bool:
        """True where it joins layers: else it is a pad on one of them, and ``drill`` the diameter of its contact."""
        return len(set(self.layers)) > 1

    @property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Middles of the holes, row by row. [m]"""
        x, y, pitch = self.first[0].value, self.first[1].value, self.pitch.value
        return tuple((x + k * pitch, y + j * pitch) for j in range(self.rows) for k in range(self.columns))


class BallField(BarrelGrid):
    """Power balls or pins of the load, each with its barrel from ``surface`` to the planes.

    All balls draw the same, or those of a field their part of its ``share``.
    """

    surface: Name
    share: PositiveRatio | None = Field(
        default=None, description="of the current, evenly among these balls; not declared, all balls draw the same")
    name: Name | None = Field(default=None, description="of the load that they belong to, where there are several")

    @property
    def is_drilled(self) -> bool:
        """True where barrels lead from the surface to other layers."""
        return {self.surface} != set(self.layers)


class SensePoint(Record):
    """The place that the regulator holds at its set voltage."""

    layer: Name
    at: Place


class CopperSide(Record):
    """One side of a rail, supply or return: sheets, where current enters and leaves, barrels between layers."""

    sheets: Annotated[tuple[CopperSheet, ...], Field(min_length=1, max_length=24)]
    sources: Annotated[tuple[CopperSource, ...], Field(min_length=1, max_length=128)]
    balls: Annotated[tuple[BallField, ...], Field(min_length=1, max_length=256)]
    vias: Annotated[tuple[BarrelGrid, ...], Field(max_length=1000)] = ()
    sense: SensePoint | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        layers = [sheet.layer for sheet in self.sheets]
        if len(set(layers)) < len(layers):
            raise ValueError("a layer stands twice in `sheets`: give all its shapes in one entry")
        used = [name for source in self.sources for name in source.layers]
        used += [name for field in (*self.balls, *self.vias) for name in field.layers]
        foreign = [name for name in [*used, *([self.sense.layer] if self.sense else [])] if name not in layers]
        if foreign:
            raise ValueError(f"no entry of `sheets` is on the layer '{foreign[0]}'")
        if any(len(set(one.layers)) < 2 for one in self.vias):
            raise ValueError("`vias` join at least two layers")
        if sum(field.columns * field.rows * len(field.layers) for field in (*self.balls, *self.vias)) > 12_000:
            raise ValueError("`balls` and `vias` join layers at more than 12000 places: describe fewer, larger ones")
        _check_shares([one.share for one in self.sources], "every source", "the sources")
        _check_shares([one.share for one in self.balls], "every field of balls", "the balls")
        return self


class RailCopper(CopperSide):
    """Copper of a rail. Phases share their current (``balanced``), or sources have one potential (``common``)."""

    sharing: Literal["balanced", "common"]
    return_side: CopperSide | None = Field(
        default=None, alias="return", description="not declared, it takes up to what the supply takes, or more"
    )

    @model_validator(mode="after")
    def _sensed(self) -> Self:
        if self.return_side is not None and (self.sense is None) != (self.return_side.sense is None):
            raise ValueError("the regulator senses supply and return: give `sense` on both sides, or on none")
        return self


def _check_shares(shares: list[Quantity | None], each: str, name: str) -> None:
    """Raise a ValueError where some shares are lacking, or their sum is not one."""
    if any(shares) and not all(shares):
        raise ValueError(f"give `share` for {each}, or for none")
    total = sum(share.value for share in shares if share)
    if any(shares) and abs(total - 1) > 0.01:
        raise ValueError(f"the shares of {name} add up to {100 * total:.4g} %, not to 100 %")
