# SPDX-License-Identifier: MIT
"""The elements of the board's part of a channel, from a link's path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.drawn_block import barrel_contradiction, contradiction
from pcbrules.analysis.channel.task import (
    BlockSpec,
    Element,
    LineSpec,
    LossSpec,
    PackageSpec,
    SeriesCap,
    ShuntCap,
    Skew,
)
from pcbrules.analysis.channel.touchstone_block import BlockUse, touchstone_block, turned_round
from pcbrules.analysis.common.df_drift import NO_DRIFT, DfDrift
from pcbrules.analysis.common.dielectrics import DielectricPoints, dielectric
from pcbrules.analysis.common.every_link import missing_via
from pcbrules.analysis.common.interval import fixed
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.impedance_tolerance import NAMES
from pcbrules.analysis.lines.leg_delays import unequal_delay
from pcbrules.analysis.lines.section import leg_pitch, section
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.hole_dk import dk_along
from pcbrules.analysis.vias.plated_holes import Barrel, BarrelEnd, barrel
from pcbrules.analysis.vias.surroundings import surroundings
from pcbrules.analysis.vias.task import Surroundings, ViaSpec
from pcbrules.brief import brief
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.catalogue.dielectrics import ANY_GROWTH
from pcbrules.model.catalogue.systems import LossBudget
from pcbrules.model.link import AcCapacitor, Connector, Load, Package, SParameterFile, Stretch, Trace, Via
from pcbrules.phrases import under
from pcbrules.physics.lines.copper import resistivity
from pcbrules.units import Quantity, show

ROOM = 20.0
"""Temperature of a file that does not say one. [degC]"""

DIE_TO_DIE = frozenset({"total", "die-to-die"})
"""Budgets that run from one die to the other: both packages count."""


@dataclass(frozen=True, slots=True)
class Part:
    """One element of the board's part, with its step in the path and what it was read from.

    ``tolerance`` is that of its length or declared loss downwards and upwards, ``u_df`` the uncertainty of its loss
    tangent beyond that of the laminate's data, all relative [-]; ``drift`` what temperature and water may add to it.
    ``rz_key`` would give the roughness of a face of a line. ``ends`` are the ends of a via at port 1 and at
    port 2. ``skew`` is the difference of its legs, its place in the task left open.
    """

    step: PathStep
    element: Element
    reads: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()
    tolerance: tuple[float, float] = (0.0, 0.0)
    u_df: float = 0.0
    drift: DfDrift = NO_DRIFT
    ends: tuple[BarrelEnd, ...] = ()
    skew: Skew | None = None
    rz_key: str = ""

    __repr__ = brief

    @property
    def via_type(self) -> str:
        """The type of a via; empty for all else."""
        body = self.step.body
        return body.type if isinstance(body, Via) else ""

    @property
    def stubbed(self) -> bool:
        """True for a via with a stub."""
        return isinstance(self.element, ViaSpec) and any(length > 0 for _, length in self.element.stub_lengths)


def figures_of_class(kept: Iterable[Part]) -> tuple[str, ...]:
    """Keys of backdrill depths that the board file does not declare and the fabrication class gives."""
    return tuple(dict.fromkeys(text for part in kept for end in part.ends for text in end.of_class))


def unseen(kept: Iterable[Part]) -> Iterator[tuple[PathStep, str]]:
    """Elements of which only a loss is known, not what they send back, and the path of the key that would say it."""
    for part in kept:
        body = part.step.body
        if isinstance(part.element, LossSpec):
            key = "touchstone" if isinstance(body, Connector) else "impedance"
            yield part.step, show_path((*part.step.path, key))


def unknown_reflections(kept: Iterable[Part]) -> str:
    """Why a channel may send back more than is known of it; empty if all of it is known."""
    found = list(unseen(kept))
    if not found:
        return ""
    names, keys = (", ".join(texts) for texts in ([step.name for step, _ in found], [f"`{key}`" for _, key in found]))
    return f"{names} declares a loss and no reflection: give {keys}"


def parts(
    board: Board, link: BoardLink, temperature: float, budget: LossBudget | None, *, probed: bool = False
) -> Iterator[Part | Missing]:
    """The elements between the planes of the budget, at a board temperature [degC].

    Connectors at the ends of the path stay out, and packages unless the budget counts them. A path that begins or ends
    on an inner layer lacks a via, unless it is ``probed`` there. A trace with loads on it is several elements.
    """
    last = len(link.steps) - 1
    with_package = budget is not None and budget.with_package
    made: list[Part | Missing] = []
    for index, step in enumerate(link.steps):
        at_end = isinstance(step.body, Connector) and index in (0, last)
        if not at_end and (with_package or not isinstance(step.body, Package)):
            made.append(_part(board, link, step, temperature, die_last=index > 0))
    yield from _cut_at_loads(made)
    cut_short = missing_via(board, link)
    if cut_short and not probed:
        yield Missing(cut_short, f"links{under(link.name)}.path[].via", link.path)
    packages = 0 if not with_package else 2 if budget is not None and budget.name in DIE_TO_DIE else 1
    if sum(isinstance(step.body, Package) for step in link.steps) < packages:
        reason = "the budget runs from the die" + (" to the die: both packages count" if packages > 1 else "")
        key = f"links{under(link.name)}.path[].package.loss"
        yield Missing(f"{reason}, and the loss of a package is missing", key, link.path)


def _cut_at_loads(made: Iterable[Part | Missing]) -> Iterator[Part | Missing]:
    """Elements with lines cut where the loads behind them stand, the line's skew in its first piece."""
    rest: Part | None = None
    for part in made:
        body = part.step.body if isinstance(part, Part) else None
        back = body.back.value if isinstance(body, Load) and body.back else 0.0
        if rest is not None and isinstance(rest.element, LineSpec) and back > 0:
            before = max(rest.element.length - back, 0.0)
            if before > 0:
                yield _of_length(rest, before)
                rest = replace(_of_length(rest, rest.element.length - before), skew=None)
            yield part
            continue
        if rest is not None:
            yield rest
        rest = part if isinstance(part, Part) and isinstance(part.element, LineSpec) else None
        if rest is None:
            yield part
    if rest is not None:
        yield rest


