# SPDX-License-Identifier: MIT
"""Waivers and the day at which they expire, as a call or the command line gives them."""

from __future__ import annotations

import datetime as dt
import os
import re
from dataclasses import dataclass

from pcbrules.api._arguments import FileGiven, document_of, kind
from pcbrules.dates import EXPECTED, date_fault, read_date
from pcbrules.errors import InputError, Problem, quoted
from pcbrules.results.report import InputFile
from pcbrules.waivers import Permission, read_waivers


@dataclass(frozen=True, slots=True)
class Permitted:
    """Entries of a waiver file, the file for the list of inputs, and the date at which they expire."""

    entries: tuple[Permission, ...] = ()
    file: InputFile | None = None
    today: dt.date | None = None


def permitted(
    waivers: FileGiven | Permitted | None, today: dt.date | str | None, what: str = "waivers"
) -> Permitted:
    """Read the waivers, if there are any and they are not read yet.

    Raises
    ------
    InputError
        A faulty waiver file, or a text that is no date.
    TypeError
        An argument that is something else; ``what`` is its name.
    """
    if isinstance(waivers, Permitted):
        return waivers
    if waivers is None:
        return Permitted(today=None if today is None else day(today))
    document = document_of(waivers, what)
    entries = read_waivers(document)
    return Permitted(entries, InputFile("waivers", document.file, document.sha256), day(today))


def day(today: dt.date | str | None) -> dt.date:
    """Return the date that is given, else that of SOURCE_DATE_EPOCH, else that of the clock."""
    if isinstance(today, dt.datetime):
        return today.date()
    if isinstance(today, dt.date):
        return today
    if isinstance(today, str):
        read = read_date(today)
        if read is not None:
            return read
        message, fix = date_fault(today)
        raise InputError([Problem("today", 0, 0, "", message, quoted(today), EXPECTED, fix)])
    if today is not None:
        raise TypeError(f"today takes a datetime.date or a text such as '2026-03-31', not {kind(today)}")
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return dt.date.today()
    try:
        if re.fullmatch(r"\d{1,12}", epoch, re.ASCII):
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    except (ValueError, OverflowError, OSError):
        pass
    raise InputError([Problem("SOURCE_DATE_EPOCH", 0, 0, "", "is no number of seconds", quoted(epoch))])
