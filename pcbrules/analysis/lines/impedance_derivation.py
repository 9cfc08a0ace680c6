# SPDX-License-Identifier: MIT
"""What an impedance is made of, for a reader who asks: capacitances, where the field is, shares of the tolerances."""

from __future__ import annotations

from pcbrules.analysis.common.dielectrics import DielectricPoints as Material
from pcbrules.analysis.common.dielectrics import dielectric
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.mode_fields import REFERENCE
from pcbrules.analysis.lines.solve import LineResult
from pcbrules.constants import EPSILON_0
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Trace
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.results.derivation import Derivation, Step
from pcbrules.units import show

SOURCE = (
    "own field solver by boundary elements, after Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT 32(4), 1984, p. 439"
)
NAMES = {"width": "trace width", "height": "dielectric heights", "thickness": "copper thickness", "dk": "Dk",
         "registration": "registration of the layers"}
KEYS = {"width": "width", "height": "dielectric", "thickness": "copper", "dk": "dk", "registration": "registration"}
"""Part of the spread: the tolerance that it comes from."""


def impedance_steps(
    board: Board, link: BoardLink, trace: Trace, line: LineResult, parts: tuple[tuple[str, float], ...]
) -> Derivation:
    """Steps of the impedance of a solved line, and of its spread over the fabrication tolerances."""
    pair = line.task.pair
    mode = line.modes.odd
    at = show(REFERENCE, "GHz")
    still = float(mode.permittivity(REFERENCE).real)
    capacitance = EPSILON_0 * mode.air * still
    steps = [
        Step("C0: capacitance of the empty section, of one leg, per metre", EPSILON_0 * mode.air, "pF", line.card),
        Step("C: capacitance of the section, of one leg, per metre", capacitance, "pF", f"{line.card}, at {at}"),
        Step("part of the field in air", mode.empty, "", "weight of its permittivity 1 in C / C0"),
    ]
    names = _names(board, link.standard.nyquist)
    for number, (weight, material) in enumerate(mode.filling, 1):
        steps += _dielectric(number, weight, material, names)
    steps += [
        Step("effective permittivity", still, "", "C / C0 = sum of weight x Dk"),
        Step("effective permittivity with dispersion", line.eps_eff, "", f"at {at}; of microstrip alone it differs"),
        Step("delay", line.delay, "ps/in", "sqrt(effective permittivity with dispersion) / c"),
        Step("Zodd: impedance of one leg" if pair else "impedance of the trace", line.z0, "ohm", "1 / (c sqrt(C C0))"),
    ]
    if pair:
        steps.append(Step("Zdiff: differential impedance", line.z_diff, "ohm", "2 Zodd"))
        steps.append(Step("Zcommon: common impedance", line.z_common, "ohm", "half the even impedance"))
    steps.append(Step("model error (k = 2) for the section as given", line.u_z, "%", line.card))
    steps += spread_steps(board, trace, parts).steps
    formulas = ("Zodd = 1 / (c sqrt(C C0)), Zdiff = 2 Zodd", "effective permittivity = C / C0 = sum of weight x Dk")
    return Derivation(formulas if pair else ("Z = 1 / (c sqrt(C C0))", formulas[1]), SOURCE, tuple(steps))


def _names(board: Board, nyquist: float) -> dict[Material, str]:
    """The layers of the stackup that a dielectric of a section may be, by its points."""
    names: dict[Material, str] = {}
    for placed in board.stack.layers if board.stack else ():
        if isinstance(placed.spec, DielectricLayer):
            made = dielectric(board, placed.spec, nyquist)
            if isinstance(made, Material):
                names.setdefault(made, placed.spec.material)
    return names


def _dielectric(number: int, weight: float, material: Material, names: dict[Material, str]) -> list[Step]:
    """Weight of a dielectric, and its Dk and Df by the same causal model as in the line."""
    eps = complex(permittivity(frequency=REFERENCE, points=material.points))
    first, last = material.points[0][0], material.points[-1][0]
    name = f"dielectric {number} ({names.get(material, 'solder mask')})"
    data = f"at {show(REFERENCE, 'GHz')}, sum of Debye poles through data from {show(first, 'GHz')}"
    data += f" to {show(last, 'GHz')}" if last > first else " alone"
    return [
        Step(f"dielectric {number}: weight", weight, "", "derivative of C by its Dk, over C0"),
        Step(f"{name}: Dk", eps.real, "", data),
        Step(f"{name}: Df", -eps.imag / eps.real, "", data),
    ]


def spread_steps(board: Board, trace: Trace, parts: tuple[tuple[str, float], ...]) -> Derivation:
    """Steps of the spread of an impedance: each tolerance, and what it makes of the impedance."""
    half_widths = tolerances(board, trace)
    steps = []
    for name, share in parts:
        unit = "um" if name in ("width", "registration") else "%"
        steps.append(Step(f"tolerance of {NAMES[name]}, half width", half_widths[KEYS[name]], unit,
                          "of the trace or layer, else of the board, else of the fabrication class"))
        steps.append(Step(f"spread of the impedance by {NAMES[name]}", share, "%"))
    formulas = ("spread = sqrt(sum of part^2)", "part = |dZ / dx| x tolerance / Z, slope by one-sided differences")
    return Derivation(formulas, "slopes by the model of the impedance", tuple(steps))
