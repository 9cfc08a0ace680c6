# SPDX-License-Identifier: MIT
"""An edited board file, judged as a check judges it: what studies of many variants share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pcbrules import engine
from pcbrules.api._profiles import in_class
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.finding import Finding
from pcbrules.results.place import Address, Location
from pcbrules.results.profile import Ruleset


def judged(
    document: Document, ruleset: Ruleset, rules: Iterable[str], *, links: Iterable[str] | None = None
) -> tuple[Finding, ...]:
    """Return the findings of some rules without solved fixes. Raises InputError where the document is no board.

    With links, those that look at links look at these alone.
    """
    def locate(address: Address) -> Location:
        return Location(*document.place(address))

    board, _ = board_of(document)
    if links is not None:
        board = replace(board, asked=frozenset(links))
    return engine.evaluate(in_class(board, ruleset), ruleset, locate, rules=rules, fixes=False)


def first_fault(error: InputError) -> str:
    """Return the first error of a document that is no board, with its key."""
    first = next((one for one in error.problems if one.level == "error"), error.problems[0])
    return f"{first.path}: {first.message}" if first.path else first.message
