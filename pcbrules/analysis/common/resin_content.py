# SPDX-License-Identifier: MIT
"""Resin content of a ply, by its glass and its thickness.

A balance of mass, exact by definition: what the cloth leaves of the thickness is resin with its filler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pcbrules.model.catalogue.parts import Cloth, Glass
from pcbrules.model.stackup import Dielectric

GLASS_DENSITY = 2540.0
"""Of E glass; low-Dk glass, 2300 to 2400, comes out 1 percent point of resin lower. [kg/m3]"""

RESIN_DENSITY = (1330.0, 1680.0)
"""Of cured resin with its filler: thickness against resin content in the makers' tables of N4000-13EP (least) to
MEGTRON 8 (most). [kg/m3]"""

MOST_PLIES = 12
POSSIBLE = (0.40, 0.80)
"""Resin content by weight of any construction. [-]"""


def resin_content(glass: Mapping[str, Glass], ply: Dielectric) -> tuple[float, float] | None:
    """Return the least and greatest resin content by weight [-] that a ply may have; None if nothing tells.

    A ``resin`` of the ply says it. Else the thickness between the copper and the weight of the cloth do, for the number
    of plies that is given or each that cores or prepregs on this glass are sold with.

    Parameters
    ----------
    glass : mapping
        Glass styles of the board by name.
    ply : Dielectric
    """
    if ply.resin is not None:
        return ply.resin.value, ply.resin.value
    styles = (ply.glass,) if isinstance(ply.glass, str) else ply.glass or ()
    cloths = [cloth for cloth in (glass[style].cloth for style in styles) if cloth is not None]
    if not cloths or len(cloths) < len(styles):
        return None
    sold = _sold(cloths, ply.form)
    weight = sum(cloth.weight for cloth in cloths)
    if ply.plies is not None:
        least, most = _balance(ply.thickness.value, weight * max(ply.plies / len(cloths), 1))
        return min(max(least, POSSIBLE[0]), POSSIBLE[1]), max(min(most, POSSIBLE[1]), POSSIBLE[0])
    spans = list(_each_count(ply.thickness.value, weight, sold))
    return (min(least for least, _ in spans), max(most for _, most in spans)) if spans else sold


def _sold(cloths: list[Cloth], form: str | None) -> tuple[float, float]:
    """Least and greatest resin content that cores, prepregs or either on these cloths are sold with."""
    cores = [cloth.core for cloth in cloths if form != "prepreg"]
    ranges = cores + [cloth.prepreg for cloth in cloths if form != "core"]
    return min(least for least, _ in ranges), max(most for _, most in ranges)


def _each_count(thickness: float, weight: float, sold: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Resin content for every number of plies with which it is one that is sold."""
    for count in range(1, MOST_PLIES + 1):
        least, most = _balance(thickness, weight * count)
        if least <= sold[1] and most >= sold[0]:
            yield max(least, sold[0]), min(most, sold[1])


def _balance(thickness: float, weight: float) -> tuple[float, float]:
    """Resin content of a thickness [m] with so much glass [kg/m2], by the least and greatest density of resin."""
    depth = max(thickness - weight / GLASS_DENSITY, 0.0)
    least, most = (depth * density / (depth * density + weight) for density in RESIN_DENSITY)
    return least, most
