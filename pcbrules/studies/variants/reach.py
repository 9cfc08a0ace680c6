# SPDX-License-Identifier: MIT
"""How long a route may be: the longest whose loss stays within its budget at the unfavourable end of the interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

from pcbrules.brief import brief
from pcbrules.constants import INCH
from pcbrules.phrases import clip
from pcbrules.results.finding import Finding, Status
from pcbrules.results.tables import frame
from pcbrules.studies.variants.routes import Route

RULE = "CHN001"
NEAR = 0.01 * INCH
"""How near to the exact reach the search ends [m]."""

SHORTEST, LONGEST = 0.1 * INCH, 80 * INCH
"""Lengths between which a reach is sought [m]: no board is longer."""

MOST = 40
"""Checks of one search at most: halving the range takes thirteen."""

RETIMED = frozenset({"pcie", "cxl", "usb", "displayport", "ethernet", "hdmi"})
"""Families of standards for which retimers are sold; practice."""


@dataclass(frozen=True, slots=True)
class OtherRules:
    """What the other rules of a link say of its lengths up to the reach of its loss.

    ``first`` are those that fail on the way there, and ``at`` is the length from which on [m]; None where none does.
    ``already`` fail at the reach and at the length ``start`` where the way begins [m], ``open`` are not evaluated at
    the reach. ``unjudged`` are the first that are no longer judged on the way, from the length ``unjudged_at`` on [m].
    ``lacks`` says of each rule that is not evaluated what it lacks.
    """

    first: tuple[str, ...] = ()
    at: float | None = None
    already: tuple[str, ...] = ()
    start: float = SHORTEST
    open: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    unjudged_at: float | None = None
    lacks: tuple[tuple[str, str], ...] = ()

    __repr__ = brief

    @property
    def left(self) -> tuple[str, ...]:
        """Those that are not evaluated at the reach, without ``unjudged``."""
        return tuple(rule for rule in self.open if rule not in self.unjudged)


@dataclass(frozen=True, slots=True)
class RouteReach:
    """The answer for one route.

    ``longest`` is the length of the longest trace at which the loss still keeps its budget, None where that is not
    known or no length does [m]; ``beyond`` is true where even the longest that was tried does. ``today`` is the length
    in the board file [m], ``width`` the trace's width there or for the impedance of the link [m]. ``why`` says why
    there is no reach. ``others`` is what the other rules of the link say up to the reach.
    """

    route: Route
    standard: str
    family: str
    today: float
    width: float | None = None
    longest: float | None = None
    beyond: bool = False
    loss: float | None = None
    high: float | None = None
    limit: str = ""
    why: str = ""
    others: OtherRules = OtherRules()

    __repr__ = brief

    @property
    def short(self) -> bool:
        """True where the link of the board file is longer than its reach."""
        return self.longest is not None and not self.beyond and self.today > self.longest

    def retimers(self) -> tuple[int, float, float] | None:
        """How many retimers let the link of today pass, and between which places the first stands [m].

        Each part has the budget of the whole link and all of its connectors and vias, which is more than a part has.
        None where it reaches, where nothing is sold, or where no part would pass.
        """
        if not self.short or not self.longest or self.family not in RETIMED:
            return None
        count = ceil(self.today / self.longest - 1e-9) - 1
        return count, max(self.today - count * self.longest, 0.0), self.longest


@dataclass(frozen=True, slots=True)
class ReachTable:
    """How far links reach, route by route: a sequence of ``RouteReach``.

    Attributes
    ----------
    board, profile : str
    routes : tuple of RouteReach
        One for every link, layer, laminate and foil, with ``longest``, ``today`` and ``width`` [m] and ``why`` there is
        no reach.
    """

    board: str
    profile: str
    routes: tuple[RouteReach, ...]

    def __repr__(self) -> str:
        short, known = sum(one.short for one in self.routes), sum(one.longest is not None for one in self.routes)
        return (f"<reach of {clip(self.board, 50)} under {clip(self.profile, 40)}: {len(self.routes)} routes, "
                f"{known} with a reach, {short} too short>")

    def __iter__(self) -> Iterator[RouteReach]:
        return iter(self.routes)

    def __len__(self) -> int:
        return len(self.routes)

    def __getitem__(self, at: int) -> RouteReach:
        return self.routes[at]

    @property
    def exit_code(self) -> int:
        """0; 1 where a link is longer than it reaches, 3 where none is but a reach is not known."""
        if any(one.short or (one.longest is None and one.loss is not None) for one in self.routes):
            return 1
        return 3 if not self.routes or any(one.longest is None for one in self.routes) else 0

    def to_rows(self) -> list[dict[str, str | float | bool | None]]:
        """Plain rows, one a route, with the names of the JSON form; lengths in metres, losses in dB."""
        return [
            {"link": one.route.link, "standard": one.standard, "layer": one.route.layer, "laminate": one.route.laminate,
             "foil": one.route.foil, "today_m": one.today, "width_m": one.width, "reach_m": one.longest,
             "beyond": one.beyond, "too_short": one.short, "loss_db": one.loss, "loss_high_db": one.high,
             "limit": one.limit, "why": one.why, "fails_first": ", ".join(one.others.first),
             "fails_first_m": one.others.at, "fails_already": ", ".join(one.others.already),
             "not_evaluated": ", ".join(one.others.open), "unjudged_first": ", ".join(one.others.unjudged),
             "unjudged_first_m": one.others.unjudged_at}
            for one in self.routes
        ]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a route.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows())


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search found: the longest length that passes [m], its finding, and that of the shortest that does not."""

    longest: float | None
    passed: Finding | None
    failed: Finding | None


