# SPDX-License-Identifier: MIT
"""A sweep for readers (a table), for spreadsheets (CSV, Parquet) and for programs (JSON)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from pcbrules.errors import clip
from pcbrules.reports._text import WORD
from pcbrules.results.finding import Status
from pcbrules.studies.pages import document, page, total, wrapped
from pcbrules.studies.texts import nine
from pcbrules.studies.variants.axes import VariedAxis
from pcbrules.studies.variants.judged import REFUSED, Deciding, Tried
from pcbrules.studies.variants.sweep import Sweep

NAMED = 200
"""Places of an axis that the text counts; more are told as so many."""

WIDEST = 28
"""Columns of a value of an axis."""


def console(found: Sweep) -> str:
    """What is varied, and a line a variant: its values, the verdict, and of each rule the number that decides."""
    return page(_console(found))


def _console(found: Sweep) -> Iterator[str]:
    yield from wrapped(f"{found.board} under profile {found.profile}: {_variants(len(found.rows))}", 0)
    for number, axis in enumerate(found.axes):
        places = f", {len(axis.places)} places" if len(axis.places) > 1 else ""
        yield from wrapped(f"{_letter(number)} = {axis.key}{places}: {_span(axis)}")
    if found.along:
        yield from wrapped(f"moves along: {', '.join(found.along)}")
    for shown, subjects, bounds in _bounds(found):
        limit = f", limit {bounds}" if bounds else ""
        yield from wrapped(f"{shown}: {subjects} decides{limit}" if subjects else
                           f"{shown}: judges nothing on this board")
    yield ""
    yield from _table(found)
    if len(found.axes) == 1:
        yield ""
        yield from wrapped(_where(found, "exit code 0", [one.exit_code == 0 for _, one in found.rows]), 0)
        for number, rule in enumerate(found.shown):
            mine = [one.deciding[number] for _, one in found.rows]
            passed = [one is not None and one.status == Status.PASS for one in mine]
            yield from wrapped(_where(found, f"{rule.name} passes", passed), 0)
    yield ""
    counts = Counter(one.verdict for _, one in found.rows)
    nothing = f"nothing judged by {', '.join(found.silent)}" if found.silent else ""
    yield from wrapped(total(found.exit_code, *(f"{count} {verdict}" for verdict, count in counts.items()), nothing), 0)


def _variants(count: int) -> str:
    return f"{count} variant{'s' if count > 1 else ''}"


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"A{number}"


def _span(axis: VariedAxis) -> str:
    texts = [one.text for one in axis.values]
    if len(texts) <= 4:
        return clip(", ".join(texts), NAMED)
    return clip(f"{texts[0]} to {texts[-1]}, {len(texts)} values", NAMED)


def _bounds(found: Sweep) -> Iterator[tuple[str, str, str]]:
    """Of each rule that is shown the subjects and limits that its deciding findings have, each once."""
    for number, shown in enumerate(found.shown):
        deciding = [one.deciding[number] for _, one in found.rows]
        bounds = dict.fromkeys(one.bound for one in deciding if one is not None)
        subjects = tuple(dict.fromkeys(one.subject for one in deciding if one is not None))
        more = f" or one of {len(subjects) - 1} more" if len(subjects) > 2 else ""
        yield shown.name, " or ".join(subjects[: 1 if more else 2]) + more, "; ".join(filter(None, bounds))


def _table(found: Sweep) -> Iterator[str]:
    names = [_letter(number) for number in range(len(found.axes))]
    heads = [*names, "verdict", *(shown.rule for shown in found.shown)]
    rows = [[*(clip(value.text, WIDEST) for value in variant.values), one.verdict, *_cells(one)]
            for variant, one in found.rows]
    widths = [max(len(row[at]) for row in (heads, *rows) if at < len(row)) for at in range(len(heads))]
    for row, (_, one) in zip([heads, *rows], [(None, None), *found.rows], strict=True):
        cells = [text.ljust(width) if at <= len(names) else text.rjust(width)
                 for at, (text, width) in enumerate(zip(row, widths, strict=False))]
        why = f"  {clip(one.why, 120)}" if one is not None and one.why else ""
        yield f"    {'  '.join(cells)}{why}".rstrip()


def _cells(one: Tried) -> list[str]:
    if one.verdict == REFUSED:
        return []
    return [_cell(found) for found in one.deciding]


def _cell(found: Deciding | None) -> str:
    if found is None:
        return "-"
    number = found.text.partition(" (")[0]
    word = WORD[Status(found.status)]
    return f"{number} {word}" if number and found.status != Status.NOT_EVALUATED else word


def _where(found: Sweep, what: str, held: Sequence[bool]) -> str:
    """At which values of the one axis something holds."""
    runs: list[str] = []
    for good, group in groupby(zip(found.rows, held, strict=True), key=lambda one: one[1]):
        values = [variant.values[0].text for (variant, _), _ in group]
        if good:
            runs.append(values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}")
    if all(held):
        return f"{what} at any of the {len(held)} values"
    return f"{what} at {', '.join(runs)}" if runs else f"{what} at none of the {len(held)} values"


def csv_text(found: Sweep) -> str:
    """One row a variant with the columns of ``Sweep.to_rows``; numbers in the unit of the limit."""
    rows = found.to_rows()
    stream = io.StringIO()
    writer = csv.DictWriter(stream, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    return stream.getvalue()


def harmless(value: str | float | int | None) -> str | float | int | None:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def parquet(found: Sweep) -> bytes:
    """The same as a Parquet file. Raises ImportError where pyarrow is not installed: it is no part of pcbrules."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet as files
    except ImportError:
        raise ImportError("a Parquet file needs pyarrow, not installed here: install it, or write .csv") from None
    stream = io.BytesIO()
    files.write_table(arrow.Table.from_pylist(found.to_rows()), stream)
    return stream.getvalue()


def json_text(found: Sweep) -> str:
    """The same as JSON, ``schemas/sweep.schema.json``; numbers in the unit of the limit."""
    return document(found.board, found.profile, {
        "exit_code": found.exit_code,
        "axes": [{"key": axis.key, "places": len(axis.places), "unit": axis.unit,
                  "values": [one.text for one in axis.values]} for axis in found.axes],
        "moves_along": list(found.along),
        "rules": [{"rule": shown.rule, "part": shown.part} for shown in found.shown],
        "variants": [
            {"values": [value.text for value in variant.values], "verdict": one.verdict, "exit_code": one.exit_code,
             "counts": one.counts, "why": one.why, "rules": _trees(one.deciding)}
            for variant, one in found.rows
        ],
    })


def _trees(deciding: Sequence[Deciding | None]) -> list[dict[str, Any] | None]:
    return [None if one is None else {
        "status": one.status, "severity": one.severity, "subject": one.subject, "measured": _nine(one.measured),
        "lo": _nine(one.lo), "hi": _nine(one.hi), "limit": _nine(one.limit), "margin": _nine(one.margin),
        "unit": one.unit, "limit_text": one.bound,
    } for one in deciding]


def _nine(value: float | None) -> float | None:
    return None if value is None else nine(value)
