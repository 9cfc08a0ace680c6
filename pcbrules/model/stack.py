# SPDX-License-Identifier: MIT
"""Where each layer lies: heights, neighbours, reference planes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.model.stackup import Copper, Dielectric, Layer, Mask

PLANE_ROLES = frozenset({"ground", "power"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A layer with its place: index in the file, and heights below the top face of the first copper layer [m]."""

    index: int
    spec: Copper | Dielectric
    top: float
    bottom: float

    __repr__ = brief

    @property
    def name(self) -> str:
        """The layer's name; a dielectric without one is named after its place in the file."""
        return self.spec.name or f"dielectric{self.index}"


@dataclass(frozen=True, slots=True)
class PlacedCopper(Placed):
    """A copper layer with its place."""

    spec: Copper

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class PlacedDielectric(Placed):
    """A dielectric with its place."""

    spec: Dielectric


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference plane of a signal layer, with the layers between, nearest the trace first."""

    plane: PlacedCopper
    between: tuple[Placed, ...]

    __repr__ = brief

    @property
    def plies(self) -> tuple[Placed, ...]:
        """The dielectrics between."""
        return tuple(placed for placed in self.between if isinstance(placed.spec, Dielectric))


class Stack:
    """The copper and dielectric layers from top to bottom, and the solder masks."""

    def __init__(self, layers: tuple[Layer, ...]) -> None:
        self._given = layers
        placed: list[PlacedCopper | PlacedDielectric] = []
        depth = 0.0
        for index, spec in enumerate(layers):
            if isinstance(spec, Mask):
                continue
            bottom = depth + spec.thickness.value
            placed.append(PlacedCopper(index, spec, depth, bottom) if isinstance(spec, Copper)
                          else PlacedDielectric(index, spec, depth, bottom))
            depth = bottom
        self.layers: tuple[Placed, ...] = tuple(placed)
        self.coppers = tuple(p for p in placed if isinstance(p, PlacedCopper))
        self.dielectrics = tuple(p for p in placed if isinstance(p, PlacedDielectric))
        first, last = (layers[0], layers[-1]) if layers else (None, None)
        self.top_mask = first if isinstance(first, Mask) else None
        self.bottom_mask = last if isinstance(last, Mask) else None
        self.thickness = depth
        self._order = {p.name: i for i, p in enumerate(self.coppers)}
        self._places = {p.index: i for i, p in enumerate(placed)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and self._given == other._given

    def __hash__(self) -> int:
        return hash(self._given)

    def has(self, name: str) -> bool:
        """True if there is a copper layer of that name."""
        return name in self._order

    def order(self, name: str) -> int:
        """Place of a copper layer among the copper layers, 0 at the top."""
        return self._order[name]

    def copper(self, name: str) -> PlacedCopper:
        """A copper layer by name."""
        return self.coppers[self._order[name]]

    def place(self, layer: Placed) -> int:
        """Place of a layer in ``layers``."""
        return self._places[layer.index]

    def outer(self, name: str) -> bool:
        """True for the first and the last copper layer."""
        return self._order[name] in (0, len(self.coppers) - 1)

    def reference(self, name: str, *, up: bool, planes: Collection[str] | None = None) -> Reference | None:
        """The nearest plane above or below a copper layer, through any signal layers between.

        ``planes`` are the layers that are planes there, whatever their role; None for those with a plane's role.
        """
        between: list[Placed] = []
        for other in self.beyond(name, up=up):
            if isinstance(other, PlacedCopper) and (
                    other.spec.role in PLANE_ROLES if planes is None else other.name in planes):
                return Reference(other, tuple(between))
            between.append(other)
        return None

    def beyond(self, name: str, *, up: bool) -> tuple[Placed, ...]:
        """All layers above or below a copper layer, nearest first."""
        start = self.place(self.copper(name))
        return tuple(reversed(self.layers[:start])) if up else self.layers[start + 1 :]

    def adjacent(self, name: str, *, up: bool) -> tuple[PlacedCopper | None, tuple[Placed, ...]]:
        """The next copper layer above or below, and the dielectrics between, nearest first."""
        plies: list[Placed] = []
        for other in self.beyond(name, up=up):
            if isinstance(other, PlacedCopper):
                return other, tuple(plies)
            plies.append(other)
        return None, tuple(plies)

    def between(self, a: str, b: str) -> tuple[Placed, ...]:
        """The dielectrics between two copper layers, top to bottom."""
        low, high = sorted((self.place(self.copper(a)), self.place(self.copper(b))))
        return tuple(p for p in self.layers[low:high] if isinstance(p.spec, Dielectric))
