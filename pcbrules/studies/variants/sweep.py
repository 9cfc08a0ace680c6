# SPDX-License-Identifier: MIT
"""The answer of a sweep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pcbrules.phrases import clip
from pcbrules.results.finding import Status
from pcbrules.results.plotting import draw_values
from pcbrules.results.tables import frame
from pcbrules.studies.variants.axes import Variant, VariedAxis
from pcbrules.studies.variants.judged import Deciding, ShownRule, Tried
from pcbrules.symbols import signs


@dataclass(frozen=True, slots=True)
class Sweep:
    """The answer of a sweep.

    Attributes
    ----------
    board, profile : str
    axes : tuple of VariedAxis
        What is varied: ``key`` and values.
    shown : tuple of ShownRule
        The rules that are shown.
    rows : tuple of (Variant, Tried)
        Every variant with its verdict and the finding that decides each shown rule; the last axis varies fastest.
    along : tuple of str
        What moves with what is varied.
    silent : tuple of str
        What was named to be shown and judged nothing in any variant.
    """

    board: str
    profile: str
    axes: tuple[VariedAxis, ...]
    shown: tuple[ShownRule, ...]
    rows: tuple[tuple[Variant, Tried], ...]
    along: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()

    def __repr__(self) -> str:
        count = ", ".join(f"{number} {word}" for word, number in Counter(one.verdict for _, one in self.rows).items())
        varied = ", ".join(f"{clip(one.key, 40)} {clip(one.values[0].text, 16)} to {clip(one.values[-1].text, 16)}"
                           for one in self.axes)
        return f"<sweep of {clip(self.board, 30)}: {clip(varied, 80)}; {clip(count, 60)}>"

    @property
    def exit_code(self) -> int:
        """0; 3 where a rule that is to be shown judged nothing."""
        return 3 if self.silent else 0

    def to_rows(self) -> list[dict[str, str | float | int | None]]:
        """Plain rows, one a variant, the last axis fastest.

        - the key of each axis: its value as in the board file, ``4.5 mil``; of plain numbers the number
        - ``KEY [UNIT]``: the same as a number, of an axis whose values have one unit: for sorting and drawing
        - ``verdict``, ``exit_code``, ``why``: of the variant
        - ``RULE status``, ``RULE severity``, ``RULE subject``: of the finding that decides each rule that is shown
        - ``RULE value``, ``RULE lo``, ``RULE hi``, ``RULE margin``: numbers in ``RULE unit``, that of the limit
        - ``RULE limit``: its text
        """
        return [_row(self, variant, one) for variant, one in self.rows]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a variant.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows())

    def plot(self, ax: Any = None, *, rule: str = "") -> Any:
        """Draw the value of a rule over the last axis of numbers, a line for every value of the others.

        The limit is a line, a variant that fails a cross, and the interval of a single line an area.

        Parameters
        ----------
        ax : Axes of matplotlib, optional
            Where to draw; a new figure if not given.
        rule : str
            As it was named to be shown: ``CHN001:links.up``; if not given the first.

        Returns
        -------
        Axes of matplotlib

        Raises
        ------
        ImportError
            If matplotlib is not installed: it is no part of pcbrules.
        ValueError
            No rule is shown, or this one has no number.
        """
        names = [one.name for one in self.shown]
        if not names:
            raise ValueError("plot() draws the value of a rule, and none is shown: sweep(..., show='CHN001')")
        if rule and rule not in names:
            raise ValueError(f"rule is one of {', '.join(names)}, not '{rule}'")
        return draw_values(ax=ax, **_curves(self, names.index(rule) if rule else 0))


def _curves(sweep: Sweep, number: int) -> dict[str, Any]:
    """What ``draw_values`` takes of one rule."""
    along = next((at for at in reversed(range(len(sweep.axes))) if sweep.axes[at].numeric), len(sweep.axes) - 1)
    axis = sweep.axes[along]
    places = {one.text: one.number if axis.numeric and one.number is not None else float(at)
              for at, one in enumerate(axis.values)}
    groups: dict[str, list[tuple[float, Deciding]]] = {}
    for variant, one in sweep.rows:
        found = one.deciding[number]
        if found is not None and found.measured is not None:
            others = [value.text for at, value in enumerate(variant.values) if at != along]
            groups.setdefault(", ".join(others), []).append((places[variant.values[along].text], found))
    shown = sweep.shown[number].name
    if not groups:
        raise ValueError(f"{shown} has no number in any variant")
    every = [found for mine in groups.values() for _, found in mine]
    spread = [(at, found.lo, found.hi) for at, found in next(iter(groups.values()))] if len(groups) == 1 else []
    return {
        "groups": [(name or "value", [(at, found.measured) for at, found in mine],
                    [(at, found.measured) for at, found in mine if found.status == Status.FAIL])
                   for name, mine in groups.items()],
        "limits": list(dict.fromkeys(found.limit for found in every if found.limit is not None)),
        "spread": spread if all(low is not None and high is not None for _, low, high in spread)
                  and any(low != high for _, low, high in spread) else [],
        "title": f"{sweep.board} under {sweep.profile}: {shown}",
        "x": f"{axis.key} [{signs(axis.unit)}]" if axis.unit else axis.key,
        "y": f"value of {shown} [{signs(every[0].unit) or '-'}]",
        "words": () if axis.numeric else [one.text for one in axis.values],
    }


def _row(sweep: Sweep, variant: Variant, one: Tried) -> dict[str, str | float | int | None]:
    row: dict[str, str | float | int | None] = {}
    for axis, value in zip(sweep.axes, variant.values, strict=True):
        row[axis.key] = value.value if axis.numeric and not axis.unit else value.text
        if axis.numeric and axis.unit:
            row[f"{axis.key} [{axis.unit}]"] = value.number
    row |= {"verdict": one.verdict, "exit_code": one.exit_code, "why": one.why}
    for shown, found in zip(sweep.shown, one.deciding, strict=True):
        name = shown.name
        row |= {
            f"{name} status": found.status if found else "",
            f"{name} severity": found.severity if found else "",
            f"{name} subject": found.subject if found else "",
            f"{name} value": found.measured if found else None,
            f"{name} lo": found.lo if found else None,
            f"{name} hi": found.hi if found else None,
            f"{name} margin": found.margin if found else None,
            f"{name} unit": found.unit if found else "",
            f"{name} limit": found.bound if found else "",
        }
    return row
