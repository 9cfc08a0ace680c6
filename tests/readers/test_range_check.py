# SPDX-License-Identifier: MIT
"""What is impossible is refused with the likely unit; what is unusual is warned of; what is built passes silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import Document, parse_yaml, read_yaml, show_path
from pcbrules.errors import InputError, Problem, Problems
from pcbrules.model.board_file import BoardFile
from pcbrules.model.ranges import RANGES, Band, band_of, bounds
from pcbrules.model.ranges.likely import UNITS, likely
from pcbrules.readers.board_yaml import frozen
from pcbrules.readers.names import Names
from pcbrules.readers.numbers_in import numbers_in
from pcbrules.readers.range_check import check_ranges
from pcbrules.unit_table import TABLE
from pcbrules.units import Quantity, parse_value

ROOT = Path(__file__).resolve().parents[2]
H100 = read_yaml(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
TRACE = ("links", "pcie_up", "path", 1, "trace")
CORE = ("rails", "nvsw_core")
BANK = (*CORE, "ladder", 0, "bank")
MINE = ("materials", "laminates", "mine")
Place = tuple[str | int, ...]


def refused(document: Document) -> dict[str, Problem]:
    with pytest.raises(InputError) as caught:
        api.resolve(document)
    return {problem.path: problem for problem in caught.value.problems}


def laminate(**point: object) -> Document:
    return H100.edited(MINE, {"dk": 3.4, "df": 0.002, "at": "10 GHz"} | point)


@pytest.mark.parametrize(
    ("path", "value", "usual", "cure"),
    [
        (("fabrication", "impedance_control", "tolerance"), 7, "2 % to 20 %", "write '7 %'"),
        (("fabrication", "tolerances", "dk"), 2, "0.1 % to 15 %", "write '2 %'"),
        (("fabrication", "tolerances", "width"), 7, "1 % to 30 %", "write '7 %'"),
        (("fabrication", "tolerances", "width"), "10 mm", "1 um to 0.1 mm", "write '10 um'"),
        ((*CORE, "tolerance", "ac"), 3, "0.1 % to 15 %", "write '3 %'"),
        (("stackup", 1, "fill"), 40, "1 % to 100 %", "write '40 %'"),
        ((*BANK, "capacitance"), "0.47 F", "10 pF to 5 mF", "write '0.47 uF'"),
        ((*BANK, "effective"), "0.1 F", "10 pF to 5 mF", "write '0.1 uF'"),
        ((*TRACE, "length"), "70 m", "0.3 mm to 2 m", "write '70 mm'"),
        ((*TRACE, "width"), "3.9 um", "25 um to 3.5 mm", "write '3.9 mil'"),
        ((*TRACE, "width"), "5 mil +30 mm/-0.1 mil", "25 um to 3.5 mm", "check number and unit"),
        ((*TRACE, "gap"), "7 m", "25 um to 2.5 mm", "write '7 mil' if that is meant"),
        (("stackup", 1, "rz_top"), "2.55 mm", "0.1 um to 15 um", "write '2.55 um'"),
        (("stackup", 2, "dk"), 40, "1.8 to 12", "write 4 if a decimal point is missing"),
        (("stackup", 2, "dk"), 0.34, "1.8 to 12", "write 3.4 if its decimal point slipped"),
        (("stackup", 2, "dk"), "4 %", "1.8 to 12", "write 4 if that is meant"),
        ((*CORE, "vrm", "phase_inductance"), "1e6 H", "2 nH to 47 uH", ""),
        ((*CORE, "ladder", 1, "spreading", "resistance"), "1e20 uohm", "0.1 uohm to 10 mohm", ""),
        ((*CORE, "ladder", 1, "spreading", "inductance"), "1e20 pH", "0.1 pH to 5 nH", ""),
        (("links", "pcie_up", "path", 3, "capacitor", "at"), "1e-12 GHz", "50 MHz to 150 GHz", ""),
        (("links", "pcie_up", "path", 3, "capacitor", "capacitance"), "0.22 F", "0.5 nF to 10 uF", "write '0.22 uF'"),
        (("links", "pcie_up", "impedance"), "85 kohm", "25 ohm to 200 ohm", "write '85 ohm'"),
        (("links", "pcie_up", "impedance"), "0.1 ohm", "25 ohm to 200 ohm", ""),
        ((*CORE, "voltage"), "800 V", "0.25 V to 6 V", "write '800 mV'"),
        ((*CORE, "current", "sustained"), "550 kA", "1 mA to 5 kA", "write '550 A'"),
        ((*CORE, "crossover"), "100 MHz", "500 Hz to 10 MHz", "write '100 kHz'"),
        (("thermal", "inlet"), "300 degC", "-20 degC to 75 degC", "write '300 K'"),
        (("board", "size", "width"), "430 m", "5 mm to 1.2 m", "write '430 mm'"),
        (("system", "rack", "power"), "41e3 MW", "200 W to 1 MW", ""),
    ],
)
def test_what_is_impossible_is_refused_with_the_likely_unit(path: Place, value: object, usual: str, cure: str) -> None:
    document = H100.edited(path, value)
    problem = refused(document)[show_path(path)]
    assert (problem.line, problem.column) == document.at(path)
    assert str(value) in problem.found and problem.expected.endswith(f"{usual} is usual")
    assert problem.expected.startswith(("at least ", "at most ")) and cure in problem.fix and problem.fix
    assert f"`{path[-1]}`" in problem.message


@pytest.mark.parametrize(
    ("key", "value", "cure"),
    [
        ("df", 2.1, "write 0.021 if 2.1 % is meant"),
        ("df", "2.1 %", "write 0.021"),
        ("df", "0,0021", "write 0.0021"),
        ("df", 0.3, "write 0.003 if 0.3 % is meant"),
        ("dk", 40, "write 4 if a decimal point is missing"),
        ("dk", 0.5, "write 5 if its decimal point slipped"),
        ("at", "10e-12 GHz", "check number and unit"),
    ],
)
def test_a_laminate_of_one_point_is_refused_at_its_key(key: str, value: object, cure: str) -> None:
    problem = refused(laminate(**{key: value}))[show_path((*MINE, key))]
    assert str(value) in problem.found and problem.fix == cure
    assert key in problem.message or "a number stands here" in problem.message


def test_the_place_of_a_key_of_a_laminate_is_its_own() -> None:
    text = b"schema: 1\nboard: {name: b, platform: ubb, form_factor: ubb}\nmaterials:\n  laminates:\n" \
           b"    mine:\n      at: 10 GHz\n      dk: 3.4\n      df: 2.1\n"
    problem = refused(parse_yaml(text, "b.yaml"))["materials.laminates.mine.df"]
    assert (problem.line, problem.column) == (8, 11)


def test_own_foils_and_tables_of_points_are_refused_at_their_place() -> None:
    spread = {"typical": "1.5 um", "min": "1 um", "max": "2.5 mm"}
    foils = refused(H100.edited(("materials", "foils", "mine"), {"rank": 5, "rz": spread}))
    assert "write '2.5 um'" in foils["materials.foils.mine.rz.max"].fix and len(foils) == 1
    one = {"source": "s", "confidence": "seen", "points": [["1 GHz", 3.3, 0.002], ["14 GHz", 3.3, 0.4]]}
    (place, problem), = refused(H100.edited((*MINE, "sets"), [one])).items()
    assert place == "materials.laminates.mine.sets[0].points[1][2]" and "`df`" in problem.message


def test_a_supercapacitor_says_that_it_is_one() -> None:
    document = H100.edited((*BANK, "capacitance"), "0.47 F").edited((*BANK, "effective"), "0.4 F")
    assert len(refused(document)) == 2
    board = api.resolve(document.edited((*BANK, "kind"), "supercapacitor"))
    assert not [one for one in board.warnings if ".ladder[0]." in one.path]


def test_the_usual_voltage_hangs_on_the_role_of_the_rail() -> None:
    document = H100.edited(("system", "rack", "power"), "200 kW")
    for name, voltage, odd in (("p54v", "800 V", False), ("p54v", "2.5 V", True), ("nvsw_core", "2.5 V", False),
                               ("nvsw_core", "12 V", True)):
        board = api.resolve(document.edited(("rails", name, "voltage"), voltage))
        assert any("unusual `voltage`" in one.message for one in board.warnings) is odd


def test_what_is_impossible_in_one_place_hides_no_fault_of_another_section() -> None:
    document = H100.edited((*BANK, "capacitance"), "0.47 F").edited((*TRACE, "layer"), "L99")
    assert set(refused(document)) == {show_path((*BANK, "capacitance")), show_path((*TRACE, "layer"))}
    wrong_key = H100.edited((*BANK, "capacitance"), "0.47 F").edited(("links", "nvl_l3", "no_such_key"), 1)
    assert show_path((*BANK, "capacitance")) in refused(wrong_key)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ((*TRACE, "width"), "5 mm", "`width`, 5 mm: 25 um to 3.5 mm is usual; write '5 mil' if that is meant"),
        (("fabrication", "impedance_control", "tolerance"), "0.7 %", "2 % to 20 % is usual"),
        ((*BANK, "esr"), "5 ohm", "write '5 mohm'"),
        ((*BANK, "mounted_inductance"), "1.4 pH", "write '1.4 nH'"),
        ((*BANK, "capacitance"), "10 mF", "write '10 uF'"),
        ((*TRACE, "length"), "9 in +- 6 in", "the tolerance of `length` is unusual"),
        ((*TRACE, "gap"), "7 mm", "write '7 mil' if that is meant"),
        (("via_types", "fast", "backdrill", "residual"), "6 um", "write '6 mil'"),
        ((*CORE, "vrm", "inductance"), "60 uH", "write '60 nH'"),
        ((*CORE, "ladder", 1, "spreading", "resistance"), "30 mohm", "write '30 uohm'"),
        ((*TRACE, "length"), "9 in +- 0.1 nm", "the tolerance of `length` is unusual"),
    ],
)
def test_what_is_unusual_is_warned_of(path: Place, value: str, says: str) -> None:
    document = H100.edited(path, value)
    if path == (*TRACE, "length"):
        for key in ("length_p", "length_n", "lane_lengths", "neighbours"):
            document = document.without((*TRACE, key)) if key in document.get(TRACE) else document
    said = [f"{one.message}; {one.fix}" for one in api.resolve(document).warnings if one.path == show_path(path)]
    assert len(said) == 1 and says in said[0] and value in said[0]


@pytest.mark.parametrize("file", sorted([*(ROOT / "boards").glob("*.yaml"),
                                         *(ROOT / "pcbrules" / "templates").glob("*.yaml")]), ids=lambda one: one.name)
def test_no_board_that_is_shipped_is_unusual(file: Path) -> None:
    assert not [one.message for one in api.load(str(file)).warnings if "unusual" in one.message]


EXAMPLES = [(file, BoardFile.model_validate(frozen(read_yaml(str(file)).tree))) for file in (
    ROOT / "boards" / "hgx-h100-baseboard.yaml", ROOT / "boards" / "sxm-accelerator-module.yaml",
    ROOT / "pcbrules" / "templates" / "training.yaml")]


def test_each_key_is_refused_beyond_its_ends() -> None:
    """One number of each key, both ways, as the file would write it: no key lacks its check."""
    empty = parse_yaml(b"schema: 1\n", "b.yaml")
    seen: set[tuple[str, str]] = set()
    for number in (one for _, file in EXAMPLES for one in numbers_in(file, ())):
        band = band_of(number.owner, number.record, number.key)
        if band is None or (number.record, number.key) in seen or not isinstance(number.value, Quantity):
            continue
        seen.add((number.record, number.key))
        for text, sign in ((band.most, 1), (band.least, -1)):
            size, _, unit = text.partition(" ")
            given = f"{float(size) * 1.01**(sign if float(size) > 0 else -sign):g} {unit}".strip()
            if bounds(band).least == 0 and sign < 0:
                continue
            field = next(name for name, one in type(number.owner).model_fields.items()
                         if number.key == (one.alias or name))
            owner = number.owner.model_copy(update={field: parse_value(given, band.dimension)
                                                    if band.dimension != "number" else parse_value(given, "ratio")})
            problems = Problems("b.yaml")
            wrong = check_ranges(owner, Names(empty, problems))
            assert wrong == ((number.key,),), (number.record, number.key, given)
            assert problems.kept[0].message == f"no `{number.key}` is this {'large' if sign > 0 else 'small'}"
    assert len(seen) > 100


def test_units_that_are_proposed_are_units() -> None:
    for dimension, units in UNITS.items():
        assert all(unit in TABLE[dimension].units or (not unit and TABLE[dimension].bare) for unit in units)
    needed: set[Any] = {band.dimension for keys in RANGES.values() for given in keys.values()
                        for band in ((given,) if isinstance(given, Band) else given)}
    assert needed - set(UNITS) <= {"", "number", "loss", "expansion", "drift", "conductivity_thermal", "heat_transfer"}


def test_no_cure_is_invented() -> None:
    band = Band("1 pF", "1 nF", "1 mF", "10 mF", "uF")
    assert likely("0.47 F", band) == "write '0.47 uF' (or '0.47 mF') if that is meant"
    assert likely("1e20 uF", band) == likely("x", band) == likely("1e9 uF", band) == ""
    assert likely("4.7 F +- 10 %", band) == "write '4.7 uF' (or '4.7 nF') if that is meant"
