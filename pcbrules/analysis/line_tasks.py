# SPDX-License-Identifier: MIT
"""From a trace on a layer to its cross-section as plain numbers, and the fabrication tolerances of that section."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.lines import Dielectric, LineTask, Ply
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.catalogue.select import NoReading, model_set, roughness
from pcbrules.model.link import Trace
from pcbrules.model.stack import Placed, Reference, Stack
from pcbrules.model.stackup import Copper, Mask
from pcbrules.model.stackup import Dielectric as DielectricLayer

RHO_TRACE = 1.8e-8
"""Resistivity of plated foil at 20 degC [ohm m]: practice, 4.8e7 to 5.5e7 S/m."""

RHO_PLANE = 1.7241e-8
"""Resistivity of annealed copper at 20 degC [ohm m]: 100 % IACS."""


@dataclass(frozen=True, slots=True)
class Section:
    """A trace's cross-section with the places in the board file that it was read from.

    ``flipped`` is True where the section was turned over so that the core lies below.
    """

    task: LineTask
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]
    rough: bool


@dataclass(frozen=True, slots=True)
class NoSection:
    """Why a trace has no cross-section, and the key that would give it one."""

    reason: str
    key: str = ""


def section(board: Board, link: BoardLink, step: Step, trace: Trace, temperature: float) -> Section | NoSection:
    """Cross-section of a trace at a board temperature [degC]."""
    stack = board.stack
    if stack is None:
        return NoSection("the board file has no `stackup`", "stackup")
    if link.standard.signalling == "differential" and trace.gap is None:
        return NoSection("the gap of the pair is not given", ".".join(map(str, step.path[:2])) + ".path[].trace.gap")
    layer = stack.copper(trace.layer)
    above, below = stack.reference(trace.layer, up=True), stack.reference(trace.layer, up=False)
    if above is None and below is None:
        return NoSection(f"{trace.layer} has no reference plane")
    for side in (above, below):
        if side is not None and side.crosses_signal:
            return NoSection(f"{trace.layer} shares its cavity with a signal layer (dual stripline): no closed form")
    if (above is None or below is None) and not stack.outer(trace.layer):
        return NoSection(f"{trace.layer} has a plane on one side only (embedded microstrip): no closed form")
    flip = _core_above(above, below) if above and below else below is None
    lower, upper = (above, below) if flip else (below, above)
    if lower is None:
        raise AssertionError("a line has a plane below")
    nyquist = link.standard.nyquist
    reads: list[Path] = [(*step.path, key) for key in ("width", "gap", "top_width", "layer") if _given(trace, key)]
    reads.append(("stackup", layer.index, "thickness"))
    plies = {}
    for name, side in (("below", lower), ("above", upper)):
        made = _plies(board, side, nyquist) if side else ()
        if isinstance(made, NoSection):
            return made
        plies[name] = made
        for ply in side.plies if side else ():
            reads += [("stackup", ply.index, "thickness"), ("stackup", ply.index, "material")]
    thickness = layer.spec.thickness.value
    if plies["above"]:
        first = plies["above"][0]
        plies["above"] = (Ply(first.thickness + thickness, first.material), *plies["above"][1:])
    cover, over_trace = None, None
    mask = (stack.bottom_mask if flip else stack.top_mask) if stack.outer(trace.layer) else None
    if mask is not None:
        covered = _mask(board, mask, nyquist)
        if isinstance(covered, NoSection):
            return covered
        cover, over_trace = covered, (mask.over_trace or mask.thickness).value
        reads.append(("stackup", 0 if mask is stack.top_mask else len(board.file.stackup or ()) - 1, "thickness"))
    rz, rough, rz_reads, assumptions = _faces(board, layer, lower, upper, flip)
    width = trace.width.value
    return Section(
        task=LineTask(
            width_foot=width,
            width_top=trace.top_width.value if trace.top_width else width,
            thickness=thickness,
            gap=trace.gap.value if trace.gap else None,
            foot_up=False,
            below=plies["below"],
            above=plies["above"],
            cover=cover,
            cover_over_trace=over_trace,
            rz=rz,
            resistivity_trace=RHO_TRACE,
            resistivity_plane=RHO_PLANE,
            temperature=temperature,
        ),
        reads=(*reads, *rz_reads),
        assumptions=assumptions,
        rough=rough,
    )


def _given(trace: Trace, key: str) -> bool:
    return getattr(trace, key) is not None


def _core_above(above: Reference, below: Reference) -> bool:
    """True if the trace was etched on the core above it: its wide face then faces up."""
    return _form(above) == "core" and _form(below) != "core"


def _form(side: Reference) -> str | None:
    spec = side.plies[0].spec if side.plies else None
    return spec.form if isinstance(spec, DielectricLayer) else None


def _plies(board: Board, side: Reference, frequency: float) -> tuple[Ply, ...] | NoSection:
    result = []
    for ply in side.plies:
        spec = ply.spec
        if not isinstance(spec, DielectricLayer):
            continue
        material = dielectric(board, spec, frequency)
        if isinstance(material, NoSection):
            return material
        result.append(Ply(spec.thickness.value, material))
    return tuple(result)


def dielectric(board: Board, spec: DielectricLayer, frequency: float) -> Dielectric | NoSection:
    """Dielectric points of a layer, from the set of its laminate that is to be used at this frequency [Hz]."""
    laminate = board.catalogue.laminates[spec.material]
    data = model_set(laminate, frequency)
    if isinstance(data, NoReading):
        return NoSection(data.reason, f"materials.laminates.{spec.material}.dk")
    points = tuple((float(p.f), float(p.dk), float(p.df)) for p in data.points)
    if spec.dk is not None:
        at = min(points, key=lambda p: abs(p[0] - frequency))
        factor = spec.dk.value / at[1]
        points = tuple((f, dk * factor, df) for f, dk, df in points)
    return Dielectric(points)


def _mask(board: Board, mask: Mask, frequency: float) -> Ply | NoSection:
    if mask.material is None:
        return NoSection("the material of the solder mask is not given", "stackup[].material of the mask")
    data = model_set(board.catalogue.laminates[mask.material], frequency)
    if isinstance(data, NoReading):
        return NoSection(data.reason, f"materials.laminates.{mask.material}.dk")
    return Ply(mask.thickness.value, Dielectric(tuple((float(p.f), float(p.dk), float(p.df)) for p in data.points)))


def _faces(
    board: Board, layer: Placed, lower: Reference, upper: Reference | None, flip: bool
) -> tuple[tuple[float, float, float, float], bool, list[Path], tuple[str, ...]]:
    """Rz of trace lower and upper face and of the facing faces of the planes, in the section's own orientation."""
    down, up = ("top", "bottom") if flip else ("bottom", "top")
    wanted = [(layer, down), (layer, up), (lower.plane, up)] + ([(upper.plane, down)] if upper else [])
    values: list[float] = []
    reads: list[Path] = []
    assumptions: list[str] = []
    rough = True
    for i, (placed, side) in enumerate(wanted):
        found = face_rz(board, placed, side)
        if found is None:
            rough = False if i < 2 else rough
            values.append(values[0] if i >= 2 else 0.0)
            if i >= 2:
                assumptions.append(f"{placed.name}: foil not given, taken as the trace's")
            continue
        rz, path = found
        values.append(rz)
        reads.append(path)
    values += [values[-1]] * (4 - len(values))
    return (values[0], values[1], values[2], values[3]), rough, reads, tuple(dict.fromkeys(assumptions))


