# SPDX-License-Identifier: MIT
"""From a trace on a layer to its cross-section as plain numbers, and the fabrication tolerances of that section."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.df_drift import NO_DRIFT, DfDrift, df_drift, drift_texts
from pcbrules.analysis.common.dielectrics import (
    DF_KNOWN,
    DK_KNOWN,
    DielectricPoints,
    Ply,
    by_construction,
    dielectric,
    extrapolated,
    laminate_points,
    left_open,
    model_frequency,
    ply_dk,
)
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.lines.copper_roughness import faces, form
from pcbrules.analysis.lines.finishes import LAYERS
from pcbrules.analysis.lines.side_ground import side_ground
from pcbrules.analysis.lines.task import LineTask, SecondLeg
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.catalogue.dielectrics import Laminate
from pcbrules.model.catalogue.select import LaminateReading, df_at
from pcbrules.model.catalogue.sold import WORST_FINISH
from pcbrules.model.link import Trace
from pcbrules.model.stack import Placed, Reference, Stack
from pcbrules.model.stackup import Copper as CopperLayer
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.model.stackup import Mask
from pcbrules.phrases import under
from pcbrules.units import show

RHO_TRACE = 1.8e-8
"""Resistivity of plated foil at 20 degC [ohm m]: practice, 4.8e7 to 5.5e7 S/m."""

RHO_PLANE = 1.7241e-8
"""Resistivity of annealed copper at 20 degC [ohm m]: 100 % IACS."""


LEFT_OUT = "traces on {}, which shares the cavity, are left out"
"""What is assumed of another layer of the cavity."""


FINISH = f"{{}}: no solder mask and `finish` not declared, taken as {WORST_FINISH}: the lossiest that is sold"
"""What is assumed of the finish of bare copper."""

DRY = "laminates between reference planes are assumed dry"
"""What is assumed of the water in a stripline."""

TAPER = 1.0
"""By how much the top of a trace may be narrower than its foot, over its thickness [-]: etch factor 2; practice."""

THIN_MASK = 0.5
"""How thin solder mask over a trace may be, over that on the laminate [-]; practice."""


@dataclass(frozen=True, slots=True)
class TraceSection:
    """A trace's cross-section with the places in the board file that it was read from.

    ``u_dk`` and ``u_df`` are the relative uncertainty of Dk and Df beyond the laminates' data [-], ``open_dk`` what a
    construction that the file does not give leaves open of Dk, within what fabrication may make of it or beyond [-].
    ``drift`` is what temperature and water may add to Df; ``no_loss`` says why the section has an impedance but no
    loss. ``taper`` is by how much the top of the trace may be narrower than it is taken, because the file does not say
    [m]; ``thin_mask`` is how thin the solder mask over it may be where the file does not say, else 0 [m]. ``rz_most``
    is Rz of the faces with the roughest foil of their class where none is measured [m], ``rz_key`` would give the
    first.
    ``foot_open``: the file does not say which face of the trace is the wide one.
    """

    task: LineTask
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]
    u_dk: float
    u_df: float
    drift: DfDrift
    no_loss: Missing | None
    taper: float = 0.0
    thin_mask: float = 0.0
    rz_most: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    rz_key: str = ""
    foot_open: bool = False
    open_dk: float = 0.0


@dataclass(frozen=True, slots=True)
class _Side:
    """The plies of one side as the solver takes them, their worst uncertainty, and why they have no loss."""

    plies: tuple[Ply, ...]
    u_dk: float
    open_dk: float
    u_df: float
    drift: DfDrift
    no_loss: Missing | None
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]


@once_a_board
def section(board: Board, link: BoardLink, step: PathStep, temperature: float) -> TraceSection | Missing:
    """Cross-section of a trace of a link at a board temperature [degC]."""
    trace = step.body
    if not isinstance(trace, Trace):
        raise ValueError(f"{step.name} is no trace")
    if link.standard.signalling == "single-ended" and trace.paired:
        key = "gap" if trace.gap is not None else "broadside"
        return Missing(f"{link.standard.name} is single-ended, and `{key}` makes a pair of the trace: leave it out",
                       f"{show_path(step.path)}.{key}")
    if board.stack is not None and link.standard.signalling == "differential" and not trace.paired:
        return Missing("the gap of the pair is not declared", f"{show_path(step.path)}.gap")
    return section_at(board, trace, step.path, link.standard.nyquist, temperature)


def section_at(board: Board, trace: Trace, path: Path, frequency: float, temperature: float) -> TraceSection | Missing:
    """Cross-section of a trace that stands at ``path`` of the board file, or would.

    Parameters
    ----------
    board : Board
    trace : Trace
        With a gap a pair, without one a single trace.
    path : Path
        Its place in the file.
    frequency : float
        At which the laminates' data must hold. [Hz]
    temperature : float
        Of the board. [degC]

    Returns
    -------
    TraceSection or Missing
        The cross-section, or why there is none.
    """
    stack = board.stack
    if stack is None:
        return Missing("no `stackup` is declared", "stackup")
    layer = stack.copper(trace.layer)
    between = _between(stack, layer, trace.planes)
    if isinstance(between, Missing):
        return between
    other = trace.broadside.layer if trace.broadside else ""
    outside = between.upper is None
    below, above = (_side(board, layers, frequency, other, outside=outside)
                    for layers in (between.below, between.above))
    if isinstance(below, Missing):
        return below
    if isinstance(above, Missing):
        return above
    cover = _Cover() if between.upper else _mask(board, stack, trace.layer, bottom=between.flip, frequency=frequency)
    if isinstance(cover, Missing):
        return cover
    thickness = layer.spec.thickness.value
    foot_up = _core_above(stack, layer) != between.flip and not stack.outer(trace.layer)
    over = above.plies
    if over:  # the prepreg flows round the trace, and stands away from its foot
        over = (Ply(thickness, below.plies[0].material if foot_up else over[0].material), *over)
    rough = faces(board, layer, between.lower, between.upper, flip=between.flip)
    no_loss = below.no_loss or above.no_loss
    if rough.unknown is not None:
        no_loss = Missing(f"the foil of {rough.unknown.name} is not declared", f"stackup[{rough.unknown.index}].foil")
    bare = stack.outer(trace.layer) and cover.ply is None
    assert isinstance(layer.spec, CopperLayer)
    keys = ("width", "gap", "top_width", "layer", "broadside")
    own = tuple((*path, key) for key in keys if getattr(trace, key) is not None)
    beside = side_ground(trace, path, math.fsum(ply.thickness for ply in below.plies), frequency)
    taper = TAPER * thickness if trace.top_width is None else 0.0
    return TraceSection(
        task=LineTask(
            width_foot=trace.width.value,
            width_top=(trace.top_width or trace.width).value,
            thickness=thickness,
            gap=trace.gap.value if trace.gap else None,
            foot_up=foot_up,
            below=below.plies,
            above=over,
            cover=cover.ply,
            cover_over_trace=cover.over_trace,
            rz=rough.rz,
            resistivity_trace=RHO_TRACE,
            resistivity_plane=RHO_PLANE,
            temperature=temperature,
            closed=between.upper is not None,
            plane_thickness=between.lower.plane.spec.thickness.value,
            ground=beside.ground,
            second=second_leg(stack, trace, flip=between.flip),
            plating=LAYERS[layer.spec.finish or WORST_FINISH] if bare else (),
        ),
        reads=(*own, *beside.reads,
               ("stackup", layer.index, "thickness"), *below.reads, *above.reads, *cover.reads, *rough.reads),
        assumptions=tuple(dict.fromkeys((*beside.assumptions, *cover.assumptions, *below.assumptions,
                                         *above.assumptions, *(() if outside else (DRY,)),
                                         *_shape_assumed(stack, layer, trace), *rough.assumptions,
                                         *((FINISH.format(layer.name),) if bare and layer.spec.finish is None else ()),
                                         ))),
        u_dk=max(below.u_dk, above.u_dk),
        u_df=max(below.u_df, above.u_df),
        drift=below.drift.with_other(above.drift).with_other(cover.drift),
        no_loss=no_loss,
        taper=taper,
        rz_most=rough.most,
        rz_key=rough.key,
        foot_open=_foot_open(stack, layer, trace),
        open_dk=max(below.open_dk, above.open_dk),
        thin_mask=cover.thin,
    )


@dataclass(frozen=True, slots=True)
class _Between:
    """What a section lies between: its planes and the layers on either side, nearest first.

    ``flip`` is True where the section is turned over: up in it is down on the board.
    """

    flip: bool
    lower: Reference
    upper: Reference | None
    below: tuple[Placed, ...]
    above: tuple[Placed, ...]


def _between(stack: Stack, layer: Placed, planes: tuple[str, ...] | None) -> _Between | Missing:
    flip = turned_over(stack, layer.name, planes)
    lower, upper = (stack.reference(layer.name, up=up, planes=planes) for up in (flip, not flip))
    if lower is None:
        return Missing(f"{layer.name} has no reference plane")
    open_side = upper.between if upper else stack.beyond(layer.name, up=not flip)
    mixed = [p.name for p in (*lower.between, *open_side) if isinstance(p.spec, CopperLayer) and p.spec.role == "mixed"]
    if mixed and planes is None:
        return Missing(f"{layer.name} faces {mixed[0]}, a mixed layer: the file does not say whether a plane is there")
    return _Between(flip, lower, upper, lower.between, open_side)


def leg_pitch(trace: Trace) -> float:
    """From the middle of one leg of a pair to that of the other, across the trace [m]."""
    if trace.broadside is not None:
        return float(trace.broadside.offset.value)
    return float(trace.width.value) + (float(trace.gap.value) if trace.gap else 0.0)


def second_leg(stack: Stack, trace: Trace, *, flip: bool) -> SecondLeg | None:
    """Where the other leg of a broadside pair lies in the section of the first one, which may be turned over."""
    if trace.broadside is None:
        return None
    here, there = stack.copper(trace.layer), stack.copper(trace.broadside.layer)
    return SecondLeg(
        height=there.top - here.top if flip else here.bottom - there.bottom,
        offset=float(trace.broadside.offset.value),
        thickness=there.spec.thickness.value,
        foot_up=_core_above(stack, there) != flip and not stack.outer(there.name),
    )


def _shape_assumed(stack: Stack, layer: Placed, trace: Trace) -> Iterator[str]:
    """What is assumed of the shape of a trace: which face is the wide one, how narrow the other one may be."""
    if trace.broadside is not None:
        yield f"{trace.layer}: the leg on {trace.broadside.layer} has the same widths and foil"
    if trace.top_width is None:
        narrower = f"assumed from the width to {show(TAPER * layer.spec.thickness.value, 'um')} narrower"
        yield f"{trace.layer}: `top_width` not declared, {narrower}"
    elif _foot_open(stack, layer, trace):
        yield f"{trace.layer}: the core is not declared, the wide face taken as the lower one"


def _foot_open(stack: Stack, layer: Placed, trace: Trace) -> bool:
    """True if one face of a trace is the wide one and the file does not say which."""
    return (trace.top_width is not None and trace.top_width.value < trace.width.value
            and not _etched_on(stack, layer))


def turned_over(stack: Stack, name: str, planes: tuple[str, ...] | None = None) -> bool:
    """True if the section of a trace on this layer stands upside down: on its core, or on its only plane.

    ``planes`` are those of the trace where they are not the nearest of the stackup.
    """
    above, below = (stack.reference(name, up=up, planes=planes) for up in (True, False))
    return _core_above(stack, stack.copper(name)) if above and below else below is None


def _core_above(stack: Stack, layer: Placed) -> bool:
    return form(stack, layer, "top") == "core" and form(stack, layer, "bottom") != "core"


def _etched_on(stack: Stack, layer: Placed) -> bool:
    """True if the file says on which side of a trace its wide face is: towards its core, or inwards on the outside."""
    return stack.outer(layer.name) or (form(stack, layer, "top") == "core") != (form(stack, layer, "bottom") == "core")


def _side(
    board: Board, between: tuple[Placed, ...], frequency: float, other: str, *, outside: bool
) -> _Side | Missing:
    """The layers on one side of a trace; copper among them is taken as resin of the ply beside it.

    ``other`` is the layer of the other leg of a broadside pair, which is not left out; empty without one. A line is
    ``outside`` where no plane covers it: the room's water reaches its laminates.
    """
    plies: list[Ply] = []
    reads: list[Path] = []
    empty: list[Placed] = []
    u_dk, open_dk, u_df, no_loss = 0.0, 0.0, 0.0, None
    drift = DfDrift()
    beyond: list[str] = []
    for placed in between:
        spec = placed.spec
        if not isinstance(spec, DielectricLayer):
            empty.append(placed)
            continue
        material = dielectric(board, spec, frequency)
        if isinstance(material, Missing):
            return material
        plies.append(Ply(spec.thickness.value, material))
        reads += [("stackup", placed.index, key) for key in ("thickness", "material")]
        laminate = board.catalogue.laminates[spec.material]
        dk, df = ply_dk(board, spec, model_frequency(board, spec.material, frequency)), df_at(laminate, frequency)
        if spec.dk is not None:
            reads.append(("stackup", placed.index, "dk"))
        elif isinstance(dk, LaminateReading):
            u_dk = max(u_dk, dk.relative - DK_KNOWN)
            open_dk = max(open_dk, dk.construction if left_open(spec) else 0.0)
            reads += _construction(laminate, placed, spec)
            beyond += [by_construction(laminate, spec, dk)] if dk.ranged else []
        if isinstance(df, LaminateReading):
            u_df = max(u_df, df.modelled - DF_KNOWN)
            beyond += [extrapolated(laminate, df)] if df.octaves > 0 else []
            beyond += drift_texts(laminate, outside=outside)
            drift = drift.with_other(df_drift(laminate, spec.material, df.value, outside=outside))
        else:
            no_loss = no_loss or Missing(df.reason, f"materials.laminates{under(spec.material)}.df")
    # no resin fills the space of outermost copper: it is etched away, and air or mask is there
    for placed in (copper for copper in empty if copper is not between[-1]):
        plies = _filled(plies, between, placed)
        reads.append(("stackup", placed.index, "thickness"))
    assumed = (*dict.fromkeys(beyond), *(LEFT_OUT.format(placed.name) for placed in empty if placed.name != other))
    return _Side(tuple(plies), u_dk, open_dk, u_df, drift, no_loss, tuple(reads), assumed)


def _construction(laminate: Laminate, placed: Placed, spec: DielectricLayer) -> list[Path]:
    """Where the construction of a ply stands, if its Dk goes by it."""
    keys = ("glass", "plies", "resin", "form") if laminate.by_resin is not None else ()
    return [("stackup", placed.index, key) for key in keys if getattr(spec, key) is not None]


def _filled(plies: list[Ply], between: tuple[Placed, ...], copper: Placed) -> list[Ply]:
    """The plies with the space of a copper layer given to the prepreg beside it, else to the ply nearer the trace."""
    dielectrics = [placed for placed in between if isinstance(placed.spec, DielectricLayer)]
    index = between.index(copper)
    beside = [placed for placed in between[max(index - 1, 0) : index + 2] if placed in dielectrics]
    flows = [placed for placed in beside if getattr(placed.spec, "form", None) == "prepreg"] or beside
    if not flows:
        return plies
    at = dielectrics.index(flows[0])
    grown = Ply(plies[at].thickness + copper.spec.thickness.value, plies[at].material)
    return [*plies[:at], grown, *plies[at + 1 :]]


@dataclass(frozen=True, slots=True)
class _Cover:
    """Solder mask: ply, thickness over the trace [m], where read, what was assumed, how thin it may be there [m].

    ``drift`` is what temperature and water may add to its Df.
    """

    ply: Ply | None = None
    over_trace: float | None = None
    reads: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()
    thin: float = 0.0
    drift: DfDrift = NO_DRIFT


def _mask(board: Board, stack: Stack, name: str, *, bottom: bool, frequency: float) -> _Cover | Missing:
    """Solder mask on the open side."""
    mask: Mask | None = stack.bottom_mask if bottom else stack.top_mask
    index = len(board.layers or ()) - 1 if bottom else 0
    if mask is None:
        return _Cover(assumptions=(f"{name}: no solder mask in the stackup, assumed bare",))
    if mask.material is None:
        return Missing("the material of the solder mask is not declared", f"stackup[{index}].material")
    points = laminate_points(board, mask.material, frequency)
    if isinstance(points, Missing):
        return points
    given = mask.over_trace or not stack.outer(name)
    thin = 0.0 if given else THIN_MASK * mask.thickness.value
    assumed = () if given else (
        f"{name}: mask taken as thick over the trace as on the laminate; it may be as thin as {show(thin, 'um')}",)
    reads: tuple[Path, ...] = (("stackup", index, "thickness"), ("stackup", index, "material"))
    over = (mask.over_trace or mask.thickness).value
    laminate = board.catalogue.laminates[mask.material]
    df = df_at(laminate, frequency)
    drift = df_drift(laminate, mask.material, df.value, outside=True) if isinstance(df, LaminateReading) else DfDrift()
    ply = Ply(mask.thickness.value, DielectricPoints(points, laminate.df_factors))
    return _Cover(ply, over, reads, assumed, thin, drift)