def keeps(finding: Finding | None) -> bool:
    """True where the loss keeps its budget with its whole interval."""
    return (finding is not None and finding.status is Status.PASS and finding.measured is not None
            and finding.limit is not None and finding.limit.margin(finding.measured.hi) >= 0)


def longest(judge: Callable[[float], Finding | None], start: float, most: float = LONGEST) -> Sought:
    """Seek the longest length that keeps its budget, from 0.1 inch on, to 0.01 inch.

    Parameters
    ----------
    judge : function
        Length [m] → the finding of the loss at it.
    start : float
        Length at which the search begins [m].
    most : float
        Longest length that is tried [m].

    Returns
    -------
    Sought
        Without a length where the shortest does not keep it; the longest that is tried where that does.
    """
    low, high = SHORTEST, most
    passed, failed = judge(low), judge(high)
    if not keeps(passed):
        return Sought(None, None, passed)
    if keeps(failed):
        return Sought(high, failed, None)
    place = min(max(start, low + NEAR), high - NEAR)
    for turn in range(MOST):
        if high - low <= NEAR:
            break
        found = judge(place)
        if keeps(found):
            low, passed = place, found
        else:
            high, failed = place, found
        place = _next(low, high, passed, failed, turn)
    return Sought(low, passed, failed)


Verdicts = tuple[frozenset[str], frozenset[str]]
"""Rules that fail at a length, and those that are not evaluated."""


def others_up_to(
    judge: Callable[[float, frozenset[str] | None], Verdicts], today: float, most: float
) -> OtherRules:
    """Find which other rules fail at lengths up to the reach of the loss, and from which length on, to a hundredth.

    Parameters
    ----------
    judge : function
        Length [m] and rules, None for all, → those of them that fail, and those that are not evaluated.
    today : float
        Length in the board file, where the way begins; a tenth of an inch where that is beyond the reach [m].
    most : float
        The reach of the loss [m].
    """
    start = today if SHORTEST < today < most else SHORTEST
    (short, idle), (long, open_) = judge(start, None), judge(most, None)
    new = long - short
    changing = (new | open_) - short - idle

    def seek(low: float, high: float, rules: frozenset[str], *, judged: bool) -> tuple[float, Verdicts]:
        """The shortest length at which one of some rules fails, or is not evaluated where that counts too."""
        there = (long & rules, open_ & rules)
        while rules and high - low > max(NEAR, high / 100):
            place = (low + high) / 2
            fails, silent = (found & rules for found in judge(place, rules))
            if fails or (judged and silent):
                high, there = place, (fails, silent)
            else:
                low = place
        return high, there

    silent, at, end, first = idle & new, start, most, frozenset[str]()
    if not silent:
        at, (first, silent) = seek(start, most, changing, judged=True)
        first, silent, end = first & new, silent - first, at
    if not first:
        end, (first, _) = seek(at if silent else start, most, new, judged=False)
    return OtherRules(tuple(sorted(first)), end if new else None, tuple(sorted(long & short)), start,
                      tuple(sorted(open_)), tuple(sorted(silent)), at if silent else None)


def _next(low: float, high: float, passed: Finding | None, failed: Finding | None, turn: int) -> float:
    """Where to look next: a little to either side of where the line through both ends meets the limit.

    Where an end has no number, or the last turns were of no use, the middle.
    """
    left, right = _margin(passed), _margin(failed)
    middle = (low + high) / 2
    if left is None or right is None or right >= 0 or turn > MOST // 2:
        return middle
    meets = low + (high - low) * left / (left - right)
    aside = NEAR / 3
    above = (turn % 2 == 1) != (meets - low > high - meets)
    return min(max(meets + (aside if above else -aside), low + aside), high - aside)


def _margin(finding: Finding | None) -> float | None:
    if finding is None or finding.measured is None or finding.limit is None:
        return None
    return finding.limit.margin(finding.measured.hi)
