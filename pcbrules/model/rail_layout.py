# SPDX-License-Identifier: MIT
"""Where a rail lies: the rectangle of its planes, and the places of package, regulator and capacitor banks on it.

Places are (x, y) in one frame of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, dist, floor, sqrt
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pcbrules.model.rail_copper import Region
from pcbrules.model.shapes import Coordinate, Length, Name, Record

Place = tuple[Coordinate, Coordinate]
Point = tuple[float, float]


class Area(Record):
    """A rectangle between two opposite corners."""

    start: Place = Field(alias="from")
    end: Place = Field(alias="to")

    @model_validator(mode="after")
    def _sized(self) -> Self:
        if any(a.value == b.value for a, b in zip(self.start, self.end, strict=True)):
            raise ValueError("the rectangle has no area")
        return self

    @property
    def corners(self) -> tuple[Point, Point]:
        """The lower and the higher corner. [m]"""
        (x0, x1), (y0, y1) = (sorted((a.value, b.value)) for a, b in zip(self.start, self.end, strict=True))
        return (x0, y0), (x1, y1)

    @property
    def size(self) -> float:
        """[m2]"""
        (x0, y0), (x1, y1) = self.corners
        return float((x1 - x0) * (y1 - y0))


class LayoutVias(Record):
    """Vias of the rail where a group does not say its own: a power via and a ground via beside it."""

    drill: Length
    pitch: Length = Field(description="from a power via to the ground via beside it")
    plating: Length


class BallArea(Area):
    """The field of supply and ground balls, alternating as on a chessboard, with a via at each; or single vias."""

    pitch: Length = Field(description="from a ball to the next; with `at` from supply via to ground via")
    drill: Length | None = None
    at: Annotated[tuple[Place, ...], Field(min_length=1, max_length=600)] | None = Field(
        default=None, description="places of the supply vias, where they are no chessboard")

    @property
    def sites(self) -> float:
        """About how many balls there are, of both kinds."""
        return self.size / float(self.pitch.value) ** 2

    @property
    def places(self) -> tuple[Point, ...]:
        """Places of the supply balls: every second one, or those that are given. [m]"""
        if self.at is not None:
            return tuple((x.value, y.value) for x, y in self.at)
        (x0, y0), (x1, y1) = self.corners
        pitch = self.pitch.value
        columns, rows = (floor(side / pitch + 1e-6) + 1 for side in (x1 - x0, y1 - y0))
        left, low = (x0 + x1 - (columns - 1) * pitch) / 2, (y0 + y1 - (rows - 1) * pitch) / 2
        return tuple(
            (left + i * pitch, low + k * pitch) for k in range(rows) for i in range(columns) if (i + k) % 2 == 0
        )


class PartPlaces(Record):
    """Places of equal parts: each one given, spread over rectangles, or (regulators) along an edge of the planes."""

    at: Annotated[tuple[Place, ...], Field(min_length=1, max_length=5000)] | None = None
    areas: Annotated[tuple[Area, ...], Field(min_length=1, max_length=16)] | None = Field(
        default=None, description="rectangles over which the parts are spread evenly"
    )
    edge: Literal["left", "right", "low", "high"] | None = Field(
        default=None, description="of the planes: least or greatest x, least or greatest y"
    )
    side: Literal["package", "opposite"] = "package"
    pairs: Annotated[int, Field(ge=1, le=100)] | None = Field(
        default=None, description="of vias, for each part; else 1, of a regulator 1 to 16, of a bank `mounting`"
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if [self.at, self.areas, self.edge].count(None) != 2:
            raise ValueError("give the places by `at`, by `areas`, or by an `edge`")
        return self

    def places(self, count: int, planes: Area, inset: float) -> tuple[Point, ...]:
        """Places of ``count`` parts; along an edge ``inset`` from it. [m]"""
        if self.at is not None:
            return tuple((x.value, y.value) for x, y in self.at)
        if self.areas is not None:
            return tuple(place for one, part in zip(self.areas, self._shares(count), strict=True) if part
                         for place in _spread(part, one))
        (x0, y0), (x1, y1) = planes.corners
        steps = [(i + 0.5) / count for i in range(count)]
        if self.edge in ("left", "right"):
            x = x0 + inset if self.edge == "left" else x1 - inset
            return tuple((x, y0 + step * (y1 - y0)) for step in steps)
        y = y0 + inset if self.edge == "low" else y1 - inset
        return tuple((x0 + step * (x1 - x0), y) for step in steps)

    def _shares(self, count: int) -> list[int]:
        """Whole parts of a count in proportion to the areas, to within one."""
        sizes = [one.size for one in self.areas or ()]
        ends = [round(count * sum(sizes[: i + 1]) / sum(sizes)) for i in range(len(sizes))]
        return [end - start for start, end in zip([0, *ends], ends, strict=False)]


class RailLayout(Area):
    """The planes of a rail as one rectangle, or one outline in it, and what is on it.

    ``pairs`` of facing layers are in order of depth from the package, the layer nearer to the package first.
    """

    pairs: Annotated[tuple[tuple[Name, Name], ...], Field(min_length=1, max_length=24)]
    shape: Region | None = Field(default=None, description="outline, where the planes do not fill the rectangle")
    cutouts: Annotated[tuple[Region, ...], Field(max_length=400)] = ()
    vias: LayoutVias
    package: BallArea
    regulator: PartPlaces
    banks: dict[Name, PartPlaces] = Field(default_factory=dict)


def _spread(count: int, area: Area) -> tuple[Point, ...]:
    """Rows of about square cells over a rectangle; a row with fewer parts is spread over its whole length."""
    (x0, y0), (x1, y1) = area.corners
    wide, high = x1 - x0, y1 - y0
    rows = min(count, max(1, round(sqrt(count * high / wide))))
    found: list[Point] = []
    for row in range(rows):
        some = ceil(count * (row + 1) / rows) - ceil(count * row / rows)
        y = y0 + (row + 0.5) / rows * high
        found += [(x0 + (i + 0.5) / some * wide, y) for i in range(some)]
    return tuple(found)


def least_distance(places: Sequence[Point]) -> float:
    """Of any two places: only neighbours in order of x can be nearer than what was found. [m]"""
    ordered = sorted(places)
    best = float("inf")
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if other[0] - one[0] >= best:
                break
            best = min(best, dist(one, other))
    return best
