# SPDX-License-Identifier: MIT
"""Link standards and accelerators: what must agree agrees, and the figures that rules lean on are there."""

from __future__ import annotations

from itertools import pairwise
from math import log10, sqrt

import pytest
from pydantic import ValidationError

from pcbrules import library
from pcbrules.library import load
from pcbrules.model.catalogue.systems import BITS_PER_SYMBOL, LinkStandard, MaskPiece, StandardMask

LINKS = library.ids("links")
ACCELERATORS = library.ids("accelerators")


@pytest.mark.parametrize("name", LINKS)
def test_rate_modulation_and_nyquist_agree(name: str) -> None:
    link = load.link(name)
    assert link.symbol_rate * BITS_PER_SYMBOL[link.modulation] == pytest.approx(link.rate * link.coding, rel=1e-5)
    assert link.nyquist == pytest.approx(link.symbol_rate / 2, rel=1e-12)
    if link.coding > 1:
        assert any("PAM3" in note or "coding" in note for note in link.notes), "an overhead is explained"


@pytest.mark.parametrize(
    ("name", "modulation", "nyquist"),
    [
        ("pcie3", "NRZ", 4e9),
        ("pcie4", "NRZ", 8e9),
        ("pcie5", "NRZ", 16e9),
        ("pcie6", "PAM4", 16e9),
        ("pcie7", "PAM4", 32e9),
        ("cxl3", "PAM4", 16e9),
        ("nvlink2", "NRZ", 12.890625e9),
        ("nvlink4", "PAM4", 26.5625e9),
        ("nvlink5", "PAM4", 53.125e9),
        ("infinity-fabric", "NRZ", 16e9),
        ("ualink-200g", "PAM4", 53.125e9),
        ("ethernet-100g-per-lane", "PAM4", 26.5625e9),
        ("cei-112g-mr", "PAM4", 28e9),
        ("usb3-gen2", "NRZ", 5e9),
        ("usb4v2", "PAM3", 12.8e9),
        ("mipi-cphy", "3-phase", 3e9),
        ("hdmi2.0", "NRZ", 2.97e9),
        ("dp-hbr3", "NRZ", 4.05e9),
    ],
)
def test_nyquist(name: str, modulation: str, nyquist: float) -> None:
    assert load.link(name).modulation == modulation
    assert load.link(name).nyquist == pytest.approx(nyquist, rel=1e-12)


@pytest.mark.parametrize("changes", [{"nyquist": "32 GHz"}, {"modulation": "NRZ"}, {"symbol_rate": "64 GBd"}])
def test_a_link_that_contradicts_itself_is_refused(changes: dict[str, str]) -> None:
    whole = {
        "id": "x6",
        "name": "x6",
        "family": "pcie",
        "generation": "6",
        "rate": "64 GT/s",
        "modulation": "PAM4",
        "symbol_rate": "32 GBd",
        "nyquist": "16 GHz",
        "signalling": "differential",
        "source": "a test",
        "confidence": "declared",
    }
    LinkStandard.model_validate(whole)
    with pytest.raises(ValidationError):
        LinkStandard.model_validate({**whole, **changes})


@pytest.mark.parametrize(
    ("name", "part", "limit", "at"),
    [
        ("pcie5", "total", 36, 16e9),
        ("pcie5", "baseboard", 12, 16e9),
        ("pcie5", "add-in-card", 9.5, 16e9),
        ("pcie4", "total", 28, 8e9),
        ("pcie4", "baseboard", 13.5, 8e9),
        ("pcie4", "add-in-card", 5, 8e9),
        ("pcie4", "board-to-m2", 11.01, 8e9),
        ("pcie6", "total", 32, 16e9),
        ("usb3-gen2", "carrier-board", 4.5, 5e9),
        ("ethernet-100g-per-lane", "backplane", 28, 26.5625e9),
        ("ethernet-200g-per-lane", "die-to-die", 40, 53.125e9),
        ("cei-112g-vsr", "chip-to-module", 16, 28e9),
        ("dp-hbr3", "carrier-board", 5.5, 4.05e9),
    ],
)
def test_budgets(name: str, part: str, limit: float, at: float) -> None:
    budget = load.link(name).budget(part)
    assert budget is not None
    assert budget.limit == pytest.approx(limit)
    assert budget.at == pytest.approx(at)


def test_parts_of_the_pcie_channels_add_up() -> None:
    for name, package in (("pcie5", "add-in-card"), ("pcie4", "add-in-card-with-package")):
        link = load.link(name)
        parts = [link.budget(part) for part in ("root-package", "connector", "baseboard", package)]
        total = link.budget("total")
        assert total is not None
        assert sum(part.loss for part in parts if part) == pytest.approx(total.loss)


@pytest.mark.parametrize("name", LINKS)
def test_budgets_are_taken_at_nyquist(name: str) -> None:
    link = load.link(name)
    assert all(budget.at == pytest.approx(link.nyquist) for budget in link.budgets)


def test_nvlink_claims_nothing_that_is_not_public() -> None:
    for name in LINKS:
        link = load.link(name)
        if link.family == "nvlink":
            assert link.impedance is None
            assert not link.budgets
            assert not link.masks


def test_links_without_a_differential_pair() -> None:
    odd = {name: load.link(name).signalling for name in LINKS if load.link(name).signalling != "differential"}
    assert odd == {"nvlink-c2c": "single-ended", "mipi-cphy": "trio"}


