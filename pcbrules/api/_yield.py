# SPDX-License-Identifier: MIT
"""The yield of a board: its rules judged where fabrication and material are off, each as a check judges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from pcbrules import engine
from pcbrules.api._arguments import ProfileGiven, names, ruleset_of, severity_of
from pcbrules.api._edited import first_fault, judged
from pcbrules.api._loaded import BoardGiven, Loaded, read_board
from pcbrules.api._named_parts import refuse_unknown_parts
from pcbrules.api._profiles import in_class
from pcbrules.api._variants import shown_groups, shown_rules
from pcbrules.api._workers import workers
from pcbrules.arrays import Real
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.errors import InputError, Problem
from pcbrules.readers.board_yaml import read_file
from pcbrules.readers.numbers_in import numbers_in
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.gate import JUDGED
from pcbrules.results.profile import Ruleset
from pcbrules.studies.spread.board_yield import (
    COUPON_RULE,
    WORST,
    BoardYield,
    NumberKey,
    confidence,
    counts,
    is_tolerance,
    keyed,
    least_of_passive,
    met,
    moving,
    number_of,
    response,
    with_corners,
    worst_first,
    worst_points,
)
from pcbrules.studies.spread.factors import SpreadFactor, edited, factors_of, settled
from pcbrules.studies.spread.quadratic import SpreadSurface, axis_points, pair_points, pairs_that_matter, surface
from pcbrules.studies.spread.sampling import latin_hypercube
from pcbrules.ties import ordered

if TYPE_CHECKING:
    from concurrent.futures import Executor

BATCH = 2
"""Points that go to a process at once: both ends of a factor share what it does not move."""

CHECKS = 12
"""Samples that are solved exactly, to measure the error of the surrogates."""

PAIRS = 24
"""Products of two factors that are solved."""

MADE = ("CHN", "PDN", "SIG", "THM", "VIA")
"""Rules of the board as it is made; the others judge the drawing and the data of its materials."""

MOST = 1_000_000
"""Samples at most."""

MOST_EXACT = 20_000


@dataclass(frozen=True)
class SpreadSolver:
    """Solves a board where its factors stand at some points; a copy of it works in another process."""

    document: Document
    ruleset: Ruleset
    rules: tuple[str, ...]
    factors: tuple[SpreadFactor, ...]
    keys: tuple[NumberKey, ...]
    lenient: bool = False
    """True where a point that is no board has numbers that are none."""

    def __call__(self, batch: tuple[tuple[float, ...], ...]) -> list[list[float]]:
        """Return the numbers at each point, not-a-number where one is not evaluated."""
        return [self._solved(point) for point in batch]

    @one_blas_thread
    def _solved(self, point: tuple[float, ...]) -> list[float]:
        try:
            found = keyed(judged(edited(self.document, self.factors, point), self.ruleset, self.rules))
        except InputError as error:
            if self.lenient:
                return [float("nan")] * len(self.keys)
            off = ", ".join(f"{factor.name} {at:+.2f}" for factor, at in zip(self.factors, point, strict=True) if at)
            raise InputError([Problem("yield", 0, 0, "", "the board is none within its tolerances: at " + off[:150]
                                      + " standard deviations: " + first_fault(error))]) from None
        numbers = (response(found[key]) if key in found else None for key in self.keys)
        return [float("nan") if one is None else one for one in numbers]


def board_yield(
    board: BoardGiven,
    profile: ProfileGiven,
    *,
    samples: int = 10_000,
    seed: int = 1,
    show: Sequence[str] | str = (),
    fail_on: str = "error",
    exact: bool = False,
    checks: int = CHECKS,
    jobs: int = 1,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> BoardYield:
    """Share of the boards that pass, where heights, Dk, Df, widths, copper, drills and parts vary by their tolerances.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    samples : int
        Boards: points of a Latin hypercube.
    seed : int
        Of the points. The same seed gives the same answer.
    show : sequence of str
        Rules to judge: ``SIG001``, ``SIG001:links.up``; without any those of the board as it is made (CHN, PDN, SIG,
        THM, VIA).
    fail_on : str
        Least severity at which a fail fails the board.
    exact : bool
        Solve every sample; else quadratic surrogates, whose error is measured.
    checks : int
        Samples that are solved exactly to measure it.
    jobs : int
        Processes that solve. The answer is the same whatever their number.
    executor : Executor, optional
        Solves in place of those.
    watch : function, optional
        Is handed what is solved, and how much that is: a progress bar.

    Raises
    ------
    InputError
        Unknown profile or rule, a number of samples that is none, nothing that varies, or a point that is no board.
    """
    loaded, level = read_board(board, "board_yield"), severity_of(fail_on, "fail_on")
    ruleset = ruleset_of(profile)
    if seed < 0 or checks < 0:
        raise ValueError(f"seed and checks are not negative: {seed}, {checks}")
    limit = MOST_EXACT if exact else MOST
    if not 2 <= samples <= limit:
        raise InputError([Problem("--samples", 0, 0, "", "the number of samples is none", f"{samples}",
                                  f"2 to {limit}")])
    asked = names(show, "show")
    named = shown_groups(asked or MADE, ruleset)
    shown = shown_rules(named)
    rules = tuple(dict.fromkeys(one.rule for one in shown))
    drawn = in_class(loaded.board, ruleset)
    factors = factors_of(drawn, numbers_in(read_file(loaded.document), ()))
    if not factors:
        raise InputError([Problem("yield", 0, 0, "", "nothing of the board varies", fix="describe its stackup")])
    refuse_unknown_parts("--show", shown, loaded, ruleset)
    document = settled(loaded.document, drawn, factors)
    nominal = {key: one for key, one in keyed(judged(document, ruleset, rules)).items()
               if not is_tolerance(one) and any(part.holds(one) for part in shown)}
    keys = tuple(key for key, one in nominal.items() if response(one) is not None)
    solver = SpreadSolver(document, ruleset, rules, factors, keys)
    with workers(jobs if executor is None else 1) as pool:
        def solve(points: Real) -> Real:
            if not keys:
                return np.zeros((len(points), 0))
            return _solved(solver, points, executor or pool, watch)

        middle = np.array([response(nominal[key]) for key in keys], dtype=float)
        along = solve(axis_points(len(factors)))
        known = [at for at in range(len(keys)) if np.isfinite(along[:, at]).all()]
        vary = [known[at] for at in moving(nominal, along[:, known].min(axis=0, initial=np.inf),
                                           along[:, known].max(axis=0, initial=-np.inf), [keys[at] for at in known])]
        pairs = () if exact else pairs_that_matter(middle[vary], along[:, vary], PAIRS)
        both = solve(pair_points(pairs, len(factors))) if pairs else np.zeros((0, len(keys)))
        points = latin_hypercube(samples, len(factors), seed)
        checks = checks if keys else 0
        tried = points if exact and keys else latin_hypercube(checks, len(factors), seed + 1) if checks else points[:0]
        solved = solve(tried) if len(tried) else np.zeros((0, len(keys)))
        whole = [at for at in vary if np.isfinite(both[:, at]).all() and np.isfinite(solved[:, at]).all()]
        fitted = surface(middle[whole], along[:, whole], pairs, both[:, whole])
        values = solved[:, whole] if exact else fitted.at(points)
        for at, of in enumerate(whole):
            known_at = [middle[of], *along[:, of], *both[:, of], *solved[:, of]]
            least = least_of_passive(nominal[keys[of]], known_at)
            if least is not None:
                values[:, at] = np.maximum(values[:, at], least)
        apart = None if exact or not len(tried) else np.abs(fitted.at(tried) - solved[:, whole])
        errors = [None if apart is None else (float(np.sqrt(np.mean(apart[:, at]**2))), float(apart[:, at].max()))
                  for at in range(len(whole))]

        def corners(asked: list[int]) -> Real:
            return _corners(solver, [keys[whole[at]] for at in asked], fitted.slope[asked], executor or pool)

        boards = 1 + (len(along) + len(both) + len(solved) if keys else 0)
        return _answer(
            loaded, ruleset, nominal, [keys[at] for at in whole], fitted, values, errors, factors, corners,
            Asked(samples, seed, level, exact, len(tried), boards),
            open_=[keys[at] for at in range(len(keys)) if at not in known or (at in vary and at not in whole)],
            silent=[text for text, mine in named.items() if asked and not any(
                it.status in JUDGED and rule.holds(it) for it in nominal.values() for rule in mine)])


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, and how many boards were solved for it."""

    samples: int
    seed: int
    fail_on: Severity
    exact: bool
    checks: int
    solved: int


