# SPDX-License-Identifier: MIT
"""Thermal resistance of a stack of interfaces, and how far tolerances move it.

One-dimensional series, exact by definition, so without cards: every layer is ``t / (k A)`` and a contact ``Rc / A``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.physics.common.tolerance_stack import stack_root_sum_square, stack_shares, stack_worst_case


@dataclass(frozen=True, slots=True)
class Interface:
    """One layer with its tolerances: thickness [m], conductivity [W/(m K)], contact of unit area [K m^2/W]."""

    thickness: float
    conductivity: float
    contact: float = 0.0
    thickness_tolerance: float = 0.0
    conductivity_tolerance: float = 0.0
    contact_tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class LayerResistance:
    """Resistance of one layer [K/W]: nominal, the effect of each tolerance by its slope, and the exact ends.

    ``shares`` are those of thickness, conductivity and contact in the variance of the whole stack. [-]
    """

    nominal: float
    by_thickness: float
    by_conductivity: float
    by_contact: float
    least: float
    most: float
    shares: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class StackResistance:
    """Resistance of the stack [K/W].

    Attributes
    ----------
    nominal : float
        Sum of the layers.
    linear : float
        Worst case by the slopes: every tolerance times its sensitivity, added up. It is below the exact one upwards.
    root_sum_square : float
        Root of the sum of squares of the same, tolerances taken as the same multiple of sigma.
    least, most : float
        Exact corners: least conductivity with greatest thickness and contact, and the reverse.
    layers : tuple of LayerResistance
        In the order given.
    """

    nominal: float
    linear: float
    root_sum_square: float
    least: float
    most: float
    layers: tuple[LayerResistance, ...]


def stack_resistance(*, layers: Sequence[Interface], area: float) -> StackResistance:
    """Resistance of layers in series between two plates of one area.

    Parameters
    ----------
    layers : sequence of Interface
        From the part to the sink.
    area : float
        Area of contact. [m^2]

    Returns
    -------
    StackResistance
        Nominal, linear worst case, root of squares, exact corners and the shares. [K/W]

    Raises
    ------
    ValueError
        A conductivity is not above its tolerance: its worst case has no end.

    Examples
    --------
    >>> pad = Interface(1e-3, 3.0, 15e-6, thickness_tolerance=0.25e-3, conductivity_tolerance=0.3)
    >>> found = stack_resistance(layers=[pad], area=900e-6)
    >>> f"{found.nominal:.3f} {found.least:.3f} {found.most:.3f} K/W"
    '0.387 0.269 0.531 K/W'
    """
    if any(one.conductivity <= abs(one.conductivity_tolerance) for one in layers):
        raise ValueError("a conductivity is not above its tolerance")
    effects = [_effects(one, area) for one in layers]
    flat = [effect for three in effects for effect in three]
    shares = stack_shares(tolerances=flat)
    found = tuple(
        LayerResistance(
            _at(one, area, 0), *three, _at(one, area, -1), _at(one, area, 1), (shares[i], shares[i + 1], shares[i + 2])
        )
        for i, one, three in zip(range(0, len(flat), 3), layers, effects, strict=True)
    )
    return StackResistance(
        nominal=sum(one.nominal for one in found),
        linear=stack_worst_case(tolerances=flat),
        root_sum_square=stack_root_sum_square(tolerances=flat),
        least=sum(one.least for one in found),
        most=sum(one.most for one in found),
        layers=found,
    )


def _effects(one: Interface, area: float) -> tuple[float, float, float]:
    """Slope times tolerance of thickness, conductivity and contact. [K/W]"""
    return (
        abs(one.thickness_tolerance) / (one.conductivity * area),
        one.thickness * abs(one.conductivity_tolerance) / (one.conductivity**2 * area),
        abs(one.contact_tolerance) / area,
    )


def _at(one: Interface, area: float, side: int) -> float:
    """Resistance of a layer with every tolerance at its least (-1), nominal (0) or greatest (1) resistance. [K/W]

    Neither thickness nor contact falls below zero.
    """
    thickness = max(one.thickness + side * abs(one.thickness_tolerance), 0.0)
    conductivity = one.conductivity - side * abs(one.conductivity_tolerance)
    return (thickness / conductivity + max(one.contact + side * abs(one.contact_tolerance), 0.0)) / area


@dataclass(frozen=True, slots=True)
class GapFill:
    """What a gap of varying height between two faces does; gaps in m, resistances in K/W.

    ``interference`` is True where the least gap of the worst case is below zero: the parts touch and press.
    ``interference_likely`` is the same by the root of squares.
    """

    nominal: float
    worst: tuple[float, float]
    likely: tuple[float, float]
    resistance: float
    resistance_worst: float
    resistance_likely: float
    shares: tuple[float, ...]
    interference: bool
    interference_likely: bool


def gap_fill(
    *, heights: Sequence[float], signs: Sequence[int], tolerances: Sequence[float], conductivity: float, area: float
) -> GapFill:
    """Gap as a signed sum of toleranced heights, and the resistance of what fills it.

    Parameters
    ----------
    heights : sequence of float
        Nominal heights. [m]
    signs : sequence of +1 or -1, same length
        +1 where a height opens the gap.
    tolerances : sequence of float, same length
        Half widths; the same multiple of sigma in the root of squares. [m]
    conductivity : float
        Of what fills the gap. [W/(m K)]
    area : float
        [m^2]

    Returns
    -------
    GapFill
        Gaps, resistances (zero for a gap below zero), shares of the variance in the order given, interference.

    Examples
    --------
    >>> found = gap_fill(heights=[3e-3, 1.9e-3], signs=[1, -1], tolerances=[80e-6, 60e-6], conductivity=4.0,
    ...                  area=625e-6)
    >>> f"{found.nominal * 1e6:.0f} um, {found.resistance:.2f} K/W, worst {found.resistance_worst:.3f} K/W"
    '1100 um, 0.44 K/W, worst 0.496 K/W'
    """
    nominal = sum(height * sign for height, sign in zip(heights, signs, strict=True))
    worst, likely = stack_worst_case(tolerances=tolerances), stack_root_sum_square(tolerances=tolerances)
    resistances = [max(gap, 0.0) / (conductivity * area) for gap in (nominal, nominal + worst, nominal + likely)]
    return GapFill(
        nominal=nominal,
        worst=(nominal - worst, nominal + worst),
        likely=(nominal - likely, nominal + likely),
        resistance=resistances[0],
        resistance_worst=resistances[1],
        resistance_likely=resistances[2],
        shares=stack_shares(tolerances=tolerances),
        interference=nominal - worst < 0,
        interference_likely=nominal - likely < 0,
    )
