# SPDX-License-Identifier: MIT
"""Exhibits as they stand in the page. A new kind of exhibit is one function here and its file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from pcbrules.reports.html import _bars, _board, _field, _series, _stackup
from pcbrules.reports.html._frame import PAPER
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import attribute
from pcbrules.results.exhibit import Bars, BoardDrawing, Exhibit, Field, NotShown, Series, Stackup, Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn exhibit: its key, title, picture, legend (style and name), note.

    ``wide`` ones take the whole width; ``low`` ones can, beside their legend.
    """

    key: str
    title: str
    picture: Markup
    legend: tuple[tuple[str, str], ...]
    note: str
    wide: bool = False
    low: bool = False


def figure(exhibit: Exhibit, shared: Shared) -> Figure:
    """An exhibit drawn, with the pieces that its picture shares with others."""
    picture, legend = _DRAWN[type(exhibit)](exhibit, shared)
    wide = isinstance(exhibit, Stackup | Table | BoardDrawing)
    low = isinstance(exhibit, Bars)
    paper = shared.canvas is PAPER
    more = _stackup.notes(exhibit, paper=paper) if isinstance(exhibit, Stackup) else ()
    note = "; ".join(filter(None, (exhibit.note, *more)))
    return Figure(exhibit.key, exhibit.title, Markup(picture), tuple(legend), note, wide, low)


def _series_of(exhibit: Series, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return _series.svg(exhibit, shared), _series.legend(exhibit)


def _bars_of(exhibit: Bars, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return _bars.svg(exhibit, shared), _bars.legend(exhibit)


def _field_of(exhibit: Field, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return _field.svg(exhibit, shared), ()


def _stackup_of(exhibit: Stackup, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return _stackup.svg(exhibit, paper=shared.canvas is PAPER), _stackup.legend(exhibit)


def _board_of(exhibit: BoardDrawing, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return _board.picture(exhibit, shared), _board.legend(exhibit)


def _table_of(exhibit: Table, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    heads = "".join(f"<th>{attribute(head)}</th>" for head in exhibit.heads)
    rows = "".join(f"<tr>{''.join(f'<td>{attribute(cell)}</td>' for cell in row)}</tr>" for row in exhibit.rows)
    return f'<table class="t"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>', ()


def _not_shown(exhibit: NotShown, shared: Shared) -> tuple[str, Iterable[tuple[str, str]]]:
    return f'<p class="none">? Not shown: {attribute(exhibit.reason)}</p>', ()


_DRAWN: dict[type, Callable[[Any, Shared], tuple[str, Iterable[tuple[str, str]]]]] = {
    Series: _series_of, Bars: _bars_of, Stackup: _stackup_of, Field: _field_of, Table: _table_of,
    BoardDrawing: _board_of, NotShown: _not_shown,
}