def _answer(
    loaded: Loaded, ruleset: Ruleset, nominal: dict[NumberKey, Finding], keys: list[NumberKey],
    fitted: SpreadSurface, values: Real, errors: list[tuple[float, float] | None], factors: tuple[SpreadFactor, ...],
    corners: Callable[[list[int]], Real], asked: Asked, open_: list[NumberKey], silent: list[str],
) -> BoardYield:
    """Statistics of all numbers, and the joint yield."""
    found = [nominal[key] for key in keys]
    control = loaded.board.declared_fabrication.impedance_control if loaded.board.declared_fabrication else None
    coupon = float(control.tolerance.value) if control is not None and control.coupon else None
    shipped = np.ones(asked.samples, dtype=bool)
    for at, one in enumerate(found):
        if coupon is not None and one.rule == COUPON_RULE and one.offset is not None:
            shipped &= np.abs(values[:, at]) <= coupon
    moved = set(keys) | set(open_)
    rest = {key: one for key, one in nominal.items() if key not in moved}
    always = [one for one in rest.values() if one.status is Status.FAIL and counts(one, asked.fail_on)]

    def passing(side: float) -> int:
        good = shipped.copy() if not always else np.zeros_like(shipped)
        for at, one in enumerate(found):
            if counts(one, asked.fail_on):
                error = errors[at]
                good &= met(one, values[:, at], side * (error[0] if error else 0.0))
        return int(good.sum())

    count = passing(0.0)
    numbers = [number_of(one, values[:, at], fitted, at, errors[at], factors, shipped)
               for at, one in enumerate(found)]
    ranked = ordered(range(len(found)),
                     key=lambda at: (not counts(found[at], asked.fail_on), *worst_first(numbers[at])))
    for at, pair in zip(ranked[:WORST], corners(ranked[:WORST]), strict=True):
        numbers[at] = with_corners(numbers[at], found[at], pair.tolist())
    open_names = [f"{rule} {subject}" for rule, subject, _ in open_]
    open_names += [f"{one.rule} {one.subject}" for one in rest.values()
                   if one.status is Status.NOT_EVALUATED and counts(one, asked.fail_on)]
    return BoardYield(
        board=loaded.name, profile=ruleset.name, samples=asked.samples, seed=asked.seed, exact=asked.exact,
        checks=asked.checks, solved=asked.solved, fail_on=asked.fail_on, factors=factors,
        numbers=tuple(numbers[at] for at in ranked),
        still=sum(response(one) is not None for one in rest.values()),
        always=tuple(f"{one.rule} {one.subject}" for one in always), open=tuple(open_names), silent=tuple(silent),
        judged=sum(counts(one, asked.fail_on) for one in (*found, *rest.values()) if response(one) is not None),
        coupon=coupon,
        shipped=int(shipped.sum()), passing=count, between=confidence(count, asked.samples),
        modelled=(passing(1.0) / asked.samples, passing(-1.0) / asked.samples),
    )


