# SPDX-License-Identifier: MIT
"""What `--waivers` and `--today` say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.dates import read_date
from pcbrules.errors import clip

if TYPE_CHECKING:
    from pcbrules.api import Permitted


def permitted_by(waiver_file: str | None, today: str | None) -> Permitted:
    """Read the waiver file, if there is one. Raises InputError and UsageError."""
    from pcbrules.api import permitted

    if today is not None and read_date(today) is None:
        raise click.UsageError(f"--today takes YYYY-MM-DD, not '{clip(today, 40)}'.")
    return permitted(None if waiver_file is None else Path(waiver_file), today)
