# SPDX-License-Identifier: MIT
"""Loss tangent and Dk at a frequency: check figures, and what must hold for any laminate."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from law_examples import examples
from pydantic import ValidationError

from pcbrules import library
from pcbrules.library import load
from pcbrules.missing import Missing
from pcbrules.model.catalogue.dielectrics import ANY_RESIN, FAMILY_SLOPES, GLASS_SLOPES, DataSet, Laminate
from pcbrules.model.catalogue.select import LaminateReading, choose_set, df_at, dk_at, dk_of_resin, model_set, roughness

REPEATABLE = examples(200)
LAMINATES = [laminate for laminate in library.laminates() if laminate.sets]
GHZ = 1e9


def reading(laminate: Laminate | str, frequency: float) -> LaminateReading:
    found = df_at(library.laminate(laminate) if isinstance(laminate, str) else laminate, frequency)
    assert isinstance(found, LaminateReading)
    return found


@pytest.mark.parametrize(
    ("name", "ghz", "low", "high"),
    [
        ("megtron7n", 16, 0.00234, 0.00235),
        ("megtron7n", 26.5625, 0.00254, 0.00255),
        ("megtron6n", 16, 0.00379, 0.00381),
        ("megtron8n", 53.125, 0.00227, 0.00229),
        ("megtron8u", 53.125, 0.00187, 0.00189),
        ("ell-102", 53.125, 0.00111, 0.00113),
        ("s1000-2m", 8, 0.0206, 0.0207),
        ("370hr", 8, 0.025, 0.025),
        ("i-speed", 10, 0.0071, 0.0071),
    ],
)
def test_check_figures(name: str, ghz: float, low: float, high: float) -> None:
    assert low <= reading(name, ghz * GHZ).value <= high


def test_intervals_at_nvlink_5() -> None:
    assert reading("megtron8n", 53.125 * GHZ).value > 0.002
    assert reading("megtron8u", 53.125 * GHZ).hi == pytest.approx(0.00207, abs=1e-5)
    # 0.0009 x 5.3125^0.35 (1 + 0.1 + 0.1 x 2.409 octaves)
    assert reading("ell-102", 53.125 * GHZ).hi == pytest.approx(0.002165, abs=1e-6)
    assert reading("megtron7n", 26.5625 * GHZ).hi < 0.003


def test_megtron_6n_rises_more_slowly() -> None:
    assert library.laminate("megtron6n").df_slope == 0.15
    end = reading("megtron6n", 58 * GHZ).value
    assert reading("megtron6n", 116 * GHZ).value == pytest.approx(end * 2**0.15)


def test_uncertainty_grows_by_octaves_beyond_the_data() -> None:
    inside, one, two = (reading("ell-102", f * 10 * GHZ) for f in (1, 2, 4))
    # slope 0.13, 0.35 at most
    wide = [2 ** (octaves * 0.22) * (1 + 0.10 + 0.10 * octaves) - 1 for octaves in (0, 1, 2)]
    assert (inside.relative, one.relative, two.relative) == pytest.approx(wide)
    assert (inside.octaves, one.octaves, two.octaves) == pytest.approx((0, 1, 2))


def test_what_the_data_do_not_say() -> None:
    for name, ghz, words in (
        ("megtron6e", 16, "no dielectric data"),
        ("vt-481", 8, "more than 6 times"),
        ("psr-4000-bn", 16, "more than 6 times"),
        ("tachyon-100g", 60.1, "more than 6 times"),
    ):
        found = df_at(library.laminate(name), ghz * GHZ)
        assert isinstance(found, Missing)
        assert words in found.reason


def test_the_edge_of_the_reach_counts() -> None:
    assert reading("tachyon-100g", 60 * GHZ).octaves == pytest.approx(2.585, abs=1e-3)
    assert reading("vt-481", 6 * GHZ).value == pytest.approx(0.015 * 6**0.08)


def test_the_slopes_of_the_resins_are_those_of_the_library() -> None:
    """Median and range of the sets with several points from 1 GHz up; other resins have those of all."""
    found: dict[str, list[float]] = {}
    for laminate in LAMINATES:
        for data in laminate.sets:
            points = [point for point in data.points if point.f >= GHZ] if data.points[-1].f > GHZ else data.points
            if len(points) > 1 and data.confidence != "memory":
                slope = math.log(points[-1].df / points[0].df) / math.log(points[-1].f / points[0].f)
                found.setdefault(laminate.family or "", []).append(slope)
    for family, resin in FAMILY_SLOPES.items():
        assert statistics.median(found[family]) == pytest.approx(resin.usual, abs=0.02)
        assert min(found[family]) > resin.least - 0.01 and max(found[family]) < resin.most + 0.01
    every = [slope for slopes in found.values() for slope in slopes]
    assert statistics.median(every) == pytest.approx(ANY_RESIN.usual, abs=0.02)
    assert min(every) > ANY_RESIN.least and max(every) < ANY_RESIN.most + 0.01


def test_one_method_is_never_mixed_with_another() -> None:
    for laminate in LAMINATES:
        for data in laminate.sets:
            assert len({point.f for point in data.points}) == len(data.points)
    assert reading("megtron7n", 26.5625 * GHZ).data.method.startswith("balanced circular disk")
    assert reading("megtron4", 9 * GHZ).data.method == "IPC-TM-650 2.5.5.5"


def board_laminate(*sets: dict[str, Any]) -> Laminate:
    common = {"source": "declared in the board file", "confidence": "declared"}
    return Laminate.model_validate({"id": "mine", "name": "mine", "sets": [{**common, **one} for one in sets]})


def one(construction: str, *points: list[Any], confidence: str = "declared") -> dict[str, Any]:
    return {"construction": construction, "confidence": confidence, "points": list(points)}


def test_choice_among_sets() -> None:
    recalled = one("recalled", ["10 GHz", 3.4, 0.001], ["60 GHz", 3.4, 0.002], confidence="memory")
    low = one("low", ["2 GHz", 3.5, 0.003])
    near = one("near", ["10 GHz", 3.4, 0.003])
    worse = one("worse", ["10 GHz", 3.4, 0.004])
    above = one("above", ["14 GHz", 3.4, 0.002])
    wide = one("wide", ["1 GHz", 3.0, 0.001], ["20 GHz", 3.0, 0.001])
    for sets, expected in [
        ([recalled, low], "low"),
        ([low, near], "near"),
        ([near, worse], "worse"),
        ([worse, near], "worse"),
        ([above, low], "low"),
        ([above, recalled], "above"),
        ([near, wide], "wide"),
    ]:
        data = choose_set(board_laminate(*sets), 11 * GHZ)
        assert isinstance(data, DataSet)
        assert data.construction == expected


def test_shorthand_of_a_board_file() -> None:
    short = Laminate.model_validate({"id": "mine", "dk": 3.4, "df": 0.003, "at": "10 GHz"})
    assert reading(short, 10 * GHZ).value == 0.003
    assert short.sets[0].confidence == "declared"
    whole = {"dk": 3.4, "df": 0.003, "at": "10 GHz"}
    for wrong in ({"dk": 3.4, "df": 0.003}, {"dk": 3.4}, {"at": "10 GHz"}, {**whole, "sets": []}):
        with pytest.raises(ValidationError, match="write either sets"):
            Laminate.model_validate({"id": "mine", **wrong})


@pytest.mark.parametrize(
    "points",
    [
        [],
        [["10 GHz", 3.4]],
        [[10, 3.4, 0.003]],
        [["10 GHz", -0.5, 0.003]],
        [["10 GHz", 3.4, "low"]],
        [["10 GHz", 3.4, -0.1]],
        [["10 GHz", True, 0.003]],
        [["10 GHz", 3.4, float("nan")]],
        [["10 mm", 3.4, 0.003]],
        [["10 GHz +- 1 GHz", 3.4, 0.003]],
        [["10 GHz", 3.4, 0.003], ["10 GHz", 3.4, 0.004]],
        [["10 GHz", 3.4, 0.003], ["1 GHz", 3.4, 0.002]],
    ],
)
def test_impossible_points_are_refused(points: list[Any]) -> None:
    with pytest.raises(ValidationError):
        board_laminate({"points": points})


def test_design_dk_is_used_for_lines() -> None:
    dk = dk_at(library.laminate("ro4350b"), 16 * GHZ)
    assert isinstance(dk, LaminateReading)
    assert dk.value == 3.66
    assert reading("ro4350b", 5 * GHZ).data.method == "IPC-TM-650 2.5.5.5"


def test_lines_get_a_set_even_where_the_loss_cannot_be_judged() -> None:
    data = model_set(library.laminate("psr-4000-bn"), 16 * GHZ)
    assert isinstance(data, DataSet)
    assert data.points[0].dk == 3.9
    assert isinstance(model_set(library.laminate("megtron6e"), 16 * GHZ), Missing)


frequencies = st.floats(1e7, 2e11)
some = st.sampled_from(LAMINATES)


@given(some, frequencies)
@REPEATABLE
def test_interval_holds_the_value(laminate: Laminate, frequency: float) -> None:
    for found in (df_at(laminate, frequency), dk_at(laminate, frequency)):
        assume(isinstance(found, LaminateReading))
        assert isinstance(found, LaminateReading)
        assert 0 <= found.lo <= found.value <= found.hi
        assert max(found.hi - found.value, found.value - found.lo) == pytest.approx(found.value * found.relative)
        assert found.data in laminate.sets


@given(some, frequencies, st.floats(1.0, 6.0))
@REPEATABLE
def test_beyond_the_data_the_loss_only_rises(laminate: Laminate, frequency: float, ratio: float) -> None:
    """Also: the interval widens. Held within one set, as a line model does."""
    for data in laminate.sets:
        alone = laminate.model_copy(update={"sets": (data,)})
        top = data.points[-1].f
        low, high = df_at(alone, top * (1 + (ratio - 1) / 2)), df_at(alone, top * ratio)
        if isinstance(low, LaminateReading) and isinstance(high, LaminateReading):
            assert data.points[-1].df <= low.value <= high.value
            assert 0.10 <= low.relative <= high.relative
        below = df_at(alone, data.points[0].f / ratio)
        assert isinstance(below, LaminateReading)
        assert below.value == data.points[0].df


@given(some, frequencies)
@REPEATABLE
def test_no_steps_within_a_set(laminate: Laminate, frequency: float) -> None:
    for data in laminate.sets:
        alone = laminate.model_copy(update={"sets": (data,)})
        here, there = df_at(alone, frequency), df_at(alone, frequency * (1 + 1e-9))
        if isinstance(here, LaminateReading) and isinstance(there, LaminateReading):
            assert there.value == pytest.approx(here.value, rel=1e-6)
    for point in (point for data in laminate.sets for point in data.points):
        here, there = dk_at(laminate, point.f), dk_at(laminate, point.f * (1 + 1e-12))
        assert isinstance(here, LaminateReading)
        assert isinstance(there, LaminateReading)


@given(some)
@REPEATABLE
def test_printed_points_come_back(laminate: Laminate) -> None:
    for data in laminate.sets:
        alone = laminate.model_copy(update={"sets": (data,)})
        for point in data.points:
            assert reading(alone, point.f).value == pytest.approx(point.df, rel=1e-12)


@given(some, frequencies, st.randoms(use_true_random=False))
@REPEATABLE
def test_order_of_the_sets_does_not_matter(laminate: Laminate, frequency: float, random: Any) -> None:
    sets = list(laminate.sets)
    random.shuffle(sets)
    first, second = df_at(laminate, frequency), df_at(laminate.model_copy(update={"sets": tuple(sets)}), frequency)
    if isinstance(first, LaminateReading) and isinstance(second, LaminateReading):
        assert first.value == pytest.approx(second.value, rel=1e-12)
    else:
        assert type(first) is type(second)


def test_bond_treatments() -> None:
    hvlp2, std = load.foil("hvlp2"), load.foil("std-ed")
    um = 1e-6
    assert roughness(hvlp2, None) == pytest.approx((1.0 * um, 0.8 * um, 1.5 * um))
    assert roughness(hvlp2, load.bond("low-etch")) == pytest.approx((1.2 * um, 0.9 * um, 1.8 * um))
    assert roughness(std, load.bond("oxide-alternative")) == pytest.approx((6.73 * um, 3.5 * um, 9.0 * um))
    assert roughness(hvlp2, load.bond("oxide-alternative"))[0] == pytest.approx(1.5 * um)


def test_roughness_keeps_its_order() -> None:
    for foil in (load.foil(name) for name in library.ids("foils")):
        for bond in (None, *(load.bond(name) for name in library.ids("oxide"))):
            typical, low, high = roughness(foil, bond)
            assert 0 < low <= typical <= high


def test_a_range_is_the_interval() -> None:
    """A name that stands for several products is known no better than its range; beyond the data it grows."""
    generic = library.laminate("generic-fr4")
    for frequency in (1 * GHZ, 3 * GHZ, 10 * GHZ):
        loss, dk = reading(generic, frequency), dk_at(generic, frequency)
        assert isinstance(dk, LaminateReading) and loss.ranged and dk.ranged
        assert (loss.lo, loss.hi) == pytest.approx((0.015, 0.025), rel=1e-12)
        assert (dk.lo, dk.hi) == pytest.approx((4.2, 4.7), rel=1e-12)
    beyond = reading(generic, 20 * GHZ)
    assert beyond.relative == pytest.approx(1 - 0.65 * 2**-0.12) and beyond.value > 0.02


def test_a_range_holds_its_points() -> None:
    with pytest.raises(ValidationError, match="every point lies inside"):
        DataSet(source="a b c", confidence="seen", df_range=(0.01, 0.02), points=(("1 GHz", 4.0, 0.021),))


def test_a_range_narrower_than_the_usual_uncertainty_claims_nothing() -> None:
    data = {"source": "a b c", "confidence": "seen", "df_range": (0.0199, 0.0201), "dk_range": (3.999, 4.001),
            "points": (("1 GHz", 4.0, 0.02), ("20 GHz", 4.0, 0.02))}
    laminate = Laminate.model_validate({"id": "x", "sets": (data,)})
    loss, dk = reading(laminate, 5 * GHZ), dk_at(laminate, 5 * GHZ)
    assert isinstance(dk, LaminateReading)
    assert (loss.relative, loss.ranged, dk.relative, dk.ranged) == (0.10, False, 0.02, False)


@pytest.mark.parametrize(
    ("name", "prepreg", "core"),
    [("it-968", 3.14, 3.7), ("it-988g", 3.19, 3.7), ("it-968se", 2.86, 3.05), ("it-988gse", 3.01, 3.2)],
)
def test_the_dk_of_a_resin_rich_prepreg_is_not_that_of_a_core(name: str, prepreg: float, core: float) -> None:
    """The maker prints 70 % resin alone; a core of heavier glass has more Dk, and Df is not known better for it."""
    laminate = library.laminate(name)
    dk, loss = dk_at(laminate, 10 * GHZ), reading(laminate, 10 * GHZ)
    assert isinstance(dk, LaminateReading)
    assert dk.ranged and dk.lo < prepreg and core < dk.hi and prepreg < dk.value < core
    assert loss.ranged and loss.data.confidence == "seen"


def test_s1000_2_is_not_s1000_2m() -> None:
    assert library.resolve("laminates", "S1000-2") == "s1000-2"
    assert isinstance(df_at(library.laminate("S1000-2"), GHZ), Missing)


def test_dk_follows_the_resin() -> None:
    """The maker's rows of MEGTRON 7(N) cores: 1078, 59 % resin, 3.25 at 14 GHz and 3.32 at 1 GHz; 1035, 67 %, 3.15."""
    laminate = library.laminate("megtron7n")
    for resin, at, dk in ((0.59, 14, 3.25), (0.59, 1, 3.32), (0.67, 14, 3.15), (0.55, 14, 3.31)):
        found = dk_at(laminate, at * GHZ, (resin, resin))
        assert isinstance(found, LaminateReading)
        assert found.value == pytest.approx(dk, rel=0.004) and found.relative == pytest.approx(0.02)


