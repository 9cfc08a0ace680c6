# SPDX-License-Identifier: MIT
"""Every shipped entry: it validates, names itself after its file, and says where its numbers come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from pydantic import BaseModel

from pcbrules import library
from pcbrules.document import parse_yaml
from pcbrules.library import load
from pcbrules.model.catalogue.dielectrics import LOSS_ORDER
from pcbrules.spelling import fold

PRIVATE = re.compile(r"(?:^|\s)[/~]\w|[A-Z]:\\|\b\d{9,}\b|@[0-9a-f]{7}|\b[a-z]+_[a-z]+\b")
"""Paths of a machine, record numbers, commits and names of functions: nothing that a reader could look up."""


def text(kind: str, identifier: str) -> str:
    path = files("pcbrules.library").joinpath(kind, f"{identifier}.yaml")
    return path.read_text(encoding="utf-8")


def records(record: BaseModel) -> Iterator[BaseModel]:
    yield record
    for name in type(record).model_fields:
        value: Any = getattr(record, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, BaseModel):
                yield from records(item)


@pytest.mark.parametrize("kind", library.kinds())
def test_is_valid_and_named_after_its_file(kind: str) -> None:
    for identifier in library.ids(kind):
        assert library.entry(kind, identifier).id == identifier
        assert identifier == identifier.lower()


@pytest.mark.parametrize("kind", library.kinds())
def test_reads_the_same_by_the_strict_reader(kind: str) -> None:
    """No duplicate keys, and nothing that YAML 1.1 takes for something else (no, 012, 1e9)."""
    for identifier in library.ids(kind):
        entry = library.entry(kind, identifier)
        strict = parse_yaml(text(kind, identifier).encode(), f"{kind}/{identifier}.yaml").tree
        assert type(entry).model_validate(strict) == entry, identifier


@pytest.mark.parametrize("kind", library.kinds())
def test_every_statement_has_a_source_and_a_known_confidence(kind: str) -> None:
    for identifier in library.ids(kind):
        for record in records(library.entry(kind, identifier)):
            if "source" in type(record).model_fields:
                assert len(record.source.strip()) > 5, identifier  # type: ignore[attr-defined]
            assert getattr(record, "confidence", "") != "declared", identifier
            if getattr(record, "provenance", "") == "memory":
                assert record.confidence == "memory", record  # type: ignore[attr-defined]
            if str(getattr(record, "source", "")) == "recalled; no document read":
                assert record.confidence == "memory", record  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", library.kinds())
def test_cites_what_a_reader_can_look_up(kind: str) -> None:
    for identifier in library.ids(kind):
        for record in records(library.entry(kind, identifier)):
            for field in ("source", "note"):
                assert not PRIVATE.search(getattr(record, field, "")), record
        data = text(kind, identifier)
        assert data.startswith("# SPDX-License-Identifier: MIT\n"), identifier
        assert "\t" not in data and "\r" not in data, identifier


def test_defaults_cite_what_a_reader_can_look_up() -> None:
    for assumption in (*library.defaults().values(), *load.bias_curves().values()):
        assert not PRIVATE.search(assumption.source)


def test_curves_of_bias_cite_what_was_read() -> None:
    curves = load.bias_curves()
    for name, curve in curves.items():
        assert curve.examples or name == "any", name
        assert all(example.confidence == "seen" and not PRIVATE.search(example.source) for example in curve.examples)
    named = {load.capacitor(name).bias for name in library.ids("capacitors")} - {None}
    assert named | {"any"} == set(curves)


def test_a_ceramic_capacitor_names_its_curve() -> None:
    for name in library.ids("capacitors"):
        part = load.capacitor(name)
        ceramic = part.dielectric[0] == "X" and part.tier not in ("package", "die")
        assert bool(part.bias and part.rated) == ceramic, name


def test_there_is_enough() -> None:
    counts = {kind: len(library.ids(kind)) for kind in library.kinds()}
    assert counts["laminates"] >= 30
    assert counts["foils"] >= 8
    assert all(count >= 2 for count in counts.values()), counts


@pytest.mark.parametrize("kind", library.kinds())
def test_no_two_entries_share_a_name(kind: str) -> None:
    owner: dict[str, str] = {}
    for identifier in library.ids(kind):
        entry = library.entry(kind, identifier)
        for name in {fold(text) for text in (identifier, entry.name, *entry.aliases)}:
            assert name, identifier
            assert owner.setdefault(name, identifier) == identifier, f"{name}: {owner[name]} and {identifier}"


def test_smoother_classes_of_foil_are_smoother() -> None:
    foils = sorted((load.foil(name) for name in library.ids("foils")), key=lambda foil: foil.rank)
    order = ["std-ed", "rtf", "lp", "vlp", "vlp2", "hvlp", "hvlp2", "hvlp3", "hvlp4", "hvlp5"]
    assert [foil.id for foil in foils if foil.id in order] == order
    for rough in foils:
        for smooth in foils:
            if smooth.rank > rough.rank:
                assert smooth.rz.typical <= rough.rz.typical


def test_rz_and_rq_of_a_foil_belong_together() -> None:
    """Rz = 2 sqrt(3) Rq for a uniform profile (Simonovich 2019); classes are drawn round mixed sources: 35 %."""
    for name in library.ids("foils"):
        foil = load.foil(name)
        assert foil.rq is not None
        assert foil.rz.typical == pytest.approx(2 * 3**0.5 * foil.rq.typical, rel=0.35), name


def test_loss_classes_agree_with_the_data_at_10_ghz() -> None:
    """Worst of the printed loss tangents near 10 GHz, in bands that overlap: class names are not standardised."""
    bands = dict(
        zip(LOSS_ORDER, [(0.012, 0.03), (0.007, 0.0115), (0.0055, 0.0095), (0.0028, 0.006), (0, 0.0042)], strict=True)
    )
    for laminate in library.laminates():
        if laminate.loss_class not in bands:
            continue
        near = [p.df for data in laminate.sets for p in data.points if 9e9 <= p.f <= 15e9 and data.confidence == "seen"]
        low, high = bands[laminate.loss_class]
        assert all(low <= df <= high for df in near), (laminate.id, near)


def test_published_points_are_all_there() -> None:
    points = sum(len(data.points) for laminate in library.laminates() for data in laminate.sets)
    assert points >= 138, "points of a laminate are lost"
    assert not library.laminate("megtron6e").sets


def test_dma_reads_above_dsc() -> None:
    for laminate in library.laminates():
        by_method = {tg.method: tg.value for tg in laminate.thermal.tg}
        if {"DMA", "DSC"} <= by_method.keys():
            assert 10 <= by_method["DMA"] - by_method["DSC"] <= 40


def test_units_of_thermal_data() -> None:
    for laminate in library.laminates():
        thermal = laminate.thermal
        for fact, low, high in [
            (thermal.td, 300, 510),
            (thermal.cte_z_below, 20e-6, 80e-6),
            (thermal.cte_z_above, 150e-6, 300e-6),
            (thermal.expansion_50_260, 0.01, 0.04),
            (thermal.t288, 600, 7200),
            (thermal.k, 0.2, 1.0),
        ]:
            assert fact is None or low <= fact.value <= high, laminate.id


def test_capacitors_are_of_their_tier() -> None:
    for name in library.ids("capacitors"):
        part = load.capacitor(name)
        low, high = {"bulk": (1e-4, 1e-3), "mid": (1e-5, 5e-5), "high-frequency": (1e-8, 5e-6)}.get(part.tier, (0, 1))
        assert low <= part.capacitance.typical <= high, name
        if part.esl and part.mounted:
            assert part.mounted.typical > part.esl.typical, name
        for derating in part.derating:
            ratios = [ratio for _, ratio in derating.points]
            assert ratios == sorted(ratios, reverse=True), name


def test_capacitance_under_bias() -> None:
    (bias,) = load.capacitor("mlcc-10uf-0805-x7r").derating
    assert dict(bias.points) == {0.0: 1.0, 3.3: 0.75, 6.0: 0.55, 12.0: 0.27}


def test_power_connectors() -> None:
    power = {name: load.connector(name).power for name in library.ids("connectors")}
    watts = {name: rating.value for name, rating in power.items() if rating}
    assert watts["pcie-slot"] + 2 * watts["pcie-8-pin"] == 375
    assert (watts["pcie-6-pin"], watts["12vhpwr"], watts["12v-2x6"]) == (75, 600, 600)
    for name in library.ids("connectors"):
        assert (load.connector(name).kind == "power") == (power[name] is not None)


def test_fabrication_classes_tighten() -> None:
    standard, advanced, premium = (load.fabrication(name) for name in ("standard", "advanced", "premium"))
    for better, worse in ((advanced, standard), (premium, advanced)):
        for name in (
            "width",
            "dielectric",
            "copper",
            "dk",
            "df",
            "backdrill",
            "thickness",
            "impedance",
            "min_dielectric",
        ):
            assert getattr(better, name) <= getattr(worse, name), name
        assert better.aspect_ratio >= worse.aspect_ratio


def test_defaults_are_in_si_units() -> None:
    defaults = library.defaults()
    assert defaults["esr-scale"].min == 0.6
    assert defaults["esr-scale"].max == 1.4
    assert defaults["mounting-inductance-mid"].typical == pytest.approx(1.15e-9)
    assert defaults["resistivity-trace"].typical == 1.8e-8
    assert defaults["ac-capacitor-loss"].typical == 0.15
    assert defaults["ac-capacitor-loss"].at == 16e9
    assert defaults["load-slew"].typical == pytest.approx(1e9)
