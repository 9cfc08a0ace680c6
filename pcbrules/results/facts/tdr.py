# SPDX-License-Identifier: MIT
"""Facts about the impedance of a channel as a reflectometer sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pcbrules.results.edits import Edits
from pcbrules.results.facts.base import Fact
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address
from pcbrules.results.profile import Entries


@dataclass(frozen=True, slots=True)
class ViaChange:
    """Changed dimensions of a via type, as the ``edits`` that write them, and ``told``, which says what is seen then.

    ``stub`` is the length of the stub that is left where that is what changes: without edits no drill is held so
    close. ``together`` says that several dimensions change. ``score`` is what was compared with the limit: the
    distance from the reference over the reference [-], or the return loss with the other sign [dB]; ``meets`` says
    whether that is within the limit, ``becomes`` the verdict of the link with a change that cures, or with the best
    of all together. ``better`` says whether it brings the score nearer to the limit, ``harms`` what it worsens of
    the link itself under the other rule that a via decides, ``falls`` what gets worse there within the same
    verdict. Of other links with vias of the type ``holds`` are those that meet the limit with the change,
    ``misses`` those that still do not, with what they show, and ``worsens`` those of which it worsens a verdict,
    with the rule; ``unsolved`` is the number of those that are further from their limits and were not solved with it.
    """

    edits: Edits
    told: Callable[[], str]
    score: float
    meets: bool
    stub: str = ""
    together: bool = False
    holds: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    worsens: tuple[str, ...] = ()
    unsolved: int = 0
    harms: str = ""
    falls: str = ""
    becomes: str = ""
    better: bool = True

    @property
    def cures(self) -> bool:
        """True if it meets the limit and worsens nothing of the link itself."""
        return self.meets and not self.harms


@dataclass(frozen=True, slots=True)
class Furthest:
    """The element of a path that is furthest from the ``reference``: its ``impedance`` [ohm], and whether it is a line.

    ``cures`` looks for dimensions of a via that meet a limit of the return loss; None for all else. ``via`` is the name
    of its type, ``stub`` says whether it has one.
    """

    element: str
    impedance: float
    reference: float
    line: bool
    via: str = ""
    stub: bool = False
    cures: Callable[[Limit, Entries], tuple[ViaChange, ...]] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ImpedanceDeviation:
    """Largest distance of an impedance from the reference, over the reference [-], and the element that makes it.

    ``impedance`` [ohm] is what is seen there, from the ``end`` of the path that sees the larger one. ``cures`` looks
    for dimensions of a via that meet a limit of the distance [-]: the one that does, or all that were tried.
    ``described`` is True where the file says all that the models of the vias on the path take; ``via`` is the type of
    the element where it is one, ``stub`` says whether it has one.
    """

    measured: Measured
    element: str
    impedance: float
    end: str
    where: Address
    described: bool = True
    via: str = ""
    stub: bool = False
    cures: Callable[[Limit, Entries], tuple[ViaChange, ...]] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class ImpedanceProfile(Fact):
    """Impedance along a path, seen with a step of a ``rise_time`` [s] against a ``reference`` [ohm].

    ``line`` is the worst of its lines, ``breakout`` of those in a ball field, ``transition`` of vias, capacitors and
    connectors; None where there is none. ``unseen`` are elements of which only a loss is known, the key
    that would say more, and their places.
    """

    reference: float
    rise_time: float
    line: ImpedanceDeviation | None
    breakout: ImpedanceDeviation | None
    transition: ImpedanceDeviation | None
    unseen: tuple[tuple[str, str, Address], ...] = ()
