# SPDX-License-Identifier: MIT
"""Kinds of laws that a formula may have to keep, each checked over a lattice of its whole range.

A point is a number between 0 and 1 for each variable: the place between the ends of its range, by ratios where the
range spans more than a factor of five, else by differences. The lattice is the corners of the range, the middles of it
and of its faces, and a sequence that fills the inside evenly. It is the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Protocol

import numpy as np
from law_examples import ALL
from numpy.typing import NDArray

Array = NDArray[Any]
Values = dict[str, Any]
Call = Callable[[Values], Array]

STEP = 0.1
"""How far one variable is moved for a law of direction, as a part of its range [-]."""
APART = 3
"""Of the points, the suite moves one of so many; what holds at a point is tried at all."""
CORNERS = 64
"""Most corners of a range; of a range that has more, those with one or no variable away from an end."""


class Lattice:
    """The points of a range, and how a variable moves between its ends."""

    def __init__(
        self, ranges: Mapping[str, tuple[float, float]], inside: int, most: int, keep: Callable[[Values], bool]
    ) -> None:
        self.ranges, self.keep = dict(ranges), keep
        count = len(self.ranges)
        few = 2**count <= most
        corners = product((0.0, 1.0), repeat=count) if few else (
            [abs(end - (one == other)) for other in range(count)] for end in (0.0, 1.0) for one in range(-1, count)
        )
        # the sequence of Roberts (2018): steps by powers of the root of x^(n+1) = x + 1
        root = 2.0
        for _ in range(60):
            root = (1 + root) ** (1 / (count + 1))
        steps = root ** -np.arange(1, count + 1)
        every = [np.array(one, dtype=float) for one in corners]
        faces = [np.where(np.arange(count) == one, end, 0.5) for one in range(count) for end in (0.0, 1.0)]
        every += [np.full(count, 0.5), *faces, *((0.5 + steps * k) % 1 for k in range(1, inside + 1))]
        self.points = [one for one in every if keep(self.at(one))]
        self.some = self.points if ALL else self.points[::APART]

    def at(self, point: Array) -> Values:
        """Values of the variables at a point."""
        return {name: self.value(name, float(u)) for name, u in zip(self.ranges, point, strict=True)}

    def value(self, name: str, u: float) -> float:
        """Value of one variable, exact at both ends."""
        low, high = self.ranges[name]
        if u in (0.0, 1.0):
            return high if u else low
        return low * (high / low) ** u if low > 0 and high > 5 * low else low + (high - low) * u

    def pairs(self, name: str) -> list[tuple[Values, Values]]:
        """Values before and after one variable is moved up, where both are in the range."""
        place = list(self.ranges).index(name)
        found = []
        for point in self.some:
            low, high = point.copy(), point.copy()
            low[place] = min(point[place], 1 - STEP)
            high[place] = low[place] + STEP
            both = self.at(low), self.at(high)
            if all(map(self.keep, both)):
                found.append(both)
        return found


class Law(Protocol):
    """A law: raises an assertion where a formula breaks it."""

    def check(self, call: Call, lattice: Lattice) -> None:
        """Check it over the lattice."""


def whole(value: Any) -> Array:
    return np.asarray(value)


@dataclass(frozen=True)
class Direction:
    """The result grows (sign 1) or shrinks (sign -1) with a variable, by more than rounding if ``strictly``."""

    name: str
    sign: int
    strictly: bool = True
    part: Callable[[Array], Array] = whole
    slack: float = 1e-9
    where: Callable[[Values], bool] = lambda _: True

    def check(self, call: Call, lattice: Lattice) -> None:
        pairs = [(a, b) for a, b in lattice.pairs(self.name) if self.where(a) and self.where(b)]
        assert pairs, f"no pair of points for {self.name}"
        moved = 0
        for before, after in pairs:
            old, new = (self.part(call(one)) for one in (before, after))
            rise = self.sign * (new - old)
            assert np.all(rise >= -self.slack * np.maximum(np.abs(old), np.abs(new))), (before, after, old, new)
            moved += bool(np.any(rise > self.slack * np.abs(old)))
        assert moved == len(pairs) if self.strictly else moved > 0, f"{self.name} moves {moved} of {len(pairs)} points"


def Rises(name: str, **more: Any) -> Direction:
    """The result grows with a variable."""
    return Direction(name, 1, **more)


def Falls(name: str, **more: Any) -> Direction:
    """The result shrinks as a variable grows."""
    return Direction(name, -1, **more)


@dataclass(frozen=True)
class Power:
    """The result goes as a power of a variable; of several variables, they are moved together."""

    names: str
    power: float
    rtol: float = 1e-9

    def check(self, call: Call, lattice: Lattice) -> None:
        names, checked = self.names.split(), 0
        for point in lattice.some:
            before = lattice.at(point)
            if any(before[name] == 0 for name in names):
                continue
            after = before | {name: before[name] * 1.25 for name in names}
            expected = call(before) * 1.25**self.power
            np.testing.assert_allclose(call(after), expected, rtol=self.rtol, err_msg=str(before))
            checked += 1
        assert checked


@dataclass(frozen=True)
class Holds:
    """What must be true of the values and the result, in words and as a function; at every point or at those given."""

    words: str
    true: Callable[[Values, Array, Call], Any]
    where: Callable[[Values], bool] = lambda _: True

    def check(self, call: Call, lattice: Lattice) -> None:
        checked = 0
        for point in lattice.points:
            values = lattice.at(point)
            if self.where(values):
                found = call(values)
                assert np.all(self.true(values, found, call)), f"not so: {self.words}: {values} {found}"
                checked += 1
        assert checked, self.words


def near(one: Any, other: Any, rtol: float = 1e-9, atol: float = 0.0) -> bool:
    """Whether two results agree."""
    return bool(np.allclose(one, other, rtol=rtol, atol=atol))


def Between(low: Any, high: Any, slack: float = 1e-9) -> Holds:
    """The result lies between two numbers, or functions of the values."""

    def true(values: Values, found: Array, _: Call) -> Any:
        least, most = (one(values) if callable(one) else one for one in (low, high))
        return (found >= least - slack * abs(least)) & (found <= most + slack * abs(most))

    return Holds("between its bounds", true)


def Gives(expected: Callable[[Values], Any], rtol: float = 1e-9, **at: float) -> Holds:
    """With some variables at these values, which may lie outside of the range, the result is this."""
    return Holds(f"the value at {at}", lambda v, _, call: near(call(v | at), expected(v | at), rtol))


def Inverse(of: Callable[[Values, Array], Any], name: str, rtol: float = 1e-9) -> Holds:
    """Another formula makes a variable out of the result."""
    return Holds(f"gives back {name}", lambda v, found, _: near(of(v, found), v[name], rtol, atol=1e-12))


def Same(how: Callable[[Values], Values], words: str, rtol: float = 1e-9,
         as_: Callable[[Array], Array] = whole) -> Holds:
    """The result is the same with other values; ``as_`` turns it into the one expected there."""
    return Holds(words, lambda v, found, call: near(call(v | how(v)), as_(found), rtol))


@dataclass(frozen=True)
class Formula:
    """What a formula needs to be tried: its laws, ranges where the card gives none, and how its arguments are made.

    Attributes
    ----------
    laws : sequence of Law
        What it must keep beside what every formula must.
    ranges : mapping of str to (float, float)
        Ranges of variables that have none in the card.
    units : mapping of str to str
        Units of variables that are no argument.
    build : function, optional
        Makes the arguments from the variables; none where they are the same.
    made : set of str
        Arguments with a range in the card that ``build`` makes of other variables.
    read : function
        Takes numbers out of the result.
    keep : function
        The limits that the card states in words: True for values that it takes.
    sign : int or None
        Sign of the result or of its real part: 1, 0 (not negative), or None for either.
    free : str
        Why the formula does not scale with its units; empty where it does.
    scales : function
        True for values where it scales.
    scaling : float
        Relative tolerance of that.
    one : set of str
        Arguments that are never arrays.
    inside, corners : int
        Points of the lattice, fewer for what takes long.
    derived : function
        Figures of the card that are no argument, from the variables.
    """

    laws: Sequence[Law]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    build: Callable[[Values], Values] | None = None
    made: frozenset[str] = frozenset()
    read: Callable[[Any], Any] = whole
    keep: Callable[[Values], bool] = lambda _: True
    sign: int | None = 1
    free: str = ""
    scales: Callable[[Values], bool] = lambda _: True
    derived: Callable[[Values], Values] = lambda _: {}
    one: frozenset[str] = frozenset()
    inside: int = 40
    corners: int = CORNERS
    scaling: float = 1e-9
