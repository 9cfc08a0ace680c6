# SPDX-License-Identifier: MIT
"""Random cross-sections of every kind that a board has, in realistic ranges. The same seed gives the same section.

Drawn in micrometres to a tenth, so that two sides coincide or are a tenth apart at least.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from pcbrules.physics.lines.cross_section.section import Polygon, Section

MICRON = 1e-6
WIDTH, THICKNESS, HEIGHT, GAP, DK, MASK = (60, 400), (10, 70), (40, 400), (60, 500), (2.8, 5.0), (10, 40)
"""Ranges [um], and of permittivities [-]."""

Outline = list[tuple[float, float]]
Filling = tuple[Outline, float]


def section(kind: str, seed: int) -> Section:
    """The section of a kind that belongs to a seed."""
    return KINDS[kind](Random(f"{kind} {seed}"))


# Parts


def _um(rng: Random, limits: tuple[float, float]) -> float:
    return round(rng.uniform(*limits), 1)


def _dk(rng: Random) -> float:
    return round(rng.uniform(*DK), 2)


def _thickness(rng: Random, *heights: float) -> float:
    """Thickness of copper that leaves a third of the lowest height at least."""
    return _um(rng, (THICKNESS[0], min(THICKNESS[1], 0.6 * min(heights))))


def _row(rng: Random, count: int, *, alike: bool = True) -> tuple[list[float], list[float]]:
    """Feet of ``count`` traces from left to right: middles and widths; pairs of one width stand in equal gaps."""
    widths = [_um(rng, WIDTH)] * count if alike else [_um(rng, WIDTH) for _ in range(count)]
    gaps = [_um(rng, GAP)] * (count - 1) if alike and count == 2 else [_um(rng, GAP) for _ in range(count - 1)]
    middles, x = [], 0.0
    for width, gap in zip(widths, [*gaps, 0.0], strict=True):
        middles.append(x + width / 2)
        x += width + gap
    shift = x / 2 if count <= 2 else 0.0
    return [middle - shift for middle in middles], widths


def _trapezoid(middle: float, low: float, high: float, y: float, t: float) -> Outline:
    """Width ``low`` at ``y``, ``high`` at ``y + t``."""
    return [(middle - low / 2, y), (middle + low / 2, y), (middle + high / 2, y + t), (middle - high / 2, y + t)]


def _etched(rng: Random, width: float, t: float) -> float:
    """Narrow side of an etched trace: each flank leans by 5 to 45 % of the thickness, a third of the width at most."""
    return round(width - min(2 * t * rng.uniform(0.05, 0.45), width / 3), 1)


def _traces(
    rng: Random, middles: Sequence[float], widths: Sequence[float], y: float, t: float, shape: str = "any",
) -> list[Outline]:
    """Traces on a level, all etched alike: ``rectangle``, ``etched`` (narrow above), ``inverted`` or ``any``."""
    if shape == "any":
        shape = rng.choice(("rectangle", "etched", "inverted"))
    less = 0.0 if shape == "rectangle" else min(widths) - _etched(rng, min(widths), t)
    wide = [(width, width - less) for width in widths]
    return [
        _trapezoid(middle, *(pair if shape != "inverted" else pair[::-1]), y, t)
        for middle, pair in zip(middles, wide, strict=True)
    ]


def _layer(low: float, high: float) -> Outline:
    return [(-math.inf, low), (math.inf, low), (math.inf, high), (-math.inf, high)]


def _metres(outline: Outline) -> Polygon:
    return tuple((x * MICRON, y * MICRON) for x, y in outline)


def _section(
    signals: Sequence[Outline], fillings: Sequence[Filling], *, top: float | None, grounds: Sequence[Outline] = (),
) -> Section:
    return Section(
        signals=tuple(map(_metres, signals)),
        grounds=tuple(map(_metres, grounds)),
        dielectrics=tuple((_metres(outline), dk) for outline, dk in fillings),
        lower=0.0,
        upper=None if top is None else top * MICRON,
    )


def _mask(rng: Random, feet: Sequence[tuple[float, float]], y: float, t: float) -> Outline:
    """Solder mask over traces with ``feet`` (left, right): level on the laminate, a step over each trace.

    Where two steps would leave less than 10 um between them, the mask goes on at its upper level.
    """
    above, aside = _um(rng, MASK), _um(rng, (10, 30))
    level = round(y + min(_um(rng, MASK), t + above - 5), 1)
    top = round(y + t + above, 1)
    steps: list[list[float]] = []
    for left, right in sorted(feet):
        if steps and left - aside < steps[-1][1] + 10:
            steps[-1][1] = right + aside
        else:
            steps.append([left - aside, right + aside])
    outline = [(-math.inf, y), (math.inf, y), (math.inf, level)]
    for left, right in reversed(steps):
        outline += [(right, level), (right, top), (left, top), (left, level)]
    return [*outline, (-math.inf, level)]


def _feet(outlines: Sequence[Outline]) -> list[tuple[float, float]]:
    return [(min(x for x, _ in outline), max(x for x, _ in outline)) for outline in outlines]


def _shuffled(rng: Random, outlines: Sequence[Outline]) -> list[Outline]:
    return rng.sample(outlines, len(outlines))


# Between two planes


def _stripline(
    rng: Random, count: int, *, shape: str = "rectangle", plies: int = 1, offset: bool = False, alike: bool = True,
) -> Section:
    """Traces in the upper of two layers; ``plies`` 1: one permittivity, 2: one a layer, 3: two layers above."""
    below = _um(rng, HEIGHT)
    ratio = rng.uniform(2, 5) if offset else rng.uniform(0.7, 1.5)
    t = _thickness(rng, below, ratio * below)
    above = round(t + below * ratio, 1)
    top = round(below + above, 1)
    lower = _dk(rng)
    upper = lower if plies == 1 else _dk(rng)
    fillings = [(_layer(0, below), lower), (_layer(below, top), upper)]
    if plies == 3:
        fillings.append((_layer(round(below + t + (above - t) * rng.uniform(0.2, 0.8), 1), top), _dk(rng)))
    middles, widths = _row(rng, count, alike=alike)
    return _section(_shuffled(rng, _traces(rng, middles, widths, below, t, shape)), fillings, top=top)


def _resin(rng: Random) -> Section:
    """A layer of resin, as high as the copper, between core and prepreg."""
    below, above = _um(rng, HEIGHT), _um(rng, HEIGHT)
    t = _thickness(rng, below, above)
    foot = round(below + t, 1)
    top = round(foot + above, 1)
    middles, widths = _row(rng, 2)
    fillings = [(_layer(0, below), _dk(rng)), (_layer(below, top), _dk(rng)),
                (_layer(below, foot), round(rng.uniform(2.6, 3.4), 2))]
    return _section(_traces(rng, middles, widths, below, t), fillings, top=top)


def _two_levels(rng: Random, lower: int, upper: int, *, shift: float) -> Section:
    """Traces on two levels: feet down on the lower core, feet up on the upper one; one layer between."""
    first, between, last = _um(rng, HEIGHT), _um(rng, HEIGHT), _um(rng, HEIGHT)
    t = _thickness(rng, first, between / 2, last)
    low_foot, high_foot = first, round(first + between + 2 * t, 1)
    top = round(high_foot + last, 1)
    fillings = [(_layer(0, top), _dk(rng)), (_layer(first, high_foot), _dk(rng)), (_layer(high_foot, top), _dk(rng))]
    middles, widths = _row(rng, lower)
    below = _traces(rng, middles, widths, low_foot, t, "etched")
    middles, widths = _row(rng, upper)
    moved = [round(middle + shift, 1) for middle in middles]
    above = _traces(rng, moved, widths, round(high_foot - t, 1), t, "inverted")
    return _section(_shuffled(rng, below + above), fillings, top=top)


def _strips(rng: Random) -> Section:
    """Strips of no thickness on the border of two layers."""
    below, above = _um(rng, HEIGHT), _um(rng, HEIGHT)
    top = round(below + above, 1)
    middles, widths = _row(rng, rng.choice((1, 2, 3)), alike=False)
    strips = [[(middle - width / 2, below), (middle + width / 2, below)]
              for middle, width in zip(middles, widths, strict=True)]
    return _section(strips, [(_layer(0, below), _dk(rng)), (_layer(below, top), _dk(rng))], top=top)


# Over one plane


def _microstrip(rng: Random, count: int, *, masked: bool = False, alike: bool = True) -> Section:
    height = _um(rng, HEIGHT)
    t = _um(rng, THICKNESS)
    middles, widths = _row(rng, count, alike=alike)
    traces = _traces(rng, middles, widths, height, t, rng.choice(("rectangle", "etched")))
    fillings = [(_layer(0, height), _dk(rng))]
    if masked:
        fillings.append((_mask(rng, _feet(traces), height, t), round(rng.uniform(3.0, 4.2), 2)))
    return _section(_shuffled(rng, traces), fillings, top=None)


def _filled(rng: Random) -> Section:
    """A masked pair whose mask fills the gap between the traces up to its upper level."""
    height, t = _um(rng, HEIGHT), _um(rng, THICKNESS)
    width, gap = _um(rng, WIDTH), _um(rng, (60, 200))
    middles = [-(width + gap) / 2, (width + gap) / 2]
    traces = _traces(rng, middles, [width, width], height, t, rng.choice(("rectangle", "etched")))
    feet = _feet(traces)
    mask = _mask(rng, [(feet[0][0], feet[1][1])], height, t)
    return _section(traces, [(_layer(0, height), _dk(rng)), (mask, round(rng.uniform(3.0, 4.2), 2))], top=None)


def _embedded(rng: Random) -> Section:
    height, t = _um(rng, HEIGHT), _um(rng, THICKNESS)
    cover = round(height + t + _um(rng, (10, 200)), 1)
    middles, widths = _row(rng, rng.choice((1, 2)))
    fillings = [(_layer(0, height), _dk(rng)), (_layer(height, cover), _dk(rng))]
    return _section(_traces(rng, middles, widths, height, t), fillings, top=None)


# With grounds beside


def _guards(rng: Random, traces: Sequence[Outline], y: float, t: float) -> list[Outline]:
    """A grounded trace on each side."""
    feet = _feet(traces)
    found = []
    for side, edge in ((-1, feet[0][0]), (1, feet[-1][1])):
        width, gap = _um(rng, (150, 1000)), _um(rng, (60, 300))
        found.append(_trapezoid(edge + side * (gap + width / 2), width, _etched(rng, width, t), y, t))
    return found


def _coplanar(rng: Random, *, masked: bool) -> Section:
    height, t = _um(rng, HEIGHT), _um(rng, THICKNESS)
    middles, widths = _row(rng, rng.choice((1, 2)))
    traces = _traces(rng, middles, widths, height, t, "etched")
    guards = _guards(rng, traces, height, t)
    fillings = [(_layer(0, height), _dk(rng))]
    if masked:
        fillings.append((_mask(rng, _feet([*traces, *guards]), height, t), round(rng.uniform(3.0, 4.2), 2)))
    return _section(traces, fillings, top=None, grounds=guards)


def _coplanar_stripline(rng: Random) -> Section:
    below, above = _um(rng, HEIGHT), _um(rng, HEIGHT)
    t = _thickness(rng, below, above)
    top = round(below + t + above, 1)
    middles, widths = _row(rng, rng.choice((1, 2)))
    traces = _traces(rng, middles, widths, below, t)
    fillings = [(_layer(0, below), _dk(rng)), (_layer(below, top), _dk(rng))]
    return _section(traces, fillings, top=top, grounds=_guards(rng, traces, below, t))


KINDS: dict[str, Callable[[Random], Section]] = {
    "stripline": lambda rng: _stripline(rng, 1),
    "stripline pair": lambda rng: _stripline(rng, 2),
    "stripline pair, trapezoids": lambda rng: _stripline(rng, 2, shape="etched"),
    "stripline pair, wide side up": lambda rng: _stripline(rng, 2, shape="inverted"),
    "stripline pair, two Dk": lambda rng: _stripline(rng, 2, shape="any", plies=2),
    "stripline pair, three plies": lambda rng: _stripline(rng, 2, shape="any", plies=3),
    "stripline, off centre": lambda rng: _stripline(rng, rng.choice((1, 2)), shape="any", plies=2, offset=True),
    "stripline pair, resin at trace level": _resin,
    "stripline pair, two widths": lambda rng: _stripline(rng, 2, shape="any", plies=2, alike=False),
    "strips of no thickness": _strips,
    "dual stripline": lambda rng: _two_levels(rng, 2, 2, shift=_um(rng, (-500, 500))),
    "broadside pair": lambda rng: _two_levels(rng, 1, 1, shift=rng.choice((0.0, _um(rng, (-50, 50))))),
    "microstrip": lambda rng: _microstrip(rng, 1),
    "microstrip pair": lambda rng: _microstrip(rng, 2),
    "microstrip pair, two widths": lambda rng: _microstrip(rng, 2, alike=False, masked=rng.random() < 0.5),
    "microstrip, masked": lambda rng: _microstrip(rng, 1, masked=True),
    "microstrip pair, masked": lambda rng: _microstrip(rng, 2, masked=True),
    "microstrip pair, mask fills the gap": _filled,
    "embedded microstrip": _embedded,
    "coplanar over a plane": lambda rng: _coplanar(rng, masked=False),
    "coplanar over a plane, masked": lambda rng: _coplanar(rng, masked=True),
    "coplanar between planes": _coplanar_stripline,
    "four conductors between planes": lambda rng: _stripline(rng, 4, shape="any", plies=2, alike=False),
    "four conductors over a plane": lambda rng: _microstrip(rng, 4, masked=rng.random() < 0.5, alike=False),
    "eight conductors between planes": lambda rng: _stripline(rng, 8, shape="any", plies=2, alike=False),
    "eight conductors over a plane": lambda rng: _microstrip(rng, 8, masked=rng.random() < 0.3, alike=False),
}
"""Makers of each kind."""
