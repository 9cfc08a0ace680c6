# SPDX-License-Identifier: MIT
"""Several sheets tied by barrels, fed and loaded at contacts: potentials, currents, power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pcbrules.arrays import Real


@dataclass(frozen=True, slots=True)
class Tie:
    """A resistance between two places; a place is the sheet's number and the contact's number in it."""

    one: tuple[int, int]
    other: tuple[int, int]
    resistance: float


@dataclass(frozen=True, slots=True)
class StackFlow:
    """Potentials of the contacts of every sheet [V], currents of the ties [A], currents into the sheets [A], loss [W].

    A current of a tie flows from ``one`` to ``other``; ``loss`` is that of sheets and ties together.
    """

    potentials: tuple[Real, ...]
    ties: Real
    into: tuple[Real, ...]
    loss: float


def stack_flow(
    *,
    conductances: Sequence[Real],
    ties: Sequence[Tie] = (),
    held: Mapping[tuple[int, int], float],
    drawn: Mapping[tuple[int, int], float],
) -> StackFlow:
    """Flow in a stack of sheets.

    Parameters
    ----------
    conductances : sequence of ndarray, shape (contacts, contacts)
        Between the contacts of each sheet. [S]
    ties : sequence of Tie
        Barrels between sheets. [ohm]
    held : mapping of place to float
        Potentials of contacts that are held. [V]
    drawn : mapping of place to float
        Currents that leave the sheet at a contact into the load. [A]

    Raises
    ------
    ValueError
        A part of the stack that carries current has no path to a contact that is held.

    Notes
    -----
    Source: definition (Kirchhoff's laws).
    """
    from scipy.sparse.csgraph import connected_components  # here and not above: 0.1 s, which not every board needs

    first = np.concatenate([[0], np.cumsum([len(one) for one in conductances])]).astype(int)
    size = int(first[-1])
    matrix = np.zeros((size, size))
    for at, one in zip(first, conductances, strict=False):
        matrix[at : at + len(one), at : at + len(one)] = one
    for tie in ties:
        a, b = first[tie.one[0]] + tie.one[1], first[tie.other[0]] + tie.other[1]
        matrix[[a, b], [a, b]] += 1 / tie.resistance
        matrix[[a, b], [b, a]] -= 1 / tie.resistance
    current, potential = np.zeros(size), np.zeros(size)
    for (sheet, contact), amount in drawn.items():
        current[first[sheet] + contact] -= amount
    fixed = np.zeros(size, bool)
    for (sheet, contact), volts in held.items():
        fixed[first[sheet] + contact] = True
        potential[first[sheet] + contact] = volts
    free = ~fixed
    if free.any():
        inner = matrix[np.ix_(free, free)]
        outer = matrix[np.ix_(free, fixed)] @ potential[fixed]
        _, part = connected_components(matrix != 0, directed=False)
        if not np.isin(part[free], part[fixed]).all():
            raise ValueError("a part of the copper has no path to the source")
        potential[free] = np.linalg.solve(inner, current[free] - outer)
    into = matrix @ potential
    flows = np.array([
        (potential[first[tie.one[0]] + tie.one[1]] - potential[first[tie.other[0]] + tie.other[1]]) / tie.resistance
        for tie in ties
    ])
    parts = [potential[a:b] for a, b in pairwise(first)]
    return StackFlow(
        tuple(parts), flows, tuple(into[a:b] for a, b in pairwise(first)), float(potential @ into)
    )
