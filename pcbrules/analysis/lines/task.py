# SPDX-License-Identifier: MIT
"""A uniform line as plain numbers: the one shape in which a solver of cross-sections takes its problem."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.brief import brief

ModeName = Literal["odd", "even", "single"]


@dataclass(frozen=True, slots=True)
class SideGround:
    """Ground copper on either side of a line on its layer: from the edge of the trace, and how wide it is [m].

    Both are those of the wider faces.
    """

    gap: float
    width: float


@dataclass(frozen=True, slots=True)
class SecondLeg:
    """The second leg of a broadside pair: on another layer, as wide as the first one. Lengths in metres.

    ``height`` is that of its lower face over the lower face of the first leg, negative where it is below; ``offset``
    the distance of their centre lines; ``foot_up`` as of a line.
    """

    height: float
    offset: float
    thickness: float
    foot_up: bool

    def between(self, first: float) -> float:
        """Dielectric between the legs, where the first one has a thickness [m]."""
        return self.height - first if self.height > 0 else -self.height - self.thickness


@dataclass(frozen=True, slots=True)
class Plate:
    """A plated layer: thickness [m], resistivity [ohm m], static permeability [-] and where it relaxes [Hz]."""

    thickness: float
    resistivity: float
    static: float = 1.0
    relaxation: float = 2e9


@dataclass(frozen=True, slots=True)
class LineTask:
    """Cross-section of one trace or of a pair, edge-coupled or broadside, and the temperature [degC]. Lengths in m.

    The foot is the face on which the trace was etched; ``gap`` is edge to edge at the foot, None for one trace.
    ``below`` runs from the lower face down to the plane. ``above`` runs from the level of the lower face up to the
    other plane, so it includes the copper thickness; empty is open to the air (microstrip). Where ``closed`` is false
    there is air at its end instead of a plane (embedded microstrip). ``cover`` is solder mask, as thick as on the
    laminate, ``cover_over_trace`` that over the trace and on its sides. ``rz`` is the effective Rz of lower face,
    upper face, plane below, plane above. Resistivities [ohm m] are those at 20 degC. Of the planes' copper the
    thickness matters below some 30 MHz. ``ground`` is copper at the potential of the planes on both sides of the line;
    ``second`` is the other leg of a broadside pair, which has no gap. ``plating`` are the layers on the
    upper face and the sides, from the copper outwards.
    """

    width_foot: float
    width_top: float
    thickness: float
    gap: float | None
    foot_up: bool
    below: tuple[Ply, ...]
    above: tuple[Ply, ...]
    cover: Ply | None
    cover_over_trace: float | None
    rz: tuple[float, float, float, float]
    resistivity_trace: float
    resistivity_plane: float
    temperature: float
    closed: bool = True
    plane_thickness: float = 35e-6
    ground: SideGround | None = None
    second: SecondLeg | None = None
    plating: tuple[Plate, ...] = ()
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    __repr__ = brief

    @property
    def pair(self) -> bool:
        """False for one trace."""
        return self.gap is not None or self.second is not None

    def __hash__(self) -> int:
        """That of all fields, once: a task is looked up many times."""
        if not self._hash:
            made = hash(tuple(getattr(self, name) for name in _COMPARED))
            object.__setattr__(self, "_hash", made)
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """A hash holds in its own process only."""
        return LineTask, tuple(getattr(self, name) for name in _COMPARED)


_COMPARED = tuple(one.name for one in fields(LineTask) if one.compare)


