# SPDX-License-Identifier: MIT
"""Striplines: exact sections, an independent boundary-element solution over the whole range, laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from boundary_elements import capacitance
from hypothesis import assume, given
from hypothesis import strategies as st

from pcbrules.physics.lines import stripline as module
from pcbrules.physics.lines.stripline import stripline_capacitance, stripline_filling, stripline_pair_capacitance
from pcbrules.physics.lines.stripline_thin import pair_ratio, thin_strip

ETA = 376.730313668
STEP = 1e-4


def logarithmic(bounds: tuple[float, float]) -> st.SearchStrategy[float]:
    return st.floats(np.log(bounds[0] * (1 + 1e-9)), np.log(bounds[1] * (1 - 1e-9))).map(lambda x: float(np.exp(x)))


@st.composite
def sections(draw: st.DrawFn) -> dict[str, float]:
    """Lengths over the plane spacing of a pair inside the card's range."""
    made = {
        "width": draw(logarithmic(module.PAIR_WIDTHS)),
        "gap": draw(logarithmic(module.PAIR_GAPS)),
        "thickness": draw(logarithmic(module.PAIR_THICKNESSES)),
        "position": draw(st.floats(*module.PAIR_POSITIONS)),
        "taper": draw(st.floats(*module.TAPERS)),
    }
    near = min(made["position"], 1 - made["position"]) * (1 - made["thickness"])
    lean = abs(made["taper"]) * made["thickness"] / 2
    assume(near >= made["thickness"])
    assume(made["gap"] - lean >= made["thickness"])
    assume(made["width"] > 3 * lean)
    return made


def lengths(section: dict[str, float]) -> dict[str, float]:
    """The same with distances instead of ratios."""
    t = section["thickness"]
    return {
        "width": section["width"],
        "gap": section["gap"],
        "thickness": t,
        "below": section["position"] * (1 - t),
        "above": (1 - section["position"]) * (1 - t),
        "taper": section["taper"],
    }


def solved(*, width: float, gap: float, thickness: float, below: float, above: float, taper: float) -> np.ndarray:
    """Capacitances of a single trace and of the even and odd mode, from distances in any unit."""
    b = below + thickness + above
    one = {"width": width / b, "thickness": thickness / b, "position": below / (below + above), "taper": taper}
    return np.array([stripline_capacitance(**one), *stripline_pair_capacitance(gap=gap / b, **one)])


@pytest.mark.parametrize(
    ("width", "z"),
    [(0.05, 235.6942816), (0.1, 194.2262546), (0.5, 100.4324507), (1.0, 65.35362511), (2.0, 38.57932255)],
)
def test_thin_strip_is_exact(width: float, z: float) -> None:
    assert ETA / thin_strip(width=width) == pytest.approx(z, rel=1e-9)


@pytest.mark.parametrize(
    ("width", "gap", "even", "odd"),
    [
        (0.5, 0.2, 117.0865029, 80.10344333),
        (0.35, 0.1, 152.9566677, 79.75698727),
        (0.25, 0.05, 191.0654743, 75.80967052),
        (1.0, 0.5, 68.19587192, 62.15712728),
    ],
)
def test_a_thin_pair_is_exact(width: float, gap: float, even: float, odd: float) -> None:
    own, pitch = np.asarray(np.pi / 2 * width), np.asarray(np.pi / 2 * (width + gap))
    assert ETA / (4 * pair_ratio(own, pitch, pitch)) == pytest.approx([even, odd], rel=1e-9)


def test_thin_forms_stay_exact_for_wide_strips() -> None:
    wide = thin_strip(width=30.0)
    assert wide == pytest.approx(4 * (30.0 + 2 * np.log(2) / np.pi), rel=1e-9)


@pytest.mark.parametrize(
    ("w", "t", "b", "dk", "z"),
    [
        (0.5, 0.1, 1.0, 1.0, 83.0664218),
        (0.5, 0.02, 1.0, 1.0, 95.62036417),
        (0.2, 0.1, 1.0, 1.0, 119.4624652),
        (0.1, 0.05, 1.0, 1.0, 160.6817485),
        (5.0, 0.6, 12.6, 3.4, 55.02641934),
        (4.2, 0.6, 9.6, 3.4, 51.15010598),
        (7.0, 1.2, 11.2, 3.4, 39.67377506),
    ],
)
def test_centred_bar_against_exact_conformal_maps(w: float, t: float, b: float, dk: float, z: float) -> None:
    made = stripline_capacitance(width=w / b, thickness=t / b, position=0.5)
    assert ETA / made / dk**0.5 == pytest.approx(z, rel=2e-3)


@pytest.mark.parametrize(
    ("w", "t", "below", "above", "dk", "z"),
    [(5.0, 0.6, 4.0, 6.0, 3.4, 48.53321843), (6.0, 1.2, 5.0, 12.0, 3.65, 49.88054069)],
)
def test_offset_bar_against_exact_conformal_maps(
    w: float, t: float, below: float, above: float, dk: float, z: float
) -> None:
    b = below + t + above
    made = stripline_capacitance(width=w / b, thickness=t / b, position=below / (below + above))
    assert ETA / made / dk**0.5 == pytest.approx(z, rel=4e-3)


