# SPDX-License-Identifier: MIT
"""Ground copper beside a trace on its layer: from the board file to plain numbers, and what is assumed of it."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.lines.task import SideGround
from pcbrules.constants import LIGHT
from pcbrules.model.board import Path
from pcbrules.model.link import Trace
from pcbrules.units import show

POUR = 10.0
"""Width of a pour that is not declared, over gap and height of the plane together [-]: impedance and loss are those of
an endless one to 1e-4."""

STITCHED = 20
"""A ground whose vias are nearer than the wavelength in air over this is at the potential of the planes [-]: a tenth of
the wavelength in a laminate of Dk 4; practice."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The ground beside a trace, if there is any, where it was read, and what is assumed of it."""

    ground: SideGround | None = None
    reads: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()


def side_ground(trace: Trace, path: Path, height: float, frequency: float) -> Beside:
    """Ground beside a trace at ``path`` of the board file.

    Parameters
    ----------
    trace : Trace
        With its layer.
    path : Path
        Its place in the file.
    height : float
        Of the trace over its nearer plane. [m]
    frequency : float
        Up to which the ground must be at the potential of the planes. [Hz]

    Returns
    -------
    Beside
        Nothing for a trace without ``coplanar``.
    """
    given = trace.coplanar
    if given is None:
        return Beside()
    gap, place = float(given.gap.value), (*path, "coplanar")
    width = POUR * (gap + height) if given.width is None else float(given.width.value)
    keys = [key for key in ("gap", "width", "stitching") if getattr(given, key) is not None]
    name = f"{trace.layer}: ground beside the trace"
    assumed = [] if given.width is not None else [f"{name} taken as a wide pour, `coplanar.width` not declared"]
    longest = LIGHT / frequency / STITCHED
    if given.stitching is None:
        assumed.append(f"{name} taken as stitched to its planes, `coplanar.stitching` not declared: every "
                       f"{show(longest, 'mm', 2)} or closer at {show(frequency, 'GHz')}")
    elif given.stitching.value > longest:
        assumed.append(f"{name} has vias {given.stitching.text} apart, more than {show(longest, 'mm', 2)}: resonances "
                       f"of the ground at {show(frequency, 'GHz')} are not modelled")
    return Beside(SideGround(gap, width), tuple((*place, key) for key in keys), tuple(assumed))
