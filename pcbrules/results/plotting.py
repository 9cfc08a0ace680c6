# SPDX-License-Identifier: MIT
"""Answers drawn by matplotlib, where that is installed: onto axes of the caller, or onto a figure of their own."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from math import ceil, floor
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pcbrules.results.exhibit import Axis, Bars, CurveMark, Series

COLOURS = ("#0b6bcb", "#c9510c", "#1a7f37", "#8250df", "#bf3989", "#6e7781")
"""Of curves that are compared in one picture, in their order."""

LIMIT, FORBIDDEN, SPREAD, BAND, INK = "#b42318", "#f4c7c3", "#bfdbfe", "#eef1f4", "#57606a"
STYLES: dict[str, dict[str, Any]] = {
    "main": {"linewidth": 1.6},
    "second": {"linewidth": 1.4, "linestyle": "-."},
    "bare": {"linewidth": 1.2, "linestyle": "--"},
    "limit": {"linewidth": 1.6, "color": LIMIT},
    "reference": {"linewidth": 1.1, "linestyle": ":", "color": INK},
}
"""How curves of an exhibit are drawn, by their style."""

SQUEEZED = 0.04
"""Width of a part that is drawn short, over that of all others [-]."""

SIZE = (7.2, 4.2)
"""Of a figure. [in]"""


def axes_for(ax: Any, size: tuple[float, float] = SIZE) -> Any:
    """Return the axes to draw on: those that are given, else those of a new figure.

    Raises
    ------
    ImportError
        If none are given and matplotlib is not installed: it is no part of pcbrules.
    TypeError
        If what is given cannot be drawn on.
    """
    if ax is not None:
        if not hasattr(ax, "fill_between"):
            raise TypeError(f"plot() takes axes of matplotlib as `ax`, not {clip_kind(ax)}")
        return ax
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError:
        raise ImportError("plot() needs matplotlib, not installed here: run `pip install '.[plot]'` in the checkout, "
                          "or take to_rows() or pcbrules.render()") from None
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def clip_kind(given: Any) -> str:
    """``a list``: what somebody handed over."""
    name = type(given).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def drawn(picture: Series | Bars, ax: Any, label: str) -> Any:
    """Draw an exhibit; return the axes. Bars have no label."""
    from pcbrules.results.exhibit import Bars

    return draw_bars(picture, ax) if isinstance(picture, Bars) else draw_series(picture, ax, label)


def draw_series(series: Series, ax: Any = None, label: str = "") -> Any:
    """Draw curves, limits, masks and marks; return the axes.

    On axes that hold a picture already the curves get the next colour, and limits that are there are not drawn twice.
    """
    ax = axes_for(ax)
    first = not ax.has_data()
    there = set(ax.get_legend_handles_labels()[1])
    number = sum(line.get_gid() == "pcbrules" for line in ax.get_lines())
    name = f"{label}: " if label else ""
    for band in series.bands:
        if band.name not in there:
            ax.axvspan(band.low, band.high, color=BAND, zorder=0, label=band.name)
    for spread in series.spreads:
        forbidden = spread.kind == "forbidden"
        said = spread.name if forbidden else name + spread.name
        if said not in there:
            ax.fill_between(spread.x, spread.low, spread.high, label=said, linewidth=0, zorder=1,
                            color=FORBIDDEN if forbidden else SPREAD if first else COLOURS[number % len(COLOURS)],
                            alpha=1.0 if first else 0.15)
    for curve in series.curves:
        own = curve.style in ("main", "second", "bare")
        said = name + curve.name if own else curve.name
        if own or said not in there:
            colour = COLOURS[(number + (curve.style == "second" and first)) % len(COLOURS)]
            ax.plot(curve.x, curve.y, label=said, gid="pcbrules" if curve.style == "main" else None, zorder=3,
                    **{"color": colour} | STYLES[curve.style])
    for mark in series.marks:
        _mark(mark, series, ax, there, name, first=first)
    if first:
        ax.set_title(f"{series.subject}: {series.title}")
        beyond = [f"beyond the picture: {mark.name}" for mark in series.marks
                  if mark.kind == "notch" and not series.x.low <= mark.x <= series.x.high]
        said = "; ".join(text for text in (series.note, *beyond) if text)
        ax.set_xlabel("\n".join([f"{series.x.title} [{series.x.unit}]", *wrap(said, 95)]))
        ax.set_ylabel(f"{series.y.title} [{series.y.unit}]")
        ax.grid(visible=True, color="#e3e7eb", linewidth=0.8)
        ax.set_axisbelow(True)
    for of, axis, (low, high) in (("x", series.x, ax.get_xlim()), ("y", series.y, ax.get_ylim())):
        if axis.log and first:
            getattr(ax, f"set_{of}scale")("log")
        ends = (axis.low, axis.high) if first else (min(low, axis.low), max(high, axis.high))
        getattr(ax, f"set_{of}lim")(*ends)
    if first and series.x.squeezed:
        _squeeze(series.x, ax)
    ax.legend(fontsize="small", framealpha=0.9)
    return ax


def _squeeze(axis: Axis, ax: Any) -> None:
    """Draw the parts of an axis along which nothing happens short, as the report does."""
    numpy = import_module("numpy")
    places = sorted({axis.low, axis.high, *(end for part in axis.squeezed for end in part)})
    whole = sum(high - low for low, high in pairwise(places) if (low, high) not in axis.squeezed)
    widths = [SQUEEZED * whole if part in axis.squeezed else part[1] - part[0] for part in pairwise(places)]
    drawn = [sum(widths[:number]) for number in range(len(places))]
    ax.set_xscale("function", functions=(lambda x: numpy.interp(x, places, drawn),
                                         lambda x: numpy.interp(x, drawn, places)))
    ax.set_xlim(axis.low, axis.high)
    ax.set_xticks([tick for part in pairwise(places) if part not in axis.squeezed for tick in _ticks(*part)
                   if tick not in [low for low, _ in axis.squeezed]])
    ax.xaxis.set_major_formatter("{x:g}")
    for number, part in enumerate(axis.squeezed):
        ax.axvspan(*part, color="#d0d7de", zorder=4, label=None if number else "level, drawn short")


def _ticks(low: float, high: float) -> list[float]:
    """Round places of a part of an axis, at most six."""
    least = (high - low) / 5
    step = next(size for power in range(-3, 10) for size in (10.0**power, 2 * 10.0**power, 5 * 10.0**power)
                if size >= least)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]


def _mark(mark: CurveMark, series: Series, ax: Any, there: set[str], name: str, *, first: bool) -> None:
    """A bound as a line up to its place, a resonance as a line, any other place by its name."""
    inside = series.x.low <= mark.x <= series.x.high
    if mark.kind == "limit" and mark.y is not None:
        if mark.name not in there:
            ax.plot([series.x.low, mark.x], [mark.y, mark.y], color=LIMIT, linewidth=1.6, marker="|", markevery=[1],
                    label=mark.name, zorder=4)
    elif mark.kind == "notch" and inside:
        ax.axvline(mark.x, color=INK, linestyle=":", label=name + mark.name)
    elif inside and first:
        if mark.y is None:
            ax.axvline(mark.x, color=INK, linewidth=0.8, zorder=2)
            ax.annotate(mark.name, (mark.x, 0.02), xycoords=("data", "axes fraction"), rotation=90, fontsize="small",
                        ha="right", va="bottom", color=INK)
        else:
            ax.plot([mark.x], [mark.y], marker="o", markersize=4, color=INK, linestyle="none", zorder=5)
            late = 2 * mark.x > series.x.low + series.x.high
            ax.annotate(mark.name, (mark.x, mark.y), xytext=(-5 if late else 5, 5), textcoords="offset points",
                        ha="right" if late else "left", fontsize="small", color=INK)


def draw_bars(bars: Bars, ax: Any = None) -> Any:
    """Draw stacked bars with their limit; return the axes."""
    ax = axes_for(ax, (SIZE[0], 1.4 + 0.3 * len(bars.bars)))
    names = [bar.name for bar in bars.bars]
    for number, kind in enumerate(bars.kinds):
        sizes = [dict(bar.parts).get(kind, 0.0) for bar in bars.bars]
        if any(sizes):
            before = [sum(size for part, size in bar.parts if part in bars.kinds[:number] and size > 0)
                      for bar in bars.bars]
            ax.barh(names, sizes, left=[start if size > 0 else 0.0 for start, size in zip(before, sizes, strict=True)],
                    label=kind, color=[*COLOURS, "#9a6700", "#0a7c86", "#d0a215", "#8c959f"][number % 10])
    if bars.limit is not None:
        ax.axvline(bars.limit, color=LIMIT, linewidth=1.6, label=f"{bars.limit_name} {bars.limit:.3g} {bars.unit}")
    ax.invert_yaxis()
    ax.set_title(f"{bars.subject}: {bars.title}")
    ax.set_xlabel(f"loss [{bars.unit}]")
    ax.legend(fontsize="small", framealpha=0.9)
    return ax


def draw_values(
    groups: Sequence[tuple[str, Sequence[tuple[float, float]], Sequence[tuple[float, float]]]], ax: Any, *,
    limits: Sequence[float], spread: Sequence[tuple[float, float, float]] = (), title: str, x: str, y: str,
    words: Sequence[str] = (),
) -> Any:
    """Draw values over an axis, one line a group; return the axes.

    Parameters
    ----------
    groups : sequence of (name, points, failed points)
    ax : Axes of matplotlib, or None
    limits : sequence of float
        Level lines.
    spread : sequence of (x, low, high)
        Interval of a single group.
    title, x, y : str
    words : sequence of str
        Names of the places 0, 1, 2 and so on along x, where it has no numbers.
    """
    ax = axes_for(ax)
    if spread and words:
        value = dict(groups[0][1])
        ax.errorbar([at for at, _, _ in spread], [value[at] for at, _, _ in spread], linestyle="none", capsize=4,
                    color=COLOURS[0], label="interval", yerr=[[value[at] - low for at, low, _ in spread],
                                                              [high - value[at] for at, _, high in spread]])
    elif spread:
        at, low, high = zip(*spread, strict=True)
        ax.fill_between(at, low, high, color=SPREAD, linewidth=0, label="interval")
    for number, (name, points, _) in enumerate(groups):
        ax.plot([at for at, _ in points], [value for _, value in points], marker="o", markersize=4,
                linestyle=":" if words else "-", color=COLOURS[number % len(COLOURS)], label=name)
    failed = [point for _, _, mine in groups for point in mine]
    if failed:
        ax.plot([at for at, _ in failed], [value for _, value in failed], marker="x", markersize=8, linestyle="none",
                color=LIMIT, label="fails", zorder=5)
    for number, bound in enumerate(limits):
        ax.axhline(bound, color=LIMIT, linewidth=1.6, label="limit" if number == 0 else None)
    if words:
        ax.set_xticks(range(len(words)), labels=list(words))
        ax.set_xlim(-0.5, len(words) - 0.5)
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(visible=True, color="#e3e7eb", linewidth=0.8)
    ax.legend(fontsize="small", framealpha=0.9)
    return ax


MARGIN_COLOURS = {
    "fail (error)": "#b42318", "fail (warning)": "#d97706", "fail (advice)": "#6e7781", "marginal": "#e3b341",
    "waived": "#8c959f", "pass": "#1a7f37",
}
"""Of margins: those of fails by their severity, the others by their status."""


def draw_margins(rows: Sequence[tuple[str, str, float, float, float]], ax: Any, title: str) -> Any:
    """Draw margins over their limits as bars, the first on top; return the axes.

    Parameters
    ----------
    rows : sequence of (name, kind, margin, lowest, highest)
        Margins in percent of the limit; ``kind`` is a key of ``MARGIN_COLOURS``.
    ax : Axes of matplotlib, or None
    title : str
    """
    ax = axes_for(ax, (8.2, 1.4 + 0.26 * len(rows)))
    for kind, colour in MARGIN_COLOURS.items():
        mine = [(number, row) for number, row in enumerate(rows) if row[1] == kind]
        if mine:
            places, values = [number for number, _ in mine], [row[2] for _, row in mine]
            away = [[max(row[2] - row[3], 0.0) for _, row in mine], [max(row[4] - row[2], 0.0) for _, row in mine]]
            ax.barh(places, values, color=colour, height=0.7, label=kind, xerr=away,
                    error_kw={"elinewidth": 1.0, "ecolor": INK})
    low, high = _ends(rows)
    for number, (_, _, value, _, _) in enumerate(rows):
        if not low <= value <= high:  # longer than the picture
            ax.annotate(f"{value:.0f} %".replace("-", "−"), (low if value < low else high, number), fontsize="small",
                        xytext=(4 if value < low else -4, 0), textcoords="offset points", va="center",
                        ha="left" if value < low else "right", color="white")
    ax.axvline(0.0, color=LIMIT, linewidth=1.6, label="limit")
    ax.set_yticks(range(len(rows)), labels=[row[0] for row in rows], fontsize="small")
    ax.set_xlim(low, high)
    ax.invert_yaxis()
    ax.set_xlabel("margin [% of the limit]; the whisker is the interval")
    ax.set_title(title)
    ax.legend(fontsize="small", framealpha=0.9)
    return ax


def _ends(rows: Sequence[tuple[str, str, float, float, float]]) -> tuple[float, float]:
    """Ends of the axis of margins: 100 % at most on either side. [%]"""
    low = max(-100.0, min((value for row in rows for value in row[2:]), default=0.0) * 1.1)
    high = min(100.0, max((value for row in rows for value in row[2:]), default=0.0) * 1.1)
    return min(low, -5.0), max(high, 5.0)
