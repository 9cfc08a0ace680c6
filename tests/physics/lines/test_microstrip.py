# SPDX-License-Identifier: MIT
"""Microstrips: published figures, an independent boundary-element solution over the whole range, laws; solder mask."""

from __future__ import annotations

import numpy as np
import pytest
from boundary_elements import capacitance
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.constants import epsilon_0

from pcbrules.physics.lines import microstrip as module
from pcbrules.physics.lines import solder_mask
from pcbrules.physics.lines.cross_section.electrostatic import solve_modes
from pcbrules.physics.lines.cross_section.section import Section
from pcbrules.physics.lines.microstrip import (
    microstrip_capacitance,
    microstrip_pair_capacitance,
    microstrip_pair_permittivity,
    microstrip_permittivity,
)
from pcbrules.physics.lines.microstrip_thin import thin_microstrip, thin_microstrip_pair
from pcbrules.physics.lines.solder_mask import mask_pair_permittivity, mask_permittivity

ETA = 376.730313668
STEP = 1e-5


def logarithmic(bounds: tuple[float, float]) -> st.SearchStrategy[float]:
    return st.floats(np.log(bounds[0] * (1 + 1e-9)), np.log(bounds[1] * (1 - 1e-9))).map(lambda x: float(np.exp(x)))


@st.composite
def sections(draw: st.DrawFn) -> dict[str, float]:
    """Lengths over the height of a pair inside the card's range, with the height and the Dk."""
    made = {
        "width": draw(logarithmic(module.WIDTHS)),
        "gap": draw(logarithmic(module.GAPS)),
        "thickness": draw(logarithmic(module.THICKNESSES)),
        "taper": draw(st.floats(*module.TAPERS)),
        "dk": draw(st.floats(*module.DKS)),
        "height": 1.0,
    }
    lean = made["taper"] * made["thickness"] / 2
    assume(made["gap"] - lean >= made["thickness"])
    assume(made["width"] > 3 * lean)
    return made


def solved(
    *, width: float, gap: float, thickness: float, taper: float, dk: float, height: float
) -> tuple[np.ndarray, np.ndarray]:
    """Impedances and permittivities of a single trace and of the even and odd mode."""
    one = {"width": width / height, "thickness": thickness / height, "taper": taper}
    pair = one | {"gap": gap / height}
    air = np.array([microstrip_capacitance(**one), *microstrip_pair_capacitance(**pair)])
    eps = np.array([microstrip_permittivity(dk=dk, **one), *microstrip_pair_permittivity(dk=dk, **pair)])
    return ETA / air / np.sqrt(eps), eps


def test_thin_strip_published_figures() -> None:
    c, air = (thin_microstrip(width=2.0, dk=dk) for dk in (4.2, 1.0))
    assert ETA / np.sqrt(c * air) == pytest.approx(49.71402967, rel=1e-8)
    assert c / air == pytest.approx(3.20703999, rel=1e-8)


@pytest.mark.parametrize(
    ("width", "dk", "z", "eps"),
    [
        (1.0, 9.8, 49.30581735, 6.574486253),
        (1.0, 4.2, 72.47475226, 3.042878894),
        (0.5, 3.4, 106.4178652, 2.453810755),
        (1.9, 3.4, 56.28786279, 2.649890241),
    ],
)
def test_thin_strip_against_numerically_exact_values(width: float, dk: float, z: float, eps: float) -> None:
    c, air = (thin_microstrip(width=width, dk=value) for value in (dk, 1.0))
    assert ETA / np.sqrt(c * air) == pytest.approx(z, rel=3e-3)
    assert c / air == pytest.approx(eps, rel=5e-3)


@pytest.mark.parametrize(
    ("width", "gap", "dk", "even", "odd"),
    [
        (1.0, 0.2, 9.8, 63.52440325, 30.86762166),
        (1.2, 1.0, 4.2, 74.8777018, 56.78141819),
        (1.5, 1.5, 3.4, 70.07032065, 58.51667589),
    ],
)
def test_thin_pair_against_numerically_exact_values(
    width: float, gap: float, dk: float, even: float, odd: float
) -> None:
    c, air = (thin_microstrip_pair(width=width, gap=gap, dk=value) for value in (dk, 1.0))
    assert ETA / np.sqrt(c * air) == pytest.approx([even, odd], rel=6e-3)


@pytest.mark.parametrize(("width", "gap"), [(0.2, 0.1), (8.0, 0.1), (0.3, 1.0), (4.0, 3.0)])
def test_thin_pair_against_the_field_solver(width: float, gap: float) -> None:
    near, far = gap / 2 * 1e-4, (gap / 2 + width) * 1e-4
    substrate = ((-np.inf, 0.0), (np.inf, 0.0), (np.inf, 1e-4), (-np.inf, 1e-4)), 4.2
    strips = ((near, 1e-4), (far, 1e-4)), ((-far, 1e-4), (-near, 1e-4))
    wanted = [mode.c[0, 0] / epsilon_0 for mode in solve_modes(Section(strips, dielectrics=(substrate,)))]
    assert thin_microstrip_pair(width=width, gap=gap, dk=4.2) == pytest.approx(wanted, rel=8e-3)


