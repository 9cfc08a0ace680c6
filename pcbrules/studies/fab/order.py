# SPDX-License-Identifier: MIT
"""The records of an order. A value that the board file does not hold is None: it is not ordered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pcbrules.model.outline import BoardThickness, Outline
from pcbrules.studies.losses import LossAt

SheetKind = Literal["copper", "dielectric", "mask"]

NOT_SPECIFIED = "not specified"
"""What stands in files for a value that the board file does not hold."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Half width of a value, in its unit, and where it comes from.

    ``assumed`` is True where the board file names no fabrication class: then it is not ordered.
    """

    half: float
    source: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class OrderedSheet:
    """One layer of the stackup, from the top. Lengths in metres, ``at`` in Hz.

    Attributes
    ----------
    index : int
        Its place in the board file's stackup.
    role : str
        Of copper what it is for; of a dielectric ``core`` or ``prepreg``, empty where it is not declared.
    laminate : str
        Name by which the board file calls the material.
    material : str
        Name of the material for a reader.
    dk, df, at : float or None
        Permittivity and loss tangent that the check computed with, and the frequency at which they hold.
    dk_given : bool
        True where the board file declares the Dk of the construction.
    """

    index: int
    name: str
    kind: SheetKind
    role: str
    thickness: float
    tolerance: Tolerance | None
    laminate: str = ""
    material: str = ""
    glass: tuple[str, ...] = ()
    plies: int | None = None
    resin: float | None = None
    dk: float | None = None
    df: float | None = None
    at: float | None = None
    dk_given: bool = False
    over_trace: float | None = None
    base_weight: float | None = None
    foil: str = ""
    bond: str = ""
    rz_top: float | None = None
    rz_bottom: float | None = None
    finish: str = ""
    fill: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class OrderedPlane:
    """A reference plane of a line, and the dielectric between them. [m]"""

    name: str
    distance: float


@dataclass(frozen=True, slots=True)
class OrderedLine:
    """One controlled impedance: a cross-section on a layer with its target, and the traces that have it.

    Attributes
    ----------
    number : int
        From 1, in the order of the table.
    kind : str
        ``single trace``, ``edge-coupled pair`` or ``broadside pair``.
    structure : str
        ``stripline``, ``embedded microstrip``, ``microstrip under solder mask`` or ``bare microstrip``.
    top_width : float or None
        None where the board file gives one width. [m]
    tolerance : float or None
        Impedance class that is ordered, over the target. [-]
    width_tolerance : Tolerance
        Of the width. [m]
    computed, error, spread : float or None
        Impedance [ohm], its relative model error (k = 2) and half range over fabrication [-]; None with ``why``.
    resistance : float or None
        Of the trace, or of both legs, at direct current and 20 degC. [ohm/m]
    losses : tuple of LossAt
        Empty with ``no_loss``.
    uses : tuple of str
        Traces that have it, as ``link.trace``.
    addresses : tuple of paths
        Their places in the board file.
    breakout : bool
        True of traces in breakout regions.
    neck : bool
        True of traces too short to be judged: listed, not controlled.
    """

    number: int
    layer: str
    kind: str
    structure: str
    width: float
    top_width: float | None
    gap: float | None
    side_ground: float | None
    second_layer: str
    offset: float | None
    target: float | None
    tolerance: float | None
    width_tolerance: Tolerance
    planes: tuple[OrderedPlane, ...]
    computed: float | None
    error: float | None
    spread: float | None
    why: str
    resistance: float | None
    losses: tuple[LossAt, ...]
    no_loss: str
    uses: tuple[str, ...]
    addresses: tuple[tuple[str | int, ...], ...]
    breakout: bool
    neck: bool
    assumptions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """``Z3``."""
        return f"Z{self.number}"

    @property
    def pair(self) -> bool:
        """False for a single trace."""
        return self.kind != "single trace"


@dataclass(frozen=True, slots=True)
class OrderedHole:
    """A kind of plated hole. Lengths in metres; ``count`` where the board file gives it."""

    name: str
    kind: str
    first: str
    last: str
    length: float
    drill: float
    finished: float | None
    plating: float | None
    pad: float | None
    antipad: str
    fill: str
    count: int | None
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderedBackdrill:
    """One controlled-depth drill. Lengths in metres.

    Attributes
    ----------
    start : str
        The outer layer where the drill enters.
    used : str
        The layer on which the links leave the hole; empty where no link uses the type.
    keep : str
        The layer that must not be cut.
    depth : float or None
        Nominal depth below the outer face of `start`; None where no link uses the type.
    tolerance : Tolerance
        Of the depth.
    residual : float or None
        Stub asked beyond the layer that must not be cut; None where the board file gives a depth.
    longest : float or None
        Stub beyond the layer in use at the shallowest drill.
    clearance : float or None
        From the tip of the deepest drill to the layer that must not be cut; below zero it may be cut.
    """

    via: str
    side: str
    start: str
    used: str
    keep: str
    drill: float
    diameter: float | None
    depth: float | None
    tolerance: Tolerance
    datum: str
    residual: float | None
    longest: float | None
    clearance: float | None
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PowerVias:
    """Drill and plating of holes that a rail was checked with: a model, not an order of holes. [m]"""

    rail: str
    drill: float
    plating: float


@dataclass(frozen=True, slots=True)
class FabOrder:
    """All that is ordered. Temperature of the coupons in degrees Celsius.

    Attributes
    ----------
    fab_class : str
        Fabrication class of the board file, empty without one.
    ipc_class : int or None
    impedance_class : float or None
        Ordered tolerance of the impedances. [-]
    coupon : bool or None
        Whether an impedance coupon is ordered; None where the board file does not say.
    total : float
        Sum of the layers over what the thickness is measured. [m]
    thickness_tolerance : Tolerance
        Of the board. [m]
    links : tuple of str
        Names of all links of the board.
    """

    board: str
    file: str
    sha256: str
    size: Outline | None
    thickness: BoardThickness | None
    over: str
    total: float
    thickness_tolerance: Tolerance
    fab_class: str
    ipc_class: int | None
    impedance_class: float | None
    coupon: bool | None
    aspect_ratio: float | None
    note: str
    temperature: float
    sheets: tuple[OrderedSheet, ...]
    lines: tuple[OrderedLine, ...]
    holes: tuple[OrderedHole, ...]
    backdrills: tuple[OrderedBackdrill, ...]
    power: tuple[PowerVias, ...]
    links: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """False where an impedance or a loss could not be computed."""
        return all(not (line.why or line.no_loss) for line in self.lines)
