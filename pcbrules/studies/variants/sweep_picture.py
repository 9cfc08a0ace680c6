# SPDX-License-Identifier: MIT
"""A sweep as a picture: along one axis a curve a rule with its limit, over two a map of margins or a curve a word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pcbrules.errors import InputError, Problem
from pcbrules.reports._levels import COLOURS, runs, span
from pcbrules.reports._plot import Curve, Panel, PlotArea, draw
from pcbrules.results.finding import Status
from pcbrules.studies.variants.axes import VariedAxis
from pcbrules.studies.variants.judged import Deciding
from pcbrules.studies.variants.sweep import Sweep

WIDTH = 520
"""Of a panel [px]."""

ROOM = 0.08
"""Part of the height that is left above and below the curves [-]."""

MOST_CURVES = 6
"""Words of which each has a curve of its own."""


def svg(found: Sweep) -> str:
    """Draw one panel a rule that is shown.

    Raises
    ------
    InputError
        No rule is shown, none has a number, there are more than two axes, or two without numbers.
    """
    if not found.shown:
        raise _fault("a picture shows the numbers of rules, and none is shown", "add --show, such as --show CHN001")
    if len(found.axes) > 2:
        raise _fault("a picture has one axis or two", "write a table: -o FILE.csv")
    panels = [panel for number in range(len(found.shown)) if (panel := _panel(found, number))]
    if not panels:
        raise _fault("no rule that is shown has a number on this board", "show another rule")
    return draw(panels, title=f"{found.board}: variants", width=WIDTH)


def _panel(found: Sweep, number: int) -> Panel | None:
    """The panel of a rule; None where it has no numbers."""
    deciding = [one.deciding[number] for _, one in found.rows]
    known = [one for one in deciding if one is not None and one.measured is not None]
    if not known:
        return None
    name, unit = found.shown[number].name, known[0].unit
    if len(found.axes) == 1:
        return _along(found.axes[0], {"": deciding}, name, unit)
    first, second = found.axes
    across = len(second.values)
    if first.numeric and second.numeric:
        return _map(first, second, [deciding[at:at + across] for at in range(0, len(deciding), across)], name, unit)
    if second.numeric:
        grouped = {one.text: deciding[at * across:(at + 1) * across] for at, one in enumerate(first.values)}
        return _along(second, grouped, name, unit)
    if first.numeric:
        return _along(first, {one.text: deciding[at::across] for at, one in enumerate(second.values)}, name, unit)
    raise _fault("two axes of words have no picture", "write a table: -o FILE.csv")


def _along(axis: VariedAxis, groups: dict[str, list[Deciding | None]], name: str, unit: str) -> Panel:
    """Measured values over an axis, each group a curve; of a single one with its interval; limits as lines."""
    if len(groups) > MOST_CURVES:
        raise _fault(f"more than {MOST_CURVES} curves in one picture", "take fewer words, or write a table")
    places = [one.number if axis.numeric and one.number is not None else float(at)
              for at, one in enumerate(axis.values)]
    curves: list[Curve] = []
    for at, (word, group) in enumerate(groups.items()):
        points = [(x, one) for x, one in zip(places, group, strict=True) if one and one.measured is not None]
        curves.append(_curve(word or "measured", points, "measured", at))
        if len(groups) == 1:
            curves += [_curve("interval", points, "lo", 5, dashed=True), _curve("", points, "hi", 5, dashed=True)]
        failed = [(x, one) for x, one in points if one.status == Status.FAIL]
        if failed:
            curves.append(_curve("fails" if at == 0 else "", failed, "measured", 1, marks=True))
    bounds = dict.fromkeys(one.limit for group in groups.values() for one in group
                           if one is not None and one.limit is not None)
    curves += [Curve("limit" if at == 0 else "", [places[0], places[-1]], [bound, bound], 1)
               for at, bound in enumerate(bounds)]
    curves = [curve for curve in curves if len(curve.x)]
    values = [y for curve in curves for y in curve.y]
    low, high = min(values), max(values)
    room = ROOM * (high - low) or 0.1 * abs(high) or 1.0
    ends = (places[0], places[-1]) if places[0] < places[-1] else (places[-1], places[0])
    if axis.numeric:
        return Panel(name, _titled(axis), unit or "-", ends, (low - room, high + room), curves)
    return Panel(name, "", unit or "-", (-0.5, len(places) - 0.5), (low - room, high + room), curves,
                 names=[one.text for one in axis.values])


def _curve(
    name: str, points: Sequence[tuple[float, Deciding]], key: str, colour: int, *, dashed: bool = False,
    marks: bool = False,
) -> Curve:
    known = [(x, y) for x, one in points if (y := getattr(one, key)) is not None]
    return Curve(name, [x for x, _ in known], [y for _, y in known], colour % 6, marks, dashed)


def _map(
    first: VariedAxis, second: VariedAxis, rows: Sequence[Sequence[Deciding | None]], name: str, unit: str
) -> Panel:
    """Margins over both axes, the first along x: a cell a variant, a mark where it fails."""
    xs, ys = ([one.number or 0.0 for one in axis.values] for axis in (first, second))
    margins = [[one.margin if (one := rows[x][y]) is not None else None for x in range(len(xs))]
               for y in range(len(ys))]
    low, high = span(margins)
    edges = _edges(xs), _edges(ys)
    areas = [PlotArea(colour, [(edges[0][start], edges[1][row], edges[0][start + count], edges[1][row + 1])
                               for row, start, count in level])
             for colour, level in zip(COLOURS, runs(margins, low, high), strict=True) if level]
    failed = [(xs[x], ys[y]) for x, row in enumerate(rows) for y, one in enumerate(row)
              if one is not None and one.status == Status.FAIL]
    marks = [Curve("fails", [x for x, _ in failed], [y for _, y in failed], 1, marks=True)] if failed else []
    open_ = [(xs[x], ys[y]) for x, row in enumerate(rows) for y, one in enumerate(row)
             if one is not None and one.status == Status.NOT_EVALUATED]
    marks += [Curve("not evaluated", [x for x, _ in open_], [y for _, y in open_], 5, marks=True)] if open_ else []
    title = f"{name}: margin {low:.3g} (dark) to {high:.3g} (light) {unit}".replace("-", "−").rstrip()
    return Panel(title, _titled(first), _titled(second), _ends(edges[0]), _ends(edges[1]), marks, areas=areas)


def _edges(places: Sequence[float]) -> list[float]:
    """Edges of the cells around even or uneven places."""
    if len(places) == 1:
        return [places[0] - 0.5, places[0] + 0.5]
    middles = [(a + b) / 2 for a, b in pairwise(places)]
    return [places[0] - (middles[0] - places[0]), *middles, places[-1] + (places[-1] - middles[-1])]


def _ends(edges: Sequence[float]) -> tuple[float, float]:
    return min(edges[0], edges[-1]), max(edges[0], edges[-1])


def _titled(axis: VariedAxis) -> str:
    return f"{axis.key} [{axis.unit}]" if axis.unit else axis.key


def _fault(message: str, fix: str) -> InputError:
    return InputError([Problem("-o", 0, 0, "", message, fix=fix)])
