# SPDX-License-Identifier: MIT
"""The power rails of a board: |Z| over frequency against its target, what every bank does, what rings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, log10, pi, sqrt

from pcbrules.analysis.power.bare_planes import BarePlanes, solve_bare_planes
from pcbrules.analysis.power.curves import CurveTask, RailCurves, solve_curves
from pcbrules.analysis.power.ladder import Bank, LadderPlane, solve_rail
from pcbrules.analysis.power.ladder_peaks import Peak
from pcbrules.analysis.power.layout import BoundLayout, bare_board, bind_layout
from pcbrules.analysis.power.layout_curves import PLANES, LayoutTask, solve_layout
from pcbrules.analysis.power.package_band import package_inductance
from pcbrules.analysis.power.plane_rail import PlaneBoard, PlaneRail
from pcbrules.analysis.power.rail_task import BoundRail, Target, bank_text, bind_rail, rail_target
from pcbrules.brief import brief
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.curve import changes_nothing, largest
from pcbrules.results.facts.power import PackageInductance
from pcbrules.results.finding import Finding, Status
from pcbrules.rules.pdn001_rail_impedance import SHORTEST
from pcbrules.studies.names import known

RULE = "PDN001"
JUDGED = frozenset({Status.PASS, Status.MARGINAL, Status.FAIL})


@dataclass(frozen=True, slots=True)
class Element:
    """One step of the ladder as it works on the board, from the regulator to the balls; of a layout the banks alone.

    Numbers are those of one piece: ``resistance`` [ohm], ``inductance`` [H], ``capacitance`` [F] at bias, temperature
    and age, None for planes. ``effect`` is how much the largest |Z| of the band rises without the bank [dB].
    """

    name: str
    count: int
    resistance: float
    inductance: float
    capacitance: float | None
    effect: float | None

    @property
    def resonance(self) -> float | None:
        """Series resonance of the mounted piece. [Hz]"""
        if self.capacitance is None or not self.inductance:
            return None
        return 1 / (2 * pi * sqrt(self.inductance * self.capacitance))

    @property
    def idle(self) -> bool:
        """True for a bank without which the largest |Z| of the band is the same to an engineer."""
        return self.effect is not None and changes_nothing(self.effect)

    @property
    def raises(self) -> bool:
        """True for a bank without which the largest |Z| of the band is lower: it rings with another element."""
        return self.effect is not None and self.effect < 0 and not self.idle


@dataclass(frozen=True, slots=True)
class Ringing:
    """A parallel resonance: its peak, the two elements between which it rings, whether it lies in the board's band."""

    peak: Peak
    inductive: str
    capacitive: str
    inside: bool


@dataclass(frozen=True, slots=True)
class RailView:
    """One rail.

    ``limit`` [ohm] is that of the profile, else that of the board file, with its source in ``limit_text``; ``status``
    what the rule says, with its ``message``, None where the profile does not judge the rail. In the band from
    ``start`` to ``end`` [Hz] the board acts; ``place`` [Hz] is where |Z| is largest there, ``low``, ``value`` and
    ``high`` [ohm] how large in the best variant, nominally, and in the worst variant. ``formula`` [ohm] is voltage x
    AC tolerance / load step.
    """

    name: str
    rail: Rail
    bound: BoundRail
    curves: RailCurves
    status: Status | None
    message: str
    limit: float | None
    limit_text: str
    formula: float | None
    package: PackageInductance
    start: float
    end: float
    place: float
    low: float
    value: float
    high: float
    elements: tuple[Element, ...]
    ringing: tuple[Ringing, ...]
    dc_resistance: float
    planes: PlaneRail | None
    assumptions: tuple[str, ...]

    __repr__ = brief

    @property
    def evaluated(self) -> bool:
        """False where the rule could not judge the rail."""
        return self.status is None or self.status in JUDGED

    @property
    def margin(self) -> float | None:
        """How far nominal |Z| stays below the limit. [dB]"""
        return None if self.limit is None else 20 * log10(self.limit / self.value)

    @property
    def worst_margin(self) -> float | None:
        """How far |Z| of the worst variant stays below the limit. [dB]"""
        return None if self.limit is None else 20 * log10(self.limit / self.high)