def _of_length(part: Part, length: float) -> Part:
    """A line of another length [m]."""
    if not isinstance(part.element, LineSpec):
        raise TypeError(f"{part.step.name} is no line")
    return replace(part, element=replace(part.element, length=length))


def end_connectors(board: Board, link: BoardLink) -> Iterator[Part | Missing]:
    """The connectors at the ends of a path, which ``parts`` leaves out."""
    for step in dict.fromkeys((link.steps[0], link.steps[-1])):
        if isinstance(step.body, Connector):
            yield _part(board, link, step, 0.0, die_last=False)


def _part(board: Board, link: BoardLink, step: PathStep, temperature: float, *, die_last: bool) -> Part | Missing:
    """An element by its file, else by its model; ``die_last`` is of a package, whose die has the lower ports."""
    body = step.body
    if body.table is not None:
        made = _block(board, link, step, body.table, turned=isinstance(body, Package) and die_last)
        if isinstance(made, Part):
            made = _as_drawn(board, link, made, body.table)
        if isinstance(made, Part) and isinstance(body, Trace | Stretch):
            return _hotter(made, body.table, temperature)
        return made
    if isinstance(body, Trace):
        return _trace(board, link, step, body, temperature)
    if isinstance(body, Via):
        return via_part(board, link, step, body)
    if isinstance(body, AcCapacitor):
        return _capacitor(board, step, body, legs=2 if link.standard.signalling == "differential" else 1)
    if isinstance(body, Package):
        return _package(step, body, die_last=die_last)
    if isinstance(body, Load):
        return _load(step, body, legs=2 if link.standard.signalling == "differential" else 1)
    if isinstance(body, Connector):
        return _declared(step, body)
    raise TypeError(f"{step.name} is neither a model nor a file")


def described(kept: Iterable[Part]) -> bool:
    """True where the board file says all that the models of the vias take."""
    return all(part.element.described for part in kept if isinstance(part.element, ViaSpec))


def lacks_surroundings(board: Board, link: BoardLink, kept: Iterable[Part]) -> str:
    """The key that would tell what stands around the first via of which the file does not say it; else empty."""
    pair = link.standard.signalling != "single-ended"
    for part in kept:
        body = part.step.body
        kind = (board.via_types or {}).get(body.type) if isinstance(body, Via) else None
        if kind is None or not isinstance(part.element, ViaSpec) or kind.kind == "microvia":
            continue
        lacks = "return_vias" if kind.return_vias is None else "pitch" if pair and kind.pitch is None else ""
        if lacks and isinstance(body, Via):
            return f"via_types{under(body.type)}.{lacks}"
    return ""


