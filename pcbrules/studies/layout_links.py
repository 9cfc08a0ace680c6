# SPDX-License-Identifier: MIT
"""The links that someone wants of a layout: ``NAME=STANDARD:NET``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths
from pcbrules.layout.layout import Layout
from pcbrules.layout.routes import NoRoute
from pcbrules.library.figures import candidates, listed
from pcbrules.library.shelf import find
from pcbrules.spelling import same_name
from pcbrules.studies.layout_board import LinkWish

WISH = re.compile(
    r"(?P<name>[A-Za-z0-9]([A-Za-z0-9_.+-]{0,62}[A-Za-z0-9_+-])?)=(?P<standard>[^:]+):(?P<net>.+)", re.DOTALL)


def paths_of(layout: Layout, wishes: Sequence[str]) -> list[tuple[LinkWish, DrawnPath]]:
    """The path of each wanted link.

    Raises
    ------
    InputError
        A wish that is none, a net that belongs to no pair, a name twice, a pair without a path: all of them at once.
    """
    found: list[tuple[LinkWish, DrawnPath]] = []
    problems: list[Problem] = []
    paths = DrawnPaths(layout)
    pairs = {net: pair for pair in layout.pairs for net in (pair.p, pair.n)}
    for text in wishes:
        wish = WISH.fullmatch(text)
        if wish is None:
            problems.append(_problem(layout, "no link can be read from this", text, "NAME=STANDARD:NET",
                                     "for example up=pcie3:PCIe_TX_P"))
            continue
        if find("links", wish["standard"]) is None:
            known = candidates("links", wish["standard"])
            problems.append(_problem(layout, "the library has no such standard", wish["standard"], "a link standard",
                                     f"did you mean {listed('links', known)}?" if known
                                     else "`pcbrules library links` lists them"))
            continue
        pair = pairs.get(wish["net"])
        if pair is None:
            near = same_name(wish["net"], pairs)
            problems.append(_problem(layout, "no pair of the layout has this net", wish["net"],
                                     "one of the two nets of a pair",
                                     f"did you mean {near}?" if near else "`pcbrules layout` lists the pairs"))
            continue
        path = paths.of(pair)
        if isinstance(path, NoRoute):
            problems.append(_problem(layout, f"the pair has no path from part to part: {path.reason}", wish["net"],
                                     "two nets of two pads each, joined by tracks and vias", "write this link by hand"))
        elif any(one.name == wish["name"] for one, _ in found):
            problems.append(_problem(layout, "two links have this name", wish["name"], "a name of its own", ""))
        else:
            found.append((LinkWish(wish["name"], wish["standard"]), path))
    if problems:
        raise InputError(problems)
    return found


def _problem(layout: Layout, message: str, found: str, expected: str, fix: str) -> Problem:
    return Problem(layout.file, 0, 0, "--link", message, found=quoted(found), expected=expected, fix=fix)