@pytest.mark.parametrize(
    ("w", "s", "t", "b", "dk", "even", "odd"),
    [
        (0.5, 0.2, 0.1, 1.0, 1.0, 99.48122905, 60.67156052),
        (4.5, 6.0, 0.6, 12.6, 3.4, 63.16244484, 51.82559751),
        (4.0, 4.0, 1.2, 11.2, 3.4, 59.61331935, 43.07927344),
        (1.397, 1.407, 0.03, 2.0, 2.55, 51.63556888, 48.40436783),
        (1.372, 0.694, 0.03, 2.0, 2.55, 55.32086483, 45.03886153),
    ],
)
def test_centred_bars_against_exact_conformal_maps(
    w: float, s: float, t: float, b: float, dk: float, even: float, odd: float
) -> None:
    made = stripline_pair_capacitance(width=w / b, gap=s / b, thickness=t / b, position=0.5)
    assert ETA / made / dk**0.5 == pytest.approx([even, odd], rel=4e-3)


@pytest.mark.long
def test_accuracy_of_the_cards_over_their_whole_range() -> None:
    """Boundary elements on 40 sections: twice the standard deviation is the card's figure, no section past 2.5 %."""
    rng = np.random.default_rng(20)
    errors: list[list[float]] = []
    while len(errors) < 40:
        low, high = np.log([module.PAIR_WIDTHS, module.PAIR_GAPS, module.PAIR_THICKNESSES]).T
        w, s, t = np.exp(rng.uniform(low, high))
        p, taper, below_dk, beside_dk = rng.uniform([1 / 6, -1, 0.8, 0.85], [5 / 6, 1, 1.25, 1.18])
        lean = taper * t / 2
        if min(p, 1 - p) * (1 - t) < t or s - abs(lean) < t or w < 3 * abs(lean):
            continue
        one = {"width": w, "thickness": t, "position": p, "taper": taper}
        made = [stripline_capacitance(**one), *stripline_pair_capacitance(gap=s, **one)]
        filling = np.column_stack([stripline_filling(**one), stripline_filling(gap=s, **one)])
        row: list[float] = []
        for i, (gap, sign) in enumerate(((None, 1), (s - lean, 1), (s - lean, -1))):
            shape = {"width_low": w + lean, "width_high": w - lean, "thickness": t, "below": p * (1 - t)}
            shape |= {"spacing": 1.0, "gap": gap, "sign": sign, "fine": 18}
            air = capacitance(**shape)
            filled = capacitance(dk=(below_dk, 1.0), beside=beside_dk, **shape)
            permittivity = filling[:, i] @ [below_dk, beside_dk, 1.0]
            row += [made[i] / air - 1, np.sqrt(permittivity * air / filled) - 1]
        errors.append(row)
    spread = 2 * np.sqrt(np.mean(np.square(errors), axis=0))
    u_single, u_pair, u_filling = (
        model.card.u or 0 for model in (stripline_capacitance, stripline_pair_capacitance, stripline_filling)
    )
    assert spread[0] < u_single
    assert max(spread[2], spread[4]) < u_pair
    assert max(spread[1::2]) < u_filling
    assert np.max(np.abs(errors)) < 0.025


@given(sections(), st.floats(0.3, 3))
def test_scale_does_not_matter(section: dict[str, float], scale: float) -> None:
    a = lengths(section)
    b = {name: value if name == "taper" else scale * value for name, value in a.items()}
    np.testing.assert_allclose(solved(**b), solved(**a), rtol=1e-9)


@given(sections())
def test_turned_over_it_is_the_same(section: dict[str, float]) -> None:
    a = lengths(section)
    b = a | {"below": a["above"], "above": a["below"], "taper": -a["taper"]}
    np.testing.assert_allclose(solved(**b), solved(**a), rtol=1e-10)
    one = {name: section[name] for name in ("width", "gap", "thickness", "position", "taper")}
    turned = one | {"position": 1 - one["position"], "taper": -one["taper"]}
    np.testing.assert_allclose(stripline_filling(**turned)[::-1], stripline_filling(**one), rtol=1e-9)


@pytest.mark.parametrize(
    ("moved", "sign"),
    [
        ({"width": 1}, 1),
        ({"width": 1, "gap": -1}, 1),
        ({"thickness": 1}, 1),
        ({"below": 1}, -1),
        ({"above": 1}, -1),
        ({"thickness": -1, "below": 1}, -1),
        ({"thickness": -1, "above": 1}, -1),
    ],
    ids=str,
)
@given(section=sections())
def test_capacitance_goes_with_every_length_as_it_must(
    section: dict[str, float], moved: dict[str, int], sign: int
) -> None:
    a = lengths(section)
    step = STEP * min(a["thickness"], a["below"], a["above"], a["gap"], a["width"])
    up, down = (a | {name: a[name] + side * way * step for name, way in moved.items()} for side in (1, -1))
    assert np.all(sign * (solved(**up) - solved(**down)) > 0)


@given(sections())
def test_odd_mode_has_more_capacitance_than_one_trace_and_even_mode_less(section: dict[str, float]) -> None:
    single, even, odd = solved(**lengths(section))
    assert even <= odd
    assert even <= single * 1.001
    assert odd >= single * 0.999


@given(sections())
def test_weights_of_the_dielectrics_are_parts_of_one(section: dict[str, float]) -> None:
    weights: Any = stripline_filling(**section)
    assert np.all(weights > 0)
    np.testing.assert_allclose(weights.sum(axis=0), 1, rtol=1e-12)
