# SPDX-License-Identifier: MIT
"""Finding entries: spellings, unknown names, hostile names, and that only what is asked for is read."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from pcbrules import library
from pcbrules.library import UnknownEntry, shelf
from pcbrules.model.catalogue.dielectrics import Laminate


@pytest.mark.parametrize(
    ("kind", "name", "identifier"),
    [
        ("laminates", "megtron7n", "megtron7n"),
        ("laminates", "megtron 7n", "megtron7n"),
        ("laminates", "M7N", "megtron7n"),
        ("laminates", "Megtron 7 R-5785(N)", "megtron7n"),
        ("laminates", "MEGTRON-6", "megtron6"),
        ("laminates", "TU-933+", "tu-933plus"),
        ("laminates", "S1000-2M", "s1000-2m"),
        ("links", "PCIe Gen5", "pcie5"),
        ("links", "PCIE-5", "pcie5"),
        ("links", "NVLink 4.0", "nvlink4"),
        ("links", "802.3ck", "ethernet-100g-per-lane"),
        ("links", "HDMI 2.0", "hdmi2.0"),
        ("foils", "ED", "std-ed"),
        ("foils", "H-VLP2", "hvlp2"),
        ("oxide", "flat bond", "low-etch"),
        ("connectors", "16-pin", "12vhpwr"),
        ("cooling", "direct-to-chip", "direct-liquid"),
        ("glass", "2116S", "2116s"),
    ],
)
def test_spellings(kind: str, name: str, identifier: str) -> None:
    assert library.resolve(kind, name) == identifier
    assert library.entry(kind, name).id == identifier


@pytest.mark.parametrize(
    ("kind", "name", "near"),
    [
        ("links", "nvlnk4", "nvlink4"),
        ("laminates", "megtron7", "megtron7n"),
        ("foils", "hvlp9", "hvlp"),
        ("platforms", "hgx-h100-basebord", "hgx-h100-baseboard"),
    ],
)
def test_an_unknown_name_brings_its_neighbours(kind: str, name: str, near: str) -> None:
    with pytest.raises(UnknownEntry) as caught:
        library.entry(kind, name)
    assert near in caught.value.nearest
    assert (caught.value.kind, caught.value.name) == (kind, name)
    assert near in str(caught.value)
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("name", ["", " ", "..", "../links/pcie5", "/etc/passwd", "\x00", "é", "a" * 10_000, "%2e%2e"])
def test_hostile_names_are_just_unknown(name: str) -> None:
    with pytest.raises(UnknownEntry) as caught:
        library.laminate(name)
    assert len(str(caught.value)) < 300


def test_an_unknown_kind() -> None:
    with pytest.raises(UnknownEntry) as caught:
        library.entry("laminate", "megtron6")
    assert "laminates" in caught.value.nearest


@pytest.mark.parametrize("name", ["Megtron-6", "Panasonic MEGTRON6"], ids=["identifier", "alias"])
def test_a_name_parses_one_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    shelf.read.cache_clear()
    read = []
    validate = Laminate.model_validate

    def spy(tree: dict[str, Any]) -> Laminate:
        read.append(tree["id"])
        return validate(tree)

    monkeypatch.setattr(Laminate, "model_validate", spy)
    library.laminate(name)
    assert read == ["megtron6"]
    shelf.read.cache_clear()


def test_every_name_is_found_as_it_is_written_and_in_another_spelling() -> None:
    for kind in library.kinds():
        for name, identifier in shelf.names(kind).items():
            assert shelf.find(kind, name) == shelf.find(kind, f" {name.swapcase()} ") == identifier, (kind, name)
        assert shelf.find(kind, "no such entry") is None


def test_records_are_read_once_and_frozen() -> None:
    entry = library.laminate("megtron6n")
    assert library.laminate("M6N") is entry
    with pytest.raises(ValueError, match="frozen"):
        entry.df_slope = 0.3


def test_loads_no_numerics() -> None:
    code = "import sys, pcbrules.library as l; l.laminates(); l.defaults(); "
    code += "print({'numpy', 'scipy', 'skrf'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_every_yaml_file_belongs_to_a_kind() -> None:
    folder = shelf.root()
    folders = {item.name for item in folder.iterdir() if item.is_dir() and item.name != "__pycache__"}
    assert folders == set(library.kinds())
    for kind in library.kinds():
        assert all(item.name.endswith(".yaml") for item in shelf.folder(kind).iterdir())


@pytest.mark.parametrize(
    ("kind", "name", "listed"),
    [
        ("laminates", "FR4", "generic-fr4 (Df 0.015 to 0.025 at 10 GHz), s1000-2m (Df 0.021"),
        ("laminates", "Tg170", "370hr (Df 0.025 at 10 GHz), s1000-2m"),
        ("laminates", "low loss", "i-speed (Df 0.0071"),
        ("laminates", "FR-4 Tg150", "370hr (Df 0.025 at 10 GHz), s1000-2m (Df 0.021"),
        ("laminates", "megtron 7", "megtron7ge (Df 0.0034 at 10 GHz), megtron7n (Df 0.002 at 10 GHz)"),
        ("foils", "hvlp9", "hvlp (Rz 1 um to 2 um), hvlp2 (Rz 0.8 um to 1.5 um), "),
        ("links", "pcie", "pcie7 (Nyquist 32 GHz), "),
        ("accelerators", "rtx", "rtx-pro-6000-blackwell (600 W), "),
        ("capacitors", "mlcc-47uf-0402", "mlcc-47uf-0805 (47 uF, 0805)"),
        ("glass", "1081", "1080 (open weave), 1078 (spread weave)"),
    ],
)
def test_entries_that_may_be_meant_are_listed_the_worst_first(kind: str, name: str, listed: str) -> None:
    with pytest.raises(UnknownEntry) as caught:
        library.entry(kind, name)
    assert listed in caught.value.listed
    assert caught.value.variant == ""
    assert "fr408hr" not in str(caught.value)


def test_a_mere_misspelling_is_the_cure() -> None:
    for kind, name, entry in (("laminates", "megrton6", "megtron6"), ("links", "pcei5", "pcie5")):
        with pytest.raises(UnknownEntry, match=f"did you mean {entry}") as caught:
            library.entry(kind, name)
        assert caught.value.variant == entry


def test_a_decimal_point_is_no_punctuation() -> None:
    """`mlcc-47uf-0402` is not the 4.7 uF part."""
    assert library.resolve("capacitors", "MLCC 4.7uF 0402") == "mlcc-4.7uf-0402"
    with pytest.raises(UnknownEntry):
        library.resolve("capacitors", "mlcc-47uf-0402")