@pytest.mark.long
def test_accuracy_of_the_cards_over_their_whole_range() -> None:
    """Boundary elements on 60 sections: twice the standard deviation is the card's figure, none past 2.5 %."""
    rng = np.random.default_rng(21)
    errors: list[list[float]] = []
    while len(errors) < 60:
        low, high = np.log([module.WIDTHS, module.GAPS, module.THICKNESSES, module.DKS]).T
        w, s, t, dk = np.exp(rng.uniform(low, high))
        taper = rng.uniform(0, 1)
        lean = taper * t / 2
        if s - lean < t or w < 3 * lean:
            continue
        z, eps = solved(width=w, gap=s, thickness=t, taper=taper, dk=dk, height=1.0)
        row: list[float] = []
        for i, (gap, sign) in enumerate(((None, 1), (s - lean, 1), (s - lean, -1))):
            shape = {"width_low": w + lean, "width_high": w - lean, "thickness": t, "below": 1.0, "gap": gap}
            air, filled = (capacitance(sign=sign, dk=(k, 1.0), fine=24, **shape) for k in (1.0, dk))
            row += [z[i] * np.sqrt(air * filled) / ETA - 1, eps[i] * air / filled - 1]
        errors.append(row)
    spread = 2 * np.sqrt(np.mean(np.square(errors), axis=0))
    single, pair = (model.card.u or 0 for model in (microstrip_permittivity, microstrip_pair_permittivity))
    assert spread[0] < single
    assert max(spread[2], spread[4]) < pair
    assert np.max(np.abs(errors)) < 0.025


@pytest.mark.long
def test_accuracy_of_the_mask_over_its_whole_range() -> None:
    """Boundary elements on 40 masked sections."""
    rng = np.random.default_rng(22)
    errors: list[list[float]] = []
    bounds = solder_mask.RANGE | {"gap": (0.6, 8.0), "thickness": solder_mask.THICKNESSES}
    while len(errors) < 40:
        low, high = np.log(list(bounds.values())).T
        one = dict(zip(bounds, np.exp(rng.uniform(low, high)), strict=True))
        w, s, t, over, on = (one[name] for name in ("width", "gap", "thickness", "over_trace", "on_laminate"))
        lean = rng.uniform(0, 1) * t / 2
        if s - lean < t or w < 3 * lean or over > 0.4 * (s - lean) or on > t + over:
            continue
        z, eps = solved(width=w, gap=s, thickness=t, taper=2 * lean / t, dk=one["dk"], height=1.0)
        pair = mask_pair_permittivity(**one)
        added = [mask_permittivity(**{name: one[name] for name in solder_mask.RANGE}), *pair]
        row: list[float] = []
        for i, (gap, sign) in enumerate(((None, 1), (s - lean, 1), (s - lean, -1))):
            shape = {"width_low": w + lean, "width_high": w - lean, "thickness": t, "below": 1.0, "gap": gap}
            air = capacitance(sign=sign, fine=22, **shape)
            mask = (one["mask_dk"], on, over, over)
            filled = capacitance(sign=sign, dk=(one["dk"], 1.0), mask=mask, fine=22, **shape)
            row.append(z[i] * np.sqrt(eps[i] / (eps[i] + added[i])) * np.sqrt(air * filled) / ETA - 1)
        errors.append(row)
    spread = 2 * np.sqrt(np.mean(np.square(errors), axis=0))
    assert spread[0] < (mask_permittivity.card.u or 0)
    assert max(spread[1:]) < (mask_pair_permittivity.card.u or 0)
    assert np.max(np.abs(errors)) < 0.035


@given(sections(), st.floats(0.3, 3))
def test_scale_does_not_matter(section: dict[str, float], scale: float) -> None:
    moved = {name: value if name in ("taper", "dk") else scale * value for name, value in section.items()}
    for a, b in zip(solved(**moved), solved(**section), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize(
    ("moved", "sign"),
    [({"width": 1}, -1), ({"width": 1, "gap": -1}, -1), ({"thickness": 1}, -1), ({"height": 1}, 1), ({"dk": 1}, -1)],
    ids=str,
)
@given(section=sections())
def test_impedance_goes_with_every_input_as_it_must(
    section: dict[str, float], moved: dict[str, int], sign: int
) -> None:
    up, down = (section | {name: section[name] + side * way * STEP for name, way in moved.items()} for side in (1, -1))
    assert np.all(sign * (solved(**up)[0] - solved(**down)[0]) > 0)


@given(sections())
def test_permittivity_lies_between_those_of_air_and_substrate(section: dict[str, float]) -> None:
    z, eps = solved(**section)
    assert np.all((eps > 1) & (eps < section["dk"]))
    assert z[2] < z[0] < z[1]


masks = st.fixed_dictionaries(
    {name: st.floats(*solder_mask.RANGE[name]) for name in ("mask_dk", "on_laminate", "over_trace")}
)


@given(section=sections(), mask=masks, more=st.floats(1.01, 1.2))
def test_more_mask_is_more_permittivity(section: dict[str, float], mask: dict[str, float], more: float) -> None:
    shape = {name: section[name] for name in ("width", "gap", "thickness", "dk")}
    base = mask_pair_permittivity(**shape, **mask)
    assert np.all(base > 0)
    for name in mask:
        assert np.all(mask_pair_permittivity(**shape, **(mask | {name: mask[name] * more})) > base)
