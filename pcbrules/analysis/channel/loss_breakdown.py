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

At the lengths of one path the last term is what the reflections give or take. It too is a sum, over the lines: to join
what stands on the two sides of one, with reflections :math:`\Gamma` and :math:`\Gamma'`, costs
:math:`20 \lg |1 - \Gamma \Gamma' e^{-2 \gamma \ell}|`.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence

from pcbrules.analysis.channel.element_chain import ElementChain, line_losses
from pcbrules.analysis.channel.mean_over_phase import turned_lines, wave_impedance
from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, LedgerLine, LineSpec
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.networks.cascade import insertion_loss
from pcbrules.ties import ordered

Matrix = tuple[complex, complex, complex, complex]
"""Chain parameters A, B, C, D, impedances over the reference."""

WHOLE = -1
"""Place of what belongs to the channel as a whole."""

NOTHING: Matrix = (1 + 0j, 0j, 0j, 1 + 0j)
"""Chain parameters where there is no element."""

ONE = 1 + 0j
"""The reference impedance over itself."""

SMALL = 5e-4
"""Step of impedance that has no line of its own in the ledger [dB]."""


def parts(task: ChannelTask, row: ElementChain, at: int) -> Iterator[LedgerLine]:
    """Loss at one frequency of every element by cause, with the steps of impedance at its ends. [dB]

    Parameters
    ----------
    task, row : ChannelTask, ElementChain
        The channel of equal legs and its networks; every element must be solved.
    at : int
        Nyquist's point of the row's grid.
    """
    turned = set(turned_lines(task))
    found: list[LedgerLine] = []
    steps = [0.0] * len(task.elements)
    left = WHOLE
    between: list[int] = []
    ends = {place: wave_impedance(row.chain(place, at)) for place in turned} | {WHOLE: ONE}
    for place in (*range(len(task.elements)), WHOLE):
        if place not in ends:
            between.append(place)
            continue
        sides = ends[left], ends[place]
        step = _loss(NOTHING, sides)
        if step:
            steps[left if place == WHOLE else place] += step
        found += _between(task, row, at, between, sides, steps)
        if place != WHOLE:
            found += _line(task, row, place)
        left, between = place, []
    found += [LedgerLine(place, "steps", loss) for place, loss in enumerate(steps) if abs(loss) >= SMALL]
    yield from ordered(found, key=lambda part: part.element)


def echoes(task: ChannelTask, row: ElementChain, at: int) -> Iterator[LedgerLine]:
    """What reflections to and fro over each of the longest lines give or take at its length. [dB]

    Lines are joined from the beginning of the channel, and from its end; each is given the mean of both. Added to the
    mean over the phases they make the loss of the cascade.
    """
    turned = sorted(turned_lines(task))
    chains = [row.chain(place, at) for place in range(len(task.elements))]
    waves = [wave_impedance(chains[place]) for place in turned]
    for i, (place, wave) in enumerate(zip(turned, waves, strict=True)):
        start, before = (turned[i - 1] + 1, waves[i - 1]) if i else (0, ONE)
        stop, behind = (turned[i + 1], waves[i + 1]) if i + 1 < len(turned) else (len(chains), ONE)
        left = _reflection(_turned(_product(chains[:place])), ONE, wave)
        near_left = _reflection(_turned(_product(chains[start:place])), before, wave)
        right = _reflection(_product(chains[place + 1 :]), ONE, wave)
        near_right = _reflection(_product(chains[place + 1 : stop]), behind, wave)
        a, b, _, d = chains[place]
        way = ((a + d) / 2 + b / wave) ** -2
        joined = abs(1 - left * near_right * way) * abs(1 - near_left * right * way)
        yield LedgerLine(place, "interference", 10 * math.log10(joined))


def _between(
    task: ChannelTask, row: ElementChain, at: int, places: Sequence[int], ends: tuple[complex, complex],
    steps: list[float],
) -> Iterator[LedgerLine]:
    """Parts of the elements between two lines: of a via all that it adds in its place, of any other those between
    matched lines, and to ``steps`` what it adds beyond."""
    full = [row.chain(place, at) for place in places]
    for i, place in enumerate(places):
        before, behind = _product(full[:i]), _product(full[i + 1 :])

        def added(one: Matrix, before: Matrix = before, behind: Matrix = behind) -> float:
            return (_loss(_times(before, one), ends) + _loss(_times(one, behind), ends)) / 2

        none, whole = added(NOTHING), added(full[i])
        spec = task.elements[place]
        if isinstance(spec, ViaSpec):
            barrel = added(row.chain(place, at, without_stubs=True)) if place in row.with_stubs else whole
            yield LedgerLine(place, "barrel", barrel - none)
            if place in row.with_stubs:
                yield LedgerLine(place, "stubs", whole - barrel)
            continue
        if isinstance(spec, LineSpec):
            own = [*_line(task, row, place)]
        else:
            part = "table" if isinstance(spec, BlockSpec) else "declared"
            own = [LedgerLine(place, part, float(insertion_loss(row.fixed[place])[at]))]
        yield from own
        steps[place] += whole - none - sum(part.loss for part in own)


def _line(task: ChannelTask, row: ElementChain, place: int) -> Iterator[LedgerLine]:
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


def _turned(chain: Matrix) -> Matrix:
    """The same two-port seen from its other end."""
    a, b, c, d = chain
    return d, b, c, a


def _reflection(chain: Matrix, end: complex, wave: complex) -> complex:
    """Reflection of a two-port with an impedance at its far end, seen from a line; all over the reference. [-]"""
    a, b, c, d = chain
    above, below = a * end + b, c * end + d
    return (above - wave * below) / (above + wave * below)


def _loss(chain: Matrix, ends: tuple[complex, complex]) -> float:
    """Loss between lines of two wave impedances over the reference. [dB]"""
    left, right = ends
    a, b, c, d = chain
    below = a * right + b + c * left * right + d * left
    return -20 * math.log10(abs(2 * cmath.sqrt(left) * cmath.sqrt(right) / below))
