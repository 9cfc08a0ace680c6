# SPDX-License-Identifier: MIT
"""What `--waivers` and `--today` say."""

from __future__ import annotations

import datetime as dt
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pcbrules.dates import read_date
from pcbrules.errors import InputError, Problem, clip, quoted

if TYPE_CHECKING:
    from pcbrules.results.report import InputFile
    from pcbrules.waivers import Permission


@dataclass(frozen=True, slots=True)
class Permitted:
    """Entries of a waiver file, the file for the list of inputs, and the date at which they expire."""

    entries: tuple[Permission, ...] = ()
    file: InputFile | None = None
    today: dt.date | None = None


def permitted_by(waiver_file: str | None, today: str | None) -> Permitted:
    """Read the waiver file, if there is one. Raises InputError and UsageError."""
    if waiver_file is None:
        return Permitted(today=None if today is None else _day(today))
    from pcbrules.document import read_yaml
    from pcbrules.results.report import InputFile
    from pcbrules.waivers import read_waivers

    document = read_yaml(waiver_file)
    entries = read_waivers(document)
    return Permitted(entries, InputFile("waivers", document.file, document.sha256), _day(today))


def _day(text: str | None) -> dt.date:
    """Today as `--today`, SOURCE_DATE_EPOCH or the clock say, in this order."""
    if text is not None:
        read = read_date(text)
        if read is not None:
            return read
        raise click.UsageError(f"--today takes YYYY-MM-DD, not '{clip(text, 40)}'.")
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return dt.date.today()
    try:
        if re.fullmatch(r"\d{1,12}", epoch, re.ASCII):
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    except (ValueError, OverflowError, OSError):
        pass
    raise InputError([Problem("SOURCE_DATE_EPOCH", 0, 0, "", "is no number of seconds", quoted(epoch))])
