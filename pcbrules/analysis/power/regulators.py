# SPDX-License-Identifier: MIT
"""How far is each regulator from its load, and is it rated for it?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.interval import fixed, interval
from pcbrules.analysis.common.load_current import DrawnCurrent, peak_current, sustained_current
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail, Vrm
from pcbrules.phrases import under
from pcbrules.results.facts.power import VrmDistance, VrmRating
from pcbrules.results.measured import Basis, Measured, exact
from pcbrules.results.place import Address
from pcbrules.units import Quantity

PROVIDES = (VrmDistance, VrmRating)
KINDS = ("continuous", "peak", "over_current", "phase", "evidence")


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Distance and ratings of the regulator of every rail."""
    return per_rail(board, PROVIDES, partial(_regulator, board, conditions))


def _regulator(board: Board, conditions: Conditions, name: str, rail: Rail) -> Iterator[Item]:
    if rail.vrm is None:
        for fact in PROVIDES:
            missing = Missing("the regulator is not described", f"rails{under(name)}.vrm")
            yield rail_gap(board, name, rail, fact, [missing])
        return
    yield _distance(board, name, rail, rail.vrm)
    for kind in KINDS:
        yield _rating(board, conditions, name, rail, rail.vrm, kind)


def _distance(board: Board, name: str, rail: Rail, vrm: Vrm) -> Item:
    at = f"rails{under(name)}.vrm"
    places = [phase.distance for phase in vrm.phase_positions or ()] or ([vrm.distance] if vrm.distance else [])
    shares = [phase.share for phase in vrm.phase_positions or ()]
    furthest = max((place.value for place in places), default=0.0)
    reads: tuple[Address, ...] = (("rails", name, "vrm", "phase_positions" if shares else "distance"),)
    assumptions: tuple[str, ...] = ()
    basis: Basis = "computed" if shares else "declared"
    model = "current-weighted mean of the phases' distances" if shares else "distance of the board file"
    problem = _unplaced(vrm, at, placed=bool(places), beside=furthest > 0)
    if problem:
        return rail_gap(board, name, rail, VrmDistance, [problem], at)
    if vrm.vertical:
        reads, basis = (("rails", name, "vrm", "vertical"),), "declared"
        mean = fixed(0.0)
    else:
        weights = [share.value if share else 1.0 for share in shares] or [1.0]
        if shares and not any(shares):
            assumptions = (f"{at}: the phases share the current equally, as a multiphase controller makes them",)
        parts = [interval(place) * fixed(w / sum(weights)) for place, w in zip(places, weights, strict=True)]
        mean = sum(parts[1:], parts[0])
    return VrmDistance(
        subject=at,
        where=reads[0],
        tags=rail_tags(board, rail),
        mean=mean.measured(model, basis=basis, reads=reads, assumptions=assumptions),
        furthest=furthest,
        vertical=vrm.vertical,
    )


def _unplaced(vrm: Vrm, at: str, *, placed: bool, beside: bool) -> Missing | None:
    """Why the distance of a regulator is not known, if so."""
    shares = [phase.share for phase in vrm.phase_positions or ()]
    if vrm.vertical and beside:
        return Missing("the regulator is said to be beneath the package and beside it", f"{at}.vertical")
    if not placed and not vrm.vertical:
        return Missing("the regulator's place is not declared", f"{at}.distance` or `{at}.phase_positions")
    if shares and vrm.phases not in (None, len(shares)):
        return Missing(f"{len(shares)} of {vrm.phases} phases have a place", f"{at}.phase_positions")
    if any(shares) and not all(shares):
        return Missing("some phases have a share of the current, some have none", f"{at}.phase_positions[].share")
    return None


def _rating(
    board: Board, conditions: Conditions, name: str, rail: Rail, vrm: Vrm, kind: str
) -> Item:
    at = f"rails{under(name)}.vrm"
    subject = f"{at}.{kind}"
    if kind == "evidence":
        there = vrm.thermal_evidence is not None and vrm.thermal_evidence in (board.evidence or {})
        path: Address = ("rails", name, "vrm", "thermal_evidence")
        ratio = exact(float(there), model="document named in the board file", basis="declared", reads=(path,))
        return VrmRating(subject=subject, where=path, tags=rail_tags(board, rail), kind=kind, ratio=ratio)
    key, rating = {
        "continuous": ("rated_continuous", vrm.rated_continuous),
        "peak": ("rated_peak", vrm.rated_peak),
        "over_current": ("over_current_limit", vrm.over_current_limit),
        "phase": ("phase_rating", vrm.phase_rating),
    }[kind]
    sustained = kind in ("continuous", "phase")
    need = sustained_current(name, rail, conditions) if sustained else peak_current(name, rail)
    missing = [need] if isinstance(need, Missing) else []
    if rating is None:
        missing.append(Missing("the regulator's rating is not declared", f"{at}.{key}"))
    if kind == "phase" and vrm.phases is None:
        missing.append(Missing("the number of phases is not declared", f"{at}.phases"))
    if rating is None or isinstance(need, Missing) or missing:
        return rail_gap(board, name, rail, VrmRating, missing, subject)
    count = vrm.phases or 1 if kind == "phase" else 1
    path = ("rails", name, "vrm", key)
    return VrmRating(
        subject=subject,
        where=path,
        tags=rail_tags(board, rail),
        kind=kind,
        ratio=_ratio(rating, count, need, path),
        rated=_declared(rating, path),
        needed=need.current.value / count,
        least=need.lowest / count if need.undeclared else None,
        count=count,
        note=" ".join(filter(None, (need.note, _conditions_of(vrm, kind)))),
    )


def _ratio(rating: Quantity, count: int, need: DrawnCurrent, path: Address) -> Measured:
    have, drawn = interval(rating) * fixed(float(count)), need.current
    both = "rating and peak" if need.undeclared else "both"
    ratio = Measured(
        value=have.value / drawn.value,
        lo=have.lo / drawn.hi,
        hi=have.hi / drawn.lo,
        model=f"rating over current, {both} declared in the board file",
        basis="declared",
        reads=(path, *need.reads),
        assumptions=need.assumptions,
    )
    return need.judged(ratio, have.value / need.lowest, have.hi / (drawn.lo * need.least))


def _declared(quantity: Quantity, path: Address) -> Measured:
    span = interval(quantity)
    return span.measured("rating of the board file", basis="declared", reads=(path,))


def _conditions_of(vrm: Vrm, kind: str) -> str:
    if kind != "continuous" or vrm.rated_at:
        return f"Rated at {vrm.rated_at}." if kind == "continuous" else ""
    return "The board file does not say at which ambient and airflow the rating holds (`rated_at`)."
