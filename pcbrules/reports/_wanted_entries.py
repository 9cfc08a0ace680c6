# SPDX-License-Identifier: MIT
"""Entries of a waiver file that would let a change through, ready to paste: a person adds reason, owner and date."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pcbrules.phrases import escape
from pcbrules.results.finding import Finding
from pcbrules.results.gate import weight
from pcbrules.results.report import Report

LEAD = ("If the change is meant: add this to the waiver file, with reason, owner and date, in a change of its own. "
        "Once that is merged, run this check again.")

SHOWN = 6
"""Entries that a text shows; the others are counted."""

_OPEN = ("reason:   # why it is meant", "owner:    # who reviewed it", "expires:  # last day, such as '2027-06-30'")
_PLAIN = re.compile(r"[A-Za-z_][\w.+/-]*")


def wanted_entries(report: Report) -> list[str]:
    """Return the lines of a waiver file that would cover what counts as lost, gone or relaxed; none if nothing does.

    The lines stay as they are written: a unit in another spelling would not be the change that was reviewed.
    """
    found: dict[str, list[list[str]]] = {"waivers": [], "acceptances": []}
    for one in report.findings:
        for entry in one.change.entries if one.change and _counts(one, report) else ():
            keys = [*entry.keys, *(() if entry.every_board else (("board", report.board),))]
            found[entry.section].append([f"{key}: {_scalar(text)}" for key, text in keys])
    lines: list[str] = []
    left = SHOWN
    for section, entries in found.items():
        lines += [f"{section}:"] if entries[:left] else []
        lines += [line for entry in entries[:left] for line in _entry(entry)]
        left -= len(entries[:left])
    more = sum(map(len, found.values())) - SHOWN
    return [*lines, f"# and {more} more: the report in full names their subjects"] if more > 0 else lines


def _counts(finding: Finding, report: Report) -> bool:
    return weight(finding, report.fail_on, report.allow_incomplete) > 0


def _entry(keys: list[str]) -> Iterator[str]:
    for start, line in zip(("- ", *["  "] * (len(keys) + len(_OPEN))), (*keys, *_OPEN), strict=False):
        yield start + line


def _scalar(text: str) -> str:
    """A text as YAML holds it on one line."""
    if _PLAIN.fullmatch(text) and text.lower() not in ("null", "true", "false", "yes", "no", "on", "off"):
        return text
    clean = escape(text)
    return json.dumps(text) if clean != text or "'" in text else f"'{text}'"
