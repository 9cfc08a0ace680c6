# SPDX-License-Identifier: MIT
"""The fabrication of a board: its order, and what the fabricator returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pcbrules.api._arguments import ruleset_of
from pcbrules.api._judging import check
from pcbrules.api._loaded import Loaded, read_board, resolve
from pcbrules.api._options import Options
from pcbrules.api._profiles import in_class
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.model.board import Board
from pcbrules.results.finding import Severity
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import Report

if TYPE_CHECKING:
    from pcbrules.readers.returned.records import ReturnedFile
    from pcbrules.studies.fab.order import FabOrder
    from pcbrules.studies.fab.rejudged import FabComparison


@one_blas_thread
def fab_order(loaded: Loaded) -> FabOrder:
    """All that the board file holds for its fabricator. Raises InputError for a board without a stackup."""
    from pcbrules.studies.fab.place_order import place_order

    loaded = read_board(loaded, "fab_order")
    return place_order(loaded.board, loaded.document)


@one_blas_thread
def fab_returned(
    loaded: Loaded, profile: str | Ruleset, files: Sequence[ReturnedFile], fail_on: Severity = Severity.ERROR
) -> FabComparison:
    """What a fabricator returns, compared with what was ordered, and the board judged again on it.

    Parameters
    ----------
    loaded : Loaded
        The board that was ordered.
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    files : sequence of ReturnedFile
        As `pcbrules.readers.returned.file.read_returned` reads them.
    fail_on : Severity
        Least severity at which a fail counts.

    Raises
    ------
    InputError
        Unknown profile, layers that do not pair, or returned figures that make no board.
    """
    from pcbrules.studies.fab.rejudged import rejudged

    loaded = read_board(loaded, "fab_returned")
    ruleset = ruleset_of(profile)

    def judged(document: Document) -> Report:
        board = loaded.board if document is loaded.document else resolve(document).board
        made = replace(loaded, document=document, board=board)
        return check(made, ruleset, Options(fail_on=fail_on), fixes=False)

    def resolved(document: Document) -> Board:
        return in_class(resolve(document).board, ruleset)

    board = in_class(loaded.board, ruleset)
    return rejudged(loaded.document, board, files, resolved, judged, fail_on)
