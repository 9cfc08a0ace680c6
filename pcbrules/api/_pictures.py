# SPDX-License-Identifier: MIT
"""What a report draws of one link or rail, for a program that asks for one picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pcbrules.analysis.common.sold import ends_of_what_is_sold
from pcbrules.api._arguments import ProfileGiven, ruleset_of
from pcbrules.api._judging import judge
from pcbrules.api._profiles import in_class
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import show_path
from pcbrules.engine import conditions_of
from pcbrules.errors import InputError, Problem, quoted
from pcbrules.phrases import Path
from pcbrules.reports._spoken import spoken_picture
from pcbrules.results.exhibit import Bars, Exhibit, NotShown, Series
from pcbrules.studies.exhibits import Scene, channels, rails, rails_over_time, scene_limits

if TYPE_CHECKING:
    from pcbrules.api._loaded import Loaded

LinkPicture = Literal["loss", "return_loss", "ledger", "tdr"]
RailPicture = Literal["impedance", "step", "release"]

Maker = Callable[[Scene], Iterator[Exhibit]]

LINKS: dict[str, tuple[str, tuple[str, ...], Maker]] = {
    "loss": ("loss", ("CHN001",), channels.exhibits),
    "return_loss": ("echo", (), channels.exhibits),
    "ledger": ("ledger", ("CHN001",), channels.exhibits),
    "tdr": ("tdr", (), channels.exhibits),
}
"""Of each picture the end of its key, the rules of which it draws limits, and who makes it."""

RAILS: dict[str, tuple[str, tuple[str, ...], Maker]] = {
    "impedance": ("z", ("PDN001",), rails.exhibits),
    "step": ("droop", ("PDN005",), rails_over_time.exhibits),
    "release": ("release", ("PDN005",), rails_over_time.exhibits),
}
"""The same of a rail."""


FINE = 1 / 4000
"""Distance by which a curve may be off, over the height of its picture: smooth when a reader zooms in."""

ABSENT = {
    "return_loss": "its standard has no mask of the return loss; network() has the curve",
    "step": "no load step is declared for it",
    "release": "no load step is declared for it",
}
"""Why there is no picture where nothing is missing in the board file; of another one the link is single-ended."""


@one_blas_thread
def picture(loaded: Loaded, profile: ProfileGiven, place: Path, what: str) -> Series | Bars:
    """Return a picture of a link or a rail, as a report of the board draws it.

    Raises
    ------
    InputError
        Unknown profile, or a picture that cannot be made: the message says why.
    ValueError
        Where there is no picture of this name.
    """
    known = LINKS if place[0] == "links" else RAILS
    if not isinstance(what, str) or what not in known:
        raise ValueError(f"what is one of {', '.join(known)}, not {quoted(what)}")
    end, rules, maker = known[what]
    ruleset = ruleset_of(profile)
    asked = frozenset([str(place[1])]) if known is LINKS else loaded.board.asked
    board = replace(loaded.board, asked=asked)
    found = judge(replace(loaded, board=board), ruleset, [one for one in rules if one in ruleset.rules], fixes=False)
    solved, _ = ends_of_what_is_sold(in_class(board, ruleset))
    subject = show_path(place)
    scene = Scene(solved, conditions_of(ruleset), scene_limits(found), fine=FINE)
    made = [one for one in maker(scene) if one.subject == subject]
    for one in made:
        if one.key == f"{subject}:{end}" and isinstance(one, Series | Bars):
            return spoken_picture(one)
    why = next((one.reason for one in made if isinstance(one, NotShown)), "")
    why = why or ABSENT.get(what, "only differential links have one")
    raise InputError([Problem(*loaded.document.place(place), subject, f"there is no picture of its {what}", found=why)])