def test_impedance_keeps_its_tolerance() -> None:
    target = load.link("pcie5").impedance
    assert target is not None
    assert (target.value.value, target.value.minus, target.value.plus) == pytest.approx((85, 8.5, 8.5))


def value(mask: StandardMask, frequency: float) -> float:
    """The mask at a frequency (Hz), as the record describes it."""
    piece = next(p for p in mask.pieces if p.start <= frequency <= p.stop)
    x = frequency / 1e9
    polynomial = piece.constant + piece.linear * x + piece.square * x**2 + piece.cube * x**3
    return polynomial + piece.root * sqrt(x) + piece.decade * log10(x)


def mask(name: str, quantity: str) -> StandardMask:
    return next(m for m in load.link(name).masks if m.quantity == quantity)


def test_masks_at_known_points() -> None:
    assert value(mask("ethernet-10gbase-kr", "insertion-loss"), 5.15625e9) == pytest.approx(25.2, abs=0.05)
    assert value(mask("ethernet-25g-per-lane", "insertion-loss"), 12.89e9) == pytest.approx(10.0, abs=0.05)
    assert value(mask("ethernet-25g-per-lane", "return-loss"), 4e9) == pytest.approx(9.5 - 0.37 * 4)
    assert value(mask("ethernet-100g-per-lane", "return-loss"), 1e9) == 12
    assert mask("ethernet-100g-per-lane", "insertion-loss-deviation").upper
    assert not mask("ethernet-100g-per-lane", "return-loss").upper


def test_pieces_of_a_mask_meet() -> None:
    def ends(piece: MaskPiece) -> tuple[float, float]:
        return piece.start, piece.stop

    for name in LINKS:
        for one in load.link(name).masks:
            for below, above in pairwise(one.pieces):
                assert ends(below)[1] == ends(above)[0], name
                if one.quantity != "insertion-loss-deviation":
                    left, right = (
                        value(one.model_copy(update={"pieces": (piece,)}), below.stop) for piece in (below, above)
                    )
                    assert left == pytest.approx(right, rel=0.03), name


@pytest.mark.parametrize("name", ACCELERATORS)
def test_what_an_accelerator_names_exists(name: str) -> None:
    device = load.accelerator(name)
    for link in device.links:
        assert link in LINKS
    for connector in device.power_connectors:
        assert load.connector(connector).kind == "power"
    assert device.form_factor is None or device.form_factor in library.ids("form_factors")
    assert device.power is not None or "no power figure" in device.note
    if device.memory_bandwidth:
        assert 10e9 < device.memory_bandwidth < 30e12


@pytest.mark.parametrize(
    ("name", "watts"),
    [
        ("a100-sxm-80gb", 400),
        ("h100-sxm", 700),
        ("h100-pcie", 350),
        ("h200-sxm", 700),
        ("b200-sxm", 1000),
        ("gb200", 1200),
        ("mi300x", 750),
        ("mi325x", 1000),
        ("mi355x", 1400),
        ("l40s", 350),
        ("a10", 150),
        ("a10g", 300),
        ("rtx-pro-6000-blackwell", 600),
        ("jetson-agx-orin-64gb", 60),
        ("gaudi3-oam", 900),
    ],
)
def test_power(name: str, watts: float) -> None:
    power = load.accelerator(name).power
    assert power is not None
    assert power.value == watts


@pytest.mark.parametrize("name", ACCELERATORS)
def test_the_power_range_holds_the_rated_power(name: str) -> None:
    power = load.accelerator(name).power
    if power is not None:
        assert (power.min or power.value) <= power.value <= (power.max or power.value)


@pytest.mark.parametrize("name", ACCELERATORS)
def test_cards_can_be_fed(name: str) -> None:
    device = load.accelerator(name)
    inlets = [load.connector(connector).power for connector in device.power_connectors]
    if inlets and device.power:
        assert sum(inlet.value for inlet in inlets if inlet) >= device.power.value


def test_check_figures_of_decode_ceilings() -> None:
    """70 billion bytes on 8 TB/s give about 115 tokens a second; 40 GB on 1.79 TB/s 45; on 4.8 TB/s 120."""
    for name, size, rate in (("b200-sxm", 70e9, 115), ("rtx-pro-6000-blackwell", 40e9, 45), ("h200-sxm", 40e9, 120)):
        bandwidth = load.accelerator(name).memory_bandwidth
        assert bandwidth is not None
        assert bandwidth / size == pytest.approx(rate, rel=0.02)


def test_form_factors_have_ordered_sizes() -> None:
    for name in library.ids("form_factors"):
        form = load.form_factor(name)
        if form.smallest and form.largest:
            sizes = [form.smallest, form.nominal or form.smallest, form.largest]
            for small, large in pairwise(sizes):
                assert all(low <= high for low, high in zip(small, large, strict=True))
    assert load.form_factor("oam").nominal == pytest.approx((0.102, 0.165))


def test_platforms_that_rulesets_name() -> None:
    wanted = "hgx-h100-baseboard hgx-b200-baseboard nvswitch-board training-general edge-card workstation-card"
    wanted += " pcie-card sxm-oam-baseboard ubb rack-scale edge-carrier sxm-module oam-module mgx"
    assert set(wanted.split()) <= set(library.ids("platforms"))
