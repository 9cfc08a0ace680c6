# SPDX-License-Identifier: MIT
"""What varies of a board, surrogates against the function that they stand for, samples, and shares of boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.special import ndtr

from pcbrules import api
from pcbrules.analysis.common.dielectrics import ply_dk
from pcbrules.api._profiles import in_class
from pcbrules.document import Document
from pcbrules.missing import Missing
from pcbrules.model.stackup import Dielectric
from pcbrules.readers.board_yaml import board_of, read_file
from pcbrules.readers.numbers_in import numbers_in
from pcbrules.rulesets import load as ruleset
from pcbrules.studies.spread.board_yield import QUANTILES, confidence
from pcbrules.studies.spread.factors import SIGMAS, SpreadFactor, edited, factors_of, settled
from pcbrules.studies.spread.quadratic import NODE, axis_points, pair_points, pairs_that_matter, surface
from pcbrules.studies.spread.sampling import latin_hypercube
from pcbrules.units import parse

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
PROFILES = {"jetson-orin-carrier": "edge", "hgx-h100-baseboard": "training",
            "l40s-pcie-card": "datacenter-inference"}


def spread(name: str, profile: str) -> tuple[Document, tuple[SpreadFactor, ...]]:
    """The board file with its drills settled, and what varies."""
    loaded = api.load(str(ROOT / "boards" / f"{name}.yaml"))
    board = in_class(loaded.board, ruleset(profile))
    factors = factors_of(board, numbers_in(read_file(loaded.document), ()))
    return settled(loaded.document, board, factors), factors


def at(factors: tuple[SpreadFactor, ...], **places: float) -> list[float]:
    """A point by names of factors, blanks as underscores."""
    names = [factor.name.replace(" ", "_").replace("-", "_") for factor in factors]
    assert set(places) <= set(names), names
    return [places.get(name, 0.0) for name in names]


def length(document: Document, *path: Any) -> float:
    return parse(document.get(path), "length").value


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_a_board_at_any_tolerance_is_a_board(path: Path) -> None:
    document, factors = spread(path.stem, "training")
    assert len(factors) >= 3
    for number in range(len(factors)):
        for side in (-SIGMAS, SIGMAS):
            point = [0.0] * len(factors)
            point[number] = side
            board_of(edited(document, factors, point))
    board_of(edited(document, factors, [SIGMAS] * len(factors)))


def test_what_belongs_together_moves_together() -> None:
    document, factors = spread("jetson-orin-carrier", "edge")
    one = next(place.path for factor in factors if factor.name == "etch of L3" for place in factor.places)
    moved = edited(document, factors, at(factors, etch_of_L3=3.0))
    trace = one[:-1]
    half_mil = 0.5 * 25.4e-6
    assert length(moved, *trace, "width") - length(document, *trace, "width") == pytest.approx(half_mil)
    assert length(moved, *trace, "gap") - length(document, *trace, "gap") == pytest.approx(-half_mil)
    moved = edited(document, factors, at(factors, fr4_s1000_2m_height=-3.0))
    for index, layer in enumerate(document.get(("stackup",))):
        share = 0.9 if layer["kind"] == "dielectric" else 1.0
        assert length(moved, "stackup", index, "thickness") == pytest.approx(
            share * length(document, "stackup", index, "thickness"))
    assert length(moved, "board", "thickness", "value") < length(document, "board", "thickness", "value")


def test_a_lot_scales_every_point_of_its_laminate() -> None:
    document, factors = spread("hgx-h100-baseboard", "training")
    moved = edited(document, factors, at(factors, panasonic_megtron7n_Dk=1.5, panasonic_megtron7n_Df=-3.0))
    was, now = (board_of(one)[0].catalogue.laminates["panasonic-megtron7n"] for one in (document, moved))
    pairs = [(a, b) for x, y in zip(was.sets, now.sets, strict=True) for a, b in zip(x.points, y.points, strict=True)]
    assert len(pairs) > 5
    for before, after in pairs:
        assert after.f == before.f
        assert after.dk == pytest.approx(1.01 * before.dk) and after.df == pytest.approx(0.9 * before.df)


def test_a_tolerance_of_the_file_goes_before_its_class() -> None:
    loaded = api.load(str(ROOT / "boards" / "jetson-orin-carrier.yaml"))
    layer = next(index for index, one in enumerate(loaded.document.get(("stackup",))) if one["kind"] == "dielectric")
    text = loaded.document.get(("stackup", layer, "thickness"))
    changed = loaded.document.edited(("stackup", layer, "thickness"), f"{text} +3 um/-1 um")
    changed = changed.edited(("fabrication", "tolerances"), {"dk": "5 %"})
    board, _ = board_of(changed)
    factors = {one.name: one for one in factors_of(board, numbers_in(read_file(changed), ()))}
    height = factors["fr4-s1000-2m height"]
    place = next(one for one in height.places if one.path == ("stackup", layer, "thickness"))
    assert (place.down, place.up) == (pytest.approx(1e-6), pytest.approx(3e-6)) and height.tolerance == "as declared"
    assert factors["fr4-s1000-2m Dk"].tolerance == "+-5 %"
    assert factors["fr4-s1000-2m Dk"].source == "fabrication.tolerances"


def test_a_surrogate_of_a_quadratic_is_exact() -> None:
    rng = np.random.default_rng(3)
    slope, curve = rng.normal(size=(2, 4)), rng.normal(size=(2, 4))
    cross = np.array([0.7, -0.3])

    def function(z: np.ndarray) -> np.ndarray:
        return 5 + z @ slope.T + (z * z) @ curve.T / 2 + (z[:, 1] * z[:, 3])[:, None] * cross

    middle, along = function(np.zeros((1, 4)))[0], function(axis_points(4))
    pairs = pairs_that_matter(middle, along, 6)
    assert len(pairs) == 6 and len(set(pairs)) == 6
    found = surface(middle, along, pairs, function(pair_points(pairs, 4)))
    points = rng.normal(size=(50, 4))
    np.testing.assert_allclose(found.at(points), function(points), rtol=1e-12)
    np.testing.assert_allclose(found.variance, slope**2 + curve**2 / 2)


def test_the_pairs_are_those_that_move_a_number() -> None:
    along = np.zeros((6, 1))
    along[0:2, 0], along[4:6, 0] = (-2.0, 2.0), (-1.0, 1.0)
    assert pairs_that_matter(np.zeros(1), along, 1) == ((0, 2),)
    assert pytest.approx(3**0.5) == NODE


def test_a_hypercube_has_one_point_in_each_part() -> None:
    points = latin_hypercube(200, 3, 7)
    for column in points.T:
        assert sorted((ndtr(column) * 200).astype(int)) == list(range(200))
    assert np.array_equal(points, latin_hypercube(200, 3, 7))
    assert not np.array_equal(points, latin_hypercube(200, 3, 8))
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.25


def test_confidence_of_a_share() -> None:
    """Wilson's interval of 90 of 100 is 82.6 % to 94.5 %; of 100 of 100 Clopper and Pearson's begins at 96.4 %."""
    assert confidence(90, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert confidence(100, 100) == pytest.approx((0.9638, 1.0), abs=1e-4)
    assert confidence(0, 100) == pytest.approx((0.0, 0.0362), abs=1e-4)
    assert confidence(0, 0) == (0.0, 1.0)


SAMPLES = 48


def compared(board: api.Loaded, profile: str, rules: tuple[str, ...]) -> dict[str, float]:
    """The largest difference of a quantile from brute force at the same points, by rule; of |Z| relative.

    A number whose surrogate says that it is too rough does not count: a maximum over frequency changes its place.
    """
    brute = api.board_yield(board, profile, samples=SAMPLES, seed=5, show=rules, exact=True)
    quick = api.board_yield(board, profile, samples=SAMPLES, seed=5, show=rules, checks=8)
    exact = {one.name: one for one in brute.numbers}
    assert {one.name for one in quick.numbers} == exact.keys()
    worst: dict[str, float] = {}
    for one in quick.numbers:
        if one.rough or one.subject.endswith(".spreading"):  # the latter is a ratio of inductances
            continue
        for mine, true in zip(one.quantiles, exact[one.name].quantiles, strict=True):
            off = abs(mine - true) / (abs(true) if one.rule == "PDN001" else 1.0)
            worst[one.rule] = max(worst.get(one.rule, 0.0), off)
    assert len(QUANTILES) == 5
    return worst


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PROFILES))
def test_quantiles_of_loss_and_impedance_are_those_of_brute_force(name: str) -> None:
    """Loss within 0.1 dB, impedance within 0.1 ohm of 100 ohm."""
    document = api.load(str(ROOT / "boards" / f"{name}.yaml")).document
    if document.get(("fabrication", "impedance_control"), None):  # at its end a sample is shipped by one alone
        document = document.without(("fabrication", "impedance_control"))
    worst = compared(api.resolve(document), PROFILES[name], ("SIG001", "CHN001"))
    assert worst.keys() == {"SIG001", "CHN001"} and worst["CHN001"] < 0.1 and worst["SIG001"] < 0.1, worst


TOLERANCES = {"esr": "20 %", "mounted_inductance": "15 %", "effective": "10 %"}


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PROFILES.keys() - {"jetson-orin-carrier"}))
def test_quantiles_of_rail_impedance_are_those_of_brute_force(name: str) -> None:
    """|Z| within 1 %, with tolerances at the capacitors."""
    document = api.load(str(ROOT / "boards" / f"{name}.yaml")).document
    for rail, given in document.get(("rails",)).items():
        for place, step in enumerate(given.get("ladder", ())):
            for key, tolerance in TOLERANCES.items() if "bank" in step else ():
                at = ("rails", rail, "ladder", place, "bank", key)
                if isinstance(document.get(at, None), str):
                    document = document.edited(at, f"{document.get(at)} +- {tolerance}")
    worst = compared(api.resolve(document), PROFILES[name], ("PDN001",))
    assert worst["PDN001"] < 0.01, worst


def test_a_peak_that_changes_its_place_is_told() -> None:
    """The highest of two peaks of a rail has a kink where they are equal: its surrogate is marked, not trusted."""
    from pcbrules.studies.spread.board_yield import ROUGH, SpreadNumber

    given = {"rule": "PDN001", "subject": "rails.a", "severity": None, "unit": "mohm", "limit": "", "signed": False,
             "nominal": 1.0, "mean": 1.0, "sigma": 0.1, "quantiles": (), "cpk": None, "fails": 0.0,
             "fails_between": (0.0, 0.0), "rss": (0.0, 0.0), "corners": (0.0, 0.0), "drivers": (),
             "bars": (0.0, 1.0, ()), "ends": ()}
    for error, rough in (((0.1 * ROUGH * 1.01, 1.0), True), ((0.1 * ROUGH * 0.99, 1.0), False), (None, False)):
        assert SpreadNumber(**given, error=error).rough is rough  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def return_losses() -> Any:
    board = yaml.safe_load((ROOT / "boards" / "jetson-orin-carrier.yaml").read_bytes())
    board["links"] = {name: board["links"][name] for name in ("hdmi", "pcie_m2")}
    given = api.load(yaml.safe_dump(board, sort_keys=False))
    return api.board_yield(given, "edge", samples=400, show=["CHN004", "SIG001:links.hdmi"], checks=4)


@pytest.mark.long
def test_the_range_of_all_tolerances_holds_the_nominal_value_and_the_quantiles(return_losses: Any) -> None:
    """A return loss has a maximum within the tolerances: no quadratic gives its ends, so they are solved."""
    assert any(one.rough for one in return_losses.numbers) and not all(one.rough for one in return_losses.numbers)
    for one in return_losses.numbers:
        low, high = one.corners
        assert low <= one.nominal <= high and low < high, one.name
        if not one.rough:
            assert low <= one.quantiles[0] and one.quantiles[-1] <= high, one.name


@pytest.mark.long
def test_a_passive_board_sends_back_no_more_than_it_gets(return_losses: Any) -> None:
    """A return loss is above 0 dB, whatever a surrogate says; and of a surrogate that is too rough no quantile is told.
    """
    rows = [row for row in return_losses.to_rows() if row["rule"] == "CHN004"]
    assert len(rows) == 2
    for row, one in zip(return_losses.to_rows(), return_losses.numbers, strict=True):
        assert (row["q0.135"] is None) is one.rough and (row["q99.865"] is None) is one.rough
    for row in rows:
        assert all(row[key] is None or row[key] >= 0 for key in (
            "nominal", "q0.135", "q5", "corner_low", "corner_high", "rss_low")), row


def test_a_lot_that_is_pressed_thinner_keeps_its_construction() -> None:
    """By its height alone a ply of 1078 has one more possible number of plies above 0.122 mm: Dk would step there."""
    loaded = api.load(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
    held, factors = spread("hgx-h100-baseboard", "training")
    pressed = [-SIGMAS if one.name.endswith("height") else 0.0 for one in factors]
    nominal = dk_of_plies(loaded.document)
    assert dk_of_plies(held) == pytest.approx(nominal, rel=1e-9)
    assert dk_of_plies(edited(held, factors, pressed)) == pytest.approx(nominal, rel=1e-9)
    loose = dk_of_plies(edited(loaded.document, factors, pressed))
    assert max(abs(one / other - 1) for one, other in zip(loose, nominal, strict=True)) > 0.005


def dk_of_plies(document: Document) -> list[float]:
    """Nominal Dk of each ply of a board at 14 GHz."""
    board = api.resolve(document).board
    assert board.stack is not None
    found = [ply_dk(board, one.spec, 14e9) for one in board.stack.layers if isinstance(one.spec, Dielectric)]
    return [one.value for one in found if not isinstance(one, Missing)]


def test_numbers_that_are_counts_vary_as_numbers() -> None:
    """All of them whole: an array of integers holds no infinity."""
    found = api.board_yield(api.load(ROOT / "boards" / "jetson-orin-carrier.yaml"), "edge", samples=4, show="STK001",
                            checks=1)
    assert found.share == 1.0 and not found.numbers
