# SPDX-License-Identifier: MIT
"""Surface finishes of bare outer copper as plated layers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pcbrules.analysis.lines.task import Plate
from pcbrules.arrays import Complex, Real
from pcbrules.model.stackup import Finish
from pcbrules.physics.lines.plating import nickel_permeability, over

_NICKEL = Plate(4.5e-6, 7e-7, 2.0, 5e9)
"""Electroless nickel with phosphorus: 3 to 6 um (IPC-4552), 40 to 100 uohm cm in handbooks, hardly magnetic. A bare
microstrip on 0.2 mm then has 1.9 times the loss of copper at 10 GHz; 2.06 times were measured."""

_FLASH = Plate(0.05e-6, 4e-8)
"""Immersion gold: 0.04 to 0.1 um; a film thinner than the path of its electrons conducts less than gold."""

LAYERS: Mapping[Finish, tuple[Plate, ...]] = {
    "none": (),
    "osp": (),
    "imag": (Plate(0.3e-6, 1.65e-8),),
    "imsn": (Plate(1.0e-6, 1.15e-7),),
    "enig": (_NICKEL, _FLASH),
    "enepig": (_NICKEL, Plate(0.15e-6, 1.1e-7), _FLASH),
    "hard-gold": (Plate(4e-6, 9e-8, 8.0, 2e9), Plate(1.0e-6, 2.9e-8)),
}
"""Plated layers of each finish, from the copper outwards: practice, with the thicknesses of IPC-4552 to 4556 as
recalled. The resistivities are those of handbooks for plated metals."""

U_FINISH = 0.4
"""Error (k = 2) of what a finish adds to the resistance [-]: nickel of 40 to 100 uohm cm and 3 to 6 um; practice."""


def plated(beneath: Complex, frequency: Real, layers: tuple[Plate, ...]) -> Complex:
    """Surface impedance [ohm per square] of a face of its own ``beneath`` under plated layers, at frequencies [Hz]."""

    def with_layer(face: Complex, layer: Plate) -> Complex:
        permeability = nickel_permeability(frequency=frequency, static=layer.static, relaxation=layer.relaxation)
        made: Complex = over(face, frequency=frequency, thickness=layer.thickness, resistivity=layer.resistivity,
                             permeability=permeability)
        return made

    return reduce(with_layer, layers, beneath)
