# SPDX-License-Identifier: MIT
"""Real boards that nobody here wrote: a folder beside the checkout, which need not be there.

``PCBRULES_REAL`` names it, else it is ``../shared/real`` beside the checkout. Its ``facts.csv`` says what an
independent parse found in the files.
"""

from __future__ import annotations

import csv
import os
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def folder() -> Path | None:
    """The folder with the files; None where there is none."""
    named = os.environ.get("PCBRULES_REAL")
    places = [Path(named)] if named else [parent / "shared" / "real" for parent in ROOT.parents]
    return next((place for place in places if (place / "facts.csv").is_file()), None)


@cache
def facts(kind: str) -> dict[str, dict[str, str]]:
    """What is known of each file of a kind, by its path in the folder; empty without the folder."""
    found: dict[str, dict[str, str]] = {}
    place = folder()
    if place is not None:
        with (place / "facts.csv").open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if row["kind"] == kind:
                    found.setdefault(f"{kind}/{row['repo']}/{row['path']}", {})[row["key"]] = row["value"]
    return found