def _solved(solver: SpreadSolver, points: Real, pool: Executor | None, watch: engine.Watch | None) -> Real:
    """Numbers at points, in their order."""
    rows = [tuple(row) for row in points.tolist()]
    batches = list(_batches(rows))
    each: Callable[..., Iterable[list[list[float]]]] = pool.map if pool else map
    found: Iterable[list[float]] = (one for batch in each(solver, batches) for one in batch)
    return np.array(list(watch(found, len(rows)) if watch else found), dtype=float).reshape(len(rows), len(solver.keys))


def _corners(
    solver: SpreadSolver, keys: list[NumberKey], slopes: Real, pool: Executor | None
) -> Real:
    """Numbers with all factors at their tolerances, the two ways; each by its rule alone. Shape (numbers, 2)."""
    one_each = [replace(solver, rules=(key[0],), keys=(key,), lenient=True) for key in keys]
    points = [tuple(tuple(row) for row in worst_points(slope).tolist()) for slope in slopes]
    each: Callable[..., Iterable[list[list[float]]]] = pool.map if pool else map
    found = list(each(_solved_by, one_each, points))
    return np.array(found, dtype=float).reshape(len(keys), 2)


def _solved_by(solver: SpreadSolver, points: tuple[tuple[float, ...], ...]) -> list[list[float]]:
    return solver(points)


def _batches(rows: list[tuple[float, ...]]) -> Iterator[tuple[tuple[float, ...], ...]]:
    rest = iter(rows)
    while batch := tuple(islice(rest, BATCH)):
        yield batch