def face_rz(board: Board, placed: Placed, side: str) -> tuple[float, Path] | None:
    """Effective Rz of one face [m] and where it was read, or None if the foil is not given.

    The face towards a prepreg has the bond treatment, the roughest of the library if none is named; a measured
    ``rz_top`` or ``rz_bottom`` wins over the foil class.
    """
    spec = placed.spec
    if not isinstance(spec, Copper):
        raise TypeError(placed.name)
    measured = spec.rz_top if side == "top" else spec.rz_bottom
    if measured is not None:
        return measured.value, ("stackup", placed.index, f"rz_{side}")
    if spec.foil is None:
        return None
    name = spec.foil if isinstance(spec.foil, str) else (spec.foil.top if side == "top" else spec.foil.bottom)
    foil = board.catalogue.foils[name]
    path = ("stackup", placed.index, "foil")
    if not faces_prepreg(board.stack, placed, side):
        return roughness(foil, None)[0], path
    if spec.bond is not None:
        return roughness(foil, board.catalogue.bonds[spec.bond])[0], path
    return max(roughness(foil, bond)[0] for bond in board.catalogue.bonds.values()), path


def faces_prepreg(stack: Stack | None, placed: Placed, side: str) -> bool:
    """True unless the dielectric on this side is declared a core."""
    if stack is None:
        return True
    _, plies = stack.adjacent(placed.name, up=side == "top")
    spec = plies[0].spec if plies else None
    return not (isinstance(spec, DielectricLayer) and spec.form == "core")


def tolerances(board: Board, step: Step, trace: Trace, task: LineTask) -> dict[str, float]:
    """Half widths of width [m], and of dielectric height, copper thickness and Dk [-], of this section.

    A tolerance in the file wins over the board's own, that over the fabrication class.
    """
    own = board.file.fabrication.tolerances if board.file.fabrication else None
    fab = board.fabrication
    width = trace.width.plus
    if width is None and own is not None and own.width is not None:
        # a ratio is below 1 and a width in metres far below: the text tells them apart
        width = own.width.value * trace.width.value if "%" in own.width.text else own.width.value
    return {
        "width": fab.width if width is None else width,
        "dielectric": fab.dielectric if own is None or own.dielectric is None else own.dielectric.value,
        "copper": fab.copper if own is None or own.copper is None else own.copper.value,
        "dk": fab.dk if own is None or own.dk is None else own.dk.value,
    }
