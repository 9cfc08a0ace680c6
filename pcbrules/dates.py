# SPDX-License-Identifier: MIT
"""Dates as ISO 8601 writes them, `YYYY-MM-DD`, and what is wrong with other ones."""

from __future__ import annotations

import datetime as dt
import re

EXPECTED = "a day as YYYY-MM-DD"


def read_date(text: str) -> dt.date | None:
    """Return the day of the calendar that a text names; None where it names none."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def date_fault(text: str) -> tuple[str, str]:
    """Return what is wrong with a text that is no date, and how to write the day if it is plain which one is meant."""
    year_first = re.fullmatch(r"([0-9]{4})[-/.]?([0-9]{1,2})[-/.]?([0-9]{1,2})", text)
    day_first = re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", text)
    parts = year_first.groups() if year_first else day_first.groups()[::-1] if day_first else ()
    meant = "-".join(part.zfill(2) for part in parts)
    if not meant:
        return "must be a date", ""
    if read_date(meant) is None:
        return "there is no such day in the calendar", "check month and day"
    return "must be a date", f"write '{meant}'"
