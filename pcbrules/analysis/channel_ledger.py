# SPDX-License-Identifier: MIT
r"""Where every dB of a channel goes, so that the parts add up to the loss that is judged.

The judged loss is the mean over the phase of the longest lines. As a function of that phase the loss of a cascade is

.. math:: A = \sum_i \alpha_i \ell_i + \sum_k A_k + 20 \lg |1 - \ldots|

with :math:`A_k` the loss of what stands between two such lines, seen between their impedances, and a last term for what
is reflected to and fro along the lines. That term is the logarithm of a function of :math:`e^{-2 j \varphi_i}` which is
one at zero and nowhere zero inside the unit circles, as the network is passive: its mean over the phases is zero
(Jensen). So the mean loss is the sum of the matched losses of the lines and of the :math:`A_k`, each computed in its
place. Where several elements stand between two lines, each is given what it adds when it is put in after those before
it, and when after those behind it, the mean of both.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence

from pcbrules.analysis.channel_phase import turned_lines, wave_impedance
from pcbrules.analysis.channel_row import Row, line_losses
from pcbrules.analysis.channel_task import BlockSpec, ChannelTask, LedgerLine, LineSpec
from pcbrules.analysis.via_solve import ViaSpec
from pcbrules.networks.cascade import insertion_loss

Matrix = tuple[complex, complex, complex, complex]
"""Chain parameters A, B, C, D, impedances over the reference."""

WHOLE = -1
"""Place of what belongs to the channel as a whole."""

NOTHING: Matrix = (1 + 0j, 0j, 0j, 1 + 0j)
"""Chain parameters where there is no element."""


def parts(task: ChannelTask, row: Row, at: int) -> Iterator[LedgerLine]:
    """Loss at one frequency of every element by cause, then of the steps of impedance between them. [dB]

    Parameters
    ----------
    task, row : ChannelTask, Row
        The channel of equal legs and its networks; every element must be solved.
    at : int
        Nyquist's point of the row's grid.
    """
    turned = set(turned_lines(task))
    found: list[LedgerLine] = []
    steps, left = 0.0, 1 + 0j
    between: list[int] = []
    for place in range(len(task.elements)):
        if place not in turned:
            between.append(place)
            continue
        own = wave_impedance(row.chain(place, at))
        steps += _between(task, row, at, between, (left, own), found)
        found += _line(task, row, place)
        between, left = [], own
    steps += _between(task, row, at, between, (left, 1 + 0j), found)
    yield from sorted(found, key=lambda part: part.element)
    yield LedgerLine(WHOLE, "steps", steps)


def _between(
    task: ChannelTask, row: Row, at: int, places: Sequence[int], ends: tuple[complex, complex], found: list[LedgerLine]
) -> float:
    """Parts of the elements between two lines into ``found``; back what is left for steps of impedance. [dB]"""
    full = [row.chain(place, at) for place in places]
    total = _loss(_product(full), ends)
    left = total
    for i, place in enumerate(places):
        made = [*_own(task, row, at, place, full[:i], full[i + 1 :], ends)]
        left -= sum(part.loss for part in made)
        found += made
    return left


def _own(
    task: ChannelTask, row: Row, at: int, place: int, before: Sequence[Matrix], behind: Sequence[Matrix],
    ends: tuple[complex, complex],
) -> Iterator[LedgerLine]:
    """Parts of one element; of a via in its place, of any other those between matched lines."""
    spec = task.elements[place]
    if isinstance(spec, LineSpec):
        yield from _line(task, row, place)
    elif isinstance(spec, ViaSpec):
        bare, full = row.chain(place, at, bare=True), row.chain(place, at)
        first, last = _product(before), _product(behind)
        none, barrel, whole = (
            (_loss(_times(first, one), ends) + _loss(_times(one, last), ends)) / 2 for one in (NOTHING, bare, full)
        )
        yield LedgerLine(place, "barrel", barrel - none)
        if place in row.stubbed:
            yield LedgerLine(place, "stubs", whole - barrel)
    else:
        part = "table" if isinstance(spec, BlockSpec) else "declared"
        yield LedgerLine(place, part, float(insertion_loss(row.fixed[place])[at]))


def _line(task: ChannelTask, row: Row, place: int) -> Iterator[LedgerLine]:
    """Matched loss of a line by cause."""
    spec = task.elements[place]
    if not isinstance(spec, LineSpec):
        raise TypeError(f"element {place} is no line")
    for part, loss in line_losses(row.lines[place], task.nyquist).items():
        yield LedgerLine(place, part, loss * spec.length)


def _product(matrices: Sequence[Matrix]) -> Matrix:
    whole = NOTHING
    for matrix in matrices:
        whole = _times(whole, matrix)
    return whole


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d = one
    e, f, g, h = other
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


def _loss(chain: Matrix, ends: tuple[complex, complex]) -> float:
    """Loss between lines of two wave impedances over the reference. [dB]"""
    left, right = ends
    a, b, c, d = chain
    below = a * right + b + c * left * right + d * left
    return -20 * math.log10(abs(2 * cmath.sqrt(left) * cmath.sqrt(right) / below))
