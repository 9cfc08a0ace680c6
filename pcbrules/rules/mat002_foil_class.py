# SPDX-License-Identifier: MIT
"""Copper foil class beside each link.

What it checks: the class of the roughest face of each link's traces, and of the faces of the planes that they see.
Classes, roughest first: ED, RTF, LP, VLP, VLP2, HVLP, HVLP2, HVLP3. A face that was laminated to a prepreg carries the
bond treatment as well: if its roughness is then that of a rougher class, it counts as one. The effective Rz is printed,
because class names are not standardised.

Why it matters: at these frequencies current flows in the outermost half micrometre. A rough face makes its path longer:
at 26.56 GHz an inch of stripline loses about 1.2 dB with Rz 1.5 um, 1.6 dB with 3 um, 2.9 dB with 8 um.

How to fix it: order a smoother foil, and a bond treatment that keeps it smooth; or measure Rz and state it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.edits import Proposal
from pcbrules.results.facts.materials import FoilFace
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._bounds import FOIL_CLASSES
from pcbrules.ties import same
from pcbrules.units import show

META = Meta(
    id="MAT002",
    name="foil-class",
    title="Copper foil class beside a link",
    needs=FoilFace,
    limits={"trace": "foil_class", "plane": "foil_class"},
    inputs=("stackup[].foil", "stackup[].bond", "stackup[].form", "stackup[].rz_top", "stackup[].rz_bottom"),
)


def check(fact: FoilFace, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the class of the roughest face with the least that the profile asks for."""
    bound = limits.get("plane" if fact.on_plane else "trace")
    if bound is None:
        if fact.on_plane:
            yield Skip("the profile sets no foil class for the planes beside this link", applicable=False)
        return
    if fact.rank is None or fact.rz is None:
        yield Skip(fact.missing, bound=bound)
        return
    rz = show(fact.rz.value, "um")
    if not same(fact.rz.lo, fact.rz.hi):
        rz += f" ({show(fact.rz.lo, 'um')} to {show(fact.rz.hi, 'um')})"
    worst = FOIL_CLASSES[int(fact.rank.lo)].upper()
    doubt = f", {worst} at worst" if fact.rank.lo < fact.rank.value else ""
    yield Verdict(
        measured=fact.rank,
        bound=bound,
        message=f"{fact.face}: {FOIL_CLASSES[int(fact.rank.value)].upper()}{doubt}, effective Rz {rz}; {fact.foil}",
        fix="order a smoother foil, a bond treatment that keeps it smooth, or state the measured Rz",
        note=_cost(fact, bound),
        proposal=_smoother(fact, bound),
    )


def _cost(fact: FoilFace, bound: Bound) -> str:
    if fact.growth is None or bound.limit is None or bound.limit.low is None:
        return ""
    asked = int(bound.limit.low)
    most = fact.growths[asked]
    against = "" if most is None else f", {FOIL_CLASSES[asked].upper()} at its roughest {most:.2f} times"
    at = show(fact.nyquist, "GHz", 4)
    return f"At {at} this face has {fact.growth:.2f} times the resistance of a smooth one{against}."


def _smoother(fact: FoilFace, bound: Bound) -> Proposal | None:
    if bound.limit is None or bound.limit.low is None:
        return None
    return Proposal(fact.foil_path, FOIL_CLASSES[int(bound.limit.low)])
