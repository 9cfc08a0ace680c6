# SPDX-License-Identifier: MIT
"""Factor of every model over frequency for a smooth and a rough foil."""

from __future__ import annotations

import math

import numpy as np
from _sample_line import COPPER

from pcbrules.physics.lines.conductor import skin_depth
from pcbrules.physics.lines.gradient_roughness import gradient
from pcbrules.physics.lines.roughness import cannonball, groiss, hammerstad
from pcbrules.reports._plot import Curve, Panel, draw

GIGA = 1e9


def picture() -> str:
    """The picture as SVG."""
    frequency = np.geomspace(1e8, 1e11, 61)
    depth = skin_depth(frequency=frequency, resistivity=COPPER)
    panels = []
    for rz in (1.5e-6, 4.5e-6):
        rms = rz / math.sqrt(12)
        factors = (
            ("cannonball (default)", cannonball(skin_depth=depth, rz=rz)),
            ("gradient", (((1 + 1j) * gradient(skin_depth=depth, rms=rms)).real)),
            ("Hammerstad", hammerstad(skin_depth=depth, rms=rms)),
            ("Groiss", groiss(skin_depth=depth, rms=rms)),
        )
        curves = [Curve(name, frequency / GIGA, y, i, dashed=i > 1) for i, (name, y) in enumerate(factors)]
        panels.append(
            Panel(f"Rz {rz * 1e6:g} µm", "frequency [GHz]", "rough over smooth resistance", (0.1, 100), (1, 7), curves,
                  log_x=True)
        )
    return draw(panels, title="Factor on the resistance by every model of roughness")
