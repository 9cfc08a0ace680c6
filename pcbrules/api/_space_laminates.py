# SPDX-License-Identifier: MIT
"""Which laminates a profile takes in some layers of a board: a design space to start from offers no other."""

from __future__ import annotations

from pcbrules.api._edited import judged
from pcbrules.api._search_space import edited
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.results.finding import Severity, Status
from pcbrules.results.profile import Ruleset
from pcbrules.studies.searching.space import PartTask
from pcbrules.studies.searching.space_text import Fits

CLASS = "MAT001"
"""The rule that says which laminates a link may have beside it."""


def laminate_fits(document: Document, ruleset: Ruleset) -> Fits:
    """Return a function from rows of the stackup and a laminate to whether the profile takes it there.

    Parameters
    ----------
    document : Document
        The board file.
    ruleset : Ruleset
        The profile.
    """
    before = _refused(document, ruleset)

    def fits(rows: tuple[int, ...], name: str) -> bool:
        task = PartTask(0, tuple((("stackup", row, "material"), name) for row in rows),
                        tuple(("stackup", row, "dk") for row in rows), (), ())
        try:
            return _refused(edited(document, task), ruleset) <= before
        except InputError:
            return False

    return fits


def _refused(document: Document, ruleset: Ruleset) -> frozenset[tuple[str, str]]:
    """Subject and message of every error of the rule, which names the laminate."""
    return frozenset((one.subject, one.message) for one in judged(document, ruleset, (CLASS,))
                     if one.status is Status.FAIL and one.severity is Severity.ERROR)