def at_temperature(board: Board, link: BoardLink, part: Part, temperature: float) -> Part | Missing:
    """An element of the channel at another board temperature [degC]: only traces depend on it."""
    body = part.step.body
    if not isinstance(body, Trace) or not isinstance(part.element, LineSpec):
        return part
    found = _trace(board, link, part.step, body, temperature)
    return found if isinstance(found, Missing) else replace(_of_length(found, part.element.length), skew=part.skew)


def _lost(step: PathStep, gap: Missing) -> Missing:
    return Missing(gap.reason, gap.key, step.path)


def _trace(board: Board, link: BoardLink, step: PathStep, trace: Trace, temperature: float) -> Part | Missing:
    found = section(board, link, step, temperature)
    if isinstance(found, Missing):
        return _lost(step, found)
    if found.no_loss is not None:
        return _lost(step, found.no_loss)
    reads = ((*step.path, "length"), *found.reads)
    line = LineSpec(found.task, trace.length.value, _tolerances(board, trace), _ordered(board), found.u_dk,
                    found.taper, found.thin_mask, found.rz_most, found.foot_open,
                    found.open_dk)
    skew, legs, assumed = _trace_skew(board, step, trace, found.task)
    return Part(step, line, (*reads, *legs), (*found.assumptions, *assumed), _relative(trace.length), found.u_df,
                found.drift, skew=skew, rz_key=found.rz_key)


def _trace_skew(
    board: Board, step: PathStep, trace: Trace, task: LineTask
) -> tuple[Skew | None, tuple[Path, ...], tuple[str, ...]]:
    """Difference of the legs of a trace, what it was read from, and what is assumed."""
    if not trace.paired:
        return None, (), ()
    if trace.length_p is None or trace.length_n is None or trace.bends is None:
        return None, (), (
            f"{step.name}: legs assumed equal in length: `length_p`, `length_n` and `bends` are not all declared",)
    apart = fixed(0.0) if trace.broadside is None else unequal_delay(
        task, dk=tolerances(board, trace)["dk"])
    if isinstance(apart, Missing):
        return None, (), (f"{step.name}: legs assumed equal in length: {apart.reason}",)
    turns = trace.bends * math.pi / 2 * leg_pitch(trace)
    length = trace.length_p.value - trace.length_n.value + apart.value * trace.length.value
    tolerance = (_tolerance(trace.length_p) + _tolerance(trace.length_n)
                 + max(apart.hi - apart.value, apart.value - apart.lo) * trace.length.value)
    if length == turns == tolerance == 0:
        return None, (), ()
    legs = length != 0 or tolerance != 0
    keys = [key for key, counts in (("length_p", legs), ("length_n", legs), ("bends", turns != 0)) if counts]
    return Skew(0, length=length, turns=turns, tolerance=tolerance), tuple((*step.path, key) for key in keys), ()


def _with_skew(part: Part, body: Via | Package | Connector) -> Part:
    """The part with the declared difference of its legs."""
    if body.skew is None or body.skew.value == _tolerance(body.skew) == 0:
        return part
    skew = Skew(0, time=body.skew.value, tolerance=_tolerance(body.skew))
    return replace(part, skew=skew, reads=(*part.reads, (*part.step.path, "skew")))


def _tolerance(quantity: Quantity) -> float:
    """The larger one of the stated tolerances, in the unit of the quantity."""
    return max(quantity.plus or 0.0, quantity.minus or 0.0)


def _tolerances(board: Board, trace: Trace) -> tuple[float, ...]:
    half = tolerances(board, trace)
    return tuple(half[name] for name in NAMES)


def _ordered(board: Board) -> float | None:
    """The impedance class that is ordered with a coupon: whatever the tolerances, fabrication keeps it. [-]"""
    control = board.declared_fabrication.impedance_control if board.declared_fabrication else None
    return float(control.tolerance.value) if control is not None and control.coupon else None


def _relative(quantity: Quantity) -> tuple[float, float]:
    """Stated tolerance of a quantity downwards and upwards, relative. [-]"""
    if quantity.value == 0:
        return 0.0, 0.0
    return (quantity.minus or 0.0) / quantity.value, (quantity.plus or 0.0) / quantity.value


def via_part(board: Board, link: BoardLink, step: PathStep, via: Via) -> Part | Missing:
    """A via of a path, or why there is no model of it."""
    made = barrel(board, step)
    spec = via_spec(board, link, made)
    if isinstance(spec, Missing):
        return spec
    size = [("via_types", via.type, "drill"), ("via_types", via.type, "antipad", "width")]
    if made.kind.pad is not None:
        size.append(("via_types", via.type, "pad"))
    reads = tuple(dict.fromkeys((*(path for end in made.ports for path in end.reads), *size)))
    part = Part(step, spec, reads, ends=made.ports)
    return part if spec.single_ended else _with_skew(part, via)


