# SPDX-License-Identifier: MIT
"""Ground vias beside the vias of fast links.

What it checks: at every via through a plane, the distance of the nearest ground vias, axis to axis, over a quarter of
the wavelength at Nyquist in the laminates that the hole goes through; and that there is one on either side of the
signal via or pair.

Why it matters: the signal leaves one pair of planes for another, and its return current follows through the ground
vias. Where these are farther than a quarter wavelength, power runs off between the planes: a full-wave model of a pair
without any stub loses 4 dB at 50 GHz with two distant ground vias, and 0.2 dB with six more.

How to fix it: place a ground via within the distance at either end of the pair, or on both sides of a single via.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.edits import Proposal
from pcbrules.results.facts.vias import GroundVias
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

SPARSE = 35e9
"""Nyquist frequency above which two ground vias a pair may not be enough [Hz]: full-wave reference of one pair."""

HUNDREDTH = 1e-5
"""Step of a proposed distance [m]."""

META = Meta(
    id="VIA001",
    name="ground-vias",
    title="Ground vias beside a via",
    needs=GroundVias,
    limits={"distance": "number", "per_side": "number"},
    counts={"distance": "quarter wavelengths", "per_side": "ground vias"},
    inputs=("via_types.*.return_vias", "via_types.*.span", "stackup[].dk", "stackup[].material", "links.*.path[].via",
            "links.*.standard"),
)


def check(fact: GroundVias, limits: Limits) -> Iterator[Verdict]:
    """Compare the distance in quarter wavelengths, and the number on either side, with their limits."""
    quarter = show(fact.quarter, "mm")
    apart = show(fact.apart, "mm")
    if "distance" in limits and fact.distance is not None:
        yield Verdict(
            measured=fact.distance,
            bound=limits["distance"],
            message=f"the nearest ground vias stand {apart} away, {fact.distance.value:.3g} of a quarter wavelength "
            f"({quarter} at {show(fact.nyquist, 'GHz', 4)})",
            fix="place ground vias nearer to the signal vias, on both sides",
            note="Above 35 GHz even near ground vias may be too few: simulate the transition." if fact.nyquist > SPARSE
            else "",
            proposal=_nearer(fact.distance, fact.apart, limits["distance"].limit),
        )
    if "per_side" in limits:
        number = fact.per_side.value
        yield Verdict(
            measured=fact.per_side,
            bound=limits["per_side"],
            part="count",
            message=f"{number:g} ground via{'' if number == 1 else 's'} on the side that has fewer",
            fix="place a ground via on either side, within a quarter wavelength",
            where=fact.per_side.reads[0],
        )


def _nearer(ratio: Measured, apart: float, limit: Limit | None) -> Proposal | None:
    """A distance, in whole hundredths of a millimetre, that is near enough in every cavity."""
    if limit is None or limit.high is None:
        return None
    hundredths = int(apart * limit.high / ratio.hi / HUNDREDTH * (1 - 1e-9))
    return Proposal(ratio.reads[0], f"{hundredths / 100:g} mm") if hundredths > 0 else None