def test_dk_of_an_unknown_construction_is_that_of_all_that_is_sold() -> None:
    found = dk_at(library.laminate("megtron7n"), 14 * GHZ)
    assert isinstance(found, LaminateReading) and found.ranged
    assert found.lo < 3.03 < 3.31 < found.hi
    assert found.lo == pytest.approx(3.03 * math.exp(-0.51 * 0.01))
    assert found.hi == pytest.approx(3.31 * math.exp(0.51 * 0.02))


@pytest.mark.parametrize("glass", GLASS_SLOPES)
def test_slope_of_glass_is_that_of_the_tables(glass: str) -> None:
    """Every long table has a slope inside the range of its glass, the middle one is the usual one.

    The table of IT-180A is rounded to 0.05 and more.
    """
    slopes = []
    for laminate in LAMINATES:
        curve = laminate.by_resin
        if curve is not None and curve.glass == glass and len(curve.points) > 4 and laminate.id != "it-180a":
            slopes.append(-statistics.linear_regression(
                [p.resin for p in curve.points], [math.log(p.dk) for p in curve.points]).slope)
    least, usual, most = GLASS_SLOPES[glass].least, GLASS_SLOPES[glass].usual, GLASS_SLOPES[glass].most
    assert len(slopes) >= 4 and least - 0.05 < min(slopes) and max(slopes) < most + 0.05, slopes
    assert statistics.median(slopes) == pytest.approx(usual, abs=0.08)


def test_dk_goes_on_beyond_the_table_by_the_slope_of_its_glass() -> None:
    """MEGTRON 7GE: 53 % resin has 3.60; 63 % has 3.60 exp(-0.81 x 0.1) to exp(-0.52 x 0.1)."""
    curve = library.laminate("megtron7ge").by_resin
    assert curve is not None
    assert dk_of_resin(curve, (0.63, 0.63)) == pytest.approx((3.6 * math.exp(-0.081), 3.6 * math.exp(-0.052)))