def via_spec(board: Board, link: BoardLink, made: Barrel) -> ViaSpec | Missing:
    """Return a via of a path as numbers, or what is missing for them."""
    kind, place = made.kind, made.step.path
    if kind.antipad is None:
        return Missing("the antipad is not declared", f"via_types{under(made.via.type)}.antipad", place)
    for end in made.ends:
        if end.gap:
            reason, key = end.gap
            return Missing(reason, key, place)
    dk = _barrel_dk(board, made, link.standard.nyquist)
    if isinstance(dk, Missing):
        return _lost(made.step, dk)
    value, points, left_open = dk
    first, second = made.ports
    single_ended = link.standard.signalling == "single-ended"
    return ViaSpec(
        through_length=made.through,
        port1_stub=first.worst,
        port2_stub=second.worst,
        drill_diameter=kind.drill.value,
        antipad_diameter=kind.antipad.width.value,
        dk=value,
        df_points=points,
        open_dk=left_open,
        port1_removed=first.worst - min(first.least, first.worst),
        port2_removed=second.worst - min(second.least, second.worst),
        single_ended=single_ended,
        pad_diameter=board.assumed_pads.get(made.via.type) if kind.pad is None else kind.pad.value,
        surroundings=_around(board, made.via.type, single_ended=single_ended),
        hole_fill_known=kind.fill != "unknown" or not any(end.worst < end.undrilled for end in made.ends),
    )


@once_a_board
def _around(board: Board, name: str, *, single_ended: bool) -> Surroundings | None:
    """What stands around the barrels of a via type: the same for all pairs, and for all single lines."""
    kind = (board.via_types or {})[name]
    return None if board.stack is None else surroundings(board.stack, kind, single_ended=single_ended)


def _barrel_dk(board: Board, made: Barrel, frequency: float) -> tuple[float, DielectricPoints, float] | Missing:
    """Dk along the barrel, weighted by thickness, the dielectric of the thickest layer, and how far Dk is left open."""
    found = dk_along(board, made.kind.span, frequency)
    if isinstance(found, Missing):
        return found
    points = dielectric(board, found.thickest, frequency)
    return points if isinstance(points, Missing) else (found.dk.value, points, found.left_open)


def _capacitor(board: Board, step: PathStep, body: AcCapacitor, *, legs: int) -> Part | Missing:
    assumed: tuple[str, ...] = ()
    if body.loss is not None and body.at is None:
        key = f"{show_path(step.path)}.at"
        return Missing(f"the frequency of the loss of {step.name} is not declared", key, step.path)
    if body.loss is not None and body.at is not None:
        loss, at, tolerance = body.loss.value, body.at.value, _relative(body.loss)
    else:
        default = board.catalogue.defaults["ac-capacitor-loss"]
        loss, at = default.typical, default.at or 16e9
        tolerance = (1 - default.min / loss, default.max / loss - 1)
        assumed = (f"{step.name}: {loss:g} dB at {show(at, 'GHz')} for capacitor and pads ({default.source})",)
    if body.inductance is None:
        assumed = (*assumed, f"{step.name}: no echo of its own, its inductance is not declared")
    esr = body.esr.value if body.esr else 0.0
    inductance = body.inductance.value if body.inductance else 0.0
    part = SeriesCap(body.capacitance.value, esr, inductance, loss=loss, frequency=at, legs=legs)
    return Part(step, part, ((*step.path, "capacitance"),), assumed, tolerance)


def _load(step: PathStep, body: Load, *, legs: int) -> Part | Missing:
    if body.capacitance is None:
        key = f"{show_path(step.path)}.capacitance"
        return Missing(f"the capacitance of {step.name} is not declared", key, step.path)
    return Part(step, ShuntCap(body.capacitance.value, legs), ((*step.path, "capacitance"),))


def _block(board: Board, link: BoardLink, step: PathStep, table: SParameterFile, *, turned: bool) -> Part | Missing:
    edges = tuple(edge for mask in link.standard.masks for piece in mask.pieces for edge in (piece.start, piece.stop))
    use = BlockUse(table.ports or (), table.two_port, pair=link.standard.signalling == "differential")
    used = touchstone_block(board.blocks[table.file], link.standard.nyquist, edges, use)
    place = (*step.path, "touchstone")
    if isinstance(used, Missing):
        key = f"{show_path(place)}.{used.key}" if used.key else show_path(place)
        return Missing(f"{step.name}: {table.file} does not serve: {used.reason}", key, step.path)
    spec = turned_round(used.spec) if turned else used.spec
    part = Part(step, spec, (place,), tuple(f"{step.name}: {text}" for text in used.assumptions),
                (used.error, used.error))
    return _with_skew(part, step.body) if isinstance(step.body, Package | Connector) else part


