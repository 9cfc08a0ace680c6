# SPDX-License-Identifier: MIT
"""Parallel resonances of a rail and of its variants, each nominal peak with what the variants make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pcbrules.analysis.power.ladder import POINTS_PER_DECADE, Bank, RailTask, loop_circuit
from pcbrules.analysis.power.ladder_peaks import Peak, describe_peak, peak_frequencies, with_sharp_places
from pcbrules.networks.pdn import Branch
from pcbrules.ties import TOLERANCE, ordered

APART = 2.0
"""Peaks whose frequencies differ by more than this factor are not the same one; practice."""


@dataclass(frozen=True, slots=True)
class PeakTask:
    """A rail and its variants."""

    rail: RailTask
    variants: tuple[RailTask, ...]


@dataclass(frozen=True, slots=True)
class SpreadPeak:
    """A peak of the nominal rail, and the same one of every variant that has it.

    ``apparent`` is False where the nominal rail has no maximum there: ``nominal`` then describes it at the frequency of
    the first variant that has.
    """

    nominal: Peak
    variants: tuple[Peak, ...]
    apparent: bool = True


def solve_peaks(task: PeakTask) -> tuple[SpreadPeak, ...]:
    """All peaks, rising in frequency; none where the rail has no bank.

    Parameters
    ----------
    task : PeakTask
        The rail.

    Returns
    -------
    tuple of SpreadPeak
        Peaks that only variants have are among them.
    """
    if not any(isinstance(step, Bank) for step in task.rail.ladder):
        return ()
    nominal, *others = [rail_peaks(rail) for rail in (task.rail, *task.variants)]
    regulator, ladder = _branches(task.rail)
    return follow(nominal, others, partial(_described, regulator, ladder))


def follow(
    nominal: Sequence[Peak], variants: Sequence[Sequence[Peak]], describe: Callable[[float], Peak]
) -> tuple[SpreadPeak, ...]:
    """Each nominal peak with the same one of every variant, rising in frequency.

    Parameters
    ----------
    nominal : sequence of Peak
        Of the nominal rail.
    variants : sequence of sequence of Peak
        Of each variant.
    describe : function
        What the nominal rail does at a frequency [Hz] where a variant alone has a peak.

    Returns
    -------
    tuple of SpreadPeak
        Peaks that only variants have are among them.
    """
    centres, apparent = list(nominal), len(nominal)
    members: list[list[Peak]] = [[] for _ in centres]
    for peaks in variants:
        left = list(peaks)
        for at, peak in _pairs(centres, peaks):
            members[at].append(peak)
            left.remove(peak)
        for peak in left:
            centres.append(describe(peak.frequency))
            members.append([peak])
    found = [
        SpreadPeak(centre, tuple(same), at < apparent)
        for at, (centre, same) in enumerate(zip(centres, members, strict=True))
    ]
    return tuple(ordered(found, key=lambda peak: peak.nominal.frequency))


def _described(regulator: Branch, ladder: Sequence[Branch], frequency: float) -> Peak:
    return describe_peak(frequency=frequency, regulator=regulator, ladder=ladder)


def _pairs(centres: Sequence[Peak], peaks: Sequence[Peak]) -> list[tuple[int, Peak]]:
    """Which peak belongs to which centre: the nearest ones first, each at most once."""
    near = ordered(
        ((abs(np.log(peak.frequency / centre.frequency)).item(), at, place)
         for at, centre in enumerate(centres)
         for place, peak in enumerate(peaks)),
        key=lambda one: one, floor=TOLERANCE,
    )
    taken: dict[int, int] = {}
    for distance, at, place in near:
        if distance <= np.log(APART) and at not in taken.values() and place not in taken:
            taken[place] = at
    return [(at, peaks[place]) for place, at in taken.items()]


def rail_peaks(rail: RailTask, least: float = 0.0, most: float = np.inf) -> tuple[Peak, ...]:
    """The peaks of one rail from a frequency to another one [Hz], rising in frequency."""
    regulator, ladder = _branches(rail)
    count = int(np.ceil(POINTS_PER_DECADE * np.log10(rail.f_max / rail.f_min))) + 1
    grid = np.geomspace(rail.f_min, rail.f_max, count)
    first, last = np.searchsorted(grid, [least, most])
    grid = grid[max(first - 1, 0) : last + 1]  # a point beyond either end: the peaks are those of the whole grid
    if len(grid) < 2:
        return ()
    grid = with_sharp_places(regulator=regulator, ladder=ladder, grid=grid)
    places = peak_frequencies(regulator=regulator, ladder=ladder, grid=grid)
    return tuple(describe_peak(frequency=float(f), regulator=regulator, ladder=ladder)
                 for f in places if least <= f <= most)


def _branches(rail: RailTask) -> tuple[Branch, list[Branch]]:
    ladder = [
        Branch(step.esr, step.inductance, step.capacitance, step.count, shunt=True)
        if isinstance(step, Bank)
        else Branch(step.resistance, step.inductance)
        for step in rail.ladder
    ]
    return loop_circuit(rail), ladder
