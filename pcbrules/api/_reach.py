# SPDX-License-Identifier: MIT
"""How far each link reaches, on each layer, laminate and foil."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING

from pcbrules import engine
from pcbrules.api._arguments import ProfileGiven, names, ruleset_of
from pcbrules.api._edited import first_fault, judged
from pcbrules.api._loaded import BoardGiven, Loaded, read_board
from pcbrules.api._profiles import in_class, temperatures
from pcbrules.api._workers import workers
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document, show_path
from pcbrules.errors import InputError
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Trace
from pcbrules.model.stack import PLANE_ROLES
from pcbrules.phrases import within
from pcbrules.readers.board_yaml import board_of
from pcbrules.readers.extent_check import TO_AND_FRO
from pcbrules.results.coverage import cause
from pcbrules.results.finding import Finding, Severity, Status, worst_first
from pcbrules.results.profile import Ruleset
from pcbrules.rules import all_rules
from pcbrules.studies.names import known
from pcbrules.studies.variants.reach import (
    LONGEST,
    RULE,
    SHORTEST,
    OtherRules,
    ReachTable,
    RouteReach,
    Verdicts,
    keeps,
    longest,
    others_up_to,
)
from pcbrules.studies.variants.routes import (
    Route,
    RouteRefused,
    bare,
    longest_trace,
    moved,
    with_neighbours,
    with_trace,
)
from pcbrules.units import show

if TYPE_CHECKING:
    from concurrent.futures import Executor


BESIDE = frozenset({"SIG005", "SIG006"})
"""Rules of what stands beside a trace: on another route nobody knows it."""

UNKNOWN_BESIDE = "neighbours there are not known"
"""What they lack there."""


@dataclass(frozen=True)
class ReachSolver:
    """Solves routes of a board; a copy of it works in another process."""

    document: Document
    ruleset: Ruleset

    @one_blas_thread
    def __call__(self, route: Route) -> RouteReach:
        """The reach of one route."""
        board, _ = board_of(self.document)
        link = _named(board, route.link)
        found = longest_trace(link)
        today = found[2].length.value if found else 0.0
        answer = RouteReach(route, link.standard.name, link.standard.family, today)
        try:
            return self._solved(answer, board, link)
        except RouteRefused as error:
            return _without(answer, str(error))
        except InputError as error:
            return _without(answer, first_fault(error))

    def _solved(self, answer: RouteReach, board: Board, link: BoardLink) -> RouteReach:
        size = board.size
        most = min(LONGEST, TO_AND_FRO * (size.width.value + size.height.value)) if size else LONGEST
        document, changed = moved(bare(self.document, board), board, link, answer.route)
        link = _named(board_of(document)[0], link.name)
        found = longest_trace(link)
        assert found is not None
        _, step, trace = found
        width = trace.width.value
        if changed:
            document, width = self._at_impedance(document, link, step, trace, answer.route.layer)

        def judge(length: float) -> Finding | None:
            return self._loss(with_trace(document, step, length=show(length, "mm", 9)), link)

        sought = longest(judge, trace.length.value, most)
        shown = sought.passed or sought.failed
        if shown is None or shown.measured is None or shown.limit is None:
            why = shown.message if shown else "its loss is not judged"
            return _without(answer, why, width)
        others = OtherRules()
        if sought.longest is not None and sought.longest > SHORTEST:
            whole = document if changed else with_neighbours(document, self.document, _named(board, link.name))
            hidden = BESIDE if changed else frozenset()
            others = others_up_to(partial(self._others, whole, step, link, hidden), answer.today, sought.longest)
            others = replace(others, lacks=tuple(dict.fromkeys(
                self._lacks(whole, step, link, hidden, others, sought.longest))))
        return RouteReach(answer.route, answer.standard, answer.family, answer.today, width, sought.longest,
                     sought.failed is None, shown.measured.value, shown.measured.hi, shown.limit.text,
                     "" if keeps(sought.passed) else "the loss without any length is beyond the budget", others)

    def _others(
        self, document: Document, step: PathStep, link: BoardLink, hidden: frozenset[str], length: float,
        rules: frozenset[str] | None,
    ) -> Verdicts:
        """The rules of a link, but that of the loss, that fail or are not evaluated at a length of a trace."""
        asked = [rule for rule in self.ruleset.rules if rule in (rules or _of_links()) - hidden and rule != RULE]
        longer = with_trace(document, step, length=show(length, "mm", 9))
        found = judged(longer, self.ruleset, asked, links=(link.name,))
        mine = [one for one in found if one.severity is not Severity.ADVICE and within(one.subject, link.subject)]
        fails, open_ = (frozenset(one.rule for one in mine if one.status is status)
                        for status in (Status.FAIL, Status.NOT_EVALUATED))
        return fails, open_ | hidden

    def _lacks(
        self, document: Document, step: PathStep, link: BoardLink, hidden: frozenset[str], others: OtherRules,
        most: float,
    ) -> Iterator[tuple[str, str]]:
        """What each rule lacks that is not evaluated: where it is first so, else at the reach."""
        for length, rules in ((others.unjudged_at, others.unjudged), (most, others.left)):
            yield from ((rule, UNKNOWN_BESIDE) for rule in rules if rule in hidden)
            asked = [rule for rule in rules if rule not in hidden]
            if length is None or not asked:
                continue
            longer = with_trace(document, step, length=show(length, "mm", 9))
            for one in judged(longer, self.ruleset, asked, links=(link.name,)):
                if one.status is Status.NOT_EVALUATED and within(one.subject, link.subject):
                    yield one.rule, cause(one)

    def _at_impedance(
        self, document: Document, link: BoardLink, step: PathStep, trace: Trace, layer: str
    ) -> tuple[Document, float]:
        """The width that has the link's impedance on its new layer, at the gap that was drawn."""
        from pcbrules.studies.design import WantedTrace, design

        public = link.standard.impedance
        target = link.spec.impedance.value if link.spec.impedance else public.value.value if public else None
        if target is None:
            raise RouteRefused("the impedance of the link is not known")
        board, _ = board_of(document)
        cold, hot = temperatures(self.ruleset)
        pair = trace.gap is not None
        wanted = WantedTrace(layer=layer, impedance=target, pair=pair, gap=trace.gap.value if trace.gap else None,
                             coplanar=trace.coplanar.gap.value if trace.coplanar else None)
        made = design(in_class(board, self.ruleset), wanted, cold=cold, hot=hot)
        if not made.candidates:
            raise RouteRefused(made.why or f"no width on {layer} has {show(target, 'ohm', 4)} at this gap")
        width = made.candidates[0].width
        return with_trace(document, step, width=show(width, "um", 6)), width

    def _loss(self, document: Document, link: BoardLink) -> Finding | None:
        """The finding of the board's loss of a link."""
        found = judged(document, self.ruleset, (RULE,), links=(link.name,))
        mine = [one for one in found if one.rule == RULE and one.subject == link.subject]
        return worst_first(mine)[0] if mine else None