def _as_drawn(board: Board, link: BoardLink, part: Part, table: SParameterFile) -> Part | Missing:
    """The file of a trace or via, unless it cannot be one of what is drawn."""
    body, why = part.step.body, ""
    if not isinstance(part.element, BlockSpec):
        raise TypeError(f"{part.step.name} is no file")
    if isinstance(body, Trace):
        taken = ROOM if table.temperature is None else float(table.temperature.value)
        why = contradiction(board, link, part.step, body, part.element, taken)
    elif isinstance(body, Via):
        model = via_part(board, link, part.step, body)
        if isinstance(model, Part) and isinstance(model.element, ViaSpec):
            why = barrel_contradiction(model.element, part.element)
    if not why:
        return part
    kind = "trace" if isinstance(body, Trace) else "via"
    cure = "correct the file or the length" if isinstance(body, Trace) else "correct the file or the layers"
    return Missing(f"{part.step.name}: {table.file} is not of this {kind}: {why}; {cure}", "", part.step.path)


def _hotter(part: Part, table: SParameterFile, temperature: float) -> Part:
    """A file of traces on a board at a temperature [degC]: its loss may grow, by what no file tells apart.

    At most all of it as Df of the resin that grows most, or as the skin of copper, with the root of its resistivity.
    """
    taken = ROOM if table.temperature is None else float(table.temperature.value)
    skin = math.sqrt(float(resistivity(temperature=temperature) / resistivity(temperature=taken))) - 1
    growth = max(skin, ANY_GROWTH * (temperature - taken), 0.0)
    text = "" if table.temperature is not None else (
        f"{part.step.name}: `touchstone.temperature` not declared, taken as {show(ROOM, 'degC')}: up to "
        f"{show(growth, '%', 2)} more loss at {show(temperature, 'degC')}")
    down, up = part.tolerance
    return replace(part, tolerance=(down, math.hypot(up, growth)),
                   assumptions=(*part.assumptions, *([text] if text and growth else [])))


def _declared(step: PathStep, body: Package | Connector) -> Part | Missing:
    declared = _declared_loss(step, body)
    if isinstance(declared, Missing):
        return declared
    loss, at = declared
    part = Part(step, LossSpec(loss.value, at.value), ((*step.path, "loss"),), tolerance=_relative(loss))
    return _with_skew(part, body)


def _declared_loss(step: PathStep, body: Package | Connector) -> tuple[Quantity, Quantity] | Missing:
    """Loss of an element and the frequency at which it holds."""
    if body.loss is None:
        return _not_given(step, "loss")
    return _not_given(step, "frequency of the loss", "at") if body.at is None else (body.loss, body.at)


def _not_given(step: PathStep, name: str, key: str = "") -> Missing:
    return Missing(f"the {name} of {step.name} is not declared", f"{show_path(step.path)}.{key or name}", step.path)


def _package(step: PathStep, body: Package, *, die_last: bool) -> Part | Missing:
    """A package between die and balls, by its line or its loss alone."""
    if not body.is_line:
        made = _declared(step, body)
        if isinstance(made, Part):
            return replace(made, assumptions=(f"{step.name}: no echo of its own, its impedance is not declared",))
        return made
    declared = _declared_loss(step, body)
    if isinstance(declared, Missing):
        return declared
    loss, at = declared
    if body.impedance is None:
        return _not_given(step, "impedance")
    if body.delay_seconds is None:
        return _not_given(step, "delay")
    assumed = tuple(
        f"{step.name}: no capacitance at the {end}, it is not declared"
        for end, given in (("die", body.die_capacitance), ("balls", body.ball_capacitance)) if given is None
    )
    spec = PackageSpec(
        impedance=body.impedance.value,
        delay=body.delay_seconds,
        loss=loss.value,
        frequency=at.value,
        die_capacitance=body.die_capacitance.value if body.die_capacitance else 0.0,
        ball_capacitance=body.ball_capacitance.value if body.ball_capacitance else 0.0,
        die_last=die_last,
    )
    reads = ((*step.path, "loss"), (*step.path, "impedance"))
    return _with_skew(Part(step, spec, reads, assumed, _relative(loss)), body)
