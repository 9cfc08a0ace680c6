# SPDX-License-Identifier: MIT
"""`pcbrules fab`: the package that is written, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_bench import BOARD, Bench, ruleset

from pcbrules.library import load as library
from pcbrules.missing import Missing
from pcbrules.model.catalogue.select import df_at, dk_at

FILES = {"notes.md", "stackup.csv", "stackup.xml", "impedance.csv", "loss.csv", "drill.csv", "backdrill.csv"}


def written(bench: Bench, folder: str) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (bench.folder / folder).iterdir()}


def test_the_package_is_written_and_an_existing_file_is_kept(bench: Bench) -> None:
    bench.put("board.yaml", BOARD.replace("width: 90 mm", "width: 900 mm"))
    done = bench.run("fab", "board.yaml", "-o", "order", "-p", "few.yaml")
    assert done.code in (0, 3) and done.out.startswith("wrote notes.md, stackup.csv")
    first = written(bench, "order")
    assert first.keys() == FILES
    assert b"Profile few" in first["notes.md"] and b"- MEC001 error" in first["notes.md"]
    bench.put("kept/loss.csv", "mine")
    done = bench.run("fab", "board.yaml", "-o", "kept")
    assert done.code == 2 and "loss.csv exists; name another folder" in done.err
    assert written(bench, "kept") == {"loss.csv": b"mine"}


def test_what_was_not_evaluated_is_told(bench: Bench) -> None:
    """The board has no foils of its own: what is sold is taken, and the order says so."""
    text = (bench.folder / "board.yaml").read_text()
    bench.put("odd.yaml", text.replace("role: ground}", "role: signal}"))
    done = bench.run("fab", "odd.yaml", "-o", "order")
    assert done.code == 3 and "was not evaluated" in done.err
    assert b"not evaluated: L1 has no reference plane" in written(bench, "order")["impedance.csv"]


def test_a_folder_that_cannot_be_made_is_told(bench: Bench) -> None:
    done = bench.run("fab", "board.yaml", "-o", "no/such/folder")
    assert done.code == 2 and "cannot write into" in done.err
    assert bench.run("fab", "edge", "-o", "order").code == 2


JUDGED = {
    "SIG001": '{limits: {target: "100 ohm", deviation: "<= 15 %"}, severity: warning, source: S}',
    "MAT001": '{limits: {df: "<= 0.004"}, severity: error, source: S}',
}


@pytest.fixture
def ordered(bench: Bench) -> Bench:
    """A board on which all is met, its package in `order`, and a ruleset that judges impedance and laminate."""
    bench.put("few.yaml", ruleset(JUDGED))
    text = BOARD.replace("width: 5 mil", "width: 5 mil, top_width: 4.5 mil")
    for role in ("signal", "ground"):
        text = text.replace(f"role: {role}}}", f"role: {role}, foil: vlp}}")
    bench.put("board.yaml", text)
    assert bench.run("fab", "board.yaml", "-o", "order").code == 0
    return bench


def back(bench: Bench, name: str, *changes: tuple[str, str]) -> str:
    """A file of the package with changes, as it comes back; its name."""
    text = (bench.folder / "order" / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    return bench.put(f"back_{name}", text).name


def test_what_comes_back_as_ordered_differs_in_nothing(ordered: Bench) -> None:
    names = [str(Path("order") / name) for name in ("stackup.xml", "stackup.csv", "impedance.csv")]
    options = [word for name in names for word in ("--returned", name)]
    done = ordered.run("fab", "board.yaml", *options, "-p", "few.yaml")
    assert (done.code, done.err) == (0, "") and "Nothing differs." in done.out
    assert "a: 3 findings, 0 verdicts changed, 0 fail" in done.out
    assert done.out.endswith("0 within, 0 verdicts changed, 0 newly fail: exit code 0\n")


def test_a_thickness_within_its_tolerance_is_told_apart(ordered: Bench) -> None:
    name = back(ordered, "stackup.csv", ("dielectric_2,dielectric,not specified,100,", "pp,prepreg,,105,"),
                ("dielectric_4,dielectric,not specified,200,", "core,core,,230,"))
    done = ordered.run("fab", "board.yaml", "--returned", name, "-p", "few.yaml")
    beyond, within = done.out.index("Beyond tolerance:"), done.out.index("Within tolerance:")
    assert beyond < done.out.index("dielectric_4, thickness: ordered 200 µm, ± 20 µm (class standard)") < within
    assert done.out.index("dielectric_2, thickness: ordered 100 µm, ± 10 µm (class standard)") > within
    assert "Impedances, computed as ordered → as returned:\n    Z1 on L1: " in done.out
    assert "1 differences beyond tolerance, 1 within" in done.out


def test_a_verdict_that_gets_worse_to_fail_ends_with_1(ordered: Bench) -> None:
    name = back(ordered, "impedance.csv", ("bare microstrip,yes,85,not specified,127,114.3,", "x,yes,85,,300,,"))
    done = ordered.run("fab", "board.yaml", "--returned", name, "-p", "few.yaml")
    assert done.code == 1 and "Newly fails:" in done.out
    assert "SIG001 [warning] links.a.path.trace1: pass → fail" in done.out
    assert "Z1 on L1, width: ordered 127 µm" in done.out and "Z1 on L1, top width: ordered 114.3 µm" in done.out
    done = ordered.run("fab", "board.yaml", "--returned", name, "-p", "few.yaml", "--fail-on", "error")
    assert done.code == 0 and "Got worse:" in done.out


def test_a_laminate_keeps_its_data_scaled_to_the_figure_that_is_returned(ordered: Bench) -> None:
    text = (ordered.folder / "order" / "stackup.xml").read_text()
    start = text.index('"LOSS_TANGENT"')
    df = text[start:].partition('value="')[2].partition('"')[0]
    name = back(ordered, "stackup.xml", (f'value="{df}"', f'value="{3 * float(df):.6g}"'))
    done = ordered.run("fab", "board.yaml", "--returned", name, "-p", "few.yaml")
    assert done.code == 1
    assert f"dielectric_2, dielectric_4, dielectric_6, Df: ordered {float(df):.4g} at 4 GHz, ± 10 %" in " ".join(
        done.out.split())
    assert "MAT001 [error] links.a.megtron6-returned-1: marginal → fail" in done.out


@pytest.mark.parametrize(("material", "figures", "code", "says"), [
    ("Megtron-6", "", 0, "Nothing differs."),
    ("panasonic megtron 6", "", 0, "Nothing differs."),
    ("Megtron 6 2116 RC54%", "", 0, "Nothing differs."),
    ("Isola 370HR 7628", "", 1, "material: ordered Panasonic MEGTRON 6 R-5775 (E glass), returned Isola 370HR 7628"),
    ("Unobtainium", "4.1,0.02,4", 1, "Dk: ordered"),
])
def test_a_material_is_known_by_its_names(ordered: Bench, material: str, figures: str, code: int, says: str) -> None:
    rows = ["kind,thickness_um,material,dk,df,at_ghz", "copper,45,,,,", f"dielectric,100,{material},{figures or ',,'}",
            "copper,30,,,,", "dielectric,200,megtron6,,,", "copper,30,,,,", "dielectric,1000,prepreg,,,", "copper,45"]
    ordered.put("back.csv", "\n".join(rows))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert done.code == code and says in " ".join(done.out.split())


TABLE = ["kind,thickness_um,material,foil,base_weight_oz", "copper,45,,,", "dielectric,100,,,", "copper,30,,,",
         "dielectric,200,,,", "copper,30,,,", "dielectric,1000,,,", "copper,45,,,"]


@pytest.mark.parametrize(("row", "text", "says"), [
    (7, "", "back.csv:2:1: the returned stackup has another number of copper layers; found 3; expected 4"),
    (2, "", "back.csv:2:1: the dielectrics between L1 and L2 cannot be paired; found 0 sheets; expected 1"),
    (2, "dielectric,50,370HR,,\ndielectric,50,megtron6,,", "back.csv:3:1: the dielectrics between L1 and L2"),
    (2, "dielectric,100,Unobtainium,,", "back.csv:3:1: the material of dielectric_2 is not known, and its Dk"),
    (2, "dielectric,1e6,,,", "back.csv:3:1: stackup[1].thickness: as returned, "),
])
def test_what_cannot_be_compared_ends_with_2_at_its_line(ordered: Bench, row: int, text: str, says: str) -> None:
    rows = list(TABLE)
    rows[row] = text
    ordered.put("back.csv", "\n".join(one for one in rows if one))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert (done.code, done.out) == (2, "") and says in done.err


def test_plies_of_one_material_are_one_dielectric_and_copper_is_compared(ordered: Bench) -> None:
    rows = list(TABLE)
    rows[2] = "prepreg,50,megtron6,,\nprepreg,50,megtron6,,"
    rows[1] = "copper,45,,rtf,1"
    rows[3] = "copper,30,,secret,"
    ordered.put("back.csv", "\n".join(rows))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert "dielectric_2" not in done.out
    assert "L1, foil: ordered vlp, returned rtf" in done.out
    assert "L1, copper weight: ordered not specified, returned 1 oz" in done.out
    assert "L2, foil: ordered vlp, returned secret (not known: any that is sold)" in " ".join(done.out.split())


def test_a_foil_in_another_spelling_is_the_foil_ordered(ordered: Bench) -> None:
    text = (ordered.folder / "board.yaml").read_text()
    ordered.put("board.yaml", text.replace("role: signal", "role: signal, base_weight: 17 um", 1))
    ordered.put("back.csv", "\n".join([TABLE[0], "copper,45,,,0.5", *TABLE[2:]]))
    told = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml").out
    ordered.put("back.csv", "\n".join([TABLE[0], "copper,45,,,1", *TABLE[2:]]))
    other = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml").out
    assert "copper weight" not in told and "L1, copper weight: ordered 0.5 oz, returned 1 oz" in other


def test_layers_in_another_order_are_refused(ordered: Bench) -> None:
    text = (ordered.folder / "order" / "stackup.csv").read_text().splitlines()
    ordered.put("back.csv", "\n".join([text[0], *reversed(text[1:])]))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert done.code == 2 and "back.csv:2:6: the copper layers stand in another order than ordered" in done.err


def test_an_impedance_that_was_not_ordered_is_told(ordered: Bench) -> None:
    ordered.put("back.csv", "id,layer,width_um,target_ohm\nX,L4,100,50\nY,L1,127,85\n")
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert "back.csv:2:1: warning: no such impedance was ordered, so it is not compared; found 'X on L4'" in done.err
    assert "Y on L1" not in done.err, "the only one of its layer and target"


def test_one_of_package_and_comparison_and_a_profile_are_needed(ordered: Bench) -> None:
    assert "give either -o DIR" in ordered.run("fab", "board.yaml").err
    assert "give either -o DIR" in ordered.run("fab", "board.yaml", "-o", "x", "--returned", "y").err
    done = ordered.run("fab", "board.yaml", "--returned", "order/stackup.csv")
    assert done.code == 2 and "--profile edge" in done.err
    done = ordered.run("fab", "board.yaml", "--returned", "gone.csv", "-p", "few.yaml")
    assert done.code == 2 and "gone.csv: there is no such file" in done.err


def test_what_was_ordered_is_imported_as_a_board_with_its_frequencies(ordered: Bench) -> None:
    done = ordered.run("import", "order/stackup.xml", "-o", "imported.yaml")
    assert done.code == 0
    text = (ordered.folder / "imported.yaml").read_text()
    assert "at: 4 GHz, source: the layout}\n" in text and "is assumed: the layout gives no frequency" not in text


@pytest.mark.parametrize(("glass", "figures", "says"), [
    ("1080", ",,", "dielectric_2, glass: ordered not specified, returned 1080"),
    ("1080/1078", ",,", "returned 1080 + 1078"),
    ("9999", "3.3,0.002,4", "Z1 on L1: "),
])
def test_another_glass_is_another_construction(ordered: Bench, glass: str, figures: str, says: str) -> None:
    rows = ["kind,thickness_um,glass,dk,df,at_ghz", "copper,45", f"dielectric,100,{glass},{figures}", "copper,30",
            "dielectric,200", "copper,30", "dielectric,1000", "copper,45"]
    ordered.put("back.csv", "\n".join(rows))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert done.code in (0, 1) and says in " ".join(done.out.split()) and "Z2 on L3: " not in done.out


def test_dk_and_df_are_compared_at_the_frequency_of_the_file(ordered: Bench) -> None:
    """Megtron 6 falls from 1 GHz to 12 GHz: what its data say there is what was ordered."""
    laminate = library.laminate("megtron6")
    here, there, df = dk_at(laminate, 4e9), dk_at(laminate, 12e9), df_at(laminate, 12e9)
    assert not isinstance(here, Missing) and not isinstance(there, Missing) and not isinstance(df, Missing)
    assert there.value < 0.999 * here.value
    rows = ["kind,thickness_um,dk,df,at_ghz", "copper,45", f"dielectric,100,{there.value:.6g},{df.value:.6g},12",
            "copper,30", "dielectric,200", "copper,30", "dielectric,1000", "copper,45"]
    ordered.put("back.csv", "\n".join(rows))
    done = ordered.run("fab", "board.yaml", "--returned", "back.csv", "-p", "few.yaml")
    assert "Nothing differs." in done.out