@dataclass(frozen=True, slots=True)
class BareView:
    """The planes of one rail alone, and the names of the layers of each pair; ``sides`` of the rectangle [m]."""

    name: str
    pairs: tuple[str, ...]
    sides: tuple[float, float]
    planes: BarePlanes

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Rails:
    """The rails of a board; ``missing`` are those whose impedance is not known, and why.

    ``bare`` are planes alone, of a rail that was asked for, or whose impedance is not known.
    """

    board: str
    rails: tuple[RailView, ...]
    missing: tuple[tuple[str, tuple[Missing, ...]], ...]
    bare: tuple[BareView, ...] = ()

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 every rail was evaluated; 3 one was not, or there was none."""
        return 0 if self.rails and all(one.evaluated for one in self.rails) and not self.missing else 3


def rails(board: Board, conditions: Conditions, findings: Iterable[Finding], *, rail: str | None = None) -> Rails:
    """The rails of a board.

    Parameters
    ----------
    board : Board
    conditions : Conditions
        Of the profile.
    findings : iterable of Finding
        What the rule on rail impedance says of this board.
    rail : str, optional
        Only this rail.

    Raises
    ------
    InputError
        If there is no such rail.
    """
    given = board.rails or {}
    if rail is not None:
        known("RAIL", rail, given, "rail")
    by_subject = {finding.subject: finding for finding in findings if finding.rule == RULE}
    found = {
        name: _view(board, name, one, conditions, by_subject.get(f"rails{under(name)}"))
        for name, one in given.items()
        if rail in (None, name)
    }
    return Rails(
        board.name,
        tuple(one for one in found.values() if isinstance(one, RailView)),
        tuple((name, why) for name, why in found.items() if isinstance(why, tuple)),
        tuple(_bare(board, given, conditions, [
            name for name, one in found.items() if rail is not None or isinstance(one, tuple)])),
    )


def _bare(
    board: Board, given: Mapping[str, Rail], conditions: Conditions, names: Iterable[str]
) -> Iterator[BareView]:
    """The planes alone of those rails that have a layout of known dielectrics."""
    for name in names:
        layout = given[name].layout
        planes = bare_board(board, name, layout, conditions) if layout is not None else None
        if layout is not None and isinstance(planes, PlaneBoard):
            pairs = tuple(f"{near} to {far}" for near, far in layout.pairs)
            yield BareView(name, pairs, (planes.length, planes.width), solve_bare_planes(planes))


def _view(
    board: Board, name: str, rail: Rail, conditions: Conditions, finding: Finding | None
) -> RailView | tuple[Missing, ...]:
    bound = bind_rail(board, name, rail, conditions, planes=rail.layout is None)
    if not isinstance(bound, BoundRail):
        return bound
    bound = bound.over_frequency()
    layout = bind_layout(board, name, rail, conditions, bound) if rail.layout else None
    if isinstance(layout, tuple):
        return layout
    curves, peaks, dc_resistance = _solved(bound, layout)
    target = rail_target(rail, name, conditions)
    limit = finding.limit.high if finding and finding.limit else target.value
    package = package_inductance(board, name, rail)
    start, end = board_band(curves.frequencies, target.value or limit, package)
    curves = curves.through(end)
    place, value = largest(curves.frequencies, curves.nominal, start, end)
    least = max(package.ends(target.value or limit or inf, curves.frequencies[-1])[0], min(SHORTEST, end))
    curves = curves.through(least)
    lows, tops = ([largest(curves.frequencies, curve, start, to)[1] for curve in (curves.nominal, *curves.corners)]
                  for to in (least, end))
    elements = tuple(_elements(board, bound, curves, (start, end), value, whole=layout is None))
    return RailView(
        name=name,
        rail=rail,
        bound=bound,
        curves=curves,
        status=None if finding is None or finding.status is Status.NOT_APPLICABLE else finding.status,
        message=finding.message if finding else "",
        limit=limit,
        limit_text=_limit_text(finding, target),
        formula=target.formula,
        package=package,
        start=start,
        end=end,
        place=place,
        low=min(lows),
        value=value,
        high=max(tops),
        elements=elements,
        ringing=tuple(_ringing(peak, elements, (start, end)) for peak in peaks),
        dc_resistance=dc_resistance,
        planes=layout.rail if layout else None,
        assumptions=(*bound.assumptions, *(layout.assumptions if layout else ()), *filter(None, [package.text])),
    )


def _solved(bound: BoundRail, layout: BoundLayout | None) -> tuple[RailCurves, tuple[Peak, ...], float]:
    """Curves, peaks, and the resistance at the lowest frequency [ohm]."""
    if layout:
        found = solve_layout(LayoutTask(layout.rail, layout.variants))
        return found.curves, found.peaks, found.curves.nominal[0]
    curves = solve_curves(CurveTask(bound.task, bound.variants, tuple(bank.index for bank in bound.banks)))
    solved = solve_rail(replace(bound.task, corners=()))
    return curves, solved.peaks, solved.dc_resistance


def board_band(
    frequencies: tuple[float, ...], limit: float | None, package: PackageInductance
) -> tuple[float, float]:
    """Frequencies between which the board acts [Hz]: up to where the package alone reaches the limit."""
    start, top = frequencies[0], frequencies[-1]
    return start, max(package.ends(limit, top)[1], frequencies[1]) if limit is not None else top


def _limit_text(finding: Finding | None, target: Target) -> str:
    if finding and finding.limit:
        source = f" ({finding.source.text})" if finding.source else ""
        return f"{finding.limit.text}{source}"
    if target.offer:
        return f"{target.offer.limit.text} ({target.offer.source.text}); the profile does not judge this rail"
    return target.gap


def _elements(
    board: Board, bound: BoundRail, curves: RailCurves, band: tuple[float, float], value: float, *, whole: bool
) -> Iterator[Element]:
    labels = {bank.index: bank_text(board, bank.name, bank.spec) for bank in bound.banks}
    without = dict(zip(labels, curves.without, strict=True))
    planes = 0
    for index, step in enumerate(bound.task.ladder):
        if isinstance(step, LadderPlane):
            planes += 1
            if not whole:
                continue
            yield Element(f"planes{planes}", 1, step.resistance, step.inductance, None, None)
        elif isinstance(step, Bank):
            effect = 20 * log10(largest(curves.frequencies, without[index], *band)[1] / value)
            yield Element(labels[index], step.count, step.esr, step.inductance, step.capacitance, effect)


def _ringing(peak: Peak, elements: tuple[Element, ...], band: tuple[float, float]) -> Ringing:
    def named(place: int) -> str:
        if place == PLANES:
            return "planes and vias"
        return "regulator" if place < 0 else elements[place].name

    return Ringing(peak, named(peak.inductive), named(peak.capacitive), band[0] <= peak.frequency <= band[1])