def reach(
    board: BoardGiven,
    profile: ProfileGiven,
    *,
    links: Sequence[str] = (),
    layers: Sequence[str] = (),
    laminates: Sequence[str] = (),
    foils: Sequence[str] = (),
    jobs: int = 1,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> ReachTable:
    """The longest route of every link whose loss keeps its budget (CHN001), hot and at the worst end of its interval.

    On another layer, laminate or foil than it is drawn, its longest trace has the width that gives the link's
    impedance at the drawn gap. Up to the reach the other rules of the link are judged too, crosstalk where the trace
    stays as it is drawn: what stands beside it elsewhere nobody knows.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    links : sequence of str
        Links to look at; all without any.
    layers : sequence of str
        Signal layers to try; without any the one that the link runs on. ``*`` stands for all.
    laminates, foils : sequence of str
        Laminates to try around the layer, foils to try on it; the board's own if none is named.
    jobs : int
        Processes that solve.
    executor : Executor, optional
        Solves in place of them.
    watch : function, optional
        Is handed the answers as they come, and their number.

    Raises
    ------
    InputError
        Unknown profile, link, layer, laminate or foil.
    """
    loaded = read_board(board, "reach")
    ruleset = ruleset_of(profile)
    for option, key, given in (("--laminate", "material", laminates), ("--foil", "foil", foils)):
        for name in names(given, key):
            _known_material(loaded, option, key, name)
    routes = tuple(_routes(loaded.board, *(names(given, what) for given, what in (
        (links, "links"), (layers, "layers"), (laminates, "laminates"), (foils, "foils")))))
    solver = ReachSolver(loaded.document, ruleset)
    with workers(jobs if executor is None else 1) as pool:
        used = executor or pool
        found = used.map(solver, routes) if used else map(solver, routes)
        return ReachTable(loaded.name, ruleset.name, tuple(watch(found, len(routes)) if watch else found))


@cache
def _of_links() -> frozenset[str]:
    """Rules that read links."""
    return frozenset(name for name, rule in all_rules().items()
                     if any(key.partition(".")[0] == "links" for key in rule.META.inputs))


def _named(board: Board, name: str) -> BoardLink:
    return next(one for one in board.links or () if one.name == name)


def _known_material(loaded: Loaded, option: str, key: str, name: str) -> None:
    """Raise InputError where a layer of the board does not take a material."""
    stack = loaded.board.stack
    layer = next(iter((stack.dielectrics if key == "material" else stack.coppers) if stack else ()), None)
    if layer is None:
        return
    try:
        board_of(loaded.document.edited(("stackup", layer.index, key), name))
    except InputError as error:
        mine = [one for one in error.problems if one.path == show_path(("stackup", layer.index, key))]
        if mine:
            raise InputError([replace(mine[0], file=option, line=0, column=0, path="")]) from None


def _routes(
    board: Board, links: Sequence[str], layers: Sequence[str], laminates: Sequence[str], foils: Sequence[str]
) -> Iterator[Route]:
    every = {one.name: one for one in board.links or ()}
    for name in links:
        known("--link", name, every, "link")
    coppers = board.stack.coppers if board.stack else ()
    signal = [one.name for one in coppers if one.spec.role not in PLANE_ROLES]
    chosen = signal if "*" in layers else list(layers)
    for layer in chosen:
        known("--layer", layer, signal, "signal layer")
    for name in links or every:
        found = longest_trace(every[name])
        own = [found[2].layer] if found else [""]
        for layer, laminate, foil in product(chosen or own, laminates or ("",), foils or ("",)):
            yield Route(name, layer, laminate, foil)


def _without(answer: RouteReach, why: str, width: float | None = None) -> RouteReach:
    return RouteReach(answer.route, answer.standard, answer.family, answer.today, width, why=why)
